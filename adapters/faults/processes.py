"""Faults of a broker's process: it is halted, continued, or killed."""

import os
import signal


class Halting:
    """A process that can be halted. It is continued before the next call to it."""

    def __init__(self) -> None:
        self._halted: int | None = None

    def halt(self, pid: int) -> None:
        """Halt the process (SIGSTOP): its state and its sockets stay as they are."""
        os.kill(pid, signal.SIGSTOP)
        self._halted = pid

    def go_on(self) -> None:
        """Continue the process (SIGCONT), if it was halted."""
        halted, self._halted = self._halted, None
        if halted is not None:
            os.kill(halted, signal.SIGCONT)


def kill(pid: int) -> None:
    """Kill a process (SIGKILL)."""
    os.kill(pid, signal.SIGKILL)
