"""A condition, its values, and a weave: the values under which a scenario runs.

A scenario is written once. The changes of a value are data here, and the lab applies them: to how a destination is
declared, to how producers are opened, and to the history before the scenario begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.conformance.conditions.road import Road

if TYPE_CHECKING:
    from tidegate.conformance.lab import Lab

NEVER = re.compile(r"(?!)")
History = Callable[["Lab", str], None]
"""What happens at a destination before the scenario begins; it leaves the destination empty."""
Event = Callable[["Lab", str], None]
"""What happens at a destination before the first message leaves it; it leaves the destination as it was."""


def unchanged(limits: Limits) -> Limits:
    """The limits as they are."""
    return limits


@dataclass(frozen=True, eq=False)
class Value:
    """One value of a condition, compared by identity; by default it changes nothing of a scenario."""

    name: str
    """The name in reports and replay commands, such as `topic`."""
    given: str = ""
    """The Given line for the value in the evidence; empty for the plain value."""
    needs: frozenset[str] = frozenset()
    """The capabilities that the value needs."""
    not_with: frozenset[str] = frozenset()
    """The capabilities with which the documents say that the value makes a difference."""
    topic: bool = False
    """Destinations are topics."""
    anonymous: bool = False
    """Producers name their destination with each message."""
    every_second: bool = False
    """What the value says of producers holds for the first, the third, and so on; the others are as usual."""
    one_connection: bool = False
    """Producers share one connection."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `ProducerOptions` that producers are opened with."""
    limits: Callable[[Limits], Limits] = unchanged
    """From the limits that the scenario asks for to the limits under this value."""
    declared_first: Callable[[Limits], Limits] | None = None
    """The limits with which a destination is declared, before they are changed in use to the limits in force."""
    road: Road = Road.DECLARED
    """The way in which the limits of a destination are configured."""
    outside: Callable[[Limits], Limits] | None = None
    """From the limits of a destination to further limits, configured for all destinations."""
    shared_outside: int = 0
    """A further limit on all destinations together, in bytes; 0 for none."""
    beside: Callable[[Limits], Limits] | None = None
    """From the limits of a destination to the limits of a further queue that gets each of its messages too."""
    protocol: int = 0
    """The number of the protocol that producers speak, among the implementation's protocols; 0 for the usual one."""
    last_first: bool = False
    """When all messages are consumed, all are taken first, and then acknowledged from the last to the first."""
    all_at_once: bool = False
    """When all messages are consumed, all are taken first, and then acknowledged by one acknowledgement."""
    two_consumers: bool = False
    """When all messages are consumed, two consumers take them in turn."""
    paced: bool = False
    """Time passes before each send."""
    acknowledged_twice: bool = False
    """Each message is acknowledged a second time, which must change nothing."""
    bystander: bool = False
    """A producer of another destination is attached and must never be stopped."""
    neighbour: bool = False
    """Another destination is full, and its producer stopped, from before the scenario to its end."""
    onlooker: bool = False
    """A consumer is attached to each destination, with a filter that none of its messages passes."""
    scale: int = 1
    """The factor from a scenario's figures in bytes to the figures under this value."""
    stretch: Fraction = Fraction(1)
    """The factor from a scenario's times in ms to the times under this value."""
    history: History | None = None
    meanwhile: Event | None = None
    costly: bool = False
    """Whether the value takes long: rules of one mechanism meet it once, with as many other costly ones as go together.

    The scenarios of every mechanism (GENERAL) meet it like any other value.
    """
    lasting: bool = False
    """Whether a costly value takes so long that only the rules of every mechanism are tried under it."""
    in_rounds: bool = False
    """Whether the history has several rounds, after which what each of them left behind adds up: each rule meets it."""
    keeps_data: bool = False
    """The broker keeps its messages on disk."""
    by_priority: bool = False
    """Queues hand out messages of a higher priority first, and messages have different priorities."""
    owed_to: re.Pattern[str] = NEVER
    """A scenario with a matching step runs under this value alone, whatever the covering array holds."""
    ruled_out_by: re.Pattern[str] = NEVER
    """A scenario with a matching step does not run under this value, but under the other values of the condition."""
    only_with: re.Pattern[str] | None = None
    """Only a scenario with a matching step runs under this value; None if any scenario may."""
    promised_by: tuple[str, ...] = ()
    """The rules that promise what this value presupposes."""
    kind: bool = False
    """Whether the value is another kind of subject: each rule runs under it alone, with an outline's last example."""
    at_boundaries: bool = False
    """A level may be wrong under this value alone, so each boundary runs under it alone, with all its examples."""

    def may_run(self, steps: Sequence[str]) -> bool:
        """Whether a scenario with these steps may run under the value."""
        asked_for = self.only_with is None or any(map(self.only_with.search, steps))
        return asked_for and not any(map(self.ruled_out_by.search, steps))

    def fits(self, capabilities: frozenset[str]) -> bool:
        """Whether an implementation with these capabilities can establish the value and promises the same under it."""
        return self.needs <= capabilities and self.not_with.isdisjoint(capabilities)


@dataclass(frozen=True)
class Condition:
    """A dimension along which a promise stays the same unless its sentence says otherwise; the first value is plain."""

    name: str
    values: tuple[Value, ...]
    stated_by: re.Pattern[str] = NEVER
    """Matches a step that states this condition itself; a scenario with such a step is not woven with the condition."""

    @property
    def plain(self) -> Value:
        """The value with which scenarios are written."""
        return self.values[0]


@dataclass(frozen=True)
class Weave:
    """Values other than the plain ones, each with the name of its condition, in the order of conditions."""

    values: tuple[tuple[str, Value], ...] = ()

    @property
    def suffix(self) -> str:
        """The suffix of a check's name for a run under this weave."""
        return f" ({', '.join(value.name for _, value in self.values)})" if self.values else ""

    @property
    def is_a_kind(self) -> bool:
        """Whether the weave has one value only, which is a kind of subject."""
        return len(self.values) == 1 and self.values[0][1].kind

    @property
    def is_at_boundaries(self) -> bool:
        """Whether the weave has one value only, under which a level may be wrong."""
        return len(self.values) == 1 and self.values[0][1].at_boundaries

    @property
    def has_costly(self) -> bool:
        """Whether the weave has a costly value that each rule meets."""
        return any(value.costly and not value.lasting and not value.in_rounds for value in self._each())

    @property
    def givens(self) -> tuple[str, ...]:
        """The Given lines for the weave in the evidence."""
        return tuple(f"Given {value.given}" for _, value in self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """Each value as `condition: value`."""
        return tuple(f"{condition}: {value.name}" for condition, value in self.values)

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities that the weave needs."""
        return frozenset().union(*(value.needs for value in self._each()))

    def fits(self, capabilities: frozenset[str]) -> bool:
        """Whether an implementation with these capabilities can establish each value and promises the same."""
        return all(value.fits(capabilities) for value in self._each())

    @property
    def keeps_data(self) -> bool:
        """Whether the broker keeps its messages on disk."""
        return any(value.keeps_data for value in self._each())

    @property
    def by_priority(self) -> bool:
        """Whether queues hand out messages by priority."""
        return any(value.by_priority for value in self._each())

    @property
    def topic(self) -> bool:
        """Whether destinations are topics."""
        return any(value.topic for value in self._each())

    @property
    def anonymous(self) -> bool:
        """Whether producers name their destination with each message."""
        return any(value.anonymous for value in self._each())

    @property
    def one_connection(self) -> bool:
        """Whether producers share one connection."""
        return any(value.one_connection for value in self._each())

    @property
    def road(self) -> Road:
        """The way in which the limits of a destination are configured."""
        return next((value.road for value in self._each() if value.road is not Road.DECLARED), Road.DECLARED)

    @property
    def outside(self) -> Callable[[Limits], Limits] | None:
        """From the limits of a destination to the limits for destinations that set none; None without these."""
        return next((value.outside for value in self._each() if value.outside is not None), None)

    @property
    def shared_outside(self) -> int:
        """A further limit on all destinations together, in bytes; 0 for none."""
        return max((value.shared_outside for value in self._each()), default=0)

    @property
    def beside(self) -> Callable[[Limits], Limits] | None:
        """From a destination's limits to the limits of a further queue that gets each of its messages; else None."""
        return next((value.beside for value in self._each() if value.beside is not None), None)

    @property
    def protocol(self) -> int:
        """The number of the protocol that producers speak, among the implementation's protocols."""
        return max((value.protocol for value in self._each()), default=0)

    @property
    def last_first(self) -> bool:
        """Whether messages that are all consumed are acknowledged from the last to the first."""
        return any(value.last_first for value in self._each())

    @property
    def all_at_once(self) -> bool:
        """Whether messages that are all consumed are acknowledged by one acknowledgement."""
        return any(value.all_at_once for value in self._each())

    @property
    def two_consumers(self) -> bool:
        """Whether messages that are all consumed are consumed by two consumers."""
        return any(value.two_consumers for value in self._each())

    @property
    def paced(self) -> bool:
        """Whether time passes before each send."""
        return any(value.paced for value in self._each())

    @property
    def acknowledged_twice(self) -> bool:
        """Whether each message is acknowledged a second time."""
        return any(value.acknowledged_twice for value in self._each())

    @property
    def bystander(self) -> bool:
        """Whether a producer of another destination is attached."""
        return any(value.bystander for value in self._each())

    @property
    def givens_of_neighbour(self) -> tuple[str, ...]:
        """The Given line for a destination that is full elsewhere; none without one."""
        return tuple(f"Given {value.given}" for value in self._each() if value.neighbour)

    @property
    def onlooker(self) -> bool:
        """Whether a consumer is attached to each destination, with a filter that no message passes."""
        return any(value.onlooker for value in self._each())

    @property
    def scale(self) -> int:
        """The factor from a scenario's figures in bytes to the figures under these values."""
        return max((value.scale for value in self._each()), default=1)

    @property
    def stretch(self) -> Fraction:
        """The factor from a scenario's times in ms to the times under these values."""
        return max((value.stretch for value in self._each()), default=Fraction(1))

    @property
    def histories(self) -> tuple[tuple[str, History], ...]:
        """The histories before the scenario begins, each with its Given line."""
        return tuple((f"Given {value.given}", value.history) for value in self._each() if value.history is not None)

    def of_producer(self, number: int) -> Weave:
        """The weave for the producer that is opened as this one, from 0 on."""
        return self if number % 2 == 0 else Weave(tuple(each for each in self.values if not each[1].every_second))

    @property
    def meanwhile(self) -> Event | None:
        """The event before the first message leaves a destination; None without one."""
        return next((value.meanwhile for value in self._each() if value.meanwhile is not None), None)

    def options(self, options: ProducerOptions) -> ProducerOptions:
        """The options for a producer whose scenario asks for these options."""
        for value in self._each():
            options = replace(options, **value.options)
        return options

    def limits(self, limits: Limits) -> Limits:
        """The limits in force for a destination whose scenario asks for these limits."""
        for value in self._each():
            limits = value.limits(limits)
        return limits

    def declared_first(self, limits: Limits) -> Limits:
        """The limits with which a destination is declared before these limits are in force."""
        for value in self._each():
            if value.declared_first is not None:
                return value.declared_first(limits)
        return limits

    def _each(self) -> Iterator[Value]:
        return (value for _, value in self.values)


PLAIN = Weave()
"""The weave of a scenario as it is written."""
