"""Brokers that hold producers, or refuse or take their messages, for no reason that their levels would show."""

from collections import Counter
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.qpid942 import Qpid942Reference

ROUNDS = 2
"""How often a producer is let go before it stays stopped."""


class StaysStopped:
    """Lets a producer go twice, and then no more."""

    def __init__(self) -> None:
        super().__init__()
        self._rounds: Counter[str] = Counter()
        self._was_stopped: set[str] = set()

    def standing(self, producer: str) -> Standing:
        seen: Standing = super().standing(producer)  # type: ignore[misc]
        if seen.stopped:
            self._was_stopped.add(producer)
        elif producer in self._was_stopped:
            if self._rounds[producer] == ROUNDS:
                return replace(seen, stopped=True)
            self._rounds[producer] += 1
            self._was_stopped.discard(producer)
        return seen

    def end_scenario(self) -> None:
        super().end_scenario()  # type: ignore[misc]
        self._rounds.clear()
        self._was_stopped.clear()


class StaysStoppedByItsConnection(StaysStopped, Classic4Reference):
    """A suspended connection that is read no more."""


class StaysStoppedByItsPolicy(StaysStopped, Qpid942Reference):
    """A policy that lets nobody go any more."""


class StaysStoppedByTheMemory(StaysStopped, AndesReference):
    """A memory that lets nobody go any more."""


class StaysStoppedByItsWindow(StaysStopped, ArtemisCoreReference):
    """A window that is granted no more."""


class RefusesTheThird(ArtemisCoreReference):
    """Rejects each third message, whatever room there is."""

    def __init__(self) -> None:
        super().__init__()
        self._sent = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._sent += 1
        return super().send(producer, message_id, size_bytes) if self._sent % 3 else Outcome.REJECTED


class HoldsBackTheSecond(ClassicReference):
    """Holds each second message back, whatever room there is, although its producer is free."""

    def __init__(self) -> None:
        super().__init__()
        self._sent = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._sent += 1
        return super().send(producer, message_id, size_bytes) if self._sent % 2 else Outcome.BLOCKED


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
    """Says of the first message that it refuses that it took it."""

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


def _with_wait(options: ProducerOptions, factor: float) -> ProducerOptions:
    """The options with the time of a send, if one is set, multiplied by a factor."""
    wait_ms = options.wait_ms
    return replace(options, wait_ms=round(wait_ms * factor)) if wait_ms is not None and wait_ms > 0 else options


class WaitsTwiceItsTime(Qpid942Reference):
    """Clients whose sends fail after twice their time."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, _with_wait(options, 2))


class WaitsHalfItsTime(Qpid942Reference):
    """Clients whose sends fail after half of their time."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, _with_wait(options, 0.5))
