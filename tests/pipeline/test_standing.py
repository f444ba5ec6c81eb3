"""When a stop is trouble: to the ms, once, and not after its end."""

from typing import Any

import pytest

from tidegate.pipeline.stream.standing import Overdue, Patience, Standing, Stop, Trouble
from tidegate.record.events import Event, Kind

PATIENCE = Patience(stopped_ms=30_000, room_ms=5_000)
NAMING_NOBODY = {Kind.OVERFULL, Kind.UNDERFULL}
NAMING = {*NAMING_NOBODY, Kind.STOP, Kind.RELEASE}


def event(kind: Kind, time: int, **fields: Any) -> Event:
    return Event(source="log", seq=1, time=time, kind=kind, **fields)


def told(standing: Standing, now: int) -> list[tuple[str, str, int]]:
    return [(each.trouble, each.stop.who, each.at) for each in standing.overdue(now)]


@pytest.fixture
def standing() -> Standing:
    """A channel that queue q stopped at 1000 ms."""
    found = Standing(PATIENCE, NAMING)
    found.take(event(Kind.OVERFULL, 999, destination="q"))
    found.take(event(Kind.STOP, 1000, destination="q", channel="c"))
    return found


def test_a_stop_is_too_long_from_the_ms_after_its_time_on_and_told_once(standing: Standing) -> None:
    assert told(standing, 31_000) == []
    assert told(standing, 31_001) == [("stopped-too-long", "c", 31_000)]
    assert told(standing, 99_999) == []


def test_a_stop_beside_room_is_told_from_the_ms_after_its_time_on(standing: Standing) -> None:
    standing.take(event(Kind.UNDERFULL, 2000, destination="q"))
    assert told(standing, 7000) == []
    assert told(standing, 7001) == [("room-but-stopped", "c", 7000)]
    assert told(standing, 31_001) == [("stopped-too-long", "c", 31_000)]


def test_a_queue_that_fills_up_again_has_no_room(standing: Standing) -> None:
    standing.take(event(Kind.UNDERFULL, 2000, destination="q"))
    standing.take(event(Kind.OVERFULL, 3000, destination="q"))
    assert told(standing, 20_000) == []


def test_room_in_another_queue_is_none(standing: Standing) -> None:
    standing.take(event(Kind.UNDERFULL, 2000, destination="other"))
    assert told(standing, 20_000) == []


@pytest.mark.parametrize("destination", ["q", None])
def test_a_release_ends_a_stop(standing: Standing, destination: str | None) -> None:
    standing.take(event(Kind.RELEASE, 2000, destination=destination, channel="c"))
    assert standing.stops == ()
    assert told(standing, 99_999) == []


def test_a_channel_that_is_closed_is_stopped_no_more(standing: Standing) -> None:
    standing.take(event(Kind.CLOSE, 2000, channel="somebody else"))
    assert [stop.who for stop in standing.stops] == ["c"]
    standing.take(event(Kind.CLOSE, 2000, channel="c"))
    assert standing.stops == ()


@pytest.mark.parametrize(
    ("started", "left"), [(None, []), ("h", ["hq"]), ("h/q", ["h", "hq"]), ("q", ["h", "h/q", "hq"])]
)
def test_a_new_start_ends_all_stops_there_and_below(started: str | None, left: list[str]) -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    for destination in ("h", "h/q", "hq"):
        standing.take(event(Kind.OVERFULL, 1000, destination=destination))
    standing.take(event(Kind.START, 2000, destination=started))
    assert [stop.destination for stop in standing.stops] == left


def held(seconds: int, time: int, cause: str = "memory") -> Event:
    return event(Kind.STOP, time, destination="q", producer="p", credit=seconds, cause=cause)


def test_a_stop_that_is_said_to_have_lasted_too_long_is_told_once_and_only_when_it_is_said() -> None:
    standing = Standing(PATIENCE, {Kind.STOP})
    standing.take(held(30, 40_000))
    assert told(standing, 99_999) == []
    standing.take(held(31, 41_000))
    assert told(standing, 41_000) == [("stopped-too-long", "p", 40_000)]
    standing.take(held(60, 70_000))
    assert told(standing, 99_999) == []


def test_who_is_stopped_since_a_later_time_was_let_go_in_between_and_is_told_of_again() -> None:
    standing = Standing(PATIENCE, {Kind.STOP})
    standing.take(held(31, 41_000))
    assert told(standing, 41_000) == [("stopped-too-long", "p", 40_000)]
    standing.take(held(0, 41_000))
    standing.take(held(31, 72_000))
    assert told(standing, 99_999) == []
    standing.take(held(31, 103_001))
    assert told(standing, 103_001) == [("stopped-too-long", "p", 102_001)]


def test_each_resource_that_holds_somebody_back_for_too_long_is_told_of() -> None:
    standing = Standing(PATIENCE, {Kind.STOP})
    standing.take(held(31, 41_000))
    standing.take(held(40, 41_000, "store"))
    assert [(each.stop.resource, each.stop.since) for each in standing.overdue(41_000)] == [
        ("store", 1_000), ("memory", 10_000),
    ]  # fmt: skip


def test_a_release_by_one_queue_leaves_the_stop_by_another(standing: Standing) -> None:
    standing.take(event(Kind.STOP, 1500, destination="other", channel="c"))
    standing.take(event(Kind.RELEASE, 2000, destination="q", channel="c"))
    assert standing.stops == (Stop("c", "other", 1500),)
    standing.take(event(Kind.RELEASE, 2000, channel="somebody else"))
    assert standing.stops == (Stop("c", "other", 1500),)


def test_an_order_that_is_repeated_does_not_begin_anew(standing: Standing) -> None:
    standing.take(event(Kind.STOP, 20_000, destination="q", channel="c"))
    assert told(standing, 31_001) == [("stopped-too-long", "c", 31_000)]


def test_several_are_told_in_the_order_of_their_times(standing: Standing) -> None:
    standing.take(event(Kind.STOP, 500, destination="q", channel="earlier"))
    assert [who for _, who, _ in told(standing, 99_999)] == ["earlier", "c"]


def test_where_a_log_names_nobody_a_full_destination_stops_all() -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    standing.take(event(Kind.OVERFULL, 1000, destination="a"))
    standing.take(event(Kind.OVERFULL, 1000, destination="b"))
    standing.take(event(Kind.UNDERFULL, 2000, destination="b"))
    assert standing.overdue(31_001) == [
        Overdue(Trouble.TOO_LONG, Stop("all producers", "a", 1000, told=[Trouble.TOO_LONG]), 31_000)
    ]


def test_each_of_several_resources_holds_everybody_until_there_is_enough_of_it() -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    standing.take(event(Kind.OVERFULL, 1000, destination="n", cause="memory"))
    standing.take(event(Kind.OVERFULL, 2000, destination="n", cause="disk"))
    standing.take(event(Kind.UNDERFULL, 3000, destination="n", cause="memory"))
    assert standing.stops == (Stop("all producers", "n", 2000, "disk"),)
    standing.take(event(Kind.UNDERFULL, 4000, destination="n", cause="disk"))
    assert standing.stops == ()


def test_why_an_address_was_full_is_no_resource() -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    standing.take(event(Kind.OVERFULL, 1000, destination="a", cause="global-size"))
    standing.take(event(Kind.UNDERFULL, 2000, destination="a", cause="size"))
    assert standing.stops == ()


def test_paging_beyond_a_limit_stops_nobody() -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    standing.take(event(Kind.OVERFULL, 1000, destination="a", cause="paging"))
    assert standing.stops == ()


def test_an_order_of_management_lasts_beside_space() -> None:
    standing = Standing(PATIENCE, NAMING_NOBODY)
    standing.take(event(Kind.OVERFULL, 1000, destination="a", cause="management"))
    standing.take(event(Kind.UNDERFULL, 2000, destination="a", cause="size"))
    assert [stop.since for stop in standing.stops] == [1000]
    standing.take(event(Kind.UNDERFULL, 3000, destination="a", cause="management"))
    assert standing.stops == ()


def test_a_log_that_names_channels_does_not_stop_all() -> None:
    standing = Standing(PATIENCE, NAMING)
    standing.take(event(Kind.OVERFULL, 1000, destination="a"))
    assert standing.stops == ()


@pytest.mark.parametrize("kinds", [{Kind.STOP}, {Kind.STOP, *NAMING_NOBODY}, {Kind.OVERFULL}])
def test_a_log_that_lets_nobody_go_tells_no_stops(kinds: set[Kind]) -> None:
    standing = Standing(PATIENCE, kinds)
    standing.take(event(Kind.OVERFULL, 1000, destination="a"))
    standing.take(event(Kind.STOP, 1000, destination="a", producer="p"))
    assert standing.stops == ()


def test_stops_are_gone_on_with_from_where_they_were(standing: Standing) -> None:
    again = Standing(PATIENCE, NAMING, standing.stops)
    assert told(again, 31_001) == [("stopped-too-long", "c", 31_000)]
    assert told(Standing(PATIENCE, NAMING, again.stops), 99_999) == []
