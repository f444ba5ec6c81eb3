"""All clients of a run in one process with a JVM."""

from collections.abc import Callable
from typing import Any

from tidegate.adapters.base import AdapterError
from tidegate.adapters.errors import ConnectionLost, NoAnswer
from tidegate.adapters.jvm.process import JvmProcess

END = "end"
"""The verb that ends all clients, and answers whether they all ended in the given time."""


class Clients:
    """A process of clients; if the clients of a process do not end, the process is replaced."""

    def __init__(self, begin: Callable[[], JvmProcess], greet: Callable[[JvmProcess], None] | None = None) -> None:
        """`begin` starts a process, and `greet` gives it its settings before any other call."""
        self._begin = begin
        self._greet = greet
        self._process: JvmProcess | None = None

    @property
    def process(self) -> JvmProcess:
        """The current process. AdapterError if there is none."""
        if self._process is None:
            raise AdapterError("the adapter was not started")
        return self._process

    def start(self) -> None:
        """Start a process."""
        self._process = self._begin()
        if self._greet is not None:
            self._greet(self._process)

    def stop(self) -> None:
        """End the process. Stopping twice is harmless."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def call(self, verb: str, *arguments: Any) -> Any:
        """The result of the verb in the process. Raises as `JvmProcess.call`."""
        return self.process.call(verb, *arguments)

    def end_all(self, within_ms: int) -> None:
        """End all clients, if necessary with their process."""
        try:
            ended = self.call(END, within_ms)
        except (NoAnswer, ConnectionLost):
            ended = False  # it hangs or has ended
        if not ended:
            self.stop()
            self.start()
