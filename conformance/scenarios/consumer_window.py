"""Steps about consumers whose client prefetches messages."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import AdapterError, Limits
from tidegate.adapters.groups import ConsumerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import ENOUGH, is_accepted, only_destination, opened

CONSUMERS = {"a": "consumer", "the": "consumer", "another": "other consumer", "the other": "other consumer"}
"""The name of a consumer by its words in a step."""
SECOND = "second queue"


@given("a queue with room for everything")
def roomy_queue(lab: Lab) -> None:
    lab.declare("queue", Limits())


@given(
    parsers.re(r"(?P<which>a|another) consumer with a window of (?P<window>-?\d+) bytes"), converters={"window": int}
)
@when(
    parsers.re(r"(?P<which>another) consumer with a window of (?P<window>-?\d+) bytes is attached"),
    converters={"window": int},
)
def windowed_consumer(lab: Lab, which: str, window: int) -> None:
    lab.open_consumer_with(CONSUMERS[which], only_destination(lab), ConsumerOptions(window_bytes=window))


@given(parsers.parse("another consumer with a window of {window:d} real bytes, on a queue of its own"))
def real_consumer_elsewhere(lab: Lab, window: int) -> None:
    lab.declare(SECOND, Limits())
    lab.open_consumer_with("other consumer", SECOND, ConsumerOptions(window_bytes=window), scaled=False)


@when(parsers.parse("a producer of each queue sends messages of {first:d}, {second:d} and {third:d} real bytes"))
def each_sends_three_real(lab: Lab, first: int, second: int, third: int) -> None:
    for destination in lab.destinations:
        for size in (first, second, third):
            is_accepted(lab, opened(lab, f"producer of {destination}", destination), size, scaled=False)


@then("the clients of both consumers have buffered as many messages")
def both_have_buffered_as_many(lab: Lab) -> None:
    counts = [buffered_at_rest(lab, consumer) for consumer in ("consumer", "other consumer")]
    first, second = counts
    lab.verify(first == second, "as many messages buffered for both", f"{first} and {second} buffered")


@given("a consumer that is not configured")
def unconfigured_consumer(lab: Lab) -> None:
    lab.open_consumer_with("consumer", only_destination(lab), ConsumerOptions())


@when("the consumer takes 1 message and is closed")
def takes_one_and_is_closed(lab: Lab) -> None:
    lab.take("consumer")
    lab.close_consumer("consumer")


@when("the consumer takes 1 message and its connection breaks")
def takes_one_and_is_killed(lab: Lab) -> None:
    lab.take("consumer")
    lab.kill("consumer")


@then(
    parsers.re(r"the client of (?P<which>the|the other) consumer has buffered (?P<count>\d+) messages"),
    converters={"count": int},
)
def has_buffered(lab: Lab, which: str, count: int) -> None:
    buffers(lab, CONSUMERS[which], count)


@then(
    parsers.re(r"the client of (?P<which>the|the other) consumer has buffered at most (?P<most>\d+) messages"),
    converters={"most": int},
)
def has_buffered_at_most(lab: Lab, which: str, most: int) -> None:
    consumer = CONSUMERS[which]
    seen = lab.stays(lambda: lab.buffered(consumer), lambda seen: seen <= most)
    lab.verify(seen <= most, f"at most {most} messages buffered", f"{seen} buffered")


def buffers(lab: Lab, consumer: str, count: int) -> None:
    """Verify that the client of a consumer comes to buffer `count` messages, and no more."""

    def look() -> int:
        return lab.buffered(consumer)

    lab.comes_to(look, lambda seen: seen == count)
    seen = lab.stays(look, lambda seen: seen == count)
    lab.verify(seen == count, f"{count} messages buffered", f"{seen} buffered")


@then("the client of the consumer has buffered what its window lets it", target_fixture="filled")
def has_filled_its_buffer(lab: Lab) -> int:
    """The number of messages in the client's buffer once no more come."""
    seen = buffered_at_rest(lab, "consumer")
    lab.verify(seen > 0, "messages buffered", f"{seen} buffered")
    return seen


def buffered_at_rest(lab: Lab, consumer: str) -> int:
    """The number of messages in the buffer of a consumer's client once no more come."""

    def look() -> int:
        return lab.buffered(consumer)

    seen = lab.comes_to(look, lambda seen: seen > 0)
    later = lab.stays(look, seen.__eq__)
    for _ in range(ENOUGH):
        if later == seen:
            break
        seen, later = later, lab.stays(look, later.__eq__)
    else:
        raise AdapterError(f"the {consumer}'s buffer never comes to rest: it went last from {seen} to {later} messages")
    return seen


@then("the client of the consumer has buffered as many messages as before")
def has_buffered_as_before(lab: Lab, filled: int) -> None:
    buffers(lab, "consumer", filled)


@then(
    parsers.re(r"(?P<which>the|the other) consumer is handed (?P<count>\d+) messages when it takes (?P<times>\d+)"),
    converters={"count": int, "times": int},
)
def is_handed(lab: Lab, which: str, count: int, times: int) -> None:
    handed = sum(lab.take(CONSUMERS[which]) is not None for _ in range(times))
    lab.verify(handed == count, f"{count} messages handed out of {times} asked for", f"{handed} handed out")
