"""Management of the old Qpid broker through the console in its JVM (`OldConsole.java`): one request, one answer."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tidegate.adapters.errors import ConnectionLost, Failed, NoAnswer, Refused

WATCHDOG_MS = 5000
STORE_MS = 25_000
"""How long the broker may take, in ms, to start or end the database of a virtual host's messages."""


class OldConsole:
    """Reads and changes a running broker.

    Every call raises `Refused` with the broker's own words, `NoAnswer` or `ConnectionLost`.
    """

    def __init__(self, host: str, port: int, virtual_host: str, *, watchdog_ms: int = WATCHDOG_MS):
        """Connect, to manage the queues of one virtual host.

        `watchdog_ms` bounds each request, in ms, except a request that starts or ends a store. `ConnectionLost` if no
        console answers.
        """
        self.virtual_host = virtual_host
        """The virtual host whose queues are managed."""
        self._lost: str | None = None
        try:
            self._socket = socket.create_connection((host, port), watchdog_ms / 1000)
        except OSError as error:
            raise ConnectionLost(f"the console of the broker is not reached: {error}") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("r", encoding="utf-8", newline="\n")
        self._watchdog_ms = watchdog_ms

    def close(self) -> None:
        """Close the connection. Closing twice is harmless."""
        self._answers.close()
        self._socket.close()

    def open(self, file: Path) -> None:
        """Add the virtual host, as a virtualhosts.xml describes it."""
        with self._answered_within(STORE_MS):
            self._ask("open", file=str(file))

    def end(self) -> None:
        """Close the virtual host; its store stays on disk."""
        with self._answered_within(STORE_MS):
            self._ask("close")

    def configure(self, file: Path) -> None:
        """Read a virtualhosts.xml for later queues; existing queues stay as they are."""
        self._ask("configure", file=str(file))

    def create(self, queue: str, capacity: int | None, resume: int | None, *, durable: bool) -> None:
        """Create a queue; a level in bytes that is None is not set."""
        self._ask("create", queue, durable=durable, **_set(capacity, resume))

    def change(self, queue: str, capacity: int | None, resume: int | None) -> None:
        """Set the levels of a queue in use, in bytes; a level that is None stays as it is."""
        self._ask("change", queue, **_set(capacity, resume))

    def read(self, queue: str) -> Mapping[str, int]:
        """The `bytes` and `messages` in a queue, with unacknowledged ones, and its `capacity` and `resume` in bytes."""
        return {name: int(figure) for name, figure in self._ask("read", queue).items()}

    def is_blocked(self, client: str, channel: int) -> bool | None:
        """Whether a session of the connection with this client id is blocked; None if there is no such session."""
        found: bool | None = self._ask("blocked", client=client, channel=channel)
        return found

    def purge(self, queue: str) -> None:
        """Remove every message that is not delivered."""
        self._ask("purge", queue)

    def delete(self, queue: str) -> None:
        """Delete a queue with its messages."""
        self._ask("delete", queue)

    @contextmanager
    def _answered_within(self, watchdog_ms: int) -> Iterator[None]:
        usual_ms, self._watchdog_ms = self._watchdog_ms, watchdog_ms
        try:
            yield
        finally:
            self._watchdog_ms = usual_ms

    def _ask(self, verb: str, queue: str = "", **further: int | str) -> Any:
        request = {"verb": verb, "host": self.virtual_host, "queue": queue, **further}
        if self._lost is not None:
            raise ConnectionLost(self._lost)
        try:
            self._socket.settimeout(self._watchdog_ms / 1000)
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            line = self._answers.readline()
        except TimeoutError:
            # a late answer would look like the answer to the next request
            self._lost = f"the console did not answer {verb!r} within {self._watchdog_ms} ms"
            raise NoAnswer(self._lost) from None
        except OSError as error:
            self._lost = f"the console of the broker is gone: {error}"
            raise ConnectionLost(self._lost) from error
        if not line.endswith("\n"):
            self._lost = "the console of the broker closed the connection"
            raise ConnectionLost(self._lost)
        try:
            answer = json.loads(line)
        except ValueError:
            raise Failed(f"the console answered {line!r}, which is no JSON") from None
        if "error" in answer:
            raise Refused(f"the broker refused {request}: {answer['error']}")
        return answer["answer"]


def _set(capacity: int | None, resume: int | None) -> dict[str, int]:
    levels = {"capacity": capacity, "resume": resume}
    return {name: level for name, level in levels.items() if level is not None}
