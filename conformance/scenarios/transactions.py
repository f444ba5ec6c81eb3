"""Steps about transactions of several messages. Two transactions may be open at once."""

from pytest_bdd import parsers, when

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import FILL_SIZE, PRODUCERS, only_destination, send_until_refused
from tidegate.conformance.scenarios.general import rolls_back, send_and_commit

BOTH = ("producer", "other producer")


@when(parsers.parse("two transacted producers send {count:d} messages of {size:d} bytes each, in turn"))
def two_send(lab: Lab, count: int, size: int) -> None:
    for name in BOTH:
        lab.open_producer(name, only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(count):
        for name in BOTH:
            outcome = lab.send(name, size)
            expected = "the message unsettled until the transaction ends"
            lab.verify(outcome is Outcome.UNSETTLED, expected, f"it was {outcome}")


@when(parsers.re(r"(?P<first>the|the other) producer rolls back, and (?P<second>the|the other) producer commits"))
def one_rolls_back(lab: Lab, first: str, second: str) -> None:
    lab.rollback(PRODUCERS[first])
    commit(lab, PRODUCERS[second])


@when("the producer commits, and the other producer rolls back")
def one_commits_first(lab: Lab) -> None:
    commit(lab, "producer")
    lab.rollback("other producer")


@when("both commit")
def both_commit(lab: Lab) -> None:
    for name in BOTH:
        commit(lab, name)


def commit(lab: Lab, name: str) -> None:
    """Commit a transaction for which there is room."""
    outcome = lab.commit(name)
    lab.verify(outcome is Outcome.ACCEPTED, "a transaction that is committed", f"it was {outcome}")


@when(
    parsers.parse(
        "a transacted producer rolls back {count:d} messages of {size:d} bytes {times:d} times, "
        "and each time commits one of {other:d} bytes"
    )
)
def rolls_back_and_commits(lab: Lab, count: int, size: int, times: int, other: int) -> None:
    for round_ in range(times):
        if round_ == 0:
            rolls_back(lab, count, size)
        else:
            for _ in range(count):
                lab.send("producer", size)
            lab.rollback("producer")
        send_and_commit(lab, 1, other)


@when(
    parsers.parse(
        "a transacted producer sends {count:d} messages of {size:d} bytes that live {lives:d} ms, "
        "and commits once their time is over"
    )
)
def commits_what_has_expired(lab: Lab, count: int, size: int, lives: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(count):
        outcome = lab.send("producer", size, lives_ms=lives)
        lab.verify(outcome is Outcome.UNSETTLED, "the message unsettled until the commit", f"it was {outcome}")
    lab.pass_time(2 * lives)
    commit(lab, "producer")


@when(
    parsers.parse(
        "a transacted producer sends {count:d} messages of {size:d} bytes, "
        "and commits once another one has filled the destination"
    )
)
def commits_when_full(lab: Lab, count: int, size: int) -> None:
    """Commit, whatever comes of it; a client whose commit is held back is told later, or never."""
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(count):
        outcome = lab.send("producer", size)
        lab.verify(outcome is Outcome.UNSETTLED, "the message unsettled until the commit", f"it was {outcome}")
    lab.open_producer("other producer", only_destination(lab))
    send_until_refused(lab, "other producer", FILL_SIZE)
    lab.commit("producer")


@when("the other producer commits")
def other_commits(lab: Lab) -> None:
    commit(lab, "other producer")
