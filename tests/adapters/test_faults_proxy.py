"""The proxy of faults passes bytes on unchanged, and stalls and cuts where it is told to, not a byte later."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tidegate.adapters.base import AdapterError, Outcome
from tidegate.adapters.errors import ConnectionLost
from tidegate.adapters.faults.cutting import CuttableConnections
from tidegate.adapters.faults.proxy import Proxy
from tidegate.adapters.process.ports import LOOPBACK

PATIENCE_SECONDS = 5.0
QUIET_SECONDS = 0.1
MANY = bytes(range(256)) * 4096


class Peer:
    """What listens behind the proxy: connections, read by hand."""

    def __init__(self) -> None:
        self._listener = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listener.getsockname()[1]
        self._ends: list[socket.socket] = []

    def accept(self) -> socket.socket:
        end, _ = self._listener.accept()
        end.settimeout(PATIENCE_SECONDS)
        self._ends.append(end)
        return end

    def close(self) -> None:
        self._listener.close()
        for end in self._ends:
            end.close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    listening = Peer()
    yield listening
    listening.close()


@pytest.fixture
def proxy(peer: Peer) -> Iterator[Proxy]:
    between = Proxy(LOOPBACK, peer.port)
    yield between
    between.close()


@pytest.fixture
def client(proxy: Proxy) -> Iterator[socket.socket]:
    with socket.create_connection((LOOPBACK, proxy.port), timeout=PATIENCE_SECONDS) as end:
        yield end


def read(end: socket.socket, size: int) -> bytes:
    """So many bytes, or fewer where the connection ends before."""
    found = b""
    with suppress(ConnectionResetError):
        while len(found) < size and (part := end.recv(size - len(found))):
            found += part
    return found


def hears_nothing(end: socket.socket) -> bool:
    end.settimeout(QUIET_SECONDS)
    try:
        end.recv(1)
    except TimeoutError:
        return True
    finally:
        end.settimeout(PATIENCE_SECONDS)
    return False


def test_bytes_pass_both_ways_as_they_are(peer: Peer, client: socket.socket) -> None:
    behind = peer.accept()
    behind.sendall(b"answer")
    client.sendall(MANY)
    assert read(behind, len(MANY)) == MANY
    assert read(client, 6) == b"answer"


def test_a_client_that_closes_is_closed_behind_the_proxy_too(peer: Peer, client: socket.socket) -> None:
    behind = peer.accept()
    client.sendall(b"last words")
    client.close()
    assert read(behind, 100) == b"last words"


def test_nothing_passes_while_it_is_stalled_and_all_of_it_afterwards(
    peer: Peer, proxy: Proxy, client: socket.socket
) -> None:
    behind = peer.accept()
    proxy.stall()
    client.sendall(b"question")
    behind.sendall(b"order")
    assert hears_nothing(behind)
    assert hears_nothing(client)
    proxy.unstall()
    assert read(behind, 8) == b"question"
    assert read(client, 5) == b"order"


def test_answers_are_held_alone(peer: Peer, proxy: Proxy, client: socket.socket) -> None:
    behind = peer.accept()
    proxy.hold_answers()
    client.sendall(b"question")
    assert read(behind, 8) == b"question"
    behind.sendall(b"answer")
    assert hears_nothing(client)


@pytest.mark.parametrize("passes", [1, 400, 70_000])
def test_the_proxy_cuts_after_exactly_as_many_bytes_as_asked(
    peer: Peer, proxy: Proxy, client: socket.socket, passes: int
) -> None:
    behind = peer.accept()
    client.sendall(b"hello")
    assert read(behind, 5) == b"hello"
    proxy.cut_after(passes)
    with suppress(ConnectionError):
        client.sendall(MANY)
    assert len(read(behind, len(MANY))) <= passes
    assert read(client, 1) == b""
    assert proxy.is_cut


def test_after_a_cut_another_connection_can_be_made(peer: Peer, proxy: Proxy, client: socket.socket) -> None:
    behind = peer.accept()
    proxy.cut()
    assert read(behind, 1) == read(client, 1) == b""
    with socket.create_connection((LOOPBACK, proxy.port), timeout=PATIENCE_SECONDS) as again:
        again.sendall(b"again")
        assert read(peer.accept(), 5) == b"again"


def test_where_nobody_listens_the_client_is_closed(peer: Peer, proxy: Proxy) -> None:
    peer.close()
    with socket.create_connection((LOOPBACK, proxy.port), timeout=PATIENCE_SECONDS) as client:
        assert read(client, 1) == b""


def test_a_connection_goes_straight_unless_it_was_made_one_that_can_be_cut(peer: Peer) -> None:
    connections = CuttableConnections()
    assert connections.port_for("plain", LOOPBACK, peer.port) == peer.port
    with pytest.raises(AdapterError, match="'plain' was not opened as one that can be cut"):
        connections.stall("plain")
    connections.add("c")
    assert connections.port_for("c", LOOPBACK, peer.port) == connections.port_for("c", LOOPBACK, peer.port) != peer.port
    connections.close()


def lost() -> Outcome:
    raise ConnectionLost("the broker closed the socket")


@pytest.mark.parametrize(
    ("send", "told"),
    [
        (lambda: Outcome.ACCEPTED, Outcome.UNSETTLED),
        (lambda: Outcome.BLOCKED, Outcome.BLOCKED),
        (lambda: Outcome.REJECTED, Outcome.REJECTED),
        (lost, Outcome.UNSETTLED),
    ],
)
def test_of_a_message_that_was_cut_nobody_knows_unless_it_was_refused(peer: Peer, send, told: Outcome) -> None:
    connections = CuttableConnections()
    connections.add("c")
    port = connections.port_for("c", LOOPBACK, peer.port)
    with socket.create_connection((LOOPBACK, port), timeout=PATIENCE_SECONDS):
        peer.accept()
        assert connections.cut_in("c", send, 400, arrives=True) is told
    connections.close()
