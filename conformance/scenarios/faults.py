"""Steps of faults: the broker is killed or paused, a connection is stalled or cut, and what must hold afterwards."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import FILL_SIZE, declare_small, only_destination, opened, send_until_refused
from tidegate.conformance.scenarios.general import DESTINATION, NAMES, all_stand, deliveries, every_producer_is

ACCEPTED_OUTLIVES = "GENERAL-23"
"""The rule that is violated if a message is lost, whatever the other messages are charged."""
CUTTABLE = "producer whose connection can be cut"


@given("a broker that keeps its data")
def keeps_data(lab: Lab) -> None:
    lab.keep_data()


@given("a producer whose connection can be cut")
def cuttable(lab: Lab) -> None:
    lab.make_cuttable(CUTTABLE)
    lab.open_producer(CUTTABLE, DESTINATION)


@given("a destination that 2 producers fill over connections that can be cut")
def filled_over_cuttable(lab: Lab) -> None:
    declare_small(lab)
    for name in NAMES[:2]:
        lab.make_cuttable(name)
        lab.open_producer(name, DESTINATION)
    for name in NAMES[:2]:
        send_until_refused(lab, name, FILL_SIZE)
    every_producer_is(lab, "stopped")


@when("the broker is killed and started again")
def killed_and_started(lab: Lab) -> None:
    lab.restart_broker()


@when(parsers.parse("the broker is paused for {ms:d} ms"))
def paused(lab: Lab, ms: int) -> None:
    lab.pause_broker(ms)


@when("the connection of the producer is stalled")
def stalled(lab: Lab) -> None:
    lab.stall(NAMES[0])


@when("that connection goes on")
def unstalled(lab: Lab) -> None:
    lab.unstall(NAMES[0])


@when(parsers.re(r"that connection is cut when (?P<part>half|all) of a message of (?P<size>\d+) bytes has passed"))
def cut(lab: Lab, part: str, size: str) -> None:
    lab.cut_in_send(CUTTABLE, int(size), arrives=part == "all")


@when(parsers.parse("the producer fills the destination with messages of {size:d} bytes"), target_fixture="taken")
def fills_with(lab: Lab, size: int) -> int:
    return send_until_refused(lab, opened(lab, NAMES[0]), size)


@when(
    parsers.parse("another producer fills the destination with messages of {size:d} bytes"),
    target_fixture="taken_again",
)
def another_fills_with(lab: Lab, size: int) -> int:
    return send_until_refused(lab, opened(lab, NAMES[1]), size)


@then("the other producer, which can be looked at, is free")
def other_is_free(lab: Lab) -> None:
    all_stand(lab, NAMES[1], stopped=False)


@then(parsers.parse("the destination is charged for {messages:d} messages"))
def charged_for(lab: Lab, messages: int) -> None:
    seen = lab.comes_to(lambda: lab.depth(DESTINATION), lambda held: held.messages == messages and held.bytes > 0)
    expected = f"{messages} messages, and bytes that are charged for them"
    told = f"{seen.messages} messages and {lab.in_words(seen.bytes)}"
    if seen.messages < messages:
        raise Deviation(expected, told, rules=(ACCEPTED_OUTLIVES,))
    lab.verify(seen.messages == messages and seen.bytes > 0, expected, told)


@then("the message is stored once or not at all")
def stored_once_at_most(lab: Lab) -> None:
    sent = next(call for call in reversed(lab.calls) if call.verb == "cut_in_send")
    lab.drain(DESTINATION)
    times = deliveries(lab).count(sent.arguments[1])
    most = 0 if sent.answer in (Outcome.BLOCKED, Outcome.REJECTED) else 1
    lab.verify(times <= most, f"the message delivered at most {most} times", f"{times} times")


@given("another producer fills it")
def other_fills(lab: Lab) -> None:
    send_until_refused(lab, opened(lab, NAMES[1]), FILL_SIZE)
    all_stand(lab, NAMES[1], stopped=True)


@when(parsers.re(r"(a|an) (?P<kind>[a-z, ]+) producer sends a message that waits"))
def sends_what_waits(lab: Lab, kind: str) -> None:
    """Send a message that the full destination does not take; an asynchronous producer gets no answer."""
    words = kind.split(", ")
    options = ProducerOptions(
        transacted="transacted" in words, asynchronous="asynchronous" in words, unconfigured="unconfigured" in words
    )
    lab.open_producer(NAMES[0], only_destination(lab), options=options)
    lab.send(NAMES[0], FILL_SIZE)


@when("management closes the connection of the producer", target_fixture="is_gone")
def closed_by_management(lab: Lab) -> bool:
    return lab.close_by_management(NAMES[0])


@then("the broker has that connection no more")
def has_it_no_more(lab: Lab, is_gone: bool) -> None:
    lab.verify(is_gone, "the connection gone from the broker", "gone" if is_gone else "there still")
