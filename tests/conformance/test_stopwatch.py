"""The time that a send has waited: exact on a virtual clock, clear of the next due timer on a real one."""

import pytest

from tidegate.adapters.base import ProducerOptions
from tidegate.conformance.stopwatch import Stopwatch

OPTIONS = ProducerOptions(wait_ms=2000, notify_ms=900)
"""Timers are due after 900, 1,800 and 2,000 ms, and with a period alone after 2,700 ms."""


class Clock:
    """A fake of a real clock, which moves when the test says so, and in sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept: list[int] = []

    def now(self) -> float:
        return self.now_s

    def sleep(self, ms: int) -> None:
        self.slept.append(ms)
        self.pass_by(ms)

    def pass_by(self, ms: int) -> None:
        self.now_s += ms / 1000


@pytest.fixture
def clock() -> Clock:
    return Clock()


def started(clock: Clock, *, clock_ms: int, options: ProducerOptions = OPTIONS) -> Stopwatch:
    stopwatch = Stopwatch(clock.sleep, clock_ms, clock.now)
    stopwatch.start(options, clock.now())
    return stopwatch


@pytest.mark.parametrize("ms", [899, 900, 901])
def test_on_a_virtual_clock_exactly_what_the_scenario_says_passes(clock: Clock, ms: int) -> None:
    stopwatch = started(clock, clock_ms=0)
    stopwatch.pass_time(ms)
    stopwatch.pass_time(1)
    assert clock.slept == [ms, 1]
    assert stopwatch.waited_ms == ms + 1
    assert not stopwatch.is_late


@pytest.mark.parametrize(
    ("ms", "looked_at"),
    [
        *((599, 599), (600, 600), (601, 600), (899, 600), (900, 900), (901, 901)),
        *((1501, 1500), (1799, 1500), (1800, 1700), (1999, 1700), (2000, 2000), (2001, 2001)),
    ],
)
def test_on_a_real_clock_a_look_is_clear_of_what_falls_due_next(clock: Clock, ms: int, looked_at: int) -> None:
    started(clock, clock_ms=300).pass_time(ms)
    assert clock.slept == [looked_at]


def test_time_that_the_calls_took_is_not_slept_again(clock: Clock) -> None:
    stopwatch = started(clock, clock_ms=300)
    clock.pass_by(250)
    stopwatch.pass_time(500)
    clock.pass_by(50)
    stopwatch.pass_time(20)
    assert clock.slept == [250, 0]


@pytest.mark.parametrize(("waited", "late"), [(899, False), (900, True), (901, True)])
def test_a_look_is_late_once_what_falls_due_next_has_done_so(clock: Clock, waited: int, late: bool) -> None:
    stopwatch = started(clock, clock_ms=300)
    stopwatch.pass_time(500)
    clock.pass_by(waited - 500)
    assert stopwatch.is_late is late


def test_without_times_nothing_falls_due(clock: Clock) -> None:
    stopwatch = started(clock, clock_ms=300, options=ProducerOptions(transacted=True))
    stopwatch.pass_time(10_000)
    clock.pass_by(10_000)
    assert clock.slept == [10_000]
    assert not stopwatch.is_late


def test_each_send_has_its_own_time(clock: Clock) -> None:
    stopwatch = started(clock, clock_ms=300)
    stopwatch.pass_time(2000)
    stopwatch.start(OPTIONS, clock.now())
    stopwatch.pass_time(100)
    assert clock.slept == [2000, 100]
    assert stopwatch.waited_ms == 100
