"""The configured time of a waiting send, under any mechanism."""

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.wait import NEVER, Wait, expired


@rule
def has_waited_its_time(timeout_ms: int, waited_ms: int) -> bool:
    """GENERAL-51: a send fails once it has waited for its whole timeout, whatever blocks it."""
    return expired(Wait(timeout_ms, NEVER), waited_ms)
