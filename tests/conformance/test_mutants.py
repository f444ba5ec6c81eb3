"""Every small change of a rule is noticed, and the gate that checks this can itself fail."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.command import tidegate
from tests.conformance.broken import StopsAtTheCapacity
from tests.conformance.broken_run import needs_of
from tests.conformance.honest import honest
from tidegate.adapters.base import Adapter
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.cli.mutants import mutants
from tidegate.conformance.mutants import by_proof, by_scenario, gate
from tidegate.conformance.mutants.by_proof import Proved
from tidegate.conformance.mutants.changes import Kind, Mutant, is_over_states, mutants_of
from tidegate.conformance.mutants.gate import Fate
from tidegate.conformance.mutants.in_a_child import DidNotEnd, in_children
from tidegate.conformance.mutants.in_place import put_in_place, tell_of_calls
from tidegate.conformance.mutants.used import rules_used_by
from tidegate.conformance.proofs.noticing import notices, readers, says_the_same
from tidegate.model.language.rule import Definition, define, definition_of
from tidegate.model.mechanisms import andes, classic, credit, qpid
from tidegate.model.mechanisms import gate as gates
from tidegate.model.traces import general
from tidegate.record.errors import BadInput, TidegateError

LIMIT = 7


def has_one_of_each(level: int, held: bool, figures: dict[int, int]) -> bool:
    """TEST-1: a rule with each construct that can be changed."""
    more = level - LIMIT if not held else -level
    return (level < 3 and held) or any(figures[key] == more * 2 for key in figures)


CHANGES = {
    (Kind.BRANCH, "-level if not held else level - LIMIT"),
    (Kind.BRANCH, "level - LIMIT"),
    (Kind.BRANCH, "-level"),
    (Kind.NEGATION, "held"),
    (Kind.ARITHMETIC, "level + LIMIT"),
    (Kind.FIGURE, "6"),
    (Kind.FIGURE, "8"),
    (Kind.NEGATION, "level"),
    (Kind.CONNECTIVE, "(level < 3 and held) and any((figures[key] == more * 2 for key in figures))"),
    (Kind.PART, "any((figures[key] == more * 2 for key in figures))"),
    (Kind.NEGATION, "not (level < 3 and held) or any((figures[key] == more * 2 for key in figures))"),
    (Kind.PART, "level < 3 and held"),
    (Kind.NEGATION, "level < 3 and held or not any((figures[key] == more * 2 for key in figures))"),
    (Kind.CONNECTIVE, "level < 3 or held"),
    (Kind.PART, "held"),
    (Kind.NEGATION, "not level < 3 and held"),
    (Kind.PART, "level < 3"),
    (Kind.NEGATION, "level < 3 and (not held)"),
    (Kind.THRESHOLD, "level <= 3"),
    (Kind.COMPARISON, "level > 3"),
    (Kind.COMPARISON, "level >= 3"),
    (Kind.THRESHOLD, "2"),
    (Kind.THRESHOLD, "4"),
    (Kind.QUANTIFIER, "all((figures[key] == more * 2 for key in figures))"),
    (Kind.COMPARISON, "figures[key] != more * 2"),
    (Kind.ARITHMETIC, "more + 2"),
    (Kind.FIGURE, "1"),
    (Kind.FIGURE, "3"),
}


def rule_of(function: object) -> Definition:
    definition = definition_of(function)
    assert definition is not None
    return definition


def edge_of_past_high() -> Mutant:
    return next(mutant for mutant in mutants_of(rule_of(gates.past_high)) if mutant.now == "level >= gate.high")


def test_makes_each_kind_of_change() -> None:
    found = list(mutants_of(define(has_one_of_each)))
    said = {(mutant.kind, mutant.now) for mutant in found}
    assert said == CHANGES
    assert len({mutant.name for mutant in found}) == len(found)


def test_leaves_the_rule_itself_as_it_is() -> None:
    before = [mutant.was for mutant in mutants_of(rule_of(gates.settled))]
    assert before == [mutant.was for mutant in mutants_of(rule_of(gates.settled))]


def test_knows_rules_about_states_from_those_about_traces() -> None:
    assert is_over_states(rule_of(qpid.overfull))
    assert not is_over_states(rule_of(general.outstanding))


def test_every_module_of_the_model_that_has_rules_about_states_is_looked_at() -> None:
    modules = {rule.function.__module__ for rule in gate.rules()}
    assert {module.__name__ for module in (andes, classic, credit, gates, qpid)} <= modules
    files = Path(gates.__file__).parent.glob("*.py")
    with_rules = {
        f"tidegate.model.mechanisms.{file.stem}" for file in files if "@rule\n" in file.read_text(encoding="utf-8")
    }
    over_traces = {name for name in with_rules - modules if "Moment" in dir(__import__(name, fromlist=["_"]))}
    assert with_rules - modules == over_traces


@pytest.mark.parametrize("rule", gate.rules(), ids=lambda rule: rule.qualified_name)
def test_a_rule_that_was_not_changed_is_the_same(rule: Definition) -> None:
    assert says_the_same(rule, rule)


def test_claims_notice_only_what_changed() -> None:
    rule = rule_of(gates.past_high)
    claims = readers()[gates.past_high]
    assert [claim.id for claim in claims if notices(claim, rule)] == []
    assert any(notices(claim, edge_of_past_high().changed) for claim in claims)
    assert not says_the_same(rule, edge_of_past_high().changed)


def test_a_change_that_is_none_is_the_same_rule() -> None:
    found = {mutant.now: mutant for mutant in mutants_of(rule_of(andes.over_count))}
    unused = found["limits.messages - 1"]
    assert says_the_same(unused.original, unused.changed)


@pytest.mark.parametrize(
    ("claim", "scenario", "same", "needs_scenario", "survives"),
    [
        ("", "", False, False, True),
        ("GATE-T1", "", False, False, False),
        ("", "a scenario", False, False, False),
        ("GATE-T1", "", False, True, True),
        ("GATE-T1", "a scenario", False, True, False),
        ("", "a scenario", False, True, False),
        ("", "", True, True, False),
    ],
)
def test_a_threshold_needs_a_scenario_and_anything_else_a_proof_or_a_scenario(
    claim: str, scenario: str, same: bool, needs_scenario: bool, survives: bool
) -> None:
    assert Fate(edge_of_past_high(), claim, scenario, same, needs_scenario).survives is survives


def test_a_reading_that_nothing_runs_survives_without_its_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_proof, "_readers", dict)
    proved = by_proof.hunt([rule_of(credit.refill_by_window)], 1)
    assert proved
    assert set(proved.values()) == {Proved()}
    assert "tidegate.model.mechanisms.credit:refill_by_window" not in rules_used_by([QpidReference])


def test_a_scenario_notices_a_threshold_and_says_which_it_is() -> None:
    edge = edge_of_past_high()
    found = hunt_on(QpidReference, [edge])
    assert found.noticed[edge.name].endswith(" on qpid")
    assert definition_of(gates.past_high) is edge.original
    assert not gates.past_high(gates.Gate(10, 8), 10)


@pytest.mark.nightly
def test_scenarios_do_not_notice_a_rule_that_was_not_changed() -> None:
    rule = rule_of(gates.past_high)
    same = Mutant(0, Kind.THRESHOLD, "", "", rule, rule)
    assert hunt_on(QpidReference, [same]).noticed == {same.name: by_scenario.NOBODY}


def test_scenarios_that_fail_without_any_change_notice_nothing() -> None:
    with pytest.raises(TidegateError, match="although no rule was changed"):
        hunt_on(StopsAtTheCapacity, [edge_of_past_high()])


def hunt_on(implementation: type[Adapter], found: list[Mutant]) -> by_scenario.Hunt:
    """The hunt with the scenarios of the mechanism alone; each scenario runs once before the mutants do."""
    of_the_mechanism = honest(implementation, {"queue-gate"})
    return by_scenario.hunt(found, [mutant.original for mutant in found], {"qpid": of_the_mechanism}, needs_of, 1)


def test_a_child_runs_the_changed_rule_for_everybody_who_imported_it() -> None:
    def overfull_at_the_edge() -> bool:
        put_in_place(edge_of_past_high().changed)
        return qpid.overfull(qpid.Queue(10, 8, 10))

    assert dict(in_children([("edge", overfull_at_the_edge)], 1)) == {"edge": True}
    assert not qpid.overfull(qpid.Queue(10, 8, 10))


def test_a_child_tells_which_rules_are_called() -> None:
    def called() -> set[str]:
        told: set[str] = set()
        tell_of_calls([rule_of(gates.past_high), rule_of(gates.below_low)], told.add)
        qpid.overfull(qpid.Queue(10, 8, 10))
        return told

    assert dict(in_children([("calls", called)], 1)) == {"calls": {"tidegate.model.mechanisms.gate:past_high"}}


def test_a_child_that_does_not_end_is_an_answer() -> None:
    def never_ends() -> None:
        while True:
            pass

    ((_, answer),) = in_children([("loop", never_ends)], 1, most_seconds=1)
    assert isinstance(answer, DidNotEnd)


def test_a_child_that_dies_is_none() -> None:
    with pytest.raises(TidegateError, match="ended with 9 and without an answer"):
        list(in_children([("death", lambda: os._exit(9))], 1))


def test_the_command_ends_with_1_where_nobody_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    fate = Fate(edge_of_past_high(), "GATE-T1", "", same=False, needs_scenario=True)
    monkeypatch.setattr(gate, "fates", lambda *_: [fate])
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(mutants, ["--rule", "gate:past_high"])
    assert ended.exit_code == 1
    assert "level > gate.high → level >= gate.high" in ended.output
    assert "GATE-T1, no scenario" in ended.output
    assert "1 by nobody who should" in ended.output


def test_the_command_says_who_notices(tmp_path: Path) -> None:
    ended = tidegate("mutants", "--rule", "credit:refill_by_window", "--jobs", "1", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "CREDIT-T7" in ended.stdout
    assert ", 0 by nobody who should" in " ".join(ended.stdout.split())


def test_a_rule_that_there_is_not_is_bad_input() -> None:
    with pytest.raises(
        BadInput, match="expected the id of a rule that model/ defines, or module:function, not 'GATE-99'"
    ):
        CliRunner().invoke(mutants, ["--rule", "GATE-99"], catch_exceptions=False)
