"""How limits are configured for a destination."""

from enum import StrEnum


class Road(StrEnum):
    """Where an operator writes the limits of a destination."""

    DECLARED = "declared"
    """With the destination itself."""
    DEFAULT = "default"
    """As what holds for every destination that sets nothing else."""
    PATTERN = "pattern"
    """For a pattern that the destination's name matches."""
    CLOSER_PATTERN = "closer pattern"
    """For the closest of several patterns that the destination's name matches."""
    FILE = "file"
    """In a file that the broker reads when it starts."""
    TOGETHER = "together"
    """For all destinations together; this one has none of its own."""
