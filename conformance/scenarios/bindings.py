"""Steps about several queues that get the same messages."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import fill_limits, is_accepted, what_was_told
from tidegate.conformance.scenarios.general import DESTINATION, resumed_at

FIRST, LAST, LATER = "queue bound first", "queue bound last", "queue that came last"
SUBSCRIBER, CONSUMER = "subscriber", "consumer"
STORED = (Outcome.ACCEPTED, Outcome.SENT)
"""The outcomes of a message for which there is room; SENT for a producer that waits for no answer."""
KIND = r"(?P<kind>persistent|non-persistent)"
"""The words of a step that say whether messages survive the broker."""


@given(parsers.parse("a destination of {size:d} bytes, bound between wide queues"))
def bound_between_wide(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, limits_of(lab, size), {FIRST: Limits()}, LAST)


@given(parsers.parse("a destination of {messages:d} messages, bound between wide queues"))
def bound_by_messages(lab: Lab, messages: int) -> None:
    limits = replace(fill_limits(lab), limit_bytes=None, resume_bytes=None, limit_messages=messages)
    lab.declare_bound(DESTINATION, limits, {FIRST: Limits()}, LAST)


@given(
    parsers.parse(
        "a destination of {size:d} bytes, bound between wide queues, all of which keep their messages in files"
    )
)
def bound_in_files(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, Limits(limit_bytes=size, policy="NONE", cursor="file"), {FIRST: Limits()}, LAST)


@given(parsers.parse("a destination that pages past {size:d} bytes, bound between wide queues"))
def bound_in_pages(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, replace(limits_of(lab, size), policy="PAGE"), {FIRST: Limits()}, LAST)


@given(parsers.parse("a destination of {size:d} bytes, bound behind a queue that is like it"))
def bound_behind_its_like(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, limits_of(lab, size), {FIRST: limits_of(lab, size)}, LAST)


def limits_of(lab: Lab, size: int) -> Limits:
    """The limits of a queue whose limit is `size` bytes."""
    return replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size))


@given(
    parsers.re(rf"a producer of {KIND} messages that sent (?P<count>\d+) messages of (?P<size>\d+) bytes"),
    converters={"count": int, "size": int},
)
def sent_of_kind(lab: Lab, kind: str, count: int, size: int) -> None:
    lab.open_producer("producer", DESTINATION, options=ProducerOptions(persistent=kind == "persistent"))
    for _ in range(count):
        is_accepted(lab, "producer", size)


@when(
    parsers.re(
        rf"(?P<rounds>\d+) times (?P<count>\d+) (?:{KIND} )?messages of (?P<size>\d+) bytes are sent "
        r"that live (?P<lives>\d+) ms, and expire on each queue"
    ),
    converters={"rounds": int, "count": int, "size": int, "lives": int},
)
def expire_on_each(lab: Lab, rounds: int, count: int, size: int, lives: int, kind: str | None) -> None:
    for number in range(1, rounds + 1):
        name = f"producer of round {number}"
        lab.open_producer(name, DESTINATION, options=ProducerOptions(persistent=kind == "persistent"))
        for _ in range(count):
            is_accepted(lab, name, size, lives_ms=lives)
        for queue in (FIRST, LAST, DESTINATION):
            lab.let_expire(queue, lives * 2)
        lab.close_producer(name)


@given("a consumer whose subscription to it ends with the consumer")
def subscribed(lab: Lab) -> None:
    lab.subscribe(SUBSCRIBER, DESTINATION)


@when(parsers.re(r"(?P<ends>this consumer is closed|the connection of this consumer breaks)"))
def subscription_ends(lab: Lab, ends: str) -> None:
    lab.end_subscription(SUBSCRIBER, DESTINATION, broken=ends.endswith("breaks"))


@when(parsers.re(r"a consumer of it takes all messages, and (?P<ends>is closed|its connection breaks)"))
def consumer_ends(lab: Lab, ends: str) -> None:
    lab.open_consumer(CONSUMER, DESTINATION)
    lab.take_all(CONSUMER)
    if ends == "is closed":
        lab.close_consumer(CONSUMER)
    else:
        lab.kill(CONSUMER)


@given("one more queue is bound to it")
def one_more(lab: Lab) -> None:
    lab.bind(DESTINATION, LATER)


@when("everything is consumed at the queue that came last")
def consumed_later(lab: Lab) -> None:
    lab.consume_everything(LATER)


@when("everything is consumed at the queues beside it")
def consumed_beside(lab: Lab) -> None:
    for queue in (FIRST, LAST):
        lab.consume_everything(queue)


@when("all of its messages but one are consumed")
def consumed_but_one(lab: Lab) -> None:
    lab.consume(DESTINATION, lab.depth(DESTINATION).messages - 1)


@when("the queues beside it are deleted")
def deleted_beside(lab: Lab) -> None:
    for queue in (FIRST, LAST):
        lab.unbind(DESTINATION, queue)


@then(parsers.parse("it holds {own:d} messages, and the queues beside it hold {beside:d} each"))
def held_by_each(lab: Lab, own: int, beside: int) -> None:
    expected = [own, beside, beside]

    def held() -> list[int]:
        return [lab.depth(queue).messages for queue in (DESTINATION, FIRST, LAST)]

    found = lab.comes_to(held, lambda seen: seen == expected)
    lab.verify(found == expected, in_turn(expected), in_turn(found))


def in_turn(numbers: list[int]) -> str:
    """The numbers of messages of the destination and of both queues beside it, in words."""
    return f"{numbers[0]} messages at the destination, and {numbers[1]} and {numbers[2]} beside it"


@then("each bound queue delivers each accepted message once")
def delivered_by_each(lab: Lab) -> None:
    accepted = sorted(name for name, outcome in what_was_told(lab).items() if outcome in STORED)
    wrong = [queue for queue in (FIRST, LAST, DESTINATION) if delivered(lab, queue) != accepted]
    lab.verify(not wrong, f"{len(accepted)} messages once by each queue", f"otherwise by {', '.join(wrong) or 'none'}")


def delivered(lab: Lab, queue: str) -> list[str]:
    """The ids of the messages that a queue delivers until it is empty, in alphabetical order."""
    before = len(lab.own_calls)
    lab.consume_everything(queue)
    taken = (call for call in lab.own_calls[before:] if call.verb == "take")
    return sorted(call.answer.message_id for call in taken if call.answer is not None)


@when("a consumer of the first queue refuses for good all that it is handed")
def refused_at_the_first(lab: Lab) -> None:
    lab.open_consumer(CONSUMER, FIRST)
    while (message_id := lab.take(CONSUMER)) is not None:
        lab.give_up(CONSUMER, message_id)


@when("the queue bound first is purged")
def first_purged(lab: Lab) -> None:
    lab.purge(FIRST)
