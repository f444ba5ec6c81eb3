"""One connection's AMQP engine: a socket, proton's protocol state, and the only thread that touches either.

Proton does no input or output here: bytes go in and out by `Transport.push` and `Transport.peek`. So a
connection can be dropped the hard way, by closing the socket, which proton's container does not offer.
"""

import select
import socket
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

from proton import Endpoint, Event

from headgate.adapters.amqp10.native import Native
from headgate.adapters.errors import ConnectionLost, Failed, NoAnswer

READ_BYTES = 65536
Answer = TypeVar("Answer")


class Engine:
    """One AMQP connection, driven by its own thread.

    `events` has methods by the names of proton's handlers (`on_link_flow` and so on), called with `Native` and
    the event; they run on the engine's thread with `changed` held, so that a caller who waits on `changed` sees
    whole states only.
    """

    def __init__(self, host: str, port: int, container_id: str, events: object, *, connect_ms: int) -> None:
        """Connect the socket and start the thread; the AMQP open has not been answered yet on return.

        Raises `ConnectionLost` when nobody accepts on host and port within `connect_ms` milliseconds.
        """
        self.changed = threading.Condition()
        self.lost: str | None = None
        """Why the connection is no more; None while it lives."""
        self._events = events
        self._orders: SimpleQueue[Callable[[Native], None]] = SimpleQueue()
        try:
            self._socket = socket.create_connection((host, port), timeout=connect_ms / 1000)
        except OSError as error:
            raise ConnectionLost(f"no AMQP connection to {host}:{port}: {error}") from error
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bell, self._ring = socket.socketpair()
        self._ring.setblocking(False)
        self._dropped = False
        self._thread = threading.Thread(
            target=self._run, args=(container_id, host), name=f"amqp-{container_id}", daemon=True
        )
        self._thread.start()

    def order(self, work: Callable[[Native], Answer], *, within_ms: int) -> Answer:
        """Run `work` on the engine's thread and return what it returns, which must be nothing of proton's.

        Raises `Failed` with the words of what `work` raised, `ConnectionLost` when the connection is gone,
        `NoAnswer` when the thread does not come to it.
        """
        answer: list[Answer] = []
        failed: list[Failed] = []

        def run(native: Native) -> None:
            try:
                answer.append(work(native))
            except Exception as error:
                failed.append(_for_another_thread(error))

        self._orders.put(run)
        self._wake()
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

    def drop(self) -> None:
        """End the connection as a killed client does: the socket goes, no AMQP close is sent."""
        self._dropped = True
        self._wake()
        self.join(within_ms=5000)

    def join(self, *, within_ms: int) -> None:
        """Wait for the thread to end. Raises `NoAnswer` when it does not."""
        self._thread.join(within_ms / 1000)
        if self._thread.is_alive():
            raise NoAnswer(f"the AMQP client thread did not end within {within_ms} ms")

    def _wake(self) -> None:
        with self.changed:
            if self.lost is not None:
                return  # nobody is asleep any more
            try:
                self._ring.send(b"!")
            except BlockingIOError:
                return  # a full pipe is a bell already rung

    def _run(self, container_id: str, host: str) -> None:
        reason = "the connection ended by an error of the client itself"
        try:
            reason = self._pump_until_over(Native(container_id, host))
        except OSError as error:
            reason = f"the socket failed: {error}"
        except Exception as error:
            reason = f"{reason}: {_for_another_thread(error)}"
            raise
        finally:
            self._socket.close()
            with self.changed:
                self.lost = reason
                self.changed.notify_all()
                self._bell.close()
                self._ring.close()

    def _pump_until_over(self, native: Native) -> str:
        """Move bytes and events until the connection is over; return why it is."""
        transport = native.transport
        while True:
            with self.changed:
                self._obey(native)
                self._dispatch(native)
                self.changed.notify_all()
            if self._dropped:
                return "the client dropped the socket"
            deadline = transport.tick(time.monotonic())
            writes = transport.pending()
            reads = transport.capacity()
            condition = transport.condition
            # proton has no more to say as soon as it said close; whether it was heard, the answer shows
            unanswered = condition is None and reads >= 0 and native.connection.state & Endpoint.REMOTE_ACTIVE
            if writes < 0 and not unanswered:
                return "the connection was closed" if condition is None else f"the connection was closed: {condition}"
            pause = max(0.0, deadline - time.monotonic()) if deadline else None
            readable, writable, _ = select.select(
                [self._bell] + ([self._socket] if reads > 0 else []),
                [self._socket] if writes > 0 else [],
                [],
                pause,
            )
            if self._bell in readable:
                self._bell.recv(READ_BYTES)
            if self._socket in readable:
                data = self._socket.recv(min(reads, READ_BYTES))
                if not data:
                    return "the broker closed the socket"
                transport.push(data)
            if self._socket in writable:
                transport.pop(self._socket.send(transport.peek(writes) or b""))

    def _obey(self, native: Native) -> None:
        while not self._orders.empty():
            self._orders.get()(native)

    def _dispatch(self, native: Native) -> None:
        event: Event | None
        while (event := native.collector.peek()) is not None:
            handle = getattr(self._events, event.type.method, None)
            if handle is not None:
                handle(native, event)
            native.collector.pop()


def _for_another_thread(error: Exception) -> Failed:
    """The words of an error. The error itself, and the frames it came through, hold objects of proton's."""
    failed = Failed(f"{type(error).__name__}: {error}")
    failed.add_note(f"On the AMQP client's thread:\n{''.join(traceback.format_exception(error))}")
    traceback.clear_frames(error.__traceback__)
    return failed
