"""What a transaction gives back that took its space when it was sent, which no document of these speaks of."""

from tidegate.model.language.rule import rule


@rule
def freed_by_rollback(size: int) -> int:
    """GENERAL-16: what is rolled back gives all of its bytes back."""
    return size
