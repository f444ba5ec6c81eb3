"""Brokers whose figures are right only for a while, or only while they are small."""

from dataclasses import replace

from tests.conformance.behind import Behind
from tests.conformance.broken_over import over
from tidegate.adapters.base import Depth, Limits, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference

BITS = 0x7FFFFFFF
EACH = 100
ROUNDS = 10


class LeaksOfEachHundredth(Behind):
    """Reports a byte of each hundredth acknowledged message for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._acknowledged = 0

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._acknowledged += 1

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return Depth(held.bytes + self._acknowledged // EACH, held.messages)

    def end_scenario(self) -> None:
        self._acknowledged = 0
        super().end_scenario()


def _in_31_bits(level: int | None) -> int | None:
    return level & BITS if level is not None and level > 0 else level


class LimitsIn31Bits(Behind):
    """Uses only 31 bits of a limit."""

    def declare(self, destination: str, limits: Limits) -> None:
        limit, resume = _in_31_bits(limits.limit_bytes), _in_31_bits(limits.resume_bytes)
        super().declare(destination, replace(limits, limit_bytes=limit, resume_bytes=resume))


class ReleasesNobodyAfterTenRounds(Behind):
    """Releases producers ten times in all; a producer that is blocked after that stays blocked."""

    def __init__(self) -> None:
        super().__init__()
        self._stopped: set[str] = set()
        self._rounds = 0

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        if standing.stopped:
            self._stopped.add(producer)
        elif producer in self._stopped:
            if self._rounds >= ROUNDS:
                return replace(standing, stopped=True)
            self._stopped.discard(producer)
            self._rounds += 1
        return standing

    def end_scenario(self) -> None:
        self._stopped.clear()
        self._rounds = 0
        super().end_scenario()


FIGURES: dict[type, tuple[str, ...]] = dict.fromkeys(over(LeaksOfEachHundredth), ("GENERAL-8",))
"""The rules that each of these brokers breaks."""
UNDER: dict[type, str] = {
    **dict.fromkeys(over(LimitsIn31Bits, (Qpid942Reference, ArtemisReference)), "past 32 bits"),
    **dict.fromkeys(over(ReleasesNobodyAfterTenRounds, (QpidReference,)), "drained twenty times"),
}
"""The one value of a condition under which each of these brokers breaks a rule."""
globals().update({cls.__name__: cls for cls in (*FIGURES, *UNDER)})
