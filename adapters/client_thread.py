"""A thread that drives one connection of a client library; other threads give it work and wait for the results."""

import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tidegate.adapters.errors import ConnectionLost, Failed, NoAnswer

Answer = TypeVar("Answer")
Library = TypeVar("Library")
"""The library's own object or objects, which the thread passes to its work."""


class ClientThread(ABC, Generic[Library]):
    """The only thread that touches the library's objects. Only plain data leaves it.

    The library's callbacks run on it with `changed` held, so that a caller that waits on `changed` sees consistent
    states only.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.lost: str | None = None
        """Why the connection ended; None while it is open."""
        self._thread = threading.Thread(daemon=True)

    @abstractmethod
    def _soon(self, work: Callable[[Library], None]) -> None:
        """Have the thread do this work next; skip it once the connection is lost."""

    def order(self, work: Callable[[Library], Answer], *, within_ms: int) -> Answer:
        """Run `work` on the thread, and return its result, which must not be an object of the library.

        Raises `Failed` with the words of the exception of `work`, `ConnectionLost` when the connection is lost,
        `NoAnswer` when the thread does not run it in time.
        """
        answer: list[Answer] = []
        failed: list[Failed] = []

        def run(library: Library) -> None:
            try:
                answer.append(work(library))
            except Exception as error:
                failed.append(for_another_thread(error))

        self._soon(run)
        self.wait(lambda: bool(answer or failed), within_ms=within_ms, what="the client's own thread")
        if failed:
            raise failed.pop()
        return answer[0]

    def wait(self, until: Callable[[], bool], *, within_ms: int, what: str) -> None:
        """Return as soon as `until()` holds.

        Raises `NoAnswer` naming `what` after `within_ms`, `ConnectionLost` when the connection ends first.
        """
        with self.changed:
            self.changed.wait_for(lambda: until() or self.lost is not None, timeout=within_ms / 1000)
            if until():
                return
            if self.lost is not None:
                raise ConnectionLost(f"waiting for {what}: {self.lost}")
            raise NoAnswer(f"no {what} within {within_ms} ms")

    def join(self, *, within_ms: int) -> None:
        """Wait for the thread to end. Raises `NoAnswer` when it does not."""
        self._thread.join(within_ms / 1000)
        if self._thread.is_alive():
            raise NoAnswer(f"the thread of the client did not end within {within_ms} ms")

    def _run_on_its_own(self, run: Callable[..., None], *arguments: Any, name: str) -> None:
        self._thread = threading.Thread(target=run, args=arguments, name=name, daemon=True)
        self._thread.start()


def for_another_thread(error: Exception) -> Failed:
    """The words of an error, since the error itself and its frames hold objects of the library's."""
    failed = Failed(f"{type(error).__name__}: {error}")
    failed.add_note(f"On the thread of the client:\n{''.join(traceback.format_exception(error))}")
    traceback.clear_frames(error.__traceback__)
    return failed
