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
    """The values to which the destination's own limit can be changed."""

    def levels(self, limits: Limits) -> tuple[int, ...]:
        """The levels at which something changes under these limits, the lowest first."""
        own = (limits.resume_bytes, limits.limit_bytes, limits.reject_bytes)
        return (*self.shared_levels, *(level for level in own if level is not None and level != NO_LIMIT))

    def raised_from(self, limits: Limits) -> tuple[int, ...]:
        """The values to try that are higher than the limit in force."""
        return tuple(one for one in self.limits_to_try if _height(one) > _height(limits.limit_bytes))

    def lowered_from(self, limits: Limits) -> tuple[int, ...]:
        """The values to try that are lower than the limit in force."""
        return tuple(one for one in self.limits_to_try if _height(one) < _height(limits.limit_bytes))

    def with_limit(self, limits: Limits, limit_bytes: int) -> Limits:
        """These limits with another upper level; the other levels that are set change in proportion."""
        resume = None if limits.resume_bytes is None else limit_bytes * RESUME_PERCENT // 100
        reject = None if limits.reject_bytes is None else limit_bytes * REJECT_PERCENT // 100
        # the cursor is no limit, and is not changed
        return replace(limits, limit_bytes=limit_bytes, resume_bytes=resume, reject_bytes=reject, cursor=None)


def _height(limit: int | None) -> float:
    return inf if limit is None or limit == NO_LIMIT else limit


LIMITS_TO_TRY = (400, 500, 1000, 1300, 2000, 5000)
ADDRESS = Limits(limit_bytes=1000, policy="BLOCK")


def _rejecting(limits: Limits) -> tuple[str, Limits]:
    """The limits with a reject threshold, and the capability that it needs."""
    return "reject-threshold", replace(limits, reject_bytes=1000 * REJECT_PERCENT // 100)


QUEUE_GATE = Setup(
    "queue gate", Limits(limit_bytes=1000, resume_bytes=800), predict_queue_gate, limits_to_try=LIMITS_TO_TRY
)
OF_TEN = replace(ADDRESS, credit=10, credit_low=3)
AS_DOCUMENTED = replace(ADDRESS, credit=100, credit_low=30)
SMALL_WINDOW = Setup(
    "AMQP credit", OF_TEN, predict_amqp_credit, 20, further=(_rejecting(OF_TEN),), limits_to_try=LIMITS_TO_TRY
)
DOCUMENTED_WINDOW = Setup(
    "AMQP credit", AS_DOCUMENTED, predict_amqp_credit, 6,
    stops_latecomers=True, further=(_rejecting(AS_DOCUMENTED),), limits_to_try=LIMITS_TO_TRY,
)  # fmt: skip
CORE_WINDOW = Setup("Core window", ADDRESS, predict_core_window, 12, limits_to_try=LIMITS_TO_TRY)
MEMORY_LIMIT = Setup(
    "memory limit", Limits(limit_bytes=1000, cursor="memory"), predict_memory_limit, limits_to_try=LIMITS_TO_TRY
)
MEMORY_RATIO = Setup(
    "memory ratio", Limits(), predict_memory_ratio,
    usage=Usage(memory_bytes=TOTAL_MEMORY, block_percent=40, resume_percent=50), shared_levels=(500, 600),
)  # fmt: skip
POLICY = Setup("policy", Limits(limit_bytes=1000), predict_policy, limits_to_try=(*LIMITS_TO_TRY, NO_LIMIT))
