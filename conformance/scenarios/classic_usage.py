"""Steps about the store and the temporary files that all destinations share, and about defaults."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import (
    is_accepted,
    only_destination,
    read_bytes,
    send_until_refused,
    until_refused,
)

DISK = "disk_bytes"
"""An adapter's note of the bytes that its disk has for messages."""


@given(parsers.parse("a broker with a store limit of {limit:d} bytes"))
def store_limit(lab: Lab, limit: int) -> None:
    lab.declare_usage(Usage(store_bytes=limit))
    lab.promises[State.STOPPED] = "CLASSIC-USAGE-1"


@given(parsers.parse("a broker with a temporary limit of {limit:d} bytes"))
def temporary_limit(lab: Lab, limit: int) -> None:
    lab.declare_usage(Usage(temp_bytes=limit))
    lab.promises[State.STOPPED] = "CLASSIC-USAGE-2"


@given(parsers.re(r'a queue(?: "(?P<name>\w+)")? that keeps waiting messages in a file'))
def file_queue(lab: Lab, name: str | None) -> None:
    lab.declare(name or "queue", Limits(cursor="file"))


@given(parsers.re(r"a producer of (?P<kind>persistent|non-persistent) messages"))
def producer_of(lab: Lab, kind: str) -> None:
    options = ProducerOptions(persistent=kind == "persistent")
    lab.open_producer("producer", only_destination(lab), options=options)


@given("a topic that keeps waiting messages in a file")
def file_topic(lab: Lab) -> None:
    lab.declare_topic("topic", Limits(cursor="file"))


@given(parsers.re(r"a (?P<kind>queue|topic) without a memory limit of its own"))
def unlimited(lab: Lab, kind: str) -> None:
    declare = lab.declare_topic if kind == "topic" else lab.declare
    declare(kind, Limits(cursor="memory"))


@when(parsers.re(r"the limit of (?P<what>the store|temporary space) is changed to (?P<limit>\d+) bytes"))
def disk_limit_changed(lab: Lab, what: str, limit: str) -> None:
    store = what == "the store"
    lab.change_usage(Usage(store_bytes=int(limit)) if store else Usage(temp_bytes=int(limit)))


@when(parsers.parse("the memory limit for all messages is changed to {limit:d} bytes"))
def shared_memory_changed(lab: Lab, limit: int) -> None:
    lab.change_usage(Usage(memory_bytes=limit))


@when(parsers.parse("it sends {count:d} messages of {size:d} bytes, which are accepted"))
def sends_accepted(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        is_accepted(lab, "producer", size)


@then("a further persistent message of it is accepted")
def further_persistent(lab: Lab) -> None:
    outcome = lab.send("producer", 10)
    lab.verify(outcome is Outcome.ACCEPTED, "a further message accepted", f"it was {outcome}")


@when(parsers.parse("it sends messages of {size:d} bytes until one waits"), target_fixture="taken")
def send_until_one_waits(lab: Lab, size: int) -> int:
    taken = send_until_refused(lab, "producer", size)
    seen = f"it was {lab.outcome} after {taken} taken"
    lab.verify(lab.outcome is Outcome.UNSETTLED, "a message that waits", seen, State.STOPPED)
    return taken


@when(
    parsers.parse("it sends messages of {size:d} bytes, until one waits or {most:d} were taken"),
    target_fixture="taken",
)
def send_until_one_may_wait(lab: Lab, size: int, most: int) -> int:
    return until_refused(lab, "producer", lambda: lab.send("producer", size), most)


@when(parsers.parse("another producer sends a persistent message of {size:d} bytes"))
def other_sends_persistent(lab: Lab, size: int) -> None:
    lab.open_producer("other producer", only_destination(lab), options=ProducerOptions(persistent=True))
    lab.send("other producer", size)


@when(parsers.parse("{count:d} messages are consumed"))
def consume_so_many(lab: Lab, count: int) -> None:
    consumed = lab.consume(only_destination(lab), count)
    lab.verify(consumed == count, f"{count} messages to consume", f"{consumed} there")


@then(parsers.parse("at least {least:d} and at most {most:d} of them were taken"))
def so_many_were_taken(lab: Lab, taken: int, least: int, most: int) -> None:
    lab.verify(least <= taken <= most, f"from {least} to {most} messages taken", f"{taken}")


@then(parsers.parse("management reads a memory limit of {limit:d} bytes for all messages"))
def reads_memory(lab: Lab, limit: int) -> None:
    reads(lab, "memory", lab.usage_in_force().memory_bytes, limit)


@then(parsers.parse("management reads a store limit of {limit:d} bytes"))
def reads_store(lab: Lab, limit: int) -> None:
    reads_of_disk(lab, "store", lab.usage_in_force().store_bytes, limit)


@then(parsers.parse("management reads a temporary limit of {limit:d} bytes"))
def reads_temporary(lab: Lab, limit: int) -> None:
    reads_of_disk(lab, "temporary", lab.usage_in_force().temp_bytes, limit)


@then("management reads that waiting messages are kept in a file")
def reads_cursor(lab: Lab) -> None:
    seen = lab.limits_in_force(only_destination(lab)).cursor
    lab.verify(seen == "file", "the file cursor", f"{seen}")


def reads_of_disk(lab: Lab, what: str, seen: int | None, limit: int) -> None:
    """Read a limit that a broker may lower to the size of the disk, if the adapter notes that size."""
    disk = lab.adapter.parameters.notes.get(DISK)
    lowered = isinstance(disk, int) and seen is not None and 0 < seen <= disk < limit
    reads(lab, what, limit if lowered else seen, limit)


def reads(lab: Lab, what: str, seen: int | None, limit: int) -> None:
    """Verify a limit that all destinations share, as management reads it; in real figures, for nobody configured it."""
    lab.verify(seen == limit, f"a {what} limit of {limit:,} bytes", read_bytes(seen))
