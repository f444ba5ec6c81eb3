"""When a stop is trouble: to the ms, once, and not after its end."""

from collections.abc import Collection
from itertools import count
from typing import Any

import pytest

from tidegate.pipeline.stream.overdue import Alert, Patience, Stops, take
from tidegate.record.events import Event, Kind

PATIENCE = Patience(stopped_ms=30_000, room_ms=5_000)
NAMING_NOBODY = {Kind.OVERFULL, Kind.UNDERFULL}
NAMING = {*NAMING_NOBODY, Kind.STOP, Kind.RELEASE}
FULL = {"destination": "q", "cause": "QUE-1003"}


class Log:
    """A log whose form tells of these kinds of events."""

    def __init__(self, kinds: Collection[Kind]):
        self.stops, self._may_release, self._seq = Stops(), Kind.RELEASE in kinds, count(1)

    def told(self, now: int) -> list[Alert]:
        """What has become trouble by now."""
        return take(self.stops, "log", (), now, PATIENCE, may_release=self._may_release)

    def take(self, kind: Kind, time: int, **fields: Any) -> list[tuple[str, str | None, int | None]]:
        """The next event; what has become trouble by then."""
        event = Event(source="log", seq=next(self._seq), time=time, kind=kind, **fields)
        return _shown(take(self.stops, "log", [event], time, PATIENCE, may_release=self._may_release))

    def at(self, now: int) -> list[tuple[str, str | None, int | None]]:
        """What has become trouble by now: which, whose, and up to when it was none."""
        return _shown(self.told(now))

    def standing(self) -> list[tuple[Any, ...]]:
        """Who stands stopped, by which destination and since when."""
        return [(who, destination, held.from_ms) for (_, _, who), (destination, _), held in self.stops.on]


def _shown(overdue: list[Alert]) -> list[tuple[str, str | None, int | None]]:
    return [(each.alert, each.who, each.time) for each in overdue]


@pytest.fixture
def log() -> Log:
    """A channel that queue q stopped at 1000 ms."""
    found = Log(NAMING)
    found.take(Kind.OVERFULL, 999, **FULL)
    found.take(Kind.STOP, 1000, destination="q", channel="c")
    return found


def test_a_stop_is_too_long_from_the_ms_after_its_time_on_and_told_once(log: Log) -> None:
    assert log.at(31_000) == []
    assert log.at(31_001) == [("stopped-too-long", "c", 31_000)]
    assert log.at(99_999) == []


def test_a_stop_that_was_too_long_and_ended_since_the_last_look_is_told_too(log: Log) -> None:
    assert log.take(Kind.RELEASE, 31_001, channel="c") == [("stopped-too-long", "c", 31_000)]
    assert log.standing() == [("q", "q", 999)]


def test_a_stop_beside_room_is_told_from_the_ms_after_its_time_on(log: Log) -> None:
    log.take(Kind.RELEASE, 1000, channel="other")
    log.take(Kind.UNDERFULL, 2000, **FULL)
    assert log.at(7000) == []
    assert log.at(7001) == [("room-but-stopped", "c", 7000)]
    assert log.at(31_001) == [("stopped-too-long", "c", 31_000)]


def test_who_is_stopped_beside_room_is_not_known_before_the_log_tells_of_a_release(log: Log) -> None:
    log.take(Kind.UNDERFULL, 2000, **FULL)
    assert log.at(99_999) == []
    assert log.take(Kind.RELEASE, 100_000, channel="other") == [
        ("room-but-stopped", "c", 7000), ("stopped-too-long", "c", 31_000),
    ]  # fmt: skip


def test_a_stop_before_any_line_about_its_queue_is_on_until_there_is_room() -> None:
    log = Log(NAMING)
    log.take(Kind.STOP, 1000, destination="q", channel="c")
    assert log.at(31_001) == [("stopped-too-long", "c", 31_000)]


def test_a_queue_that_fills_up_again_has_no_room(log: Log) -> None:
    log.take(Kind.RELEASE, 1000, channel="other")
    log.take(Kind.UNDERFULL, 2000, **FULL)
    log.take(Kind.OVERFULL, 3000, **FULL)
    assert log.at(20_000) == []


def test_room_in_another_queue_is_none(log: Log) -> None:
    log.take(Kind.RELEASE, 1000, channel="other")
    log.take(Kind.UNDERFULL, 2000, destination="other", cause="QUE-1004")
    assert log.at(20_000) == []


HELD: dict[str, Any] = {"destination": "q", "producer": "p"}


def held(log: Log, seconds: int, time: int, cause: str = "memory") -> list[tuple[str, str | None, int | None]]:
    return log.take(Kind.STOP, time, destination="q", producer="p", credit=seconds, cause=cause)


def test_a_stop_that_is_said_to_have_lasted_too_long_is_told_once_and_only_when_it_is_said() -> None:
    log = Log({Kind.STOP})
    assert held(log, 30, 40_000) == []
    assert log.at(99_999) == []
    assert held(log, 31, 41_000) == [("stopped-too-long", "p", 40_000)]
    assert held(log, 60, 70_000) == []
    assert log.at(99_999) == []


def test_who_is_stopped_since_a_later_time_was_let_go_in_between_and_is_told_of_again() -> None:
    log = Log({Kind.STOP})
    assert held(log, 31, 41_000) == [("stopped-too-long", "p", 40_000)]
    assert held(log, 0, 41_001) == []
    assert held(log, 30, 71_001) == []
    assert held(log, 31, 72_001) == [("stopped-too-long", "p", 71_001)]
    assert held(log, 31, 103_002) == [("stopped-too-long", "p", 102_002)]


def test_each_resource_that_holds_somebody_back_for_too_long_is_told_of() -> None:
    log = Log({Kind.STOP})
    held(log, 29, 39_000)
    held(log, 29, 39_000, "store")
    held(log, 31, 41_000)
    again = Event(source="log", seq=9, time=41_000, kind=Kind.STOP, credit=31, cause="store", **HELD)
    found = take(log.stops, "log", [again], 41_000, PATIENCE, may_release=False)
    assert [(" for store since " in each.words, each.since) for each in found] == [(True, 10_000)]


def test_a_full_queue_whose_senders_are_named_is_no_stop_and_any_other_stops_all(log: Log) -> None:
    log.take(Kind.RELEASE, 2000, channel="c")
    assert log.at(99_999) == []
    log.take(Kind.OVERFULL, 100_000, destination="a", cause="size")
    assert log.at(130_001) == [("stopped-too-long", "all producers", 130_000)]


@pytest.mark.parametrize("kinds", [{Kind.STOP}, {Kind.STOP, Kind.RELEASE}])
def test_a_log_that_lets_nobody_go_tells_of_no_stop_but_while_it_is_said(kinds: set[Kind]) -> None:
    log = Log(kinds)
    log.take(Kind.STOP, 1000, destination="a", producer="p")
    assert log.at(99_999) == ([("stopped-too-long", "p", 31_000)] if Kind.RELEASE in kinds else [])
