"""The plain reader of trace rules: folds events one by one and says of each whether a rule holds there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from headgate.model.language import Definition
from headgate.model.past import OPERATORS, Operator
from headgate.model.reading import Site
from headgate.model.running import Runner
from headgate.model.tracing import given
from headgate.record.events import Event, Moment

States = dict[Site, dict[tuple[str, tuple[Any, ...]], Any]]
"""What past-time operators remember: by the place in a rule, then by the source and the key."""


@dataclass(frozen=True)
class Judgement:
    """What one trace rule says of one event that it judges."""

    rule: Definition
    event: Event
    holds: bool


class Judge:
    """Judges a stream of events by trace rules. Memory grows with the number of keys, not with that of events.

    It begins with `states`, which another judge of the same rules had in the end, and changes them.
    """

    def __init__(self, rules: Iterable[Definition], states: States | None = None):
        self._states = {} if states is None else states
        self._conditions: list[bool] = []
        self._source = ""
        operators = {function: partial(self._remembering, operator) for function, operator in OPERATORS.items()}
        runner = Runner({**operators, given: self._on_condition})
        self._rules = [(rule, runner.function(rule)) for rule in rules]

    def judge(self, event: Event) -> list[Judgement]:
        """The judgements of every rule that judges this event, the next one of its source."""
        moment, judgements = Moment.of(event), []
        self._source = event.source
        for rule, holds_at in self._rules:
            self._conditions.clear()
            holds = holds_at(moment)
            if all(self._conditions):
                judgements.append(Judgement(rule, event, bool(holds)))
        return judgements

    def _remembering(self, operator: Operator, site: Site) -> Callable[..., Any]:
        states, step, initial = self._states.setdefault(site, {}), operator.step, operator.initial

        def now(*values: Any, per: tuple[Any, ...], **named: Any) -> Any:
            key = (self._source, per)
            state = states[key] = step(states.get(key, initial), *values, **named)
            return state

        return now

    def _on_condition(self, _: Site) -> Callable[[bool], None]:
        return self._conditions.append
