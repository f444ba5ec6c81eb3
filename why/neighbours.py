"""A line together with its neighbours: mails and pages wrap a line of a log into several."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile

from tidegate.why.marks import split
from tidegate.why.prefixes import begins_with_time, time_in
from tidegate.why.rewrapped import without_mark
from tidegate.why.texts import FENCE

AT_ONCE = 64
"""The number of lines whose text without marks is kept: a line is asked again as a neighbour of each line near it."""
WRAPPED = 3
"""The most lines before and after a line that may be parts of the same wrapped line."""


def is_split(text: str, behind: str) -> bool:
    """Whether a mark begins at the end of one line and ends in the next."""
    return split(text.rstrip(), continued(behind))


def together(text: str, before: deque[str], after: Sequence[str]) -> str:
    """All that stands in any of the texts of `wrapped`."""
    lines = [*list(before)[-WRAPPED:], text, *after]
    return "\n".join([" ".join(map(continued, lines)), *lines])


def wrapped(text: str, before: deque[str], after: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The line joined with neighbouring lines, and the position of the line in each joined text."""
    following = takewhile(_may_continue, after)
    wholes = list(accumulate((continued(line) for line in following), "{} {}".format, initial=text.rstrip()))
    yield from ((whole, 0) for whole in wholes[1:])
    if begins_with_time(text):
        return  # it is no rest of an earlier line
    for back in range(1, min(WRAPPED, len(before)) + 1):
        first, *others = list(before)[-back:]
        start = " ".join([first.strip(), *map(continued, others)])
        yield from ((f"{start} {continued(whole)}", len(start) + 1) for whole in wholes)


def _may_continue(line: str) -> bool:
    return continued(line) != "" and FENCE.match(line) is None and time_in(line[:60]) is None


@lru_cache(maxsize=AT_ONCE)
def continued(line: str) -> str:
    """The text of a continuation line, without the marks of a mail that quotes it."""
    return without_mark(line.strip())
