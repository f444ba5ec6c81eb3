"""A watch over logs that grow, with a clock of its own, restarted and killed at will."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tidegate.catalogue import catalogue
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.stream.overdue import Alert, Patience
from tidegate.pipeline.stream.watch import Watch

PATIENCE = Patience(stopped_ms=30_000, room_ms=5_000)


class Watcher:
    """A watch over logs; `told` are all alerts so far."""

    def __init__(self, folder: Path, *logs: Path):
        self.folder = folder
        self.logs: Sequence[Input] = inputs(logs)
        self.told: list[Alert] = []
        self.restart()

    def restart(self, patience: Patience = PATIENCE) -> None:
        """Begin anew, in another process as it were, with what is on disk."""
        self.folder.mkdir(exist_ok=True)
        self.watch = Watch(self.logs, self.folder, catalogue(), patience, self.told.append)

    def look(self, wall: int = 0) -> list[str]:
        """Look and judge at this time of the machine in ms; gives the alerts that came of it, a line each."""
        before = len(self.told)
        self.watch.look(wall)
        return [str(alert) for alert in self.told[before:]]

    def written(self) -> str:
        """The file of alerts."""
        return (self.folder / "alerts.jsonl").read_text()

    def verdicts(self) -> list[dict[str, Any]]:
        """All that the report says of each rule of each log, and the accounts."""
        report = self.watch.report()
        return [{"account": asdict(each.account), "verdicts": each.verdicts} for each in report.inputs]
