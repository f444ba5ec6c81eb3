"""Looks at a rate that come too late say nothing."""

import pytest

from tidegate.adapters.artemis.core.pace import Pace
from tidegate.adapters.base import AdapterError


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("before_ms", [None, 100, 1000])
def test_a_look_within_the_time_is_one_and_a_later_look_is_not(before_ms: int | None) -> None:
    clock = Clock()
    pace = Pace(600, clock)
    if before_ms is None:
        pace.check("it")
    else:
        pace.passed(before_ms)
    clock.now = 5.599
    pace.check("it")
    clock.now = 5.601
    with pytest.raises(AdapterError, match="too slow to tell it: its looks took 601 ms, more than 600 ms"):
        pace.check("it")


def test_the_time_of_the_first_look_counts() -> None:
    clock = Clock()
    pace = Pace(600, clock)
    pace.begin()
    clock.now = 5.601
    with pytest.raises(AdapterError, match="its looks took 601 ms"):
        pace.check("it")
    pace.begin()
    with pytest.raises(AdapterError, match="its looks took 601 ms"):
        pace.check("it")


def test_a_look_that_waits_a_little_is_no_time_that_was_let_pass() -> None:
    clock = Clock()
    pace = Pace(600, clock)
    pace.passed(100)
    clock.now = 5.601
    pace.passed(99)
    with pytest.raises(AdapterError):
        pace.check("it")
    pace.passed(100)
    pace.check("it")
