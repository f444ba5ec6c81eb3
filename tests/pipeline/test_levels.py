"""Overshoot, oscillation, time to release, causes at once and changed limits, with figures worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.measured import Row, events, level, limits, measured, overfull, release, rows, send, stop, underfull
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.summary import summarised

Case = tuple[list[Row], list[tuple[Any, ...]]]
"""Some events, event N at N · 10 - 10 ms, and the rows that they make."""
HOUR = 3_600_000
CLOSED: Row = {"kind": "close", "channel": "c", "destination": "q"}


def of_levels(limit: int, held: int, over: int, percent: float, at: int, size: int | None) -> tuple[Any, ...]:
    """A level of a queue in bytes, seen after a message of this size."""
    return ("capacity", "bytes", "levels", limit, held, over, percent, at, "send", size)


OVERSHOOT_COLUMNS = ("name", "unit", "shown_by", "limit", "level", "over", "percent", "at_ms", "after", "message_bytes")
OVERSHOOT: dict[str, Case] = {
    "below the limit": ([limits(), send(999), level(999)], [of_levels(1000, 999, 0, 0.0, 20, 999)]),
    "at the limit": ([limits(), send(1000), level(1000)], [of_levels(1000, 1000, 0, 0.0, 20, 1000)]),
    "above the limit": ([limits(), send(1001), level(1001)], [of_levels(1000, 1001, 1, 0.1, 20, 1001)]),
    "the first of the highest levels, with the message that led to it": (
        [
            *(limits(), send(900), level(900), send(600), level(1500), send(5, outcome="blocked"), level(1500)),
            level(100, cause="acknowledge"),
        ],
        [of_levels(1000, 1500, 500, 50.0, 40, 600)],
    ),
    "the limit that was in force": (
        [limits(), level(1100), limits(limit=4000, resume=800), level(3000), limits(limit=0)],
        [of_levels(1000, 1100, 100, 10.0, 10, None)],
    ),
    "without a limit there is nothing to exceed": ([level(5000), limits(limit=-1), level(5000)], []),
    "a limit in messages": (
        [limits(limit=2, resume=1, cause="messages"), level(5000, messages=5)],
        [("messages", "messages", "levels", 2, 5, 3, 150.0, 10, "send", None)],
    ),
    "a line tells at least how far a queue went": (
        [overfull(size=1200), overfull(size=1300), {**underfull(), "limit": 1000}],
        [("capacity", "bytes", "lines", 1000, 1300, 300, 30.0, 10, "overfull", None)],
    ),
    "lines without a level above the limit do not tell that there was none": (
        [{**underfull(size=700), "limit": 1000}],
        [("capacity", "bytes", "lines", 1000, 700, None, None, 0, "underfull", None)],
    ),
}

OSCILLATION_COLUMNS = (
    "destination",
    "shown_by",
    "closings",
    "cycles",
    "per_hour",
    "busiest_hour_ms",
    "in_busiest_hour",
)
OSCILLATION: dict[str, Case] = {
    "once has no rate": ([overfull(), underfull()], [("q", "destination", 1, 1, None, 0, 1)]),
    "from the first closing to the last": (
        [
            {**step, "time": time}
            for time in (0, HOUR // 2, 2 * HOUR)
            for step in (overfull(), underfull(), underfull())
        ],
        [("q", "destination", 3, 3, 1.0, 0, 2)],
    ),
    "orders alone close with the first sender and open with the last": (
        [stop("c"), stop("d"), release("c"), release("d"), stop("c"), release("c"), stop("d")],
        [("q", "senders", 3, 2, 120_000.0, 0, 3)],
    ),
    "the broker's word about a destination goes before that about its senders": (
        [overfull(), stop("c"), release("c"), stop("c")],
        [("q", "destination", 1, 0, None, 0, 1)],
    ),
}


def left(size: int, free_ms: int | None, wait: int | None) -> Case:
    """A stopped queue reaches this level, and then its sender is released. The resume level is 800 bytes."""
    steps = [limits(), stop("c"), level(size, cause="acknowledge"), level(900), release("c")]
    return steps, [("c", "q", free_ms, 40, wait)]


TO_QUEUES = [stop("c", "a"), stop("c", "b")]
WAIT_COLUMNS = ("who", "destinations", "free_ms", "released_ms", "waited_ms")
WAITS: dict[str, Case] = {
    "from a level below the resume level": left(799, 20, 20),
    "not at the resume level": left(800, None, None),
    "not above the resume level": left(801, None, None),
    "no space before the stop or after the release": (
        [limits(), level(1), stop("c"), release("c"), level(1)],
        [("c", "q", None, 30, None)],
    ),
    "without a resume level from below the limit": (
        [limits(resume=None), stop("c"), level(1000), level(999), release("c")],
        [("c", "q", 30, 40, 10)],
    ),
    "what the broker says of the queue": (
        [overfull(), stop("c"), underfull(size=800), release("c", None)],
        [("c", "q", 20, 30, 10)],
    ),
    "for the last of its queues": (
        [*TO_QUEUES, underfull("a"), underfull("b"), release("c", None)],
        [("c", "a + b", 30, 40, 10)],
    ),
    "unknown if one of its queues shows no space": (
        [*TO_QUEUES, underfull("a"), release("c", None)],
        [("c", "a + b", None, 30, None)],
    ),
    "for the last of queues that let it go one by one": (
        [*TO_QUEUES, release("c", "a"), underfull("a"), underfull("b"), release("c", "b")],
        [("c", "b", 40, 50, 10)],
    ),
    "no space while an order stands": (
        [limits(), level(0, cause="block"), stop("c"), level(0), level(0, cause="unblock"), release("c")],
        [("c", "q", 40, 50, 10)],
    ),
    "no space is known where a limit is shared": (
        [limits(), limits(queue=None, cause="disk-quota"), stop("c"), level(0), release("c")],
        [("c", "q", None, 40, None)],
    ),
    "who is closed was not let go": ([limits(), stop("c"), level(0), CLOSED], []),
}

TOGETHER_COLUMNS = ("who", "causes", "count", "from_ms", "to_ms", "lasted_ms")
A_AND_B = "unknown of a + unknown of b"
TOGETHER: dict[str, Case] = {
    "from the second to the first that is gone": (
        [*TO_QUEUES, stop("d", "a"), release("c", "a"), release("c", "b"), release("d", "a")],
        [("c", A_AND_B, 2, 10, 30, 20)],
    ),
    "a third cause is a set of its own": (
        [*TO_QUEUES, stop("c", "x"), release("c", None)],
        [("c", A_AND_B, 2, 10, 20, 10), ("c", f"{A_AND_B} + unknown of x", 3, 20, 30, 10)],
    ),
    "one after the other": ([stop("c", "a"), release("c", "a"), stop("c", "b"), release("c", "b")], []),
    "on as the log ends, to its last event": (
        [release("d"), *TO_QUEUES, level(1, "z"), level(1, "z")],
        [("c", A_AND_B, 2, 20, 40, 20)],
    ),
    "perhaps gone already": ([*TO_QUEUES, level(1, "z")], []),
}

OTHER_QUEUE = {**overfull(), "destination": "other", "limit": 2000}
LOWER = {**underfull(), "resume": 700}
CHANGE_COLUMNS = ("name", "before", "limit", "after", "lines", "at_ms")
CHANGES: dict[str, Case] = {
    "one line alone": (
        [overfull(), {**overfull(), "limit": 2000}, overfull(), overfull()],
        [("capacity", 1000, 2000, 1000, 1, 10), ("capacity", 2000, 1000, None, 2, 20)],
    ),
    "of another destination or another name": (
        [overfull(), OTHER_QUEUE, underfull(), overfull(), underfull(), OTHER_QUEUE],
        [],
    ),
    "a resume level": ([underfull(), LOWER, LOWER], [("resume level", 800, 700, None, 2, 10)]),
    "limits that a trace sets are no news": ([limits(), level(900), limits(limit=2000), level(900)], []),
}


@pytest.mark.parametrize(
    ("table", "columns", "case"),
    [
        pytest.param(table, columns, case, id=f"{table}: {name}")
        for table, columns, cases in (
            (tables.OVERSHOOT, OVERSHOOT_COLUMNS, OVERSHOOT),
            (tables.OSCILLATION, OSCILLATION_COLUMNS, OSCILLATION),
            (tables.WAITS, WAIT_COLUMNS, WAITS),
            (tables.TOGETHER, TOGETHER_COLUMNS, TOGETHER),
            (tables.CHANGES, CHANGE_COLUMNS, CHANGES),
        )
        for name, case in cases.items()
    ],
)
def test_events_make_these_rows(tmp_path: Path, table: str, columns: tuple[str, ...], case: Case) -> None:
    steps, expected = case
    measured(tmp_path, events(*steps))
    assert rows(tmp_path, table, *columns) == sorted(expected, key=repr)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_limit_that_one_line_alone_gives_is_told_wherever_the_stream_is_cut(tmp_path: Path, cut: int) -> None:
    steps, expected = CHANGES["one line alone"]
    measured(tmp_path, events(*steps)[:cut], events(*steps)[cut:])
    assert rows(tmp_path, tables.CHANGES, *CHANGE_COLUMNS) == expected
    shown = summarised(tmp_path).changes
    assert [(one.limit, one.alone) for one in shown] == [(2000, True), (1000, False)]
