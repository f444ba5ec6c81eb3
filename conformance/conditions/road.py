"""The ways in which limits are configured for a destination."""

from enum import StrEnum


class Road(StrEnum):
    """The place where an operator writes the limits of a destination."""

    DECLARED = "declared"
    """On the destination itself."""
    DEFAULT = "default"
    """As the default for every destination that sets nothing else."""
    PATTERN = "pattern"
    """For a pattern that the destination's name matches."""
    CLOSER_PATTERN = "closer pattern"
    """For the closest of several patterns that the destination's name matches."""
    FILE = "file"
    """In a file that the broker reads when it starts."""
    TOGETHER = "together"
    """On all destinations together; this destination has no limits of its own."""
