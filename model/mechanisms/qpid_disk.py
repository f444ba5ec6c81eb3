"""The disk quota of the Qpid Java broker: a store above its quota stops every producer of the virtual host.

Composes the gate over the space of a store on disk. A commit is not a send: a full store does not stop it.
"""

from dataclasses import dataclass, replace

from tidegate.model.language.message_text import Message
from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.gate import Gate, below_low, past_high, settled
from tidegate.model.mechanisms.qpid import Broker, ChannelName, stopped

NO_QUOTA = -1
"""The overfull limit that means no quota."""
STORES = ("BDB", "Derby")
"""QPID-DISK-6: the message stores that support a quota."""
STORE_OVERFULL = Message("MST-1008", "Store overfull, flow control will be enforced")
"""QPID-DISK-8: the store's space passed the overfull limit, and the virtual host's producers are blocked."""
STORE_CLEARED = Message("MST-1009", "Store overfull condition cleared")
"""QPID-DISK-9: enough space was freed, and the virtual host's producers are unblocked."""


@dataclass(frozen=True)
class Quota:
    """The two limits of a store's space on disk, in bytes; `overfull_bytes` may be NO_QUOTA."""

    overfull_bytes: int
    underfull_bytes: int


@dataclass(frozen=True)
class Store:
    """A message store: its quota, its bytes on disk, and whether it blocks producers."""

    quota: Quota
    used_bytes: int
    blocked: bool


@rule
def quota_gate(quota: Quota) -> Gate:
    """QPID-DISK-2: the two limits as one gate over the used space of the store."""
    return Gate(quota.overfull_bytes, quota.underfull_bytes)


@rule
def overfull(store: Store) -> bool:
    """QPID-DISK-1: a store with a quota is overfull above its overfull limit."""
    return store.quota.overfull_bytes != NO_QUOTA and past_high(quota_gate(store.quota), store.used_bytes)


@rule
def overfull_when_reached(store: Store) -> bool:
    """QPID-DISK-1: the other reading, in which a store is overfull at its overfull limit."""
    return store.quota.overfull_bytes != NO_QUOTA and not below_low(
        Gate(store.quota.overfull_bytes, store.quota.overfull_bytes), store.used_bytes
    )


@rule
def underfull(store: Store) -> bool:
    """QPID-DISK-2: a store is underfull below its underfull limit, or without a quota."""
    return store.quota.overfull_bytes == NO_QUOTA or below_low(quota_gate(store.quota), store.used_bytes)


@rule
def looked_at(store: Store) -> Store:
    """QPID-DISK-3: from an overfull store until an underfull store, producers are blocked."""
    blocks = store.quota.overfull_bytes != NO_QUOTA and settled(
        quota_gate(store.quota), store.blocked, store.used_bytes
    )
    return replace(store, blocked=blocks)


@rule
def after_writing(store: Store, size: int) -> Store:
    """QPID-DISK-5: a sent or committed message is written before the quota is checked, also while producers wait."""
    return looked_at(replace(store, used_bytes=store.used_bytes + size))


@rule
def after_deleting(store: Store, size: int) -> Store:
    """QPID-DISK-4: consumed messages give their space back; producers are unblocked once the store is underfull."""
    return looked_at(replace(store, used_bytes=store.used_bytes - size))


@rule
def producer_stopped(store: Store, broker: Broker, channel: ChannelName) -> bool:
    """QPID-DISK-3: a channel is stopped if the store blocks all channels, or if a queue holds the channel."""
    return store.blocked or stopped(broker, channel)
