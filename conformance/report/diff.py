"""The changes between two reports: verdicts, figures, claims, and the checks that ran.

*Worse* is a change after which less is known to hold:

- a verdict that becomes violated or unknown, whatever it was;
- a rule that was judged before and no longer is: not claimed any more, or gone from the report. Not worse is a rule
  that only the part of the suite that the later run is limited to leaves out;
- a check of a rule that stays violated or unknown, if that check was kept before and is not kept now;
- an implementation of the earlier report that the later one does not have.

*Better* is a verdict that was violated or unknown and no longer is, and a rule that is judged for the first time and is
neither. Every other change is just a change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tidegate.conformance.report import view
from tidegate.conformance.report.verdicts import wording
from tidegate.record.report import CheckKind, CheckResult, ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

GREEN_RESULTS = (*view.AS_STATED, CheckResult.NOT_USED)
REPEATABLE = (CheckKind.SCENARIO, CheckKind.VECTOR)
"""Kinds of checks whose figures are the same in every run of one implementation."""


class Kind(StrEnum):
    """The subject of a change."""

    IMPLEMENTATION = "implementation"
    """Only one of the reports has it."""
    VERDICT = "verdict"
    """Both judged the rule, and not alike."""
    ASKED = "asked"
    """Only one of them judged the rule."""
    RESULT = "result"
    """A check ended differently, while the verdict is the same."""
    FIGURE = "figure"
    """A check ended alike, with another figure."""
    CHECK = "check"
    """Only one of them ran the check."""


class Direction(StrEnum):
    """Whether a change is for the better."""

    WORSE = "worse"
    BETTER = "better"
    OTHER = "other"


@dataclass(frozen=True)
class Change:
    """One difference between the two."""

    kind: Kind
    direction: Direction
    subject: str
    """The rule or check that it is about."""
    before: str
    after: str
    title: str = ""
    """The title of the rule; of a check, what it expects."""


@dataclass(frozen=True)
class Pair:
    """An implementation in the earlier report and its counterpart in the later one."""

    before: ImplementationReport
    after: ImplementationReport
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Difference:
    """All that changed from one report to another."""

    pairs: tuple[Pair, ...]
    unpaired: tuple[Change, ...]
    """Implementations that only one of them has."""
    parts: tuple[str | None, str | None]
    """The part of the suite that ran before and the part that ran after; None for the whole suite."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes of all implementations."""
        return (*self.unpaired, *(change for pair in self.pairs for change in pair.changes))

    @property
    def worse(self) -> bool:
        """Whether any change is for the worse."""
        return any(change.direction is Direction.WORSE for change in self.changes)

    @property
    def comparable_checks(self) -> bool:
        """Whether both ran the same part of the suite, so that a missing check has a meaning."""
        return self.parts[0] == self.parts[1]


def difference(before: Report, after: Report) -> Difference:
    """The changes from the earlier report to the later one."""
    same_part = before.part == after.part
    pairs, alone = _paired(before.implementations, after.implementations)
    return Difference(
        tuple(Pair(first, second, tuple(_changes(first, second, same_part))) for first, second in pairs),
        tuple(alone),
        (before.part, after.part),
    )


def _paired(
    before: Sequence[ImplementationReport], after: Sequence[ImplementationReport]
) -> tuple[list[tuple[ImplementationReport, ImplementationReport]], list[Change]]:
    """Pairs implementations by profile, or the only one of each report; the rest become changes."""
    if len(before) == len(after) == 1:
        return [(before[0], after[0])], []
    later = {each.implementation.profile: each for each in after}
    earlier = {each.implementation.profile: each for each in before}
    pairs = [(each, later[profile]) for profile, each in earlier.items() if profile in later]
    gone = [
        _alone(each, Direction.WORSE, "judged", "not in the report") for p, each in earlier.items() if p not in later
    ]
    new = [
        _alone(each, Direction.OTHER, "not in the report", "judged") for p, each in later.items() if p not in earlier
    ]
    return pairs, [*gone, *new]


def _alone(each: ImplementationReport, direction: Direction, before: str, after: str) -> Change:
    return Change(Kind.IMPLEMENTATION, direction, view.label(each), before, after)


def _changes(before: ImplementationReport, after: ImplementationReport, same_part: bool) -> Iterator[Change]:
    earlier = {verdict.rule: verdict for verdict in before.verdicts}
    later = {verdict.rule: verdict for verdict in after.verdicts}
    for rule in dict.fromkeys([*earlier, *later]):
        first, second = earlier.get(rule), later.get(rule)
        if _judged(first) and _judged(second):
            assert first is not None and second is not None
            yield from _of_verdict(first, second)
            yield from _of_checks(first, second, same_part)
        elif _judged(first) or _judged(second):
            yield _of_asking(rule, first, second, rule in (*before.left_out, *after.left_out))


def _judged(verdict: RuleVerdict | None) -> bool:
    return verdict is not None and verdict.verdict is not Verdict.NOT_CLAIMED


def _of_verdict(before: RuleVerdict, after: RuleVerdict) -> Iterator[Change]:
    if before.verdict is after.verdict:
        return
    direction = Direction.OTHER
    if after.verdict in view.NOT_GREEN or (after.verdict is Verdict.FOLLOWS and before.verdict in view.GREEN):
        direction = Direction.WORSE
    elif before.verdict not in view.GREEN:
        direction = Direction.BETTER
    yield Change(Kind.VERDICT, direction, after.rule, _in_words(before), _in_words(after), after.title)


def _of_asking(rule: str, before: RuleVerdict | None, after: RuleVerdict | None, left_out: bool) -> Change:
    one = after if after and _judged(after) else before
    assert one is not None
    direction = Direction.OTHER
    if left_out:
        pass
    elif one is before or one.verdict not in view.GREEN:
        direction = Direction.WORSE
    else:
        direction = Direction.BETTER
    absent = "not in the part that ran" if left_out else "not in the report"
    words = [_in_words(verdict) if verdict is not None else absent for verdict in (before, after)]
    return Change(Kind.ASKED, direction, rule, words[0], words[1], one.title)


def _of_checks(before: RuleVerdict, after: RuleVerdict, same_part: bool) -> Iterator[Change]:
    earlier, later = _by_check(before), _by_check(after)
    for name in dict.fromkeys([*earlier, *later]):
        first, second = earlier.get(name), later.get(name)
        if first is None or second is None:
            if same_part:
                words = ("did not run", "ran") if first is None else ("ran", "did not run")
                yield Change(Kind.CHECK, Direction.OTHER, f"{after.rule} in {name}", *words)
        elif first.check.result is not second.check.result:
            if before.verdict is after.verdict:
                yield _of_result(f"{after.rule} in {name}", first, second)
        elif _has_figure(second) and _figure(first) != _figure(second):
            subject = f"{after.rule} in {name}"
            yield Change(Kind.FIGURE, Direction.OTHER, subject, _figure(first), _figure(second), _expected(second))


def _of_result(subject: str, before: view.Finding, after: view.Finding) -> Change:
    direction = Direction.OTHER
    if before.check.result in GREEN_RESULTS and after.check.result not in GREEN_RESULTS:
        direction = Direction.WORSE
    elif after.check.result in GREEN_RESULTS and before.check.result not in GREEN_RESULTS:
        direction = Direction.BETTER
    first, second = (f"{each.check.result}, {each.seen}" for each in (before, after))
    return Change(Kind.RESULT, direction, subject, first, second, _expected(after))


def _by_check(verdict: RuleVerdict) -> Mapping[str, view.Finding]:
    return {finding.check.check: finding for finding in view.in_order(verdict)}


def _has_figure(finding: view.Finding) -> bool:
    return finding.check.kind in REPEATABLE


def _expected(finding: view.Finding) -> str:
    """What the check expects, which says of what a bare figure is one."""
    expected = view.in_own_figures(finding.check.expected)
    return f"expected {expected}" if expected else ""


def _figure(finding: view.Finding) -> str:
    """What was seen, without the scale of the run: two runs may have used different scales."""
    return view.in_own_figures(finding.seen)


def _in_words(verdict: RuleVerdict) -> str:
    reason = f", {verdict.reason}" if verdict.verdict is not Verdict.KEPT else ""
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED and check.seen == verdict.reason and check.expected:
            reason = f"; seen: {check.seen}; expected: {check.expected}"
            break
    return f"{wording(verdict)}{reason}"
