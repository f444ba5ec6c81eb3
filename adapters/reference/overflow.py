"""What a full destination of the reference does with messages under a policy that stops nobody."""

from tidegate.adapters.base import Depth, Limits

NO_LIMIT = -1
FAIL, DROP, PAGE = "FAIL", "DROP", "PAGE"


def is_reached(limits: Limits, held: Depth) -> bool:
    """Whether a destination holds as much as either of its limits."""
    levels = (limits.limit_bytes, held.bytes), (limits.limit_messages, held.messages)
    return any(limit not in (None, NO_LIMIT) and level >= limit for limit, level in levels)


def is_passed(limits: Limits, held: Depth) -> bool:
    """Whether a destination holds more than either of its limits; a limit of 0 bytes is none."""
    levels = (limits.limit_bytes or None, held.bytes), (limits.limit_messages, held.messages)
    return any(limit not in (None, NO_LIMIT) and level > limit for limit, level in levels)


def are_pages_full(limits: Limits, paged: Depth) -> bool:
    """Whether as much is paged as either limit of pages allows."""
    return is_reached(Limits(limit_bytes=limits.page_limit_bytes, limit_messages=limits.page_limit_messages), paged)


class Paging:
    """The messages of one address that lie in pages."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    @property
    def depth(self) -> Depth:
        """Bytes and number of the messages in pages."""
        return Depth(sum(self._sizes.values()), len(self._sizes))

    def add(self, message_id: str, size_bytes: int) -> None:
        """A message was written to a page."""
        self._sizes[message_id] = size_bytes

    def remove(self, message_id: str) -> None:
        """A message is gone, wherever it lay."""
        self._sizes.pop(message_id, None)

    def clear(self) -> None:
        """All messages are gone."""
        self._sizes.clear()
