"""The store and the temporary files of the reference of ActiveMQ Classic 5, and the messages in each."""

from tidegate.adapters.groups import Usage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic_usage
from tidegate.model.mechanisms.classic_usage import Disk, Placement


class DiskSpace:
    """The disk space that all destinations share: its limits, its use, and the place of each message."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._rule = model.linked
        self._default: Disk = model.default(classic_usage, "DEFAULT_DISK")
        self.limits = self._default
        self._used = Disk(store=0, temp=0)
        self._placements: dict[str, Placement] = {}

    def declare(self, usage: Usage) -> None:
        """Apply the configured limits, and the default for a limit that is not configured."""
        self.limits = Disk(
            store=self._default.store if usage.store_bytes is None else usage.store_bytes,
            temp=self._default.temp if usage.temp_bytes is None else usage.temp_bytes,
        )

    def change(self, usage: Usage) -> None:
        """Apply changed limits while there are messages."""
        self.limits = Disk(
            store=self.limits.store if usage.store_bytes is None else usage.store_bytes,
            temp=self.limits.temp if usage.temp_bytes is None else usage.temp_bytes,
        )

    def holds_back(self, placement: Placement, limits: Disk) -> bool:
        """Whether a message placed like this finds no space within these limits."""
        return self._rule(classic_usage.held_back_by_disk)(limits, self._used, placement)

    def limits_while_waiting(self, began: Disk, topic: bool) -> Disk:
        """The limits for a waiting send to a queue or a topic; the wait began under the limits `began`."""
        return Disk(
            store=self._rule(classic_usage.store_limit_while_waiting)(began.store, self.limits.store, topic),
            temp=self._rule(classic_usage.temp_limit_while_waiting)(began.temp, self.limits.temp),
        )

    def write(self, message_id: str, placement: Placement, size_bytes: int) -> None:
        """Store a message; its placement decides which space it takes."""
        self._placements[message_id] = placement
        self._used = self._rule(classic_usage.after_writing)(self._used, placement, size_bytes)

    def placement(self, message_id: str) -> Placement:
        """The placement of a stored message."""
        return self._placements[message_id]

    def delete(self, message_id: str, size_bytes: int) -> Placement:
        """Free the space of a message; the result is its placement."""
        placement = self._placements.pop(message_id)
        self._used = self._rule(classic_usage.after_deleting)(self._used, placement, size_bytes)
        return placement
