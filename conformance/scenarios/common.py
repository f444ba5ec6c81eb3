"""Steps that every mechanism shares: producers send, consumers take, destinations hold."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.sends_that_wait import expect_calls_to_return
from tidegate.conformance.small_limits import FILL_SIZE as FILL_SIZE
from tidegate.conformance.small_limits import small_limits

PRODUCERS = {"a": "producer", "the": "producer", "another": "other producer", "the other": "other producer"}
"""The name of a producer by its words in a step."""

FILL_MEMORY = 1666
"""The bytes of a memory of which 1000 used bytes are just too many, at a ratio of 0.4 free."""
ANSWERED = (Outcome.ACCEPTED, Outcome.REJECTED)
ENOUGH = 300
"""More messages than any producer here may send before it is stopped."""
ENOUGH_SMALLEST = 3000
"""More messages of the smallest size than any producer here may send before it is stopped."""
REFUSED_ENOUGH = 10
"""The number of refusals in a row that suffice for a stopped producer; more would show nothing new."""


def read_bytes(seen: int | None) -> str:
    """A limit that management shows, in words; None if it shows none."""
    return f"{'no figure' if seen is None else f'{seen} bytes'} (read, not reached)"


def only_destination(lab: Lab) -> str:
    """The destination of a step that names none: the one declared first."""
    return lab.destinations[0]


def fill_limits(lab: Lab) -> Limits:
    """Limits that mean the same for every mechanism, and stop a producer after few messages."""
    return small_limits(lab.adapter.capabilities)


def opened(lab: Lab, name: str, *destinations: str) -> str:
    """The producer of that name, opened on its first use."""
    if name not in lab.producers:
        lab.open_producer(name, *(destinations or (only_destination(lab),)))
    return name


def is_accepted(lab: Lab, name: str, size: int, *, scaled: bool = True, lives_ms: int | None = None) -> None:
    """Send a message that must be accepted for the step to come about."""
    state = State.ROOM if scaled and lab.has_room(name, size) else State.PAST_THE_LIMIT
    outcome = lab.send(name, size, scaled=scaled, lives_ms=lives_ms)
    lab.verify(outcome is Outcome.ACCEPTED, f"a message of {size} bytes accepted", f"it was {outcome}", state)


def send_until_refused(lab: Lab, name: str, size: int) -> int:
    """Send messages of this size until one is held back; the number of messages taken."""
    return until_refused(lab, name, lambda: lab.send(name, size), ENOUGH)


def until_refused(lab: Lab, name: str, send: Callable[[], Outcome], most: int) -> int:
    """Send until a message of the producer is held back, or `most` were sent; the number of messages taken.

    A rejected message holds no producer back. If a stopped producer gets rejections, a few are enough.
    """
    told: list[Outcome] = []
    for _ in range(most):
        told.append(send())
        if told[-1] not in (*ANSWERED, Outcome.SENT):
            break
        if told[-REFUSED_ENOUGH:] == [Outcome.REJECTED] * REFUSED_ENOUGH and lab.standing(name).stopped:
            break
    return told.count(Outcome.ACCEPTED) + told.count(Outcome.SENT)


def send_smallest(lab: Lab, name: str) -> Outcome:
    """Send a message with the least possible charge."""
    return lab.send(name, lab.adapter.parameters.smallest_message_bytes, scaled=False)


@when(parsers.parse("a producer sends messages of {first:d} and {second:d} real bytes"))
def send_two_real(lab: Lab, first: int, second: int) -> None:
    for size in (first, second):
        is_accepted(lab, opened(lab, "producer"), size, scaled=False)


@when(parsers.parse("a producer sends {count:d} messages of {size:d} real bytes"))
def send_many_real(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        is_accepted(lab, opened(lab, "producer"), size, scaled=False)


@given("a producer is attached")
def producer_attached(lab: Lab) -> None:
    opened(lab, "producer")


@given(
    parsers.re(r"(?P<which>a|the|another) producer was stopped by a message of (?P<size>\d+) bytes"),
    converters={"size": int},
)
def stopped_by_one(lab: Lab, which: str, size: int) -> None:
    stopped_by(lab, PRODUCERS[which], size)


@given(
    parsers.re(r"(?P<which>a|another) producer was stopped by messages of (?P<first>\d+) and (?P<rest>\d+) bytes"),
    converters={"first": int, "rest": int},
)
def stopped_by_two(lab: Lab, which: str, first: int, rest: int) -> None:
    stopped_by(lab, PRODUCERS[which], first, rest)


def stopped_by(lab: Lab, name: str, *sizes: int) -> None:
    """Send these messages, the last of which must stop the producer."""
    opened(lab, name)
    for size in sizes:
        is_accepted(lab, name, size)
    must_be(lab, name, stopped=True)


@given(parsers.re(r"(?P<which>a|the|another) producer sent a message of (?P<size>\d+) bytes"), converters={"size": int})
def sent_one(lab: Lab, which: str, size: int) -> None:
    is_accepted(lab, opened(lab, PRODUCERS[which]), size)


@when(
    parsers.re(r"(?P<which>a|the|another) producer sends a message of (?P<size>\d+) bytes"),
    converters={"size": int},
)
def send_one(lab: Lab, which: str, size: int) -> None:
    lab.send(opened(lab, PRODUCERS[which]), size)


@given(
    parsers.re(r"a producer sent messages of (?P<first>\d+) and (?P<second>\d+) bytes"),
    converters={"first": int, "second": int},
)
@when(
    parsers.re(r"a producer sends messages of (?P<first>\d+) and (?P<second>\d+) bytes"),
    converters={"first": int, "second": int},
)
def send_two(lab: Lab, first: int, second: int) -> None:
    for size in (first, second):
        is_accepted(lab, opened(lab, "producer"), size)


@given(parsers.parse("the producer sent {count:d} messages of {size:d} bytes"))
@when(
    parsers.re(r"(a|the) producer sends (?P<count>\d+) messages of (?P<size>\d+) bytes"),
    converters={"count": int, "size": int},
)
def send_many(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        is_accepted(lab, opened(lab, "producer"), size)


@when("the first message is consumed")
def consume_first(lab: Lab) -> None:
    lab.consume(only_destination(lab))


@when("all messages are consumed")
def consume_all(lab: Lab) -> None:
    lab.drain(only_destination(lab))


@then(parsers.re(r"(?P<which>the|the other) producer is (?P<state>free|stopped)"))
def producer_is(lab: Lab, which: str, state: str) -> None:
    must_be(lab, PRODUCERS[which], stopped=state == "stopped")


def must_be(lab: Lab, name: str, *, stopped: bool) -> None:
    """Verify that the producer comes to be stopped, or free, and stays so."""
    standing = lab.rests(name, lambda seen: seen.stopped is stopped)
    held = lab.in_words(lab.depth(only_destination(lab)).bytes)
    states = {True: "stopped", False: "free"}
    lab.verify(
        standing.stopped is stopped,
        f"the {name} {states[stopped]} at {held}",
        f"the {name} {states[standing.stopped]} at {held}",
        State.STOPPED if stopped else None,
    )
    if not stopped:
        expect_calls_to_return(lab, [name])


@then(parsers.re(r"the (queue|address) holds (?P<size>\d+) bytes"), converters={"size": int})
def holds(lab: Lab, size: int) -> None:
    seen = lab.comes_to(lambda: lab.depth(only_destination(lab)).bytes, lambda seen: seen == lab.real(size))
    lab.verify(seen == lab.real(size), lab.in_words(lab.real(size)), lab.in_words(seen))


@then(parsers.parse("the queue holds at most {most:d} bytes"))
def holds_at_most(lab: Lab, most: int) -> None:
    seen = lab.depth(only_destination(lab)).bytes
    lab.verify(seen <= lab.real(most), f"at most {lab.in_words(lab.real(most))}", lab.in_words(seen))


@then("both messages can be consumed")
def both_consumed(lab: Lab) -> None:
    consumed = lab.drain(only_destination(lab))
    lab.verify(consumed == 2, "2 messages consumed", f"{consumed} consumed")


@then(parsers.re(r"the message is (?P<outcome>accepted|rejected)"))
def message_is(lab: Lab, outcome: str) -> None:
    held = lab.in_words(lab.depth(only_destination(lab)).bytes)
    lab.verify(
        lab.outcome == outcome,
        f"the message {outcome}",
        f"it was {lab.outcome}, and the address held {held} then",
    )


def declare_small(lab: Lab, size: int = 1000) -> None:
    """Declare a destination that `size` bytes fill; if messages fill the broker's memory, give it a small memory."""
    if "memory-ratio" in lab.adapter.capabilities:
        lab.declare_usage(Usage(memory_bytes=FILL_MEMORY * size // 1000))
    lab.declare("destination", replace(fill_limits(lab), limit_bytes=size, resume_bytes=size * 8 // 10))


@when("the producer tries to send one more message")
def try_once_more(lab: Lab) -> None:
    lab.send("producer", FILL_SIZE)


@then("that message is not accepted")
def not_accepted(lab: Lab) -> None:
    lab.verify(lab.outcome is not Outcome.ACCEPTED, "the message not accepted", f"it was {lab.outcome}")


@then("only accepted messages are ever delivered")
@then("each accepted message was delivered once")
def delivered_once(lab: Lab) -> None:
    lab.consume_everything(only_destination(lab))
    told = what_was_told(lab)
    sure = {message_id for message_id, outcome in told.items() if outcome is Outcome.ACCEPTED}
    refused = {message_id for message_id, outcome in told.items() if outcome in (Outcome.REJECTED, Outcome.BLOCKED)}
    delivered = lab.deliveries()
    lab.verify(
        len(delivered) == len(set(delivered)) and sure <= set(delivered) <= told.keys() - refused,
        f"the {len(sure)} accepted messages delivered once each, and none that was refused",
        f"{len(delivered)} deliveries of {len(set(delivered))} messages, {len(set(delivered) & refused)} of refused "
        f"messages, {len(set(delivered) - told.keys())} of messages never sent, "
        f"{len(sure - set(delivered))} accepted ones missing",
    )


def what_was_told(lab: Lab) -> dict[str, Outcome]:
    """The last outcome of each message that the producers of a scenario were told.

    A message of an open transaction counts as rejected once its producer is closed, unless a commit was held back.
    """
    told: dict[str, Outcome] = {}
    senders: dict[str, str] = {}
    transacted: set[str] = set()
    for call in lab.own_calls:
        match call.verb, call.arguments:
            case "open_producer", (str() as producer, _, _, ProducerOptions(transacted=True)):
                transacted.add(producer)
            case (
                ("send", (str() as producer, str() as message_id, _))
                | (
                    "send_to",
                    (str() as producer, _, str() as message_id, _),
                )
                | ("cut_in_send", (str() as producer, str() as message_id, _, _))
            ):
                told[message_id], senders[message_id] = call.answer, producer
            case "settlements", _:
                told |= {settlement.message_id: settlement.outcome for settlement in call.answer}
            case "commit", (str() as producer,) if call.answer is Outcome.BLOCKED:
                transacted.discard(producer)
            case "commit" | "rollback", (str() as producer,):
                told |= dict.fromkeys(_open_still(told, senders, producer), call.answer or Outcome.REJECTED)
            case "close_producer", (str() as producer,) if producer in transacted:
                told |= dict.fromkeys(_open_still(told, senders, producer), Outcome.REJECTED)
    return told


def _open_still(told: Mapping[str, Outcome], senders: Mapping[str, str], producer: str) -> list[str]:
    """The messages of a producer that have no outcome yet."""
    return [sent for sent, outcome in told.items() if outcome is Outcome.UNSETTLED and senders[sent] == producer]
