"""The AMQP 0-9-1 client shows what a real broker does, and a call that hangs is a result."""

import itertools
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psutil
import pytest

from tidegate.adapters.amqp091.channel import Channel, Taken
from tidegate.adapters.amqp091.client import Connection
from tidegate.adapters.base import Depth, Limits
from tidegate.adapters.errors import ConnectionLost, Failed, NoAnswer, Refused
from tidegate.adapters.process.brokers import usual_version
from tidegate.adapters.process.ports import LOOPBACK, free_ports
from tidegate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from tidegate.adapters.qpid.broker_j import BrokerJ

pytestmark = pytest.mark.real_broker
NAMES = (f"client-test-{number}" for number in itertools.count())
CAPACITY = 10_000
GATED = Limits(limit_bytes=CAPACITY, resume_bytes=CAPACITY // 2)
PATIENCE_MS = 10_000


@pytest.fixture(scope="module")
def broker() -> Iterator[BrokerJ]:
    """A running Broker-J without an adapter around it."""
    started = BrokerJ(usual_version("qpid"))
    started.start()
    yield started
    started.stop()


@pytest.fixture
def queue(broker: BrokerJ) -> Iterator[str]:
    """A queue of its own, gated at `CAPACITY` bytes."""
    name = next(NAMES)
    broker.create_queue(name, GATED)
    yield name
    broker.delete_queue(name)


def connect(broker: BrokerJ, name: str = "client-test", *, watchdog_ms: int = PATIENCE_MS) -> Connection:
    return Connection(
        broker.host,
        broker.amqp_port,
        name,
        vhost=VIRTUAL_HOST,
        user=USER,
        password=PASSWORD,
        watchdog_ms=watchdog_ms,
    )


@pytest.fixture
def connection(broker: BrokerJ) -> Iterator[Connection]:
    opened = connect(broker)
    yield opened
    opened.close()


def comes_to_be(channel: Channel, *, stopped: bool) -> bool:
    """Whether an order that another client's deed gives rise to is seen in time."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while channel.stopped is not stopped and time.monotonic() < deadline:
        channel.barrier()
    return channel.stopped is stopped


def test_the_broker_says_what_it_is(connection: Connection, broker: BrokerJ) -> None:
    assert connection.server["version"] == broker.version


def test_a_confirmed_message_is_counted_and_delivered_once(connection: Connection, queue: str, broker: BrokerJ) -> None:
    channel = connection.channel(confirms=True)
    sent = channel.publish("", queue, "m1", bytes(100))
    assert sent is not None and sent.wait(PATIENCE_MS) == "accepted"
    assert broker.depth(queue).messages == 1
    taken = channel.get(queue)
    assert taken is not None and (taken.message_id, taken.body) == ("m1", bytes(100))
    assert channel.get(queue) is None
    channel.acknowledge(taken)
    channel.barrier()
    assert broker.depth(queue) == Depth(0, 0)


def test_a_barrier_says_that_what_was_published_before_is_handled(
    connection: Connection, queue: str, broker: BrokerJ
) -> None:
    channel = connection.channel()
    for number in range(1, 21):
        assert channel.publish("", queue, f"m{number}", b"") is not None
        channel.barrier()
        assert broker.depth(queue).messages == number


def test_without_confirms_nothing_is_ever_said_of_a_message(connection: Connection, queue: str) -> None:
    channel = connection.channel()
    sent = channel.publish("", queue, "m1", b"")
    channel.barrier()
    assert sent is not None and sent.wait(100) is None


def test_an_order_to_stop_is_obeyed_until_it_is_taken_back(connection: Connection, queue: str, broker: BrokerJ) -> None:
    channel = connection.channel()
    assert channel.publish("", queue, "m1", bytes(CAPACITY)) is not None
    assert comes_to_be(channel, stopped=True)
    assert channel.publish("", queue, "m2", b"") is None
    channel.barrier()
    assert broker.depth(queue).messages == 1
    broker.purge(queue)
    assert comes_to_be(channel, stopped=False)
    assert [order.stop for order in channel.orders] == [True, False]
    assert channel.publish("", queue, "m3", b"") is not None
    channel.barrier()
    assert broker.depth(queue).messages == 1


def test_a_client_that_does_not_know_the_order_sends_on(connection: Connection, queue: str, broker: BrokerJ) -> None:
    channel = connection.channel(obeys=False)
    for message_id in ("m1", "m2"):
        assert channel.publish("", queue, message_id, bytes(CAPACITY)) is not None
        channel.barrier()
        assert comes_to_be(channel, stopped=True)
    assert broker.depth(queue).messages == 2


def test_an_order_is_about_one_channel(connection: Connection, queue: str) -> None:
    first, second = connection.channel(), connection.channel()
    first.publish("", queue, "m1", bytes(CAPACITY))
    assert comes_to_be(first, stopped=True)
    second.barrier()
    assert not second.stopped


def test_messages_come_in_order(connection: Connection, queue: str) -> None:
    channel = connection.channel()
    for number in range(20):
        channel.publish("", queue, f"m{number}", b"")
    channel.barrier()
    taken = [channel.get(queue) for _ in range(20)]
    assert [each and each.message_id for each in taken] == [f"m{number}" for number in range(20)]


def test_a_fanout_exchange_reaches_every_queue_bound_to_it(connection: Connection) -> None:
    channel, names = connection.channel(), [next(NAMES), next(NAMES)]
    channel.declare_exchange("both", "fanout")
    for name in names:
        assert channel.declare_queue(name) == 0
        channel.bind_queue(name, "both")
    channel.publish("both", "", "m1", b"")
    channel.barrier()
    assert [channel.declare_queue(name, passive=True) for name in names] == [1, 1]
    assert channel.purge_queue(names[0]) == 1
    for name in names:
        channel.delete_queue(name)
    channel.delete_exchange("both")
    with pytest.raises(Refused, match="not found"):
        channel.declare_queue(names[0], passive=True)


def test_a_channel_that_the_broker_closed_says_why(connection: Connection) -> None:
    channel = connection.channel()
    channel.publish("no-such-exchange", "", "m1", b"")
    with pytest.raises(Refused, match=r"404 Unknown exchange name: 'no-such-exchange'"):
        channel.barrier()
    with pytest.raises(Refused, match="the channel was closed: 404"):
        channel.publish("", "anything", "m2", b"")
    connection.channel().barrier()


@pytest.mark.parametrize(
    "use",
    [
        lambda channel: channel.barrier(),
        lambda channel: channel.publish("", "anything", "m2", b""),
        lambda channel: channel.get("anything"),
        lambda channel: channel.acknowledge(Taken("m", b"", 1)),
    ],
    ids=["barrier", "publish", "get", "acknowledge"],
)
def test_a_channel_that_is_closed_while_the_client_comes_to_it_says_why(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, use: Callable[[Channel], object]
) -> None:
    channel = closed_when_the_client_comes_to_it(connection, monkeypatch)
    with pytest.raises(Refused, match="the channel was closed: 404"):
        use(channel)
    connection.channel().barrier()  # by nothing that was sent on the closed channel did the connection end


def test_a_channel_that_is_closed_while_it_is_to_be_closed_stays_as_it_is(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = closed_when_the_client_comes_to_it(connection, monkeypatch)
    channel.close()
    assert str(channel.closed).startswith("404")


def closed_when_the_client_comes_to_it(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> Channel:
    """A channel of which the caller finds that it is open, and the client's thread that the broker closed it."""
    channel = connection.channel()
    engine = channel._engine
    order = engine.order

    def late(work: Callable[[Any], Any], *, within_ms: int) -> Any:
        monkeypatch.undo()
        order(lambda _: channel._channel.basic_publish("no-such-exchange", "", b""), within_ms=within_ms)
        assert not channel.wait(lambda: False, PATIENCE_MS)
        assert channel.closed is not None
        return order(work, within_ms=within_ms)

    monkeypatch.setattr(engine, "order", late)
    return channel


def test_what_a_killed_client_held_comes_back(broker: BrokerJ, queue: str, connection: Connection) -> None:
    channel = connection.channel()
    channel.publish("", queue, "m1", b"")
    channel.barrier()
    killed = connect(broker, "killed")
    assert killed.channel().get(queue) is not None
    assert channel.get(queue) is None
    killed.kill()
    assert killed.lost == "the client dropped the socket"
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while (taken := channel.get(queue)) is None and time.monotonic() < deadline:
        pass
    assert taken is not None and taken.message_id == "m1"


def test_a_lost_connection_says_so(broker: BrokerJ, queue: str) -> None:
    killed = connect(broker, "killed")
    channel = killed.channel()
    killed.kill()
    with pytest.raises(ConnectionLost, match="the client dropped the socket"):
        channel.publish("", queue, "m1", b"")
    killed.close()


def test_a_connection_that_is_lost_while_it_waits_is_no_refusal(broker: BrokerJ) -> None:
    for _ in range(20):
        killed = connect(broker, "killed")
        channel = killed.channel()
        with hanging(broker), ThreadPoolExecutor(1) as waiting:
            barrier = waiting.submit(channel.barrier)
            killed.kill()
            with pytest.raises(ConnectionLost):
                barrier.result()


def test_nobody_there_is_a_lost_connection() -> None:
    (port,) = free_ports(1)
    with pytest.raises(ConnectionLost, match=f"no AMQP connection to {LOOPBACK}:{port}: .*refused"):
        Connection(LOOPBACK, port, "client-test")


def test_a_broker_that_does_not_let_in_says_why(broker: BrokerJ) -> None:
    with pytest.raises(ConnectionLost, match="Unknown virtual host: 'nowhere'"):
        Connection(broker.host, broker.amqp_port, "client-test", vhost="nowhere")
    with pytest.raises(ConnectionLost, match="Authentication failed"):
        Connection(broker.host, broker.amqp_port, "client-test", vhost=VIRTUAL_HOST, password="wrong")


def test_a_peer_that_says_nothing_is_no_answer() -> None:
    with (
        socket.create_server((LOOPBACK, 0)) as silent,
        pytest.raises(NoAnswer, match="AMQP open within 200 ms"),
    ):
        Connection(LOOPBACK, silent.getsockname()[1], "client-test", watchdog_ms=200)


def test_an_error_of_the_client_is_told_in_its_words(connection: Connection) -> None:
    with pytest.raises(Failed, match="AssertionError: A non-string value"):
        connection.channel().publish(7, "", "m1", b"")  # type: ignore[arg-type]


@contextmanager
def hanging(broker: BrokerJ) -> Iterator[None]:
    """The broker's process stands still; a thread of it may run on for a moment, so each is seen to stand."""
    process = psutil.Process(broker.pid)
    process.suspend()
    try:
        while any(psutil.Process(thread.id).status() != psutil.STATUS_STOPPED for thread in process.threads()):
            time.sleep(0.01)
        yield
    finally:
        process.resume()


def test_a_broker_that_hangs_is_no_answer_and_not_a_hang(broker: BrokerJ) -> None:
    watched = connect(broker, watchdog_ms=2000)
    channel = watched.channel()
    with hanging(broker), pytest.raises(NoAnswer, match="no answer to a barrier within 2000 ms"):
        channel.barrier()
    watched.kill()


def test_a_connection_that_the_broker_does_not_close_is_dropped(broker: BrokerJ) -> None:
    unanswered = connect(broker, watchdog_ms=2000)
    with hanging(broker), pytest.raises(NoAnswer, match="within 2000 ms"):
        unanswered.close()
    assert unanswered.lost == "the client dropped the socket"
