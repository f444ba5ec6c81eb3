"""The rate: at most so many messages in any second."""

from tidegate.model.language.rule import rule

DISABLED = -1
"""The rate that means no limit."""
SECOND_MS = 1000


@rule
def is_limited(per_second: int) -> bool:
    """RATE-1: a rate is in force if it is positive."""
    return per_second > 0


@rule
def counts(ago_ms: int) -> bool:
    """RATE-2: a message counts for one second after it passed."""
    return ago_ms < SECOND_MS


@rule
def counts_from(passed_ms: int, second_began_ms: int) -> int:
    """RATE-2: a message counts from the time at which it passed, whenever the client's second began."""
    return passed_ms


@rule
def used_at_first(per_second: int) -> int:
    """RATE-1: a client's rate is unused at the client's first request."""
    return 0


@rule
def may_pass(per_second: int, in_last_second: int) -> bool:
    """ARTEMIS-RATE-12: a message may pass if fewer messages than the rate passed in the last second."""
    return not is_limited(per_second) or in_last_second < per_second


@rule
def may_pass_unless_zero(per_second: int, in_last_second: int) -> bool:
    """RATE-3: the other reading of 0, in which a rate of 0 lets no message pass."""
    return per_second == DISABLED or in_last_second < per_second


@rule
def may_pass_in_step(per_second: int, since_last_ms: int) -> bool:
    """RATE-3: the other reading of a rate, in which messages pass at even intervals."""
    return not is_limited(per_second) or since_last_ms * per_second >= SECOND_MS


@rule
def counts_by_clock(passed_ms: int, second_began_ms: int) -> bool:
    """RATE-2: the other reading of a second, in which messages count since the clock's last full second."""
    return passed_ms >= second_began_ms
