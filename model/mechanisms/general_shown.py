"""The percentage of a limit that management shows as used, of which no document speaks."""

from tidegate.model.language.rule import rule

PER_CENT = 100
"""The percentage of a whole limit."""


@rule
def is_shown_rightly(percent: int, used: int, limit: int) -> bool:
    """GENERAL-50: the shown percentage is less than one from the used one; 100 may stand for more of a full limit."""
    off = percent * limit - PER_CENT * used
    return (off < limit and off + limit > 0) or (percent == PER_CENT and used >= limit)
