"""Brokers that inherit limits wrongly, release producers by time alone, or forget one of many waiting producers."""

from dataclasses import replace

from tests.conformance.behind import Behind
from tests.conformance.broken_over import EVERYWHERE, over
from tidegate.adapters.base import Limits, Standing
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.model.mechanisms import qpid942

MINUTE_MS = 60_000
THIRD = 3


class InheritsNoResumeLevel(QpidReference):
    """Inherits a capacity from the virtual host, and no resume level."""

    def declare(self, destination: str, limits: Limits) -> None:
        capacity = self._defaults.capacity if limits.limit_bytes is None else limits.limit_bytes
        alone = limits.resume_bytes is None and capacity > 0
        super().declare(destination, replace(limits, resume_bytes=capacity) if alone else limits)


class PutsDefaultsFirst(QpidReference):
    """Applies the limits of the virtual host to a queue that has its own."""

    def declare(self, destination: str, limits: Limits) -> None:
        has_defaults = self._defaults.capacity > 0
        super().declare(destination, Limits() if has_defaults else limits)


class AddsThePolicyOfTheExchange(Qpid942Reference):
    """Adds the exchange's level in messages to a queue's policy in bytes, and the other way round."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        queue = self._queues[destination]
        joined = qpid942.policy_level_by_level(queue.policy, self._exchange)
        self._queues[destination] = replace(queue, policy=joined)


class LetsGoAfterAMinute(Behind):
    """Releases a producer that has been stopped for a minute, at any level of its destination."""

    def __init__(self) -> None:
        super().__init__()
        self._since_ms: dict[str, int] = {}

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        if not standing.stopped:
            self._since_ms.pop(producer, None)
            return standing
        waited_ms = self._storage.now_ms - self._since_ms.setdefault(producer, self._storage.now_ms)
        return replace(standing, stopped=waited_ms < MINUTE_MS)

    def end_scenario(self) -> None:
        self._since_ms.clear()
        super().end_scenario()


class ForgetsTheThirdWhoWaits(Behind):
    """Never releases the third producer that was stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._stopped: list[str] = []

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        if standing.stopped and producer not in self._stopped:
            self._stopped.append(producer)
        forgotten = producer in self._stopped[THIRD - 1 : THIRD]
        return replace(standing, stopped=True) if forgotten else standing

    def end_scenario(self) -> None:
        self._stopped.clear()
        super().end_scenario()


SWITCHES: dict[type, tuple[str, ...]] = {
    InheritsNoResumeLevel: ("QPID-QUEUE-6",),
    PutsDefaultsFirst: ("QPID-QUEUE-6",),
    AddsThePolicyOfTheExchange: ("QPID-POLICY-5",),
    **dict.fromkeys(
        over(LetsGoAfterAMinute, [cls for cls in EVERYWHERE if cls is not AndesReference]), ("GENERAL-20",)
    ),
    # a waiting send times out after two minutes there, so no check lets more time pass
    **dict.fromkeys(over(LetsGoAfterAMinute, [AndesReference]), ("ANDES-MEMORY-2",)),
    **dict.fromkeys(over(ForgetsTheThirdWhoWaits), ("GENERAL-3",)),
}
"""The rules that each of these brokers breaks, the most direct first."""
globals().update({cls.__name__: cls for cls in SWITCHES})
