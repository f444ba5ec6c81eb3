"""The wait: the time that a blocked send spends until it may go on, or until it has waited too long."""

from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule

NEVER = -1
"""A time that never comes: no timeout, or no notices."""


@dataclass(frozen=True)
class Wait:
    """The configuration of waiting sends, in ms: the timeout of a send, and the period of its notices."""

    timeout_ms: int
    notify_ms: int


@dataclass(frozen=True)
class Waiting:
    """A waiting send: the ms waited so far, the ms at which its next notice is due, and the number of notices so
    far."""

    waited_ms: int
    next_notice_ms: int
    notices: int


@rule
def expired(wait: Wait, waited_ms: int) -> bool:
    """WAIT-1: a send has waited too long once its whole timeout is over."""
    return wait.timeout_ms != NEVER and waited_ms >= wait.timeout_ms


@rule
def gives_up(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-1: a send gives up as soon as it has waited too long."""
    return expired(wait, waiting.waited_ms)


@rule
def notice_due(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-2: a notice is due at the end of each period, as long as the send still waits."""
    passed = wait.notify_ms != NEVER and waiting.waited_ms >= waiting.next_notice_ms
    return passed and not expired(wait, waiting.waited_ms)


@rule
def begun(wait: Wait) -> Waiting:
    """WAIT-3: a send begins its wait with no notice; the first notice is due after one period."""
    return Waiting(0, wait.notify_ms, 0)


@rule
def after_time(waiting: Waiting, ms: int) -> Waiting:
    """WAIT-4: passing time adds to the time waited."""
    return replace(waiting, waited_ms=waiting.waited_ms + ms)


@rule
def after_notice(wait: Wait, waiting: Waiting) -> Waiting:
    """WAIT-5: a given notice is counted, and the next notice is due one period later."""
    return replace(waiting, next_notice_ms=waiting.next_notice_ms + wait.notify_ms, notices=waiting.notices + 1)
