"""Faults of a broker's process: it is halted, goes on, or is killed."""

import os
import signal


class Halting:
    """A process that can be halted. It continues before the next call to it."""

    def __init__(self) -> None:
        self._halted: int | None = None

    def halt(self, pid: int) -> None:
        """Halt it (SIGSTOP): it stays as it is, and so do its sockets."""
        os.kill(pid, signal.SIGSTOP)
        self._halted = pid

    def go_on(self) -> None:
        """Let it go on (SIGCONT), if it was halted."""
        halted, self._halted = self._halted, None
        if halted is not None:
            os.kill(halted, signal.SIGCONT)


def kill(pid: int) -> None:
    """End a process so that it can do nothing about it (SIGKILL)."""
    os.kill(pid, signal.SIGKILL)
