"""Steps for any mechanism: a destination is filled until no producer may send, and space is freed in every way."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import NO_LIMIT, Call, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import MeasuresMemory
from tidegate.conformance.conditions.histories import multiplied
from tidegate.conformance.conditions.known import WINDOW
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import (
    ANSWERED,
    ENOUGH,
    FILL_SIZE,
    declare_small,
    fill_limits,
    is_accepted,
    only_destination,
    opened,
    send_smallest,
    send_until_refused,
    until_refused,
)
from tidegate.conformance.sends_that_wait import expect_calls_to_return

CONSUMPTION_RELEASES = "GENERAL-3"
NEVER_BELOW_ZERO = "GENERAL-22"
"""The rule that is violated if the bytes are right and the count of messages is negative."""
DESTINATION = "destination"
OTHER = "other destination"
STRANGER = "stranger"
"""Who sends to the other destination."""
TRANSACTED = "transacted producer"
NAMES = ("producer", "other producer", "third producer")
SMALLEST = 100
"""The bytes of a destination that the smallest messages fill."""
NO_CAPACITY = 0
"""The capacity that stands for no limit of a queue gate (QPID-QUEUE-3)."""
RESUME_PERCENT = 80
"""The lower level of a changed limit, in percent of the upper one, for mechanisms that have one."""


def resumed_at(size: int) -> int:
    """The lower level in bytes that belongs to a limit."""
    return size * RESUME_PERCENT // 100


@given(parsers.parse("a destination with a limit of {size:d} bytes"))
def limited(lab: Lab, size: int) -> None:
    lab.declare(DESTINATION, replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size)))


@given(parsers.parse("a destination with a limit of {size:d} bytes and of {messages:d} messages"))
def limited_twice(lab: Lab, size: int, messages: int) -> None:
    lab.declare(DESTINATION, replace(fill_limits(lab), limit_bytes=size, limit_messages=messages))


@given(parsers.parse("a destination with a limit of {messages:d} messages alone"))
def limited_in_messages(lab: Lab, messages: int) -> None:
    lab.declare(DESTINATION, replace(fill_limits(lab), limit_bytes=None, resume_bytes=None, limit_messages=messages))


@given(parsers.parse("a topic with a limit of {messages:d} messages alone"))
def topic_limited_in_messages(lab: Lab, messages: int) -> None:
    limits = replace(fill_limits(lab), limit_bytes=None, resume_bytes=None, limit_messages=messages)
    lab.declare_topic(DESTINATION, limits)


@given(parsers.parse("destinations whose limits by default are {size:d} bytes"))
def limited_by_default(lab: Lab, size: int) -> None:
    limits = replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size), credit=None, credit_low=None)
    lab.declare_defaults(limits)


@given("a destination without limits of its own")
def without_own_limits(lab: Lab) -> None:
    limits = fill_limits(lab)
    lab.inherit_defaults(DESTINATION)
    lab.declare(DESTINATION, Limits(credit=limits.credit, credit_low=limits.credit_low))


@given(parsers.parse("destinations whose limit by their pattern is {size:d} bytes"))
def limited_by_pattern(lab: Lab, size: int) -> None:
    lab.declare_pattern_outside(of_pattern(lab, size))


@when(parsers.re(r"the limit of the pattern is (lowered|raised) to (?P<size>\d+) bytes"), converters={"size": int})
def pattern_changed(lab: Lab, size: int) -> None:
    lab.change_pattern_outside(of_pattern(lab, size))


def of_pattern(lab: Lab, size: int) -> Limits:
    """The limits of a pattern, without credit."""
    return replace(
        fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size), credit=None, credit_low=None, cursor=None
    )


@when("it is deleted and created again")
def deleted_and_created(lab: Lab) -> None:
    lab.recreate(DESTINATION)


@given("a destination that few messages fill")
def small(lab: Lab) -> None:
    declare_small(lab)


@given("a destination that 100 bytes fill")
def smallest(lab: Lab) -> None:
    declare_small(lab, SMALLEST)


@given(parsers.parse("a topic with a limit of {size:d} bytes"))
def limited_topic(lab: Lab, size: int) -> None:
    lab.declare_topic(DESTINATION, replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size)))


@given("a destination that a producer fills until it may not send")
def filled(lab: Lab) -> None:
    filled_by(lab, 1)


@given(parsers.parse("a destination that {producers:d} producers fill until none may send"), target_fixture="taken")
def filled_by(lab: Lab, producers: int) -> int:
    declare_small(lab)
    accepted = send_until_none_may(lab, producers)
    every_producer_is(lab, "stopped")
    return accepted


@when(parsers.parse("{producers:d} producers send until none may"))
def send_until_none_may(lab: Lab, producers: int) -> int:
    for name in NAMES[:producers]:
        lab.open_producer(name, DESTINATION)
    return sum(send_until_refused(lab, name, FILL_SIZE) for name in NAMES[:producers])


@when("a latecomer sends to it until it may not")
def latecomer_fills(lab: Lab) -> None:
    send_until_refused(lab, opened(lab, "latecomer"), FILL_SIZE)


@when(parsers.parse("{producers:d} producers send the smallest messages until none may"))
def send_smallest_until_none_may(lab: Lab, producers: int) -> None:
    for name in NAMES[:producers]:
        lab.open_producer(name, DESTINATION)
    for name in NAMES[:producers]:
        fit = lab.real(SMALLEST + WINDOW) // lab.adapter.parameters.smallest_message_bytes
        until_refused(lab, name, partial(send_smallest, lab, name), fit + ENOUGH)


@when("an anonymous producer sends to it until it may not")
def fills_anonymously(lab: Lab) -> None:
    lab.open_anonymous_producer("producer")
    for _ in range(ENOUGH):
        if lab.send("producer", FILL_SIZE, to=DESTINATION) not in ANSWERED:
            return


@given("another destination like it")
def another_like_it(lab: Lab) -> None:
    lab.declare(OTHER, fill_limits(lab))


@when("an anonymous producer sends to each until it may not")
def fills_each_anonymously(lab: Lab) -> None:
    lab.open_anonymous_producer("producer")
    for destination in lab.destinations:
        for _ in range(ENOUGH):
            if lab.send("producer", FILL_SIZE, to=destination) not in ANSWERED:
                break


@when("an anonymous producer sends a message to the first and to the other until it may not")
def fills_the_other_anonymously(lab: Lab) -> None:
    lab.open_anonymous_producer("producer")
    lab.send("producer", FILL_SIZE, to=DESTINATION)
    for _ in range(ENOUGH):
        if lab.send("producer", FILL_SIZE, to=OTHER) not in ANSWERED:
            return


@when("a producer on a connection and one on another fill it, and a consumer on the first connection takes all")
def filled_beside_a_consumer(lab: Lab) -> None:
    lab.open_producer("producer", DESTINATION, connection="line")
    lab.open_producer("other producer", DESTINATION)
    lab.open_consumer("consumer", DESTINATION, connection="line")
    for name in ("producer", "other producer"):
        send_until_refused(lab, name, FILL_SIZE)
    lab.take_all("consumer")


@when("the consumer acknowledges what it has in hand")
def acknowledges_what_it_holds(lab: Lab) -> None:
    for message_id in list(lab.held.get("consumer", ())):
        lab.acknowledge("consumer", message_id)


@when("everything is consumed at each")
def everything_is_consumed_at_each(lab: Lab) -> None:
    for destination in lab.destinations:
        lab.consume_everything(destination)


@then("a further message of the producer to each is accepted")
def is_accepted_at_each(lab: Lab) -> None:
    told: dict[str, Outcome] = {}
    for destination in lab.destinations:
        lab.rests("producer", lambda seen: not seen.stopped)
        told[destination] = lab.send("producer", FILL_SIZE, to=destination)
    seen = ", ".join(f"at the {name} it was {outcome}" for name, outcome in told.items())
    lab.verify(set(told.values()) == {Outcome.ACCEPTED}, "a message accepted at each", seen)


@when("a producer of each protocol sends until it may not")
def each_protocol_fills(lab: Lab) -> None:
    protocols = lab.adapter.parameters.protocols
    for protocol in protocols:
        lab.open_producer(f"producer of {protocol}", DESTINATION, options=ProducerOptions(protocol=protocol))
    for protocol in protocols:
        send_until_refused(lab, f"producer of {protocol}", FILL_SIZE)


@when("a transacted producer commits messages until it may not send")
def fills_by_transactions(lab: Lab) -> None:
    fills_by_transactions_of(lab, 1)


@when(parsers.parse("a transacted producer commits {count:d} messages at a time until it may not send"))
def fills_by_transactions_of(lab: Lab, count: int) -> None:
    lab.open_producer("producer", DESTINATION, options=ProducerOptions(transacted=True))
    for number in range(1, ENOUGH + 1):
        if lab.send("producer", FILL_SIZE) is not Outcome.UNSETTLED or lab.standing("producer").stopped:
            return
        if number % count == 0 and lab.commit("producer") is not Outcome.ACCEPTED:
            return


@when(parsers.parse("a transacted producer rolls back {count:d} messages of {size:d} bytes"))
def rolls_back(lab: Lab, count: int, size: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(count):
        outcome = lab.send("producer", size)
        lab.verify(
            outcome is Outcome.UNSETTLED, "the message unsettled until the transaction ends", f"it was {outcome}"
        )
        if lab.can_close_clients and lab.standing("producer").stopped:
            # a waiting send holds up its session, and only the end of the session can roll back the transaction
            lab.close_producer("producer")
            lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
            return
    lab.rollback("producer")


@when(parsers.parse("a transacted producer commits {count:d} messages of {size:d} bytes together"))
def commits_together(lab: Lab, count: int, size: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    send_and_commit(lab, count, size)


@when(parsers.parse("another, transacted producer commits messages of {first:d} and {second:d} bytes"))
def another_commits(lab: Lab, first: int, second: int) -> None:
    another_sends_in_transaction(lab, first)
    sends_in_transaction_and_commits(lab, second)


@when(parsers.parse("another, transacted producer sends a message of {size:d} bytes"))
def another_sends_in_transaction(lab: Lab, size: int) -> None:
    lab.open_producer(TRANSACTED, only_destination(lab), options=ProducerOptions(transacted=True))
    lab.send(TRANSACTED, size)


@when("the transacted producer rolls back")
def transacted_rolls_back(lab: Lab) -> None:
    lab.rollback(TRANSACTED)


@when(parsers.parse("the transacted producer sends a message of {size:d} bytes and commits"))
def sends_in_transaction_and_commits(lab: Lab, size: int) -> None:
    lab.send(TRANSACTED, size)
    lab.commit(TRANSACTED)


@when(parsers.parse("the producer sends {count:d} messages of {size:d} bytes again, and commits them"))
def commits_again(lab: Lab, count: int, size: int) -> None:
    send_and_commit(lab, count, size)


def send_and_commit(lab: Lab, count: int, size: int) -> None:
    """Send up to `count` messages of `size` bytes in one transaction, as long as the producer may, and commit it."""
    for _ in range(count):
        if lab.send("producer", size) is not Outcome.UNSETTLED or lab.standing("producer").stopped:
            break
    lab.commit("producer")


@when("the producer fills the destination", target_fixture="taken")
@when("the producer fills the destination again", target_fixture="taken_again")
def fills(lab: Lab) -> int:
    return send_until_refused(lab, opened(lab, "producer"), FILL_SIZE)


@when("everything is consumed")
def everything_is_consumed(lab: Lab) -> None:
    lab.consume_everything(only_destination(lab))


@when(parsers.parse("messages are consumed until {size:d} bytes are left"))
def consumed_down_to(lab: Lab, size: int) -> None:
    destination = only_destination(lab)
    while lab.depth(destination).bytes > lab.real(size) and lab.consume(destination) == 1:
        pass
    left = lab.depth(destination).bytes
    lab.verify(left == lab.real(size), f"{lab.in_words(lab.real(size))} left", lab.in_words(left))


@when("the destination is purged")
def purged(lab: Lab) -> None:
    lab.purge(only_destination(lab))


@when(parsers.parse("its limit is changed to {size:d} bytes"))
@when(parsers.parse("it is changed to one that stops its producers, with a limit of {size:d} bytes"))
def changed(lab: Lab, size: int) -> None:
    changed_limits = replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size), cursor=None)
    lab.change_limits(only_destination(lab), changed_limits)


@when(parsers.parse("its limit is changed to {factor:d} times as much"))
def multiplied_by(lab: Lab, factor: float) -> None:
    """Change each limit of the only destination, whether it counts bytes or messages."""
    limits = multiplied(lab.limits_of(only_destination(lab)), factor)
    lab.change_limits(only_destination(lab), replace(limits, cursor=None))


@when("its limit is changed to a thousandth")
def divided(lab: Lab) -> None:
    """Change each limit of the only destination to a thousandth, whether it counts bytes or messages."""
    multiplied_by(lab, 1 / 1000)


@when("its limit is removed")
def removed(lab: Lab) -> None:
    limits = fill_limits(lab)
    if "queue-gate" in lab.adapter.capabilities:
        limits = replace(limits, limit_bytes=NO_CAPACITY, resume_bytes=NO_CAPACITY)
    else:
        limits = replace(limits, limit_bytes=NO_LIMIT, resume_bytes=None)
    lab.change_limits(only_destination(lab), replace(limits, cursor=None))


@when("its limit in messages is removed")
def removed_in_messages(lab: Lab) -> None:
    limits = replace(fill_limits(lab), limit_bytes=None, resume_bytes=None, limit_messages=None, cursor=None)
    lab.change_limits(only_destination(lab), limits)


@when("the producer is closed")
def producer_closed(lab: Lab) -> None:
    lab.close_producer("producer")


@when("the connection of the producer breaks")
def producer_killed(lab: Lab) -> None:
    lab.kill("producer")


@when("a consumer takes all messages and is closed")
def consumer_closed(lab: Lab) -> None:
    take_all(lab)
    lab.close_consumer("consumer")


@when(
    parsers.re(
        r"(?P<count>\d+) consumers, one after the other, take all messages "
        "and (?P<end>are closed|lose their connections)"
    ),
    converters={"count": int},
)
def consumers_go(lab: Lab, count: int, end: str) -> None:
    for number in range(1, count + 1):
        name = f"consumer {number}"
        lab.open_consumer(name, only_destination(lab))
        lab.take_all(name)
        (lab.close_consumer if end == "are closed" else lab.kill)(name)


@when("the consumer acknowledges them, the last one first")
def acknowledged_backwards(lab: Lab) -> None:
    for message_id in reversed(deliveries(lab)):
        lab.acknowledge("consumer", message_id)


@when("a consumer takes all messages")
def taken_all(lab: Lab) -> None:
    take_all(lab)


@when("two consumers of one connection take a message each, and it breaks")
def two_consumers_killed(lab: Lab) -> None:
    for name in ("consumer", "other consumer"):
        lab.open_consumer(name, DESTINATION, connection="line")
        lab.take(name)
    lab.kill("consumer")


@when("a consumer on the producer's connection takes all messages, and it breaks")
def consumer_beside_producer_killed(lab: Lab) -> None:
    lab.open_consumer("consumer", DESTINATION, connection="line")
    lab.take_all("consumer")
    lab.kill("consumer")


@given("a producer on a connection that others share")
def producer_on_a_line(lab: Lab) -> None:
    lab.open_producer("producer", DESTINATION, connection="line")


@when("a consumer takes all messages and its connection breaks")
def consumer_killed(lab: Lab) -> None:
    take_all(lab)
    lab.kill("consumer")


def take_all(lab: Lab) -> None:
    """Hand every message to one consumer that acknowledges none."""
    lab.open_consumer("consumer", only_destination(lab))
    lab.take_all("consumer")


@when("management stops the producers of the destination")
def ordered_to_stop(lab: Lab) -> None:
    lab.block(DESTINATION)


@when("management lifts that order")
def order_lifted(lab: Lab) -> None:
    lab.unblock(DESTINATION)


@when(parsers.parse("a producer of another destination sends a message of {size:d} bytes"))
def sends_elsewhere(lab: Lab, size: int) -> None:
    lab.declare(OTHER, fill_limits(lab))
    is_accepted(lab, opened(lab, STRANGER, OTHER), size)


@then("that producer is free")
def stranger_is_free(lab: Lab) -> None:
    all_stand(lab, STRANGER, stopped=False)


@then(parsers.re(r"every producer is (?P<state>free|stopped)"))
def every_producer_is(lab: Lab, state: str) -> None:
    all_stand(lab, *lab.producers, stopped=state == "stopped")


@then("both are let go")
def both_are_let_go(lab: Lab) -> None:
    """If they are not released, that violates the rule about consumption, whatever the scenario is about."""
    try:
        all_stand(lab, *lab.producers, stopped=False)
    except Deviation as error:
        raise Deviation(error.expected, error.seen, rules=(CONSUMPTION_RELEASES,)) from error


def all_stand(lab: Lab, *names: str, stopped: bool) -> None:
    """Verify that each of these producers comes to be stopped, or free, and stays so."""

    def wanted(seen: Standing) -> bool:
        return seen.stopped is stopped

    wishes: dict[str, Callable[[Standing], bool]] = dict.fromkeys(names, wanted)
    others = [name for name, standing in lab.rest(wishes).items() if not wanted(standing)]
    state = "stopped" if stopped else "free"
    held = lab.in_words(lab.depth(only_destination(lab)).bytes)
    lab.verify(
        not others,
        f"{', '.join(names)} {state} at {held}",
        f"not {state} at {held}: {', '.join(others)}" if others else f"{state} at {held}",
        State.STOPPED if stopped else None,
    )
    if not stopped:
        expect_calls_to_return(lab, names)


@then(parsers.parse("the destination holds {size:d} bytes in {messages:d} messages"))
def destination_holds(lab: Lab, size: int, messages: int) -> None:
    wanted = (lab.real(size), messages)

    def look() -> tuple[int, int]:
        seen = lab.depth(DESTINATION)
        return seen.bytes, seen.messages

    held, count = lab.comes_to(look, lambda seen: seen == wanted)
    expected = f"{lab.in_words(lab.real(size))} in {messages} messages"
    seen = f"{lab.in_words(held)} in {count} messages"
    if held == wanted[0] and count < 0:
        raise Deviation(expected, seen, rules=(NEVER_BELOW_ZERO,))
    lab.verify((held, count) == wanted, expected, seen)


@then(parsers.parse("the other destination holds {size:d} bytes"))
def other_destination_holds(lab: Lab, size: int) -> None:
    seen = lab.comes_to(lambda: lab.depth(OTHER).bytes, lambda seen: seen == lab.real(size))
    lab.verify(seen == lab.real(size), lab.in_words(lab.real(size)), lab.in_words(seen))


@then("no figure was ever below zero")
def never_below_zero(lab: Lab) -> None:
    told = [(call, figure) for call in lab.calls for figure in told_figures(call)]
    below = [f"{call.verb} told {figure}" for call, figure in told if figure < 0]
    expected = f"none of the {len(told)} figures of usage and credit below zero"
    lab.verify(not below, expected, f"{len(below)} of them, first: {below[0]}" if below else "none")


def told_figures(call: Call) -> tuple[int, ...]:
    """The figures of usage and credit in the answer of a verb."""
    match call.answer:
        case Depth(bytes=held, messages=messages):
            return held, messages
        case Standing(credit_issued=int(issued), credit_left=int(left)):
            return issued, left, issued - left
        case int(used) if call.verb == MeasuresMemory.memory_used.__name__:
            return (used,)
    return ()


@then("it took as many messages as before")
def took_as_many(lab: Lab, taken: int, taken_again: int) -> None:
    lab.verify(taken_again == taken, f"{taken} messages accepted again", f"{taken_again} accepted")


@then("each accepted message is delivered by the next consumer")
def delivered_by_the_next(lab: Lab) -> None:
    before = len(deliveries(lab))
    handed_out = set(deliveries(lab))
    if handed_out:
        lab.comes_to(
            partial(lab.consume, only_destination(lab)), bool
        )  # a broker may notice late that a consumer is gone
    lab.consume_everything(only_destination(lab))
    again = deliveries(lab)[before:]
    lab.verify(
        handed_out <= set(again),
        f"the {len(handed_out)} messages that went back delivered again",
        f"{len(handed_out - set(again))} of them missing",
    )


def deliveries(lab: Lab) -> list[str]:
    """The ids of the messages handed out so far, in order."""
    return [call.answer.message_id for call in lab.own_calls if call.verb == "take" and call.answer is not None]
