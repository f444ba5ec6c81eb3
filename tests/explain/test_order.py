"""Which limit is reached first, and that the smallest traffic for each order really comes to it."""

import re

import pytest

from tidegate.explain.compose.order import first_of
from tidegate.explain.vocabulary import Traffic


def reached(size: int, level: int, most: int) -> str:
    """What messages of a size reach first, counted one by one."""
    count = 0
    while True:
        count += 1
        if size * count >= level:
            return "both" if count >= most else "bytes"
        if count >= most:
            return "messages"


@pytest.mark.parametrize(("level", "most"), [(1_000, 10), (1_001, 10), (10, 9), (999, 1), (5_000, 7)])
def test_the_smallest_traffic_comes_to_the_limit_that_is_named(level: int, most: int) -> None:
    said = first_of({"bytes": level}, {"messages": most}, Traffic(1, 50))
    by_messages, by_bytes = (
        tuple(int(figure.replace(",", "")) for figure in found)
        for found in re.findall(r"as with ([\d,]+) messages? of ([\d,]+) byte", said)
    )
    assert by_messages == (most, 1)
    assert reached(by_messages[1], level, most) == "messages"
    assert reached(by_bytes[1], level, most) in ("bytes", "both")
    assert reached(by_bytes[1] - 1, level, most) in ("messages", "both")
    assert by_bytes[0] * by_bytes[1] >= level > (by_bytes[0] - 1) * by_bytes[1]


def test_a_limit_that_others_share_is_first_once_they_hold_the_difference() -> None:
    assert (
        first_of({"own": 100}, {}, Traffic(), {"shared": 1_000}) == "own; shared once other destinations hold 900 bytes"
    )
    assert first_of({"own": 100}, {}, Traffic(), {"shared": 100}) == "own"
    assert first_of({}, {}, Traffic(), {"shared": 100}) == "none"
