"""A limit on how long one call may take, so that a hung client is a result and not a hung suite."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NoAnswer
from typing import TypeVar

from tidegate.adapters.base import AdapterError

Answer = TypeVar("Answer")


class Watchdog:
    """Runs calls one after the other on a thread of its own and gives up on one after `limit_ms`."""

    def __init__(self, limit_ms: int):
        self._limit_ms = limit_ms
        self._thread = self._fresh_thread()

    def call(self, verb: Callable[..., Answer], *arguments: object) -> Answer:
        """The call's answer; AdapterError when none comes in time, and the next call then has a fresh thread."""
        pending = self._thread.submit(verb, *arguments)
        try:
            return pending.result(self._limit_ms / 1000)
        except NoAnswer:
            if pending.done():
                raise
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = self._fresh_thread()
            raise AdapterError(f"{verb.__name__} did not come back within {self._limit_ms} ms") from None

    def close(self) -> None:
        """Let the thread end."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _fresh_thread() -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="tidegate-adapter")
