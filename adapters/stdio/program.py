"""A program that is spoken with over its stdin and stdout, under guard: started, written to, read from, ended."""

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

from tidegate.adapters.process.guard import STOP
from tidegate.record.errors import BadInput

CHUNK_BYTES = 65_536
GUARD_SECONDS = 15.0
"""How long the guard takes at most to end a program and all below it."""
ENDING_SECONDS = 2.0
"""How long a program that writes no more may take to end, before it counts as one that only closed its stdout."""
LAST_LINES = 3
LAST_BYTES = 65_536
"""Of stderr, in which the last lines are looked for."""
UNFINISHED_BYTES = 1024
MOST_LINE_BYTES = 128 * 1024 * 1024
"""The longest line that a program may write."""


class Gone(Exception):
    """The program writes no more; the text says how it ended."""


class Program:
    """One running program. Its stderr is the file `stderr`; it ends with `end` and with this process."""

    def __init__(self, command: Sequence[str], stderr: Path, *, folder: Path):
        """Start it. `BadInput` if it cannot be started.

        `folder` is removed, with all that is in it, if this process is gone before it could call `end`.
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
        """Of what was written so many bytes hold no end of a line."""
        self._end = ""
        first = self._news.readline().split()
        if first[:1] != [b"started"]:
            why = self.last_words
            self.end(0)
            raise BadInput(f"the program could not be started: {why}")
        self.pid = int(first[1])
        """Its process id."""

    @property
    def running(self) -> bool:
        """Whether it is still there (the guard ends when it does)."""
        return self._guard.poll() is None

    @property
    def unfinished(self) -> str:
        """What the program wrote of a line that it has not ended, cut to a length that is worth showing."""
        return self._written[:UNFINISHED_BYTES].decode(errors="replace")

    @property
    def last_words(self) -> str:
        """Its last lines on stderr, in quotes, as one text."""
        with self._stderr.open("rb") as file:
            file.seek(max(self._earlier_bytes, self._stderr.stat().st_size - LAST_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
        told = [line.strip() for line in lines if line.strip()]
        return " / ".join(told[-LAST_LINES:]) or "it wrote nothing to stderr"

    def write(self, line: bytes) -> None:
        """Write one line. A program that does not read any more is found out by reading from it."""
        with suppress(BrokenPipeError):  # how it ended is what reading says
            os.write(self._stdin, line + b"\n")

    def read(self, within_ms: int) -> bytes | None:
        """The next line, without its end; None if it is not there in time. Raises `Gone` if there will be none."""
        deadline = time.monotonic() + within_ms / 1000
        while (end := self._written.find(b"\n", self._searched)) < 0:
            self._searched = len(self._written)
            if self._searched > MOST_LINE_BYTES:
                raise Gone(f"the program wrote more than {MOST_LINE_BYTES:,} bytes without a line break")
            left_ms = max(0.0, deadline - time.monotonic()) * 1000
            ready = {file for file, _ in self._ears.poll(left_ms)}
            if not ready:
                return None
            # the guard has news once the program has ended: what that wrote before is there by then, and comes first
            chunk = os.read(self._stdout, CHUNK_BYTES) if self._stdout in ready else b""
            if not chunk:
                raise Gone(self._ended())
            self._written += chunk
        line = bytes(self._written[:end])
        del self._written[: end + 1]
        self._searched = 0
        return line

    def end(self, patience_ms: int) -> None:
        """Close its stdin, wait so long for it to end, then end it and all below it. Ending twice is harmless."""
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
        """How it ended, in words."""
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
    """Whether a process is there and has not ended; its guard may still be ending what it left behind."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _in_words(status: int) -> str:
    if status >= 0:
        return f"the program ended with exit status {status}"
    names = {number.value: number.name for number in signal.Signals}
    return f"the program was ended by signal {names.get(-status, -status)}"
