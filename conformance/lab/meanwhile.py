"""Knows when the event of the weave is due at a destination, and has the verbs that only events use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tidegate.adapters.base import Unsupported
from tidegate.adapters.groups import FiltersForConsumers
from tidegate.conformance.lab.consuming import Consuming, ShowsNothing
from tidegate.conformance.lab.faults import Faults
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.sending import Sending

LOOKS = frozenset({"standing", "depth"})
"""The verbs that only look at the implementation."""


class Meanwhile(Consuming, Sending, Faults):
    """Consumes, sends and causes faults, also for an event before messages leave."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._happened: set[str] = set()
        """The destinations at which the event was due."""
        self.event_happened = False
        """Whether the event of the weave did more than look."""
        self._is_occupied = False
        """Whether a history or an event is going on, whose own messages may leave."""

    @contextmanager
    def occupied(self) -> Iterator[None]:
        """Let no event happen during the calls of a history or of an event."""
        before, self._is_occupied = self._is_occupied, True
        try:
            yield
        finally:
            self._is_occupied = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Keep these calls apart, so that a message that is handed out and given back counts as handed out once."""
        began = len(self.calls)
        try:
            yield
        finally:
            self._aside.append(range(began, len(self.calls)))

    def is_due(self, destination: str) -> bool:
        """Whether an event may happen at a destination: once, where it holds messages and belongs to the trace."""
        may_happen = not self._is_occupied and destination not in self._happened
        return may_happen and self._full(destination) not in self._bound and bool(self.owed(destination))

    def expect_the_event(self) -> None:
        """Raise Unsupported if the weave has an event, and the event has done nothing at any destination."""
        if self.weave.meanwhile is not None and not self.event_happened:
            raise Unsupported("nothing could happen meanwhile: no message waited, or nobody was stopped")

    def stopped_at(self, destination: str) -> list[str]:
        """The producers of a destination that are stopped now."""
        return [name for name in self._producers_of(destination) if self.standing(name).stopped]

    def connection_of_a_producer(self, destination: str) -> str | None:
        """The connection of the first producer of a destination, as a scenario names it; None without a producer."""
        names = self._producers_of(destination)
        return self.in_own_names(self._connections[names[0]]) if names else None

    def attach_filtering(self, name: str, destination: str) -> None:
        """Attach a consumer whose filter no message passes, on its own connection."""
        adapter = self._offered(FiltersForConsumers, "consumers that filter")
        line = self._connect(name, None)
        self._call(adapter.open_filtering_consumer, self._full(name), line, self._full(destination))

    def look_through_meanwhile(self, look: Callable[[str], None], destination: str) -> None:
        """Look at the waiting messages by `list_messages` or `browse`. Unsupported if none of them is seen."""
        try:
            look(destination)
        except ShowsNothing as reason:
            raise Unsupported(str(reason)) from reason

    def _producers_of(self, destination: str) -> list[str]:
        full = self._full(destination)
        return [name for name in self.in_sight if full in self.producers[name]]
