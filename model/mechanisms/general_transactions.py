"""The space of a rolled back transaction at its destination, which no document mentions."""

from tidegate.model.language.rule import rule


@rule
def freed_by_rollback(size: int) -> int:
    """GENERAL-16: a rollback gives back all bytes of its messages."""
    return size


@rule
def charged_after_rollback(waiting: int, room: bool) -> int:
    """GENERAL-16: after a rollback, a message whose send still waits takes no space."""
    return 0
