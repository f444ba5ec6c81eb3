"""What of the contract's limits a policy entry of Classic can say, and how large its files on disk are."""

from tidegate.adapters.base import Limits
from tidegate.adapters.groups import Usage

SMALLEST_JOURNAL = 64 * 1024
LARGEST_JOURNAL = 32 * 1024 * 1024
JOURNALS_IN_LIMIT = 8
"""How many journal files the smaller of the limits on disk has room for: usage on disk moves in whole files."""


def sets_policy(limits: Limits) -> bool:
    """Whether these limits say anything that a policy entry has; credit is none of it."""
    return (limits.limit_bytes, limits.policy, limits.cursor) != (None, None, None)


def journal_bytes(usage: Usage) -> int:
    """The largest size of a journal file, in bytes."""
    limits = [limit for limit in (usage.store_bytes, usage.temp_bytes) if limit is not None and limit > 0]
    if not limits:
        return LARGEST_JOURNAL
    return min(max(min(limits) // JOURNALS_IN_LIMIT, SMALLEST_JOURNAL), LARGEST_JOURNAL)
