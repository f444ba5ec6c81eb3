"""Steps about a broker whose memory stops all publishers, and about clients whose sends wait."""

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import is_accepted, must_be, only_destination, opened

MEMORY = 1000
"""The broker's memory in scenarios, in bytes."""


@given(
    parsers.parse(
        "a broker with {memory:d} bytes of memory of which {threshold:d} % must be free and {recovery:d} % recover"
    )
)
def memory_broker(lab: Lab, memory: int, threshold: int, recovery: int) -> None:
    lab.declare_usage(Usage(memory_bytes=memory, block_percent=threshold, resume_percent=recovery))
    lab.declare("queue", Limits())


@given(parsers.parse("a broker with {memory:d} bytes of memory and nothing else configured"))
def unconfigured_broker(lab: Lab, memory: int) -> None:
    lab.declare_usage(Usage(memory_bytes=memory))
    lab.declare("queue", Limits())
    lab.promises |= dict.fromkeys((State.STOPPED, State.PAST_THE_LIMIT), "ANDES-MEMORY-4")


@given(parsers.parse("a broker that allows {most:d} messages of one connection"))
def counting_broker(lab: Lab, most: int) -> None:
    lab.declare_usage(Usage(connection_messages=most))
    lab.declare("queue", Limits())


@given(parsers.parse('a queue "{name}" beside it'))
def further_queue(lab: Lab, name: str) -> None:
    lab.declare(name, Limits())


@given(parsers.parse('a producer for "{name}" is attached'))
def attached_for(lab: Lab, name: str) -> None:
    lab.open_producer("producer", name)


@given(parsers.parse('two producers on "{line}" and one on "{other}"'))
def producers_on(lab: Lab, line: str, other: str) -> None:
    for name, connection in (("producer", line), ("sibling", line), ("other producer", other)):
        lab.open_producer(name, only_destination(lab), connection=connection)


@given("the memory is exhausted")
def exhausted(lab: Lab) -> None:
    is_accepted(lab, opened(lab, "publisher that fills the memory"), MEMORY)


@given(parsers.parse("a producer whose client waits {timeout:d} ms and says so every {period:d} ms"))
def waiting_producer(lab: Lab, timeout: int, period: int) -> None:
    options = ProducerOptions(wait_ms=timeout, notify_ms=period)
    lab.open_producer("producer", only_destination(lab), options=options)


@given("a producer whose client is not configured")
def unconfigured_client(lab: Lab) -> None:
    lab.open_producer("producer", only_destination(lab))


@given(parsers.parse("the producer tries to send a message of {size:d} bytes"))
@when(parsers.parse("the producer tries to send a message of {size:d} bytes"))
def tries_to_send(lab: Lab, size: int) -> None:
    lab.send("producer", size)


@then("the sibling on its connection is stopped")
def sibling_is_stopped(lab: Lab) -> None:
    must_be(lab, "sibling", stopped=True)


@then(parsers.re(r"its client (?P<state>is still connected|has no connection any more)"))
def client_is(lab: Lab, state: str) -> None:
    connected = state == "is still connected"
    seen = lab.comes_to(lambda: lab.client_state("producer").connected, lambda seen: seen is connected)
    lab.verify(seen is connected, f"a client that {state}", "connected" if seen else "not connected")


@then(parsers.parse("its client has said {times:d} times that it waits"))
def client_said(lab: Lab, times: int) -> None:
    said: list[str] = []

    def warnings() -> int:
        said.extend(lab.client_warnings("producer"))
        return len(said)

    lab.comes_to(warnings, lambda seen: seen >= times)
    lab.stays(warnings, lambda seen: seen == times)
    if len(said) > times:
        lab.look_was_in_time()
    lab.verify(len(said) == times, f"{times} notices", f"{len(said)} notices")


@then("an error was thrown to its caller")
def error_thrown(lab: Lab) -> None:
    reasons = lab.refusals("producer")
    lab.verify(any(reasons), "an error", f"{reasons}")
