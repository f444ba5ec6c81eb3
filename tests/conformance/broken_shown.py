"""Brokers whose management shows stopped producers or the used percentage of a limit wrongly, each in one way."""

from collections.abc import Sequence

from tidegate.adapters.base import Limits, Outcome
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms.general_shown import PER_CENT


class ShowsNobodyStopped(QpidReference):
    """No way into a stop sets the flag."""

    def shown_stopped(self, producer: str) -> bool:
        return False


class ShowsOneStoppedAtATime(ClassicReference):
    """The flag is that of the destination, and bears the name of who was stopped last: the others are shown free."""

    def shown_stopped(self, producer: str) -> bool:
        stopped = [name for name in self._producers if self.standing(name).stopped]
        return stopped[-1:] == [producer]


class ShowsWhoIsStoppedForEver(QpidReference):
    """The flag is set by a stop, and nothing clears it."""

    def __init__(self) -> None:
        super().__init__()
        self._were_stopped: set[str] = set()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if self.standing(producer).stopped:
            self._were_stopped.add(producer)
        return outcome

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self._were_stopped.discard(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._were_stopped.clear()

    def shown_stopped(self, producer: str) -> bool:
        return producer in self._were_stopped


class ShowsWhoWasPurgedFreeAsStopped(ClassicReference):
    """A purge lets go who waits, and clears no flag."""

    def __init__(self) -> None:
        super().__init__()
        self._not_cleared: set[str] = set()

    def purge(self, destination: str) -> None:
        self._not_cleared |= {name for name in self._producers if self.standing(name).stopped}
        super().purge(destination)

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self._not_cleared.discard(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._not_cleared.clear()

    def shown_stopped(self, producer: str) -> bool:
        return super().shown_stopped(producer) or producer in self._not_cleared


class ShowsWhoFailedAsStopped(ClassicReference):
    """The flag is cleared where a send goes through, and not where it fails after its time."""

    def shown_stopped(self, producer: str) -> bool:
        return super().shown_stopped(producer) or producer in self._failed

    def __init__(self) -> None:
        super().__init__()
        self._failed: set[str] = set()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        told = super().settlements(producer)
        self._failed |= {producer for each in told if each.outcome is Outcome.REJECTED}
        return told

    def end_scenario(self) -> None:
        super().end_scenario()
        self._failed.clear()


class ShowsSendersOfTopicsAsFree(ClassicReference):
    """Only queues set the flag."""

    def shown_stopped(self, producer: str) -> bool:
        return super().shown_stopped(producer) and self._producers[producer].destination not in self._topics


class ShowsAllAsStopped(QpidReference):
    """The flag is that of the broker: as long as anybody is stopped, all are shown so."""

    def shown_stopped(self, producer: str) -> bool:
        return any(self.standing(name).stopped for name in self._routes)


class ShowsMessagesInPerCent(ClassicReference):
    """Each message is taken for one per cent."""

    def shown_percent(self, destination: str) -> int | None:
        right = super().shown_percent(destination)
        return None if right is None else self.depth(destination).messages


class ShowsTheMostThatWasUsed(ArtemisReference):
    """The figure is computed when something comes, and not when something goes."""

    def __init__(self) -> None:
        super().__init__()
        self._most: dict[str, int] = {}

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        destination = self._target[producer]
        self._most[destination] = super().shown_percent(destination) or 0
        return outcome

    def end_scenario(self) -> None:
        super().end_scenario()
        self._most.clear()

    def shown_percent(self, destination: str) -> int | None:
        right = super().shown_percent(destination)
        return None if right is None else max(right, self._most.get(destination, 0))


class ShowsPerCentOfTheFirstLimit(ClassicReference):
    """The figure is that of the limit which the destination was created with."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[str, int | None] = {}

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        self._first[destination] = self.limits_in_force(destination).limit_bytes

    def shown_percent(self, destination: str) -> int | None:
        first = self._first[destination]
        return self.depth(destination).bytes * PER_CENT // first if first is not None and first > 0 else None


class ShowsPurgedBytesAsUsed(ArtemisReference):
    """What is purged is given back to producers, and stays in the figure."""

    def __init__(self) -> None:
        super().__init__()
        self._purged: dict[str, int] = {}

    def purge(self, destination: str) -> None:
        before = self.depth(destination).bytes
        super().purge(destination)
        self._purged[destination] = self._purged.get(destination, 0) + before - self.depth(destination).bytes

    def end_scenario(self) -> None:
        super().end_scenario()
        self._purged.clear()

    def shown_percent(self, destination: str) -> int | None:
        limit = self.limits_in_force(destination).limit_bytes
        used = self.depth(destination).bytes + self._purged.get(destination, 0)
        return used * PER_CENT // limit if limit is not None and limit > 0 else None


class ShowsNothingInHandAsUsed(ArtemisReference):
    """What consumers have in hand is charged, and is left out of the figure."""

    def shown_percent(self, destination: str) -> int | None:
        limit = self.limits_in_force(destination).limit_bytes
        waiting = sum(message.size_bytes for message in self._storage.queues[destination].waiting)
        return waiting * PER_CENT // limit if limit is not None and limit > 0 else None


class ShowsNothingUsedOfATopic(ClassicReference):
    """The limit of a topic is shown as that of a queue with nothing on it."""

    def shown_percent(self, destination: str) -> int | None:
        return 0 if destination in self._topics else super().shown_percent(destination)


class ShowsOnlyWhatFits(ArtemisReference):
    """What is past the limit is taken for another round: 120 per cent are shown as 20."""

    def shown_percent(self, destination: str) -> int | None:
        right = super().shown_percent(destination)
        return None if right is None else right % PER_CENT


STOPS = (
    *(ShowsNobodyStopped, ShowsOneStoppedAtATime, ShowsWhoIsStoppedForEver, ShowsWhoWasPurgedFreeAsStopped),
    *(ShowsWhoFailedAsStopped, ShowsSendersOfTopicsAsFree, ShowsAllAsStopped),
)
USAGE = (
    *(ShowsMessagesInPerCent, ShowsTheMostThatWasUsed, ShowsPerCentOfTheFirstLimit, ShowsPurgedBytesAsUsed),
    *(ShowsNothingInHandAsUsed, ShowsNothingUsedOfATopic, ShowsOnlyWhatFits),
)
SHOWN: dict[type, tuple[str, ...]] = {
    **dict.fromkeys(STOPS, ("GENERAL-49",)),
    **dict.fromkeys(USAGE, ("GENERAL-50",)),
}
"""Which rule each of them breaks."""
