"""Steps about a message store with a disk quota, and producers of persistent messages."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import PRODUCERS, must_be, only_destination

OTHER = PRODUCERS["the other"]
PERSISTENT = ProducerOptions(persistent=True)
IN_TRANSACTION = ProducerOptions(persistent=True, transacted=True)


@given(parsers.parse("a store that may take {most:d} bytes and is underfull below {resume:d} bytes"))
def store_with_quota(lab: Lab, most: int, resume: int) -> None:
    lab.declare_usage(Usage(quota_bytes=most, quota_resume_bytes=resume))
    lab.declare("queue", Limits())


@given("a producer of messages that are not persistent")
def other_producer(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab))


@given("a store without a quota")
def store_without_quota(lab: Lab) -> None:
    lab.declare_usage(Usage())
    lab.declare("queue", Limits())


@given(parsers.re(r'(?P<which>a|another) producer of persistent messages(?: for "(?P<name>\w+)")?'))
def persistent_producer(lab: Lab, which: str, name: str | None) -> None:
    lab.open_producer(PRODUCERS[which], name or only_destination(lab), options=PERSISTENT)


@given("a producer that names its queue with each message")
def anonymous_producer(lab: Lab) -> None:
    lab.open_anonymous_producer(OTHER)


@given("another producer of persistent messages in transactions")
def transacted_producer(lab: Lab) -> None:
    lab.open_producer(OTHER, only_destination(lab), options=IN_TRANSACTION)


@then(parsers.re(r"that other producer is (?P<state>blocked|unblocked)"))
def other_is(lab: Lab, state: str) -> None:
    must_be(lab, OTHER, stopped=state == "blocked")


@given(
    parsers.parse("{count:d} transactions with a persistent message of {size:d} bytes each"),
    target_fixture="transactions",
)
def open_transactions(lab: Lab, count: int, size: int) -> list[str]:
    names = [f"producer {number}" for number in range(1, count + 1)]
    for name in names:
        lab.open_producer(name, only_destination(lab), options=IN_TRANSACTION)
        lab.send(name, size)
    return names


@when("all of them are committed", target_fixture="outcomes")
def commit_all(lab: Lab, transactions: list[str]) -> list[Outcome]:
    return [lab.commit(name) for name in transactions]


@then(parsers.parse("all of them may have been, and the queue holds {size:d} bytes"))
def may_all_be_committed(lab: Lab, outcomes: list[Outcome], size: int) -> None:
    if set(outcomes) != {Outcome.ACCEPTED}:
        raise NotUsed(f"{len(outcomes)} transactions committed", f"{[str(outcome) for outcome in outcomes]}")
    held = lab.comes_to(lambda: lab.depth(only_destination(lab)).bytes, lambda seen: seen == lab.real(size))
    lab.verify(held == lab.real(size), lab.in_words(lab.real(size)), lab.in_words(held))


@then(parsers.parse('the store may be "{store}" or "{other}"'))
def store_may_be(lab: Lab, store: str, other: str) -> None:
    seen = lab.adapter.parameters.notes.get("message store")
    if seen not in (store, other):
        raise NotUsed(f"a quota on a {store} or a {other} store", f"the store is {seen}")
