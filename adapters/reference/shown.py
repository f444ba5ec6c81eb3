"""The percentage that the management of a reference broker shows."""

from tidegate.model.mechanisms.general_shown import PER_CENT


def whole_percent(used: int, limit: int | None) -> int | None:
    """The used bytes as a percentage of the limit in bytes, rounded down; None without a limit."""
    return used * PER_CENT // limit if limit is not None and limit > 0 else None
