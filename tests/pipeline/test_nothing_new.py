"""A second check opens none of the same files."""

from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.episode import EPISODE
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.reports import TraceReport

HOSTS = 12


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for host in range(HOSTS):
        folder = tmp_path / "logs" / f"host-{host}"
        folder.mkdir(parents=True)
        (folder / "broker.log").write_text("".join(EPISODE))
    return tmp_path / "logs"


def check(logs: Path, folder: Path) -> TraceReport:
    return check_files([logs], folder, catalogue())


def test_a_second_check_opens_no_log(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = check(logs, tmp_path / "out")
    opened: list[Place] = []
    opening = Path.open

    def noted(path: Path, *given: Any, **named: Any) -> Any:
        if logs in path.parents:
            opened.append(path)
        return opening(path, *given, **named)

    monkeypatch.setattr(Path, "open", noted)
    assert check(logs, tmp_path / "out") == first
    assert opened == []
    changed = logs / "host-3" / "broker.log"
    changed.write_text("".join(EPISODE * 2))
    check(logs, tmp_path / "out")
    assert changed in opened
