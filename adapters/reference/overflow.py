"""The treatment of messages by a full destination of the reference under a policy that stops no producer."""

from tidegate.adapters.base import Depth, Limits
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import general_paging

NO_LIMIT = -1
FAIL, DROP, PAGE = "FAIL", "DROP", "PAGE"


def is_reached(limits: Limits, held: Depth) -> bool:
    """Whether a destination has reached either of its limits."""
    levels = (limits.limit_bytes, held.bytes), (limits.limit_messages, held.messages)
    return any(limit not in (None, NO_LIMIT) and level >= limit for limit, level in levels)


def is_passed(limits: Limits, held: Depth) -> bool:
    """Whether a destination exceeds either of its limits; a limit of 0 bytes is none."""
    levels = (limits.limit_bytes or None, held.bytes), (limits.limit_messages, held.messages)
    return any(limit not in (None, NO_LIMIT) and level > limit for limit, level in levels)


def overflowing(limits: Limits, held: Depth) -> str:
    """FAIL or DROP where a destination under this policy has reached either of its limits, else the empty text."""
    return limits.policy if limits.policy in (FAIL, DROP) and is_reached(limits, held) else ""


def page_size(limits: Limits) -> int:
    """The bytes of one page: half of the address's memory limit unless configured, and at least 1."""
    return max(1, (limits.limit_bytes or 0) // 2) if limits.page_bytes is None else limits.page_bytes


class Paging:
    """The messages of one address that are in pages, by the rules of a model."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._rule = model.linked
        self._sizes: dict[str, int] = {}
        self._began = False
        self._written = 0

    @property
    def goes_on(self) -> bool:
        """Whether the next message is paged although memory has room for it."""
        return self._rule(general_paging.pages_on)(self._began, self._written, len(self._sizes))

    def begin(self) -> None:
        """Note that memory is full: the next message is paged."""
        self._began = True

    def is_full(self, limits: Limits) -> bool:
        """Whether the pages have reached either of their limits."""
        limit = NO_LIMIT if limits.page_limit_bytes is None else limits.page_limit_bytes
        page = page_size(limits)
        held = self.depth
        return is_reached(Limits(limit_messages=limits.page_limit_messages), held) or self._rule(
            general_paging.pages_full
        )(limit, held.bytes, self._pages(page), page)

    def _pages(self, page: int) -> int:
        """The number of pages: a message goes to the last page if it fits there, else to a new one.

        An address that pages has one page before its first message.
        """
        pages, taken = 1, 0
        for size in self._sizes.values():
            if taken and taken + size > page:
                pages, taken = pages + 1, 0
            taken += size
        return pages

    @property
    def depth(self) -> Depth:
        """The bytes and the number of the messages in pages."""
        return Depth(sum(self._sizes.values()), len(self._sizes))

    def add(self, message_id: str, size_bytes: int) -> None:
        """Note that a message was written to a page."""
        self._sizes[message_id] = size_bytes
        self._written += 1

    def remove(self, message_id: str) -> None:
        """Forget a message that is gone, in a page or not."""
        if self._sizes.pop(message_id, None) is not None and not self._sizes:
            self._began, self._written = False, 0
