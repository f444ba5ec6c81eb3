"""The composite action: it has the form of one, and its steps do what they say."""

import json
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.examples.environments import ROOT, environment_of, run
from tests.examples.tutorial import blocks
from tests.sample import nightly

ACTION = ROOT / "action.yml"
LEFT_BEHIND = ("*.egg-info", "build", ".tox", "tidegate-*")
EXPRESSION = re.compile(r"\$\{\{\s*(?P<terms>[^}]+?)\s*\}\}")


def action() -> dict[str, Any]:
    content = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def filled_in(text: str, context: Mapping[str, str]) -> str:
    """A value of the action with each expression replaced: of the names in it, the first whose value is not empty."""

    def value(found: re.Match[str]) -> str:
        values = [context[term.strip()] for term in found["terms"].split("||")]
        return next((each for each in values if each), "")

    return EXPRESSION.sub(value, str(text))


def outcome(
    folder: Path, inputs: Mapping[str, str], checkout: Path, code: int, installed: Path | None = None
) -> dict[str, str]:
    """Run the steps in a folder as a runner would; the outputs of the action.

    With `installed`, the temporary folder of a job that has installed the same, the last step alone is run.
    """
    written = action()
    steps = written["runs"]["steps"]
    given = {name: str(each.get("default", "")) for name, each in written["inputs"].items()} | dict(inputs)
    context = {f"inputs.{name}": value for name, value in given.items()}
    context |= {"github.action_path": str(checkout), "runner.temp": str(installed or folder / "temporary")}
    files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = environment_of(folder, **{name: str(file) for name, file in files.items()})
    last = steps[-1]
    for step in [last] if installed else steps:
        own = {name: filled_in(value, context) for name, value in step["env"].items()}
        script = folder / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, folder=folder,
            environment={**environment, **own}, code=code if step is last else 0)  # fmt: skip
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())
    context |= {f"steps.{last['id']}.outputs.{name}": value for name, value in outputs.items()}
    return {name: filled_in(each["value"], context) for name, each in written["outputs"].items()}


def test_the_action_has_the_published_form(tmp_path: Path) -> None:
    checked = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions")
    run(*checked, ACTION, folder=tmp_path, environment=environment_of(tmp_path))
    wrong = tmp_path / "action.yml"
    wrong.write_text(ACTION.read_text(encoding="utf-8").replace("using: composite", "using: compost"), encoding="utf-8")
    run(*checked, wrong, folder=tmp_path, environment=environment_of(tmp_path), code=1)


def test_no_expression_stands_in_a_script_where_it_would_be_run() -> None:
    assert [step["name"] for step in action()["runs"]["steps"] if EXPRESSION.search(step["run"])] == []


def documented() -> dict[str | bool, Any]:
    """The workflow of the guide; YAML reads its `on` as True."""
    (block,) = [each for each in blocks(ROOT / "docs" / "gate.md") if each.language == "yaml" and "jobs:" in each.text]
    workflow = yaml.safe_load(block.text)
    assert isinstance(workflow, dict)
    return workflow


def test_the_documented_workflow_has_the_published_form_of_one(tmp_path: Path) -> None:
    workflow = tmp_path / "workflow.json"
    checked = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows")
    workflow.write_text(json.dumps({"on" if key is True else key: value for key, value in documented().items()}))
    run(*checked, workflow, folder=tmp_path, environment=environment_of(tmp_path))
    workflow.write_text(workflow.read_text().replace("runs-on", "runs-of"))
    run(*checked, workflow, folder=tmp_path, environment=environment_of(tmp_path), code=1)


INSTALLED, FROM_WHEEL = "installed", "from a wheel"


@pytest.fixture(scope="module", params=[INSTALLED, nightly(pytest.param(FROM_WHEEL, marks=pytest.mark.from_wheel))])
def job(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, checkout: Path, shared: Path
) -> tuple[Path, dict[str, str]]:
    """The project and the outputs of the documented workflow, run once on the example, all its steps or the last."""
    (documented_job,) = documented()["jobs"].values()
    (used,) = [step for step in documented_job["steps"] if step.get("uses", "").startswith("./")]
    project = tmp_path_factory.mktemp("job") / "project"
    shutil.copytree(checkout / "examples" / "mybroker", project, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    (project / used["uses"]).symlink_to(checkout)
    temporary = project / "temporary"
    if request.param == INSTALLED:
        temporary.mkdir()
        (temporary / "tidegate").symlink_to(shared)
    installed = temporary if request.param == INSTALLED else None
    return project, outcome(project, used["with"], project / used["uses"], code=0, installed=installed)


def test_the_documented_workflow_opens_the_gate_of_the_example(job: tuple[Path, dict[str, str]]) -> None:
    project, ended = job
    (documented_job,) = documented()["jobs"].values()
    fetched = [step for step in documented_job["steps"] if step.get("uses", "").startswith("actions/checkout")]
    places = {step.get("with", {}).get("path", ".") for step in fetched}
    (used,) = [step for step in documented_job["steps"] if step.get("uses", "").startswith("./")]
    assert places == {".", used["uses"].removeprefix("./")}
    assert used["with"].keys() <= action()["inputs"].keys()
    assert ended == {"report": "tidegate-report", "exit-code": "0"}
    (kept,) = [step["with"]["path"] for step in documented_job["steps"] if "upload" in step.get("uses", "")]
    badge = json.loads((project / kept / "badge.json").read_text(encoding="utf-8"))
    assert (badge["label"], badge["color"], badge["isError"]) == ("tidegate 1.0", "green", False)
    assert "# tidegate: mybroker 1.2.0" in (project / "github_step_summary").read_text(encoding="utf-8")


def test_an_undeclared_deviation_fails_the_job_and_is_declared_where_asked(
    tmp_path: Path, checkout: Path, job: tuple[Path, dict[str, str]]
) -> None:
    installed = job[0] / "temporary"
    asked = {"adapter": "mybroker", "report": "out", "write-deviations": "known.yaml"}
    assert outcome(tmp_path, asked, checkout, code=1, installed=installed) == {"report": "out", "exit-code": "1"}
    assert "QPID-QUEUE-4" in (tmp_path / "known.yaml").read_text(encoding="utf-8")
