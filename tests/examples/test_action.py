"""The composite action: it has the form of one, and its steps do what they say."""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.examples.environments import ROOT, environment_of, find_links, run

ACTION = ROOT / "action.yml"
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


def outcome(folder: Path, inputs: Mapping[str, str], wheels: Path, code: int) -> dict[str, str]:
    """Run the steps as a runner would; the outputs of the action."""
    written = action()
    given = {name: str(each.get("default", "")) for name, each in written["inputs"].items()} | dict(inputs)
    context = {f"inputs.{name}": value for name, value in given.items()}
    context |= {"github.action_path": str(ROOT), "runner.temp": str(folder / "temporary")}
    files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = environment_of(folder, PIP_FIND_LINKS=find_links(wheels), **{k: str(v) for k, v in files.items()})
    last = written["runs"]["steps"][-1]
    for step in written["runs"]["steps"]:
        own = {name: filled_in(value, context) for name, value in step["env"].items()}
        script = folder / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, folder=folder,
            environment={**environment, **own}, code=code if step is last else 0)  # fmt: skip
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())
    context |= {f"steps.{last['id']}.outputs.{name}": value for name, value in outputs.items()}
    return {name: filled_in(each["value"], context) for name, each in written["outputs"].items()}


def test_it_has_the_published_form_of_an_action(tmp_path: Path) -> None:
    checked = (Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.github-actions")
    run(*checked, ACTION, folder=tmp_path, environment=environment_of(tmp_path))
    wrong = tmp_path / "action.yml"
    wrong.write_text(ACTION.read_text(encoding="utf-8").replace("using: composite", "using: compost"), encoding="utf-8")
    run(*checked, wrong, folder=tmp_path, environment=environment_of(tmp_path), code=1)


def test_no_expression_stands_in_a_script_where_it_would_be_run() -> None:
    assert [step["name"] for step in action()["runs"]["steps"] if EXPRESSION.search(step["run"])] == []


@pytest.mark.from_wheel
def test_its_steps_run_the_suite_from_a_wheel(tmp_path: Path, wheels: Path) -> None:
    example = ROOT / "examples" / "mybroker"
    inputs = {"adapter": "mybroker", "install": str(example), "tidegate": "tidegate", "requirements": "1.0"}
    closed = outcome(tmp_path, inputs, wheels, code=1)
    assert closed == {"report": "tidegate-report", "exit-code": "1"}
    inputs |= {"known-deviations": str(example / "known-deviations.yaml"), "report": "out"}
    (tmp_path / "github_output").unlink()
    assert outcome(tmp_path, inputs, wheels, code=0) == {"report": "out", "exit-code": "0"}
    assert json.loads((tmp_path / "out" / "badge.json").read_text(encoding="utf-8"))["label"] == "tidegate 1.0"
    assert "# tidegate: mybroker 1.2.0" in (tmp_path / "github_step_summary").read_text(encoding="utf-8")
