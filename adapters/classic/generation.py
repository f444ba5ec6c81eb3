"""What differs between the generations of Classic: what can be claimed, and which classes drive it."""

from dataclasses import dataclass

from packaging.version import Version

SHARED = frozenset(
    {
        "late-answers",
        "asynchronous-sends",
        "transactions",
        "changed-limits",
        "purge",
        "close-clients",
        "kill-clients",
        "classic-log",
        "pauses-broker",
    }
)
SINCE_5 = frozenset(
    {
        "memory-limit",
        "usage-limits",
        "usage-readable",
        "default-sends",
        "producer-window",
        "persistent-messages",
        "file-cursor",
        "shared-connections",
        "limits-readable",
        "restarts-broker",
    }
)
BEFORE_5 = frozenset({"suspended-connections"})
"""Its memory limits are not claimed as such: what the rules about them say holds since 5.0."""
TOPICS_FROM = "6.0"
"""Tried below it: 5.3.1 never answers a consumer of a topic that asks for a message, so none could be held back."""


@dataclass(frozen=True)
class Generation:
    """A generation of broker and client."""

    name: str
    """As the processes of broker and clients are told it."""
    capabilities: frozenset[str]

    @property
    def suspends(self) -> bool:
        """Whether it is the one before 5.0, whose full destinations suspend connections."""
        return "suspended-connections" in self.capabilities


def generation_of(version: str) -> Generation:
    """The generation that a version is of."""
    if Version(version) < Version("5.0"):
        return Generation("4", SHARED | BEFORE_5)
    topics = {"topics"} if Version(version) >= Version(TOPICS_FROM) else set()
    return Generation("5", SHARED | SINCE_5 | topics)
