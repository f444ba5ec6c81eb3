"""A condition, its values, and a weave: the values under which a scenario runs.

A scenario is written once. What a value changes is data here, and done by the lab: how a destination is declared, how
producers are opened, and what went on before the scenario began.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.conformance.conditions.road import Road

if TYPE_CHECKING:
    from tidegate.conformance.lab import Lab

NEVER = re.compile(r"(?!)")
History = Callable[["Lab", str], None]
"""What goes on at a destination before the scenario begins; the destination is empty again afterwards."""


def unchanged(limits: Limits) -> Limits:
    """The limits as they are."""
    return limits


@dataclass(frozen=True, eq=False)
class Value:
    """One value of a condition, known once; by default nothing differs from how a scenario is written."""

    name: str
    """As reports and replay commands say it, such as `topic`."""
    given: str = ""
    """The Given line that stands for it in the evidence; empty for the value that a scenario is written with."""
    needs: frozenset[str] = frozenset()
    """The capabilities without which it cannot be established."""
    topic: bool = False
    """Destinations are topics."""
    anonymous: bool = False
    """Producers name their destination with each message."""
    one_connection: bool = False
    """Producers share one connection."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `ProducerOptions` that producers are opened with."""
    limits: Callable[[Limits], Limits] = unchanged
    """What the limits of a destination become."""
    declared_first: Callable[[Limits], Limits] | None = None
    """The limits that a destination is declared with before they are changed, in use, to those in force."""
    road: Road = Road.DECLARED
    """How a destination comes by its limits."""
    outside: Callable[[Limits], Limits] | None = None
    """From the limits of a destination to those that are configured beside them for all destinations."""
    shared_outside: int = 0
    """Bytes of a limit of all destinations together that is configured beside those of a destination; 0 for none."""
    beside: Callable[[Limits], Limits] | None = None
    """From the limits of a destination to those of a further queue, which gets each message of the destination too."""
    protocol: int = 0
    """Which of the implementation's protocols producers speak, the usual one being 0."""
    last_first: bool = False
    """Where all there is is consumed, it is taken first, and then acknowledged from the last to the first."""
    two_consumers: bool = False
    """Where all there is is consumed, two consumers take messages in turn."""
    paced: bool = False
    """Each message is sent after a time, which is let pass."""
    acknowledged_twice: bool = False
    """Each message is acknowledged once more, which must change nothing."""
    bystander: bool = False
    """A producer of another destination is attached, which must never be stopped."""
    onlooker: bool = False
    """A consumer is attached to each destination that wants none of its messages."""
    scale: int = 1
    """The factor from a scenario's figures in bytes to those under this value."""
    history: History | None = None
    costly: bool = False
    """Whether the value takes so long that only the rules of every mechanism (GENERAL) are tried under it."""
    keeps_data: bool = False
    """The broker keeps on disk what it has."""
    owed_to: re.Pattern[str] = NEVER
    """Each scenario one of whose steps says this is tried under it alone, whatever the covering array has."""
    ruled_out_by: re.Pattern[str] = NEVER
    """A scenario one of whose steps says this is not tried under it, though it is tried under the other values."""
    promised_by: tuple[str, ...] = ()
    """The rules that say that what it establishes comes about."""
    kind: bool = False
    """Whether the value is another kind of subject: each rule runs under it alone, by an outline's last figures."""
    at_boundaries: bool = False
    """A level may be wrong under it alone, so each boundary is tried under it alone, with all its figures."""


@dataclass(frozen=True)
class Condition:
    """A dimension under which a promise holds alike unless its sentence says otherwise; the first value is plain."""

    name: str
    values: tuple[Value, ...]
    stated_by: re.Pattern[str] = NEVER
    """What the steps of a scenario say that states this condition itself, so that it is not woven with it."""

    @property
    def plain(self) -> Value:
        """The value that scenarios are written with."""
        return self.values[0]


@dataclass(frozen=True)
class Weave:
    """The values that differ from the plain ones, by the names of their conditions, in the order of conditions."""

    values: tuple[tuple[str, Value], ...] = ()

    @property
    def suffix(self) -> str:
        """What the name of a check ends with that runs under it."""
        return f" ({', '.join(value.name for _, value in self.values)})" if self.values else ""

    @property
    def is_a_kind(self) -> bool:
        """Whether it says nothing but of which kind the subject is."""
        return len(self.values) == 1 and self.values[0][1].kind

    @property
    def is_at_boundaries(self) -> bool:
        """Whether it says nothing but under what a level may be wrong."""
        return len(self.values) == 1 and self.values[0][1].at_boundaries

    @property
    def givens(self) -> tuple[str, ...]:
        """The Given lines that stand for it in the evidence."""
        return tuple(f"Given {value.given}" for _, value in self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """Each value as `condition: value`."""
        return tuple(f"{condition}: {value.name}" for condition, value in self.values)

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities without which it cannot be established."""
        return frozenset().union(*(value.needs for value in self._each()))

    @property
    def keeps_data(self) -> bool:
        """Whether the broker keeps on disk what it has."""
        return any(value.keeps_data for value in self._each())

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
        """How a destination comes by its limits."""
        return next((value.road for value in self._each() if value.road is not Road.DECLARED), Road.DECLARED)

    @property
    def outside(self) -> Callable[[Limits], Limits] | None:
        """The limits that hold for destinations which set none, beside those of a destination; None without such."""
        return next((value.outside for value in self._each() if value.outside is not None), None)

    @property
    def shared_outside(self) -> int:
        """Bytes of a limit of all destinations together, beside those of a destination; 0 for none."""
        return max((value.shared_outside for value in self._each()), default=0)

    @property
    def beside(self) -> Callable[[Limits], Limits] | None:
        """The limits of a further queue, which gets each message of a destination too; None without such a queue."""
        return next((value.beside for value in self._each() if value.beside is not None), None)

    @property
    def protocol(self) -> int:
        """Which of the implementation's protocols producers speak."""
        return max((value.protocol for value in self._each()), default=0)

    @property
    def last_first(self) -> bool:
        """Whether what is consumed as a whole is acknowledged from the last to the first."""
        return any(value.last_first for value in self._each())

    @property
    def two_consumers(self) -> bool:
        """Whether what is consumed as a whole is consumed by two."""
        return any(value.two_consumers for value in self._each())

    @property
    def paced(self) -> bool:
        """Whether each message is sent after a time."""
        return any(value.paced for value in self._each())

    @property
    def acknowledged_twice(self) -> bool:
        """Whether each message is acknowledged once more."""
        return any(value.acknowledged_twice for value in self._each())

    @property
    def bystander(self) -> bool:
        """Whether a producer of another destination looks on."""
        return any(value.bystander for value in self._each())

    @property
    def onlooker(self) -> bool:
        """Whether a consumer is attached to each destination that wants none of its messages."""
        return any(value.onlooker for value in self._each())

    @property
    def scale(self) -> int:
        """The factor from a scenario's figures in bytes to those under these values."""
        return max((value.scale for value in self._each()), default=1)

    @property
    def histories(self) -> tuple[tuple[str, History], ...]:
        """What goes on before the scenario begins, each with its Given line."""
        return tuple((f"Given {value.given}", value.history) for value in self._each() if value.history is not None)

    def options(self, options: ProducerOptions) -> ProducerOptions:
        """The options with which a producer is opened whose scenario asks for these."""
        for value in self._each():
            options = replace(options, **value.options)
        return options

    def limits(self, limits: Limits) -> Limits:
        """The limits in force where a scenario asks for these."""
        for value in self._each():
            limits = value.limits(limits)
        return limits

    def declared_first(self, limits: Limits) -> Limits:
        """What a destination is declared with whose limits in force are these."""
        for value in self._each():
            if value.declared_first is not None:
                return value.declared_first(limits)
        return limits

    def _each(self) -> Iterator[Value]:
        return (value for _, value in self.values)


PLAIN = Weave()
"""A scenario as it is written."""
