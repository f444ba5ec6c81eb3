"""Steps about a disk that is filled beyond what the broker allows."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import ANSWERED, ENOUGH, fill_limits, only_destination, opened

SMALL = 1
"""Bytes of a message, so few that the destination has room for all messages."""


@given("a destination on a disk that can be filled")
def on_small_disk(lab: Lab) -> None:
    lab.use_small_disk()
    lab.declare("destination", fill_limits(lab))


@given(parsers.parse("a destination with the policy {policy} on a disk that can be filled"))
def with_policy_on_small_disk(lab: Lab, policy: str) -> None:
    lab.use_small_disk()
    lab.declare("destination", replace(fill_limits(lab), policy=policy))


@given("an anonymous producer is attached")
def anonymous_attached(lab: Lab) -> None:
    lab.open_anonymous_producer("producer")
    lab.send("producer", SMALL, to=only_destination(lab))


@when("the disk is filled")
def disk_filled(lab: Lab) -> None:
    lab.fill_disk()


@when("the disk is free again")
def disk_free(lab: Lab) -> None:
    lab.free_disk()


@when("the producer sends small messages until it may not")
def sends_until_it_may_not(lab: Lab) -> None:
    opened(lab, "producer")
    for _ in range(ENOUGH):
        if send_small(lab) not in ANSWERED:
            return


@then("a further small message of it is accepted")
def further_accepted(lab: Lab) -> None:
    told = send_small(lab)
    lab.verify(told is Outcome.ACCEPTED, "a further message accepted", f"it was {told}")


def send_small(lab: Lab) -> Outcome:
    """Send a message of the producer, to a named destination if the producer is anonymous."""
    return lab.send("producer", SMALL, to=only_destination(lab) if lab.is_anonymous("producer") else None)
