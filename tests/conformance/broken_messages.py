"""Implementations that lose, invent, repeat or wrongly charge messages, or write wrong log lines."""

from dataclasses import replace

from tidegate.adapters.base import Depth, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid

STAMP = "1970-01-01 00:00:00,000 MESSAGE [con:1(guest@x/test)/ch:1] [con:1(guest@x/test)/ch:1]"
OVERFULL = "QUE-1003 : Overfull : Size : 1 bytes, Capacity : 0"
STORE_OVERFULL = "MST-1008 : Store overfull, flow control will be enforced"
UNDERFULL = "QUE-1004 : Underfull : Size : 0 bytes, Resume Capacity : 0"


class DropsAfterSayingYes(QpidReference):
    """Accepts the message that takes a queue past its capacity, charges it, and drops it."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        for name in self._routes[producer]:
            waiting = self._storage.queues[name].waiting
            overfull = qpid.overfull(self._state.queues[qpid.QueueName(name)])
            if overfull and waiting and waiting[-1].message_id == message_id:
                waiting.pop()
        return outcome


class StoresWhatAStoppedProducerTried(QpidReference):
    """Refuses a message of a stopped producer, and stores it later, when there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._tried: list[tuple[str, str, int]] = []

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.BLOCKED:
            self._tried.append((producer, message_id, size_bytes))
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        if self._tried and not qpid.stopped(self._state, qpid.ChannelName(self._tried[0][0])):
            super().send(*self._tried.pop(0))

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self._tried = [tried for tried in self._tried if tried[0] != producer]

    def end_scenario(self) -> None:
        self._tried.clear()
        super().end_scenario()


class DuplicatesOnRetry(ArtemisReference):
    """Stores the message that follows a refused one twice."""

    def __init__(self) -> None:
        super().__init__()
        self._refused: set[str] = set()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.BLOCKED:
            self._refused.add(producer)
        elif producer in self._refused:
            self._refused.discard(producer)
            self._storage.store(self._target[producer], message_id, size_bytes)
        return outcome


class LosesACreditOnEachRefusal(ArtemisReference):
    """Shrinks the credit window by one each time a producer tries to send without credit."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.BLOCKED:
            destination = self._target[producer]
            address = self._addresses[destination]
            smaller = replace(address.window, size=address.window.size - 1)
            self._addresses[destination] = replace(address, window=smaller)
        return outcome


class ChargesTheWrongDestination(QpidReference):
    """Charges every message to the queue that was declared first."""

    def _names(self, *destinations: str) -> dict[qpid.QueueName, bool]:
        first = next(iter(self._state.queues))
        return {queue: queue == first and bool(destinations) for queue in self._state.queues}


class ChargesOneByteTooMuch(QpidReference):
    """Reports a byte for each message that ever left a queue."""

    def __init__(self) -> None:
        super().__init__()
        self._acknowledged = 0

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._acknowledged += 1

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._acknowledged)


class GivesBackTwice(QpidReference):
    """Reports the bytes of each consumed message as freed twice."""

    def __init__(self) -> None:
        super().__init__()
        self._freed: dict[str, int] = {}

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        size_bytes = self._storage.queues[destination].handed_out[message_id].size_bytes
        super().acknowledge(consumer, message_id)
        self._freed[destination] = self._freed.get(destination, 0) + size_bytes

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes - self._freed.get(destination, 0))


class TakesCreditForWhatIsNotTaken(ArtemisReference):
    """Takes a credit for each message that a producer without credit tried to send."""

    def __init__(self) -> None:
        super().__init__()
        self._tried: dict[str, int] = {}

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._tried[producer] = self._tried.get(producer, 0) + (outcome is Outcome.BLOCKED)
        return outcome

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        assert seen.credit_left is not None
        return replace(seen, credit_left=seen.credit_left - self._tried.get(producer, 0))


class GivesBackTooLittle(ArtemisReference):
    """Frees only half of the bytes of messages of up to 100 bytes."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        size_bytes = self._storage.queues[destination].handed_out[message_id].size_bytes
        super().acknowledge(consumer, message_id)
        if size_bytes >= 400 and destination in self._addresses:
            address = self._addresses[destination]
            self._addresses[destination] = replace(address, bytes=address.bytes + size_bytes // 2)


class StopsOnlyOnAQueueThatHeldSomething(QpidReference):
    """Does not compare the first message on a queue with the capacity."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        was_empty = all(self._state.queues[qpid.QueueName(name)].bytes == 0 for name in self._routes[producer])
        outcome = super().send(producer, message_id, size_bytes)
        if was_empty:
            nothing = dict.fromkeys(self._state.queues, False)
            self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): nothing})
        return outcome


class TakesZeroForNothing(QpidReference):
    """Treats a capacity of 0 as no room at all."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if any(self._state.queues[qpid.QueueName(name)].capacity == 0 for name in self._routes[producer]):
            all_held = dict.fromkeys(self._state.queues, True)
            self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): all_held})
        return outcome


class LogsNothing(QpidReference):
    """Has an empty operational log."""

    def log_lines(self) -> list[str]:
        return []


class LogsReleasesThatAreNone(QpidReference):
    """Writes that a queue is underfull, and that its channels are released, after every message that leaves."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        with self.log_path.open("a", encoding="utf-8") as log:
            log.write(f"{STAMP} {UNDERFULL}\n")


class LogsAStopForEveryMessage(QpidReference):
    """Writes that a queue and the store are overfull, for every message that comes."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        with self.log_path.open("a", encoding="utf-8") as log:
            log.write(f"{STAMP} {OVERFULL}\n{STAMP} {STORE_OVERFULL}\n")
        return outcome
