"""A small TCP proxy on loopback: forwards bytes to a broker's port until it is told to stall, or to cut."""

import select
import socket
import struct
import threading
from dataclasses import dataclass, field

from tidegate.adapters.base import AdapterError
from tidegate.adapters.process.ports import LOOPBACK

READ_BYTES = 65536
LOOK_SECONDS = 0.01
WAIT_SECONDS = 5.0
RESET = struct.pack("ii", 1, 0)
"""The linger option that closes a socket with a reset: the other end notices at once, and unsent bytes are dropped."""


@dataclass
class Way:
    """One direction of a connection, with the bytes read and not yet written."""

    source: socket.socket
    sink: socket.socket
    waiting: bytes = b""


@dataclass
class Line:
    """One connection of a client, with its connection to the broker."""

    client: socket.socket
    broker: socket.socket
    there: Way = field(init=False)
    back: Way = field(init=False)

    def __post_init__(self) -> None:
        self.there = Way(self.client, self.broker)
        self.back = Way(self.broker, self.client)


class Proxy:
    """One port that leads to a broker's port. All sockets belong to its own thread; every call returns at once or
    within `WAIT_SECONDS`."""

    def __init__(self, host: str, port: int) -> None:
        """Listen; each client that connects gets a connection to `host` and `port`."""
        self._target = host, port
        self._listener = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listener.getsockname()[1]
        """The TCP port for clients."""
        self._lines: list[Line] = []
        self._changed = threading.Condition()
        self._stalled = False
        self._answers = True
        self._left: int | None = None
        self._cut = False
        self._over = False
        self._thread = threading.Thread(target=self._run, name=f"proxy-{self.port}", daemon=True)
        self._thread.start()

    def stall(self) -> None:
        """Stop all bytes, in both directions."""
        with self._changed:
            self._stalled = True

    def unstall(self) -> None:
        """Forward bytes again, beginning with the bytes that were held back."""
        with self._changed:
            self._stalled = False

    def hold_answers(self) -> None:
        """Forward bytes to the broker only."""
        with self._changed:
            self._answers = False

    def cut_after(self, size_bytes: int) -> None:
        """Cut once so many more bytes have passed to the broker; bytes of the client beyond them never arrive."""
        with self._changed:
            self._left = size_bytes

    def cut(self) -> None:
        """Cut every connection. AdapterError where that fails."""
        with self._changed:
            self._cut = True
            if not self._changed.wait_for(lambda: not self._lines, WAIT_SECONDS):
                raise AdapterError("a connection could not be cut")

    @property
    def is_cut(self) -> bool:
        """Whether no connection is left."""
        with self._changed:
            return not self._lines

    def close(self) -> None:
        """Cut every connection and stop listening. A second call does nothing."""
        with self._changed:
            self._over = True
        self._thread.join(WAIT_SECONDS)

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._cut or self._over or self._left == 0:
                    self._drop_all()
                if self._over:
                    self._listener.close()
                    return
                readers, writers = self._ready_for()
            readable, writable, _ = select.select([self._listener, *readers], list(writers), [], LOOK_SECONDS)
            with self._changed:
                if self._listener in readable:
                    self._accept()
                for way in [readers[each] for each in readable if each is not self._listener]:
                    self._read(way)
                for way in [writers[each] for each in writable]:
                    self._write(way)

    def _ready_for(self) -> tuple[dict[socket.socket, Way], dict[socket.socket, Way]]:
        """The directions in which bytes may be read and written now."""
        if self._stalled:
            return {}, {}
        ways = [way for line in self._lines for way in (line.there, *([line.back] if self._answers else []))]
        reading = {way.source: way for way in ways if not way.waiting}
        return reading, {way.sink: way for way in ways if way.waiting}

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        try:
            broker = socket.create_connection(self._target, timeout=WAIT_SECONDS)
        except OSError:
            client.close()  # as the broker itself would do
            return
        for end in (client, broker):
            end.setblocking(False)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines.append(Line(client, broker))

    def _read(self, way: Way) -> None:
        try:
            way.waiting = way.source.recv(READ_BYTES)
        except OSError:
            way.waiting = b""
        ended = [line for line in self._lines if way is line.there or way is line.back]
        for line in ended if not way.waiting else ():
            self._drop(line)

    def _write(self, way: Way) -> None:
        towards_broker = any(way is line.there for line in self._lines)
        part = way.waiting[: self._left] if towards_broker and self._left is not None else way.waiting
        try:
            written = way.sink.send(part)
        except OSError:
            written = 0
        way.waiting = way.waiting[written:]
        if towards_broker and self._left is not None:
            self._left -= written

    def _drop_all(self) -> None:
        for line in list(self._lines):
            for end in (line.client, line.broker):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self._drop(line)
        self._cut = False
        self._left = None
        self._changed.notify_all()

    def _drop(self, line: Line) -> None:
        for end in (line.client, line.broker):
            end.close()
        self._lines.remove(line)
        self._changed.notify_all()
