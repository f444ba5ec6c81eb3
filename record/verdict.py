"""What can be known about a rule."""

from enum import StrEnum


class Verdict(StrEnum):
    """What is known about one rule of one implementation."""

    KEPT = "kept"
    """Every check of the rule was kept."""
    VIOLATED = "violated"
    """The implementation was seen to do otherwise than the rule says."""
    ALLOWED = "allowed"
    """A permission (MAY) that the implementation does not take."""
    NOT_CLAIMED = "not claimed"
    """The implementation lacks a capability that the rule needs, or its profile says why it does not claim the rule."""
    UNKNOWN = "unknown"
    """The rule is claimed and could not be judged; never green."""
