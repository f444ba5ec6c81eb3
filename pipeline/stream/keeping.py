"""What a watch keeps on disk, so that a restart goes on exactly where it stopped.

A batch is done once its state is in place. A batch that was cut short is done again from the state before it, and
what it had already written of its alerts is taken back first.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tidegate.pipeline.store.durable import put
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.stream.alerts import Alert
from tidegate.pipeline.stream.state import Saved
from tidegate.record.errors import BadInput

STATE = "state"
ALERTS = "alerts.jsonl"
LOCK = "watch.lock"
KEPT = 2
"""How many states are kept: the one of the batch that may be done again, and the one before it."""
SAVED = TypeAdapter(Saved)


@contextmanager
def only_watch_in(folder: Path) -> Iterator[None]:
    """Keep other processes out of the folder of a watch; BadInput where one is in it or it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise BadInput(f"expected a folder that can be written, but {error.strerror}", file=folder) from error
    with lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError as error:
            raise BadInput("expected a folder that no other watch is writing", file=folder) from error
        yield


class Keeping:
    """The states and alerts of a watch below a folder, judged by rules of this digest."""

    def __init__(self, folder: Path, rules: str):
        self._states, self._alerts, self._rules = folder / STATE, folder / ALERTS, rules
        self._partial = Store(folder).partial
        for each in (self._states, self._partial):
            each.mkdir(parents=True, exist_ok=True)
        for leftover in self._partial.iterdir():
            leftover.unlink()

    def before(self, batch: int) -> Saved:
        """The state with which a batch begins. BadInput where it is no such state, or one of other rules."""
        numbers = [number for number in self._numbers() if number < batch]
        if not numbers:
            return Saved(-1, self._rules, 0, {}, [], [])
        file = self._file(numbers[-1])
        try:
            saved = SAVED.validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise BadInput("expected a state that tidegate trace watch wrote", file=file) from error
        if saved.rules != self._rules:
            raise BadInput(
                "expected a state of the rules of this version; give another --report to judge the logs anew", file=file
            )
        return saved

    def latest(self) -> Saved:
        """The state after the last batch that is done."""
        return self.before(max(self._numbers(), default=-1) + 1)

    def keep(self, saved: Saved, alerts: Sequence[Alert]) -> None:
        """The batch is done: append its alerts to those before it, and write its state."""
        lines = b"".join(json.dumps(each.as_json(), ensure_ascii=False).encode() + b"\n" for each in alerts)
        self._alerts.touch()
        with self._alerts.open("r+b") as file:
            file.truncate(saved.alert_bytes)
            file.seek(saved.alert_bytes)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        saved.alert_bytes += len(lines)
        said = SAVED.dump_json(saved)
        put(self._partial, self._file(saved.batch), lambda path: path.write_bytes(said))
        for number in [number for number in self._numbers() if number <= saved.batch][:-KEPT]:
            self._file(number).unlink()

    def _numbers(self) -> list[int]:
        return sorted(int(file.stem) for file in self._states.glob("*.json"))

    def _file(self, batch: int) -> Path:
        return self._states / f"{batch}.json"
