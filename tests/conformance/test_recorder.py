"""The `limits` events of a destination that is changed in use."""

from dataclasses import replace

import pytest

from tidegate.adapters.base import NO_LIMIT, Limits
from tidegate.conformance.recorder import Recorder
from tidegate.model.traces import artemis_trace, general_causes
from tidegate.record.events import Event, Kind

ADDRESS = frozenset({"address-limit"})
BLOCK = Limits(limit_bytes=1000, policy="BLOCK")


@pytest.mark.parametrize(
    ("before", "gone"),
    [
        (replace(BLOCK, policy="FAIL"), general_causes.OVERFLOW),
        (replace(BLOCK, policy="DROP"), general_causes.OVERFLOW),
        (replace(BLOCK, page_limit_bytes=500, page_full_policy="FAIL"), general_causes.OVERFLOW),
        (replace(BLOCK, limit_messages=3), general_causes.MESSAGES),
    ],
)
def test_a_limit_that_a_destination_has_no_more_is_written_as_none(before: Limits, gone: str) -> None:
    events: list[Event] = []
    recorder = Recorder("s", events.append)
    recorder.limits("a", before, Limits(), ADDRESS)
    assert NO_LIMIT not in {event.limit for event in events if event.cause == gone}
    recorder.limits("a", BLOCK, Limits(), ADDRESS)
    recorder.limits("a", BLOCK, Limits(), ADDRESS)
    assert [event.limit for event in events if event.cause == gone][1:] == [NO_LIMIT]
    assert {event.kind for event in events} == {Kind.LIMITS}


def test_a_limit_that_stays_is_not_written_as_none() -> None:
    events: list[Event] = []
    recorder = Recorder("s", events.append)
    for limit in (1000, 2000):
        recorder.limits("a", replace(BLOCK, limit_bytes=limit), Limits(), ADDRESS)
    assert [(event.cause, event.limit) for event in events] == [
        (artemis_trace.MAX_SIZE, 1000),
        (artemis_trace.MAX_SIZE, 2000),
    ]
