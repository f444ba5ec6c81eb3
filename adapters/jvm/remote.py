"""Calls from the adapter to its separate process, over a socket file in a folder that only its user can enter.

One call has one answer, as pickles of plain values and of the contract's dataclasses: both ends are this package.
"""

import threading
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused

FAMILY = "AF_UNIX"
READY = "tidegate: calls are answered at {address}"
"""The line that the process prints once it answers calls."""


class Remote:
    """The calling end. A call without an answer drops its connection; the next call opens a new one."""

    def __init__(self, what: str, address: Path, *, watchdog_ms: int) -> None:
        """`what` is the name of the process in errors; `watchdog_ms` is the longest time of a call, in ms."""
        self._what = what
        self._address = str(address)
        self._watchdog_ms = watchdog_ms
        self._line: Connection | None = None

    def call(self, verb: str, *arguments: Any, within_ms: int | None = None) -> Any:
        """The result of the verb in the process.

        Raises `Refused` with the words of the verb's exception, `NoAnswer` after `within_ms` (the watchdog's time, if
        None), and `ConnectionLost` if the process has ended.
        """
        limit_ms = within_ms or self._watchdog_ms
        line, self._line = self._line, None
        try:
            line = line or Client(self._address, FAMILY)
            line.send((verb, arguments))
            if not line.poll(limit_ms / 1000):
                line.close()
                raise NoAnswer(f"{self._what} did not answer {verb} within {limit_ms} ms")
            refusal, answer = line.recv()
        except (EOFError, OSError) as error:
            raise ConnectionLost(f"{self._what} is gone: {type(error).__name__}: {error}") from error
        self._line = line
        if refusal:
            raise Refused(f"{self._what}: {verb}: {refusal}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None


def serve(target: object, address: str) -> None:
    """Answer calls of the target's methods until the process ends; each connection has its own thread."""
    with Listener(address, FAMILY) as listener:
        print(READY.format(address=address), flush=True)  # noqa: T201
        while True:
            line = listener.accept()
            threading.Thread(target=_answer, args=(target, line), daemon=True).start()


def _answer(target: object, line: Connection) -> None:
    while True:
        try:
            verb, arguments = line.recv()
        except EOFError:
            return  # the caller has closed its line
        try:
            reply = "", getattr(target, verb)(*arguments)
        except Exception as error:
            # an exception of Java cannot be sent; its text names its class
            reply = _words(error), None
        try:
            line.send(reply)
        except BrokenPipeError:
            return  # the caller has given up


def _words(error: Exception) -> str:
    kind = type(error)
    text = str(error)
    return text if text.startswith(kind.__name__) else f"{kind.__name__}: {text}"
