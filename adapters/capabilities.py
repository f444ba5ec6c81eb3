"""The names of all capabilities that an implementation can claim and rules may need, and which claims follow from
others."""

from collections.abc import Iterable, Mapping
from inspect import get_annotations
from itertools import combinations
from typing import TypeVar, cast

from tidegate.adapters import groups
from tidegate.adapters.base import Adapter

Group = TypeVar("Group")

MECHANISMS: Mapping[str, str] = {
    "stops-producers": "a destination that holds its limit in bytes stops its senders",
    "queue-gate": "queues have a capacity and a resume level: a queue past its capacity stops its senders",
    "several-queues": "one message can go to several queues",
    "address-limit": "addresses have a maximum size, and a policy for full addresses",
    "amqp-credit": "AMQP producers are issued credit in messages",
    "any-credit-window": "an address can have any window of AMQP credit, not only the one of the broker's start",
    "reject-threshold": "addresses have a level at which messages are rejected",
    "memory-limit": "destinations have a memory limit",
    "message-limit": "destinations have an upper level in messages, with or without a level in bytes",
    "producer-window": "a producer may have only a limited number of bytes under way without an answer",
    "asynchronous-sends": "a producer need not wait for the answer to each message",
    "settled-sends": "a producer can send messages to which no answer is owed",
    "expiring-transacted": "a transacted producer can send messages that have a time after which they expire",
    "default-sends": "a producer can leave it to its client's default whether it waits for answers",
    "persistent-messages": "messages can survive the end of the broker",
    "ordered-messages": "a consumer is handed the messages of one producer in the order in which they were sent",
    "message-properties": "messages can have properties beside their id",
    "ignored-orders": "a producer can have a client that does not know the order to stop",
    "suspended-connections": "a full destination stops its sender's whole connection, which other clients can share",
    "shared-connections": "several producers and consumers can share one connection",
    "shared-sessions": "several producers of a connection can share one session, and each waits by itself",
    "producer-rate": "a producer's client can have a limit of messages a second",
    "consumer-rate": "a consumer can have a limit of messages a second",
    "core-window": "a producer's client asks for credit in bytes, and the broker grants it",
    "policies": "queues and exchanges have a policy with one level, past which producers are stopped",
    "disk-quota": "a store on disk has a quota, past which all producers are stopped",
    "exact-disk-use": "a message takes exactly its own size on disk, to the byte",
    "connection-count": "too many messages from one connection stop the connection's producers",
    "several-protocols": "producers can choose one of several protocols",
    "file-cursor": "waiting messages can be kept on disk",
    "refusing-policy": "a full destination can refuse messages instead of stopping its senders",
    "dropping-policy": "a full destination can drop messages instead of stopping its senders",
    "page-limit": "an address that pages can have a limit of pages, past which it refuses or drops messages",
    "counts-expired": "management counts the messages that have expired",
    "counts-bytes": "management counts bytes of messages, of all that it counts or of some",
}
"""Capabilities of the implementation itself, and their meaning."""

GROUPS: Mapping[str, type] = {
    "limits-readable": groups.ReadsLimits,
    "default-limits": groups.SetsDefaultLimits,
    "pattern-limits": groups.SetsLimitsByPattern,
    "changed-patterns": groups.ChangesLimitsByPattern,
    "file-limits": groups.SetsLimitsByFile,
    "shared-limits": groups.SharesLimits,
    "usage-limits": groups.SetsUsage,
    "changed-usage": groups.ChangesUsage,
    "usage-readable": groups.ReadsUsage,
    "traffic-readable": groups.ReadsTraffic,
    "stops-shown": groups.ShowsStops,
    "usage-shown": groups.ShowsUsage,
    "full-disk": groups.FillsDisk,
    "changed-limits": groups.ChangesLimits,
    "purge": groups.Purges,
    "moves-messages": groups.MovesMessages,
    "lists-messages": groups.ListsMessages,
    "browsed-messages": groups.BrowsesMessages,
    "dead-letters": groups.GivesMessagesUp,
    "returned-messages": groups.GivesMessagesBack,
    "acknowledges-together": groups.AcknowledgesTogether,
    "recreated-destinations": groups.RecreatesDestinations,
    "filtering-consumers": groups.FiltersForConsumers,
    "expiring-messages": groups.SendsExpiring,
    "delayed-messages": groups.SendsDelayed,
    "priority-queues": groups.OrdersByPriority,
    "temporary-destinations": groups.DeclaresTemporarily,
    "topics": groups.DeclaresTopics,
    "several-bindings": groups.BindsSeveralQueues,
    "later-bindings": groups.BindsLater,
    "temporary-subscriptions": groups.SubscribesTemporarily,
    "bursts": groups.SendsBursts,
    "anonymous-producers": groups.SendsAnonymously,
    "transactions": groups.Transacts,
    "memory-ratio": groups.MeasuresMemory,
    "client-wait": groups.TellsOfClients,
    "consumer-window": groups.BuffersAhead,
    "late-answers": groups.SettlesLate,
    "close-clients": groups.ClosesClients,
    "kill-clients": groups.KillsClients,
    "management-close": groups.ClosesByManagement,
    "management-block": groups.BlocksByManagement,
    "stop-and-start": groups.BlocksByManagement,
    "restarts-broker": groups.RestartsBroker,
    "pauses-broker": groups.PausesBroker,
    "cuts-connections": groups.CutsConnections,
    "qpid-log": groups.WritesLog,
    "artemis-log": groups.WritesLog,
    "classic-log": groups.WritesLog,
}
"""Capabilities with verbs of their own, and the group of these verbs."""

OFFERING = {group: frozenset(name for name, of in GROUPS.items() if of is group) for group in GROUPS.values()}
"""The capabilities of each group of verbs."""

VERBS = {
    group: tuple(name for name in (*vars(group), *get_annotations(group)) if not name.startswith("_"))
    for group in OFFERING
}
"""The verbs and fields of each group. An `isinstance` of a protocol would compute them anew each time, which is
slow."""

CAPABILITIES = frozenset({*MECHANISMS, *GROUPS})
"""All capabilities."""

FAULTS = frozenset({"restarts-broker", "pauses-broker", "cuts-connections"})
"""Capabilities whose verbs are faults; checks that need one have a separate budget."""

STOPS_PRODUCERS = "stops-producers"
STOPPING: tuple[frozenset[str], ...] = (
    *(frozenset({each}) for each in ("queue-gate", "address-limit", "core-window", "memory-limit", "policies")),
    frozenset({"suspended-connections"}),
    frozenset({"memory-ratio", "usage-limits"}),
)
"""Sets of capabilities that stop producers at a limit in bytes. `stops-producers` follows from each set."""


def with_implied(capabilities: Iterable[str]) -> frozenset[str]:
    """The claimed capabilities, and `stops-producers` if they contain one of the sets in `STOPPING`."""
    claimed = frozenset(capabilities)
    return claimed | {STOPS_PRODUCERS} if any(mechanism <= claimed for mechanism in STOPPING) else claimed


_STOPS_PAST_IT = "a destination that holds exactly its limit in bytes stops nobody"
_STOPS_AT_IT = "a destination that holds exactly its limit in bytes stops its senders"
AT_THE_LIMIT: Mapping[str, tuple[str, str]] = {
    "queue-gate": (_STOPS_PAST_IT, "QPID-QUEUE-1"),
    "policies": (_STOPS_PAST_IT, "QPID-POLICY-3"),
    "address-limit": (_STOPS_AT_IT, "ARTEMIS-BLOCK-1"),
    "core-window": (_STOPS_AT_IT, "ARTEMIS-CORE-1"),
    "memory-limit": (_STOPS_AT_IT, "CLASSIC-MEMORY-1"),
    "suspended-connections": (_STOPS_AT_IT, "CLASSIC-CONNECTION-1"),
}
"""Capabilities that give `Limits.limit_bytes` a meaning, this meaning, and the rule that states it."""
ALSO_CONTRADICTORY: Mapping[frozenset[str], str] = {
    frozenset(
        {"queue-gate", "policies"}
    ): "at exactly its limit in bytes, a queue without a configured resume level releases "
    "no producer (QPID-QUEUE-5), and every producer (QPID-POLICY-2)",
    frozenset(
        {"memory-limit", "shared-connections", "suspended-connections"}
    ): "a full destination leaves the other producers of a connection "
    "alone (CLASSIC-MEMORY-4), and suspends them (CLASSIC-CONNECTION-1)",
    frozenset(
        {"policies", "memory-ratio", "client-wait"}
    ): "a client without configuration lets a send fail at once (QPID-SEND-1), and after 120 s (ANDES-CLIENT-4)",
}
"""Further sets of capabilities that no broker can have together, and the reason."""


def contradiction(capabilities: Iterable[str]) -> str | None:
    """Why no broker can keep all rules of these capabilities, in one sentence; None where a broker can."""
    claimed = frozenset(capabilities)
    for one, other in combinations([each for each in AT_THE_LIMIT if each in claimed], 2):
        (first, says), (second, says_too) = AT_THE_LIMIT[one], AT_THE_LIMIT[other]
        if first != second:
            return f"{one} and {other}: {first} ({says}), and {second} ({says_too})"
    found = ((together, why) for together, why in ALSO_CONTRADICTORY.items() if together <= claimed)
    return next((f"{' and '.join(sorted(together))}: {why}" for together, why in found), None)


def offered(adapter: Adapter, group: type[Group]) -> Group | None:
    """The adapter with a group of verbs, if it claims a capability of the group and has the verbs; None if not."""
    claims = not OFFERING[group].isdisjoint(adapter.capabilities)
    has_verbs = claims and all(getattr(adapter, verb, None) is not None for verb in VERBS[group])
    return cast(Group, adapter) if has_verbs else None
