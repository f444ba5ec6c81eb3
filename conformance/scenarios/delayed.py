"""Steps about messages that are to be delivered later."""

from pytest_bdd import parsers, when

from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import ENOUGH, FILL_SIZE, only_destination, opened, until_refused


@when(parsers.parse("the producer sends {count:d} messages of {size:d} bytes with a delay of {delay:d} ms"))
def sends_delayed(lab: Lab, count: int, size: int, delay: int) -> None:
    opened(lab, "producer")
    for _ in range(count):
        lab.send("producer", size, delay_ms=delay)


@when(parsers.parse("the producer sends messages with a delay of {delay:d} ms until it may not"))
def fills_with_delayed(lab: Lab, delay: int) -> None:
    opened(lab, "producer")
    until_refused(lab, "producer", lambda: lab.send("producer", FILL_SIZE, delay_ms=delay), ENOUGH)
    stopped = lab.comes_to(lambda: lab.standing("producer").stopped, bool)
    lab.verify(stopped, "the producer stopped", "the producer free", State.STOPPED)


@when(parsers.parse("{ms:d} ms pass and everything is consumed"))
def consumed_later(lab: Lab, ms: int) -> None:
    lab.pass_time(ms)
    lab.consume_everything(only_destination(lab))
