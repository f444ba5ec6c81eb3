"""Brokers whose management shows stopped producers or the used percentage of a limit wrongly, each in one way."""

from collections.abc import Sequence

from tidegate.adapters.base import Limits, Outcome
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms.general_shown import PER_CENT


class ShowsNobodyStopped(QpidReference):
    """Stops never set the flag."""

    def shown_stopped(self, producer: str) -> bool:
        return False


class ShowsOneStoppedAtATime(ClassicReference):
    """The destination has one flag with the name of the last stopped producer: the others are shown as free."""

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
    """A purge releases waiting producers, and does not clear their flags."""

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
    """The flag is cleared when a send goes through, and not when it times out."""

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
    """The broker has one flag: while one producer is stopped, all are shown as stopped."""

    def shown_stopped(self, producer: str) -> bool:
        return any(self.standing(name).stopped for name, _ in self._clients)


class ShowsMessagesInPerCent(ClassicReference):
    """The shown percentage is the number of messages."""

    def shown_percent(self, destination: str) -> int | None:
        right = super().shown_percent(destination)
        return None if right is None else self.depth(destination).messages


class ShowsTheMostThatWasUsed(ArtemisReference):
    """The figure is computed when messages come, and not when messages leave."""

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
    """The figure is a percentage of the limit with which the destination was created."""

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
    """Purged bytes are freed for producers, and stay in the figure."""

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
    """Messages in hand are charged, and are left out of the figure."""

    def shown_percent(self, destination: str) -> int | None:
        limit = self.limits_in_force(destination).limit_bytes
        waiting = sum(message.size_bytes for message in self._storage.queues[destination].waiting)
        return waiting * PER_CENT // limit if limit is not None and limit > 0 else None


class ShowsNothingUsedOfATopic(ClassicReference):
    """The limit of a topic is shown as unused."""

    def shown_percent(self, destination: str) -> int | None:
        return 0 if destination in self._topics else super().shown_percent(destination)


class ShowsOnlyWhatFits(ArtemisReference):
    """The figure starts again from 0 past the limit: 120 per cent are shown as 20."""

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
"""The rule that each of these brokers breaks."""
