"""Brokers that each overlook a change of a limit or policy, end a wait by themselves, or lose part of a figure."""

from dataclasses import replace

from tidegate.adapters.base import NO_LIMIT, Limits, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference, Pending
from tidegate.adapters.reference.overflow import DROP, FAIL
from tidegate.adapters.reference.qpid import QpidReference, _queue_actor
from tidegate.model.language.message_text import Field, Message
from tidegate.model.mechanisms.general_shown import PER_CENT
from tidegate.model.mechanisms.qpid_log import QUEUE_UNDERFULL

GIVES_UP_MS = 3000
"""The time in ms after which a wait ends by itself."""
AT_ONCE_MS = 1
"""The time to live in ms of a message that has expired when it comes to the broker."""
REAL_SCALE = 1000
"""The scale of a broker whose messages have a real size in bytes."""


class OverlooksMoreMessages(ArtemisReference):
    """A change of the limit in messages alone releases nobody."""

    def __init__(self) -> None:
        super().__init__()
        self._overlooked: set[str] = set()

    def change_limits(self, destination: str, limits: Limits) -> None:
        before = self._in_force[destination]
        super().change_limits(destination, limits)
        after = self._in_force[destination]
        if after.limit_bytes == before.limit_bytes and after.limit_messages != before.limit_messages:
            self._overlooked.add(destination)

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=True) if self._target[producer] in self._overlooked else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._overlooked.clear()


class StaysFullOnceItsLimitEnds(ArtemisReference):
    """The end of a limit releases nobody who was stopped before it."""

    def __init__(self) -> None:
        super().__init__()
        self._still_held: set[str] = set()

    def overlooks(self, limits: Limits) -> bool:
        """Whether a change to these limits releases nobody."""
        return limits.limit_bytes == NO_LIMIT

    def change_limits(self, destination: str, limits: Limits) -> None:
        if self.overlooks(limits):
            senders = (name for name, target in self._target.items() if target == destination)
            self._still_held |= {name for name in senders if self.standing(name).stopped}
        super().change_limits(destination, limits)

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=seen.stopped or producer in self._still_held)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._still_held.clear()


class HoldsWhoWaitedUnderAnotherPolicy(StaysFullOnceItsLimitEnds):
    """Whoever was stopped when an address is changed to refuse messages stays stopped."""

    def overlooks(self, limits: Limits) -> bool:
        return limits.policy == FAIL


class HoldsWhoWaitedUnderADroppingPolicy(StaysFullOnceItsLimitEnds):
    """Whoever was stopped when an address is changed to drop messages stays stopped."""

    def overlooks(self, limits: Limits) -> bool:
        return limits.policy == DROP


class OverlooksItsResumeLevel(QpidReference):
    """A change of the resume level alone is overlooked."""

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[str, Limits] = {}

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        self._before[destination] = limits

    def change_limits(self, destination: str, limits: Limits) -> None:
        before = self._before.get(destination, Limits())
        if limits != replace(before, resume_bytes=limits.resume_bytes):
            super().change_limits(destination, limits)
            self._before[destination] = limits


class KeepsItsFirstLimitOfPages(ArtemisReference):
    """A change of the limit of pages is overlooked."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        first = self._in_force[destination]
        limits = replace(limits, page_limit_bytes=first.page_limit_bytes)
        super().change_limits(destination, replace(limits, page_limit_messages=first.page_limit_messages))


class KeepsItsFirstLimitWhereItRefuses(ArtemisReference):
    """A change of the limits is overlooked at an address that refuses messages."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        first = self._in_force[destination]
        super().change_limits(destination, first if limits.policy == first.policy == FAIL else limits)


class GoesOnRefusing(QpidReference):
    """A queue that refused messages stops nobody, whatever its policy becomes."""

    policy = FAIL

    def __init__(self) -> None:
        super().__init__()
        self._refused: set[str] = set()

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        if limits.policy == self.policy:
            self._refused.add(destination)

    def change_limits(self, destination: str, limits: Limits) -> None:
        kept = replace(limits, policy=self.policy) if destination in self._refused else limits
        super().change_limits(destination, kept)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._refused.clear()


class GoesOnDropping(GoesOnRefusing):
    """A queue that dropped messages stops nobody, whatever its policy becomes."""

    policy = DROP


class GivesUpInATopic(QpidReference):
    """The stop of a transacted producer of a topic ends by itself after some seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._since_ms: dict[str, int] = {}
        """When each stopped producer of this kind was first seen as stopped."""

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        to_topic = any(name in self._topics for name in self._routes[producer])
        if not (seen.stopped and to_topic and self._clients[producer].options.transacted):
            return seen
        since_ms = self._since_ms.setdefault(producer, self._storage.now_ms)
        return replace(seen, stopped=self._storage.now_ms - since_ms < GIVES_UP_MS)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._since_ms.clear()


class KeepsTheWindowOfWhatCameTooLate(ClassicReference):
    """A message that has expired when it comes is dropped, and its bytes stay in its producer's window."""

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        sender = self._producers[producer]
        window = sender.options.window_bytes
        if lives_ms > AT_ONCE_MS or window is None:
            return super().send_expiring(producer, message_id, size_bytes, lives_ms)
        sender.unanswered += size_bytes
        return Outcome.SENT

    def standing(self, producer: str) -> Standing:
        seen, sender = super().standing(producer), self._producers[producer]
        window = sender.options.window_bytes
        return replace(seen, stopped=seen.stopped or (window is not None and sender.unanswered >= window))


class TakesWindowForWhatWaited(ClassicReference):
    """Every second message that waited for room keeps its bytes of its producer's window for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._late = 0

    def _stored_late(self, pending: Pending) -> bool:
        is_stored = super()._stored_late(pending)
        self._late += is_stored
        if is_stored and self._late % 2 == 0 and pending.producer.options.window_bytes is not None:
            pending.producer.unanswered += pending.size_bytes
        return is_stored


class CountsTheTimeFromTheFirstStop(QpidReference):
    """What a stopped channel sends is refused once some seconds have passed since its first stop."""

    def __init__(self) -> None:
        super().__init__()
        self._stopped_ms: dict[str, int] = {}
        """When each channel was stopped for the first time."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        now_ms = self._storage.now_ms
        if self.standing(producer).stopped and now_ms - self._stopped_ms.get(producer, now_ms) > GIVES_UP_MS:
            return Outcome.REJECTED
        told = super().send(producer, message_id, size_bytes)
        if self.standing(producer).stopped:
            self._stopped_ms.setdefault(producer, now_ms)
        return told

    def end_scenario(self) -> None:
        super().end_scenario()
        self._stopped_ms.clear()


class ShowsPerCentOf32Bits(ArtemisReference):
    """The percentage is computed in 32 bits, which real sizes exceed only where much is charged."""

    parameters = replace(ArtemisReference.parameters, scale=REAL_SCALE)

    def shown_percent(self, destination: str) -> int | None:
        limit = self.limits_in_force(destination).limit_bytes
        used = (self.depth(destination).bytes * PER_CENT + 2**31) % 2**32 - 2**31
        return used // limit if limit is not None and limit > 0 else None


class LogsTheCapacityAsResumeLevel(QpidReference):
    """The line about an underfull queue has the capacity in the place of the resume level."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        if message is QUEUE_UNDERFULL:
            name = next(each for each in self._state.queues if actor == _queue_actor(each))
            fields |= {"resume": self._state.queues[name].capacity}
        super()._log(actor, message, **fields)


CHANGES: dict[type, tuple[str, ...]] = {
    StaysFullOnceItsLimitEnds: ("GENERAL-5",),
    OverlooksItsResumeLevel: ("QPID-QUEUE-11",),
    KeepsItsFirstLimitOfPages: ("GENERAL-21", "GENERAL-34"),
    KeepsItsFirstLimitWhereItRefuses: ("GENERAL-21", "GENERAL-31"),
    GoesOnRefusing: ("GENERAL-20",),
    GoesOnDropping: ("GENERAL-20",),
    HoldsWhoWaitedUnderAnotherPolicy: ("GENERAL-30",),
    HoldsWhoWaitedUnderADroppingPolicy: ("GENERAL-32",),
    GivesUpInATopic: ("GENERAL-20",),
    KeepsTheWindowOfWhatCameTooLate: ("GENERAL-40",),
    TakesWindowForWhatWaited: ("CLASSIC-WINDOW-2",),
    CountsTheTimeFromTheFirstStop: ("QPID-OLD-1",),
    ShowsPerCentOf32Bits: ("GENERAL-50",),
    LogsTheCapacityAsResumeLevel: ("QPID-LOG-3",),
}
"""The rules that each of these brokers breaks, the most direct one first."""
