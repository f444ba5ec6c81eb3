"""The verdicts on a rule."""

from enum import StrEnum


class Verdict(StrEnum):
    """The verdict on one rule of one implementation."""

    KEPT = "kept"
    """Every check of the rule was kept; a permission (MAY) is `used` or `not used` instead."""
    VIOLATED = "violated"
    """The implementation was seen to do something else than the rule says."""
    FOLLOWS = "follows"
    """Checks of the rule failed, and each of them because another rule is violated, which the report names."""
    USED = "used"
    """A permission (MAY) that the implementation was seen to use."""
    NOT_USED = "not used"
    """A permission (MAY) that the implementation was seen not to use; not wrong."""
    NOT_CLAIMED = "not claimed"
    """The implementation lacks a capability that the rule needs, or its profile says why it does not claim the rule."""
    UNKNOWN = "unknown"
    """The rule is claimed and could not be judged; never green."""
