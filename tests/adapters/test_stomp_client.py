"""The STOMP client against a small server: answers, refusals, messages, and a broker that reads no further."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tidegate.adapters.errors import ConnectionLost
from tidegate.adapters.process.ports import LOOPBACK
from tidegate.adapters.stomp.client import StompConnection

SOON_MS = 5000
NOT_YET_MS = 50
CONNECTED = b"CONNECTED\nversion:1.2\n\n\0"
Reply = Callable[[str, dict[str, str]], bytes | None]
"""The bytes that answer a command with headers; None: the server reads no further."""


def receipt(command: str, headers: dict[str, str]) -> bytes:
    """The answer of a broker that takes everything."""
    if command == "STOMP":
        return CONNECTED
    return f"RECEIPT\nreceipt-id:{headers['receipt']}\n\n\0".encode() if "receipt" in headers else b""


def read_frames(came: socket.socket) -> Iterator[tuple[str, dict[str, str]]]:
    """The frames of a client, whose bodies have no zero."""
    rest = b""
    while True:
        while b"\0" in rest:
            frame, _, rest = rest.partition(b"\0")
            command, *lines = frame.partition(b"\n\n")[0].decode().strip().split("\n")
            yield command, dict(line.split(":", 1) for line in lines)
        if not (more := came.recv(65536)):
            return
        rest += more


@contextmanager
def connected(reply: Reply) -> Iterator[StompConnection]:
    """A connection to a server that answers by `reply`."""
    listening = socket.create_server((LOOPBACK, 0))
    ended = threading.Event()

    def serve() -> None:
        came, _ = listening.accept()
        with came:
            for command, headers in read_frames(came):
                answer = reply(command, headers)
                if answer is None:
                    ended.wait()
                    return
                try:
                    came.sendall(answer)
                except ConnectionError:  # the client has dropped the connection
                    return

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    try:
        connection = StompConnection(LOOPBACK, listening.getsockname()[1])
        try:
            yield connection
        finally:
            connection.drop()
    finally:
        ended.set()
        server.join()
        listening.close()


def test_a_receipt_is_the_answer_to_its_frame() -> None:
    with connected(receipt) as connection:
        first, second = connection.ask("SEND", {"destination": "q"}, b"x"), connection.ask("SEND", {}, b"y")
        assert connection.is_answered(second, within_ms=SOON_MS)
        assert connection.is_answered(first, within_ms=SOON_MS)
        assert first.refusal == second.refusal == ""


def test_a_receipt_that_does_not_come_is_no_answer() -> None:
    def silent(command: str, headers: dict[str, str]) -> bytes:
        return b"" if command == "SEND" else receipt(command, headers)

    with connected(silent) as connection:
        answer = connection.ask("SEND", {})
        assert not connection.is_answered(answer, within_ms=NOT_YET_MS)
        assert connection.is_answered(connection.ask("BEGIN", {"transaction": "tx"}), within_ms=SOON_MS)
        assert not answer.given


def test_a_frame_without_a_receipt_is_handled_once_a_later_one_is() -> None:
    seen: list[str] = []

    def noted(command: str, headers: dict[str, str]) -> bytes:
        seen.append(command)
        return receipt(command, headers)

    with connected(noted) as connection:
        answer = connection.tell("SEND", {"destination": "q"}, b"x")
        assert connection.is_answered(answer, within_ms=SOON_MS)
        assert seen[:3] == ["STOMP", "SEND", "BEGIN"]
        assert answer.refusal == ""


def test_an_error_names_the_refused_frame_by_its_receipt_or_means_the_oldest_without_one() -> None:
    def refusing(command: str, headers: dict[str, str]) -> bytes:
        if command != "SEND":
            return receipt(command, headers)
        named = f"receipt-id:{headers['receipt']}\n" if "receipt" in headers else ""
        return f"ERROR\nmessage:no room for Message[id=1]\n{named}\n\0".encode()

    with connected(refusing) as connection:
        for answer in (connection.ask("SEND", {}), connection.tell("SEND", {}), connection.tell("SEND", {})):
            assert connection.is_answered(answer, within_ms=SOON_MS)
            assert answer.refusal == "no room for Message"


def test_a_broker_that_reads_no_further_stops_nobody_here() -> None:
    def deaf(command: str, headers: dict[str, str]) -> bytes | None:
        return receipt(command, headers) if command == "STOMP" else None

    with connected(deaf) as connection:
        answers = [connection.tell("SEND", {}, b"x" * 1_000_000) for _ in range(20)]
        assert not any(connection.is_answered(each, within_ms=NOT_YET_MS) for each in answers)


def test_messages_of_a_subscription_wait_until_they_are_taken() -> None:
    def pushing(command: str, headers: dict[str, str]) -> bytes:
        pushed = f"MESSAGE\nsubscription:{headers.get('id')}\nack:7\ncontent-length:1\n\nx\0".encode()
        return receipt(command, headers) + (pushed if command == "SUBSCRIBE" else b"")

    with connected(pushing) as connection:
        assert connection.is_answered(connection.subscribe("s", {"destination": "q"}), within_ms=SOON_MS)
        message = connection.message("s", within_ms=SOON_MS)
        assert message is not None
        assert message.ack == "7"
        assert connection.message("s", within_ms=NOT_YET_MS) is None
        assert connection.is_answered(connection.unsubscribe("s"), within_ms=SOON_MS)


def test_the_end_of_a_connection_is_no_answer() -> None:
    with connected(receipt) as connection:
        connection.drop()
        with pytest.raises(ConnectionLost):
            connection.ask("SEND", {})


def test_a_broker_that_refuses_to_connect_is_said() -> None:
    def refusing(command: str, headers: dict[str, str]) -> bytes:
        return b"ERROR\nmessage:no\n\n\0"

    with pytest.raises(ConnectionLost, match=r"refused the connection: no$"), connected(refusing):
        pass


def test_a_refusal_counts_although_the_frame_after_the_refused_one_could_not_be_written() -> None:
    broken = threading.Event()

    def refusing(command: str, headers: dict[str, str]) -> bytes:
        if command != "SEND":
            return receipt(command, headers)
        broken.wait()
        return b"ERROR\nmessage:full\n\n\0"

    with connected(refusing) as connection:
        write = connection._library.send_frame

        def write_until_begin(command: str, *rest: object) -> None:
            if command == "BEGIN":
                broken.set()
                raise BrokenPipeError(32, "Broken pipe")
            write(command, *rest)

        connection._library.send_frame = write_until_begin
        answer = connection.tell("SEND", {"destination": "q"}, b"x")
        assert connection.is_answered(answer, within_ms=SOON_MS)
        assert answer.refusal == "full"
