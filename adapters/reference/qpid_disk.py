"""The message store of the Qpid reference: the disk space of messages, and whether the store blocks producers."""

from collections.abc import Iterable

from tidegate.adapters.groups import Usage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid, qpid_disk

KIND = "BDB"
"""The kind of store with a quota that the reference has."""


class MessageStore:
    """A store in which a persistent message takes its own size once, however many queues hold it."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._rule = model.linked
        self._store = _empty(Usage())
        self._copies: dict[str, int] = {}
        """For each persistent message, the number of queues that still hold it."""

    @property
    def blocks(self) -> bool:
        """Whether the quota blocks producers."""
        return self._store.blocked

    def declare(self, usage: Usage) -> None:
        """Configure the quota of an empty store."""
        self._store = _empty(usage)

    def stops(self, broker: qpid.Broker, producer: str) -> bool:
        """Whether the store, or a queue, stops a producer."""
        return self._rule(qpid_disk.producer_stopped)(self._store, broker, qpid.ChannelName(producer))

    def write(self, message_id: str, size_bytes: int, copies: int) -> None:
        """Write a persistent message that goes to this many queues."""
        self._copies[message_id] = copies
        self._store = self._rule(qpid_disk.after_writing)(self._store, size_bytes)

    def delete(self, messages: Iterable[tuple[str, int]]) -> None:
        """Remove messages, by id and size in bytes, from a queue each; the last copy's removal frees the space."""
        for message_id, size_bytes in messages:
            if message_id not in self._copies:
                continue
            self._copies[message_id] -= 1
            if self._copies[message_id] == 0:
                del self._copies[message_id]
                self._store = self._rule(qpid_disk.after_deleting)(self._store, size_bytes)

    def clear(self) -> None:
        """Forget all messages and the quota."""
        self._copies.clear()
        self._store = _empty(Usage())


def _empty(usage: Usage) -> qpid_disk.Store:
    most = qpid_disk.NO_QUOTA if usage.quota_bytes is None else usage.quota_bytes
    resume = most if usage.quota_resume_bytes is None else usage.quota_resume_bytes
    return qpid_disk.Store(qpid_disk.Quota(most, resume), used_bytes=0, blocked=False)
