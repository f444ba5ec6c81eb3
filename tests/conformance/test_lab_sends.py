"""The message that counts as the last sent one when sends wait and others are blocked."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import pytest

from tidegate.adapters.base import (
    Adapter,
    AdapterError,
    Delivery,
    Depth,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    Unsupported,
)
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.built import BuiltArtemisOpenWire2440
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.scenarios.ways_out import left_is_delivered
from tidegate.record.events import Event, Kind

FULL = 1000
LOST, LAST = "s1.m2", "s1.m3"


class Stoppable(ClassicReference):
    """A broker that can block all sends at once, so that none of them waits."""

    stopped = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return Outcome.BLOCKED if self.stopped else super().send(producer, message_id, size_bytes)


@pytest.fixture
def broker() -> Stoppable:
    return Stoppable()


@pytest.fixture
def lab(broker: Stoppable) -> Lab:
    """A lab with a producer of a queue that is full."""
    lab = Lab(broker, Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL, cursor="memory"))
    lab.open_producer("producer", "queue")
    lab.open_producer("other producer", "queue")
    assert lab.send("other producer", FULL) is Outcome.ACCEPTED
    return lab


def test_a_send_that_waits_has_no_answer_and_one_that_went_through_has(lab: Lab) -> None:
    assert lab.send("producer", 1) is Outcome.UNSETTLED
    assert lab.answer_to_last("producer") is None
    lab.consume("queue")
    assert lab.answer_to_last("producer") is Outcome.ACCEPTED


def test_the_answer_to_an_earlier_message_is_not_taken_for_that_to_the_last(lab: Lab) -> None:
    lab.send("producer", FULL)
    lab.consume("queue")
    assert lab.answer_to_last("producer") is Outcome.ACCEPTED
    assert lab.send("producer", 1) is Outcome.UNSETTLED
    assert lab.answer_to_last("producer") is None


def test_a_send_that_is_not_begun_because_another_waits_is_not_the_last(lab: Lab) -> None:
    assert lab.send("producer", 1) is Outcome.UNSETTLED
    assert lab.send("producer", 1) is Outcome.BLOCKED
    lab.consume("queue")
    assert lab.answer_to_last("producer") is Outcome.ACCEPTED


def test_a_send_that_is_blocked_while_none_waits_never_has_an_answer(broker: Stoppable, lab: Lab) -> None:
    assert lab.send("producer", 1) is Outcome.UNSETTLED
    lab.consume("queue")
    assert lab.answer_to_last("producer") is Outcome.ACCEPTED
    broker.stopped = True
    assert lab.send("producer", 1) is Outcome.BLOCKED
    assert lab.answer_to_last("producer") is None


@pytest.mark.parametrize(
    "end", [lambda lab: lab.kill("windowed"), lambda lab: lab.restart_broker()], ids=["kill", "restart"]
)
def test_no_message_is_surely_owed_whose_connection_broke_before_it_was_answered(end: Callable[[Lab], None]) -> None:
    lab = Lab(BuiltArtemisOpenWire2440(), Recorder("check"), "s1.")
    lab.keep_data()
    lab.declare("queue", Limits(limit_bytes=FULL, policy="BLOCK"))
    lab.open_producer("producer", "queue")
    assert lab.send("producer", FULL) is Outcome.ACCEPTED
    lab.open_producer("windowed", "queue", options=ProducerOptions(asynchronous=True, window_bytes=FULL))
    assert lab.send("windowed", 1) is Outcome.SENT
    assert len(lab.surely_owed("queue")) == len(lab.owed("queue")) == 2
    end(lab)
    assert len(lab.owed("queue")) == 2
    assert lab.surely_owed("queue") == lab.owed("queue")[:1]


class HandsOutAnother(BuiltArtemisOpenWire2440):
    """A broker that hands out the last message under the id of a lost one."""

    def take(self, consumer: str) -> Delivery | None:
        taken = super().take(consumer)
        return replace(taken, message_id=LOST) if taken is not None and taken.message_id == LAST else taken

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, LAST if message_id == LOST else message_id)


@pytest.mark.parametrize("broker", [BuiltArtemisOpenWire2440, HandsOutAnother])
def test_each_message_that_is_surely_owed_is_to_be_delivered_itself(broker: type[BuiltArtemisOpenWire2440]) -> None:
    lab = Lab(broker(), Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL, policy="BLOCK"))
    lab.open_producer("producer", "queue")
    lab.send("producer", FULL)
    lab.open_producer("windowed", "queue", options=ProducerOptions(asynchronous=True, window_bytes=FULL))
    lab.send("windowed", 1)
    lab.kill("windowed")
    lab.consume("queue")
    lab.send("producer", 1)
    assert lab.owed("queue") == [LOST, LAST]
    assert lab.surely_owed("queue") == [LAST]
    with pytest.raises(Deviation) if broker is HandsOutAnother else nullcontext():
        left_is_delivered(lab)


def test_what_is_handed_out_may_be_charged_no_more_when_the_next_message_is_sent() -> None:
    """As on topics of ActiveMQ Classic: an outdated level is no basis to judge a send."""

    class FreesWhatItHandsOut(ClassicReference):
        taken = False

        def take(self, consumer: str) -> Delivery | None:
            self.taken = True
            return super().take(consumer)

        def depth(self, destination: str) -> Depth:
            depth = super().depth(destination)
            return Depth(0, depth.messages) if self.taken else depth

    recorder = Recorder("check")
    lab = Lab(FreesWhatItHandsOut(), recorder, "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL, cursor="memory"))
    lab.open_producer("producer", "queue")
    lab.send("producer", FULL)
    lab.open_consumer("consumer", "queue")
    events: list[Event] = []
    recorder.add_sink(events.append)
    lab.take("consumer")
    lab.send("producer", 1)
    lab.send("producer", 1)
    levels = [(event.bytes, event.cause) for event in events if event.kind is Kind.LEVEL]
    assert levels[0] == (0, "take")
    assert [cause for _, cause in levels].count("take") == 1


def test_the_credit_of_a_message_that_its_client_holds_back_is_not_drained_once_it_is_sent() -> None:
    events = list[Event]()
    recorder = Recorder("check", events.append)
    recorder.opened("producer", ("queue",), "line")
    for outcome, left in ((Outcome.ACCEPTED, 9), (Outcome.UNSETTLED, 9), (Outcome.UNSETTLED, 8)):
        recorder.sent("producer", ("queue",), f"m{left}{outcome}", 1, outcome)
        recorder.credit("producer", "queue", Standing(False, credit_issued=10, credit_left=left))
    recorder.settled("producer", f"m9{Outcome.UNSETTLED}", Outcome.ACCEPTED, "")
    recorder.settled("producer", f"m8{Outcome.UNSETTLED}", Outcome.ACCEPTED, "")
    recorder.credit("producer", "queue", Standing(False, credit_issued=10, credit_left=7))
    assert Kind.DRAIN not in {event.kind for event in events}
    recorder.credit("producer", "queue", Standing(False, credit_issued=10, credit_left=5))
    assert [event.credit for event in events if event.kind is Kind.DRAIN] == [2]


class SeesNothing(ClassicReference):
    """A broker whose browsers and lists show nothing."""

    def browse(self, destination: str) -> int:
        return 0

    def list_messages(self, destination: str) -> int:
        return 0


@pytest.mark.parametrize("look", ["browse", "list_messages"])
def test_a_look_that_sees_none_of_the_messages_that_wait_is_no_look(look: str) -> None:
    lab = Lab(SeesNothing(), Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL, cursor="memory"))
    getattr(lab, look)("queue")
    lab.open_producer("producer", "queue")
    lab.send("producer", 1)
    with pytest.raises(AdapterError, match=f"{look} saw none of 1 messages that wait at queue"):
        getattr(lab, look)("queue")
    lab.open_consumer("consumer", "queue")
    lab.take("consumer")
    getattr(lab, look)("queue")


def test_of_two_producers_on_a_connection_that_breaks_neither_is_looked_at_afterwards() -> None:
    lab = Lab(BuiltArtemisOpenWire2440(), Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL))
    for name in ("first", "second"):
        lab.open_producer(name, "queue", connection="line")
    lab.kill("first")
    assert lab.producers == {}


@pytest.mark.parametrize(
    ("broker", "options", "can_wait"),
    [
        (BuiltArtemisOpenWire2440, ProducerOptions(asynchronous=True), False),
        (BuiltArtemisOpenWire2440, ProducerOptions(asynchronous=True, window_bytes=FULL), True),
        (ArtemisCoreReference, ProducerOptions(asynchronous=True), True),
        (ArtemisCoreReference, ProducerOptions(asynchronous=True, obeys=False), False),
    ],
)
def test_who_waits_for_no_answer_may_still_wait_for_credit(
    broker: type[Adapter], options: ProducerOptions, can_wait: bool
) -> None:
    lab = Lab(broker(), Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL, policy="BLOCK"))
    lab.open_producer("producer", "queue", options=options)
    assert lab.can_wait("producer") is can_wait


def test_what_an_implementation_has_no_memory_for_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    def send(*_: object) -> Outcome:
        raise MemoryError

    lab = Lab(BuiltArtemisOpenWire2440(), Recorder("check"), "s1.")
    lab.declare("queue", Limits(limit_bytes=FULL))
    lab.open_producer("producer", "queue")
    monkeypatch.setattr(lab.adapter, "send", send)
    with pytest.raises(Unsupported, match="the implementation ran out of memory with figures as large as these"):
        lab.send("producer", 1)
