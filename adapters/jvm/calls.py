"""Calls of Java that may wait without limit: each is begun first, and its end is read later."""

from collections.abc import Callable, Container
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Generic, TypeVar

from tidegate.adapters.jvm.machine import JavaError, java_class

Answer = TypeVar("Answer")
MILLISECOND = 1000

Place = tuple[str, str]
"""A class, without its package, and one of its methods."""


@dataclass(frozen=True)
class End(Generic[Answer]):
    """The end of a call."""

    answer: Answer | None = None
    """The return value of the call."""
    reason: str = ""
    """The exception of the call, class first; empty if the call returned."""


class Caller(Generic[Answer]):
    """A thread for calls of one user, one call at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._java_thread = None
        self._call: Future[Answer] | None = None

    @property
    def busy(self) -> bool:
        """Whether the result of a running call has not been read yet."""
        return self._call is not None

    @property
    def running(self) -> "Future[Answer] | None":
        """The call without a read result, for waiting for several calls at once."""
        return self._call

    def begin(self, call: Callable[[], Answer]) -> None:
        """Begin a call. ValueError if the end of the last call has not been read yet."""
        if self._call is not None:
            raise ValueError(f"the last call of {self._name!r} still waits")

        def run() -> Answer:
            self._java_thread = java_class("java.lang.Thread").currentThread()
            return call()

        self._call = self._thread.submit(run)

    def done(self, within_ms: int) -> bool:
        """Whether the call ends within `within_ms`; this does not read its end. ValueError if there is no call."""
        return bool(wait([self._begun], within_ms / MILLISECOND).done)

    def ended(self, within_ms: int) -> End[Answer] | None:
        """The end of the call, read once; None if it still waits after `within_ms`. ValueError if there is no call."""
        try:
            ended = End(self._begun.result(within_ms / MILLISECOND))
        except NotYet:
            return None
        except JavaError as error:
            ended = End(reason=str(error))
        self._call = None
        return ended

    def stands_in(self, places: Container[Place]) -> bool:
        """Whether the thread is seen in one of these methods, or in a method called from them."""
        return any(place in places for place in self.stack())

    def stack(self) -> list[Place]:
        """The stack of the thread, innermost place first; empty before its first call."""
        if self._java_thread is None:
            return []
        frames = self._java_thread.getStackTrace()
        return [(_simple(str(frame.getClassName())), str(frame.getMethodName())) for frame in frames]

    @property
    def _begun(self) -> "Future[Answer]":
        if self._call is None:
            raise ValueError(f"no call of {self._name!r} is open")
        return self._call

    def interrupt(self) -> None:
        """Interrupt a waiting call, as `Thread.interrupt` does; without one, do nothing."""
        if self._call is not None and not self._call.done() and self._java_thread is not None:
            self._java_thread.interrupt()

    def give_up(self) -> None:
        """Begin no further call; a waiting call is left alone."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _simple(class_name: str) -> str:
    return class_name.rpartition(".")[2]
