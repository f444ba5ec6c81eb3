"""Brokers that choose otherwise than the reference where a chapter allows it; `MADE` notes which had to choose."""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ClientState, Settlement, Usage
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_disk import DiskSpace
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import andes
from tidegate.model.mechanisms.classic_usage import Placement

HEADER_BYTES = 200
MADE: set[str] = set()
"""The names of the classes that have made another choice than the reference."""


def made(broker: object) -> None:
    """Note that a broker made its choice."""
    MADE.add(type(broker).__name__)


class NotifiesLatecomersByAMessage(AndesReference):
    """ANDES-MEMORY-3: notifies a publisher that connects while memory is exhausted by its first message."""

    def __init__(self) -> None:
        super().__init__()
        self._late: set[str] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if self._broker.closed and not self._broker.held[andes.ConnectionName(connection)]:
            made(self)
            self._late.add(producer)

    def standing(self, producer: str) -> Standing:
        if not self._broker.closed:
            self._late.clear()
        return Standing(stopped=False) if producer in self._late else super().standing(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if producer not in self._late:
            return super().send(producer, message_id, size_bytes)
        self._late.discard(producer)
        self._publish(producer, message_id, size_bytes)
        return Outcome.ACCEPTED

    def end_scenario(self) -> None:
        super().end_scenario()
        self._late.clear()


class EndsTheConnectionForAll(AndesReference):
    """ANDES-CLIENT-3: all publishers of a connection lose it when one of them fails."""

    def advance(self, ms: int) -> None:
        super().advance(ms)
        lost = {self._lines[name] for name, client in self._clients.items() if not client.state.connected}
        for name, client in self._clients.items():
            if self._lines[name] in lost:
                made(self)
                client.state = ClientState(connected=False, session_open=False)


class LetsTheLastClassicSenderGoFirst(ClassicReference):
    """CLASSIC-MEMORY-3, CLASSIC-FAIL-4: of several waiting sends the last goes first."""

    def _work_off(self) -> None:
        while any(self._moves(pending) for pending in reversed(self._may_move())):
            made(self)


class BeginsToWaitAnew(ClassicReference):
    """CLASSIC-FAIL-3: a send that still finds no space after a consumption waits its whole timeout again."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        for pending in self._pending:
            made(self)
            pending.since_ms = self._storage.now_ms


class _DiskWithHeaders(DiskSpace):
    """Writes a header with each message."""

    def write(self, message_id: str, placement: Placement, size_bytes: int) -> None:
        super().write(message_id, placement, size_bytes + HEADER_BYTES)

    def delete(self, message_id: str, size_bytes: int) -> Placement:
        return super().delete(message_id, size_bytes + HEADER_BYTES)


class TakesDiskForHeadersToo(ClassicReference):
    """CLASSIC-USAGE-1 to CLASSIC-USAGE-4: a message takes 200 bytes of the disk in addition to its own."""

    def __init__(self) -> None:
        super().__init__()
        self._disk = _DiskWithHeaders()

    def declare_usage(self, usage: Usage) -> None:
        made(self)
        super().declare_usage(usage)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._disk = _DiskWithHeaders()


class LowersItsSpaceToTheDisk(ClassicReference):
    """CLASSIC-USAGE-6, CLASSIC-USAGE-7: lowers its limits to the space of its disk."""

    parameters = replace(ClassicReference.parameters, notes={"disk_bytes": 5_000_000_000})

    def usage_in_force(self) -> Usage:
        made(self)
        return replace(super().usage_in_force(), store_bytes=4_900_000_000, temp_bytes=4_800_000_000)


class NamesTheExceptionOtherwise(QpidReference):
    """QPID-CLIENT-3: throws a subclass of JMSException whose name comes without its package."""

    def settlements(self, producer: str) -> Sequence[Settlement]:
        made(self)
        told = super().settlements(producer)
        return [replace(each, reason="ResourceAllocationException: too slow" if each.reason else "") for each in told]


class HearsOfAKillLate(QpidReference):
    """GENERAL-10, GENERAL-12: notices a broken connection a moment later."""

    parameters = replace(QpidReference.parameters, eventually_ms=20)

    def __init__(self) -> None:
        super().__init__()
        self._broken: list[str] = []

    def kill(self, connection: str) -> None:
        made(self)
        self._broken.append(connection)

    def advance(self, ms: int) -> None:
        if ms:
            for connection in self._broken:
                super().kill(connection)
            self._broken.clear()
        super().advance(ms)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._broken.clear()


OTHER_CHOICES: tuple[type, ...] = (
    NotifiesLatecomersByAMessage,
    EndsTheConnectionForAll,
    LetsTheLastClassicSenderGoFirst,
    BeginsToWaitAnew,
    TakesDiskForHeadersToo,
    LowersItsSpaceToTheDisk,
    NamesTheExceptionOtherwise,
    HearsOfAKillLate,
)
