"""What management shows of stopped producers and of used limits, which no document mentions."""

from tidegate.model.language.rule import rule

PER_CENT = 100
"""The percentage of a whole limit."""


@rule
def shown_stopped(stopped: bool, topic: bool, send_failed: bool) -> bool:
    """GENERAL-49: management shows a producer as stopped exactly if it is, at queues and topics, after any wait."""
    return stopped


@rule
def is_shown_rightly(percent: int, used: int, limit: int) -> bool:
    """GENERAL-50: the shown percentage differs by less than 1 from the real one; 100 may stand for more."""
    off = percent * limit - PER_CENT * used
    return (off < limit and off + limit > 0) or (percent == PER_CENT and used >= limit)
