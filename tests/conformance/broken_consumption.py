"""Brokers that miscount messages in hand, free too many or too few bytes, or acknowledge another message."""

from collections import defaultdict

from tests.conformance.behind import Behind
from tests.conformance.broken_over import over
from tidegate.adapters.base import Delivery, Depth


class _Consumers(Behind):
    """A reference that counts the messages handed to consumers. Each class below changes one of its verbs."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: defaultdict[str, list[str]] = defaultdict(list)
        """For each consumer the ids of unacknowledged messages, in the order of delivery."""

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        if delivery is not None:
            self.taken[consumer].append(delivery.message_id)
        return delivery

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self.settle(consumer, message_id)

    def settle(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message as the reference does, if the consumer still has the message in hand."""
        if message_id in self.taken[consumer]:
            self.taken[consumer].remove(message_id)
            super().acknowledge(consumer, message_id)

    def close_consumer(self, consumer: str) -> None:
        super().close_consumer(consumer)
        self.taken.pop(consumer, None)

    def end_scenario(self) -> None:
        self.taken.clear()
        super().end_scenario()


class FreesWhatItHandsOut(_Consumers):
    """Treats a message as gone once it was handed out."""

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        if delivery is not None:
            self.settle(consumer, delivery.message_id)
        return delivery


class AcknowledgesAllBefore(_Consumers):
    """Treats an acknowledgement as one for all messages that the consumer was handed before, too."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self.taken[consumer]
        for each in before[: before.index(message_id) + 1] if message_id in before else ():
            self.settle(consumer, each)


class AcknowledgesTheOldest(_Consumers):
    """Acknowledges the oldest message in hand in place of the acknowledged one."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        if self.taken[consumer]:
            self.settle(consumer, self.taken[consumer][0])


class SettlesWhatACloserHeld(_Consumers):
    """Treats the last message in hand of a closed consumer as acknowledged."""

    def close_consumer(self, consumer: str) -> None:
        for message_id in self.taken[consumer][-1:]:
            self.settle(consumer, message_id)
        super().close_consumer(consumer)


class GivesBackWhatOthersHold(_Consumers):
    """Gives back the messages of all consumers of a destination when one of them is closed."""

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        queue = self._storage.queues[destination]
        super().close_consumer(consumer)
        for message_id in list(queue.handed_out):
            queue.waiting.appendleft(queue.handed_out.pop(message_id))
            del queue.holders[message_id]
        for held in self.taken.values():
            held.clear()


class ShowsOneBytePerHandOver(_Consumers):
    """Reports a byte for each fifty messages that were ever handed out."""

    def __init__(self) -> None:
        super().__init__()
        self._handed_out = 0

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        self._handed_out += delivery is not None
        return delivery

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return Depth(held.bytes + self._handed_out // 50, held.messages)

    def end_scenario(self) -> None:
        self._handed_out = 0
        super().end_scenario()


class ShowsPurgedMessagesInHandAsGone(_Consumers):
    """Reports messages in hand during a purge as gone, and again as gone when they are acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self._gone: defaultdict[str, int] = defaultdict(int)

    def purge(self, destination: str) -> None:
        super().purge(destination)
        self._gone[destination] += self._storage.queues[destination].depth().bytes

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return Depth(held.bytes - self._gone[destination], held.messages)

    def end_scenario(self) -> None:
        self._gone.clear()
        super().end_scenario()


class ShowsTheFirstAcknowledgedMessage(_Consumers):
    """Reports one message too many from the first acknowledgement on."""

    def __init__(self) -> None:
        super().__init__()
        self._acknowledged = False

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._acknowledged = True

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return Depth(held.bytes, held.messages + self._acknowledged)

    def end_scenario(self) -> None:
        self._acknowledged = False
        super().end_scenario()


CONSUMPTION: dict[type, tuple[str, ...]] = {
    **dict.fromkeys(over(FreesWhatItHandsOut), ("GENERAL-11",)),
    **dict.fromkeys(over(AcknowledgesAllBefore), ("GENERAL-8", "GENERAL-11")),
    **dict.fromkeys(over(AcknowledgesTheOldest), ("GENERAL-8",)),
    **dict.fromkeys(over(SettlesWhatACloserHeld), ("GENERAL-11",)),
    **dict.fromkeys(over(GivesBackWhatOthersHold), ("GENERAL-11",)),
    **dict.fromkeys(over(ShowsOneBytePerHandOver), ("GENERAL-8",)),
    **dict.fromkeys(over(ShowsPurgedMessagesInHandAsGone), ("GENERAL-22", "GENERAL-8")),
    **dict.fromkeys(over(ShowsTheFirstAcknowledgedMessage), ("GENERAL-42",)),
}
"""The rules that each of these brokers breaks, the most direct first."""
globals().update({cls.__name__: cls for cls in CONSUMPTION})
