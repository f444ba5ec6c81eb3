"""What the guides show of the terminal is what a committed report prints."""

import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from tidegate.catalogue import catalogue
from tidegate.cli.main import cli
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.terminal import show

ROOT = Path(__file__).parents[2]
PAGE = Path("tidegate-report/report.html")


def test_the_end_of_a_run_in_the_guide_is_that_of_the_committed_report() -> None:
    console = Console(width=80, file=(shown := StringIO()), color_system=None)
    show(read_report(ROOT / "reports/artemis-2.44.0/report.json"), console, PAGE)
    guide = (ROOT / "docs/guides/report.md").read_text(encoding="utf-8")
    excerpt = re.search(rf"```text\n((?:(?!```).)*{re.escape(str(PAGE))}\n)```", guide, re.DOTALL)
    assert excerpt is not None and shown.getvalue().endswith("\n" + excerpt[1])


def test_the_measures_in_the_guide_are_those_of_the_example(tmp_path: Path) -> None:
    log = "examples/symptoms/artemis-again-and-again.log"
    command = f"trace check {ROOT / log} --report {tmp_path}"
    printed = CliRunner().invoke(cli, shlex.split(command), env={"COLUMNS": "100"}).stdout
    guide = (ROOT / "docs/guides/measures.md").read_text(encoding="utf-8")
    excerpt = re.search(rf"`{re.escape(log)}`:\n\n```text\n(.*?)```", guide, re.DOTALL)
    assert excerpt is not None and excerpt[1] in "\n".join(line.rstrip() for line in printed.splitlines())


EVIDENCE = re.compile(r"^([A-Z0-9]+(?:-[A-Z0-9]+)+)  violated\b.*\n((?:  (?!\w+  ).+\n)+)", re.MULTILINE)
"""The beginning of a violation as a run shows it: the id of the rule, and its sentence on lines of their own."""


PAGES = ("README.md", *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md"))))
QUOTED = {page: EVIDENCE.findall((ROOT / page).read_text(encoding="utf-8")) for page in PAGES}


@pytest.mark.parametrize("page", [page for page, shown in QUOTED.items() if shown])
def test_evidence_in_the_documents_has_the_sentence_of_its_rule(page: str) -> None:
    for rule, lines in QUOTED[page]:
        assert " ".join(lines.split()) == " ".join(catalogue()[rule].sentence.split())


def test_evidence_is_found_where_readers_first_meet_it() -> None:
    assert all(QUOTED[page] for page in ("README.md", "docs/index.md", "docs/guides/report.md"))
