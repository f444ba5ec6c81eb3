"""Scripts are written from the recordings of a report; a foreign report cannot add other content to them."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import tidegate
from tests.sample import sampled
from tidegate.conformance.report.scripts import scripts, without_recording
from tidegate.conformance.report.store import read_report
from tidegate.record.errors import BadInput
from tidegate.record.report import Recording, Report

ROOT = Path(__file__).parents[2]
REPORTS = sorted(ROOT.glob("reports/*/report.json"))
OF_TIDEGATE = re.compile(r"^\s*(?:import|from) tidegate\b", re.MULTILINE)
FILE = ROOT / "reports/classic-5.9.1/report.json"
WITH_SCRIPTS = [file for file in REPORTS if '"script": "' in file.read_text(encoding="utf-8")]


def changed(report: Report, template: Mapping[str, Any] | None = None, **check: Any) -> Report:
    """The report with its first script alone, with these fields of the check and of the template replaced."""
    (each,) = report.implementations
    verdict, first = next((v, c) for v in each.verdicts for c in v.checks if c.recording is not None)
    assert each.script_template is not None
    each = replace(
        each,
        verdicts=(replace(verdict, checks=(replace(first, **check),)),),
        script_template=replace(each.script_template, **(template or {})),
    )
    return replace(report, implementations=(each,))


@pytest.fixture(scope="module")
def report() -> Report:
    return read_report(FILE)


def test_only_the_report_of_a_client_alone_has_no_script() -> None:
    assert {file.parent.name for file in REPORTS if file not in WITH_SCRIPTS} == {"andes-client-3.2.12"}


@pytest.mark.parametrize(
    "file", sampled(WITH_SCRIPTS, 4, name=lambda file: file.parent.name), ids=lambda file: file.parent.name
)
def test_each_script_of_a_committed_report_is_written_from_it_and_compares_figures(file: Path) -> None:
    report = read_report(file)
    written = dict(scripts(report))
    checks = [check for verdict in report.implementations[0].verdicts for check in verdict.checks]
    assert set(written) == {check.script for check in checks if check.script is not None}
    assert written
    assert without_recording(report) == 0
    for name, text in written.items():
        assert "recorded=" in text, name
        assert OF_TIDEGATE.search(text) is None, name


@pytest.mark.parametrize(
    "step",
    [
        "exec('1/0')",
        "__import__('os').system('true')",
        "depth(print('x'))",
        "depth(''.join('x'))",
        "import os",
        "while True: depth('x')",
        "depth('x') if 1 else depth('y')",
        "depth(*[depth('x') for x in 'y'])",
        "depth = 1",
        "depth(",
        "depth('\0')",
        "depth('x')\nexec('1/0')",
        "for depth in range(3):\n    depth(1)",
    ],
)
def test_a_step_can_do_nothing_but_call_functions_of_its_script(report: Report, step: str) -> None:
    hostile = changed(report, recording=Recording((step,)))
    with pytest.raises(BadInput, match=r"field 'reproduce/.*': expected (steps in Python|calls of the script's)"):
        list(scripts(hostile))


def test_what_steps_consist_of_is_accepted(report: Report) -> None:
    steps = ("# a comment", "for step in range(3):", "    depth(f'q{step + 1}', recorded=-1)", "take([('a', 1), {}])")
    ((_, text),) = scripts(changed(report, recording=Recording(steps)))
    assert "\n".join(steps) in text


@pytest.mark.parametrize("path", ["../R-1.py", "reproduce/../../R-1.py", "/tmp/R-1.py", "reproduce/R-1.sh", "R-1.py"])
def test_a_script_stays_below_the_folder_of_scripts(report: Report, path: str) -> None:
    with pytest.raises(BadInput, match="expected a script below reproduce/"):
        list(scripts(changed(report, script=path)))


@pytest.mark.parametrize("package", ["this", "tidegate.adaptersx", "", ".", "os/path"])
def test_what_is_no_adapter_is_not_imported_because_a_report_names_it(report: Report, package: str) -> None:
    with pytest.raises(BadInput, match="expected the package of an installed adapter"):
        list(scripts(changed(report, {"package": package})))
    assert package not in sys.modules


@pytest.mark.parametrize("package", ["tidegate.adapters", "tidegate.adapters.none", "jinja2"])
def test_an_adapter_without_a_template_is_one_sentence(report: Report, package: str) -> None:
    with pytest.raises(BadInput, match=r"expected what the reproduce\.py\.j2 of the package .* fills in"):
        list(scripts(changed(report, {"package": package})))


@pytest.mark.parametrize("values", [{}, {"generation": "5"}])
def test_a_value_that_the_template_lacks_is_one_sentence(report: Report, values: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"expected what the reproduce\.py\.j2 of the package .* fills in"):
        list(scripts(changed(report, {"values": values})))


def older(file: Path, folder: Path) -> Path:
    """The report in the older form, without calls."""
    content = json.loads(file.read_text(encoding="utf-8"))
    (each,) = content["implementations"]
    del each["script_template"]
    for verdict in each["verdicts"]:
        for check in verdict["checks"]:
            del check["recording"]
    (folder / "report.json").write_text(json.dumps(content), encoding="utf-8")
    return folder / "report.json"


def test_of_an_older_report_the_command_says_that_it_has_no_calls(tmp_path: Path) -> None:
    file = older(FILE, tmp_path)
    ended = tidegate("report", "render", str(file), folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (
        0,
        f"{file} names 5 scripts without the calls that they repeat; a new run records these\n",
    )
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "report.md", "report.html"}


def test_the_command_writes_the_pages_and_each_script(tmp_path: Path) -> None:
    ended = tidegate("report", "render", str(FILE), "--to", "new", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    written = {path for path in (tmp_path / "new").rglob("*") if path.is_file()}
    assert {tmp_path / line for line in ended.stdout.splitlines()} == written
    assert len([path for path in written if path.parent.name == "reproduce"]) == 5


def test_bad_steps_end_the_command_with_one_sentence(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert "start_broker(" in text
    (tmp_path / "report.json").write_text(text.replace('"start_broker(', '"exec('), encoding="utf-8")
    ended = tidegate("report", "render", "report.json", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tidegate: report.json: field 'reproduce/") and ended.stderr.count("\n") == 1
