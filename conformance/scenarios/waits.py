"""Steps about sends that wait for a time, under any mechanism."""

from pytest_bdd import given

from tidegate.adapters.base import Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import FILL_SIZE, send_until_refused


@given("it fills the destination until a send of it waits")
def a_send_waits(lab: Lab) -> None:
    send_until_refused(lab, "producer", FILL_SIZE)
    lab.verify(lab.outcome is Outcome.UNSETTLED, "a send that waits", f"it was {lab.outcome}", State.STOPPED)
