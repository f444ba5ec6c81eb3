"""Counts the verdicts on the events of an input, and keeps the first events that violate a rule."""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.model.language.running import Verdicts
from tidegate.pipeline.findings.reports import MOST_EVIDENCE, Counted, Evidence, evidence
from tidegate.pipeline.judge.rules import RuleNames
from tidegate.pipeline.read.tables import FIELDS


@dataclass(slots=True)
class _Alike:
    """Events with the same verdicts: the places of the rules that judge them and that they violate, and their count."""

    judged: Sequence[int]
    violated: Sequence[int]
    count: int = 0


class Tally:
    """Counts the verdicts of rules on the events of an input, and keeps the first `most` events that violate each."""

    def __init__(self, rules: RuleNames, most: int = MOST_EVIDENCE):
        self._rules, self._most = rules, most
        self._alike: dict[Verdicts, _Alike] = {}
        self._shown: list[list[Evidence]] = [[] for _ in rules]

    def add(self, verdicts: Verdicts, event: Any, line: int) -> Sequence[int]:
        """Count the verdicts on an event, which stands in this line; the result is the places of violated rules."""
        alike = self._alike.get(verdicts)
        if alike is None:
            judged = [place for place, holds in enumerate(verdicts) if holds is not None]
            alike = self._alike[verdicts] = _Alike(judged, [place for place in judged if not verdicts[place]])
        alike.count += 1
        for place in alike.violated:
            shown = self._shown[place]
            if len(shown) < self._most or (event.source, event.seq) < (shown[-1].source, shown[-1].seq):
                fields = {name: getattr(event, name) for name in FIELDS}
                insort(shown, evidence(line, event.source, event.seq, fields), key=lambda one: (one.source, one.seq))
                del shown[self._most :]
        return alike.violated

    def counts(self) -> dict[str, Counted]:
        """The counts of each rule that judges an event, by its name, with the first events that violate it."""
        found: dict[str, Counted] = {}
        for place, rule in enumerate(self._rules):
            judging = [alike for alike in self._alike.values() if place in alike.judged]
            if judging:
                violated = sum(alike.count for alike in judging if place in alike.violated)
                found[rule] = Counted(sum(alike.count for alike in judging), violated, tuple(self._shown[place]))
        return found
