"""Brokers that stop producers, or refuse or take messages, although the level of the destination says otherwise."""

from collections import Counter
from dataclasses import replace

from tests.conformance.behind import Behind
from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.qpid942 import Qpid942Reference

ROUNDS = 2
"""The number of times that a producer is released before it stays stopped."""


class StaysStopped(Behind):
    """Releases a producer twice, and then never again."""

    def __init__(self) -> None:
        super().__init__()
        self._rounds: Counter[str] = Counter()
        self._was_stopped: set[str] = set()

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        if seen.stopped:
            self._was_stopped.add(producer)
        elif producer in self._was_stopped:
            if self._rounds[producer] == ROUNDS:
                return replace(seen, stopped=True)
            self._rounds[producer] += 1
            self._was_stopped.discard(producer)
        return seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._rounds.clear()
        self._was_stopped.clear()


class StaysStoppedByItsConnection(StaysStopped, Classic4Reference):
    """The broker reads no more from a connection that it suspended."""


class StaysStoppedByItsPolicy(StaysStopped, Qpid942Reference):
    """The policy of the queue releases nobody any more."""


class StaysStoppedByTheMemory(StaysStopped, AndesReference):
    """The memory of the broker releases nobody any more."""


class StaysStoppedByItsWindow(StaysStopped, ArtemisCoreReference):
    """The address grants no more credit."""


class DoesNotTake(Behind):
    """Takes no message whose number is a multiple of `every`, whatever room there is."""

    every = 3
    answer = Outcome.REJECTED

    def __init__(self) -> None:
        super().__init__()
        self._sent = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._sent += 1
        if self._sent % self.every == 0:
            return self.answer
        return super().send(producer, message_id, size_bytes)


class RefusesTheThird(DoesNotTake, ArtemisCoreReference):
    """Rejects each third message."""


class RefusesTheNinth(DoesNotTake, ArtemisReference):
    """Rejects each ninth message."""

    every = 9


class HoldsBackTheSecond(DoesNotTake, ClassicReference):
    """Holds each second message back, although its producer is free."""

    every = 2
    answer = Outcome.BLOCKED


class TakesWhatIsTriedAgain(Qpid942Reference):
    """Takes the second message that a stopped producer tries to send."""

    def __init__(self) -> None:
        super().__init__()
        self._tried: Counter[str] = Counter()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._tried[producer] += self.standing(producer).stopped
        if self._tried[producer] > 1 and self.standing(producer).stopped:
            self._enqueue(producer, message_id, size_bytes)
            return Outcome.ACCEPTED
        return super().send(producer, message_id, size_bytes)


class TakesOneMoreAtItsLimit(ArtemisReference):
    """Reports the first message that it refuses as accepted."""

    def __init__(self) -> None:
        super().__init__()
        self._refused = 0

    def declare(self, destination: str, limits: Limits) -> None:
        self._refused = 0
        super().declare(destination, limits)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        told = super().send(producer, message_id, size_bytes)
        self._refused += told is Outcome.REJECTED
        return Outcome.ACCEPTED if told is Outcome.REJECTED and self._refused == 1 else told


class WaitsTwiceItsTime(Qpid942Reference):
    """Clients whose sends fail after twice their time."""

    factor = 2.0

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        if options.wait_ms is not None and options.wait_ms > 0:
            options = replace(options, wait_ms=round(options.wait_ms * self.factor))
        super().open_producer(producer, connection, destinations, options)


class WaitsHalfItsTime(WaitsTwiceItsTime):
    """Clients whose sends fail after half of their time."""

    factor = 0.5
