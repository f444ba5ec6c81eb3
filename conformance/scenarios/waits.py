"""Steps about sends that wait for a time, under any mechanism."""

from pytest_bdd import given, when

from tidegate.adapters.base import Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import ENOUGH, FILL_SIZE


@given("it fills the destination until it is stopped")
def fills_until_stopped(lab: Lab) -> None:
    for _ in range(ENOUGH):
        if lab.send("producer", FILL_SIZE) is not Outcome.ACCEPTED or lab.standing("producer").stopped:
            break
    lab.verify(lab.standing("producer").stopped, "the producer stopped", "the producer free", State.STOPPED)


@when("it tries to send a message, which waits")
def a_send_waits(lab: Lab) -> None:
    outcome = lab.send("producer", FILL_SIZE)
    lab.verify(outcome is Outcome.UNSETTLED, "a send that waits", f"it was {outcome}")
