"""The space of a rolled back transaction at its destination, which no document mentions."""

from tidegate.model.language.rule import rule


@rule
def freed_by_rollback(size: int) -> int:
    """GENERAL-16: what is rolled back gives all of its bytes back."""
    return size


@rule
def charged_after_rollback(waiting: int, room: bool) -> int:
    """GENERAL-16: a message whose send still waits takes no space once its transaction is rolled back."""
    return 0
