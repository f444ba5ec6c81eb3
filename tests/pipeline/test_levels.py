"""Overshoot, oscillation, time to release and causes at once, with figures worked out by hand."""

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
    send,
    stop,
    underfull,
)
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.summary import summarised

OVERSHOOT = ("name", "unit", "shown_by", "limit", "level", "over", "percent", "at_ms", "after", "message_bytes")


def overshoot(folder: Path, *steps: Row) -> list[tuple[Any, ...]]:
    measured(folder, events(*steps))
    return rows(folder, tables.OVERSHOOT, *OVERSHOOT)


@pytest.mark.parametrize(("held", "over", "percent"), [(999, 0, 0.0), (1000, 0, 0.0), (1001, 1, 0.1)])
def test_overshoot_begins_above_the_limit(tmp_path: Path, held: int, over: int, percent: float) -> None:
    found = overshoot(tmp_path, limits(), send(held), level(held))
    assert found == [("capacity", "bytes", "levels", 1000, held, over, percent, 20, "send", held)]


def test_the_first_of_the_highest_levels_counts_with_the_message_that_led_to_it(tmp_path: Path) -> None:
    steps = [limits(), send(900), level(900), send(600), level(1500), send(5, outcome="blocked"), level(1500)]
    assert overshoot(tmp_path, *steps, level(100, cause="acknowledge")) == [
        ("capacity", "bytes", "levels", 1000, 1500, 500, 50.0, 40, "send", 600)
    ]


def test_a_level_is_held_against_the_limit_that_was_in_force(tmp_path: Path) -> None:
    found = overshoot(tmp_path, limits(), level(1100), limits(limit=4000, resume=800), level(3000), limits(limit=0))
    assert [(one[3], one[4], one[5]) for one in found] == [(1000, 1100, 100)]


def test_without_a_limit_there_is_nothing_to_exceed(tmp_path: Path) -> None:
    assert overshoot(tmp_path, level(5000), limits(limit=-1), level(5000)) == []


def test_a_limit_in_messages_is_held_against_messages(tmp_path: Path) -> None:
    found = overshoot(tmp_path, limits(limit=3, resume=2, cause="messages"), level(5000, messages=5))
    assert [(one[0], one[1], one[3], one[4], one[5]) for one in found] == [("messages", "messages", 3, 5, 2)]


def test_a_line_of_a_log_tells_at_least_how_far_a_queue_went(tmp_path: Path) -> None:
    assert overshoot(tmp_path, overfull(size=1200), overfull(size=1300), {**underfull(), "limit": 1000}) == [
        ("capacity", "bytes", "lines", 1000, 1300, 300, 30.0, 10, "overfull", None)
    ]


def test_a_log_that_shows_no_level_above_the_limit_does_not_tell_that_there_was_none(tmp_path: Path) -> None:
    found = overshoot(tmp_path, {**underfull(size=700), "limit": 1000})
    assert [(one[4], one[5], one[6]) for one in found] == [(700, None, None)]


def oscillation(folder: Path, *steps: Row) -> list[tuple[Any, ...]]:
    measured(folder, events(*steps))
    return rows(folder, tables.OSCILLATION, "destination", "shown_by", "closings", "cycles", "per_hour")


def test_a_destination_that_closed_once_has_no_rate(tmp_path: Path) -> None:
    assert oscillation(tmp_path, overfull(), underfull()) == [("q", "destination", 1, 1, None)]


def test_cycles_an_hour_are_counted_from_the_first_closing_to_the_last(tmp_path: Path) -> None:
    hour = 3_600_000
    steps = [
        {**step, "time": time} for time in (0, hour // 2, 2 * hour) for step in (overfull(), underfull(), underfull())
    ]
    assert oscillation(tmp_path, *steps) == [("q", "destination", 3, 3, 1.0)]
    busiest = rows(tmp_path, tables.OSCILLATION, "busiest_hour_ms", "in_busiest_hour")
    assert busiest == [(0, 2)]


def test_where_only_senders_are_ordered_a_destination_closes_with_the_first_and_opens_with_the_last(
    tmp_path: Path,
) -> None:
    steps = [stop("c"), stop("d"), release("c"), release("d"), stop("c"), release("c"), stop("d")]
    assert oscillation(tmp_path, *steps) == [("q", "senders", 3, 2, 120_000.0)]


def test_the_broker_s_own_word_about_a_destination_goes_before_that_about_its_senders(tmp_path: Path) -> None:
    assert oscillation(tmp_path, overfull(), stop("c"), release("c"), stop("c")) == [("q", "destination", 1, 0, None)]


def waited(folder: Path, *steps: Row) -> list[tuple[Any, ...]]:
    measured(folder, events(*steps))
    return rows(folder, tables.WAITS, "who", "destinations", "free_ms", "released_ms", "waited_ms")


@pytest.mark.parametrize(("left", "free_ms", "wait"), [(799, 20, 20), (800, None, None), (801, None, None)])
def test_the_wait_begins_where_a_level_below_the_resume_level_is_first_seen(
    tmp_path: Path, left: int, free_ms: int | None, wait: int | None
) -> None:
    steps = [limits(), stop("c"), level(left, cause="acknowledge"), level(900), release("c")]
    assert waited(tmp_path, *steps) == [("c", "q", free_ms, 40, wait)]


def test_space_before_the_stop_or_after_the_release_does_not_count(tmp_path: Path) -> None:
    assert waited(tmp_path, limits(), level(1), stop("c"), release("c"), level(1)) == [("c", "q", None, 30, None)]


def test_a_gate_without_a_resume_level_opens_below_its_limit(tmp_path: Path) -> None:
    steps = [limits(resume=None), stop("c"), level(1000), level(999), release("c")]
    assert waited(tmp_path, *steps) == [("c", "q", 30, 40, 10)]


def test_what_the_broker_says_of_the_queue_counts_as_space(tmp_path: Path) -> None:
    assert waited(tmp_path, overfull(), stop("c"), underfull(size=800), release("c", None)) == [("c", "q", 20, 30, 10)]


def test_a_channel_waits_for_the_last_of_its_queues_to_have_space(tmp_path: Path) -> None:
    steps = [stop("c", "a"), stop("c", "b"), underfull("a"), underfull("b"), release("c", None)]
    assert waited(tmp_path, *steps) == [("c", "a + b", 30, 40, 10)]


def test_of_a_channel_one_of_whose_queues_shows_no_space_nothing_is_known(tmp_path: Path) -> None:
    steps = [stop("c", "a"), stop("c", "b"), underfull("a"), release("c", None)]
    assert waited(tmp_path, *steps) == [("c", "a + b", None, 30, None)]


def test_who_is_let_go_by_one_queue_after_the_other_waits_for_the_last(tmp_path: Path) -> None:
    steps = [stop("c", "a"), stop("c", "b"), release("c", "a"), underfull("a"), underfull("b"), release("c", "b")]
    assert waited(tmp_path, *steps) == [("c", "b", 40, 50, 10)]


def test_no_space_is_seen_while_an_order_stands_or_a_limit_is_shared(tmp_path: Path) -> None:
    ordered = [limits(), level(0, cause="block"), stop("c"), level(0), level(0, cause="unblock"), release("c")]
    assert waited(tmp_path / "ordered", *ordered) == [("c", "q", 40, 50, 10)]
    shared = [limits(), limits(queue=None, cause="disk-quota"), stop("c"), level(0), release("c")]
    assert waited(tmp_path / "shared", *shared) == [("c", "q", None, 40, None)]


def test_who_is_closed_was_not_let_go(tmp_path: Path) -> None:
    closed: Row = {"kind": "close", "channel": "c", "destination": "q"}
    assert waited(tmp_path, limits(), stop("c"), level(0), closed) == []


def together(folder: Path, *steps: Row) -> list[tuple[Any, ...]]:
    measured(folder, events(*steps))
    return rows(folder, tables.TOGETHER, "who", "causes", "count", "from_ms", "to_ms", "lasted_ms")


def test_causes_at_once_are_counted_from_the_second_to_the_first_that_is_gone(tmp_path: Path) -> None:
    steps = [stop("c", "a"), stop("c", "b"), stop("d", "a"), release("c", "a"), release("c", "b"), release("d", "a")]
    assert together(tmp_path, *steps) == [("c", "unknown of a + unknown of b", 2, 10, 30, 20)]


def test_a_third_cause_is_a_set_of_its_own(tmp_path: Path) -> None:
    steps = [stop("c", "a"), stop("c", "b"), stop("c", "x"), release("c", None)]
    found = [(each[2], each[3], each[4]) for each in together(tmp_path, *steps)]
    assert sorted(found) == [(2, 10, 20), (3, 20, 30)]


def test_one_cause_after_the_other_is_not_at_once(tmp_path: Path) -> None:
    assert together(tmp_path, stop("c", "a"), release("c", "a"), stop("c", "b"), release("c", "b")) == []


def test_causes_that_are_on_as_the_log_ends_are_counted_to_its_last_event(tmp_path: Path) -> None:
    found = together(tmp_path, release("d"), stop("c", "a"), stop("c", "b"), level(1, "z"), level(1, "z"))
    assert found == [("c", "unknown of a + unknown of b", 2, 20, 40, 20)]


def test_causes_that_may_be_gone_already_are_not_counted_together(tmp_path: Path) -> None:
    assert together(tmp_path, stop("c", "a"), stop("c", "b"), level(1, "z")) == []


def changes(folder: Path, *steps: Row, cut: int | None = None) -> list[tuple[Any, ...]]:
    whole = events(*steps)
    measured(folder, *([whole] if cut is None else [whole[:cut], whole[cut:]]))
    return rows(folder, tables.CHANGES, "name", "before", "limit", "after", "lines", "at_ms")


@pytest.mark.parametrize("cut", [None, 1, 2, 3])
def test_a_limit_that_one_line_alone_gives_otherwise_is_told(tmp_path: Path, cut: int | None) -> None:
    said = [overfull(), {**overfull(), "limit": 2000}, overfull(), overfull()]
    assert changes(tmp_path, *said, cut=cut) == [
        ("capacity", 1000, 2000, 1000, 1, 10), ("capacity", 2000, 1000, None, 2, 20),
    ]  # fmt: skip
    shown = summarised(tmp_path).changes
    assert [(one.limit, one.alone) for one in shown] == [(2000, True), (1000, False)]


def test_a_limit_of_another_destination_or_of_another_name_is_no_change(tmp_path: Path) -> None:
    other = {**overfull(), "destination": "other", "limit": 2000}
    assert changes(tmp_path, overfull(), other, underfull(), overfull(), underfull(), other) == []


def test_a_resume_level_changes_as_a_limit_does(tmp_path: Path) -> None:
    lower = {**underfull(), "resume": 700}
    assert changes(tmp_path, underfull(), lower, lower) == [("resume level", 800, 700, None, 2, 10)]


def test_limits_that_a_trace_sets_are_no_news(tmp_path: Path) -> None:
    assert changes(tmp_path, limits(), level(900), limits(limit=2000), level(900)) == []
