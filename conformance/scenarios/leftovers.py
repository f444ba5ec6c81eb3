"""Steps of rounds in which messages come and go, and of what is left afterwards."""

from collections.abc import Mapping

from pytest_bdd import parsers, then, when

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.conformance.conditions.histories import consume_all
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.beside import producer_of
from tidegate.conformance.scenarios.common import (
    FILL_SIZE,
    is_accepted,
    only_destination,
    opened,
    send_until_refused,
)
from tidegate.conformance.scenarios.overflow import in_words

CUT = "producer whose connection is cut in round"
UNANSWERED = "producer that waits for no answer"
SHORT_LIVED = "short-lived queue"


@when(parsers.parse("{rounds:d} times a message of {size:d} bytes is sent and everything is consumed"))
def one_each_time(lab: Lab, rounds: int, size: int) -> None:
    many_each_time(lab, rounds, 1, size)


@when(parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes are sent and everything is consumed"))
def many_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    for number in range(1, rounds + 1):
        # a message that never finds room is gone with its producer
        name = f"producer of round {number}" if lab.can_close_clients else "producer"
        for _ in range(count):
            lab.send(opened(lab, name), size)
        lab.consume_everything(only_destination(lab))
        if lab.can_close_clients:
            lab.close_producer(name)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes are sent without an answer and everything is consumed"
    )
)
def unanswered_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    destination = only_destination(lab)
    lab.open_producer(UNANSWERED, destination, options=ProducerOptions(asynchronous=True))
    for _ in range(rounds):
        for _ in range(count):
            lab.send(UNANSWERED, size)
        lab.comes_to(lambda: lab.depth(destination).messages, lambda seen: seen >= count)
        lab.consume_everything(destination)


@when(
    parsers.parse(
        "{rounds:d} times a producer comes while another one is stopped, and sends a message of {size:d} bytes before "
        "and after everything is consumed"
    )
)
def latecomer_each_time(lab: Lab, rounds: int, size: int) -> None:
    destination = only_destination(lab)
    for number in range(1, rounds + 1):
        send_until_refused(lab, opened(lab, "producer"), FILL_SIZE)
        latecomer = f"latecomer of round {number}"
        lab.open_producer(latecomer, destination)
        for _ in range(2):
            lab.send(latecomer, size)
            consume_all(lab, destination)


@when(parsers.parse("messages of {size:d} bytes are sent to the first and consumed, {count:d} in all"))
def sent_and_consumed(lab: Lab, size: int, count: int) -> None:
    for _ in range(count):
        lab.send(opened(lab, "producer before"), size)
        lab.consume_everything(only_destination(lab))


@when("a producer fills each, one after the other, and everything is consumed", target_fixture="taken_of_each")
def each_is_filled_alone(lab: Lab) -> dict[str, int]:
    """For each destination, the number of messages that it took from a new producer."""
    taken: dict[str, int] = {}
    for destination in lab.destinations:
        name = opened(lab, producer_of(destination), destination)
        taken[destination] = send_until_refused(lab, name, FILL_SIZE)
        lab.consume_everything(destination)
    return taken


@then("each took as many messages")
def took_as_many_each(lab: Lab, taken_of_each: Mapping[str, int]) -> None:
    seen = ", ".join(f"the {destination} took {taken}" for destination, taken in taken_of_each.items())
    lab.verify(len(set(taken_of_each.values())) == 1, "as many messages taken by each", seen)


@when(parsers.parse("{rounds:d} times a transaction of {count:d} messages of {size:d} bytes is rolled back"))
def rolled_back_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    lab.open_producer("transacted producer", only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(rounds):
        for _ in range(count):
            if lab.send("transacted producer", size) is not Outcome.UNSETTLED:
                break
        lab.rollback("transacted producer")


@when(
    parsers.parse("{rounds:d} times {count:d} messages of {size:d} bytes are sent, handed out, purged and acknowledged")
)
def purged_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    lab.open_consumer("consumer", only_destination(lab))
    for _ in range(rounds):
        for _ in range(count):
            is_accepted(lab, opened(lab, "producer"), size)
        handed_out: list[str] = []
        while (message_id := lab.take("consumer")) is not None:
            handed_out.append(message_id)
        lab.purge(only_destination(lab))
        for each in reversed(handed_out):
            lab.acknowledge("consumer", each)


@when(parsers.parse("{rounds:d} times a producer sends a message of {size:d} bytes and its connection breaks"))
def broken_each_time(lab: Lab, rounds: int, size: int) -> None:
    for number in range(1, rounds + 1):
        name = f"producer of round {number}"
        lab.open_producer(name, only_destination(lab))
        lab.send(name, size)
        lab.kill(name)


@when(parsers.parse("{rounds:d} times a connection is cut in a send of {size:d} bytes"))
def cut_each_time(lab: Lab, rounds: int, size: int) -> None:
    """Cut the connection in turn before the answer comes and in the middle of the message; consume what was stored."""
    for number in range(1, rounds + 1):
        name = f"{CUT} {number}"
        lab.make_cuttable(name)
        lab.open_producer(name, only_destination(lab))
        lab.cut_in_send(name, size, arrives=bool(number % 2))
        if number % 2:
            lab.comes_to(lambda: lab.depth(only_destination(lab)).messages, bool)
        lab.consume_everything(only_destination(lab))


@when(parsers.parse("{rounds:d} times a queue is bound to it and deleted"))
def bound_each_time(lab: Lab, rounds: int) -> None:
    for number in range(1, rounds + 1):
        lab.bind(only_destination(lab), f"{SHORT_LIVED} {number}")
        lab.unbind(only_destination(lab), f"{SHORT_LIVED} {number}")


@when(
    parsers.parse(
        "{rounds:d} times a queue is bound to it, gets a message of {size:d} bytes and is deleted before it is consumed"
    )
)
def bound_and_sent_each_time(lab: Lab, rounds: int, size: int) -> None:
    for number in range(1, rounds + 1):
        lab.bind(only_destination(lab), f"{SHORT_LIVED} {number}")
        is_accepted(lab, opened(lab, "producer"), size)
        lab.unbind(only_destination(lab), f"{SHORT_LIVED} {number}")
        for queue in (*lab.beside, only_destination(lab)):
            lab.consume_everything(queue)


@when(
    parsers.parse(
        "{rounds:d} times a queue is bound to it, gets {count:d} messages of {size:d} bytes at once and is deleted"
    )
)
def bound_and_sent_at_once(lab: Lab, rounds: int, count: int, size: int) -> None:
    for number in range(1, rounds + 1):
        lab.bind(only_destination(lab), f"{SHORT_LIVED} {number}")
        lab.burst([opened(lab, "producer")], count, size)
        lab.unbind(only_destination(lab), f"{SHORT_LIVED} {number}")
        for queue in (*lab.beside, only_destination(lab)):
            lab.consume_everything(queue)


@then(parsers.parse("it takes {count:d} messages of {size:d} bytes"))
def takes(lab: Lab, count: int, size: int) -> None:
    takes_all(lab, *[size] * count)


@then(parsers.parse("it takes messages of {first:d} and {rest:d} bytes"))
def takes_two(lab: Lab, first: int, rest: int) -> None:
    takes_all(lab, first, rest)


def takes_all(lab: Lab, *sizes: int) -> None:
    """A free producer sends messages of these sizes, each of which must be accepted."""
    producer = opened(lab, "producer")
    lab.rests(producer, lambda seen: not seen.stopped)
    told = [lab.send(producer, size) for size in sizes]
    lab.verify(set(told) == {Outcome.ACCEPTED}, f"{len(sizes)} messages accepted", in_words(told), State.ROOM)
