"""Proton counts references without a lock: what a thread made must not be dropped by another one."""

import gc
import threading
from collections.abc import Iterator
from typing import Any

import proton
import pytest
from proton._wrapper import Wrapper

from tests.waiting import eventually
from tidegate.adapters.amqp10.client import Connection
from tidegate.adapters.artemis.broker import Broker
from tidegate.adapters.artemis.management import Management
from tidegate.adapters.errors import ConnectionLost, Failed, Refused

pytestmark = pytest.mark.real_broker
QUEUE, QUEUE_OF_ERRORS = "native-test", "native-test-of-errors"
ROUNDS = 15
COUNTED: tuple[type[Any], ...] = (Wrapper, proton.Message, proton.Collector)
"""The classes of proton whose objects give memory back when they are dropped."""


class Ledger:
    """Which of proton's objects were made and dropped, and which were dropped by a thread that did not make them."""

    def __init__(self) -> None:
        self.made = 0
        self.dropped = 0
        self.strangers: set[str] = set()
        self._lock = threading.RLock()  # the collector may drop one while another is entered

    def watch(self, kind: type[Any], patch: pytest.MonkeyPatch) -> None:
        """Enter each object of this class from now on."""
        make, drop = kind.__init__, kind.__del__

        def made(native: Any, *arguments: Any, **named: Any) -> None:
            native.__dict__["made_by"] = threading.current_thread()
            with self._lock:
                self.made += 1
            make(native, *arguments, **named)

        def dropped(native: Any) -> None:
            maker, dropper = native.__dict__.get("made_by"), threading.current_thread()
            if maker is not None:
                with self._lock:
                    self.dropped += 1
                    if maker is not dropper:
                        self.strangers.add(f"{type(native).__name__} of {maker.name} dropped by {dropper.name}")
            drop(native)

        patch.setattr(kind, "__init__", made)
        patch.setattr(kind, "__del__", dropped)


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """All of proton's objects made during a test, with a garbage collector that runs all the time."""
    kept = Ledger()
    for kind in COUNTED:
        kept.watch(kind, monkeypatch)
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    yield kept
    gc.set_threshold(*threshold)


def use_every_call(broker: Broker, management: Management, last: str) -> None:
    """One connection through all that a client does, its errors too, up to its end."""
    connection = Connection(broker.host, broker.windowed_port, "native-test")
    sender, receiver = connection.sender(QUEUE), connection.receiver(QUEUE)
    for message_id in ("accepted", "held", "accepted-late"):
        sent = sender.send(message_id, b"body")
        assert sent is not None and sent.wait(2000) is not None
        # the broker may count a message after it has told the sender of it
        assert eventually(lambda: management.messages(QUEUE) > 0)
        taken = receiver.take(2000)
        assert taken is not None
        if message_id != "held":
            receiver.accept(taken)
    assert taken is not None
    coordinator = connection.coordinator("transactions")
    transacted = connection.sender(QUEUE, "transactions", coordinator)
    for commits in (True, False):
        coordinator.begin()
        assert transacted.send("transacted", b"body") is not None
        assert coordinator.end(commits=commits, within_ms=2000) is not None
    with pytest.raises(Failed, match="KeyError"):
        receiver.accept(taken)
    with pytest.raises(Refused):
        connection.receiver("native-test-absent")
    sender.close()
    getattr(connection, last)()
    with pytest.raises(ConnectionLost):
        receiver.accept(taken)
    management.purge(QUEUE)


def test_each_native_object_is_dropped_by_the_thread_that_made_it(broker: Broker, ledger: Ledger) -> None:
    management = Management(broker.host, broker.unconfigured_port)
    management.add_address_settings("native-test-absent", autoCreateQueues=False, autoCreateAddresses=False)
    management.create_queue(QUEUE, address=QUEUE)
    for _ in range(ROUNDS):
        use_every_call(broker, management, "close")
        use_every_call(broker, management, "kill")
    management.delete_address(QUEUE)
    management.close()
    assert ledger.strangers == set()
    # the end of a connection is the end of all that was its own: nothing is left for the garbage collector
    assert ledger.dropped == ledger.made > ROUNDS * 100


def test_an_error_of_the_client_library_leaves_its_words_and_nothing_else(broker: Broker) -> None:
    connection = Connection(broker.host, broker.windowed_port, "native-test")
    management = Management(broker.host, broker.unconfigured_port)
    management.create_queue(QUEUE_OF_ERRORS, address=QUEUE_OF_ERRORS)
    sent = connection.sender(QUEUE_OF_ERRORS).send("m1", b"")
    receiver = connection.receiver(QUEUE_OF_ERRORS)
    taken = receiver.take(2000)
    assert sent is not None and taken is not None
    receiver.accept(taken)
    with pytest.raises(Failed) as caught:
        receiver.accept(taken)
    assert str(caught.value) == "KeyError: 1"
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert "native.py" in caught.value.__notes__[0]
    management.delete_address(QUEUE_OF_ERRORS)
    management.close()
    connection.close()
