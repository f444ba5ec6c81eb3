"""Differences between the generations of Classic: their capabilities, and the classes that drive them."""

from dataclasses import dataclass

from packaging.version import Version

from tidegate.record.releases import release

SHARED = frozenset(
    {
        "late-answers",
        "asynchronous-sends",
        "transactions",
        "ordered-messages",
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
        "default-limits",
        "pattern-limits",
        "shared-limits",
        "usage-limits",
        "changed-usage",
        "management-close",
        "usage-readable",
        "default-sends",
        "producer-window",
        "persistent-messages",
        "file-cursor",
        "shared-connections",
        "limits-readable",
        "restarts-broker",
        "moves-messages",
        "lists-messages",
        "expiring-messages",
        "expiring-transacted",
        "browsed-messages",
        "dead-letters",
        "recreated-destinations",
        "filtering-consumers",
        "traffic-readable",
        "counts-expired",
        "usage-shown",
        "priority-queues",
    }
)
BEFORE_5 = frozenset({"suspended-connections"})
"""Its memory limits are not claimed as such: the rules about them hold since 5.0."""
OF_TOPICS = frozenset({"topics", "several-bindings", "later-bindings", "temporary-subscriptions"})
TEMPORARY = frozenset({"temporary-destinations"})
TOPICS_FROM = "5.10"
"""Before this version the client makes no durable consumer in a session that acknowledges messages one by one."""

STOPS_SHOWN_FROM = "5.9"
"""Before it management does not show of a producer whether it is blocked."""

SCALE = 1200
"""The factor from the suite's figures to possible sizes of messages: no message is charged less than 1,024 bytes."""
SCALE_OF_5_0 = 10_000
"""The scale of 5.0, which charges 8,192 bytes for each message besides its body."""


@dataclass(frozen=True)
class Generation:
    """A generation of broker and client."""

    name: str
    """The name of the generation, an argument of the processes of broker and clients."""
    capabilities: frozenset[str]
    scale: int = SCALE

    @property
    def suspends(self) -> bool:
        """Whether the broker is older than 5.0, so full destinations suspend connections."""
        return "suspended-connections" in self.capabilities


def generation_of(version: str) -> Generation:
    """The generation of a version."""
    if release(version) < Version("5.0"):
        return Generation("4", SHARED | BEFORE_5)
    name = "5.0" if release(version) < Version("5.3") else "5"
    topics = OF_TOPICS | TEMPORARY if release(version) >= Version(TOPICS_FROM) else frozenset()
    if release(version) < Version("5.1"):
        return Generation(name, SHARED | SINCE_5, scale=SCALE_OF_5_0)
    shown = {"stops-shown"} if release(version) >= Version(STOPS_SHOWN_FROM) else set()
    return Generation(name, SHARED | SINCE_5 | topics | shown)
