"""`tidegate prove`: its output and its exit code."""

import pytest
from click.testing import CliRunner

from tidegate.cli.prove import prove
from tidegate.conformance import proofs
from tidegate.conformance.proofs.claims import Claim
from tidegate.conformance.proofs.solver import Judge, Outcome, Result
from tidegate.record.errors import BadInput, Unavailable


def test_shows_each_claim_of_a_rule_as_a_sentence() -> None:
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(prove, ["--only", "qpid-queue-11"])
    assert ended.exit_code == 0
    assert "a channel is free once every queue that held it is underfull" in ended.output
    assert "0 not as expected" in ended.output


def test_shows_the_counterexample_of_a_claim_that_must_be_refuted() -> None:
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(prove, ["--only", "GATE-R1"])
    assert ended.exit_code == 0
    assert "gate.high=0, gate.low=2, level=1" in ended.output
    assert "refuted as expected" in ended.output


@pytest.mark.parametrize("outcome", [Outcome.UNKNOWN, Outcome.EMPTY, Outcome.REFUTED])
def test_ends_with_1_where_a_theorem_is_not_proved(outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    def settle(_: Judge, claim: Claim) -> Result:
        return Result(claim, outcome, "what is wrong")

    monkeypatch.setattr(Judge, "settle", settle)
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(prove, ["--only", "GATE-T1"])
    assert ended.exit_code == 1
    assert "what is wrong" in ended.output
    assert "1 not as expected" in ended.output


def test_an_id_that_nothing_has_is_bad_input() -> None:
    with pytest.raises(BadInput, match="expected the id of a claim or of a rule that a claim serves, not 'GATE-T99'"):
        CliRunner().invoke(prove, ["--only", "GATE-T99"], catch_exceptions=False)


def test_a_missing_solver_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidegate.cli.prove.find_spec", lambda name: None if name == "z3" else name)
    with pytest.raises(Unavailable, match=r"-m pip install 'z3-solver>="):
        CliRunner().invoke(prove, [], catch_exceptions=False)


def test_the_rules_served_are_counted_without_the_solver() -> None:
    assert proofs.served()["QPID-QUEUE-11"] >= 5
    assert proofs.served()["QPID-LOG-1"] == 0
