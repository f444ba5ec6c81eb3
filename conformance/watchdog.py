"""A limit on the time of one call, so that a hung client is a result and not a hung suite."""

import ctypes
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from tidegate.adapters.base import AdapterError

Answer = TypeVar("Answer")


class Hung(AdapterError):
    """A call did not return in time."""


class Watchdog:
    """Runs calls one after another on its own thread, and gives up a call after `limit_ms`.

    Without a limit it calls directly: two thread switches are most of the cost of a call of the reference.
    """

    def __init__(self, limit_ms: int | None):
        self._limit_ms = limit_ms
        self._worker: _Worker | None = None
        self.hung = ""
        """The verb of the last call that was given up and may still run; empty if there is none."""

    def call(self, verb: Callable[..., Answer], *arguments: object) -> Answer:
        """The answer of the call; raises `Hung` if none comes in time, and the next call then gets a new thread."""
        return self.call_within(self._limit_ms or 0, verb, *arguments)

    def call_within(self, limit_ms: int, verb: Callable[..., Answer], *arguments: object) -> Answer:
        """Call a verb within another limit, if there is a limit at all."""
        if self._limit_ms is None:
            return verb(*arguments)
        # a forked process does not have the thread
        worker = self._worker = self._worker if self._worker is not None and self._worker.is_alive else _Worker()
        worker.begin(partial(verb, *arguments))
        try:
            answer, error = worker.end(limit_ms)
        except BaseException as interrupt:
            self._worker = None
            self.hung = verb.__name__
            worker.give_up()
            if isinstance(interrupt, Empty):
                raise Hung(f"{verb.__name__} did not come back within {limit_ms} ms") from None
            raise
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the thread end."""
        if self._worker is not None:
            self._worker.close()


class _Worker:
    """A thread that makes one call at a time, and for which the end of the process does not wait."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._ends: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._thread = Thread(target=self._run, name="tidegate-adapter", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread is alive."""
        return self._thread.is_alive()

    def begin(self, call: Callable[[], Any]) -> None:
        """Begin a call."""
        self._calls.put(call)

    def end(self, limit_ms: int) -> tuple[Any, BaseException | None]:
        """The answer of the call and the error that it raised. Raises Empty if neither comes in time."""
        return self._ends.get(timeout=limit_ms / 1000)

    def close(self) -> None:
        """End the thread after the call at hand."""
        self._calls.put(None)

    def give_up(self) -> None:
        """End the thread, and interrupt a call as soon as it is in Python: an endless loop would slow the run down."""
        self.close()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(SystemExit)
        )

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                self._ends.put((call(), None))
            except BaseException as error:  # whatever it is, the caller raises it
                self._ends.put((None, error))
