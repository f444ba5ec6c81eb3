"""Implementations with one fault each beside another destination that is full, or at that one."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, ProducerOptions, Standing
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import StoredQueue

FULL_BYTES = 1000


class LooksBeside(QpidReference):
    """A broker that knows which queues are full, and where its producers send."""

    def __init__(self) -> None:
        super().__init__()
        self._targets: dict[str, tuple[str, ...]] = {}
        self._acknowledged_at: set[str] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        self._targets[producer] = destinations

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._acknowledged_at.add(self._storage.destination_of(consumer))
        super().acknowledge(consumer, message_id)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._targets.clear()
        self._acknowledged_at.clear()

    def full_beside(self, destination: str) -> list[StoredQueue]:
        """The full queues other than this one."""
        queues = self._storage.queues.items()
        return [queue for name, queue in queues if name != destination and queue.depth().bytes >= FULL_BYTES]


class ChargesBesideAFullQueue(LooksBeside):
    """A queue beside a full one shows a byte too much."""

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + bool(self.full_beside(destination)))


class LetsItsNeighboursGo(LooksBeside):
    """Room at one queue releases the producers of all others."""

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        elsewhere = self._acknowledged_at.difference(self._targets.get(producer, ()))
        return replace(standing, stopped=False) if elsewhere else standing


class LosesWhatIsElsewhere(LooksBeside):
    """With each acknowledgement at one queue, a message of each full one is lost."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        for queue in self.full_beside(self._storage.destination_of(consumer)):
            if queue.waiting:
                queue.waiting.popleft()


class ReversesWhatIsElsewhere(LooksBeside):
    """With the first acknowledgement at one queue, the messages of each full one come in the other order."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        is_first = not self._acknowledged_at
        super().acknowledge(consumer, message_id)
        for queue in self.full_beside(self._storage.destination_of(consumer)) if is_first else ():
            queue.waiting.reverse()


class NeverReleasesWhoCameFirst(LooksBeside):
    """The first producer of a scenario that is stopped stays stopped for ever."""

    _first = ""

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        self._first = self._first or (producer if standing.stopped else "")
        return replace(standing, stopped=True) if producer == self._first else standing

    def end_scenario(self) -> None:
        super().end_scenario()
        self._first = ""
