"""The plain reader of trace rules: folds events one by one and says for each whether a rule holds."""

from collections.abc import Iterable
from dataclasses import dataclass

from tidegate.model.language.rule import Definition
from tidegate.model.language.running import Key, function_of
from tidegate.record.events import Event

Remembered = tuple[tuple[str, Key, tuple[str | int, ...]], ...]
"""The values of operators: the name of their memory, their key, and the values for this key."""


@dataclass(frozen=True)
class Judgement:
    """The result of one trace rule for one event that it judges."""

    rule: Definition
    event: Event
    holds: bool


class Judge:
    """Judges a stream of events by trace rules, and goes on from what a judge of the same rules `remembered`.

    Memory grows with the number of keys, not with the number of events.
    """

    def __init__(self, rules: Iterable[Definition], remembered: Remembered = ()):
        self._rules = tuple(rules)
        self.verdicts, self._memories = function_of(self._rules)
        """Whether each rule holds for an event, the next one of its source; None where it does not judge it."""
        for memory, key, values in remembered:
            self._memories[memory][key] = [*values]

    def judge(self, event: Event) -> list[Judgement]:
        """The judgements of every rule that judges this event, the next one of its source."""
        said = zip(self._rules, self.verdicts(event), strict=True)
        return [Judgement(rule, event, bool(holds)) for rule, holds in said if holds is not None]

    def remembered(self) -> Remembered:
        """The values of all operators after the events so far."""
        return tuple(
            (name, key, tuple(values)) for name, memory in self._memories.items() for key, values in memory.items()
        )
