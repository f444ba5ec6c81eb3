"""The counts of management on a destination, which no document mentions."""

from tidegate.model.language.rule import rule


@rule
def counted_after_purge(counted: int, waiting: int) -> int:
    """GENERAL-22: the messages that waited are counted no more once they are purged, and those in hand still are."""
    return counted - waiting
