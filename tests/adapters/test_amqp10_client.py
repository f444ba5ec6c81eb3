"""The AMQP client shows what a real broker does, and a call that hangs is a result."""

import itertools
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from tests.waiting import eventually
from tidegate.adapters.amqp10.client import Connection
from tidegate.adapters.amqp10.coordinator import Coordinator
from tidegate.adapters.amqp10.links import Sender
from tidegate.adapters.artemis.broker import Broker
from tidegate.adapters.artemis.management import Management
from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused
from tidegate.adapters.process.ports import LOOPBACK, free_ports

pytestmark = pytest.mark.real_broker
NAMES = (f"client-test-{number}" for number in itertools.count())
LIMIT = 10_000
BLOCK = {"maxSizeBytes": LIMIT, "addressFullMessagePolicy": "BLOCK", "pageSizeBytes": 100}


@pytest.fixture
def management(broker: Broker) -> Iterator[Management]:
    """The broker's management."""
    opened = Management(broker.host, broker.unconfigured_port)
    yield opened
    opened.close()


@pytest.fixture
def queue(management: Management) -> Iterator[str]:
    """A queue of its own, blocking at `LIMIT` bytes."""
    name = next(NAMES)
    management.add_address_settings(name, **BLOCK)
    management.create_queue(name, address=name)
    yield name
    management.delete_address(name)
    management.remove_address_settings(name)


@pytest.fixture
def connection(broker: Broker) -> Iterator[Connection]:
    """A connection to the acceptor with a configured credit window."""
    opened = Connection(broker.host, broker.windowed_port, "client-test")
    yield opened
    opened.close()


def test_the_broker_says_its_version(management: Management, broker: Broker) -> None:
    assert management.version() == broker.version


def test_an_accepted_message_is_counted_charged_and_delivered_once(
    connection: Connection, queue: str, management: Management
) -> None:
    sent = connection.sender(queue).send("m1", bytes(100))
    assert sent is not None
    outcome = sent.wait(2000)
    assert outcome is not None and outcome.state == "accepted"
    assert management.messages(queue) == 1
    assert management.address_size(queue) > 100
    receiver = connection.receiver(queue)
    taken = receiver.take(2000)
    assert taken is not None and taken.message_id == "m1" and taken.content.body == bytes(100)
    assert management.delivering(queue) == 1
    assert receiver.take(0) is None


def test_credit_is_counted_as_it_is_issued(connection: Connection, queue: str) -> None:
    sender = connection.sender(queue)
    assert (sender.granted, sender.credit) == (100, 100)
    sent = sender.send("m1", b"")
    assert sent is not None and sent.wait(2000) is not None
    assert (sender.granted, sender.credit) == (100, 99)
    assert [(flow.credit, flow.added, flow.drained) for flow in sender.flows] == [(100, 100, False)]


def test_credit_issued_in_all_grows_with_a_refill(connection: Connection, queue: str, management: Management) -> None:
    management.add_address_settings(queue, addressFullMessagePolicy="PAGE")
    sender = connection.sender(queue)
    for number in range(70):
        assert (sender.granted, sender.credit) == (100, 100 - number)
        sent = sender.send(f"m{number}", b"")
        assert sent is not None and sent.wait(2000) is not None
    assert sender.wait_granted(170, 2000)
    assert (sender.granted, sender.credit) == (170, 100)
    assert [flow.added for flow in sender.flows] == [100, 70]


def test_credit_that_comes_between_two_sends_of_a_burst_is_counted(
    connection: Connection, queue: str, management: Management
) -> None:
    management.add_address_settings(queue, addressFullMessagePolicy="PAGE")
    sender = connection.sender(queue)
    sent = 0
    while sent < 2000:
        if sender.send(f"m{sent}", b"") is None:
            assert sender.wait_granted(sent + 1, 2000)
        else:
            sent += 1
    assert sender.wait_granted(sent + 31, 2000)
    assert sender.granted == sent + sender.credit


def test_a_rejection_takes_back_the_credit_left(connection: Connection, queue: str, management: Management) -> None:
    management.add_address_settings(queue, **BLOCK, maxSizeBytesRejectThreshold=LIMIT)
    sender = connection.sender(queue)
    for message_id in ("m1", "m2"):
        sent = sender.send(message_id, bytes(LIMIT))
        assert sent is not None and sent.wait(2000) is not None
    assert (sender.granted, sender.credit) == (100, 0)
    assert sender.flows[-1].drained


def test_without_credit_nothing_is_sent_until_space_is_freed(
    connection: Connection, queue: str, management: Management
) -> None:
    filling = connection.sender(queue).send("m1", bytes(LIMIT))
    assert filling is not None and filling.wait(2000) is not None
    latecomer = connection.sender(queue)
    assert not latecomer.wait_granted(1, 200)
    assert latecomer.send("m2", b"") is None
    assert management.messages(queue) == 1
    assert management.purge(queue) == 1
    assert latecomer.wait_granted(1, 2000)
    assert latecomer.send("m3", b"") is not None


def test_a_rejection_carries_the_brokers_reason(connection: Connection, queue: str, management: Management) -> None:
    management.add_address_settings(queue, **BLOCK, maxSizeBytesRejectThreshold=LIMIT)
    sender = connection.sender(queue)
    for message_id in ("m1", "m2"):
        sent = sender.send(message_id, bytes(LIMIT))
        assert sent is not None
        outcome = sent.wait(2000)
    assert outcome is not None
    assert (outcome.state, outcome.condition) == ("rejected", "amqp:resource-limit-exceeded")
    assert management.messages(queue) == 1


def test_takes_hand_out_every_message_in_order(connection: Connection, queue: str) -> None:
    sender, receiver = connection.sender(queue), connection.receiver(queue)
    for number in range(20):
        sent = sender.send(f"m{number}", b"")
        assert sent is not None and sent.wait(2000) is not None
    for number in range(20):
        taken = receiver.take(2000)
        assert taken is not None and taken.message_id == f"m{number}"
        receiver.accept(taken)
    assert receiver.take(0) is None


def test_what_a_killed_client_held_comes_back(broker: Broker, queue: str, connection: Connection) -> None:
    sent = connection.sender(queue).send("m1", b"")
    assert sent is not None and sent.wait(2000) is not None
    killed = Connection(broker.host, broker.windowed_port, "killed")
    assert killed.receiver(queue).take(2000) is not None
    killed.kill()
    assert killed.lost == "the client dropped the socket"
    taken = connection.receiver(queue).take(2000)
    assert taken is not None and taken.message_id == "m1"


def test_a_lost_connection_says_so(broker: Broker, queue: str) -> None:
    killed = Connection(broker.host, broker.windowed_port, "killed")
    sender = killed.sender(queue)
    killed.kill()
    with pytest.raises(ConnectionLost, match="the client dropped the socket"):
        sender.send("m1", b"")


def test_a_link_that_the_broker_refuses_says_why(connection: Connection, management: Management) -> None:
    management.add_address_settings("never-made", autoCreateQueues=False, autoCreateAddresses=False)
    with pytest.raises(Refused, match="amqp:not-found"):
        connection.sender("never-made")
    with pytest.raises(Refused, match="amqp:not-found"):
        connection.receiver("never-made")


def test_management_that_the_broker_refuses_says_why(management: Management) -> None:
    with pytest.raises(Refused, match=r"no-such-address"):
        management.address_size("no-such-address")


def transacted(connection: Connection, queue: str) -> tuple[Coordinator, Sender]:
    """A coordinator with an open transaction, and a sender whose messages belong to it."""
    coordinator = connection.coordinator("transactions")
    coordinator.begin()
    return coordinator, connection.sender(queue, "transactions", coordinator)


def told_in(sender: Sender, message_id: str, body: bytes) -> str:
    """The state of a message's outcome, with a mark where it holds in a transaction only."""
    sent = sender.send(message_id, body)
    outcome = None if sent is None else sent.wait(2000)
    assert outcome is not None
    return f"{outcome.state}{'' if outcome.transaction is None else ' in a transaction'}"


@pytest.mark.parametrize(("commits", "delivered"), [(True, ["m1", "m2"]), (False, [])])
def test_the_end_of_a_transaction_decides_on_its_messages(
    connection: Connection, queue: str, management: Management, commits: bool, delivered: list[str]
) -> None:
    coordinator, sender = transacted(connection, queue)
    assert [told_in(sender, each, bytes(100)) for each in ("m1", "m2")] == ["accepted in a transaction"] * 2
    assert management.messages(queue) == 0
    assert management.address_size(queue) > 200
    ended = coordinator.end(commits=commits, within_ms=2000)
    assert ended is not None and ended.state == "accepted"
    assert eventually(lambda: management.messages(queue) == len(delivered))
    assert (management.address_size(queue) > 0) is commits
    receiver = connection.receiver(queue)
    assert [taken.message_id for taken in iter(lambda: receiver.take(0), None)] == delivered


def test_transactions_follow_one_another_without_end(connection: Connection, queue: str) -> None:
    coordinator, _ = transacted(connection, queue)
    begun = [coordinator.transaction()]
    for number in range(250):  # more requests than the coordinator's first credits
        ended = coordinator.end(commits=number % 2 == 0, within_ms=2000)
        assert ended is not None and ended.state == "accepted"
        coordinator.begin()
        begun.append(coordinator.transaction())
    assert len(set(begun)) == len(begun)


def test_a_transaction_of_which_a_message_is_refused_is_not_committed(
    connection: Connection, queue: str, management: Management
) -> None:
    management.add_address_settings(queue, **BLOCK | {"addressFullMessagePolicy": "FAIL"})
    coordinator, sender = transacted(connection, queue)
    assert told_in(sender, "m1", bytes(LIMIT)) == "accepted in a transaction"
    assert told_in(sender, "m2", bytes(LIMIT)) == "rejected"
    ended = coordinator.end(commits=True, within_ms=2000)
    assert ended is not None and ended.state == "rejected"
    assert (management.messages(queue), management.address_size(queue)) == (0, 0)


def test_a_transaction_that_has_ended_is_refused(connection: Connection, queue: str) -> None:
    coordinator, _ = transacted(connection, queue)
    coordinator.end(commits=True, within_ms=2000)
    ended = coordinator.end(commits=True, within_ms=2000)
    assert ended is not None and ended.state == "rejected"


@pytest.mark.parametrize("last", ["close", "kill"])
def test_the_end_of_a_connection_rolls_back(broker: Broker, queue: str, management: Management, last: str) -> None:
    connection = Connection(broker.host, broker.windowed_port, "ends")
    _, sender = transacted(connection, queue)
    assert told_in(sender, "m1", bytes(100)) == "accepted in a transaction"
    getattr(connection, last)()
    assert eventually(lambda: management.address_size(queue) == 0)
    assert management.messages(queue) == 0


def test_nobody_there_is_a_lost_connection() -> None:
    (port,) = free_ports(1)
    with pytest.raises(ConnectionLost, match=f"no AMQP connection to {LOOPBACK}:{port}"):
        Connection(LOOPBACK, port, "client-test")


def test_a_peer_that_says_nothing_is_no_answer() -> None:
    with (
        socket.create_server((LOOPBACK, 0)) as silent,
        pytest.raises(NoAnswer, match="AMQP open within 200 ms"),
    ):
        Connection(LOOPBACK, silent.getsockname()[1], "client-test", watchdog_ms=200)


@contextmanager
def hanging(broker: Broker) -> Iterator[None]:
    """The broker's process stands still; a thread of it may run on for a moment, so each is seen to stand."""
    process = psutil.Process(broker.pid)
    process.suspend()
    try:
        while any(psutil.Process(thread.id).status() != psutil.STATUS_STOPPED for thread in process.threads()):
            time.sleep(0.01)
        yield
    finally:
        process.resume()


def test_a_broker_that_hangs_is_no_answer_and_not_a_hang(broker: Broker, queue: str) -> None:
    watched = Management(broker.host, broker.unconfigured_port, watchdog_ms=2000)
    with hanging(broker), pytest.raises(NoAnswer, match="within 2000 ms"):
        watched.address_size(queue)
    # the reply that comes late is not taken for the reply to a later request
    assert watched.version() == broker.version
    watched.close()


def test_a_connection_that_the_broker_does_not_close_is_dropped(broker: Broker) -> None:
    unanswered = Connection(broker.host, broker.windowed_port, "client-test", watchdog_ms=2000)
    with hanging(broker), pytest.raises(NoAnswer, match="within 2000 ms"):
        unanswered.close()
    assert unanswered.lost == "the client dropped the socket"
