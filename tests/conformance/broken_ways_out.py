"""Implementations that each keep something of messages that expired, or that management moved or listed."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference


class Leaves(ArtemisReference):
    """Something stays charged for ever."""

    _left = 0

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class DeliversWhatExpired(QpidReference):
    """No message ever expires."""

    def pass_time(self, ms: int) -> None:
        self._storage.now_ms += ms


class ChargesWhatExpired(Leaves):
    """A byte of each message that expires stays charged."""

    def pass_time(self, ms: int) -> None:
        before = sum(queue.depth().messages for queue in self._storage.queues.values())
        super().pass_time(ms)
        self._left += before - sum(queue.depth().messages for queue in self._storage.queues.values())


class HoldsWhoWaitedForWhatExpired(QpidReference):
    """Once messages expired nobody is let go."""

    _expired = False

    def pass_time(self, ms: int) -> None:
        before = sum(queue.depth().messages for queue in self._storage.queues.values())
        super().pass_time(ms)
        self._expired |= before > sum(queue.depth().messages for queue in self._storage.queues.values())

    def standing(self, producer: str) -> Standing:
        return replace(super().standing(producer), stopped=True) if self._expired else super().standing(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._expired = False


class HoldsWhoWaitedForWhatWasMoved(QpidReference):
    """Once messages were moved nobody is let go."""

    _moved = False

    def move(self, destination: str, to: str) -> None:
        super().move(destination, to)
        self._moved = True

    def standing(self, producer: str) -> Standing:
        return replace(super().standing(producer), stopped=True) if self._moved else super().standing(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._moved = False


class ChargesWhatWasMoved(Leaves):
    """Each move leaves a byte charged where the messages were."""

    def move(self, destination: str, to: str) -> None:
        super().move(destination, to)
        self._left += 1


class LosesWhatIsMoved(ClassicReference):
    """What is moved arrives nowhere."""

    def move(self, destination: str, to: str) -> None:
        for message in list(self._storage.queues[destination].waiting):
            self._let_leave(destination, message.message_id)


class ChargesWhatWasListed(Leaves):
    """Each list of messages leaves a byte charged."""

    def list_messages(self, destination: str) -> int:
        self._left += 1
        return super().list_messages(destination)


class GivesBackPropertiesThatWereListed(Leaves):
    """Properties are charged to nobody, and given back once management has read them."""

    _with_properties = False

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        self._with_properties |= options.properties > 0

    def list_messages(self, destination: str) -> int:
        self._left -= self._with_properties
        return super().list_messages(destination)
