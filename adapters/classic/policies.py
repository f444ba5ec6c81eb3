"""The limits of the contract that a policy entry of Classic can have, and the size of its files on disk."""

from tidegate.adapters.base import Limits
from tidegate.adapters.groups import Usage

SMALLEST_JOURNAL = 64 * 1024
LARGEST_JOURNAL = 32 * 1024 * 1024
JOURNALS_IN_LIMIT = 8
"""The number of journal files that fit the smaller limit on disk: usage on disk changes by whole files."""


def sets_policy(limits: Limits) -> bool:
    """Whether these limits set anything that a policy entry has, which does not include credit."""
    return (limits.limit_bytes, limits.policy, limits.cursor) != (None, None, None)


def journal_bytes(usage: Usage) -> int:
    """The largest size of a journal file, in bytes."""
    limits = [limit for limit in (usage.store_bytes, usage.temp_bytes) if limit is not None and limit > 0]
    if not limits:
        return LARGEST_JOURNAL
    return min(max(min(limits) // JOURNALS_IN_LIMIT, SMALLEST_JOURNAL), LARGEST_JOURNAL)
