"""The replay line of a report, typed into a shell where the run was started, reaches the same verdict."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tidegate.conformance.replaying import Replay, program_here
from tidegate.record.errors import ExitCode

SCENARIO = "a_producer_that_does_not_send_to_an_overfull_queue_is_not_stopped"
VECTOR = "vector[qpid.overfull.2.at]"
CHANCE = "random_sends_and_removals_through_the_queue_gate"
BROKER = """\
from tidegate.model.mechanisms import qpid
from tidegate.adapters.base import Standing
from tidegate.adapters.reference.qpid import QpidReference


class Broken(QpidReference):
    def standing(self, producer: str) -> Standing:
        full = any(queue.bytes >= queue.capacity > 0 for queue in self._state.queues.values())
        return Standing(full and not producer.endswith("first"))
"""
PEER = Path(__file__).parents[1] / "adapters" / "peers" / "reference.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a broken broker, as a module and as a program with a relative path and a blank in its name."""
    (tmp_path / "mine.py").write_text(BROKER, encoding="utf-8")
    (tmp_path / "my broker.py").write_text(PEER.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def run(folder: Path, command: str, **environment: str) -> dict[str, Any]:
    """The report of a command in a shell that must find violations."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TIDEGATE_", "TOX_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    ended = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, check=False,
        env={**kept, "PATH": path, "TIDEGATE_REPORT": "the report", **environment},
    )  # fmt: skip
    assert ended.returncode == ExitCode.VIOLATED, ended.stdout + ended.stderr
    report: dict[str, Any] = json.loads((folder / "the report" / "report.json").read_text(encoding="utf-8"))
    return report


def violated(report: dict[str, Any], kind: str) -> dict[str, tuple[str, str]]:
    """The seen text and the replay line of each violated check of a kind, by rule and check."""
    return {
        f"{verdict['rule']} {check['check']}": (check["seen"], check["replay"])
        for each in report["implementations"]
        for verdict in each["verdicts"]
        for check in verdict["checks"]
        if check["result"] == "violated" and check["kind"] == kind
    }


@pytest.mark.parametrize(
    ("adapter", "environment"),
    [
        pytest.param("mine:Broken", {"PYTHONPATH": "."}, marks=pytest.mark.nightly),
        ("cmd:python 'my broker.py' mine:Broken", {"PYTHONPATH": ".", "TIDEGATE_STDIO_TIMEOUT_MS": "9000"}),
    ],
    ids=["module", "program"],
)
def test_a_replay_line_reaches_the_same_verdict(adapter: str, environment: dict[str, str], folder: Path) -> None:
    checks = " ".join(f"--check '{check}'" for check in (SCENARIO, VECTOR, CHANCE))
    report = run(folder, f'tidegate run --adapter "{adapter}" {checks}', **environment)
    settings = {} if adapter.startswith("mine") else {"PYTHONPATH": "."}
    for kind in ("scenario", "vector", "stateful", "trace"):
        found = violated(report, kind)
        assert found, kind
        check, (seen, replay) = next(iter(found.items()))
        again = violated(run(folder, replay, **settings), kind)
        assert kind == "trace" or again[check] == (seen, replay)
        assert check in again


def test_a_replay_names_the_options_and_settings_that_change_how_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEGATE_STDIO_TIMEOUT_MS", "9000")
    replay = Replay.here([Path("known deviations.yaml")], "1.0", 3, strength=2, seed="7 b")
    assert replay.of_checks("cmd:python b.py", "a[1]").endswith(
        "run --adapter 'cmd:python b.py' --check 'a[1]' "
        "--known-deviations 'known deviations.yaml' --requirements 1.0 --repeat 3 --strength 2 --seed '7 b'"
    )
    assert replay.of_checks("reference").startswith("TIDEGATE_STDIO_TIMEOUT_MS=9000 ")


def test_a_replay_names_a_program_that_exists_afterwards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / ".tox" / "conformance" / "bin" / "tidegate"
    own.parent.mkdir(parents=True)
    own.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(own)])
    on_path = {"PATH": str(own.parent)}
    assert program_here(on_path) == "tidegate"
    assert program_here({**on_path, "TOX_ENV_NAME": "conformance"}) == ".tox/conformance/bin/tidegate"
    assert program_here({"PATH": ""}) == ".tox/conformance/bin/tidegate"
    monkeypatch.chdir(own.parent)
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sys, "executable", str(own.parent / "python"))
    assert program_here({"PATH": ""}) == "./tidegate"
