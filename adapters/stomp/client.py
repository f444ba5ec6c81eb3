"""One connection of stomp.py, which never makes its caller wait for the broker.

stomp.py writes a frame in the thread of the caller, and the call returns only once the socket has taken all bytes. A
broker that reads the connection no further would stop the caller. So a thread of the connection writes the frames.
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import Any

from tidegate.adapters.client_thread import ClientThread
from tidegate.adapters.errors import ConnectionLost, NoAnswer
from tidegate.adapters.stomp.answers import Answer, Message
from tidegate.record.errors import Unavailable
from tidegate.record.extras import how_to_install

try:
    import stomp  # type: ignore[import-untyped]
except ImportError as error:
    raise Unavailable(f"the adapters for STOMP need stomp.py: {how_to_install('artemis-stomp')} ({error})") from error

logging.getLogger("stomp.py").addHandler(logging.NullHandler())  # its errors are raised here as well
WATCHDOG_MS = 5000
"""How long, in ms, a broker may take to answer a frame that no flow control holds back."""
QUOTE = "["
"""The sign after which a broker quotes the refused message, with figures that differ in each run."""
PROBE = "tidegate-probe"
"""The name of an empty transaction. The receipt for its begin shows that the broker has handled all earlier frames."""


class StompConnection(ClientThread[Any]):
    """A connection to a broker. After an ERROR frame it is of no use: the broker closes it."""

    def __init__(self, host: str, port: int) -> None:
        """Connect. Raises `ConnectionLost` when the broker refuses, `NoAnswer` when it does not answer."""
        super().__init__()
        self._numbers = count(1)
        self._answers: dict[str, Answer] = {}
        self._unconfirmed: deque[Answer] = deque()
        """The answers to frames without a receipt, in the order of these frames."""
        self._messages: dict[str, deque[Message]] = {}
        """The messages of each subscription that nobody has taken."""
        self._connected = False
        self._works: SimpleQueue[Callable[[Any], None] | None] = SimpleQueue()
        self._library = stomp.StompConnection12(
            [(host, port)],
            prefer_localhost=False,
            try_loopback_connect=False,
            reconnect_attempts_max=1,
            auto_decode=False,
            auto_content_length=False,
        )
        self._library.set_listener("", _Listener(self))
        self._run_on_its_own(self._write, name=f"stomp-{port}")
        try:
            self.order(lambda library: library.connect(), within_ms=WATCHDOG_MS)
            self.wait(lambda: self._connected, within_ms=WATCHDOG_MS, what="answer to the CONNECT frame")
        except BaseException:
            self.drop()
            raise

    def new_receipt(self) -> str:
        """An id for the receipt of one frame."""
        return str(next(self._numbers))

    def ask(self, command: str, headers: Mapping[str, str], body: bytes = b"", *, receipt: str = "") -> Answer:
        """Send a frame that asks for a receipt; the result is the answer, which is given later."""
        receipt = receipt or self.new_receipt()
        with self.changed:
            answer = self._answers[receipt] = Answer()
        self._send(command, {**headers, "receipt": receipt}, body)
        return answer

    def tell(self, command: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a frame without a receipt, and an empty transaction that the broker must answer after it.

        The result is given once the broker has handled the frame, or has refused it.
        """
        with self.changed:
            answer = Answer()
            self._unconfirmed.append(answer)
        self._send(command, headers, body)
        receipt = self.new_receipt()
        with self.changed:
            self._answers[receipt] = answer
        self._send("BEGIN", {"transaction": PROBE, "receipt": receipt})
        self._send("ABORT", {"transaction": PROBE})
        return answer

    def is_answered(self, answer: Answer, *, within_ms: int) -> bool:
        """Whether the answer comes in this time. Raises `ConnectionLost` if the connection ends without it."""
        try:
            self.wait(lambda: answer.given, within_ms=within_ms, what="answer")
        except NoAnswer:
            return False
        return True

    def subscribe(self, subscription: str, headers: Mapping[str, str]) -> Answer:
        """Send a SUBSCRIBE frame; the messages that come are kept until they are taken."""
        with self.changed:
            self._messages[subscription] = deque()
        return self.ask("SUBSCRIBE", {"id": subscription, **headers})

    def unsubscribe(self, subscription: str) -> Answer:
        """Send an UNSUBSCRIBE frame, and forget the messages that nobody has taken."""
        with self.changed:
            del self._messages[subscription]
        return self.ask("UNSUBSCRIBE", {"id": subscription})

    def message(self, subscription: str, *, within_ms: int) -> Message | None:
        """The next message of a subscription; None if none comes in this time."""
        messages = self._messages[subscription]
        try:
            self.wait(lambda: bool(messages), within_ms=within_ms, what="message")
        except NoAnswer:
            return None
        with self.changed:
            return messages.popleft()

    def close(self, *, within_ms: int) -> None:
        """Disconnect. A broker that does not answer in this time is not waited for."""
        if self.lost is None:
            answer = self.ask("DISCONNECT", {})
            with suppress(ConnectionLost):  # a broker may close the connection instead of answering
                self.is_answered(answer, within_ms=within_ms)
        self.drop()

    def drop(self) -> None:
        """Close the socket without a word to the broker."""
        self._library.transport.disconnect_socket()
        self.end("the client closed the connection")
        self.join(within_ms=WATCHDOG_MS)

    def receipt_came(self, receipt: str) -> None:
        """Note a receipt."""
        with self.changed:
            self._give(self._answers.pop(receipt, Answer()))

    def error_came(self, receipt: str, text: str) -> None:
        """Note an ERROR frame; one that names no receipt is the answer to the oldest frame without a receipt."""
        with self.changed:
            unnamed = self._unconfirmed[0] if self._unconfirmed else Answer()
            self._give(self._answers.pop(receipt, unnamed), text)
        if not self._connected:
            self.end(f"the broker refused the connection: {text}")

    def message_came(self, headers: dict[str, str]) -> None:
        """Note a message; one of a subscription that has ended goes back to its queue."""
        with self.changed:
            if (messages := self._messages.get(headers["subscription"])) is not None:
                messages.append(Message(headers))
            self.changed.notify_all()

    def connected(self) -> None:
        """Note the answer to the CONNECT frame."""
        with self.changed:
            self._connected = True
            self.changed.notify_all()

    def end(self, reason: str) -> None:
        """Note the end of the connection."""
        with self.changed:
            self.lost = self.lost or reason
            self.changed.notify_all()
        self._works.put(None)

    def _give(self, answer: Answer, refusal: str = "") -> None:
        answer.give(refusal)
        if answer in self._unconfirmed:
            self._unconfirmed.remove(answer)
        self.changed.notify_all()

    def _send(self, command: str, headers: Mapping[str, str], body: bytes = b"") -> None:
        if self.lost is not None:
            raise ConnectionLost(self.lost)
        self._soon(lambda library: library.send_frame(command, dict(headers), body))

    def _soon(self, work: Callable[[Any], None]) -> None:
        self._works.put(work)

    def _write(self) -> None:
        while (work := self._works.get()) is not None:
            try:
                work(self._library)
            except Exception as error:
                # once connected, the reader ends the connection: an ERROR frame may still be unread
                if not self._connected:
                    self.end(f"the connection broke while a frame was sent: {error}")
            with self.changed:
                self.changed.notify_all()


class _Listener(stomp.ConnectionListener):  # type: ignore[misc]
    """Passes on what stomp.py reads."""

    def __init__(self, connection: StompConnection) -> None:
        self._connection = connection

    def on_connected(self, frame: Any) -> None:
        """The broker answered the CONNECT frame."""
        self._connection.connected()

    def on_receipt(self, frame: Any) -> None:
        """A receipt came."""
        self._connection.receipt_came(frame.headers["receipt-id"])

    def on_error(self, frame: Any) -> None:
        """The broker refused a frame."""
        text = frame.headers.get("message") or frame.body.decode(errors="replace")
        self._connection.error_came(frame.headers.get("receipt-id", ""), text.partition(QUOTE)[0].strip())

    def on_message(self, frame: Any) -> None:
        """A message came."""
        self._connection.message_came(frame.headers)

    def on_disconnected(self) -> None:
        """The socket is closed."""
        self._connection.end("the broker closed the connection")
