"""Stop episodes of a few events, with figures worked out by hand: event N happens at N · 10 - 10 ms."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.measured import (
    Row,
    events,
    level,
    limits,
    measured,
    overfull,
    release,
    rows,
    stop,
    underfull,
)
from tidegate.pipeline.stops import tables

SHOWN = ("who", "cause", "destination", "begin", "end", "from_ms", "to_ms", "lasted_ms", "at_least_ms")
OTHER: Row = {"kind": "take", "destination": "q", "message_id": "m"}


def episodes(folder: Path, *steps: Row) -> list[tuple[Any, ...]]:
    measured(folder, events(*steps))
    return rows(folder, tables.EPISODES, *SHOWN)


START: Row = {"kind": "start"}
SHUTDOWN: Row = {"kind": "shutdown"}
CLOSE: Row = {"kind": "close", "channel": "c", "destination": "q"}
ELSEWHERE: Row = {**START, "destination": "other"}
REPEATED = stop("c", cause="AMQ212054")
"""A line that the client logs again while the stop lasts."""


def at(time: int, step: Row) -> Row:
    """A step at a time of its own."""
    return {**step, "time": time}


def held(seconds: int, time: int) -> Row:
    """A line that says for how many seconds a channel has been stopped."""
    return at(time, {**stop("c", cause="memory"), "credit": seconds})


def of_c(end: str, begin: int | None, to: int | None, lasted: int | None, **other: Any) -> tuple[Any, ...]:
    """An episode of channel c and queue q, as SHOWN; without an end `lasted` is the least time."""
    told = {"who": "c", "cause": "unknown", "destination": "q", **other}
    known = None if to is None else lasted
    return (*told.values(), "unknown" if begin is None else "told", end, begin, to, known, lasted)


CASES: dict[str, tuple[list[Row], list[tuple[Any, ...]]]] = {
    "from the order to stop to its release": (
        [stop("c", cause="CHN-1005"), OTHER, release("c", queue=None, cause="CHN-1006")],
        [of_c("told", 0, 20, 20, cause="capacity")],
    ),
    "a release in the same ms": ([at(5, stop("c")), at(5, release("c"))], [of_c("told", 5, 5, 0)]),
    "a release in the next ms": ([at(5, stop("c")), at(6, release("c"))], [of_c("told", 5, 6, 1)]),
    "a release before it by the clock": ([at(5, stop("c")), at(4, release("c"))], [of_c("told", 5, 4, None)]),
    "a second stop without a release, for a line is missing": (
        [stop("c"), OTHER, stop("c"), release("c"), release("c")],
        [of_c("inferred", 0, None, 0), of_c("told", 20, 30, 10), of_c("told", None, 40, None)],
    ),
    "an order that is said again while it lasts": (
        [REPEATED, OTHER, REPEATED, CLOSE],
        [of_c("closed", 0, 30, 30, cause="max-size")],
    ),
    "a release without a stop": (
        [release("c", queue=None), stop("c"), release("c")],
        [of_c("told", 10, 20, 10), of_c("told", None, 0, None, destination=None)],
    ),
    "stopped as the log ends, so at least to its last event": (
        [stop("d"), release("d"), stop("c"), OTHER, OTHER],
        [of_c("never", 20, None, 20), of_c("told", 0, 10, 10, who="d")],
    ),
    "one release from all queues": (
        [stop("c", "a"), stop("c", "b"), stop("d", "a"), release("c", queue=None)],
        [
            of_c("told", 0, 30, 30, destination="a"),
            of_c("told", 10, 30, 20, destination="b"),
            of_c("never", 20, None, 10, who="d", destination="a"),
        ],
    ),
    "a release from one of two queues": (
        [stop("c", "a"), stop("c", "b"), release("c", "a")],
        [of_c("told", 0, 20, 20, destination="a"), of_c("never", 10, None, 10, destination="b")],
    ),
    "a gate lasts until its broker was last seen before a new start": (
        [overfull(cause="size"), OTHER, ELSEWHERE, START, OTHER],
        [of_c("restarted", 0, None, 10, who="q", cause="max-size")],
    ),
    "a sender lasts until a new start only if releases of senders were told before": (
        [stop("c"), OTHER, START, stop("d"), release("d"), stop("c"), OTHER, START],
        [of_c("restarted", 0, None, 0), of_c("restarted", 50, None, 10), of_c("told", 30, 40, 10, who="d")],
    ),
    "a sender that nobody lets go lasts until there was space before a new start": (
        [stop("c"), underfull(), OTHER, START],
        [of_c("restarted", 0, None, 10), of_c("told", None, 10, None, who="q")],
    ),
    "a gate lasts until its broker shuts down, and not until the next start": (
        [overfull(cause="size"), OTHER, SHUTDOWN, OTHER, START],
        [of_c("shutdown", 0, 20, 20, who="q", cause="max-size")],
    ),
    "a sender lasts until a shutdown if releases of senders were told before": (
        [stop("d"), release("d"), stop("c"), OTHER, SHUTDOWN, OTHER],
        [of_c("shutdown", 20, 40, 20), of_c("told", 0, 10, 10, who="d")],
    ),
    "a sender lasts until a shutdown if its log tells of full destinations, and of no room at its own": (
        [overfull(), stop("c"), OTHER, SHUTDOWN],
        [of_c("shutdown", 0, 30, 30, who="q", cause="capacity"), of_c("shutdown", 10, 30, 20)],
    ),
    "a sender that nobody lets go lasts until there was space before a shutdown": (
        [stop("c"), underfull(), OTHER, SHUTDOWN],
        [of_c("shutdown", 0, None, 10), of_c("told", None, 10, None, who="q")],
    ),
    "without any release it lasted at least until it was said last before a shutdown": (
        [held(0, 0), held(1, 1_000), at(2_000, SHUTDOWN)],
        [of_c("shutdown", 0, None, 1_000, cause="memory")],
    ),
    "after a shutdown a release ends nothing": (
        [stop("d"), release("d"), stop("c"), SHUTDOWN, release("c")],
        [of_c("shutdown", 20, 30, 10), of_c("told", 0, 10, 10, who="d"), of_c("told", None, 40, None)],
    ),
    "a line says since when somebody is stopped": (
        [held(3, 10_000), held(30, 37_999), at(40_000, release("c"))],
        [of_c("told", 7_000, 40_000, 33_000, cause="memory")],
    ),
    "without any release it lasted at least until it was said last": (
        [held(0, 0), held(1, 1_000), at(2_000, OTHER)],
        [of_c("untold", 0, None, 1_000, cause="memory")],
    ),
    "a sender that is closed": ([stop("c"), CLOSE, OTHER], [of_c("closed", 0, 10, 10)]),
    "closing a sender that is not stopped": ([CLOSE], []),
}


@pytest.mark.parametrize("case", CASES)
def test_who_is_stopped_by_what_from_when_to_when(tmp_path: Path, case: str) -> None:
    steps, expected = CASES[case]
    assert episodes(tmp_path, *steps) == sorted(expected, key=repr)


@pytest.mark.parametrize(
    ("started", "ended"),
    [(None, ["h", "h/q", "hq"]), ("h", ["h", "h/q"]), ("h/q", ["h/q"]), ("q", [])],
)
def test_a_new_start_ends_what_stopped_somebody_there_and_below(
    tmp_path: Path, started: str | None, ended: list[str]
) -> None:
    measured(tmp_path, events(overfull("h"), overfull("h/q"), overfull("hq"), {**START, "destination": started}))
    found = rows(tmp_path, tables.EPISODES, "who", "end", "to_seq", "to_ms", "lasted_ms")
    assert [who for who, end, *_ in found if end == "restarted"] == ended
    assert {row[1:] for row in found} <= {("restarted", None, None, None), ("never", None, None, None)}


@pytest.mark.parametrize("cuts", [*([cut] for cut in range(1, 8)), [*range(1, 8)]], ids=str)
def test_a_new_start_is_the_same_wherever_a_stream_is_cut(tmp_path: Path, cuts: list[int]) -> None:
    elsewhere = {**START, "destination": "other"}
    steps = events(stop("d"), release("d"), overfull(), stop("c"), OTHER, elsewhere, START, stop("c"))
    measured(tmp_path / "whole", steps)
    measured(tmp_path / "cut", *(steps[begin:end] for begin, end in pairwise([0, *cuts, len(steps)])))
    assert rows(tmp_path / "cut", tables.EPISODES) == rows(tmp_path / "whole", tables.EPISODES)


def test_a_stop_that_a_new_start_ended_is_listed_among_those_without_a_release(tmp_path: Path) -> None:
    found = measured(tmp_path, events(overfull(cause="size"), OTHER, START))
    assert [(one.who, one.end, one.at_least_ms) for one in found.unreleased] == [("q", "restarted", 10)]
    assert [(one.cause, one.unreleased, one.stopped_ms) for one in found.causes] == [("max-size", 1, 10)]


def test_the_queue_and_its_senders_are_told_apart(tmp_path: Path) -> None:
    measured(tmp_path, events(overfull(), stop("c"), underfull(), release("c", queue=None)))
    found = rows(tmp_path, tables.EPISODES, "of", "who", "cause", "from_ms", "to_ms")
    assert found == [("channel", "c", "unknown", 10, 30), ("limit", "q", "capacity", 0, 20)]


def test_a_full_queue_stops_nobody_by_itself_where_those_that_it_stops_are_named(tmp_path: Path) -> None:
    found = measured(tmp_path, events(overfull("a"), overfull("b"), stop("c", "b", cause="CHN-1005"), OTHER))
    assert (found.episodes, [one.who for one in found.unreleased]) == (1, ["c"])
    assert [(one.cause, one.destination, one.of) for one in found.causes] == [("capacity", "b", "channel")]
    assert [line.destination for line in found.timelines] == ["b"]


@pytest.mark.parametrize(
    ("node", "of", "first", "second"),
    [(None, "broker", "buffer", "errors"), (None, "broker", "memory", "disk"), ("n", "destination", "memory", "disk")],
)
def test_alarms_of_a_broker_end_each_by_its_own_cause(
    tmp_path: Path, node: str | None, of: str, first: str, second: str
) -> None:
    one, other = ({"destination": node, "cause": cause} for cause in (first, second))
    raised, cleared = {"kind": "overfull"}, {"kind": "underfull"}
    measured(tmp_path, events({**raised, **one}, {**raised, **other}, {**cleared, **one}, OTHER))
    found = rows(tmp_path, tables.EPISODES, "of", "who", "cause", "end", "from_ms", "to_ms")
    assert sorted(found, key=lambda row: row[4]) == [
        (of, node, first, "told", 0, 20),
        (of, node, second, "never", 10, None),
    ]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (held(1, 11_000), [(7_000, "untold", None, 4_000)]),
        (held(0, 10_001), [(7_000, "inferred", None, 3_000), (10_001, "untold", None, 0)]),
        (held(1, 11_001), [(7_000, "inferred", None, 3_000), (10_001, "untold", None, 1_000)]),
    ],
)
def test_who_is_stopped_since_a_later_time_was_let_go_in_between_though_no_line_says_so(
    tmp_path: Path, line: Row, shown: list[tuple[int, str, int | None, int]]
) -> None:
    measured(tmp_path, events(held(3, 10_000), line, {**OTHER, "time": 90_000}))
    assert rows(tmp_path, tables.EPISODES, "from_ms", "end", "to_ms", "at_least_ms") == sorted(shown, key=repr)


def test_where_no_release_is_ever_told_a_stop_lasted_at_least_until_there_was_space(tmp_path: Path) -> None:
    measured(tmp_path, events(stop("c"), stop("d", "a"), underfull(), OTHER, OTHER))
    found = rows(tmp_path, tables.EPISODES, "of", "who", "end", "from_ms", "at_least_ms")
    senders = [episode[1:] for episode in found if episode[0] == "channel"]
    # of `a` the log would say when it has space, and does not
    assert senders == [("c", "untold", 0, 20), ("d", "untold", 10, 30)]


def test_an_order_of_management_is_lifted_by_its_own_line_only(tmp_path: Path) -> None:
    blocked: Row = {"kind": "overfull", "destination": "q", "cause": "management"}
    full: Row = {"kind": "overfull", "destination": "q", "cause": "size"}
    steps = [full, blocked, {**full, "kind": "underfull"}, {**blocked, "kind": "underfull"}]
    measured(tmp_path, events(*steps))
    found = rows(tmp_path, tables.EPISODES, "cause", "begin", "end", "from_ms", "to_ms", "free_ms")
    assert found == [("max-size", "told", "told", 0, 20, None), ("order", "told", "told", 10, 30, 20)]


def test_what_is_gone_for_the_broker_is_gone_for_each_of_its_destinations(tmp_path: Path) -> None:
    full, free = {"kind": "overfull", "cause": "disk"}, {"kind": "underfull", "cause": "disk"}
    size = {"kind": "overfull", "cause": "size", "destination": "b"}
    measured(tmp_path, events(full, {**full, "destination": "a"}, size, free, OTHER))
    found = rows(tmp_path, tables.EPISODES, "of", "who", "cause", "end", "to_ms")
    assert found == [
        ("broker", None, "disk", "told", 30),
        ("destination", "a", "disk", "told", 30),
        ("destination", "b", "max-size", "never", None),
    ]


def test_a_channel_that_the_quota_of_a_store_stops_is_stopped_by_it_and_by_no_queue(tmp_path: Path) -> None:
    store: Row = {"destination": "host"}
    full: Row = {"kind": "overfull", "cause": "MST-1008", **store}
    steps = [
        *(full, stop("c", "host", cause="CHN-1005 by store"), stop("c", "host/q", cause="CHN-1005")),
        *({"kind": "underfull", "cause": "MST-1009", **store}, release("c", None, cause="CHN-1006")),
    ]
    measured(tmp_path, events(*steps))
    assert rows(tmp_path, tables.EPISODES, "who", "cause", "destination", "from_ms", "to_ms", "free_ms") == [
        ("c", "capacity", "host/q", 20, 40, None),
        ("c", "disk-quota", "host", 10, 40, 30),
        ("host", "disk-quota", "host", 0, 30, None),
    ]


def test_an_address_that_pages_stops_nobody(tmp_path: Path) -> None:
    pages: Row = {"destination": "q", "cause": "paging", "bytes": 1200, "limit": 1000}
    measured(tmp_path, events({"kind": "overfull", **pages}, {"kind": "underfull", **pages}))
    assert rows(tmp_path, tables.EPISODES) == []
    assert rows(tmp_path, tables.OVERSHOOT, "name", "over") == [("paging", 200)]


def test_a_client_s_log_may_name_nobody(tmp_path: Path) -> None:
    order: Row = {"cause": "order"}
    measured(tmp_path, events({"kind": "stop", **order}, {"kind": "release", **order}))
    found = rows(tmp_path, tables.EPISODES, "of", "who", "cause", "destination", "lasted_ms")
    assert found == [("sender", None, "order", None, 10)]


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ([], "unknown"),
        ([limits()], "capacity"),
        ([limits(limit=0)], "unknown"),
        ([limits(limit=-1)], "unknown"),
        ([limits(limit=1)], "capacity"),
        ([limits(), limits(limit=-1)], "unknown"),
        ([limits(), limits(cause="credit")], "capacity"),
        ([limits(queue="other")], "unknown"),
        ([limits(), limits(cause="messages")], "capacity or messages"),
        ([limits(), limits(queue=None, cause="disk-quota")], "capacity or disk-quota"),
        ([limits(), level(0, cause="block")], "order"),
        ([limits(), level(0, cause="block"), level(0, cause="unblock")], "capacity"),
    ],
)
def test_the_cause_is_the_order_or_the_limits_in_force_where_the_stop_does_not_say(
    tmp_path: Path, before: list[Row], cause: str
) -> None:
    assert [episode[1] for episode in episodes(tmp_path, *before, stop("c"))] == [cause]


def test_sources_are_apart(tmp_path: Path) -> None:
    measured(tmp_path, [*events(stop("c"), source="a"), *events(release("c"), OTHER, OTHER, source="b")])
    found = rows(tmp_path, tables.EPISODES, "source", "begin", "end", "from_ms", "at_least_ms")
    assert found == [("a", "told", "never", 0, 0), ("b", "unknown", "told", None, None)]


def test_totals_count_what_is_unknown_and_not_as_0(tmp_path: Path) -> None:
    found = measured(tmp_path, events(stop("c"), release("c"), release("d"), stop("e"), OTHER))
    assert (found.episodes, found.by_begin, found.by_end) == (3, {"told": 2, "unknown": 1}, {"never": 1, "told": 2})
    assert (found.lasted.known, found.lasted.unknown, found.lasted.longest_ms) == (1, 2, 10)
    by_cause = [(one.cause, one.episodes, one.stopped_ms, one.unreleased, one.unknown) for one in found.causes]
    assert by_cause == [("unknown", 3, 20, 1, 1)]


@pytest.mark.parametrize(("ms", "bucket"), [(0, 0), (1, 1), (9, 1), (10, 2), (36_000_000, 9), (35_999_999, 8)])
def test_a_duration_is_counted_from_its_lower_bound_on(tmp_path: Path, ms: int, bucket: int) -> None:
    found = measured(tmp_path, events(stop("c"), {**release("c"), "time": ms}))
    assert [place for place, count in enumerate(found.lasted.counts) if count] == [bucket]


def test_no_events_are_no_episodes(tmp_path: Path) -> None:
    found = measured(tmp_path, [])
    assert (found.episodes, found.lasted.known, found.lasted.median_ms, found.timelines) == (0, 0, None, ())
