"""`tidegate adapter`: the skeleton says what to write, and the walk says what to mend."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import LONGEST_SECONDS, tidegate

BAD_INPUT = 2
VERBS = {
    "start": "None",
    "declare": "None",
    "open_producer": "None",
    "standing": "Standing(False)",
    "depth": "Depth(0, 0)",
    "open_consumer": "None",
    "take": "None",
}
"""The first verbs in the order of the walk, and an answer to each that is as expected there."""


def in_the_project(*arguments: str, project: Path) -> subprocess.CompletedProcess[str]:
    """The command where the skeleton can be imported."""
    return subprocess.run(
        [sys.executable, "-m", "tidegate.cli", *arguments], cwd=project, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(project)}, timeout=LONGEST_SECONDS,
    )  # fmt: skip


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    assert tidegate("adapter", "new", "pond", folder=tmp_path).returncode == 0
    return tmp_path / "pond"


def test_a_skeleton_is_a_project_that_says_what_is_next(skeleton: Path) -> None:
    files = {str(file.relative_to(skeleton)) for file in skeleton.rglob("*") if file.is_file()}
    assert files == {
        *("pyproject.toml", "tox.ini", "README.md", "known-deviations.yaml"),
        *("pond_tidegate/__init__.py", "pond_tidegate/adapter.py"),
    }
    name = "pond_tidegate.adapter:PondAdapter"
    walked = in_the_project("adapter", "smoke", name, project=skeleton)
    assert walked.returncode == 1
    assert "start is not written yet: start pond, or connect to it" in " ".join(walked.stdout.split())
    ran = in_the_project("run", "--adapter", name, project=skeleton)
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.strip() == (
        f"tidegate: {name} did not start: start is not written yet: start pond, or connect to it, "
        f"and return once it answers (tidegate adapter smoke {name} goes through its verbs)"
    )


def test_verb_after_verb_the_skeleton_says_which_is_next(skeleton: Path) -> None:
    adapter = skeleton / "pond_tidegate" / "adapter.py"
    verbs = list(VERBS)
    for written, following in zip(verbs, [*verbs[1:], "send"], strict=True):
        lines = adapter.read_text(encoding="utf-8").splitlines()
        (place,) = [number for number, line in enumerate(lines) if f'write("{written}"' in line]
        lines[place] = f"        return {VERBS[written]}"
        adapter.write_text("\n".join(lines) + "\n", encoding="utf-8")
        walked = in_the_project("adapter", "smoke", "pond_tidegate.adapter:PondAdapter", project=skeleton)
        assert walked.returncode == 1
        assert f"{following} is not written yet" in walked.stdout


def test_a_skeleton_never_goes_over_a_file(skeleton: Path) -> None:
    adapter = skeleton / "pond_tidegate" / "adapter.py"
    adapter.write_text("mine", encoding="utf-8")
    (skeleton / "README.md").unlink()
    ended = tidegate("adapter", "new", "pond", folder=skeleton.parent)
    assert ended.returncode == BAD_INPUT
    assert (
        ended.stderr == "tidegate: pond/pyproject.toml: expected no file with this name; choose another --directory\n"
    )
    assert adapter.read_text(encoding="utf-8") == "mine"
    assert not (skeleton / "README.md").exists()


@pytest.mark.parametrize("name", ["My-Broker", "class", "2fast", "a__b", "../x", ""])
def test_a_name_that_cannot_be_a_package_is_refused(tmp_path: Path, name: str) -> None:
    ended = tidegate("adapter", "new", name, folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "expected a name in small letters" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_list_names_what_resolves(tmp_path: Path) -> None:
    assert {"reference", "artemis"} <= set(tidegate("adapter", "list", folder=tmp_path).stdout.split())


def test_the_walk_shows_each_step(tmp_path: Path) -> None:
    ended = tidegate("adapter", "smoke", "reference:qpid-0.18", folder=tmp_path)
    assert ended.returncode == 0
    assert "✓ take('smoke1.consumer')" in ended.stdout
    assert "all as expected. Next: tidegate run --adapter reference:qpid-0.18" in ended.stdout
