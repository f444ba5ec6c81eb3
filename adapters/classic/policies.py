"""What of the contract's limits a policy entry of Classic can say."""

from tidegate.adapters.base import Limits


def sets_policy(limits: Limits) -> bool:
    """Whether these limits say anything that a policy entry has; credit is none of it."""
    return (limits.limit_bytes, limits.policy, limits.cursor) != (None, None, None)
