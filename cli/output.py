"""The standard output of a command, whose reader may be gone before the command ends, as with `| head -1`."""

import os
import select
import signal
import sys


class Output:
    """Standard output as it was when the command began."""

    EXIT_CODE = 128 + signal.SIGPIPE
    """How a command ends whose output nobody reads any more, as shells have it."""

    def __init__(self) -> None:
        self._file = sys.stdout
        self._identity = _identity()

    def finish(self) -> None:
        """Hand out what is left. BrokenPipeError where that, or something before it, found nobody to read.

        click and rich end with 1 then, as a violation would, after they put another file in the place of the pipe.
        """
        try:
            if sys.stdout is not self._file or _identity() != self._identity:
                raise BrokenPipeError
            if self._file is not None:
                self._file.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)  # what Python still holds goes nowhere
            raise

    @staticmethod
    def nobody_reads() -> bool:
        """Whether it is a pipe whose reader is gone."""
        look = select.poll()
        look.register(STDOUT, 0)
        return any(event & select.POLLERR for _, event in look.poll(0))


STDOUT = 1


def _identity() -> tuple[int, int] | None:
    """Which file it is; None where there is none."""
    try:
        now = os.fstat(STDOUT)
    except OSError:
        return None
    return now.st_dev, now.st_ino
