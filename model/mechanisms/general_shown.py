"""How management shows what a limit is used to, which no document of these speaks of."""

from tidegate.model.language.rule import rule

PER_CENT = 100
"""The whole of a limit."""


@rule
def is_shown_rightly(percent: int, used: int, limit: int) -> bool:
    """GENERAL-50: a whole per cent is less than one away from what is used; of a full limit 100 may stand for more."""
    off = percent * limit - PER_CENT * used
    return (off < limit and off + limit > 0) or (percent == PER_CENT and used >= limit)
