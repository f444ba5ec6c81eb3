"""Steps about destinations with a memory limit, and the outcomes of sends to them."""

from dataclasses import replace
from typing import Any

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import is_accepted, only_destination, opened

MEMORY = "memory"
"""The cursor that keeps every message in memory, so that the limit can be reached."""
MANY = 40
LEVELS = {"store": "store_bytes", "temporary": "temp_bytes", "memory": "memory_bytes"}
"""The field of each limit that all destinations share, by its name in steps."""


@given(parsers.parse("a broker that fails sends at once where there is no space"))
def fails_at_once(lab: Lab) -> None:
    lab.declare_usage(Usage(fail_at_once=True))


@given(parsers.parse("a broker that fails sends after {timeout:d} ms where there is no space"))
def fails_after(lab: Lab, timeout: int) -> None:
    lab.declare_usage(Usage(fail_after_ms=timeout))


@given(
    parsers.re(
        r"a broker with a (?P<what>store|temporary|memory) limit of (?P<limit>\d+) bytes that fails sends "
        r"(?:at once|after (?P<timeout>\d+) ms) where there is no space"
    )
)
def limited_and_fails(lab: Lab, what: str, limit: str, timeout: str | None) -> None:
    failing = Usage(fail_at_once=True) if timeout is None else Usage(fail_after_ms=int(timeout))
    levels: dict[str, Any] = {LEVELS[what]: int(limit)}
    lab.declare_usage(replace(failing, **levels))


@given(parsers.parse("a broker that fails sends both at once and after {timeout:d} ms where there is no space"))
def fails_both_ways(lab: Lab, timeout: int) -> None:
    lab.declare_usage(Usage(fail_at_once=True, fail_after_ms=timeout))


@given(parsers.parse("a broker with a memory limit of {limit:d} bytes for all messages"))
def shared_memory(lab: Lab, limit: int) -> None:
    lab.declare_usage(Usage(memory_bytes=limit))


@given(
    parsers.re(r'a queue (?:"(?P<name>\w+)" )?with a memory limit of (?P<limit>\d+) bytes'), converters={"limit": int}
)
def memory_queue(lab: Lab, name: str | None, limit: int) -> None:
    lab.declare(name or "queue", Limits(limit_bytes=limit, cursor=MEMORY))


@given(parsers.parse("a topic with a memory limit of {limit:d} bytes"))
def memory_topic(lab: Lab, limit: int) -> None:
    lab.declare_topic("topic", Limits(limit_bytes=limit, cursor=MEMORY))


@given(parsers.parse("a queue with a memory limit of {limit:d} bytes and flow control switched off"))
def uncontrolled_queue(lab: Lab, limit: int) -> None:
    lab.declare("queue", Limits(limit_bytes=limit, policy="NONE", cursor=MEMORY))


@given(
    parsers.re(
        r'a queue(?: "(?P<name>\w+)")? with a memory limit of (?P<limit>\d+) bytes '
        r"that keeps waiting messages in a file"
    ),
    converters={"limit": int},
)
def file_queue(lab: Lab, name: str | None, limit: int) -> None:
    lab.declare(name or "queue", Limits(limit_bytes=limit, cursor="file"))
    # CLASSIC-MEMORY-7 permits that messages in a file take no memory, so the queue may take more than its limit
    lab.promises |= dict.fromkeys((State.ROOM, State.PAST_THE_LIMIT), None)


@given(parsers.parse("the queue holds a message of {size:d} bytes"))
def queue_holds(lab: Lab, size: int) -> None:
    comes_to_hold(lab, opened(lab, "other producer"), only_destination(lab), size)


@given(parsers.parse('"{name}" holds a message of {size:d} bytes'))
def named_queue_holds(lab: Lab, name: str, size: int) -> None:
    comes_to_hold(lab, opened(lab, f"producer of {name}", name), name, size)


def comes_to_hold(lab: Lab, producer: str, destination: str, size: int) -> None:
    """Send one message to an empty destination, which must then hold it, whatever the producer was told."""
    state = State.ROOM if lab.has_room(producer, size) else State.PAST_THE_LIMIT
    lab.send(producer, size)
    seen = lab.comes_to(lambda: lab.depth(destination).bytes, lambda seen: seen == lab.real(size))
    lab.verify(seen == lab.real(size), lab.in_words(lab.real(size)), lab.in_words(seen), state)


@given(parsers.parse("an asynchronous producer"))
def asynchronous_producer(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(asynchronous=True))


@given(parsers.parse("an asynchronous producer with a window of {window:d} bytes"))
def windowed_producer(lab: Lab, window: int) -> None:
    options = ProducerOptions(asynchronous=True, window_bytes=window)
    lab.open_producer("producer", only_destination(lab), options=options)


@given(parsers.re(r"a producer of (?P<kind>persistent|non-persistent) messages that is not configured further"))
def unconfigured_producer(lab: Lab, kind: str) -> None:
    options = ProducerOptions(persistent=kind == "persistent", unconfigured=True)
    lab.open_producer("producer", only_destination(lab), options=options)


@given(parsers.re(r"a producer of (?P<kind>persistent|non-persistent) messages that always sends (?P<way>\w+)"))
def configured_producer(lab: Lab, kind: str, way: str) -> None:
    options = ProducerOptions(persistent=kind == "persistent", asynchronous=way == "asynchronously")
    lab.open_producer("producer", only_destination(lab), options=options)


@given(parsers.re(r'(?P<which>a|another) producer on "(?P<line>\w+)" that sends to "(?P<name>\w+)"'))
def producer_on_connection(lab: Lab, which: str, line: str, name: str) -> None:
    lab.open_producer("producer" if which == "a" else "other producer", name, connection=line)


@given(parsers.parse('an asynchronous producer on "{line}" that sends to "{name}"'))
def asynchronous_producer_on_connection(lab: Lab, line: str, name: str) -> None:
    lab.open_producer("producer", name, connection=line, options=ProducerOptions(asynchronous=True))


@when(parsers.parse("the producer sends {count:d} further messages of {size:d} bytes"))
def sends_on(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        lab.send("producer", size)


@when(parsers.parse("the producer sends messages of {size:d} bytes until a send waits"))
def sends_until_waiting(lab: Lab, size: int) -> None:
    for _ in range(MANY):
        if lab.send("producer", size) is Outcome.UNSETTLED:
            return


@when(
    parsers.parse(
        "{times:d} times the producer sends messages of {size:d} bytes until a send waits, "
        "and all messages are consumed"
    )
)
def sends_until_waiting_in_rounds(lab: Lab, times: int, size: int) -> None:
    for _ in range(times):
        if not lab.rests("producer", lambda seen: not seen.stopped).stopped:
            sends_until_waiting(lab, size)
        lab.consume_everything(only_destination(lab))


@when(parsers.parse("it sends messages of {size:d} bytes until one is not taken"))
def sends_until_not_taken(lab: Lab, size: int) -> None:
    send_until_not_accepted(lab, size)


@when(parsers.parse("a transacted producer sends a message of {size:d} bytes"))
def transacted_sends(lab: Lab, size: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    lab.send("producer", size)


def send_until_not_accepted(lab: Lab, size: int) -> None:
    """Send until a message is not accepted."""
    for _ in range(MANY):
        if lab.send("producer", size) is not Outcome.ACCEPTED:
            return


@when(parsers.parse("the other producer sends a message of {size:d} bytes"))
def other_sends(lab: Lab, size: int) -> None:
    lab.send("other producer", size)


@when(parsers.parse("{ms:d} ms pass"))
def time_passes(lab: Lab, ms: int) -> None:
    lab.pass_time(ms)


@when(parsers.parse('all messages of the queue "{name}" are consumed'))
def consume_named(lab: Lab, name: str) -> None:
    lab.drain(name)


@then(parsers.re(r"its send (?P<state>waits|returns)"))
def send_is(lab: Lab, state: str) -> None:
    expected = {Outcome.UNSETTLED} if state == "waits" else {Outcome.ACCEPTED, Outcome.SENT}
    lab.verify(lab.outcome in expected, f"a send that {state}", f"it was {lab.outcome}")


@then("its send fails")
def send_fails(lab: Lab) -> None:
    lab.verify(lab.outcome is Outcome.REJECTED, "a send that fails at once", f"it was {lab.outcome}")


@then(parsers.re(r"that send (?P<state>still waits|has gone through|has failed)"))
def send_has(lab: Lab, state: str) -> None:
    wanted = {"still waits": None, "has gone through": Outcome.ACCEPTED, "has failed": Outcome.REJECTED}[state]

    def told() -> Outcome | None:
        return lab.answer_to_last("producer")

    if wanted is None:
        seen = lab.stays(told, lambda seen: seen is None)
    else:
        seen = lab.comes_to(told, lambda seen: seen is not None)
    if wanted is None and seen is not None:
        lab.look_was_in_time()
    lab.verify(seen is wanted, f"that the send {state}", "it still waits" if seen is None else f"it was {seen}")


@then(parsers.parse("what the producer is told starts with {name}"))
def told_starts_with(lab: Lab, name: str) -> None:
    seen = lab.comes_to(lambda: lab.refusals("producer"), bool)
    classes = sorted({reason.partition(":")[0] for reason in seen})
    lab.verify(name in classes, name, ", ".join(classes) or "nothing")


@then(parsers.parse("the queue comes to hold {count:d} messages"))
def holds_messages(lab: Lab, count: int) -> None:
    def look() -> int:
        return lab.depth(only_destination(lab)).messages

    lab.comes_to(look, lambda seen: seen == count)
    seen = lab.stays(look, lambda seen: seen == count)
    lab.verify(seen == count, f"{count} messages", f"{seen}")


@then(parsers.parse('"{name}" comes to hold {count:d} messages'))
def named_holds_messages(lab: Lab, name: str, count: int) -> None:
    def look() -> int:
        return lab.depth(name).messages

    lab.comes_to(look, lambda seen: seen == count)
    seen = lab.stays(look, lambda seen: seen == count)
    lab.verify(seen == count, f"{count} messages on {name}", f"{seen}")


@then(parsers.parse('"{name}" may be held empty by the connection'))
def stalled(lab: Lab, name: str) -> None:
    seen = lab.stays(lambda: lab.depth(name).messages, lambda seen: seen == 0)
    expected = f"no message on {name} while the connection is stalled"
    if seen:
        raise NotUsed(expected, f"{seen} on {name}")
    lab.verify(True, expected, f"none on {name}")


@then("the queue may take them all")
def may_take_all(lab: Lab) -> None:
    taken = 0
    while taken < MANY and lab.send(opened(lab, "producer"), 100) is Outcome.ACCEPTED:
        taken += 1
    expected = f"all of {MANY} messages of 100 bytes taken"
    if taken < MANY:
        raise NotUsed(expected, f"{taken} taken")
    lab.verify(True, expected, f"{taken} taken")


@then(parsers.re(r"management reads that sends wait where there is no space"))
def reads_policy(lab: Lab) -> None:
    seen = lab.limits_in_force(only_destination(lab)).policy
    lab.verify(seen == "BLOCK", "flow control by blocking", f"{seen}")


@when(parsers.parse("{count:d} producers each send a message of {size:d} bytes"), target_fixture="senders")
def each_sends(lab: Lab, count: int, size: int) -> list[str]:
    names = [f"producer {number}" for number in range(1, count + 1)]
    for name in names:
        lab.open_producer(name, only_destination(lab))
        lab.send(name, size)
    return names


@then("each of these sends has gone through")
def all_have_gone_through(lab: Lab, senders: list[str]) -> None:
    def waiting() -> list[str]:
        return [name for name in senders if lab.standing(name).stopped]

    left = lab.comes_to(waiting, lambda seen: not seen)
    lab.verify(not left, "every send gone through", f"{', '.join(left) or 'none'} still waiting")


@when(parsers.parse("{times:d} times the producer sends a message of {size:d} bytes, and {ms:d} ms pass"))
def sends_and_time_passes(lab: Lab, times: int, size: int, ms: int) -> None:
    for _ in range(times):
        lab.send(opened(lab, "producer"), size)
        lab.pass_time(ms)


@given(parsers.parse("another producer sent messages of {first:d} and {second:d} bytes"))
def other_sent_two(lab: Lab, first: int, second: int) -> None:
    for size in (first, second):
        is_accepted(lab, opened(lab, "other producer"), size)


@when("flow control is switched off for the queue")
def switched_off(lab: Lab) -> None:
    limits = lab.limits_of(only_destination(lab))
    lab.change_limits(only_destination(lab), replace(limits, policy="NONE", cursor=None))
