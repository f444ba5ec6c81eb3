"""The example project, as its own people run it."""

import json
import re
import shutil
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.examples.environments import ROOT, empty_venv, environment_of, run

SUITE = ("-p", "no:cacheprovider", "--tidegate-adapter=mybroker")
KNOWN = "--tidegate-known-deviations=known-deviations.yaml"
DEVIATES, KEEPS = "QPID-QUEUE-4", "QPID-QUEUE-1"
FEW = (f"--rule={DEVIATES}", f"--rule={KEEPS}")
"""Enough where the whole suite would show no more; it runs once as a guest of pytest, and by the action."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project with nothing else around it."""
    copy = tmp_path / "mybroker"
    shutil.copytree(ROOT / "examples" / "mybroker", copy, ignore=shutil.ignore_patterns("*.egg-info", "build", ".tox"))
    return copy


def test_the_gate_is_open_with_one_declared_deviation(shared: Path, project: Path) -> None:
    summary = project / "summary.md"
    environment = environment_of(shared, TIDEGATE_ADAPTER="mybroker", GITHUB_STEP_SUMMARY=str(summary))
    arguments = ("--known-deviations", "known-deviations.yaml", "--badge", "badge.json", "--junit", "rules.xml")
    run("tidegate", "run", *FEW, *arguments, folder=project, environment=environment)
    badge = json.loads((project / "badge.json").read_text(encoding="utf-8"))
    assert (badge["color"], badge["isError"]) == ("yellowgreen", False), "a part of the suite is no whole verdict"
    assert badge["message"].startswith("1 kept, 1 known deviation; only --rule")
    skipped = ElementTree.parse(project / "rules.xml").findall(".//testcase/skipped")
    assert sum(each.attrib["message"].startswith("known deviation: ") for each in skipped) == 1
    assert "QPID-QUEUE-4" in summary.read_text(encoding="utf-8")
    assert "--adapter mybroker" in (project / "tidegate-report" / "report.md").read_text(encoding="utf-8")


def test_undeclared_the_deviation_closes_it(shared: Path, project: Path) -> None:
    environment = environment_of(shared)
    ended = run("tidegate", "run", *FEW, "--adapter", "mybroker", folder=project, environment=environment, code=1)
    assert "1 violated, 0 unknown" in ended.stdout


def test_every_verb_is_as_expected(shared: Path, project: Path) -> None:
    ended = run("tidegate", "adapter", "smoke", "mybroker", folder=project, environment=environment_of(shared))
    assert "✗" not in ended.stdout
    assert "Next: tidegate run --adapter mybroker" in ended.stdout


def test_the_suite_is_a_guest_among_the_items_of_pytest(shared: Path, project: Path) -> None:
    ended = run(shared / "bin" / "python", "-m", "pytest", "tests", *SUITE, KNOWN, "--junitxml=junit.xml", "-rx",
                folder=project, environment=environment_of(shared))  # fmt: skip
    assert "tests/test_broker.py ...." in ended.stdout
    assert "XFAIL QPID-QUEUE-4 tidegate/scenarios::" in ended.stdout
    assert "0 unknown" in ended.stdout
    items = ElementTree.parse(project / "junit.xml").findall(".//testcase")
    rules = {found.attrib["value"] for item in items for found in item.findall("properties/property[@name='rule']")}
    assert {"QPID-QUEUE-1", "QPID-QUEUE-4", "GENERAL-1"} <= rules
    assert (project / "tidegate-report" / "report.json").is_file()


def test_an_item_of_the_suite_fails_with_its_evidence(shared: Path, project: Path) -> None:
    ended = run(shared / "bin" / "python", "-m", "pytest", "tests", *SUITE, "-v", "-k", "QPID-QUEUE-4",
                folder=project, environment=environment_of(shared), code=1)  # fmt: skip
    assert "FAILED QPID-QUEUE-4" in ended.stdout
    assert "expected  a capacity of 0 bytes\nseen      67108864 bytes" in ended.stdout
    assert "which is no verdict" in ended.stdout


@pytest.mark.nightly
def test_a_session_fails_where_every_item_passes_and_a_declared_deviation_is_gone(shared: Path, project: Path) -> None:
    known = project / "known-deviations.yaml"
    gone = known.read_text(encoding="utf-8").replace("QPID-QUEUE-4", "QPID-QUEUE-1")
    known.write_text(known.read_text(encoding="utf-8") + gone, encoding="utf-8")
    ended = run(shared / "bin" / "python", "-m", "pytest", "tests", *SUITE, KNOWN,
                folder=project, environment=environment_of(shared), code=1)  # fmt: skip
    assert re.search(r" \d+ passed, 1 skipped, 1 xfailed in ", ended.stdout.splitlines()[-1])
    assert "not as declared, mybroker 1.2.0: QPID-QUEUE-1: no longer deviates: kept" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tidegate-adapter=mybrokr",), "there is no adapter 'mybrokr'; did you mean mybroker?"),
        (("--tidegate-adapter=mybroker", "--tidegate-requirements=0"), "expected a requirement set"),
    ],
)
def test_a_wrong_option_is_one_sentence(shared: Path, project: Path, arguments: tuple[str, ...], words: str) -> None:
    ended = run(shared / "bin" / "python", "-m", "pytest", "tests", *arguments,
                folder=project, environment=environment_of(shared), code=4)  # fmt: skip
    assert f"ERROR: {words}" in ended.stderr


NOTES_WHAT_IS_LOADED = """
import sys
from pathlib import Path

def pytest_sessionfinish():
    names = sorted(name for name in sys.modules if name.startswith("tidegate."))
    Path("loaded").write_text(" ".join(names), encoding="utf-8")
"""


def test_unasked_the_plugin_stays_away(shared: Path, project: Path) -> None:
    (project / "conftest.py").write_text(NOTES_WHAT_IS_LOADED, encoding="utf-8")
    ended = run(shared / "bin" / "python", "-m", "pytest", "tests", "-p", "no:cacheprovider",
                folder=project, environment=environment_of(shared))  # fmt: skip
    assert "4 passed" in ended.stdout
    loaded = (project / "loaded").read_text(encoding="utf-8").split()
    assert loaded == ["tidegate.plugins", "tidegate.plugins.pytest_items"]


def test_by_itself_its_tox_file_names_the_checkout_around_it() -> None:
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "examples" / "mybroker" / "tox.ini", encoding="utf-8")
    assert tox["tidegate"]["source"] == "{env:TIDEGATE_SOURCE:file://{tox_root}/../..}"
    assert "tidegate @ {[tidegate]source}" in tox["tox"]["requires"]
    assert tox["testenv"]["deps"] == "tidegate @ {[tidegate]source}"


@pytest.mark.nightly
@pytest.mark.from_wheel
def test_tox_runs_the_gate_from_the_checkout_around_it(tmp_path: Path, checkout: Path) -> None:
    venv, project = empty_venv(tmp_path / "venv"), checkout / "examples" / "mybroker"
    environment = environment_of(venv)
    run("pip", "install", "--quiet", "tox", folder=project, environment=environment)
    ended = run("tox", "-e", "conformance", "--adapter=mybroker", folder=project, environment=environment)
    assert "1 known deviation" in ended.stdout
    installed = (project / ".tox/conformance").glob("lib/*/site-packages/tidegate-*.dist-info/direct_url.json")
    (url,) = [json.loads(file.read_text(encoding="utf-8"))["url"] for file in installed]
    assert Path(url.removeprefix("file://")).resolve() == checkout


@pytest.mark.nightly
@pytest.mark.from_wheel
def test_tox_runs_the_gate_of_a_copy_from_the_address_in_the_environment(
    tmp_path: Path, project: Path, wheel: str
) -> None:
    venv = empty_venv(tmp_path / "venv")
    environment = environment_of(venv, TIDEGATE_SOURCE=wheel)
    run("pip", "install", "--quiet", "tox", folder=project, environment=environment)
    ended = run(
        "tox", "-e", "conformance", "--adapter=mybroker", "--report=out", folder=project, environment=environment
    )
    assert "1 known deviation" in ended.stdout
    assert (project / "out" / "report.json").is_file()
    closed = run("tox", "-e", "conformance", "--adapter=mybroker", f"--known-deviations={project / 'none.yaml'}",
                 folder=project, environment=environment, code=None)  # fmt: skip
    assert closed.returncode != 0
    assert "none.yaml" in closed.stdout + closed.stderr
    run("tox", "-e", "tests", folder=project, environment=environment)
