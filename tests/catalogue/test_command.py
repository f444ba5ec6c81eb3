"""`tidegate spec` as it is typed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tidegate.catalogue import catalogue
from tidegate.cli.spec import spec
from tidegate.conformance.proofs import claims
from tidegate.record.errors import BadInput, ExitCode


def run(*arguments: str) -> Result:
    return CliRunner().invoke(spec, arguments)


def test_list_names_every_rule_on_a_line_of_its_own() -> None:
    result = run("list")
    assert result.exit_code == ExitCode.OK
    heads, *lines = result.output.splitlines()
    assert heads.split("\t") == ["rule", "level", "category", "needs", "title"]
    assert [line.split("\t")[0] for line in lines] == list(catalogue())


def test_list_draws_a_table_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    heads, *rows = run("list").output.splitlines()
    assert heads.startswith("\x1b[1mrule")
    assert "\t" not in heads
    assert [row.split()[0] for row in rows if row.startswith("QPID-QUEUE")] == [
        rule for rule in catalogue() if rule.startswith("QPID-QUEUE")
    ]


def test_list_missing_names_rules_and_the_forms_they_lack() -> None:
    result = run("list", "--missing")
    assert "waived: GENERAL-1 does without proof" in result.output
    complete = f"All {len(catalogue())} rules have every form that they owe." in result.output
    assert result.exit_code == (ExitCode.OK if complete else ExitCode.VIOLATED)


def test_show_has_the_sentence_with_the_formula_below_then_the_prose_then_the_facts() -> None:
    rule = catalogue()["QPID-QUEUE-1"]
    output = run("show", "qpid-queue-1").output
    parts = (rule.sentence, "capacity ≠ 0 ∧ bytes > capacity", rule.body, "needs: queue-gate", "- theorems: ")
    assert [part for part in parts if part not in output] == []
    assert sorted(parts, key=output.index) == list(parts)


@pytest.mark.parametrize("rule", ["QPID-QUEUE-2", "QPID-QUEUE-11", "ARTEMIS-AMQP-8", "QPID-LOG-1"])
def test_show_names_every_claim_about_the_rule_and_what_settles_them(rule: str) -> None:
    lines = run("show", rule).output.splitlines()
    told = " ".join(line for line in lines if line.startswith(("- theorems: ", "- refuted: ")))
    serving = [claim for claim in claims() if rule in claim.serves]
    assert set(re.findall(r"\b[A-Z0-9]+-[TR]\d+\b", told)) == {claim.id for claim in serving}
    command = f"- settled by: `tidegate prove --only {rule}`"
    assert any(line.startswith(command) for line in lines) is bool(serving)
    assert (rule == "QPID-LOG-1") is not bool(serving)


def test_show_tells_theorems_by_their_sentences_apart_from_what_is_refuted() -> None:
    output = run("show", "QPID-QUEUE-11").output
    assert "- theorems: QQ-T18, a removal lets go exactly when the queue is then underfull; " in output
    assert "- refuted: QQ-R3, one underfull queue is enough to release a channel; " in output


def test_show_says_of_a_rule_of_our_own_that_no_document_states_it(tmp_path: Path) -> None:
    output = run("show", "GENERAL-1", "--documents", str(tmp_path)).output
    assert output.endswith("**In the documents.** No sentence states it: it is our own.\n")


def test_show_of_an_unknown_rule_ends_with_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    command = "from tidegate.cli.main import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", command, "spec", "show", "QPID-QUEUE-99"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ended.returncode == ExitCode.BAD_INPUT
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert "expected a rule id, not 'QPID-QUEUE-99'; the nearest are QPID-QUEUE-9," in ended.stderr


def test_export_is_json_and_export_schema_is_its_schema() -> None:
    assert json.loads(run("export").output)["spec_version"] == "0.1"
    assert json.loads(run("export", "--schema").output)["title"] == "Specification"


def test_coverage_says_that_every_sentence_is_accounted_for() -> None:
    result = run("coverage")
    assert result.exit_code == ExitCode.OK
    counts = [line.split("\t") for line in result.output.splitlines() if line[:3].isdigit()]
    assert [(document, later) for document, _, _, _, later, _ in counts] == [(f"00{n}", "0") for n in range(5)]
    assert "The ledger is complete" in result.output


def test_coverage_without_the_texts_at_hand_is_bad_input(tmp_path: Path) -> None:
    result = run("coverage", "--documents", str(tmp_path))
    assert isinstance(result.exception, BadInput)
    assert "expected the text of document 000" in str(result.exception)


def test_skeleton_starts_a_ledger(tmp_path: Path) -> None:
    text = tmp_path / "005.txt"
    text.write_text("One. Two.", encoding="utf-8")
    assert "sentences: 2" in run("skeleton", str(text), "--document", "005").output


def test_coverage_can_list_what_became_of_each_sentence() -> None:
    result = run("coverage", "--list")
    assert result.exit_code == ExitCode.OK
    assert "000\t8\tConfiguring a Queue to use flow control\tQPID-QUEUE-2, QPID-QUEUE-10" in result.output


def test_a_rule_says_where_its_document_is_public_and_which_sentences_state_it() -> None:
    source = next(line for line in run("show", "QPID-QUEUE-1").output.splitlines() if line.startswith("- source"))
    assert "sentence 7 (Producer Flow Control" in source
    assert "https://qpid.apache.org/" in source


def test_show_of_a_setting_says_where_its_rules_are_told() -> None:
    with pytest.raises(BadInput, match=r"not 'max-size-bytes'; `.*` lists the rules of the setting max-size-bytes \("):
        CliRunner().invoke(spec, ["show", "max-size-bytes"], catch_exceptions=False, standalone_mode=False)


@pytest.mark.parametrize(
    ("columns", "heads"), [(80, "rule level category title"), (250, "rule level category needs title")]
)
def test_list_leaves_needs_out_where_it_has_no_room(columns: int, heads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    first, *rows = re.sub(r"\x1b\[[\d;]*m", "", run("list").output).splitlines()
    assert first.split() == heads.split()
    assert all(len(row) <= columns for row in rows)
    assert len(rows) < 2 * len(catalogue())
