"""The events that led to an event, in words."""

from typing import Any

from tidegate.conformance.story import MOST_LINES, OMITTED, last_in_words, story
from tidegate.record.events import Event, Kind

SENT = {"kind": Kind.SEND, "producer": "s7.first", "destination": "s7.queue", "outcome": "accepted"}
LIMITS = {"kind": Kind.LIMITS, "destination": "s7.queue", "cause": "capacity", "limit": 1000, "resume": 800}


def events(*fields: dict[str, Any]) -> list[Event]:
    """Events of one scenario."""
    return [Event(source="s7.a_check", seq=number, time=number, **each) for number, each in enumerate(fields, start=1)]


def level(size: int, messages: int, cause: str = "send") -> dict[str, Any]:
    """A seen level of the queue."""
    return {"kind": Kind.LEVEL, "destination": "s7.queue", "bytes": size, "messages": messages, "cause": cause}


def stands(outcome: str, credit: int | None = None) -> dict[str, Any]:
    """A seen standing of the producer."""
    return {
        "kind": Kind.STANDING, "producer": "s7.first", "destination": "s7.queue", "outcome": outcome, "credit": credit
    }  # fmt: skip


def test_each_step_is_a_line_with_what_was_seen_after_it() -> None:
    told = story(
        events(
            LIMITS,
            {"kind": Kind.OPEN, "producer": "s7.first", "destination": "s7.queue"},
            level(0, 0, "open"),
            {**SENT, "bytes": 1001},
            level(1001, 1),
            stands("stopped"),
            {"kind": Kind.TAKE, "destination": "s7.queue", "message_id": "s7.m1"},
            {"kind": Kind.ACKNOWLEDGE, "destination": "s7.queue", "message_id": "s7.m1"},
            level(0, 0, "acknowledge"),
            stands("free", 9),
        )
    )
    assert told == (
        "queue: capacity 1,000 (lower level 800)",
        "first attaches to queue: queue holds 0 bytes in 0 messages",
        "first sends a message of 1,001 bytes to queue, accepted: "
        "queue holds 1,001 bytes in 1 message, first is stopped",
        "a message of queue is consumed: queue holds 0 bytes in 0 messages, first is free with 9 credits left",
    )


def test_the_same_step_several_times_is_one_line_with_what_was_seen_last() -> None:
    twice = [{**SENT, "bytes": 400}, level(400, 1), {**SENT, "bytes": 400}, level(800, 2)]
    refused = [{**SENT, "bytes": 400, "outcome": "rejected"}, level(800, 2)]
    assert story(events(*twice, *refused)) == (
        "first sends a message of 400 bytes to queue, accepted (2 times): queue holds 800 bytes in 2 messages",
        "first sends a message of 400 bytes to queue, rejected: queue holds 800 bytes in 2 messages",
    )


def test_a_message_that_was_handed_out_and_not_consumed_is_named() -> None:
    told = story(events({"kind": Kind.TAKE, "destination": "s7.queue", "message_id": "s7.m4"}))
    assert told == ("a consumer is handed message m4 of queue",)


def test_a_long_story_has_its_limits_and_its_end() -> None:
    sent = [{**SENT, "bytes": size} for size in range(1, 40)]
    told = story(events(LIMITS, *sent))
    assert told[:2] == ("queue: capacity 1,000 (lower level 800)", OMITTED)
    assert len(told) == 2 + MOST_LINES
    assert told[-1] == "first sends a message of 39 bytes to queue, accepted"


def test_the_last_event_stands_beside_what_its_destination_held() -> None:
    assert (
        last_in_words(events(level(1001, 1), stands("free")))
        == "first is free, and queue holds 1,001 bytes in 1 message"
    )
