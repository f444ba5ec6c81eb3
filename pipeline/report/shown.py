"""What a report shows of lists that have no bound: the first or the worst of each, and texts up to a length."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import accumulate
from typing import Any, TypeVar

from tidegate.pipeline.findings.reports import InputReport
from tidegate.record.values import written
from tidegate.record.verdict import Verdict

MOST = 50
"""The most inputs, and the most sentences of a kind, that a report lists."""
LONGEST = 500
"""Characters of a text that are shown."""
MOST_BYTES = 1_000_000
"""What all inputs that are listed take as JSON."""
MOST_EVIDENCE = (None, 1)
"""How many events are shown for a verdict: all that were kept, or fewer where an input would take too much."""
INDENT = 2
Value = TypeVar("Value")
DEPTH = 2 * INDENT
"""How far an input is indented in the file of a report."""


def listed(inputs: Sequence[InputReport]) -> list[InputReport]:
    """All inputs, or of many those with the most rules that are not kept, as far as MOST_BYTES go, with texts cut.

    What these leave over without their evidence goes to that, of the first one first.
    """
    chosen = inputs if len(inputs) <= MOST else sorted(inputs, key=_kept)[:MOST]
    bare = [_with_evidence(each, 0) for each in chosen]
    ends = accumulate(map(_size, bare))
    fitting = [MOST_BYTES - end for end in ends if end <= MOST_BYTES]
    left, found = min(fitting, default=MOST_BYTES), []
    for each, alone in zip(chosen[: len(fitting)], bare, strict=False):
        cuts = ((cut, _size(cut) - _size(alone)) for cut in (_with_evidence(each, most) for most in MOST_EVIDENCE))
        cut, more = next(((cut, more) for cut, more in cuts if more <= left), (alone, 0))
        left -= more
        found.append(cut)
    return found


def shortened(value: Value) -> Value:
    """A value of the same kind, with texts of at most about LONGEST characters."""
    said: Any = value
    if isinstance(said, str):
        said = short(said)
    elif is_dataclass(said) and not isinstance(said, type):
        said = replace(said, **{field.name: shortened(getattr(said, field.name)) for field in fields(said)})
    elif isinstance(said, Mapping):
        said = {name: shortened(each) for name, each in said.items()}
    elif isinstance(said, tuple):
        said = tuple(map(shortened, said))
    cut: Value = said
    return cut


def short(text: str) -> str:
    """A text, or the beginning of a long one and how long it is."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text):,} characters)"


def _kept(each: InputReport) -> int:
    """Smaller, the more rules are not kept."""
    return sum(one.verdict is Verdict.KEPT for one in each.verdicts) - len(each.verdicts)


def _with_evidence(each: InputReport, most: int | None) -> InputReport:
    verdicts = (replace(one, evidence=one.evidence[:most]) for one in each.verdicts)
    return shortened(replace(each, verdicts=tuple(verdicts)))


def _size(each: InputReport) -> int:
    """How many bytes an input takes in the file of a report."""
    text = written(each, INDENT)
    return len(text) + DEPTH * (text.count(b"\n") + 1)
