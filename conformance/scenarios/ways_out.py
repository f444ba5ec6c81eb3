"""Steps about messages that expire, are refused for good, browsed or filtered, and that management moves or lists."""

from collections.abc import Iterator
from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Depth, Limits, ProducerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import (
    ENOUGH,
    FILL_SIZE,
    fill_limits,
    is_accepted,
    only_destination,
    opened,
    send_until_refused,
    until_refused,
)

OTHER = "other destination"
OVER_MS = 400
"""The ms after which every message of a scenario has expired."""
MOVED_OVER_MS = 2000
"""The ms after which every moved message has expired: a move takes longer than a send."""


@when(parsers.parse("the producer sends messages that live {lives:d} ms until it may not"))
def fills_with_expiring(lab: Lab, lives: int) -> None:
    opened(lab, "producer")
    until_refused(lab, "producer", lambda: lab.send("producer", FILL_SIZE, lives_ms=lives), ENOUGH)
    stopped = lab.comes_to(lambda: lab.standing("producer").stopped, bool)
    if not stopped:
        expire(lab)  # the check ends here, and the trace must know where the messages went
    lab.verify(stopped, "the producer stopped", "the producer free", State.STOPPED)


@when(parsers.parse("the producer sends {count:d} messages of {size:d} bytes that live {lives:d} ms"))
def sends_expiring(lab: Lab, count: int, size: int, lives: int) -> None:
    opened(lab, "producer")
    for _ in range(count):
        lab.send("producer", size, lives_ms=lives)


@when("their time is over and a consumer asks for messages", target_fixture="handed_out")
def expire(lab: Lab) -> list[str]:
    return lab.let_expire(only_destination(lab), OVER_MS)


@when("the time of what was moved is over and a consumer asks for it", target_fixture="handed_out")
def expire_elsewhere(lab: Lab) -> list[str]:
    return lab.let_expire(OTHER, MOVED_OVER_MS)


@when("a consumer takes all messages, and acknowledges them once their time is over")
def expire_in_hand(lab: Lab) -> None:
    lab.open_consumer("consumer", only_destination(lab))
    lab.take_all("consumer")
    lab.pass_time(OVER_MS)
    for message_id in list(lab.held.get("consumer", ())):
        lab.acknowledge("consumer", message_id)


@then("it is handed nothing")
def handed_nothing(lab: Lab, handed_out: list[str]) -> None:
    lab.verify(not handed_out, "no message handed out", f"{len(handed_out)} messages handed out")


@when(
    parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes are sent that live {lives:d} ms, and expire")
)
def expire_each_time(lab: Lab, rounds: int, count: int, size: int, lives: int) -> None:
    for number in range(1, rounds + 1):
        name = opened(lab, f"producer of round {number}")
        for _ in range(count):
            lab.send(name, size, lives_ms=lives)
        lab.let_expire(only_destination(lab), lives * 2)
        lab.close_producer(name)


@given("another destination with room for all of it")
def another_with_room(lab: Lab) -> None:
    lab.declare(OTHER, Limits())


@given("another destination that is like it, with room for all of it")
def another_like_it(lab: Lab) -> None:
    lab.declare(OTHER, replace(fill_limits(lab), limit_bytes=1_000_000, resume_bytes=None))


@given("a destination with room for everything that comes")
def room_for_many(lab: Lab) -> None:
    lab.declare("destination", Limits())


@given(parsers.parse("a destination that keeps elsewhere what does not fit into {size:d} bytes"))
def itself_keeps_elsewhere(lab: Lab, size: int) -> None:
    lab.declare("destination", _kept_elsewhere(lab.adapter.capabilities, size))


@given(parsers.parse("another destination that keeps elsewhere what does not fit into {size:d} bytes"))
def keeps_elsewhere(lab: Lab, size: int) -> None:
    lab.declare(OTHER, _kept_elsewhere(lab.adapter.capabilities, size))


def _kept_elsewhere(capabilities: frozenset[str], size: int) -> Limits:
    """Limits past which a destination stops no producer and keeps messages elsewhere, if there are such limits."""
    if "address-limit" in capabilities:
        return Limits(limit_bytes=size, policy="PAGE")
    if "file-cursor" in capabilities:
        return Limits(limit_bytes=size, policy="NONE", cursor="file")
    return Limits()


@given(parsers.parse("a producer sent {count:d} messages of {size:d} bytes, which are kept on disk where they can be"))
def sent_to_disk(lab: Lab, count: int, size: int) -> None:
    options = ProducerOptions(persistent="persistent-messages" in lab.adapter.capabilities)
    lab.open_producer("producer", only_destination(lab), options=options)
    for _ in range(count):
        is_accepted(lab, "producer", size)


@when("management moves what waits to the other")
def moved(lab: Lab) -> None:
    lab.move(only_destination(lab), OTHER)


@then(parsers.parse("the other destination holds {count:d} messages"))
def other_holds(lab: Lab, count: int) -> None:
    seen = lab.comes_to(lambda: lab.depth(OTHER).messages, lambda seen: seen == count)
    lab.verify(seen == count, f"{count} messages", f"{seen} messages")


@then(parsers.parse("the other destination hands out {count:d} messages"))
def other_hands_out(lab: Lab, count: int) -> None:
    consumed = lab.drain(OTHER)
    lab.verify(consumed == count, f"{count} messages handed out", f"{consumed} messages handed out")


@then("nothing is charged at the other destination")
def other_is_empty(lab: Lab) -> None:
    seen = lab.comes_to(lambda: lab.depth(OTHER), lambda seen: seen == Depth(0, 0))
    lab.verify(seen == Depth(0, 0), "0 bytes in 0 messages", f"{seen.bytes:,} bytes in {seen.messages} messages")


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes are sent, one is handed out, "
        "and all others are moved and consumed"
    )
)
def moved_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for number in range(1, rounds + 1):
        name, consumer = opened(lab, f"producer of round {number}"), f"consumer of round {number}"
        for _ in range(count):
            is_accepted(lab, name, size)
        lab.open_consumer(consumer, destination)
        in_hand = lab.take(consumer)
        lab.move(destination, OTHER)
        lab.consume_everything(OTHER)
        if in_hand is not None:
            lab.acknowledge(consumer, in_hand)
        lab.close_consumer(consumer)
        lab.consume_everything(destination)
        lab.close_producer(name)


@when(
    parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes are sent, listed by management and consumed")
)
def listed_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    listed_with_properties(lab, rounds, count, size, 0)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes with {properties:d} properties are sent, "
        "listed by management and consumed"
    )
)
def listed_with_properties(lab: Lab, rounds: int, count: int, size: int, properties: int) -> None:
    destination, options = only_destination(lab), ProducerOptions(properties=properties)
    for number in range(1, rounds + 1):
        name = f"producer of round {number}"
        lab.open_producer(name, destination, options=options)
        for _ in range(count):
            lab.send(name, size)
        lab.list_messages(destination)
        lab.consume_everything(destination)
        lab.close_producer(name)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes come there, are listed twice, and are consumed"
    )
)
def many_listed_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for name in many_each_round(lab, rounds, count, size):
        for _ in range(2):
            lab.list_messages(destination)
        lab.consume_everything(destination)
        lab.close_producer(name)


@when(parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes come there, and are purged"))
def many_purged_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    for name in many_each_round(lab, rounds, count, size):
        lab.purge(only_destination(lab))
        lab.close_producer(name)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes come there, one is handed out, the others expire, "
        "and it is acknowledged"
    )
)
def many_expire_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for name in many_each_round(lab, rounds, count, size, lives_ms=OVER_MS):
        consumer = f"consumer of {name}"
        lab.open_consumer(consumer, destination)
        in_hand = lab.take(consumer)
        lab.let_expire(destination, OVER_MS * 2)
        if in_hand is not None:
            lab.acknowledge(consumer, in_hand)
        lab.close_consumer(consumer)
        lab.close_producer(name)


@when("a consumer refuses for good all that it is handed")
def refuses_all(lab: Lab) -> None:
    consumer = "consumer that refuses"
    lab.open_consumer(consumer, only_destination(lab))
    while (message_id := lab.take(consumer)) is not None:
        lab.give_up(consumer, message_id)


@when("a consumer takes all messages, refuses the last for good, and is closed")
def refuses_the_last(lab: Lab) -> None:
    consumer = "consumer that refuses"
    lab.open_consumer(consumer, only_destination(lab))
    lab.take_all(consumer)
    if held := lab.held.get(consumer):
        lab.give_up(consumer, held[-1])
    lab.close_consumer(consumer)


@then("each accepted message that is left is delivered once")
def left_is_delivered(lab: Lab) -> None:
    destination = only_destination(lab)
    least, most = len(lab.surely_owed(destination)), len(lab.owed(destination))
    consumed = lab.drain(destination)
    missing = len(lab.surely_owed(destination))
    expected = f"{most} messages handed out" if least == most else f"{least} to {most} messages handed out"
    seen = f"{consumed} messages handed out"
    if missing and consumed >= least:
        seen = f"{seen}, and {missing} of the accepted ones not"
    lab.verify(not missing and consumed <= most, expected, seen)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes are sent, the last is refused for good and the first "
        "consumed"
    )
)
def refused_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for name in many_each_round(lab, rounds, count, size):
        consumer = f"consumer of {name}"
        lab.open_consumer(consumer, destination)
        lab.take_all(consumer)
        if held := lab.held.get(consumer):
            lab.give_up(consumer, held[-1])
        for message_id in lab.held.get(consumer, []):
            lab.acknowledge(consumer, message_id)
        lab.close_consumer(consumer)
        lab.close_producer(name)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes are sent, browsed while one is in hand, and consumed"
    )
)
def browsed_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for name in many_each_round(lab, rounds, count, size):
        consumer = f"consumer of {name}"
        lab.open_consumer(consumer, destination)
        in_hand = lab.take(consumer)
        lab.browse(destination)
        if in_hand is not None:
            lab.acknowledge(consumer, in_hand)
        lab.close_consumer(consumer)
        lab.consume_everything(destination)
        lab.close_producer(name)


@when(
    parsers.re(
        r"a producer fills it beside a message in hand, once as it is and once after another message "
        r"(?P<left>was moved|was refused for good|expired)"
    ),
    target_fixture="taken_of_both",
)
def filled_beside_one_in_hand(lab: Lab, left: str) -> list[int]:
    """The messages that it took each time beside the one in hand, and how many in hand left with the other message."""
    destination, taken, left_too = only_destination(lab), [], 0
    for number, way in enumerate(("", left), start=1):
        name, consumer = opened(lab, f"producer of round {number}"), f"consumer of round {number}"
        is_accepted(lab, name, FILL_SIZE)
        lab.open_consumer(consumer, destination)
        lab.take(consumer)
        if way:
            is_accepted(lab, name, FILL_SIZE, lives_ms=OVER_MS if way == "expired" else None)
            left_too = _leaves(lab, consumer, way)
        taken.append(send_until_refused(lab, name, FILL_SIZE))
        for message_id in list(lab.held.get(consumer, [])):
            lab.acknowledge(consumer, message_id)
        lab.close_consumer(consumer)
        lab.consume_everything(destination)
        lab.close_producer(name)
    return [*taken, left_too]


def _leaves(lab: Lab, consumer: str, way: str) -> int:
    """Let the message that waits leave beside the one in hand; how many in hand left too, as a move may take them."""
    destination = only_destination(lab)
    if way == "was moved":
        before = lab.depth(OTHER).messages
        lab.move(destination, OTHER)
        moved = lab.comes_to(lambda: lab.depth(OTHER).messages - before, bool)
        return max(moved - 1, 0)
    if way == "expired":
        lab.let_expire(destination, OVER_MS * 2)
    elif (message_id := lab.take(consumer)) is not None:
        lab.give_up(consumer, message_id)
    return 0


@then("it took no more messages the second time")
def took_no_more(lab: Lab, taken_of_both: list[int]) -> None:
    # fewer may be right: a message that left may have used up credit
    first, second, left_too = taken_of_both
    most = first + left_too
    lab.verify(second <= most, f"at most {most} messages taken", f"{second} messages taken")


@when(parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes come there, are browsed, and are consumed"))
def many_browsed_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    for name in many_each_round(lab, rounds, count, size):
        lab.browse(destination)
        lab.consume_everything(destination)
        lab.close_producer(name)


@given("a consumer of it whose filter no message passes")
def beside_a_filter(lab: Lab) -> None:
    lab.attach_onlooker(only_destination(lab))


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes with {properties:d} properties are sent and consumed"
    )
)
def with_properties_each_time(lab: Lab, rounds: int, count: int, size: int, properties: int) -> None:
    destination = only_destination(lab)
    for number in range(1, rounds + 1):
        name = f"producer of round {number}"
        lab.open_producer(name, destination, options=ProducerOptions(properties=properties))
        for _ in range(count):
            is_accepted(lab, name, size)
        lab.consume_everything(destination)
        lab.close_producer(name)


@when(
    parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes are sent, and it is deleted and created again")
)
def recreated_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    for name in many_each_round(lab, rounds, count, size):
        lab.close_producer(name)
        lab.recreate(only_destination(lab))


def many_each_round(lab: Lab, rounds: int, count: int, size: int, lives_ms: int | None = None) -> Iterator[str]:
    """Open a new producer in each round and send `count` messages; yields its name."""
    for number in range(1, rounds + 1):
        name = opened(lab, f"producer of round {number}")
        for _ in range(count):
            is_accepted(lab, name, size, lives_ms=lives_ms)
        yield name
