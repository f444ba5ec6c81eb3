"""The store and the temporary files of the reference of ActiveMQ Classic 5, and which messages are on them."""

from tidegate.adapters.groups import Usage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic_usage
from tidegate.model.mechanisms.classic_usage import Disk, Placement


class DiskSpace:
    """What all destinations share on disk: its limits, what is used of it, and where each message is."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._rule = model.linked
        self._default: Disk = model.default(classic_usage, "DEFAULT_DISK")
        self.limits = self._default
        self._used = Disk(store=0, temp=0)
        self._placements: dict[str, Placement] = {}

    def declare(self, usage: Usage) -> None:
        """Take on the limits that are configured, and the default of what is not."""
        self.limits = Disk(
            store=self._default.store if usage.store_bytes is None else usage.store_bytes,
            temp=self._default.temp if usage.temp_bytes is None else usage.temp_bytes,
        )

    def change(self, usage: Usage) -> None:
        """Take on the limits that are changed while there are messages."""
        self.limits = Disk(
            store=self.limits.store if usage.store_bytes is None else usage.store_bytes,
            temp=self.limits.temp if usage.temp_bytes is None else usage.temp_bytes,
        )

    def holds_back(self, placement: Placement, limits: Disk) -> bool:
        """Whether a message placed like this finds no space within these limits."""
        return self._rule(classic_usage.held_back_by_disk)(limits, self._used, placement)

    def limits_while_waiting(self, began: Disk, topic: bool) -> Disk:
        """What counts for a send to a queue or a topic that waits, and began to under the limits `began`."""
        return Disk(
            store=self._rule(classic_usage.store_limit_while_waiting)(began.store, self.limits.store, topic),
            temp=self._rule(classic_usage.temp_limit_while_waiting)(began.temp, self.limits.temp),
        )

    def write(self, message_id: str, placement: Placement, size_bytes: int) -> None:
        """Store a message; what it takes follows from where it is placed."""
        self._placements[message_id] = placement
        self._used = self._rule(classic_usage.after_writing)(self._used, placement, size_bytes)

    def placement(self, message_id: str) -> Placement:
        """Where a message is that was stored."""
        return self._placements[message_id]

    def delete(self, message_id: str, size_bytes: int) -> Placement:
        """Give back what a message took; where it was."""
        placement = self._placements.pop(message_id)
        self._used = self._rule(classic_usage.after_deleting)(self._used, placement, size_bytes)
        return placement
