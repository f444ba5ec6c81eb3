"""The message store of the Qpid reference: what messages take on disk, and whether that blocks producers."""

from collections.abc import Iterable

from tidegate.adapters.groups import Usage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid, qpid_disk

KIND = "BDB"
"""Which of the stores with a quota the reference has."""


class MessageStore:
    """A store in which a persistent message takes its own size, once, however many queues it is on."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._rule = model.linked
        self._store = _empty(Usage())
        self._copies: dict[str, int] = {}
        """Message id to the number of queues that the persistent message is still on."""

    @property
    def blocks(self) -> bool:
        """Whether producers are blocked by the quota."""
        return self._store.blocked

    def declare(self, usage: Usage) -> None:
        """Configure the quota, of an empty store."""
        self._store = _empty(usage)

    def stops(self, broker: qpid.Broker, producer: str) -> bool:
        """Whether the store, or a queue, stops a producer."""
        return self._rule(qpid_disk.producer_stopped)(self._store, broker, qpid.ChannelName(producer))

    def write(self, message_id: str, size_bytes: int, copies: int) -> None:
        """A persistent message came, for so many queues."""
        self._copies[message_id] = copies
        self._store = self._rule(qpid_disk.after_writing)(self._store, size_bytes)

    def delete(self, messages: Iterable[tuple[str, int]]) -> None:
        """Messages, by id and size in bytes, left a queue each; the last copy gives its space back."""
        for message_id, size_bytes in messages:
            if message_id not in self._copies:
                continue
            self._copies[message_id] -= 1
            if self._copies[message_id] == 0:
                del self._copies[message_id]
                self._store = self._rule(qpid_disk.after_deleting)(self._store, size_bytes)

    def clear(self) -> None:
        """Forget messages and quota."""
        self._copies.clear()
        self._store = _empty(Usage())


def _empty(usage: Usage) -> qpid_disk.Store:
    most = qpid_disk.NO_QUOTA if usage.quota_bytes is None else usage.quota_bytes
    resume = most if usage.quota_resume_bytes is None else usage.quota_resume_bytes
    return qpid_disk.Store(qpid_disk.Quota(most, resume), used_bytes=0, blocked=False)
