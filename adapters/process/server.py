"""A server process under guard: started, awaited until it is ready, and stopped."""

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from tidegate.adapters.process.complaint import complaint
from tidegate.adapters.process.guard import STOP
from tidegate.record.errors import Unavailable

LOOK_SECONDS = 0.02
STOP_SECONDS = 15.0


class Server:
    """One server. Its output is the file `log`; it ends with `stop` and with this process."""

    def __init__(self, name: str, command: Sequence[str], log: Path, *, folder: Path | None = None):
        """Start the server. `Unavailable` if the command cannot be started.

        `folder` is removed, with its content, if this process ends before it calls `stop`.
        """
        self.name = name
        self.log = log
        log.touch()
        owned = str(folder or "")
        guarded = [sys.executable, "-P", "-m", "tidegate.adapters.process.guard", owned, str(log), *command]
        self._guard = subprocess.Popen(
            guarded, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, text=True
        )
        first = self._guard.stdout.readline().split() if self._guard.stdout else []
        if first[:1] != ["started"]:
            self.stop()
            raise Unavailable(f"{name} could not be started: {complaint(self._written())}")
        self.pid = int(first[1])
        """The process id of the server itself."""

    @property
    def running(self) -> bool:
        """Whether the server runs (its guard ends with it)."""
        return self._guard.poll() is None

    def wait_ready(self, line: str, within_ms: int) -> str:
        """Wait for a line in the log that matches the regular expression; the result is the line.

        `Unavailable` if the server ends before, or the line does not come within `within_ms`; the server is then gone.
        """
        pattern = re.compile(line)
        deadline = time.monotonic() + within_ms / 1000
        while True:
            # the process is checked before the log: its last lines are then always read
            running = self.running
            if found := next(filter(pattern.search, self._whole_lines()), None):
                return found
            if not running:
                raise Unavailable(f"{self.name} ended before it was ready: {complaint(self._written())}")
            if time.monotonic() > deadline:
                self.stop()
                raise Unavailable(f"{self.name} was not ready within {within_ms} ms: {complaint(self._written())}")
            time.sleep(LOOK_SECONDS)

    def stop(self) -> None:
        """End the server and all processes below it; returns when they are gone. Stopping twice is harmless."""
        if self._guard.stdin and not self._guard.stdin.closed:
            self._order_stop(self._guard.stdin)
        self._guard.wait(STOP_SECONDS)
        if self._guard.stdout:
            self._guard.stdout.close()

    @staticmethod
    def _order_stop(guard: IO[str]) -> None:
        try:
            guard.write(STOP)
            guard.close()
        except BrokenPipeError:
            return  # the server ended by itself, and its guard with it

    def _whole_lines(self) -> list[str]:
        """The lines of the log, without an incomplete last line."""
        return self._written().rpartition("\n")[0].splitlines()

    def _written(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")
