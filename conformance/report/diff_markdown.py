"""A difference as Markdown, for a comment on a change request."""

from tidegate.conformance.report import view
from tidegate.conformance.report.diff import Change, Difference, Direction, Pair
from tidegate.conformance.report.diff_words import TITLES, grouped, summary, unlike_parts
from tidegate.conformance.report.markdown import escaped, table

_MARKS = {Direction.WORSE: "**worse**", Direction.BETTER: "better", Direction.OTHER: ""}


def render(difference: Difference) -> str:
    """The whole difference; quoted texts are escaped, so that a broker's text never becomes markup."""
    parts = ["# tidegate: what changed", f"**{escaped(summary(difference))}**"]
    parts += [escaped(sentence)] if (sentence := unlike_parts(difference)) else []
    parts += [_changes(difference.unpaired)] if difference.unpaired else []
    for pair in difference.pairs:
        if pair.changes:
            parts.append(_pair(pair))
    return "\n\n".join(parts) + "\n"


def _pair(pair: Pair) -> str:
    heading = f"## {escaped(view.full_label(pair.before))} → {escaped(view.full_label(pair.after))}"
    parts = [heading]
    for kind, changes in grouped(pair.changes):
        parts += [f"### {TITLES[kind]}", _changes(changes)]
    return "\n\n".join(parts)


def _changes(changes: tuple[Change, ...]) -> str:
    rows = [
        [escaped(change.subject), escaped(change.before), escaped(change.after), _MARKS[change.direction]]
        for change in changes
    ]
    return table(["", "before", "after", ""], rows)
