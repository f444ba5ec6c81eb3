"""The state of a watch on disk, with which a restart continues exactly where the watch stopped.

A look is complete once its state is in place. After an interrupted look the next one begins with the state before it,
and removes the alerts that were already written.
"""

import json
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from tidegate.pipeline.files.durable import PARTIAL, alone_in, put
from tidegate.pipeline.findings.reports import Counted
from tidegate.pipeline.judge.folding import States
from tidegate.pipeline.judge.rules import RuleNames, digest_of_rules, names_of
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.stream.following import FollowedLog
from tidegate.pipeline.stream.overdue import Alert, Stops
from tidegate.record.errors import BadInput
from tidegate.record.values import BadValue, read_value, written


@dataclass
class LogState(FollowedLog):
    """The state of one log that is judged."""

    rules: str = ""
    """The digest of the rules that judged the log."""
    judged: States | None = None
    """What the rules remember; null before the first event."""
    counted: dict[str, Counted] = field(default_factory=dict)
    """The counts of each trace rule, by its name."""
    put_aside_first: int | None = None
    """The number that the first line put aside would have as an event."""
    stops: Stops = field(default_factory=Stops)
    doubt: str = ""
    """The reason why the lines of the log may be out of order, or of several brokers; empty without one."""


@dataclass
class Saved:
    """The state of all logs after a look, and the size of the file of alerts then, in bytes."""

    alert_bytes: int
    logs: dict[str, LogState]
    put_aside: list[str]
    """The first lines that could not be read, one sentence each."""
    gaps: list[str]
    """The first places where lines may be lost, one sentence each."""


STATE = "state.json"
ALERTS = "alerts.jsonl"
LOCK = "watch.lock"
OLD_STATE = "state"
"""The folder of states of old watches on Spark, from which no watch can continue."""
OTHER_RULES = "expected a state of the rules of this version; give another --report to judge the logs anew"


def only_watch_in(folder: Path) -> AbstractContextManager[None]:
    """Lock the folder of a watch against other processes; BadInput where one has the lock or it cannot be written."""
    return alone_in(folder, LOCK, "expected a folder that no other watch is writing")


def judged_by(form: str) -> RuleNames:
    """The names of the rules that judge logs of this form."""
    return names_of(rules_of(form))


class Keeping:
    """The state and the alerts of a watch below a folder."""

    def __init__(self, folder: Path):
        self._state, self._alerts = folder / STATE, folder / ALERTS
        self._partial = folder / PARTIAL
        self._partial.mkdir(parents=True, exist_ok=True)

    def latest(self) -> Saved:
        """The state after the last look. BadInput for another file, or for a state of other rules."""
        if not self._state.exists():
            if (old := self._state.with_name(OLD_STATE)).is_dir():
                raise BadInput(OTHER_RULES, file=old)
            return Saved(0, {}, [], [])
        try:
            saved = read_value(Saved, self._state.read_bytes())
        except (OSError, BadValue) as error:
            raise BadInput("expected a state that tidegate trace watch wrote", file=self._state) from error
        if any(log.rules not in ("", digest_of_rules(judged_by(log.form))) for log in saved.logs.values()):
            raise BadInput(OTHER_RULES, file=self._state)
        return saved

    def keep(self, saved: Saved, alerts: Sequence[Alert]) -> None:
        """Complete a look: append its alerts to earlier ones, and write its state."""
        lines = b"".join(json.dumps(each.as_json(), ensure_ascii=False).encode() + b"\n" for each in alerts)
        self._alerts.touch()
        with self._alerts.open("r+b") as file:
            file.truncate(saved.alert_bytes)
            file.seek(saved.alert_bytes)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        saved.alert_bytes += len(lines)
        put(self._partial, self._state, written(saved))
