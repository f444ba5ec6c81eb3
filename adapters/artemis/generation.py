"""Differences between versions of Artemis: starting, management and capabilities."""

from packaging.version import Version

from tidegate.adapters.base import Limits
from tidegate.record.releases import release

MESSAGE_LIMIT_SINCE = Version("2.21")
MESSAGE_LIMIT_MANAGED_SINCE = Version("2.32")
"""Before this version no management operation takes a limit in messages."""
PAGE_LIMIT_SINCE = Version("2.28")
PAGE_LIMIT_MANAGED_SINCE = Version("2.32")
"""Before this version no management operation takes a limit of pages."""
MANAGEMENT_BLOCK_SINCE = Version("2.20")
PERCENT_SHOWN_SINCE = Version("2.20")
"""Before it management shows the bytes charged to an address, and not the used percentage of its limit."""
REJECT_THRESHOLD_MANAGED_SINCE = Version("2.11")
"""Before this version no management operation takes a reject threshold."""


def has_namespace_of_replies(version: str) -> bool:
    """Whether temporary queues for replies of management can have separate settings."""
    return release(version) >= Version("2.16")


def has_main_class(version: str) -> bool:
    """Whether the version has a class that starts a broker from a folder."""
    return release(version) >= Version("2.29")


def takes_settings_in_json(version: str) -> bool:
    """Whether its management takes address settings and queues by name, not only by position."""
    return release(version) >= Version("2.32")


def lacking(version: str) -> frozenset[str]:
    """The capabilities of the newest versions that this version lacks."""
    since = {
        "message-limit": MESSAGE_LIMIT_SINCE,
        "page-limit": PAGE_LIMIT_SINCE,
        "management-block": MANAGEMENT_BLOCK_SINCE,
        "usage-shown": PERCENT_SHOWN_SINCE,
    }
    return frozenset(capability for capability, first in since.items() if release(version) < first)


def only_by_file(version: str, limits: Limits) -> tuple[str, ...]:
    """The limits among these that the version reads from its file, and takes by no management operation."""
    of_pages = ("page_limit_bytes", "page_limit_messages", "page_full_policy")
    since = {
        **dict.fromkeys(of_pages, PAGE_LIMIT_MANAGED_SINCE),
        "limit_messages": MESSAGE_LIMIT_MANAGED_SINCE,
        "reject_bytes": REJECT_THRESHOLD_MANAGED_SINCE,
    }
    return tuple(
        field for field, first in since.items() if release(version) < first and getattr(limits, field) is not None
    )
