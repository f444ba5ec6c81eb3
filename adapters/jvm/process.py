"""A process with a JVM, under guard, that answers calls."""

import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

from tidegate.adapters.jvm.remote import READY, Remote
from tidegate.adapters.process.java import java
from tidegate.adapters.process.server import Server
from tidegate.record.errors import Unavailable

MOST_BYTES_OF_A_SOCKET = 103
"""The most bytes in the path of a socket file on every system, without the final 0: 103 on macOS, 107 on Linux."""
READY_MS = 60_000
WATCHDOG_MS = 12_000
"""The longest time of one call in ms, shorter than the suite's own watchdog of a verb."""


class JvmProcess:
    """One process: started at once, awaited at the first call, ended by `stop` and with this process."""

    def __init__(self, what: str, module: str, home: Path, log: Path, address: Path, *arguments: str) -> None:
        """Run the module with the arguments and then the address. `Unavailable` if it cannot be started.

        `home` is removed if the run ends without a stop.
        """
        java()
        if (length := len(os.fsencode(address))) > MOST_BYTES_OF_A_SOCKET:
            raise Unavailable(
                f"{what} needs a socket, whose path may have {MOST_BYTES_OF_A_SOCKET} bytes and would have {length}: "
                "set TMPDIR to a folder with a shorter path"
            )
        command = (sys.executable, "-P", "-m", module, *arguments, str(address))
        self._start = partial(Server, what, command, log, folder=home)
        self._server = self._start()
        self._remote = Remote(what, address, watchdog_ms=WATCHDOG_MS)
        self._ready = re.escape(READY.format(address=address))
        self._waited_for = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._server.pid

    def call(self, verb: str, *arguments: Any, within_ms: int | None = None) -> Any:
        """The result of the verb in the process. Raises as `Remote.call`, and `Unavailable` if the process never
        gets ready."""
        if not self._waited_for:
            self._wait_ready()
            self._waited_for = True
        return self._remote.call(verb, *arguments, within_ms=within_ms)

    def _wait_ready(self) -> None:
        """Wait until the JVM answers. A JVM that dies at its start is started once more: JPype sometimes crashes
        there."""
        try:
            self._server.wait_ready(self._ready, READY_MS)
        except Unavailable:
            if self._server.running:
                raise
            self._server.stop()
            self._server = self._start()
            self._server.wait_ready(self._ready, READY_MS)

    def stop(self) -> None:
        """End the process. Stopping twice is harmless."""
        self._remote.close()
        self._server.stop()
