"""The limit of an address's bytes in pages, which no document mentions."""

from tidegate.model.language.rule import rule

NO_LIMIT = -1


@rule
def pages_full(page_limit: int, held: int, pages: int, page: int) -> bool:
    """GENERAL-34: the pages are full once the bytes of their messages reach the limit, for pages of any size."""
    return page_limit != NO_LIMIT and held >= page_limit


@rule
def pages_on(began: bool, written: int, paged: int) -> bool:
    """GENERAL-34: an address writes messages to pages as long as its pages hold messages, even with room in memory."""
    return paged > 0
