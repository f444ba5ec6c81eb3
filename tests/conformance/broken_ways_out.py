"""Implementations with one fault each: messages expire, or are moved, listed, refused, browsed, deleted or filtered."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference


class Leaves(ArtemisReference):
    """A broker that shows `_left` bytes as charged for ever."""

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
    """Once messages expired, no producer is released."""

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
    """Once messages were moved, no producer is released."""

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
    """Each move leaves a byte charged at the source."""

    def move(self, destination: str, to: str) -> None:
        super().move(destination, to)
        self._left += 1


class LosesWhatIsMoved(ClassicReference):
    """Moved messages are lost."""

    def move(self, destination: str, to: str) -> None:
        for message in list(self._storage.queues[destination].waiting):
            self._let_leave(destination, message.message_id)


class ChargesWhatWasListed(Leaves):
    """Each list of messages leaves a byte charged."""

    def list_messages(self, destination: str) -> int:
        self._left += 1
        return super().list_messages(destination)


class GivesBackPropertiesThatWereListed(Leaves):
    """Properties are not charged, but freed once management has read them."""

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


class ChargesWhatWasGivenUp(Leaves):
    """A byte of each message that a consumer refused for good stays charged."""

    def give_up(self, consumer: str, message_id: str) -> None:
        super().give_up(consumer, message_id)
        self._left += 1


class HandsOutWhatWasGivenUp(QpidReference):
    """A message that a consumer refused for good is handed to the next consumer."""

    def give_up(self, consumer: str, message_id: str) -> None:
        """Do nothing: the message goes back when the consumer is closed."""


class HoldsWhoWaitedForWhatWasGivenUp(QpidReference):
    """Once a message was refused for good, no producer is released."""

    _given_up = False

    def give_up(self, consumer: str, message_id: str) -> None:
        super().give_up(consumer, message_id)
        self._given_up = True

    def standing(self, producer: str) -> Standing:
        return replace(super().standing(producer), stopped=True) if self._given_up else super().standing(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._given_up = False


class ChargesWhatWasBrowsed(Leaves):
    """Each browse leaves a byte charged."""

    def browse(self, destination: str) -> int:
        self._left += 1
        return super().browse(destination)


class ChargesManyThatAreBrowsed(Leaves):
    """Each browse that sees more than two messages leaves a byte charged."""

    def browse(self, destination: str) -> int:
        seen = super().browse(destination)
        self._left += seen > 2
        return seen


class ChargesADeletedDestination(Leaves):
    """The bytes of a deleted destination are charged to the next destination of its name."""

    def recreate(self, destination: str, limits: Limits) -> None:
        held = super().depth(destination).bytes
        super().recreate(destination, limits)
        self._left += held


class LetsNobodyGoBesideAFilter(QpidReference):
    """Stopped producers stay stopped while a consumer filters."""

    _filters = False

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._filters = True

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        if self._filters and seen.stopped:
            self._stopped.add(producer)
        return replace(seen, stopped=seen.stopped or producer in self._stopped)

    def start(self) -> None:
        super().start()
        self._stopped: set[str] = set()

    def end_scenario(self) -> None:
        super().end_scenario()
        self._filters, self._stopped = False, set()


class ChargesPropertiesThatAFilterRead(GivesBackPropertiesThatWereListed):
    """Properties are charged again once a filter has read them."""

    _filters = False

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._filters = True

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._left += self._filters and self._with_properties

    def end_scenario(self) -> None:
        super().end_scenario()
        self._filters = False
