"""Implementations that each break a promise about destinations that refuse, drop, or page messages up to a limit."""

from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.overflow import DROP, FAIL
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid


class StopsWhoPagesForAll(ArtemisReference):
    """A limit on all addresses together also stops producers of addresses that page."""

    def _full_together(self, destination: str) -> bool:
        address = self._addresses[destination]
        self._addresses[destination] = replace(address, limits=replace(address.limits, blocks=True))
        is_full = super()._full_together(destination)
        self._addresses[destination] = address
        return is_full


class ChargesWhatItRefuses(ArtemisReference):
    """The bytes of messages that a full address refuses are charged, and never freed."""

    _refused = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._refused += size_bytes if outcome is Outcome.REJECTED else 0
        return outcome

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._refused)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._refused = 0


class StopsWhomItRefuses(ArtemisReference):
    """A producer whose message is refused is stopped until there is room."""

    policies = (FAIL,)
    _full = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if self.standing(producer).stopped:
            return Outcome.BLOCKED
        before = self.depth(self._target[producer])
        outcome = super().send(producer, message_id, size_bytes)
        policy = self._in_force[self._target[producer]].policy
        self._full = policy in self.policies and self.depth(self._target[producer]) == before
        return outcome

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=seen.stopped or self._full)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._full = False

    def end_scenario(self) -> None:
        super().end_scenario()
        self._full = False


class StopsWhoseMessagesItDrops(StopsWhomItRefuses):
    """A producer whose message is dropped is stopped until there is room."""

    policies = (DROP,)


class KeepsWhatItShouldDrop(QpidReference):
    """A queue that should drop messages keeps them all."""

    def _drop_past_the_limit(self, destination: str) -> None:
        """Drops no message."""


class RefusesByBytesAlone(ArtemisReference):
    """An address with limits in bytes and in messages refuses by its bytes only."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        limits = self._in_force[destination]
        self._in_force[destination] = replace(limits, limit_messages=None)
        found = super()._overflow(destination, message_id, size_bytes)
        self._in_force[destination] = limits
        return found


class RefusesByMessagesAlone(ArtemisReference):
    """An address with limits in bytes and in messages refuses by its messages only."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        limits = self._in_force[destination]
        self._in_force[destination] = replace(limits, limit_bytes=None)
        found = super()._overflow(destination, message_id, size_bytes)
        self._in_force[destination] = limits
        return found


class RefusesFromHalfItsLimitOn(QpidReference):
    """A queue that refuses messages refuses them from half of its limit on."""

    def _gate_of(self, destination: str, limits: Limits) -> qpid.Limits:
        half = None if limits.limit_bytes is None else limits.limit_bytes // 2
        return super()._gate_of(destination, replace(limits, limit_bytes=half) if limits.policy == FAIL else limits)


class DeliversWhatItRefuses(QpidReference):
    """A message that a queue refuses is stored nevertheless."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.REJECTED:
            self._enqueue(producer, message_id, size_bytes)
        return outcome


class EmptiesAQueueThatDrops(QpidReference):
    """A queue that drops messages drops all of them once it is past its limit."""

    def _drop_past_the_limit(self, destination: str) -> None:
        before = self.depth(destination)
        super()._drop_past_the_limit(destination)
        if self.depth(destination).messages < before.messages:
            self.purge(destination)


class ChargesWhatItDrops(QpidReference):
    """Messages that a queue dropped stay charged for ever."""

    _dropped = 0

    def _drop_past_the_limit(self, destination: str) -> None:
        before = super().depth(destination).bytes
        super()._drop_past_the_limit(destination)
        self._dropped += before - super().depth(destination).bytes

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._dropped)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._dropped = 0


class CountsPages(ArtemisReference):
    """A limit of pages counts pages, and a larger message fills a whole page."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        limits = self._in_force[destination]
        page = limits.page_bytes or max(1, (limits.limit_bytes or 2) // 2)
        if limits.page_limit_bytes is not None:
            pages = limits.page_limit_bytes // page + 1
            self._in_force[destination] = replace(limits, page_limit_bytes=None, page_limit_messages=pages)
        found = super()._overflow(destination, message_id, size_bytes)
        self._in_force[destination] = limits
        return found


class HasNoLimitOfPages(ArtemisReference):
    """Paging has no limit."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        found = super()._overflow(destination, message_id, size_bytes)
        return found if self._in_force[destination].policy != "PAGE" else ""


class ChargesWhatItsPagesRefuse(ChargesWhatItRefuses):
    """The bytes of messages that are refused past a limit of pages are charged, and never freed."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        before = self._refused
        outcome = super().send(producer, message_id, size_bytes)
        if self._in_force[self._target[producer]].policy != "PAGE":
            self._refused = before
        return outcome


class RefusesWhatIsPaged(ArtemisReference):
    """With a limit of pages no message is paged at all."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        limits = self._in_force[destination]
        if limits.page_limit_bytes is not None:
            self._in_force[destination] = replace(limits, page_limit_bytes=0)
        found = super()._overflow(destination, message_id, size_bytes)
        self._in_force[destination] = limits
        return found


class OverlooksWhatIsInHand(ArtemisReference):
    """Messages in hand do not count towards limits past which messages are refused or dropped."""

    def _overflow(self, destination: str, message_id: str, size_bytes: int) -> str:
        queue = self._storage.queues[destination]
        in_hand, queue.handed_out = queue.handed_out, {}
        try:
            return super()._overflow(destination, message_id, size_bytes)
        finally:
            queue.handed_out = in_hand
