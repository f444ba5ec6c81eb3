"""Steps about destinations that end with the connection of a client."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import NO_LIMIT, Limits
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import fill_limits, is_accepted
from tidegate.conformance.scenarios.general import DESTINATION


@given("a temporary destination that few messages fill")
def temporary(lab: Lab) -> None:
    lab.declare_temporary(DESTINATION, fill_limits(lab))


@given(parsers.parse("all destinations together take {size:d} bytes, and one of them has no limit of its own"))
def take_together(lab: Lab, size: int) -> None:
    lab.declare_shared(Limits(limit_bytes=size))
    lab.declare(DESTINATION, without_limit(lab))


@when(
    parsers.parse(
        "{times:d} times a temporary destination gets {count:d} messages of {size:d} bytes, "
        "and ends with its connection"
    )
)
def come_and_go(lab: Lab, times: int, count: int, size: int) -> None:
    for number in range(1, times + 1):
        name, producer = f"temporary destination {number}", f"producer of round {number}"
        lab.declare_temporary(name, without_limit(lab))
        lab.open_producer(producer, name)
        for _ in range(count):
            is_accepted(lab, producer, size)
        lab.close_producer(producer)
        lab.end_temporary(name)


@when(
    parsers.parse(
        "{times:d} times the second temporary destination of a connection gets {count:d} messages of {size:d} bytes, "
        "and both end"
    )
)
def second_comes_and_goes(lab: Lab, times: int, count: int, size: int) -> None:
    for number in range(1, times + 1):
        name, producer = beside_an_idle_one(lab, number, without_limit(lab)), f"producer {number}"
        lab.open_producer(producer, name)
        for _ in range(count):
            is_accepted(lab, producer, size)
        lab.close_producer(producer)
        lab.end_temporary(name)


@then(parsers.parse("the destination without a limit of its own takes {count:d} messages of {size:d} bytes"))
def takes_as_many(lab: Lab, count: int, size: int) -> None:
    lab.open_producer("producer", DESTINATION)
    for _ in range(count):
        is_accepted(lab, "producer", size)


def beside_an_idle_one(lab: Lab, number: int, limits: Limits) -> str:
    """Declare two temporary destinations on one connection with these limits; the name of the second."""
    idle, name = f"idle destination {number}", f"temporary destination {number}"
    lab.declare_temporary(idle, limits)
    lab.declare_temporary(name, limits, beside=idle)
    return name


def without_limit(lab: Lab) -> Limits:
    """The limits of a destination that only the limit of all destinations together can fill."""
    return replace(fill_limits(lab), limit_bytes=NO_LIMIT, resume_bytes=None, limit_messages=None)
