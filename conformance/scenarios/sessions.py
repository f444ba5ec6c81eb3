"""Steps about one client that sends to many destinations, by several producers of a session or by one."""

from functools import partial

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions, Standing
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import (
    ANSWERED,
    ENOUGH,
    FILL_SIZE,
    declare_small,
    fill_limits,
    only_destination,
    send_until_refused,
)
from tidegate.conformance.scenarios.general import all_stand, every_producer_is

SESSION = "session"
LINE = "line"
SMALL = 1
"""The bytes of a message for which any destination here has room."""
FIRST, SECOND = "producer", "other producer"


@given(parsers.parse("{count:d} destinations that few messages fill, with a producer each"))
def apart(lab: Lab, count: int) -> None:
    declare_several(lab, count)
    for destination in lab.destinations:
        lab.open_producer(producer_of(destination), destination)


@given(parsers.parse("{count:d} destinations that few messages fill, with a producer each in one session"))
def in_one_session(lab: Lab, count: int) -> None:
    declare_several(lab, count)
    for destination in lab.destinations:
        open_in_session(lab, producer_of(destination), destination)


@given(parsers.parse("a destination that few messages fill, and {count:d} further destinations"))
def with_further(lab: Lab, count: int) -> None:
    declare_small(lab)
    for number in range(1, count + 1):
        lab.declare(f"further destination {number}", Limits())


@given("two anonymous producers in one session")
def two_anonymous(lab: Lab) -> None:
    for name in (FIRST, SECOND):
        lab.open_anonymous_producer(name, connection=LINE, session=SESSION)


@when(parsers.parse("{count:d} producers of one session send until none may"))
def producers_of_one_session(lab: Lab, count: int) -> None:
    for number in range(1, count + 1):
        open_in_session(lab, f"producer {number}", only_destination(lab))
    each_fills(lab)


@when("each of these producers sends until it may not")
def each_fills(lab: Lab) -> None:
    for name in lab.producers:
        send_until_refused(lab, name, FILL_SIZE)
    every_producer_is(lab, "stopped")


@when("the first of these producers sends until it may not")
def first_fills(lab: Lab) -> None:
    send_until_refused(lab, first_of(lab), FILL_SIZE)
    all_stand(lab, first_of(lab), stopped=True)


@when("everything is consumed at each of them")
def consumed_at_each(lab: Lab) -> None:
    for destination in lab.destinations:
        consume_all_of(lab, destination)


@when("each of them is purged")
def purged_each(lab: Lab) -> None:
    for destination in lab.destinations:
        lab.purge(destination)


@when("the first of these producers is closed")
def first_closed(lab: Lab) -> None:
    lab.close_producer(first_of(lab))


@when("an anonymous producer sends a message to the destination and to each further one")
def sends_to_all(lab: Lab) -> None:
    lab.open_anonymous_producer(FIRST)
    for destination in lab.destinations:
        accepted_at(lab, FIRST, destination)


@when("it sends to the destination until it may not")
@when("the first of them sends to the destination until it may not")
def fills_anonymously(lab: Lab) -> None:
    for _ in range(ENOUGH):
        if lab.send(FIRST, FILL_SIZE, to=only_destination(lab)) not in ANSWERED:
            return


@when("the second of them sends a message to each further destination")
def second_sends(lab: Lab) -> None:
    for destination in lab.destinations[1:]:
        accepted_at(lab, SECOND, destination)


@then("consumption at each destination in turn lets its producer go")
def released_in_turn(lab: Lab) -> None:
    for destination in lab.destinations:
        consume_all_of(lab, destination)
        all_stand(lab, producer_of(destination), stopped=False)


@then("the other producer waits at its destination, and goes on once there is room")
def other_waits_and_goes_on(lab: Lab) -> None:
    all_stand(lab, *lab.producers, stopped=True)
    consume_all_of(lab, lab.destinations[-1])
    all_stand(lab, *lab.producers, stopped=False)


@then("every other producer is free")
def others_free(lab: Lab) -> None:
    all_stand(lab, *others_than_first(lab), stopped=False)


@then("a further message of each producer is accepted")
def accepted_of_each(lab: Lab) -> None:
    further_accepted(lab, *lab.producers)


@then("a further message of every other producer is accepted")
def accepted_of_others(lab: Lab) -> None:
    further_accepted(lab, *others_than_first(lab))


@then("a further message of the producer to the destination is accepted")
def accepted_of_anonymous(lab: Lab) -> None:
    accepted_at(lab, FIRST, only_destination(lab))


def declare_several(lab: Lab, count: int) -> None:
    """Declare the destination of other scenarios, and more destinations with similar limits."""
    declare_small(lab)
    for number in range(2, count + 1):
        lab.declare(f"destination {number}", fill_limits(lab))


def open_in_session(lab: Lab, name: str, destination: str) -> None:
    """Open a producer in the shared session."""
    lab.open_producer(name, destination, connection=LINE, options=ProducerOptions(session=SESSION))


def producer_of(destination: str) -> str:
    """The name of the producer that sends to a destination."""
    return f"producer of {destination}"


def first_of(lab: Lab) -> str:
    """The producer that was attached first."""
    return next(iter(lab.producers))


def others_than_first(lab: Lab) -> list[str]:
    """All producers but the first."""
    return [name for name in lab.producers if name != first_of(lab)]


def consume_all_of(lab: Lab, destination: str) -> None:
    """Consume all messages of a destination, and then the messages of its own producers that waited for room."""
    waiting = [name for name, targets in lab.producers.items() if lab.full_name(destination) in targets]
    while lab.drain(destination):
        lab.comes_to(partial(standings, lab, waiting), lambda seen: not any(each.stopped for each in seen))


def standings(lab: Lab, names: list[str]) -> list[Standing]:
    """The standing of each of these producers."""
    return [lab.standing(name) for name in names]


def further_accepted(lab: Lab, *names: str) -> None:
    """Send a small message of each of these producers, which must be accepted."""
    told = {name: lab.send(name, SMALL) for name in names}
    seen = ", ".join(f"that of the {name} was {outcome}" for name, outcome in told.items())
    lab.verify(set(told.values()) == {Outcome.ACCEPTED}, "a message of each accepted", seen)


def accepted_at(lab: Lab, name: str, destination: str) -> None:
    """Send a small message of an anonymous producer, which must be accepted if there is room."""
    outcome = lab.send(name, SMALL, to=destination)
    lab.verify(outcome is Outcome.ACCEPTED, f"a message to {destination} accepted", f"it was {outcome}", State.ROOM)
