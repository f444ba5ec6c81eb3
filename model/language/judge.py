"""The plain reader of trace rules: folds events one by one and says for each whether a rule holds."""

from collections.abc import Iterable
from dataclasses import dataclass

from tidegate.model.language.rule import Definition
from tidegate.model.language.running import function_of
from tidegate.record.events import Event


@dataclass(frozen=True)
class Judgement:
    """The result of one trace rule for one event that it judges."""

    rule: Definition
    event: Event
    holds: bool


class Judge:
    """Judges a stream of events by trace rules. Memory grows with the number of keys, not with the number of events."""

    def __init__(self, rules: Iterable[Definition]):
        self._rules = tuple(rules)
        self._say = function_of(self._rules)

    def judge(self, event: Event) -> list[Judgement]:
        """The judgements of every rule that judges this event, the next one of its source."""
        said = zip(self._rules, self._say(event), strict=True)
        return [Judgement(rule, event, bool(holds)) for rule, holds in said if holds is not None]
