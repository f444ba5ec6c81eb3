"""Steps about clients whose sends wait, about what outlives a failure, and about clients that ignore orders."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.conformance.findings import Deviation, NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import is_accepted, must_be, only_destination
from tidegate.model.mechanisms.qpid_client import FAILURE

BELOW_IT = (
    *("IllegalStateException", "InvalidClientIDException", "InvalidDestinationException", "InvalidSelectorException"),
    *("JMSSecurityException", "MessageEOFException", "MessageFormatException", "MessageNotReadableException"),
    *("MessageNotWriteableException", "ResourceAllocationException", "TransactionInProgressException"),
    "TransactionRolledBackException",
)
"""The classes of JMS 1.1 below its JMSException."""

WARNING = "WARN"
MS_PER_SECOND = 1000
LONG_MS = 60_000
WAITS = "QPID-CLIENT-1"
"""The rule that a send waits, and goes on."""
OVER = 1001
"""The bytes of a message that takes a queue of 1000 bytes past its capacity."""


@given("a producer that does not know the order to stop")
def old_client(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(obeys=False))


@given(
    parsers.re(
        r"a transacted producer (?P<stored>of persistent messages )?whose client waits (?P<timeout>\d+) ms "
        r"and says so every (?P<period>\d+) ms"
    ),
    converters={"stored": bool, "timeout": int, "period": int},
)
def transacted_client(lab: Lab, stored: bool, timeout: int, period: int) -> None:
    options = ProducerOptions(transacted=True, persistent=stored, wait_ms=timeout, notify_ms=period)
    lab.open_producer("producer", only_destination(lab), options=options)


@given(parsers.parse("{producers:d} stopped producers with next sends of {size:d} bytes"))
def several_wait(lab: Lab, producers: int, size: int) -> None:
    names = [f"producer {number}" for number in range(1, producers + 1)]
    for name in names:
        options = ProducerOptions(wait_ms=LONG_MS, notify_ms=LONG_MS)
        lab.open_producer(name, only_destination(lab), options=options)
    for name in names:
        is_accepted(lab, name, size)
        must_be(lab, name, stopped=True)
    for name in names:
        lab.send(name, size)


@given(parsers.parse("a send of it waited for {ms:d} ms, and filled the queue again"))
def waited_before(lab: Lab, ms: int) -> None:
    is_accepted(lab, "producer", OVER)
    must_be(lab, "producer", stopped=True)
    told = lab.send("producer", OVER)
    _waits_and_goes_on(told is Outcome.UNSETTLED, "a send that waits", f"it was {told}")
    lab.pass_time(ms)
    lab.consume(only_destination(lab))
    answer = lab.comes_to(lambda: lab.answer_to_last("producer"), lambda answer: answer is not None)
    _waits_and_goes_on(answer is Outcome.ACCEPTED, "the message that waited accepted", f"it was {answer or 'not told'}")
    must_be(lab, "producer", stopped=True)
    lab.client_warnings("producer")


def _waits_and_goes_on(holds: bool, expected: str, seen: str) -> None:
    if not holds:
        raise Deviation(expected, seen, promised_by=WAITS)


@given(parsers.parse("it has committed a message of {size:d} bytes"))
def has_committed(lab: Lab, size: int) -> None:
    lab.send("producer", size)
    outcome = lab.commit("producer")
    lab.verify(outcome is Outcome.ACCEPTED, "a transaction that is committed", f"it was {outcome}", State.COMMITTED)
    must_be(lab, "producer", stopped=True)


@when("the producer commits")
def producer_commits(lab: Lab) -> None:
    outcome = lab.commit("producer")
    lab.verify(outcome is Outcome.ACCEPTED, "a transaction that is committed", f"it was {outcome}")


@when("the producer rolls back")
def producer_rolls_back(lab: Lab) -> None:
    lab.rollback("producer")


@when(parsers.parse("{seconds:d} s pass"))
def seconds_pass(lab: Lab, seconds: int) -> None:
    lab.pass_time(seconds * MS_PER_SECOND)


@then(parsers.parse("that send has failed before {latest:d} ms have passed"))
def failed_before(lab: Lab, latest: int) -> None:
    seen = lab.comes_to(lambda: lab.answer_to_last("producer"), lambda seen: seen is not None)
    told = str(seen) if seen is not None and lab.waited_ms < lab.span(latest) else "nothing"
    lab.verify(told == Outcome.REJECTED, f"a send that is rejected before {latest} ms", f"{told} by then")


@then("a JMSException was thrown to its caller")
def jms_exception_thrown(lab: Lab) -> None:
    reasons = lab.refusals("producer")
    lab.verify(any(map(_is_failure, reasons)), f"a {FAILURE}", f"{reasons}")


@then("its session may still be active")
def session_may_be_active(lab: Lab) -> None:
    if not lab.client_state("producer").session_open:
        raise NotUsed("a session that is still active", "a session that is closed")


@then("its transaction is still open")
def transaction_is_open(lab: Lab) -> None:
    seen = lab.client_state("producer").in_transaction
    lab.verify(seen, "a transaction that can be committed or rolled back", "none")


@then("the message may be accepted this time")
def may_be_accepted(lab: Lab) -> None:
    if lab.outcome is not Outcome.ACCEPTED:
        raise NotUsed("a second try that is accepted", f"it was {lab.outcome}")


@then(parsers.parse('its client has logged the warnings "{first}" and "{second}"'))
def client_logged(lab: Lab, first: str, second: str) -> None:
    logged: list[str] = []

    def written() -> list[str]:
        logged.extend(lab.client_warnings("producer"))
        return logged

    lab.comes_to(written, lambda seen: len(seen) >= 2)
    as_wanted = [
        WARNING in line and line.rstrip().endswith(text) for line, text in zip(logged, (first, second), strict=False)
    ]
    lab.verify(as_wanted == [True, True], f"{first!r}, then {second!r}, each at {WARNING}", f"{logged}")


@then("the other producer may not send")
def other_may_not_send(lab: Lab) -> None:
    outcome = lab.send("other producer", 1)
    lab.verify(outcome in (Outcome.BLOCKED, Outcome.UNSETTLED), "a send that is held back", f"it was {outcome}")


def _is_failure(reason: str) -> bool:
    """Whether the reason that a caller was told begins with the class of a JMSException, with or without package."""
    name = reason.partition(":")[0].strip().rpartition(".")[2]
    return name == FAILURE or name in BELOW_IT
