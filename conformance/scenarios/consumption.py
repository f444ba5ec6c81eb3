"""Steps about consumers that hold several messages, and about producers of another destination beside them."""

from functools import partial
from itertools import chain, zip_longest

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import fill_limits, is_accepted, only_destination, opened
from tidegate.conformance.scenarios.general import OTHER, STRANGER, deliveries

CONSUMER, OTHER_CONSUMER = "consumer", "other consumer"
Held = dict[str, list[str]]
"""For each consumer, the ids of the messages that it has in hand, in the order in which it was handed them."""


@when(parsers.parse("two consumers take {count:d} messages each"), target_fixture="held")
def two_take(lab: Lab, count: int) -> Held:
    taken = take_in_turn(lab, count)
    seen = {name: len(ids) for name, ids in taken.items()}
    lab.verify(set(seen.values()) == {count}, f"{count} messages handed out to each", f"{seen}")
    return taken


@when("two consumers take all messages in turn", target_fixture="held")
def two_take_all(lab: Lab) -> Held:
    return take_in_turn(lab, lab.depth(only_destination(lab)).messages)


def take_in_turn(lab: Lab, most: int) -> Held:
    """Hand two consumers messages in turn, at most `most` each."""
    held: Held = {CONSUMER: [], OTHER_CONSUMER: []}
    for name in held:
        lab.open_consumer(name, only_destination(lab))
    for _ in range(most):
        for name, ids in held.items():
            message_id = lab.take(name)
            ids.extend([] if message_id is None else [message_id])
    return held


@when("they acknowledge them in turn, the last ones first")
def acknowledge_in_turn(lab: Lab, held: Held) -> None:
    backwards = [[(name, each) for each in reversed(ids)] for name, ids in held.items()]
    for pair in filter(None, chain.from_iterable(zip_longest(*backwards))):
        lab.acknowledge(*pair)


@when("the other consumer acknowledges its messages")
def other_acknowledges(lab: Lab, held: Held) -> None:
    for message_id in held[OTHER_CONSUMER]:
        lab.acknowledge(OTHER_CONSUMER, message_id)


@then(parsers.parse("the destination is said to hold {count:d} messages"))
def is_said_to_hold(lab: Lab, count: int) -> None:
    told = lab.comes_to(lambda: lab.depth(only_destination(lab)).messages, lambda messages: messages == count)
    lab.verify(told == count, f"{count} messages", f"{told}")


@when("the consumer acknowledges the second of them")
def acknowledge_second(lab: Lab) -> None:
    in_turn = lab.in_turn(only_destination(lab), deliveries(lab))
    lab.verify(len(in_turn) > 1, "two or more messages handed out", f"{len(in_turn)}")
    lab.acknowledge(CONSUMER, in_turn[1])


@when("the consumer acknowledges the others")
def acknowledge_others(lab: Lab) -> None:
    for message_id in still_held(lab, CONSUMER):
        lab.acknowledge(CONSUMER, message_id)


@when("the consumer is closed")
def consumer_closed(lab: Lab) -> None:
    lab.close_consumer(CONSUMER)


@when("the connection of the consumer breaks")
def consumer_killed(lab: Lab) -> None:
    lab.kill(CONSUMER)


def still_held(lab: Lab, consumer: str) -> list[str]:
    """The ids of the messages that a consumer was handed and did not acknowledge."""
    name = lab.full_name(consumer)
    taken = [
        call.answer.message_id
        for call in lab.own_calls
        if call.verb == "take" and call.arguments[0] == name and call.answer is not None
    ]
    settled = [call.arguments[1] for call in lab.own_calls if call.verb == "acknowledge" and call.arguments[0] == name]
    return [message_id for message_id in taken if message_id not in settled]


@then("the next consumer is handed what was not acknowledged, and nothing else")
def handed_what_was_left(lab: Lab) -> None:
    before = len(deliveries(lab))
    owed = sorted(set(deliveries(lab)) - acknowledged(lab))
    lab.comes_to(partial(lab.consume, only_destination(lab)), bool)  # a broker may notice late that a consumer is gone
    lab.consume_everything(only_destination(lab))
    again = sorted(deliveries(lab)[before:])
    lab.verify(again == owed, f"{len(owed)} messages delivered again", f"{len(again)}, {overlap(owed, again)} of these")


def acknowledged(lab: Lab) -> set[str]:
    """The ids of all messages that were acknowledged."""
    return {call.arguments[1] for call in lab.own_calls if call.verb == "acknowledge"}


def overlap(owed: list[str], seen: list[str]) -> int:
    """The number of owed messages that were delivered."""
    return len(set(owed) & set(seen))


@given(parsers.parse("a producer of another destination that has sent a message of {size:d} bytes"))
def stranger(lab: Lab, size: int) -> None:
    lab.declare(OTHER, fill_limits(lab))
    is_accepted(lab, opened(lab, STRANGER, OTHER), size)


@given(parsers.parse("a producer of another destination on that connection that has sent a message of {size:d} bytes"))
def stranger_on_the_line(lab: Lab, size: int) -> None:
    lab.declare(OTHER, fill_limits(lab))
    lab.open_producer(STRANGER, OTHER, connection="line")
    is_accepted(lab, STRANGER, size)


@then("a message of that producer is accepted")
def stranger_sends(lab: Lab) -> None:
    outcome = lab.send(STRANGER, 100)
    lab.verify(outcome is Outcome.ACCEPTED, "the message accepted", f"it was {outcome}")
