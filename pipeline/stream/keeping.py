"""What a watch keeps on disk, so that a restart goes on exactly where it stopped.

A look is done once its state is in place. After a look that was cut short the next one begins with the state before it,
and takes back what was already written of its alerts.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tidegate.pipeline.files.durable import PARTIAL, put
from tidegate.pipeline.stream.alerts import Alert
from tidegate.pipeline.stream.state import Saved
from tidegate.record.errors import BadInput


@cache
def digest_of_rules() -> str:
    """A digest of the model's whole source: a state is of places in it, and a line more above a rule moves them."""
    found = blake2b(digest_size=16)
    for name, source in _sources(files("tidegate.model")):
        found.update(name.encode() + b"\0" + source + b"\0")
    return found.hexdigest()


def _sources(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """The name and text of every module in the folder and below it, always in the same order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from ((f"{entry.name}/{name}", source) for name, source in _sources(entry))
        elif entry.name.endswith(".py"):
            yield entry.name, entry.read_bytes()


STATE = "state.json"
ALERTS = "alerts.jsonl"
LOCK = "watch.lock"
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
    """The state and the alerts of a watch below a folder, judged by rules of this digest."""

    def __init__(self, folder: Path, rules: str):
        self._state, self._alerts, self._rules = folder / STATE, folder / ALERTS, rules
        self._partial = folder / PARTIAL
        self._partial.mkdir(parents=True, exist_ok=True)
        for leftover in self._partial.iterdir():
            leftover.unlink()

    def latest(self) -> Saved:
        """The state after the last look. BadInput where it is no such state, or one of other rules."""
        if not self._state.exists():
            return Saved(self._rules, 0, {}, [], [])
        try:
            saved = SAVED.validate_json(self._state.read_bytes())
        except (OSError, ValidationError) as error:
            raise BadInput("expected a state that tidegate trace watch wrote", file=self._state) from error
        if saved.rules != self._rules:
            expected = "expected a state of the rules of this version; give another --report to judge the logs anew"
            raise BadInput(expected, file=self._state)
        return saved

    def keep(self, saved: Saved, alerts: Sequence[Alert]) -> None:
        """The look is done: append its alerts to those before it, and write its state."""
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
        put(self._partial, self._state, lambda path: path.write_bytes(said))
