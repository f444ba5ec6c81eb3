"""The standard output of a command; its reader may be gone before the command ends, as with `| head -1`."""

import os
import select
import signal
import sys


class Output:
    """Standard output as it was when the command began."""

    EXIT_CODE = 128 + signal.SIGPIPE
    """The exit code, by the convention of shells, of a command whose output nobody reads any more."""

    def __init__(self) -> None:
        self._file = sys.stdout
        self._identity = _identity()

    def finish(self) -> None:
        """Flush the output. BrokenPipeError where this, or an earlier write, found no reader.

        click and rich would then replace the pipe by another file and end with exit code 1, as for a violation.
        """
        try:
            if sys.stdout is not self._file or _identity() != self._identity:
                raise BrokenPipeError
            if self._file is not None:
                self._file.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)  # Python's buffered output goes nowhere
            raise

    @staticmethod
    def nobody_reads() -> bool:
        """Whether the output is a pipe without a reader."""
        look = select.poll()
        look.register(STDOUT, 0)
        return any(event & select.POLLERR for _, event in look.poll(0))


STDOUT = 1


def _identity() -> tuple[int, int] | None:
    """Which file the output is; None where there is none."""
    try:
        now = os.fstat(STDOUT)
    except OSError:
        return None
    return now.st_dev, now.st_ino
