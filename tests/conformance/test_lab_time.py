"""Time that a scenario lets pass: exact on a virtual clock, clear of whole seconds on a real one."""

import time
from dataclasses import replace

import pytest

from tidegate.adapters.base import Call, Limits, Standing
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.record.events import Event, Kind


class Clock(ArtemisCoreReference):
    """A broker that notes the times that it is told to pass."""

    def __init__(self, clock_ms: int):
        super().__init__()
        self.parameters = replace(self.parameters, clock_ms=clock_ms)
        self.passed: list[int] = []

    def advance(self, ms: int) -> None:
        self.passed.append(ms)


@pytest.mark.parametrize(
    ("clock_ms", "asked", "passed"),
    [
        *[(0, ms, ms) for ms in (500, 999, 1000, 1001, 4999)],
        *[(600, 999, 400), (600, 1000, 1000), (600, 1001, 1001), (600, 500, 500), (600, 4999, 4400)],
    ],
)
def test_what_is_a_millisecond_short_of_a_second_is_short_by_what_the_clock_can_tell(
    clock_ms: int, asked: int, passed: int
) -> None:
    clock = Clock(clock_ms)
    lab = Lab(clock, Recorder("check"), "s1.")
    lab.pass_time(asked)
    assert clock.passed == [passed]
    assert lab.calls == [Call("advance", (passed,))]


class StandingStill(Clock):
    """A broker whose clock stands still while the lab waits, so that only looks take time."""

    def __init__(self) -> None:
        super().__init__(0)
        self.parameters = replace(self.parameters, eventually_ms=100, never_ms=100)


def test_the_time_that_looks_take_is_patience_too() -> None:
    broker = StandingStill()
    lab = Lab(broker, Recorder("check"), "s1.")
    looks = []

    def look() -> bool:
        time.sleep(0.05)
        looks.append(len(broker.passed))
        return False

    assert lab.comes_to(look, lambda seen: seen) is False
    assert lab.stays(look, lambda seen: not seen) is False
    # the last look begins when the time is over, so there is one more look than fits into the time
    assert 4 <= len(looks) <= 6


LOOK_MS = 700


class SlowToLookAt(ArtemisCoreReference):
    """A broker whose producers take `LOOK_MS` to look at."""

    def __init__(self) -> None:
        super().__init__()
        self.lab: Lab | None = None

    def standing(self, producer: str) -> Standing:
        if self.lab is not None:
            self.lab.pass_time(LOOK_MS)
        return super().standing(producer)


def test_a_standing_has_the_time_at_which_the_look_began() -> None:
    broker, events = SlowToLookAt(), list[Event]()
    lab = Lab(broker, Recorder("check", events.append), "s1.")
    broker.start()
    lab.declare("destination", Limits(limit_bytes=1000))
    lab.open_producer("producer", "destination")
    began = lab.recorder.now_ms
    broker.lab = lab
    lab.wait_until_free("producer")
    assert lab.recorder.now_ms == began + LOOK_MS
    assert {event.time - began for event in events if event.kind is Kind.STANDING} == {0}
