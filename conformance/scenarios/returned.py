"""Steps about consumers that give their messages back, and stay attached."""

from pytest_bdd import parsers, when

from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import only_destination
from tidegate.conformance.scenarios.consumption import CONSUMER

OVER_MS = 2000
"""The ms after which every message that was given back has expired: a consumer takes longer than a send."""


@when(parsers.parse("a consumer takes all messages and gives them back, {times:d} times"))
def takes_all_and_gives_back(lab: Lab, times: int) -> None:
    lab.open_consumer(CONSUMER, only_destination(lab))
    for _ in range(times):
        lab.take_all(CONSUMER)
        lab.give_back(CONSUMER)


@when(parsers.parse("the consumer takes 1 message and gives all messages back, {times:d} times"))
def takes_one_and_gives_back(lab: Lab, times: int) -> None:
    for _ in range(times):
        lab.take(CONSUMER)
        lab.give_back(CONSUMER)


@when("the time of what was given back is over and a consumer asks for messages", target_fixture="handed_out")
def expire(lab: Lab) -> list[str]:
    return lab.let_expire(only_destination(lab), OVER_MS)
