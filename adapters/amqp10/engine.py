"""The AMQP engine of one connection: a socket, proton's protocol state, and the only thread that touches either.

Proton does no input or output here: bytes go in and out by `Transport.push` and `Transport.peek`. So a connection can
be dropped by closing the socket, which proton's container does not offer.
"""

import select
import socket
import time
from collections.abc import Callable
from queue import SimpleQueue

from proton import Endpoint, Event

from tidegate.adapters.amqp10.native import Native
from tidegate.adapters.client_thread import ClientThread, for_another_thread
from tidegate.adapters.errors import ConnectionLost

READ_BYTES = 65536


class Engine(ClientThread[Native]):
    """One AMQP connection, driven by its own thread.

    `events` has methods by the names of proton's handlers (`on_link_flow` and so on), called with `Native` and
    the event, as callbacks.
    """

    def __init__(
        self, address: tuple[str, int], container_id: str, hostname: str, events: object, *, connect_ms: int
    ) -> None:
        """Connect the socket and start the thread; the AMQP open, which asks for `hostname`, has not been answered yet.

        Raises `ConnectionLost` when nobody accepts on host and port within `connect_ms` milliseconds.
        """
        super().__init__()
        self._events = events
        self._orders: SimpleQueue[Callable[[Native], None]] = SimpleQueue()
        try:
            self._socket = socket.create_connection(address, timeout=connect_ms / 1000)
        except OSError as error:
            raise ConnectionLost(f"no AMQP connection to {':'.join(map(str, address))}: {error}") from error
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bell, self._ring = socket.socketpair()
        self._ring.setblocking(False)
        self._dropped = False
        self._run_on_its_own(self._run, container_id, hostname, name=f"amqp-{container_id}")

    def drop(self) -> None:
        """End the connection as a killed client does: the socket is closed without an AMQP close."""
        self._dropped = True
        self._wake()
        self.join(within_ms=5000)

    def _soon(self, work: Callable[[Native], None]) -> None:
        self._orders.put(work)
        self._wake()

    def _wake(self) -> None:
        with self.changed:
            if self.lost is not None:
                return  # the thread has ended
            try:
                self._ring.send(b"!")
            except BlockingIOError:
                return  # a full pipe is a bell already rung

    def _run(self, container_id: str, hostname: str) -> None:
        reason = "the connection ended by an error of the client itself"
        try:
            reason = self._pump_until_over(Native(container_id, hostname))
        except OSError as error:
            reason = f"the socket failed: {error}"
        except Exception as error:
            reason = f"{reason}: {for_another_thread(error)}"
            raise
        finally:
            self._socket.close()
            with self.changed:
                self.lost = reason
                self.changed.notify_all()
                self._bell.close()
                self._ring.close()

    def _pump_until_over(self, native: Native) -> str:
        """Move bytes and events until the connection is over; the result is why it is over."""
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
            # proton is done as soon as it has written its close; only the answer shows that the broker read it
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
