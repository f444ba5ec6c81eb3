"""In another project's pytest session an item is labelled with the violated rules, and tells how to repeat it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conformance.test_replaying import BROKER, CHANCE, run
from tests.conformance.test_sequences import INTERNALS

SERVED = 8
"""Rules that the random sequences serve."""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A project with a broken broker, and the output of its session."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "mine.py").write_text(BROKER, encoding="utf-8")
    words = ["-m", "pytest", "--tidegate-adapter=mine:Broken", "-v", "-k", CHANCE, "--junitxml=junit.xml"]
    ended = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED, ended.stdout + ended.stderr
    return folder, ended.stdout


def test_an_item_is_labelled_with_the_rules_that_it_broke(session: tuple[Path, str]) -> None:
    folder, printed = session
    (case,) = ElementTree.parse(folder / "junit.xml").iter("testcase")
    properties = [(each.attrib["name"], each.attrib["value"]) for each in case.iter("property")]
    served, violated = ([value for name, value in properties if name == wanted] for wanted in ("rule", "violated"))
    assert len(served) == SERVED > len(violated) > 0
    (label,) = set(re.findall(r"FAILED ((?:[A-Z]+-[A-Z0-9-]+ ?)+)", printed))
    assert label.split() == violated
    report = json.loads((folder / "tidegate-report" / "report.json").read_text(encoding="utf-8"))
    verdicts = report["implementations"][0]["verdicts"]
    assert {verdict["rule"] for verdict in verdicts if verdict["verdict"] == "violated"} == set(violated)


def test_its_evidence_tells_what_was_done_and_nothing_of_the_tool_that_draws_sequences(
    session: tuple[Path, str],
) -> None:
    evidence = session[1][session[1].index("FAILURES") :].lower()
    assert "done      destination: capacity 1,000" in evidence
    assert [word for word in INTERNALS if word in evidence] == []


def test_its_replay_line_works_in_the_folder_of_the_session(session: tuple[Path, str]) -> None:
    folder, printed = session
    (replay,) = set(re.findall(r"^replay +(.*)$", printed, re.MULTILINE))
    verdicts = run(folder, replay)["implementations"][0]["verdicts"]
    assert any(verdict["verdict"] == "violated" for verdict in verdicts)
