"""The configuration that random sequences use for each mechanism, and how much of it they use."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

from tidegate.adapters.base import NO_LIMIT, Limits
from tidegate.adapters.groups import Usage
from tidegate.conformance.stateful.prediction import (
    TOTAL_MEMORY,
    Prediction,
    predict_amqp_credit,
    predict_core_window,
    predict_memory_limit,
    predict_memory_ratio,
    predict_policy,
    predict_queue_gate,
)

RESUME_PERCENT = 80
REJECT_PERCENT = 150
"""The level from which messages are rejected, in percent of the limit."""


@dataclass(frozen=True)
class Setup:
    """A destination of one mechanism; levels in bytes."""

    name: str
    limits: Limits
    predict: Callable[[Limits], Prediction]
    most_to_fill: int = 12
    """The most messages of 400 bytes that fill the destination and use up the credit of a few producers."""
    stops_latecomers: bool = False
    """Whether a latecomer is stopped at once while the producer that filled the destination still has much credit."""
    usage: Usage | None = None
    """The limits on all destinations together."""
    shared_levels: tuple[int, ...] = ()
    """The levels that follow from the limits on all destinations together."""
    further: tuple[tuple[str, Limits], ...] = ()
    """Other limits that sequences run with as well, each after the capability that it needs."""
    limits_to_try: tuple[int, ...] = ()
    """The values to which the destination's own limit in bytes can be changed."""
    messages_to_try: tuple[int, ...] = ()
    """The values to which a limit in messages can be changed, where the destination has one."""
    most_past: int = 1
    """The most messages that one producer may still send once a limit is passed."""
    stops_after_a_send: bool = False
    """Whether a message that takes the destination past its limit is taken, and its sender stopped only then."""
    charges_open_transactions: bool = False
    """Whether a message takes the credit of its producer when it is sent, even if its transaction is still open."""
    keeps_data: bool = False
    """Whether the broker keeps messages and limits on disk, so that it can be started again."""
    most_in_transaction: int = 4
    """The most messages of one transaction."""
    stops_newcomers: bool = False
    """Whether a producer that comes while a limit is passed is stopped before it sends."""
    has_two_destinations: bool = False
    """Whether the sequence has a second destination with the same limits."""
    shares_connection: bool = False
    """Whether some of its clients share a connection."""

    def levels(self, limits: Limits) -> tuple[int, ...]:
        """The levels in bytes at which something changes under these limits, the lowest first."""
        own = (limits.resume_bytes, limits.limit_bytes, limits.reject_bytes)
        return (*self.shared_levels, *(level for level in own if level is not None and level != NO_LIMIT))

    def raised_from(self, limits: Limits) -> tuple[int, ...]:
        """The values to try that are higher than the limit in force."""
        return tuple(one for one in self.limits_to_try if _height(one) > _height(limits.limit_bytes))

    def lowered_from(self, limits: Limits) -> tuple[int, ...]:
        """The values to try that are lower than the limit in force."""
        return tuple(one for one in self.limits_to_try if _height(one) < _height(limits.limit_bytes))

    def raised_messages_from(self, limits: Limits) -> tuple[int, ...]:
        """The limits in messages to try that are higher than the one in force; none without one."""
        most = most_messages_of(limits)
        return () if most is None else tuple(one for one in self.messages_to_try if one > most)

    def lowered_messages_from(self, limits: Limits) -> tuple[int, ...]:
        """The limits in messages to try that are lower than the one in force; none without one."""
        most = most_messages_of(limits)
        return () if most is None else tuple(one for one in self.messages_to_try if one < most)

    def with_limit(self, limits: Limits, limit_bytes: int) -> Limits:
        """These limits with another upper level; the other levels that are set change in proportion."""
        resume = None if limits.resume_bytes is None else limit_bytes * RESUME_PERCENT // 100
        reject = None if limits.reject_bytes is None else limit_bytes * REJECT_PERCENT // 100
        # the cursor is no limit, and is not changed
        return replace(limits, limit_bytes=limit_bytes, resume_bytes=resume, reject_bytes=reject, cursor=None)

    def with_messages(self, limits: Limits, limit_messages: int) -> Limits:
        """These limits with another limit in messages."""
        return replace(limits, limit_messages=limit_messages, cursor=None)


def most_messages_of(limits: Limits) -> int | None:
    """The limit in messages; None without one."""
    return None if limits.limit_messages == NO_LIMIT else limits.limit_messages


def _height(limit: int | None) -> float:
    return inf if limit is None or limit == NO_LIMIT else limit


MOST_MESSAGES = 4
MESSAGES_TO_TRY = (2, 4, 7)
LIMITS_TO_TRY = (400, 500, 1000, 1300, 2000, 5000)
ADDRESS = Limits(limit_bytes=1000, policy="BLOCK")


def _rejecting(limits: Limits) -> tuple[str, Limits]:
    """The limits with a reject threshold, and the capability that it needs."""
    return "reject-threshold", replace(limits, reject_bytes=1000 * REJECT_PERCENT // 100)


def _counting(limits: Limits, no_bytes: int | None) -> tuple[tuple[str, Limits], ...]:
    """The limits with one in messages beside them, and alone, and the capability that they need."""
    both = replace(limits, limit_messages=MOST_MESSAGES)
    return ("message-limit", both), ("message-limit", replace(both, limit_bytes=no_bytes))


QUEUE_GATE = Setup(
    "queue gate",
    Limits(limit_bytes=1000, resume_bytes=800),
    predict_queue_gate,
    limits_to_try=LIMITS_TO_TRY,
    stops_after_a_send=True,
)
OF_TEN = replace(ADDRESS, credit=10, credit_low=3)
AS_DOCUMENTED = replace(ADDRESS, credit=100, credit_low=30)
SMALL_WINDOW = Setup(
    "AMQP credit", OF_TEN, predict_amqp_credit, 20,
    further=(_rejecting(OF_TEN), *_counting(OF_TEN, NO_LIMIT)), limits_to_try=LIMITS_TO_TRY,
    messages_to_try=MESSAGES_TO_TRY, most_past=10, stops_newcomers=True,
    stops_after_a_send=True, charges_open_transactions=True,
)  # fmt: skip
DOCUMENTED_WINDOW = Setup(
    "AMQP credit", AS_DOCUMENTED, predict_amqp_credit, 6,
    stops_latecomers=True, further=(_rejecting(AS_DOCUMENTED), *_counting(AS_DOCUMENTED, NO_LIMIT)),
    limits_to_try=LIMITS_TO_TRY, messages_to_try=MESSAGES_TO_TRY, most_past=100, stops_newcomers=True,
    stops_after_a_send=True, charges_open_transactions=True,
)  # fmt: skip
CORE_WINDOW = Setup("Core window", ADDRESS, predict_core_window, 12, limits_to_try=LIMITS_TO_TRY)
MEMORY_LIMIT = Setup(
    "memory limit", Limits(limit_bytes=1000, cursor="memory"), predict_memory_limit, limits_to_try=LIMITS_TO_TRY
)
MEMORY_RATIO = Setup(
    "memory ratio", Limits(), predict_memory_ratio,
    usage=Usage(memory_bytes=TOTAL_MEMORY, block_percent=40, resume_percent=50), shared_levels=(500, 600),
)  # fmt: skip
OF_BYTES = Limits(limit_bytes=1000)
POLICY = Setup(
    "policy", OF_BYTES, predict_policy, further=_counting(OF_BYTES, None),
    limits_to_try=(*LIMITS_TO_TRY, NO_LIMIT), messages_to_try=MESSAGES_TO_TRY,
)  # fmt: skip
