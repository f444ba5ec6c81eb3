"""A process under guard: start it, write lines to its stdin, read lines from its stdout, end it."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from tidegate.adapters.process.complaint import complaint
from tidegate.adapters.process.guard import STOP
from tidegate.record.errors import BadInput

CHUNK_BYTES = 65_536
GUARD_SECONDS = 15.0
"""The most time that the guard takes to end a program and all its child processes."""
ENDING_SECONDS = 2.0
"""The time for a program to end after its stdout closed; if it still runs, it counts as having only closed it."""
LAST_LINES = 30
"""The lines at the end of stderr in which an error is sought; an earlier error may not be the reason of the end."""
LAST_BYTES = 65_536
"""The bytes at the end of stderr that are searched for the last lines."""
UNFINISHED_BYTES = 1024
MOST_LINE_BYTES = 128 * 1024 * 1024
"""The longest line that a program may write."""


class Gone(Exception):
    """The program will write nothing more; the text says how it ended."""


class Program:
    """One running program. Its stderr is the file `stderr`; it ends by `end`, or when this process ends."""

    def __init__(self, command: Sequence[str], stderr: Path, *, folder: Path):
        """Start the program. `BadInput` if it cannot be started.

        `folder` is removed with its contents if this process ends without a call of `end`.
        """
        self._stderr = stderr
        stderr.touch()
        self._earlier_bytes = stderr.stat().st_size
        theirs_in, self._stdin = os.pipe()
        self._stdout, theirs_out = os.pipe()
        guarded = [sys.executable, "-P", "-m", "tidegate.adapters.stdio.guard", str(folder), str(stderr)]
        self._guard = subprocess.Popen(
            [*guarded, str(theirs_in), str(theirs_out), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(theirs_in, theirs_out),
            start_new_session=True,
        )
        assert self._guard.stdin is not None and self._guard.stdout is not None
        self._orders, self._news = self._guard.stdin, self._guard.stdout
        os.close(theirs_in)
        os.close(theirs_out)
        self._ears = select.poll()
        for file in (self._stdout, self._news.fileno()):
            self._ears.register(file, select.POLLIN)
        self._open = {self._stdin, self._stdout}
        self._written = bytearray()
        self._searched = 0
        """The number of bytes at the start of `_written` that are known to have no line break."""
        self._end = ""
        first = self._news.readline().split()
        if first[:1] != [b"started"]:
            why = self.last_words
            self.end(0)
            raise BadInput(f"the program could not be started: {why}")
        self.pid = int(first[1])
        """The process id of the program."""

    @property
    def running(self) -> bool:
        """Whether the program still runs (the guard ends when the program does)."""
        return self._guard.poll() is None

    @property
    def unfinished(self) -> str:
        """The beginning of the line that the program has not ended yet, at most `UNFINISHED_BYTES` long."""
        return self._written[:UNFINISHED_BYTES].decode(errors="replace")

    @property
    def last_words(self) -> str:
        """The error at the end of the program's stderr, or else its last lines, as one text."""
        with self._stderr.open("rb") as file:
            file.seek(max(self._earlier_bytes, self._stderr.stat().st_size - LAST_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
        told = [line for line in lines if line.strip()]
        return complaint("\n".join(told[-LAST_LINES:])) if told else "it wrote nothing to stderr"

    def write(self, line: bytes) -> None:
        """Write one line. Writing to an ended program raises nothing; the next `read` raises `Gone`."""
        with suppress(BrokenPipeError):  # reading says how it ended
            os.write(self._stdin, line + b"\n")

    def read(self, within_ms: int) -> bytes | None:
        """The next line, without its line break; None if it does not come in time. Raises `Gone` if none will come."""
        deadline = time.monotonic() + within_ms / 1000
        while (end := self._written.find(b"\n", self._searched)) < 0:
            self._searched = len(self._written)
            if self._searched > MOST_LINE_BYTES:
                raise Gone(f"the program wrote more than {MOST_LINE_BYTES:,} bytes without a line break")
            left_ms = max(0.0, deadline - time.monotonic()) * 1000
            ready = {file for file, _ in self._ears.poll(left_ms)}
            if not ready:
                return None
            # the guard reports the end of the program only after the last lines of the program, which come first
            chunk = os.read(self._stdout, CHUNK_BYTES) if self._stdout in ready else b""
            if not chunk:
                raise Gone(self._ended())
            self._written += chunk
        line = bytes(self._written[:end])
        del self._written[: end + 1]
        self._searched = 0
        return line

    def end(self, patience_ms: int) -> None:
        """Close stdin, wait `patience_ms` for the end, then end all processes of it. Ending twice is harmless."""
        self._close(self._stdin)
        with suppress(subprocess.TimeoutExpired):
            self._guard.wait(patience_ms / 1000)
        if not self._orders.closed:
            with suppress(BrokenPipeError):  # it ended by itself, and its guard with it
                self._orders.write(STOP.encode())
                self._orders.close()
        self._guard.wait(GUARD_SECONDS)
        self._close(self._stdout)
        self._news.close()

    def _ended(self) -> str:
        """How the program ended, in words."""
        if not self._end:
            with suppress(subprocess.TimeoutExpired):
                self._guard.wait(ENDING_SECONDS)
            if self._guard.poll() is None and _lives(self.pid):
                self._end = "the program closed its stdout"
                return self._end
            self._guard.wait(GUARD_SECONDS)
            said = self._news.read().split()
            self._end = _in_words(int(said[-1])) if said else "the guard of the program was ended"
        return self._end

    def _close(self, end: int) -> None:
        if end in self._open:
            self._open.remove(end)
            os.close(end)


def _lives(pid: int) -> bool:
    """Whether a process still runs; its guard may still be ending the processes that it left behind."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _in_words(status: int) -> str:
    if status >= 0:
        return f"the program ended with exit status {status}"
    names = {number.value: number.name for number in signal.Signals}
    return f"the program was ended by signal {names.get(-status, -status)}"
