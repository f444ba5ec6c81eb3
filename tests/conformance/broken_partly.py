"""Brokers that each keep a promise for some limits, policies, destinations or connections only."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.built import BuiltQpid018
from tidegate.adapters.reference.classic import ClassicReference, Producer
from tidegate.adapters.reference.overflow import FAIL
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis, classic
from tidegate.model.mechanisms.classic_usage import Disk
from tidegate.model.mechanisms.general_address import FurtherCauses


class LetsGoOnceTheBytesFit(ArtemisReference):
    """An address past both of its limits opens as soon as its bytes are below theirs, until the next message comes."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: set[str] = set()

    def has_room(self, destination: str, limits: Limits) -> bool:
        """Whether the dimension that this broker looks at has room."""
        return limits.limit_bytes is not None and self.depth(destination).bytes < limits.limit_bytes

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.ACCEPTED:
            self._opened.discard(self._target[producer])
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        limits = self._in_force[destination]
        had_room = self.has_room(destination, limits)
        super().acknowledge(consumer, message_id)
        if not had_room and self.has_room(destination, limits):
            self._opened.add(destination)

    def _causes(self, destination: str) -> FurtherCauses:
        causes = super()._causes(destination)
        return replace(causes, messages=0) if destination in self._opened else causes

    def end_scenario(self) -> None:
        super().end_scenario()
        self._opened.clear()


class LetsGoOnceTheMessagesFit(LetsGoOnceTheBytesFit):
    """An address past both of its limits opens as soon as its messages are below theirs, until the next one comes."""

    def has_room(self, destination: str, limits: Limits) -> bool:
        return limits.limit_messages is not None and self.depth(destination).messages < limits.limit_messages

    def _issue(self, destination: str, address: artemis.Address) -> None:
        looked_at = replace(address, bytes=0) if destination in self._opened else address
        super()._issue(destination, looked_at)
        self._addresses[destination] = replace(self._addresses[destination], bytes=address.bytes)


class CountsWhatIsRolledBackWhereItRefuses(QpidReference):
    """A queue that refuses messages goes on counting messages that are rolled back as on their way."""

    def __init__(self) -> None:
        super().__init__()
        self._on_their_way: dict[str, list[int]] = {}

    def rollback(self, producer: str) -> None:
        sizes = [size_bytes for _, size_bytes in self._uncommitted[producer]]
        for destination in self._queues_of(producer):
            if self._overflowing.get(destination, Limits()).policy == FAIL:
                self._on_their_way.setdefault(destination, []).extend(sizes)
        super().rollback(producer)

    def _refuses(self, destination: str, size_bytes: int, messages: int = 1) -> bool:
        counted = self._on_their_way.get(destination, [])
        return super()._refuses(destination, size_bytes + sum(counted), messages + len(counted))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._on_their_way.clear()


class RaisesTheMemoryOfAllForOwnLimitsOnly(ClassicReference):
    """A raised memory limit of all destinations reaches only destinations that have a limit of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._before = self._all.limit

    def declare_usage(self, usage: Usage) -> None:
        super().declare_usage(usage)
        self._before = self._all.limit

    def _level(self, sender: Producer, size_bytes: int, began: Disk | None = None) -> classic.Destination:
        now = self._all
        if self._destinations[sender.destination].limit == classic.NO_LIMIT:
            self._all = replace(now, limit=self._before)
        level = super()._level(sender, size_bytes, began)
        self._all = now
        return level


class QuotaStopsNobodyWhoComesBesideOthers(BuiltQpid018):
    """A store that is overfull stops no producer that comes later on a connection with another producer."""

    def __init__(self) -> None:
        super().__init__()
        self._missed: set[str] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        if self._store.blocks and self.overlooks(connection):
            self._missed.add(producer)
        super().open_producer(producer, connection, destinations, options)

    def overlooks(self, connection: str) -> bool:
        """Whether a producer that comes on this connection is overlooked."""
        return connection in self._storage.connections

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return Standing(stopped=False) if producer in self._missed else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._missed.clear()


class QuotaStopsNobodyWhoComesLater(QuotaStopsNobodyWhoComesBesideOthers):
    """A store that is overfull stops no producer that comes later."""

    def overlooks(self, connection: str) -> bool:
        return True


PARTLY: dict[type, tuple[str, ...]] = {
    LetsGoOnceTheBytesFit: ("GENERAL-18",),
    LetsGoOnceTheMessagesFit: ("GENERAL-18",),
    CountsWhatIsRolledBackWhereItRefuses: ("GENERAL-16",),
    RaisesTheMemoryOfAllForOwnLimitsOnly: ("CLASSIC-USAGE-12", "GENERAL-5"),
    QuotaStopsNobodyWhoComesBesideOthers: ("QPID-DISK-3",),
    QuotaStopsNobodyWhoComesLater: ("QPID-DISK-3",),
}
"""The rules that each of these brokers breaks, the most direct first."""
