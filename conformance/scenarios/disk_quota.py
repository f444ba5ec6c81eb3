"""Steps about a message store with a disk quota, and producers of persistent messages."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Usage
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import PRODUCERS, must_be, only_destination

OTHER = PRODUCERS["the other"]
ENOUGH_FOR_THE_STORE = 40
"""More messages than the store has room for if each takes a tenth of it."""
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


@given(parsers.parse('a producer of persistent messages on "{line}"'))
def producer_on_line(lab: Lab, line: str) -> None:
    lab.open_producer("producer", only_destination(lab), connection=line, options=PERSISTENT)


@when(parsers.re(r'another producer of persistent messages comes(?: on "(?P<line>\w+)")?'))
def another_comes(lab: Lab, line: str | None) -> None:
    lab.open_producer(OTHER, only_destination(lab), connection=line, options=PERSISTENT)


@given("a producer that names its queue with each message")
def anonymous_producer(lab: Lab) -> None:
    lab.open_anonymous_producer(OTHER)


@given("another producer of persistent messages in transactions")
def transacted_producer(lab: Lab) -> None:
    lab.open_producer(OTHER, only_destination(lab), options=IN_TRANSACTION)


@given("another producer of persistent messages to which no answer is owed")
def unanswered_producer(lab: Lab) -> None:
    settles, is_asynchronous = (each in lab.adapter.capabilities for each in ("settled-sends", "asynchronous-sends"))
    if not settles and not is_asynchronous:
        raise Unsupported("each producer waits for the answer to each message")
    options = replace(PERSISTENT, settled=settles, asynchronous=not settles)
    lab.open_producer(OTHER, only_destination(lab), options=options)


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


@when(
    parsers.re(
        r"(?P<rounds>\d+) times messages of (?P<size>\d+) bytes fill the store and "
        r"are (?P<ending>consumed|purged|given back by a consumer before they are consumed)"
    ),
    converters={"rounds": int, "size": int},
    target_fixture="lines_of_rounds",
)
def rounds_of_filling(lab: Lab, rounds: int, size: int, ending: str) -> list[list[str]]:
    """The log lines of each round."""
    found: list[list[str]] = []
    for number in range(rounds):
        fills_the_store(lab, size)
        if ending == "purged":
            lab.purge(only_destination(lab))
        else:
            consume_in_round(lab, number, gives_back=ending != "consumed")
        must_be(lab, "producer", stopped=False)
        found.append(lab.log_lines())
    return found


def fills_the_store(lab: Lab, size: int) -> None:
    """Send until the store blocks the producer, or `ENOUGH_FOR_THE_STORE` messages were sent."""
    for _ in range(ENOUGH_FOR_THE_STORE):
        lab.send("producer", size)
        if lab.standing("producer").stopped:
            return


def consume_in_round(lab: Lab, number: int, *, gives_back: bool) -> None:
    """Consume everything; with `gives_back`, after all messages were handed to a consumer that was then closed."""
    if gives_back:
        name = f"consumer of round {number}"
        lab.open_consumer(name, only_destination(lab))
        lab.take_all(name)
        lab.close_consumer(name)
    lab.drain(only_destination(lab))


@then(parsers.parse('the log has a line with "{code}" for each of the {rounds:d} rounds, and no other'))
def one_line_a_round(lab: Lab, lines_of_rounds: list[list[str]], code: str, rounds: int) -> None:
    late: list[str] = []

    def so_far() -> list[int]:
        late.extend(lab.log_lines())
        each = [sum(code in line for line in lines) for lines in lines_of_rounds]
        return [*each[:-1], each[-1] + sum(code in line for line in late)]

    wanted = [1] * rounds
    lab.comes_to(so_far, lambda seen: sum(seen) >= rounds)
    seen = lab.stays(so_far, lambda seen: seen == wanted)
    lab.verify(seen == wanted, f"1 line with {code} in each of {rounds} rounds", f"{seen} lines")
