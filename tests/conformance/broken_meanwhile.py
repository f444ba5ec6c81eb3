"""Brokers that each forget who waits by what happens while producers are stopped; each shows it in the next purge."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Delivery, Limits, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.qpid import QpidReference


class ForgetsWhoWaits(Clients):
    """The base of brokers in which a purge releases no producer that was stopped when an event happened."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[str, str] = {}
        """The connection of each producer."""
        self._taken: dict[str, int] = {}
        """The number of messages that each consumer has in hand or has had."""
        self._waited: set[str] = set()
        """The producers that were stopped at the event."""
        self._forgotten: set[str] = set()

    def open_producer(
        self, producer: str, connection: str, destinations: tuple[str, ...], options: ProducerOptions = DEFAULT_OPTIONS
    ) -> None:
        super().open_producer(producer, connection, destinations, options)  # type: ignore[call-arg]
        self._lines[producer] = connection

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        del self._lines[producer]

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        super().open_consumer(consumer, connection, destination)
        self._taken[consumer] = 0

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        self._taken[consumer] += delivery is not None
        return delivery

    def purge(self, destination: str) -> None:
        self._forgotten |= self._waited & self._stopped()
        super().purge(destination)  # type: ignore[misc]

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        return replace(standing, stopped=True) if producer in self._forgotten else standing

    def end_scenario(self) -> None:
        super().end_scenario()
        self._lines.clear()
        self._taken.clear()
        self._waited.clear()
        self._forgotten.clear()

    def _stopped(self) -> set[str]:
        return {name for name in self._lines if self.standing(name).stopped}

    def _happens(self) -> None:
        self._waited |= self._stopped()

    def _has(self, consumer: str) -> bool:
        queue = self._storage.queues[self._storage.destination_of(consumer)]
        return consumer in queue.holders.values()


class ForgetsByReturned(ForgetsWhoWaits, ArtemisReference):
    """A consumer that gives messages back has the broker forget who waits."""

    def give_back(self, consumer: str) -> None:
        self._happens()
        super().give_back(consumer)


class ForgetsByHandedBack(ForgetsWhoWaits, ArtemisReference):
    """A consumer that is closed with messages in hand has the broker forget who waits."""

    _is_cut = False

    def kill(self, connection: str) -> None:
        self._is_cut = True
        super().kill(connection)
        self._is_cut = False

    def close_consumer(self, consumer: str) -> None:
        if self._has(consumer) and not self._is_cut:
            self._happens()
        super().close_consumer(consumer)


class ForgetsByLost(ForgetsWhoWaits, ArtemisReference):
    """A connection that breaks with messages in hand has the broker forget who waits."""

    _is_cut = False

    def kill(self, connection: str) -> None:
        self._is_cut = True
        super().kill(connection)
        self._is_cut = False

    def close_consumer(self, consumer: str) -> None:
        if self._has(consumer) and self._is_cut:
            self._happens()
        super().close_consumer(consumer)


class ForgetsByListed(ForgetsWhoWaits, ArtemisReference):
    """A list of the messages has the broker forget who waits."""

    def list_messages(self, destination: str) -> int:
        self._happens()
        return super().list_messages(destination)


class ForgetsByBrowsed(ForgetsWhoWaits, ArtemisReference):
    """A browser has the broker forget who waits."""

    def browse(self, destination: str) -> int:
        self._happens()
        return super().browse(destination)


class ForgetsByIdleConsumer(ForgetsWhoWaits, ArtemisReference):
    """A consumer that is closed and never took a message has the broker forget who waits."""

    def close_consumer(self, consumer: str) -> None:
        if not self._taken[consumer]:
            self._happens()
        super().close_consumer(consumer)


class ForgetsByFilter(ForgetsWhoWaits, ArtemisReference):
    """A consumer with a filter has the broker forget who waits."""

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._happens()
        super().open_filtering_consumer(consumer, connection, destination)


class EndsOfProducers(ForgetsWhoWaits):
    """The base of brokers that forget who waits as another stopped producer ends in the way `_by`."""

    _by = ""
    _way = "close"

    def kill(self, connection: str) -> None:
        before, self._way = self._way, "kill" if self._way == "close" else self._way
        super().kill(connection)
        self._way = before

    def close_connection(self, connection: str) -> None:
        self._way = "management"
        super().close_connection(connection)
        self._way = "close"

    def close_producer(self, producer: str) -> None:
        was_stopped = self.standing(producer).stopped
        super().close_producer(producer)
        if was_stopped and self._way == self._by:
            self._happens()


class ForgetsByRivalClosed(EndsOfProducers, ArtemisReference):
    """A stopped producer that is closed has the broker forget the others."""

    _by = "close"


class ForgetsByRivalLost(EndsOfProducers, ArtemisReference):
    """A stopped producer whose connection breaks has the broker forget the others."""

    _by = "kill"


class ForgetsByRivalEnded(EndsOfProducers, ArtemisReference):
    """A stopped producer whose connection management closes has the broker forget the others."""

    _by = "management"


class ForgetsByLatecomerClosed(EndsOfProducers, QpidReference):
    """A stopped producer that is closed has the broker forget the others."""

    _by = "close"


class ForgetsByLatecomerLost(EndsOfProducers, QpidReference):
    """A stopped producer whose connection breaks has the broker forget the others."""

    _by = "kill"


class ForgetsByLatecomerEnded(EndsOfProducers, QpidReference):
    """A stopped producer whose connection management closes has the broker forget the others."""

    _by = "management"


class ComesBack(ForgetsWhoWaits):
    """The base of brokers that forget who waits as a producer comes on a connection that broke before."""

    def __init__(self) -> None:
        super().__init__()
        self._broken: set[str] = set()

    def kill(self, connection: str) -> None:
        if connection in self._lines.values():
            self._broken.add(connection)
        super().kill(connection)

    def open_producer(
        self, producer: str, connection: str, destinations: tuple[str, ...], options: ProducerOptions = DEFAULT_OPTIONS
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if connection in self._broken:
            self._happens()

    def end_scenario(self) -> None:
        super().end_scenario()
        self._broken.clear()


class ForgetsByRivalBack(ComesBack, ArtemisReference):
    """A producer that comes back on a connection that broke has the broker forget the others."""


class ForgetsByLatecomerBack(ComesBack, QpidReference):
    """A producer that comes back on a connection that broke has the broker forget the others."""


class ForgetsByRolledBack(ForgetsWhoWaits, QpidReference):
    """A transaction that is rolled back has the broker forget who waits."""

    def rollback(self, producer: str) -> None:
        super().rollback(producer)
        self._happens()


class ForgetsBySibling(ForgetsWhoWaits, ClassicReference):
    """A producer that ends on a connection has the broker forget the others of the connection."""

    def close_producer(self, producer: str) -> None:
        line = self._lines[producer]
        super().close_producer(producer)
        self._waited |= {name for name in self._stopped() if self._lines[name] == line}


class ChangesOfLimits(ForgetsWhoWaits, ArtemisReference):
    """The base of brokers that forget who waits as limits are set back to what they were."""

    _by_lowering = False

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[str, list[int]] = {}

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        self._before[destination] = [limits.limit_bytes or 0]

    def change_limits(self, destination: str, limits: Limits) -> None:
        levels = self._before[destination]
        levels.append(limits.limit_bytes or 0)
        super().change_limits(destination, limits)
        if levels[-1] in levels[:-2] and self._by_lowering == (levels[-2] < levels[-1]):
            self._happens()


class ForgetsByLowered(ChangesOfLimits):
    """Limits that are lowered and set back have the broker forget who waits."""

    _by_lowering = True


class ForgetsByRaised(ChangesOfLimits):
    """Limits that are raised and set back have the broker forget who waits."""


class ForgetsByOrdered(ForgetsWhoWaits, ArtemisReference):
    """An order of management that is lifted has the broker forget who waits."""

    def unblock(self, destination: str) -> None:
        super().unblock(destination)
        self._happens()


class ForgetsByRefilled(ForgetsWhoWaits, ArtemisReference):
    """A producer that is stopped again, before its destination was empty, is forgotten."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        stopped = self._stopped()
        super().acknowledge(consumer, message_id)
        if self.depth(destination).messages:
            self._waited |= stopped


class ForgetsByHalted(ForgetsWhoWaits, ArtemisReference):
    """A halt of the broker has it forget who waits."""

    def unpause_broker(self) -> None:
        super().unpause_broker()
        self._happens()


UNDER: dict[type, str] = {
    ForgetsByReturned: "returned meanwhile",
    ForgetsByHandedBack: "handed back meanwhile",
    ForgetsByLost: "lost meanwhile",
    ForgetsByListed: "listed meanwhile",
    ForgetsByBrowsed: "browsed meanwhile",
    ForgetsByIdleConsumer: "idle consumer meanwhile",
    ForgetsByFilter: "filter meanwhile",
    ForgetsByRivalClosed: "rival closed",
    ForgetsByRivalLost: "rival lost",
    ForgetsByRivalEnded: "rival ended",
    ForgetsByLatecomerClosed: "latecomer closed",
    ForgetsByLatecomerLost: "latecomer lost",
    ForgetsByLatecomerEnded: "latecomer ended",
    ForgetsByRivalBack: "rival back",
    ForgetsByLatecomerBack: "latecomer back",
    ForgetsByRolledBack: "rolled back meanwhile",
    ForgetsBySibling: "sibling meanwhile",
    ForgetsByLowered: "lowered meanwhile",
    ForgetsByRaised: "raised meanwhile",
    ForgetsByOrdered: "ordered meanwhile",
    ForgetsByRefilled: "refilled meanwhile",
    ForgetsByHalted: "halted meanwhile",
}
"""The event under which each of these brokers is found, and under no other one but events that contain it."""

CONTAINING = {
    "rival closed": ("rival back",),
    "rival lost": ("rival back",),
    "latecomer closed": ("latecomer back", "rolled back meanwhile"),
    "latecomer lost": ("latecomer back",),
}
"""By an event, the events in which it happens as well."""
