"""The walk through an adapter finds a verb with a wrong answer, and passes a right adapter."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tidegate.adapters.base import Adapter, AdapterError, Delivery, Depth, Limits, Outcome, Parameters, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.stdio import driver
from tidegate.adapters.stdio.adapter import StdioAdapter
from tidegate.conformance.smoke import Step, probe, smoke
from tidegate.conformance.smoke.groups import WALKS


def steps_of(adapter: Adapter) -> list[Step]:
    steps: list[Step] = []
    smoke(adapter, steps.append)
    return steps


@pytest.mark.parametrize("reference", [QpidReference, ArtemisReference])
def test_a_right_adapter_passes_every_step(reference: type[Adapter]) -> None:
    steps = steps_of(reference())
    assert [step for step in steps if not step.as_expected] == []
    asked = "\n".join(step.asked for step in steps)
    claimed = reference.capabilities & WALKS.keys()
    assert [
        capability for capability in claimed if f"smoke-{capability}" not in asked and "log" not in capability
    ] == []
    assert steps[-1].asked == "stop()"


class ClaimsWhatNobodyNeeds(QpidReference):
    capabilities = frozenset({"queue-gates"})


class ClaimsAGroupWithoutItsVerbs(QpidReference):
    capabilities = frozenset({"queue-gate", "management-block"})


class HasAScaleTooSmall(QpidReference):
    parameters = Parameters(scale=10, smallest_message_bytes=80)


class DoesNotStart(QpidReference):
    def start(self) -> None:
        raise AdapterError("nobody there")


class HasAFaultOfItsOwn(QpidReference):
    def declare(self, destination: str, limits: Limits) -> None:
        raise TypeError("what is that?")


class RefusesWhatItShouldTake(QpidReference):
    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return Outcome.REJECTED


class CountsNothing(QpidReference):
    def depth(self, destination: str) -> Depth:
        return Depth(0, 0)


class MixesUpIds(QpidReference):
    def take(self, consumer: str) -> Delivery | None:
        found = super().take(consumer)
        return None if found is None else replace(found, message_id="another")


class KeepsWhatWasAcknowledged(QpidReference):
    def acknowledge(self, consumer: str, message_id: str) -> None:
        return


class NeverStops(QpidReference):
    def standing(self, producer: str) -> Standing:
        return Standing(stopped=False)


class EndsNothing(QpidReference):
    def end_scenario(self) -> None:
        raise AdapterError("it will not end")


class ReadsOtherLimits(QpidReference):
    def limits_in_force(self, destination: str) -> Limits:
        return Limits(limit_bytes=1)


class PurgesNothing(QpidReference):
    def purge(self, destination: str) -> None:
        return


class StopsOnce(QpidReference):
    stopped = 0

    def stop(self) -> None:
        super().stop()
        self.stopped += 1
        if self.stopped > 1:
            raise AdapterError("it is stopped already")


@pytest.mark.parametrize(
    ("broken", "asked", "answered"),
    [
        (ClaimsWhatNobodyNeeds, "capability queue-gates", "no rule needs it"),
        (ClaimsAGroupWithoutItsVerbs, "capability management-block", "without block"),
        (HasAScaleTooSmall, "parameters", "scale 10, smallest message 80 bytes"),
        (DoesNotStart, "start()", "raised AdapterError: nobody there"),
        (HasAFaultOfItsOwn, "declare(", "raised TypeError: what is that?"),
        (RefusesWhatItShouldTake, "send(", "Outcome.REJECTED"),
        (CountsNothing, "depth(", "Depth(bytes=0, messages=0)"),
        (MixesUpIds, "take(", "message_id='another'"),
        (KeepsWhatWasAcknowledged, "depth(", "Depth(bytes=400, messages=1)"),
        (NeverStops, "standing(", "Standing(stopped=False)"),
        (EndsNothing, "end_scenario(", "it will not end"),
        (ReadsOtherLimits, "limits_in_force(", "Limits(limit_bytes=1)"),
        (PurgesNothing, "depth(", "Depth(bytes=400, messages=1)"),
        (StopsOnce, "stop()", "it is stopped already"),
    ],
)
def test_the_first_fault_is_named_and_the_rest_is_not_asked(
    broken: Callable[[], Any], asked: str, answered: str
) -> None:
    steps = steps_of(broken())
    (fault,) = [step for step in steps if not step.as_expected]
    assert fault.asked.startswith(asked)
    assert answered in fault.answer
    assert {step.asked for step in steps[steps.index(fault) + 1 :]} <= {"stop()"}


def test_a_verb_that_is_not_there_is_named_with_its_parameters() -> None:
    class Halfway:
        identity = QpidReference.identity
        capabilities = QpidReference.capabilities
        parameters = QpidReference.parameters

    steps: list[Step] = []
    smoke(Halfway(), steps.append)  # type: ignore[arg-type]
    assert steps[-1].answer.startswith("without start, stop, declare, ")
    assert steps[-1].fix == "write the method start(self) -> None"


def test_a_fault_in_the_adapter_is_named_with_its_place() -> None:
    (fault,) = [step for step in steps_of(HasAFaultOfItsOwn()) if not step.as_expected]
    assert fault.fix.startswith("mend what is raised at test_smoke.py:")


def test_what_was_started_is_stopped_after_a_fault() -> None:
    assert [step.asked for step in steps_of(CountsNothing())][-2:] == ["stop()", "stop()"]


def test_a_program_that_says_nothing_is_waited_for_until_its_driver_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "START_MS", 2500)
    # shorter than the wait for the program, and enough to end it on a busy machine
    monkeypatch.setattr(probe, "WATCHDOG_MS", 2000)
    steps = steps_of(StdioAdapter([sys.executable, "-c", "import time; time.sleep(600)"]))
    (fault,) = [step for step in steps if not step.as_expected]
    assert "the program did not answer 'start' within 2500 ms; a response must end with a line break" in fault.answer
    assert steps[-1].asked == "stop()"
