"""Calls of Java that may wait for as long as they like: each is begun, and asked for later."""

from collections.abc import Callable, Container
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Generic, TypeVar

from tidegate.adapters.jvm.machine import JavaError, java_class

Answer = TypeVar("Answer")
MILLISECOND = 1000

Place = tuple[str, str]
"""A class, without its package, and a method of it."""


@dataclass(frozen=True)
class End(Generic[Answer]):
    """How a call ended."""

    answer: Answer | None = None
    """What the call returned."""
    reason: str = ""
    """The exception of the call, class first; empty if the call returned."""


class Caller(Generic[Answer]):
    """A thread of its own for calls, one at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._java_thread = None
        self._call: Future[Answer] | None = None

    @property
    def busy(self) -> bool:
        """Whether a call was begun whose end has not been told yet."""
        return self._call is not None

    @property
    def running(self) -> "Future[Answer] | None":
        """The call that was begun and not told of, for whoever waits for several at once."""
        return self._call

    def begin(self, call: Callable[[], Answer]) -> None:
        """Begin a call. ValueError if the end of the last one was not told yet."""
        if self._call is not None:
            raise ValueError(f"the last call of {self._name!r} still waits")

        def run() -> Answer:
            self._java_thread = java_class("java.lang.Thread").currentThread()
            return call()

        self._call = self._thread.submit(run)

    def done(self, within_ms: int) -> bool:
        """Whether the call has ended, within `within_ms`; its end is not told by this. ValueError if there is none."""
        return bool(wait([self._begun], within_ms / MILLISECOND).done)

    def ended(self, within_ms: int) -> End[Answer] | None:
        """How the call ended, told once; None if it still waits after `within_ms`. ValueError if there is none."""
        try:
            ended = End(self._begun.result(within_ms / MILLISECOND))
        except NotYet:
            return None
        except JavaError as error:
            ended = End(reason=str(error))
        self._call = None
        return ended

    def stands_in(self, places: Container[Place]) -> bool:
        """Whether the thread is seen in one of these methods, or in what they call."""
        return any(place in places for place in self.stack())

    def stack(self) -> list[Place]:
        """Where the thread stands, innermost first; empty before its first call."""
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
        """Wake a call that waits, as `Thread.interrupt` does; nothing where there is none."""
        if self._call is not None and not self._call.done() and self._java_thread is not None:
            self._java_thread.interrupt()

    def give_up(self) -> None:
        """Begin nothing any more; a call that waits is left to itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _simple(class_name: str) -> str:
    return class_name.rpartition(".")[2]
