"""The names of all capabilities: what an implementation can claim, and what rules may need."""

from collections.abc import Mapping
from typing import TypeVar

from tidegate.adapters import groups
from tidegate.adapters.base import Adapter

Group = TypeVar("Group")

MECHANISMS: Mapping[str, str] = {
    "queue-gate": "queues have a capacity and a resume level, and stop those who send past them",
    "several-queues": "one message can go to several queues",
    "address-limit": "addresses have a maximum size and a policy for when they are full",
    "amqp-credit": "AMQP producers are issued credit in messages",
    "any-credit-window": "the window of AMQP credit can be any, not only the one that the broker was started with",
    "reject-threshold": "addresses have a level at which messages are rejected",
    "memory-limit": "destinations have a memory limit",
    "message-limit": "destinations have an upper level in messages, beside or instead of bytes",
    "producer-window": "a producer may send so many bytes without an answer",
    "asynchronous-sends": "a producer need not wait for the answer to each message",
    "default-sends": "a producer can be opened for which it is not configured whether it waits for answers",
    "persistent-messages": "messages can survive the broker",
    "ignored-orders": "a producer can be opened that does not know the order to stop",
    "suspended-connections": "a full destination stops the whole connection of its sender, which others can share",
    "shared-connections": "several producers and consumers can share one connection",
    "producer-rate": "a producer's client can be limited to so many messages a second",
    "consumer-rate": "a consumer can be limited to so many messages a second",
    "core-window": "a producer's client asks for credit in bytes, and the broker grants it",
    "policies": "queues and exchanges have a policy, which stops who publishes past it and has no second level",
    "disk-quota": "a store on disk has a quota, past which all producers are stopped",
    "exact-disk-use": "what a message takes on disk is its own size, to the byte",
    "connection-count": "producers are stopped by how many messages came over their connection",
    "several-protocols": "producers can choose one of several protocols",
    "file-cursor": "messages that wait can be kept on disk",
}
"""Capabilities that are about what the implementation has, and what they mean."""

GROUPS: Mapping[str, type] = {
    "limits-readable": groups.ReadsLimits,
    "default-limits": groups.SetsDefaultLimits,
    "usage-limits": groups.SetsUsage,
    "usage-readable": groups.ReadsUsage,
    "changed-limits": groups.ChangesLimits,
    "purge": groups.Purges,
    "topics": groups.DeclaresTopics,
    "anonymous-producers": groups.SendsAnonymously,
    "transactions": groups.Transacts,
    "memory-ratio": groups.MeasuresMemory,
    "client-wait": groups.TellsOfClients,
    "consumer-window": groups.BuffersAhead,
    "late-answers": groups.SettlesLate,
    "close-clients": groups.ClosesClients,
    "kill-clients": groups.KillsClients,
    "management-block": groups.BlocksByManagement,
    "stop-and-start": groups.BlocksByManagement,
    "qpid-log": groups.WritesLog,
    "artemis-log": groups.WritesLog,
    "classic-log": groups.WritesLog,
}
"""Capabilities that come with verbs of their own, and the group of these verbs."""

CAPABILITIES = frozenset({*MECHANISMS, *GROUPS})
"""Every capability that there is."""


def offered(adapter: Adapter, group: type[Group]) -> Group | None:
    """The adapter as one that offers a group of verbs: it claims the capability and has the verbs; None if not."""
    claims = any(GROUPS.get(capability) is group for capability in adapter.capabilities)
    return adapter if claims and isinstance(adapter, group) else None
