"""`tidegate matrix` and `tidegate diff` as a user runs them, on runs and on earlier reports."""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from tests.cli.command import tidegate
from tidegate.cli import sources
from tidegate.cli.matrix import matrix
from tidegate.cli.sources import Ended, read
from tidegate.conformance.report.store import read_report, write_report

REPORTS = Path(__file__).parents[2] / "reports"
ARTEMIS = str(REPORTS / "artemis-2.44.0")
VIOLATED, BAD_INPUT, UNKNOWN, HARNESS = 1, 2, 3, 4


@pytest.fixture
def without_a_page(tmp_path: Path) -> Path:
    """The folder of a committed report without what was written beside it since."""
    names = shutil.ignore_patterns("*.html", "*.md", "reproduce")
    return Path(shutil.copytree(ARTEMIS, tmp_path / "artemis", ignore=names))


def test_reports_and_runs_become_one_matrix(tmp_path: Path, without_a_page: Path) -> None:
    ended = tidegate("matrix", "reference:artemis", "artemis/", "--subset", "boundary", "--to", "out", folder=tmp_path)
    assert ended.returncode == VIOLATED, ended.stderr
    assert "reference artemis" in ended.stdout and "boundary subset only" in ended.stdout
    content = json.loads((tmp_path / "out" / "matrix.json").read_text(encoding="utf-8"))
    assert [column["version"] for column in content["columns"]] == ["artemis", "2.44.0"]
    assert (tmp_path / "out" / content["columns"][0]["page"]).is_file()
    assert (tmp_path / "out" / content["columns"][1]["page"]).is_file()
    assert {"matrix.json", "matrix.md", "matrix.html", "reference-artemis", "artemis"} == {
        entry.name for entry in (tmp_path / "out").iterdir()
    }


def test_a_report_without_a_page_gets_one_whose_links_lead_to_its_files(tmp_path: Path, without_a_page: Path) -> None:
    before = set(without_a_page.iterdir())
    assert tidegate("matrix", "artemis", "--to", "out", folder=tmp_path).returncode == VIOLATED
    (column,) = json.loads((tmp_path / "out" / "matrix.json").read_text(encoding="utf-8"))["columns"]
    page = tmp_path / "out" / column["page"]
    links = [unquote(link) for link in re.findall(r'href="([^"#:]+)"', page.read_text(encoding="utf-8"))]
    assert {Path(link).suffix for link in links} == {".jsonl", ".log", ".py"}
    assert [link for link in links if not (page.parent / link).is_file()] == []
    assert set(without_a_page.iterdir()) == before, "nothing is written beside a report that is read"


def test_implementations_run_at_once_and_stand_in_the_order_in_which_they_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, ended = Barrier(2, timeout=30), []
    reports = {"reference:qpid-0.18": "qpid-0.18", "reference:classic-4": "classic-4.1.2"}

    def run(name: str, folder: Path, options: Sequence[str]) -> Ended:
        both.wait()
        if name == "reference:qpid-0.18":
            both.wait()  # the first to be named is the last to end
        ended.append(name)
        if name == "reference:classic-4":
            both.wait()
        return replace(read(name, REPORTS / reports[name] / "report.json"), folder=folder)

    monkeypatch.setattr(sources, "run", run)
    names = ["reference:qpid-0.18", ARTEMIS, "reference:classic-4"]
    shown = CliRunner().invoke(matrix, [*names, "--jobs", "2", "--quiet", "--to", str(tmp_path)])
    assert shown.exit_code == VIOLATED
    assert ended == ["reference:classic-4", "reference:qpid-0.18"]
    content = json.loads((tmp_path / "matrix.json").read_text(encoding="utf-8"))
    assert [column["version"] for column in content["columns"]] == ["0.18", "2.44.0", "4.1.2"]


def test_a_broker_that_cannot_be_had_is_a_column_that_says_so(tmp_path: Path) -> None:
    ended = tidegate("matrix", "artemis:2.44.0", ARTEMIS, "--to", "out", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == VIOLATED
    content = json.loads((tmp_path / "out" / "matrix.json").read_text(encoding="utf-8"))
    assert "JDK" in content["columns"][0]["unavailable"]
    assert content["columns"][1]["unavailable"] is None
    assert "not available" in ended.stdout and "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("names", "code"), [(["reference:classic-4", "artemis:2.44.0"], UNKNOWN), (["artemis:2.44.0"], BAD_INPUT)]
)
def test_a_broker_that_cannot_be_had_is_unknown_beside_one_that_is_judged(
    names: list[str], code: int, tmp_path: Path
) -> None:
    ended = tidegate("matrix", *names, "--subset", "boundary", "--to", "out", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == json.loads((tmp_path / "out" / "matrix.json").read_text())["exit_code"] == code


def test_a_run_in_which_tidegate_failed_is_no_run_to_compare_with(tmp_path: Path) -> None:
    report = read_report(Path(ARTEMIS) / "report.json")
    write_report(replace(report, footer=replace(report.footer, exit_code=HARNESS)), tmp_path / "failed.json")
    assert tidegate("diff", ARTEMIS, "failed.json", folder=tmp_path).returncode == HARNESS


def test_names_are_read_from_a_list(tmp_path: Path) -> None:
    listed = tmp_path / "versions.yaml"
    listed.write_text(f"- {ARTEMIS}\n", encoding="utf-8")
    ended = tidegate("matrix", "--list", str(listed), "--quiet", folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (VIOLATED, "")
    assert (tmp_path / "tidegate-matrix" / "matrix.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "expected the name of an adapter or the folder of a report"),
        (("artmis",), "there is no adapter 'artmis'; did you mean artemis?"),
        (("nowhere/report.json",), "nowhere/report.json: expected a report.json, but there is no such file"),
        (("--list", "list.yaml"), "list.yaml:2: field '1': expected a text, in quotes"),
    ],
)
def test_bad_input_is_one_sentence_before_anything_runs(
    arguments: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    (tmp_path / "list.yaml").write_text("- reference\n- {a: b}\n", encoding="utf-8")
    ended = tidegate("matrix", *arguments, folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert expected in ended.stderr and "Traceback" not in ended.stderr
    assert not (tmp_path / "tidegate-matrix").exists()


def test_the_schema_of_the_matrix_is_printed(tmp_path: Path) -> None:
    ended = tidegate("matrix", "--schema", folder=tmp_path)
    assert ended.returncode == 0
    assert {"columns", "lines", "exit_code"} <= set(json.loads(ended.stdout)["properties"])


def test_a_report_against_itself(tmp_path: Path) -> None:
    same = tidegate("diff", ARTEMIS, f"{ARTEMIS}/report.json", folder=tmp_path)
    assert (same.returncode, same.stdout) == (0, "Nothing changed.\n")


@pytest.mark.parametrize("part", [("--subset", "boundary"), pytest.param((), marks=pytest.mark.nightly)])
def test_a_run_against_a_report(part: tuple[str, ...], tmp_path: Path) -> None:
    worse = tidegate("diff", "reference:artemis", ARTEMIS, "--markdown", *part, folder=tmp_path)
    assert worse.returncode == VIOLATED, worse.stderr
    (changed,) = [line for line in worse.stdout.splitlines() if line.startswith("| ARTEMIS-AMQP-9 | kept")]
    assert "| violated; seen: " in changed
    assert not [entry for entry in tmp_path.iterdir() if "report" in entry.name]


def test_a_broker_that_cannot_be_had_leaves_nothing_to_compare(tmp_path: Path) -> None:
    ended = tidegate("diff", ARTEMIS, "artemis:2.50.0", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.startswith("tidegate: artemis:2.50.0: ") and "JDK" in ended.stderr


def test_an_adapter_whose_library_is_missing_is_a_column_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text("import a_client_that_is_not_there\n", encoding="utf-8")
    ended = tidegate("matrix", "theirs:Broker", ARTEMIS, "--to", "out", folder=tmp_path)
    assert ended.returncode == VIOLATED, ended.stderr
    column = json.loads((tmp_path / "out" / "matrix.json").read_text(encoding="utf-8"))["columns"][0]
    assert "needs the module 'a_client_that_is_not_there', which is not installed" in column["unavailable"]


def test_a_module_that_is_not_there_is_no_adapter(tmp_path: Path) -> None:
    ended = tidegate("matrix", "nobodys:Broker", ARTEMIS, "--to", "out", folder=tmp_path)
    assert (ended.returncode, (tmp_path / "out").exists()) == (BAD_INPUT, False)
