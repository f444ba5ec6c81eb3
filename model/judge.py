"""The plain reader of trace rules: folds events one by one and says of each whether a rule holds there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from headgate.model.language import Definition
from headgate.model.past import OPERATORS, Operator
from headgate.model.reading import PlainWorld, Reader, Site
from headgate.model.tracing import given
from headgate.record.events import Event, Moment

States = dict[tuple[Site, str, tuple[Any, ...]], Any]
"""What past-time operators remember: by the place in a rule, the source and the key."""


@dataclass(frozen=True)
class Judgement:
    """What one trace rule says of one event that it judges."""

    rule: Definition
    event: Event
    holds: bool


class _EventReader(Reader):
    """A reader that reads each rule over the event alone once per event, however many other rules call it.

    Such a rule folds the same values wherever it is called, so all calls may share its past-time states.
    """

    def __init__(self, primitives: Mapping[Callable[..., Any], Callable[..., Any]]):
        super().__init__(PlainWorld(), primitives)
        self._known: dict[Callable[..., Any], Any] = {}
        self._row: object = None

    def read_at(self, rule: Definition, row: object) -> Any:
        """The value of a trace rule at an event, the same object for every rule at this event."""
        if row is not self._row:
            self._row, self._known = row, {}
        return self.read(rule, rule.bind(row))

    def call(self, function: Callable[..., Any], *values: Any, **named: Any) -> Any:
        if named or len(values) != 1 or values[0] is not self._row:
            return super().call(function, *values, **named)
        if function not in self._known:
            path, self._path = self._path, [(f"{function.__module__}:{function.__name__}", 0, 0)]
            self._known[function] = super().call(function, *values)
            self._path = path
        return self._known[function]


class Judge:
    """Judges a stream of events by trace rules. Memory grows with the number of keys, not with that of events.

    It begins with `states`, which another judge of the same rules had in the end, and changes them.
    """

    def __init__(self, rules: Iterable[Definition], states: States | None = None):
        self._rules = tuple(rules)
        self._states = {} if states is None else states
        self._conditions: list[bool] = []
        self._row: Moment | None = None
        operators = {function: self._remembering(operator) for function, operator in OPERATORS.items()}
        self._reader = _EventReader({**operators, given: self._on_condition})

    def judge(self, event: Event) -> list[Judgement]:
        """The judgements of every rule that judges this event, the next one of its source."""
        self._row = Moment.of(event)
        judgements = []
        for rule in self._rules:
            self._conditions = []
            holds = self._reader.read_at(rule, self._row)
            if all(self._conditions):
                judgements.append(Judgement(rule, event, bool(holds)))
        return judgements

    def _remembering(self, operator: Operator) -> Callable[..., Any]:
        def now(site: Site, *values: Any, per: tuple[Any, ...], **named: Any) -> Any:
            assert self._row is not None
            key = (site, self._row.source, per)
            state = operator.step(self._states.get(key, operator.initial), *values, **named)
            self._states[key] = state
            return state

        return now

    def _on_condition(self, site: Site, condition: bool) -> None:
        self._conditions.append(condition)
