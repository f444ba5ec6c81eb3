"""An implementation under test: its life during a run, its trace and its log."""

import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from tidegate.adapters.base import Adapter, AdapterError, Call, fault_of
from tidegate.adapters.capabilities import contradiction, offered, with_implied
from tidegate.adapters.groups import WritesLog
from tidegate.conformance.clock import Clock
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.known import ANY_FIGURE
from tidegate.conformance.ending import finish
from tidegate.conformance.lab import Lab
from tidegate.conformance.patience import Patience
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.report.trust import END_OF
from tidegate.conformance.smoke import Step, look
from tidegate.conformance.watchdog import Watchdog
from tidegate.record.errors import BadInput, TidegateError, Unavailable
from tidegate.record.report import Check
from tidegate.record.trace import Mark, TraceWriter

WATCHDOG_MS = 30_000
"""The time after which a call's client counts as hung, in ms."""
START_MS = 90_000
"""The time for an implementation with a virtual clock to start or stop, in ms."""
LONGEST_SLEEP_MS = 60_000
"""The most real time that a jump of a virtual clock may take, in ms."""
END = "end_scenario()"
WITHOUT_TRACE = "its trace, because a message expired before the suite let its time pass"
"""What is not tried of a scenario on a slow machine."""
LONGEST_STEM = 100
"""The most characters; a file system takes some 250, and the name may be a whole command."""


@dataclass
class Subject:
    """An implementation under test, with the findings about it."""

    name: str
    folder: Path
    adapter: Adapter
    checks: list[Check] = field(default_factory=list)
    calls: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    not_tried: list[str] = field(default_factory=list)
    """Checks that were not tried, with the reason."""
    unsupported: list[Check] = field(default_factory=list)
    """The checks as written that the adapter cannot drive; a rule with no other check is unknown by the first one."""
    spent_s: float = 0
    """The seconds of the machine that checks took on it."""
    restarts: list[str] = field(default_factory=list)
    """The reasons for restarts of the implementation during the run."""
    otherwise: tuple[Step, ...] = ()
    """Unexpected answers of its verbs before the first scenario."""
    unended: list[tuple[str, str]] = field(default_factory=list)
    """The ends of scenarios, or of the run, at which the adapter raised, each with its error."""
    late: list[Check] = field(default_factory=list)
    """The results of checks that looked too late to tell anything, and have not run again yet."""
    judged: set[str] = field(default_factory=set)
    """The trace sources whose events were judged as they happened."""
    started: datetime | None = None
    seconds: float = 0.0
    _trace: TraceWriter | None = None
    _before_lab: Mark | None = None
    """The end of the trace when the present scenario began."""
    _watchdog: Watchdog = field(init=False)
    _scenarios: int = 0
    _gone: str = ""
    _patience: Patience = field(default_factory=Patience)

    def __post_init__(self) -> None:
        self._watchdog = Watchdog(None if getattr(self.adapter, "answers_at_once", False) else WATCHDOG_MS)

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities that the implementation claims, with the capabilities that follow from them."""
        return with_implied(self.adapter.capabilities)

    @property
    def can_establish(self) -> frozenset[str]:
        """The capabilities that conditions can need: the claimed ones and, with a virtual clock, messages of any
        size."""
        return self.capabilities | ({ANY_FIGURE} if self.adapter.parameters.has_virtual_clock else set())

    @property
    def conditions(self) -> Mapping[str, tuple[str, ...]]:
        """The conditions of each check."""
        return {check.check: check.conditions for check in self.checks}

    @property
    def trace_path(self) -> Path:
        """The path of the trace of its run."""
        return self.folder / f"trace-{self.file_stem}.jsonl"

    @property
    def log_name(self) -> str:
        """The name of the copy of its log, in the report's folder."""
        return f"broker-{self.file_stem}.log"

    @property
    def file_stem(self) -> str:
        """The name as a part of file names."""
        return re.sub(r"[^\w.+-]+", "-", self.name)[:LONGEST_STEM]

    @cached_property
    def clock(self) -> Clock:
        """The clock of the implementation."""
        return Clock(self.adapter, self._advance)

    def become(self, adapter: Adapter, trace: Path = Path(os.devnull)) -> None:
        """Put another adapter under test from now on, with its own trace; for a process that ends afterwards."""
        self.adapter = adapter
        self.__dict__.pop("clock", None)
        identity = adapter.identity
        self._trace = TraceWriter(trace, name=identity.name, version=identity.version, capabilities=())

    def open_lab(self, check: str, weave: Weave = PLAIN) -> Lab:
        """A lab for one scenario, under the conditions of a weave.

        AdapterError if the implementation is gone and could not be restarted.
        """
        assert self._trace is not None
        if self._gone:
            raise AdapterError(self._gone)
        self._scenarios += 1
        prefix = f"s{self._scenarios}."
        if writer := offered(self.adapter, WritesLog):
            self._watchdog.call(writer.log_lines)
        self._before_lab = self._trace.mark()
        recorder = Recorder(prefix + check, self._trace.write)
        return Lab(self.adapter, recorder, prefix, self._watchdog, self.clock, weave)

    def finish(self, lab: Lab) -> None:
        """Judge what must hold at the end of any scenario; note an error that the adapter raises before that."""
        try:
            finish(lab)
        except AdapterError as error:
            self.unended.append((f"{END_OF}{lab.check}", str(error)))

    def close_lab(self, lab: Lab) -> None:
        """End the scenario; restart an implementation that cannot end it or hangs.

        An implementation that fails too often is given up: what is not yet judged stays unknown.
        """
        self.calls[lab.recorder.source] = tuple(lab.calls)
        if lab.is_late and self._trace is not None and self._before_lab is not None:
            self._trace.rewind(self._before_lab)
            self.not_tried.append(f"{lab.check}: {WITHOUT_TRACE}")
        began = time.monotonic()
        try:
            self._watchdog.call(self.adapter.end_scenario)
            if self._watchdog.hung:
                raise AdapterError(f"{self._watchdog.hung} hung and may still run")
        except AdapterError as error:
            self._start_again(f"{lab.check} could not be ended: {error}")
            self._patience.failed(str(error), time.monotonic() - began + lab.seconds_lost)
        else:
            self._patience.went_on(lab.seconds_lost)
        if not self._gone and self._patience.over:
            self._gone = self._patience.over

    def stop(self) -> None:
        """Stop the implementation and complete its trace."""
        if self.started is None:
            return
        self._keep_log()
        try:
            self._from_outside(self.adapter.stop)
        except AdapterError as error:
            self.unended.append(("stop()", str(error)))
        self.seconds = (datetime.now(UTC) - self.started).total_seconds()
        if self._trace is not None:
            self._trace.close()
        self._watchdog.close()

    def start(self) -> None:
        """Start the implementation and its trace; `Unavailable` if it cannot be started."""
        started = datetime.now(UTC)
        try:
            self._from_outside(self.adapter.start)
            if fault := fault_of(self.adapter.identity, self.adapter.parameters):
                raise BadInput(f"{self.name}: field '{fault[0]}': {fault[1]}")
            if why := contradiction(self.adapter.capabilities):
                raise BadInput(
                    f"{self.name}: field 'capabilities': no broker can keep all rules of {why}; claim them separately"
                )
        except BaseException as error:  # a part that did start must not be left behind
            with suppress(AdapterError):  # the error at the start says more than the error at the stop
                self._from_outside(self.adapter.stop)
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
            capabilities=self.capabilities,
        )
        self.otherwise = look(self.adapter, self._watchdog)
        if any(step.asked == END for step in self.otherwise):
            self._start_again("the walk through its verbs could not be ended")
        elif self._watchdog.hung:
            self._start_again(f"{self._watchdog.hung} hung in the walk through its verbs")

    def _start_again(self, why: str) -> None:
        self.restarts.append(why)
        self._keep_log()
        try:
            self._from_outside(self.adapter.stop)
            self._watchdog.hung = ""
            self._from_outside(self.adapter.start)
        except (AdapterError, TidegateError) as error:
            self._gone = f"{why}; it could not be started again: {error}"

    def _advance(self, verb: Callable[[int], None], ms: int) -> None:
        """Advance the clock within the time limit; a clock that is called virtual may sleep up to a minute."""
        longest_ms = LONGEST_SLEEP_MS if self.adapter.parameters.has_virtual_clock else ms
        self._watchdog.call_within(WATCHDOG_MS + min(ms, longest_ms), verb, ms)

    def _from_outside(self, start_or_stop: Callable[[], None]) -> None:
        """Start or stop the implementation; a broker in real time has no limit but its own."""
        if self.adapter.parameters.has_virtual_clock:
            self._watchdog.call_within(START_MS, start_or_stop)
        else:
            start_or_stop()

    def _keep_log(self) -> None:
        """Append the log of the broker, which is about to be stopped, to the kept copy."""
        writer = offered(self.adapter, WritesLog)
        if writer is not None and writer.log_path.is_file():
            with (self.folder / self.log_name).open("ab") as kept, writer.log_path.open("rb") as log:
                shutil.copyfileobj(log, kept)
