"""A check whose Given was not reached is unknown, and it violates the rule that promises that Given."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_bdd.parser import Step
from pytest_bdd.types import GIVEN

from tests.conformance.broken_reasons import RefusesTheNinth
from tests.conformance.broken_run import needs_of
from tests.conformance.honest import PlainQueue, references
from tests.sample import Share, nightly
from tidegate.adapters.base import Outcome
from tidegate.adapters.capabilities import with_implied
from tidegate.catalogue import catalogue
from tidegate.conformance import plugin
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import BY_MECHANISM, OF_ANY, State, promised, said_by
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.vectors import vectors
from tidegate.conformance.vectors.form import Consume, ExpectCredit, ExpectStanding, Send
from tidegate.record.report import NOT_REACHED, CheckKind, CheckResult


@dataclass(frozen=True)
class Look:
    """A verification in a Given of a scenario; no rule promises a state that a rule only permits."""

    check: str
    given: str
    state: State | None
    promised_by: str | None
    """The rule that the scenario itself names."""


@pytest.fixture(scope="module", params=[8, nightly(1)], ids=lambda one_in: f"one in {one_in}")
def looks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Look]:
    """Every look in a Given, in a share of the scenarios of every profile of the reference."""
    verify = Lab.verify
    found: list[Look] = []
    now: list[Step] = []

    def noting(lab: Lab, kept: bool, expected: str, seen: str, state: State | None = None) -> None:
        permitted = state is not None and lab.promises.get(state, "") is None
        if now[-1].type == GIVEN and not permitted:
            found.append(Look(lab.check, now[-1].name, state, lab.promises.get(state) if state else None))
        verify(lab, kept, expected, seen, state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lab, "verify", noting)
        patch.setattr(plugin, "pytest_bdd_before_step", lambda request, step: now.append(step), raising=False)
        factories = {cls.identity.version: cls for cls in references()}
        folder = tmp_path_factory.mktemp("looks")
        run_suite(
            factories,
            needs_of,
            folder,
            selection=Share(kinds=(CheckKind.SCENARIO,), one_in=request.param),
            judge_traces=False,
        )
    return found


def test_every_given_that_can_fail_is_promised_by_a_rule_that_needs_no_more_than_the_check(looks: list[Look]) -> None:
    needs = {
        scenario.check: with_implied(scenario.needs.union(*map(needs_of, scenario.rules))) for scenario in scenarios()
    }
    assert looks
    unpromised = []
    for look in looks:
        its = needs[look.check.partition("[")[0]]
        promised_by = look.promised_by or (said_by(look.state, its) if look.state else None)
        if promised_by is None or not needs_of(promised_by) <= its:
            unpromised.append((look, promised_by))
    assert unpromised == []


def test_every_step_that_leads_to_what_a_vector_judges_is_promised_by_a_rule_that_needs_no_more() -> None:
    scripted = [vector for vector in vectors() if vector.script]
    assert scripted
    for vector in scripted:
        assert vector.presupposed is not None and 0 < vector.presupposed < len(vector.script), vector.id
        for step in vector.script[: vector.presupposed]:
            for state in states_of(step):
                promised_by = said_by(state, vector.needs)
                assert promised_by is not None, (vector.id, state)
                assert needs_of(promised_by) <= with_implied(vector.needs), (vector.id, promised_by)


def states_of(step: object) -> tuple[State, ...]:
    """The states that a step of a script may fail to reach."""
    match step:
        case Send():
            return State.ROOM, State.PAST_THE_LIMIT
        case ExpectStanding(stopped=True):
            return (State.STOPPED,)
        case ExpectCredit():
            return (State.CREDIT,)
        case Consume():
            return (State.DELIVERED,)
        case _:
            return ()


class RefusesEverything(PlainQueue):
    """Rejects every message."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return Outcome.REJECTED


def test_a_broker_that_takes_nothing_violates_the_rule_that_says_it_takes_something(tmp_path: Path) -> None:
    subject = run_suite({"refusing": RefusesEverything}, needs_of, tmp_path).subjects[0]
    violated = {rule for check in subject.checks if check.result is CheckResult.VIOLATED for rule in check.rules}
    assert violated == {"GENERAL-21"}
    unknown = [check for check in subject.checks if check.result is CheckResult.UNKNOWN and "GENERAL-2" in check.rules]
    assert unknown[0].expected == "Given the producer sent 2 messages of 400 bytes: a message of 400 bytes accepted"
    assert unknown[0].seen == f"{NOT_REACHED}it was rejected"


def test_of_several_mechanisms_the_one_that_acts_on_the_message_promises() -> None:
    assert said_by(State.STOPPED, {"queue-gate", "disk-quota"}) == "QPID-DISK-3"
    assert said_by(State.ROOM, {"queue-gate"}) == "GENERAL-21"
    assert said_by(State.CREDIT, {"queue-gate"}) is None


def test_every_rule_that_promises_needs_no_more_than_its_mechanism_and_what_goes_with_it() -> None:
    for mechanism, rules in BY_MECHANISM.items():
        assert all(mechanism in needs_of(rule) for rule in rules.values())
    assert {needs_of(OF_ANY[state]) for state in (State.ROOM, State.DELIVERED)} == {frozenset()}


def test_a_when_that_is_not_reached_violates_the_rule_that_promises_it_too() -> None:
    told = Deviation("a message accepted", "it was rejected", state=State.ROOM)
    assert promised(told, {"queue-gate"}) == "GENERAL-21"
    assert promised(Deviation("", "", state=State.PAST_THE_LIMIT), {"queue-gate"}) == "QPID-QUEUE-8"
    assert promised(Deviation("", ""), {"queue-gate"}) is None


def test_a_message_that_a_when_sends_and_that_is_refused_violates_two_rules(tmp_path: Path) -> None:
    of_credit = tuple(rule for rule in catalogue() if rule.startswith("ARTEMIS-AMQP-"))
    chosen = Selection(rules=of_credit, kinds=(CheckKind.SCENARIO,))
    run = run_suite({"refusing": RefusesTheNinth}, needs_of, tmp_path, selection=chosen, judge_traces=False)
    violated = [check for check in run.subjects[0].checks if check.result is CheckResult.VIOLATED]
    own = {(check.done, check.expected) for check in violated if set(check.rules) <= set(of_credit)}
    promised_too = {(check.done, check.expected) for check in violated if check.rules == ("GENERAL-21",)}
    assert own & promised_too
