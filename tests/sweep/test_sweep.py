"""A sweep finds what the theorems allow, to the byte, and counts time on a clock of its own."""

from dataclasses import replace

import pytest

from tidegate.pipeline.work.engines import HERE
from tidegate.sweep.configuration import Configuration, Mechanism
from tidegate.sweep.running import BATCHES, Run, TimeStopped, Worst, sweep, time_stopped, worst_case

QPID = Configuration(
    Mechanism.QPID_QUEUE, producers=3, size=100, capacity=1000, send_rate=100, drain_rate=100, seconds=1
)
AMQP = replace(QPID, mechanism=Mechanism.ARTEMIS_AMQP, credits=10, credits_low=3)
CORE = replace(QPID, mechanism=Mechanism.ARTEMIS_CORE, window=300)
CLASSIC = replace(QPID, mechanism=Mechanism.CLASSIC_MEMORY)


@pytest.mark.parametrize("producers", [1, 2, 3, 8])
@pytest.mark.parametrize("resume", [None, 1, 500, 1000])
@pytest.mark.parametrize(("capacity", "fits"), [(1000, 1000), (1099, 1000), (1100, 1100)])
def test_a_queue_comes_to_its_capacity_and_a_message_per_producer(
    producers: int, resume: int | None, capacity: int, fits: int
) -> None:
    """QB-T6: bytes <= capacity + N x largest; reached where whole messages make up the capacity."""
    found = worst_case(replace(QPID, producers=producers, resume=resume, capacity=capacity))
    assert found == Worst(fits + producers * 100, never_released=False)
    assert found.bytes <= capacity + producers * 100


def test_a_queue_that_resumes_above_its_capacity_comes_further_than_any_theorem_says() -> None:
    """QB-R3: with the resume level above the capacity the bound does not hold."""
    assert worst_case(replace(QPID, resume=1000)).bytes == 1300
    assert worst_case(replace(QPID, resume=1200)).bytes == 1100 + 300 > 1300


@pytest.mark.parametrize(("resume", "never"), [(0, True), (1, False)])
def test_a_queue_whose_resume_level_is_nothing_never_releases(resume: int, never: bool) -> None:
    assert worst_case(replace(QPID, resume=resume)).never_released is never


@pytest.mark.parametrize("producers", [1, 2, 3, 8])
@pytest.mark.parametrize(("credits", "low"), [(1, 0), (10, 3), (10, 9), (100, 30)])
@pytest.mark.parametrize(("capacity", "below"), [(1000, 900), (1001, 1000), (1100, 1000)])
def test_an_amqp_address_comes_just_below_its_size_and_to_all_windows(
    producers: int, credits: int, low: int, capacity: int, below: int
) -> None:
    """AB-T4: bytes <= max - 1 + N x window x largest; reached where whole messages come to one byte below the size."""
    configuration = replace(AMQP, producers=producers, credits=credits, credits_low=low, capacity=capacity)
    found = worst_case(configuration)
    assert found == Worst(below + producers * credits * 100, never_released=False)
    assert found.bytes <= capacity - 1 + producers * credits * 100


@pytest.mark.parametrize("producers", [1, 2, 3, 8])
@pytest.mark.parametrize(("window", "used"), [(100, 100), (300, 300), (350, 300), (1000, 1000)])
def test_a_core_address_comes_to_its_size_and_all_windows_but_one(producers: int, window: int, used: int) -> None:
    """CORE-T8: bytes <= max + (N - 1) x window, reached where whole messages make up both; one producer keeps it."""
    found = worst_case(replace(CORE, producers=producers, window=window))
    assert found == Worst(1000 + (producers - 1) * used, never_released=False)
    assert found.bytes <= 1000 + (producers - 1) * window


def test_a_message_larger_than_the_address_is_never_sent() -> None:
    assert worst_case(replace(CORE, size=1001, window=300)) == Worst(0, never_released=True)
    assert worst_case(replace(CORE, size=1000, window=300)) == Worst(3000, never_released=False)


@pytest.mark.parametrize(("limit", "most"), [(1000, 1000), (1001, 1100), (1099, 1100), (1100, 1100)])
@pytest.mark.parametrize("producers", [1, 8])
def test_a_classic_destination_comes_less_than_a_message_past_its_limit(limit: int, most: int, producers: int) -> None:
    """CM-T10: bytes < limit + size, whatever the number of producers."""
    assert worst_case(replace(CLASSIC, producers=producers, capacity=limit)) == Worst(most, never_released=False)
    assert most < limit + 100


def test_a_producer_at_twice_the_rate_of_the_consumer_waits_half_of_its_time() -> None:
    """It sends at 0, 1000, 2000 and 3000 ms, and waits from 500 ms after each until the consumer has taken one."""
    slow = replace(CLASSIC, producers=1, capacity=100, send_rate=2, drain_rate=1, seconds=4)
    assert time_stopped(slow) == TimeStopped(stopped_ms=2000, longest_stop_ms=500, cycles=4, messages_through=4)


def test_a_producer_that_nothing_stops_does_not_wait() -> None:
    free = replace(CLASSIC, producers=1, capacity=101, send_rate=1, drain_rate=1, seconds=4)
    assert time_stopped(free) == TimeStopped(stopped_ms=0, longest_stop_ms=0, cycles=0, messages_through=4)


def test_what_falls_together_is_sent_before_it_is_removed() -> None:
    """At 1000, 2000 and 3000 ms the producer finds the destination full, for as long as nothing."""
    together = replace(CLASSIC, producers=1, capacity=100, send_rate=1, drain_rate=1, seconds=4)
    assert time_stopped(together) == TimeStopped(stopped_ms=0, longest_stop_ms=0, cycles=3, messages_through=4)


def test_a_queue_releases_only_below_its_resume_level() -> None:
    """Full past 300 bytes after 4 messages at 300 ms; from 400 ms on the producer waits for a level below 101."""
    latch = replace(QPID, producers=1, capacity=300, resume=101, send_rate=10, drain_rate=1, seconds=3)
    assert time_stopped(latch).longest_stop_ms == 3000 - 400
    assert time_stopped(replace(latch, resume=201)).longest_stop_ms == 2000 - 400


def test_who_still_waits_at_the_end_has_waited_until_then() -> None:
    stuck = replace(QPID, producers=1, capacity=100, resume=0, send_rate=2, drain_rate=1, seconds=10)
    assert time_stopped(stuck) == TimeStopped(stopped_ms=9000, longest_stop_ms=9000, cycles=1, messages_through=2)


def test_figures_are_shares_of_what_is_configured() -> None:
    run = Run(replace(QPID, producers=4, seconds=10), Worst(1250, never_released=False), TimeStopped(8000, 1, 5, 9))
    assert (run.overshoot_bytes, run.overshoot_percent) == (250, 25.0)
    assert (run.stopped_percent, run.cycles_per_hour) == (20.0, 1800.0)
    assert replace(run, worst=Worst(999, never_released=False)).overshoot_bytes == 0


def test_runs_come_in_the_order_of_their_configurations_however_they_are_shared_out() -> None:
    tried = [replace(QPID, producers=1, capacity=100 * number) for number in range(1, BATCHES + 4)]
    here = sweep(tried, HERE)
    assert [run.configuration for run in here] == tried
    assert [run.overshoot_bytes for run in here] == [100] * len(tried)
