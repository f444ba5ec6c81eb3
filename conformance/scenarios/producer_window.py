"""Steps about Core producers, which ask for credit in bytes."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import (
    ENOUGH,
    ENOUGH_SMALLEST,
    is_accepted,
    only_destination,
    opened,
    send_smallest,
)


@given(
    parsers.re(
        r'a Core (?P<kind>address|topic)(?: "(?P<name>\w+)")? with a maximum size of (?P<size>\d+) bytes '
        r"and policy (?P<policy>[A-Z]+)"
    ),
    converters={"size": int},
)
def core_address(lab: Lab, kind: str, name: str | None, size: int, policy: str) -> None:
    declare = lab.declare_topic if kind == "topic" else lab.declare
    declare(name or "address", Limits(limit_bytes=size, policy=policy))


@given(parsers.parse("a producer with a window of {window:d} bytes"))
def windowed_producer(lab: Lab, window: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(window_bytes=window))


@given("a producer that ignores its credit")
def disobedient_producer(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(obeys=False))


@given(parsers.parse("another producer sent a message of {size:d} bytes"))
def other_sent(lab: Lab, size: int) -> None:
    is_accepted(lab, opened(lab, "other producer"), size)


@when(
    parsers.parse(
        "{producers:d} producers with windows of {window:d} bytes send as much as they can, in turn by {size:d} bytes"
    )
)
def send_in_turn(lab: Lab, producers: int, window: int, size: int) -> None:
    names = [f"producer {number}" for number in range(1, producers + 1)]
    for name in names:
        lab.open_producer(name, only_destination(lab), options=ProducerOptions(window_bytes=window))
    for _ in range(ENOUGH):
        names = [name for name in names if lab.send(name, size) is Outcome.ACCEPTED]


@when(
    parsers.parse(
        "{producers:d} producers with windows of {window:d} bytes send as many of the smallest messages as they can"
    )
)
def send_smallest_in_turn(lab: Lab, producers: int, window: int) -> None:
    names = [f"producer {number}" for number in range(1, producers + 1)]
    for name in names:
        lab.open_producer(name, only_destination(lab), options=ProducerOptions(window_bytes=window))
    for _ in range(ENOUGH_SMALLEST):
        names = [name for name in names if send_smallest(lab, name) is Outcome.ACCEPTED]


@then(parsers.parse("the address may hold more than {size:d} bytes"))
def may_hold_more(lab: Lab, size: int) -> None:
    seen = lab.depth(only_destination(lab)).bytes
    lab.expected, lab.seen = f"more than {lab.in_words(lab.real(size))}", lab.in_words(seen)
    if seen <= lab.real(size):
        raise NotUsed(lab.expected, lab.seen)
