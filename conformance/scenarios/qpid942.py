"""Steps about policies of queues and exchanges, clients that are told to block, and orders to stop and start."""

from pytest_bdd import given, parsers, when

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import only_destination

FOR_GOOD = -1
"""The time in ms that a send waits if its client was told to block."""
NONE = Limits(limit_bytes=-1, limit_messages=-1)
"""A policy without any level."""


@given(
    parsers.re(r'a queue(?: "(?P<name>\w+)")? with a policy of (?P<size>\d+) bytes(?: and of (?P<count>\d+) messages)?')
)
def queue_with_policy(lab: Lab, name: str | None, size: str, count: str | None) -> None:
    lab.declare(name or "queue", Limits(limit_bytes=int(size), limit_messages=None if count is None else int(count)))


@given(parsers.parse("a queue with a policy of {count:d} messages"))
def queue_with_count(lab: Lab, count: int) -> None:
    lab.declare("queue", Limits(limit_messages=count))


@given("a queue without a policy")
def queue_without_policy(lab: Lab) -> None:
    lab.declare("queue", Limits())


@given(parsers.parse("an exchange with a policy of {size:d} bytes"))
def exchange_with_policy(lab: Lab, size: int) -> None:
    lab.declare_defaults(Limits(limit_bytes=size))


@given("a producer whose client is told to block")
def blocking_client(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(wait_ms=FOR_GOOD))


@when(parsers.parse("a policy of {size:d} bytes is applied to it"))
def policy_applied(lab: Lab, size: int) -> None:
    lab.change_limits(only_destination(lab), Limits(limit_bytes=size))


@when("its policy is removed")
def policy_removed(lab: Lab) -> None:
    lab.change_limits(only_destination(lab), NONE)


@when("a consumer takes both messages and acknowledges none", target_fixture="taken_ids")
def takes_both(lab: Lab) -> list[str]:
    lab.open_consumer("consumer", only_destination(lab))
    taken = [lab.take("consumer"), lab.take("consumer")]
    lab.verify(None not in taken, "two messages", f"{taken}")
    return lab.in_turn(only_destination(lab), [message_id for message_id in taken if message_id is not None])


@when("it acknowledges the first")
def acknowledges_first(lab: Lab, taken_ids: list[str]) -> None:
    lab.acknowledge("consumer", taken_ids[0])


@when("management stops all producers of the queue")
def stops_all(lab: Lab) -> None:
    lab.block(only_destination(lab))


@when("management starts all producers of the queue")
def starts_all(lab: Lab) -> None:
    lab.unblock(only_destination(lab))
