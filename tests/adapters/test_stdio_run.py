"""The suite reaches the same verdicts on a program as on what the program serves."""

import json
import re
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.sample import Share, nightly
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.resolver import resolve
from tidegate.adapters.stdio.schema import schema
from tidegate.catalogue import catalogue
from tidegate.conformance.assembly import assemble
from tidegate.conformance.report.scripts import write_scripts
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.errors import ExitCode
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.verdict import Verdict

ROOT = Path(__file__).parents[2]
SERVE = str(Path(__file__).parent / "peers" / "reference.py")
LITERAL = (CheckKind.SCENARIO, CheckKind.VECTOR)
BROKEN = "tests.conformance.broken:StopsAtTheCapacity"
RIGHT = "tidegate.adapters.reference.qpid:QpidReference"
PATIENCE_SECONDS = 60


def needs_of(rule: str) -> frozenset[str]:
    return frozenset(catalogue()[rule].needs)


def findings(subject: Subject) -> list[tuple[str, CheckResult, str, str]]:
    """How each check ended, without the numbers of the scenarios."""
    named = ((check.check, check.result, check.expected, check.seen) for check in subject.checks)
    return sorted((name, result, unnumbered(expected), unnumbered(seen)) for name, result, expected, seen in named)


def unnumbered(text: str) -> str:
    return re.sub(r"\bs\d+\.", "", text)


@pytest.mark.parametrize("one_in", [10, nightly(1)])
@pytest.mark.parametrize("cls", [QpidReference, nightly(ArtemisReference)])
def test_a_program_is_judged_as_what_it_serves(
    cls: type[QpidReference] | type[ArtemisReference], one_in: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDEGATE_STDIO_VALIDATE", "1")
    monkeypatch.setenv("TIDEGATE_STDIO_FOLDER", str(tmp_path / "kept"))
    served = resolve(f"cmd:{shlex.join([sys.executable, SERVE, f'{cls.__module__}:{cls.__name__}'])}")
    conformance = run_suite(
        {"itself": cls, **served}, needs_of, tmp_path, selection=Share(kinds=LITERAL, one_in=one_in)
    )
    itself, program = conformance.subjects
    assert conformance.errors == []
    assert findings(program) == findings(itself)
    assert len(program.checks) > 20 and {check.result for check in program.checks} == {CheckResult.KEPT}
    assert program.trace_path.read_text().count("\n") == itself.trace_path.read_text().count("\n")
    lines = (tmp_path / "kept" / "session.txt").read_text().splitlines()
    validator = Draft202012Validator(schema())
    assert len(lines) > 1000
    for line in {re.sub(r"\d+", "1", line[2:]) for line in lines}:  # one for each shape, which figures do not change
        validator.validate(json.loads(line))


def test_the_session_on_the_page_is_one_that_the_reference_has() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    asked = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", page, re.MULTILINE))
    shown = [json.loads(line) for line in re.findall(r"^< (.*)$", page, re.MULTILINE)]
    done = subprocess.run([sys.executable, SERVE, RIGHT], input=asked, capture_output=True, text=True, check=True)
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answered) == len(shown) >= 15
    for expected, response in zip(shown[1:], answered[1:], strict=True):
        if "error" in expected:
            assert response["error"]["kind"] == expected["error"]["kind"]
        else:
            assert without_nothing(response) == without_nothing(expected)


def without_nothing(response: dict[str, object]) -> dict[str, object]:
    answer = response.get("answer")
    if isinstance(answer, dict):
        answer = {name: value for name, value in answer.items() if value is not None}
    return {"id": response["id"], "answer": answer}


def test_a_program_that_dies_leaves_one_check_unknown_and_the_run_goes_on(tmp_path: Path) -> None:
    name = f"cmd:{shlex.join([sys.executable, SERVE, RIGHT, str(tmp_path / 'crashed'), 's[0-9]'])}"
    selection = Selection(rules=("QPID-QUEUE-2",), kinds=(CheckKind.SCENARIO,))
    (subject,) = run_suite(resolve(name), needs_of, tmp_path, selection=selection).subjects
    scenarios = [check for check in subject.checks if check.kind is CheckKind.SCENARIO]
    unknown = [check for check in scenarios if check.result is CheckResult.UNKNOWN]
    assert [check.seen for check in unknown] == [
        "the program ended with exit status 1 when it was asked for 'acknowledge': out of memory"
    ]
    assert len(subject.restarts) == 1
    assert len(scenarios) > 2 and {check.result for check in scenarios} == {CheckResult.UNKNOWN, CheckResult.KEPT}


def test_a_program_that_dies_before_the_first_scenario_is_started_again_and_told_of(tmp_path: Path) -> None:
    name = f"cmd:{shlex.join([sys.executable, SERVE, RIGHT, str(tmp_path / 'crashed'), 'smoke'])}"
    selection = Selection(rules=("QPID-QUEUE-1",), kinds=(CheckKind.SCENARIO,))
    conformance = run_suite(resolve(name), needs_of, tmp_path, selection=selection)
    (subject,) = conformance.subjects
    assert len(subject.restarts) == 1
    assert {check.result for check in subject.checks} == {CheckResult.KEPT}
    report = assemble(conformance, (), "", whole=False, today=date(2026, 11, 20))
    (each,) = report.implementations
    assert "exit status 1 when it was asked for 'acknowledge': out of memory" in each.findings[0].answered
    assert [verdict.verdict for verdict in each.verdicts] == [Verdict.KEPT]
    assert report.footer.exit_code == ExitCode.UNKNOWN


def test_a_violation_is_shown_again_by_a_script_that_needs_no_tidegate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    name = f"cmd:{shlex.join([sys.executable, SERVE, BROKEN])}"
    selection = Selection(rules=("QPID-QUEUE-1",), kinds=(CheckKind.SCENARIO,))
    factories = {place: resolve(name)[name] for place in ("one", "other")}
    conformance = run_suite(factories, needs_of, tmp_path, selection=selection)
    report = assemble(conformance, (), "", whole=False, today=date(2026, 11, 20))
    violated = [[check for check in each.verdicts[0].checks if check.script] for each in report.implementations]
    assert violated[0] and {check.script for check in violated[0]}.isdisjoint(check.script for check in violated[1])
    scripts = write_scripts(report, tmp_path)
    assert scripts == tuple(tmp_path / str(check.script) for checks in violated for check in checks)
    script, (check, *_) = scripts[0], violated[0]
    assert "tidegate" not in script.read_text().partition("import json")[2].partition("COMMAND")[0]
    again = repeated(script)
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "all as recorded")
    assert f"violated again: expected {check.expected}\n" in again.stdout
    otherwise = repeated(script, sys.executable, SERVE, RIGHT)
    assert otherwise.returncode == 1 and "violated again" not in otherwise.stdout
    assert re.search(r"^\d+ answers were otherwise$", otherwise.stdout.splitlines()[-1])


def repeated(script: Path, *program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), *program]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
