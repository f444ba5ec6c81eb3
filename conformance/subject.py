"""An implementation under test: its life during a run, its trace and its log."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tidegate.adapters.base import Adapter, AdapterError, Call
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import WritesLog
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.watchdog import Watchdog
from tidegate.record.errors import TidegateError, Unavailable
from tidegate.record.report import Check
from tidegate.record.trace import TraceWriter

WATCHDOG_MS = 30_000
"""How long one call may take before the client counts as hung."""
LONGEST_STEM = 100
"""Characters; a file system takes some 250, and the name may be a whole command."""


@dataclass
class Subject:
    """An implementation under test, with what was found about it."""

    name: str
    folder: Path
    adapter: Adapter
    checks: list[Check] = field(default_factory=list)
    calls: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    restarts: list[str] = field(default_factory=list)
    """Why the implementation had to be started again in the middle of the run."""
    judged: set[str] = field(default_factory=set)
    """The sources of the trace that were judged as they happened."""
    started: datetime | None = None
    seconds: float = 0.0
    _trace: TraceWriter | None = None
    _watchdog: Watchdog | None = None
    _scenarios: int = 0
    _gone: str = ""

    @property
    def trace_path(self) -> Path:
        """Where the trace of its run goes."""
        return self.folder / f"trace-{self.file_stem}.jsonl"

    @property
    def log_name(self) -> str:
        """The copy of its log, below the report's folder."""
        return f"broker-{self.file_stem}.log"

    @property
    def file_stem(self) -> str:
        """Its name as a part of file names."""
        return re.sub(r"[^\w.+-]+", "-", self.name)[:LONGEST_STEM]

    def open_lab(self, check: str) -> Lab:
        """A lab for one scenario; AdapterError if the implementation is gone and could not be started again."""
        assert self._trace is not None
        if self._gone:
            raise AdapterError(self._gone)
        self._scenarios += 1
        prefix = f"s{self._scenarios}."
        if writer := offered(self.adapter, WritesLog):
            writer.log_lines()
        return Lab(self.adapter, Recorder(prefix + check, self._trace.write), prefix, self._watchdog)

    def close_lab(self, lab: Lab) -> None:
        """End the scenario; an implementation that cannot end it is started anew for the next."""
        self.calls[lab.recorder.source] = tuple(lab.calls)
        try:
            (self._watchdog.call if self._watchdog else _directly)(self.adapter.end_scenario)
        except AdapterError as error:
            self._start_again(f"{lab.check} could not be ended: {error}")

    def stop(self) -> None:
        """Stop the implementation and complete its trace."""
        if self.started is None:
            return
        self._keep_log()
        self.adapter.stop()
        self.seconds = (datetime.now(UTC) - self.started).total_seconds()
        if self._trace is not None:
            self._trace.close()
        if self._watchdog is not None:
            self._watchdog.close()

    def start(self) -> None:
        """Start the implementation and its trace; `Unavailable` where it cannot be had."""
        started = datetime.now(UTC)
        try:
            self.adapter.start()
        except BaseException as error:  # whatever of it did start must not be left behind
            self.adapter.stop()
            if isinstance(error, AdapterError):
                smoke = f"tidegate adapter smoke {self.name}"
                raise Unavailable(f"{self.name} did not start: {error} ({smoke} goes through its verbs)") from error
            raise
        self.started = started
        (self.folder / self.log_name).unlink(missing_ok=True)
        identity = self.adapter.identity
        self._trace = TraceWriter(
            self.trace_path,
            name=identity.name,
            version=identity.version,
            capabilities=self.adapter.capabilities,
        )
        if self.adapter.parameters.never_ms > 0:
            self._watchdog = Watchdog(WATCHDOG_MS)

    def _start_again(self, why: str) -> None:
        self.restarts.append(why)
        self._keep_log()
        self.adapter.stop()
        try:
            self.adapter.start()
        except (AdapterError, TidegateError) as error:
            self._gone = f"{why}; it could not be started again: {error}"

    def _keep_log(self) -> None:
        """Append the log of the broker that is about to be stopped to what is kept of it."""
        writer = offered(self.adapter, WritesLog)
        if writer is not None and writer.log_path.is_file():
            with (self.folder / self.log_name).open("ab") as kept, writer.log_path.open("rb") as log:
                shutil.copyfileobj(log, kept)


def _directly(verb: Callable[[], None]) -> None:
    verb()
