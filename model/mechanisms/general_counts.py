"""The counts of management on a destination, which no document mentions."""

from tidegate.model.language.rule import rule


@rule
def counted_after_purge(counted: int, waiting: int) -> int:
    """GENERAL-22: after a purge, only messages in flight are counted."""
    return counted - waiting
