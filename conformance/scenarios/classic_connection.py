"""Steps about connections that producers and consumers share, and about the sends of many producers together."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import only_destination

MANY = 20
"""More messages than fit any window here."""


@given(parsers.parse('another asynchronous producer on "{line}" that sends to "{name}"'))
def other_asynchronous_producer(lab: Lab, line: str, name: str) -> None:
    lab.open_producer("other producer", name, connection=line, options=ProducerOptions(asynchronous=True))


@given(parsers.parse('a consumer on "{line}" of "{name}"'))
def consumer_on_connection(lab: Lab, line: str, name: str) -> None:
    lab.open_consumer("consumer", name, connection=line)


@when(
    parsers.parse(
        "{count:d} asynchronous producers with a window of {window:d} bytes send messages of {size:d} bytes "
        "until each waits"
    ),
    target_fixture="sent_bytes",
)
def send_until_each_waits(lab: Lab, count: int, window: int, size: int) -> int:
    sent = 0
    for number in range(1, count + 1):
        name = f"producer {number}"
        lab.open_producer(name, only_destination(lab), options=ProducerOptions(asynchronous=True, window_bytes=window))
        sent += size * send_until_not_sent(lab, name, size)
    return sent


def send_until_not_sent(lab: Lab, name: str, size: int) -> int:
    """Send until a call waits, at most `MANY` times; the number of calls that returned."""
    for returned in range(MANY):
        if lab.send(name, size) is not Outcome.SENT:
            return returned
    return MANY


@then(parsers.parse("they have sent at most {most:d} bytes"))
def have_sent_at_most(lab: Lab, sent_bytes: int, most: int) -> None:
    lab.verify(0 < sent_bytes <= most, f"at most {most} bytes sent", f"{sent_bytes} bytes")


@when("the consumer is handed a message", target_fixture="handed_out")
def handed_out(lab: Lab) -> str | None:
    message_id = lab.take("consumer")
    lab.verify(message_id is not None, "a message handed out to the consumer", "none")
    return message_id


@when("the consumer acknowledges that message")
def acknowledged(lab: Lab, handed_out: str) -> None:
    lab.acknowledge("consumer", handed_out)


@then("the producer may be left waiting")
def may_be_left_waiting(lab: Lab) -> None:
    lab.expected = "the producer stopped, although its own connection acknowledged a message"
    stopped = lab.rests("producer", lambda seen: seen.stopped).stopped
    lab.seen = f"the producer {'stopped' if stopped else 'free'}"
    if not stopped:
        raise NotUsed(lab.expected, lab.seen)


@then(parsers.parse("the queue may stay at {size:d} bytes"))
def may_stay_at(lab: Lab, size: int) -> None:
    held = lab.real(size)
    lab.expected = f"{lab.in_words(held)} held, although a message of them was acknowledged"
    seen = lab.stays(lambda: lab.depth(only_destination(lab)).bytes, lambda seen: seen == held)
    lab.seen = f"{lab.in_words(seen)} held"
    if seen != held:
        raise NotUsed(lab.expected, lab.seen)


@given(parsers.parse('an asynchronous producer on "{line}" with a window of {window:d} bytes'))
def windowed_on_connection(lab: Lab, line: str, window: int) -> None:
    options = ProducerOptions(asynchronous=True, window_bytes=window)
    lab.open_producer("producer", only_destination(lab), connection=line, options=options)


@given(parsers.parse('another on "{line}" that sends to "{name}" with a window of {window:d} bytes'))
def other_windowed_on_connection(lab: Lab, line: str, name: str, window: int) -> None:
    options = ProducerOptions(asynchronous=True, window_bytes=window)
    lab.open_producer("other producer", name, connection=line, options=options)


@when(parsers.parse("the other producer sends {count:d} messages of {size:d} bytes"))
def other_sends_many(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        lab.send("other producer", size)
