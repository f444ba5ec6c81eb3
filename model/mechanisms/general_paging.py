"""The limit of an address's bytes in pages, which no document mentions."""

from tidegate.model.language.rule import rule

NO_LIMIT = -1


@rule
def pages_full(page_limit: int, held: int, pages: int, page: int) -> bool:
    """GENERAL-34: as many bytes of messages lie in pages as may, however many pages of so many bytes these take."""
    return page_limit != NO_LIMIT and held >= page_limit


@rule
def pages_on(began: bool, written: int, paged: int) -> bool:
    """GENERAL-34: an address whose memory has room again pages on as long as messages lie in its pages."""
    return paged > 0
