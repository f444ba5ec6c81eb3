"""Steps about queues with a capacity and a resume level, and about their log lines."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import (
    is_accepted,
    only_destination,
    opened,
    read_bytes,
    send_until_refused,
    stopped_by,
)
from tidegate.model.mechanisms import qpid_disk, qpid_log

MESSAGES = (
    qpid_log.QUEUE_OVERFULL,
    qpid_log.CHANNEL_STOPPED,
    qpid_log.QUEUE_UNDERFULL,
    qpid_log.CHANNEL_RELEASED,
    qpid_disk.STORE_OVERFULL,
    qpid_disk.STORE_CLEARED,
)
CODES = tuple(message.code for message in MESSAGES)
"""The codes of these messages; a broker writes other lines about its queues too, such as one for a new queue."""
BYTE_FIELDS = {"size", "capacity", "resume"}
FIGURE = re.compile(r"\d+(?:[.,'\u00a0\u202f]\d{3})*")
"""A whole number, with or without the separators of some language between its digits."""


@given(
    parsers.re(
        r'a queue (?:"(?P<name>\w+)" )?with a capacity of (?P<capacity>\d+) bytes '
        r"and a resume level of (?P<resume>\d+) bytes"
    ),
    converters={"capacity": int, "resume": int},
)
def queue(lab: Lab, name: str | None, capacity: int, resume: int) -> None:
    lab.declare(name or "queue", Limits(limit_bytes=capacity, resume_bytes=resume))


@given(parsers.parse("a queue with a capacity of {capacity:d} bytes and no resume level"))
def queue_without_resume(lab: Lab, capacity: int) -> None:
    lab.declare("queue", Limits(limit_bytes=capacity))


@when(parsers.parse("the capacity of the queue alone is changed to {capacity:d} bytes"))
def capacity_changed(lab: Lab, capacity: int) -> None:
    lab.change_limits(only_destination(lab), Limits(limit_bytes=capacity))


@given("a queue for which nothing is configured")
def unconfigured_queue(lab: Lab) -> None:
    lab.declare("queue", Limits())


@given(
    parsers.parse(
        "a virtual host whose queues have a capacity of {capacity:d} bytes and a resume level of {resume:d} bytes"
    )
)
def virtual_host(lab: Lab, capacity: int, resume: int) -> None:
    lab.declare_defaults(Limits(limit_bytes=capacity, resume_bytes=resume))


@given(parsers.parse("another queue stopped the sender of a message of {size:d} bytes"))
def stops_by_the_crossing_message(lab: Lab, size: int) -> None:
    """Show that this broker stops a sender by the message that crosses the capacity, and not by its next message."""
    lab.declare("another queue", Limits(limit_bytes=1000, resume_bytes=800))
    lab.open_producer("its producer", "another queue")
    stopped_by(lab, "its producer", size)


@given(parsers.parse('a producer that sends each message to "{first}" and to "{second}"'))
def producer_to_two(lab: Lab, first: str, second: str) -> None:
    lab.open_producer("producer", first, second)


@when(parsers.parse('another producer sends a message of {size:d} bytes to "{name}"'))
def send_to(lab: Lab, size: int, name: str) -> None:
    is_accepted(lab, opened(lab, "other producer", name), size)


@when(parsers.parse('all messages of "{name}" are consumed'))
def consume_all_of(lab: Lab, name: str) -> None:
    lab.drain(name)


@when(parsers.parse("{producers:d} producers send messages of {size:d} bytes until each is stopped"))
def send_until_stopped(lab: Lab, producers: int, size: int) -> None:
    names = [opened(lab, f"producer {number}") for number in range(1, producers + 1)]
    for name in names:
        send_until_refused(lab, name, size)


@then(parsers.parse('"{first}" and "{second}" hold {size:d} bytes each'))
def both_hold(lab: Lab, first: str, second: str, size: int) -> None:
    seen = {name: lab.depth(name).bytes for name in (first, second)}
    lab.verify(
        set(seen.values()) == {lab.real(size)},
        f"{lab.in_words(lab.real(size))} each",
        ", ".join(f"{name} {lab.in_words(held)}" for name, held in seen.items()),
    )


@then(parsers.parse('"{first}" and "{second}" each deliver every accepted message once'))
def each_delivers(lab: Lab, first: str, second: str) -> None:
    accepted = [call.arguments[1] for call in lab.own_calls if call.verb == "send" and call.answer is Outcome.ACCEPTED]
    delivered = {name: [*_taken_from(lab, name)] for name in (first, second)}
    others = [name for name, ids in delivered.items() if sorted(ids) != sorted(accepted)]
    expected = f"{len(accepted)} messages delivered by each queue"
    seen = ", ".join(f"{len(delivered[name])} by {name}" for name in others)
    lab.verify(not others, expected, seen or expected)


@when(parsers.parse("its resume level alone is changed to {resume:d} bytes"))
def resume_changed(lab: Lab, resume: int) -> None:
    limits = lab.limits_of(only_destination(lab))
    lab.change_limits(only_destination(lab), replace(limits, resume_bytes=resume))


def _taken_from(lab: Lab, name: str) -> Iterator[str]:
    """Consume all messages of a queue; yields their ids."""
    consumer = f"consumer of {name}"
    lab.open_consumer(consumer, name)
    while (message_id := lab.take(consumer)) is not None:
        yield message_id
        lab.acknowledge(consumer, message_id)


@then(parsers.parse("management reads a capacity of {capacity:d} bytes"))
def reads_capacity(lab: Lab, capacity: int) -> None:
    seen = lab.limits_in_force(only_destination(lab)).limit_bytes
    lab.verify(seen == capacity, f"a capacity of {capacity} bytes", read_bytes(seen))


@then(
    parsers.re(r'the log says "(?P<text>[^"]+)"(?: (?P<times>\d+) times)?'),
    converters={"times": lambda text: int(text or 1)},
)
def log_says(lab: Lab, text: str, times: int) -> None:
    line = in_scenario_terms(lab, text)
    found: list[str] = []

    def written() -> list[str]:
        found.extend(lab.log_lines())
        return found

    lab.comes_to(written, lambda lines: count_ending(lines, line) >= times)
    seen = count_ending(lab.stays(written, lambda lines: count_ending(lines, line) == times), line)
    code = line.partition(" :")[0]
    lab.verify(
        seen == times, f"{line!r} {times} times", f"it {seen} times, and of {code}: {from_code(lab, found, code)}"
    )


@then(parsers.parse('the first figures of the line with "{code}" are {size:d} and {level:d} bytes'))
def log_has_figures(lab: Lab, code: str, size: int, level: int) -> None:
    found: list[str] = []

    def written() -> list[str]:
        found.extend(line for line in lab.log_lines() if code in line)
        return found

    lab.comes_to(written, bool)
    texts = from_code(lab, found, code)
    wanted = [lab.real(size), lab.real(level)]
    seen = [figures_of(text.removeprefix(code))[: len(wanted)] for text in texts]
    lab.verify(seen == [wanted], f"one line with {code} and the figures {wanted}", f"{texts}")


def figures_of(text: str) -> list[int]:
    """The whole numbers in a text, in the order of the text."""
    return [int("".join(filter(str.isdigit, figure))) for figure in FIGURE.findall(text)]


@then(parsers.parse('the log has {times:d} lines with "{code}"'))
def log_has_lines(lab: Lab, times: int, code: str) -> None:
    found: list[str] = []

    def written() -> int:
        found.extend(line for line in lab.log_lines() if code in line)
        return len(found)

    lab.comes_to(written, lambda seen: seen >= times)
    seen = lab.stays(written, lambda seen: seen == times)
    lab.verify(seen == times, f"{times} lines with {code}", f"{seen}: {from_code(lab, found, code)}")


@then(parsers.parse('the log has no line of flow control about the queue "{name}"'))
def log_is_silent_about(lab: Lab, name: str) -> None:
    about = lab.full_name(name)
    found: list[str] = []

    def written() -> list[str]:
        found.extend(line for line in lab.log_lines() if about in line and any(code in line for code in CODES))
        return found

    lab.stays(written, lambda lines: not lines)
    lab.verify(not found, f"no line about {name}", f"{len(found)}: {[lab.in_own_names(line) for line in found]}")


@then(parsers.parse('the log says nothing of "{code}"'))
def log_is_silent(lab: Lab, code: str) -> None:
    found: list[str] = []

    def written() -> list[str]:
        found.extend(line for line in lab.log_lines() if code in line)
        return found

    lab.stays(written, lambda lines: not lines)
    lab.verify(not found, f"no line with {code}", f"{len(found)}: {from_code(lab, found, code)}")


def from_code(lab: Lab, lines: list[str], code: str) -> list[str]:
    """The text from a code on in each line with the code, in the suite's own names: without time, actors and ports."""
    return [lab.in_own_names(line[line.index(code) :].rstrip()) for line in lines if code in line]


def count_ending(lines: list[str], ending: str) -> int:
    """The number of lines with this ending."""
    return sum(line.rstrip().endswith(ending) for line in lines)


def in_scenario_terms(lab: Lab, text: str) -> str:
    """The message with the queue's full name and the figures on this implementation."""
    for message in MESSAGES:
        fields = message.parse(text)
        if fields is not None:
            mapped = {
                field: lab.real(int(value)) if field in BYTE_FIELDS else lab.full_name(str(value))
                for field, value in fields.items()
            }
            return message.render(mapped)
    raise ValueError(f"no documented message reads {text!r}")
