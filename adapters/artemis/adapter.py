"""The adapter contract on a real Artemis: AMQP verbs through the client, observation through management."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from headgate.adapters.artemis.broker import CREDIT, CREDIT_LOW, DEFAULT_VERSION, Broker
from headgate.adapters.artemis.reproduce import reproducer
from headgate.adapters.artemis.settings import built_in_settings, limits_in_force, settings_of
from headgate.adapters.base import (
    DEFAULT_OPTIONS,
    AdapterError,
    Call,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
)
from headgate.adapters.charge import Charge, calibrated
from headgate.record.errors import Unavailable
from headgate.record.report import Check

try:
    from headgate.adapters.amqp10.client import Connection
    from headgate.adapters.amqp10.content import Content
    from headgate.adapters.amqp10.links import Receiver, Sender, Taken
    from headgate.adapters.artemis.management import Management
except ImportError as error:
    raise Unavailable(
        "the artemis adapter needs python-qpid-proton: pip install 'headgate[artemis]', which takes "
        f"a C compiler and the headers of Python ({error})"
    ) from error

SCALE = 500
"""The suite's figures times this are sizes that messages can have: 1 byte becomes 500 bytes."""
EVENTUALLY_MS = 2000
NEVER_MS = 100
POLL_SECONDS = 0.001
SCRATCH = "headgate-calibration"
OUTCOMES = {
    "accepted": Outcome.ACCEPTED,
    "rejected": Outcome.REJECTED,
    "released": Outcome.REJECTED,
    "modified": Outcome.REJECTED,
}


class ArtemisAdapter:
    """Each destination is an address with one queue of its name.

    A destination with a credit window configured is reached over the acceptor that has it; one without, over
    the acceptor where nothing is configured. Artemis has no resume level: a `resume_bytes` is left out.
    """

    capabilities = frozenset(
        {
            *("address-limit", "amqp-credit", "reject-threshold", "limits-readable", "artemis-log"),
            *("changed-limits", "purge", "topics", "anonymous-producers", "close-clients", "kill-clients"),
            "management-block",
        }
    )

    def __init__(self, version: str = DEFAULT_VERSION):
        profile = "artemis" if version == DEFAULT_VERSION else f"artemis:{version}"
        self.identity = Identity("Artemis", version, "AMQP 1.0", profile)
        self.parameters = Parameters(SCALE, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS)
        self.log_path = Path()
        self._broker = Broker(version)
        self._management: Management | None = None
        self._charge: Charge | None = None
        self._built_in: dict[str, str] | None = None
        self._log_read = 0
        self._ports: dict[str, int] = {}
        self._sources: dict[str, str] = {}
        """What a consumer of a topic attaches to."""
        self._configured: set[str] = set()
        self._connections: dict[tuple[str, int], Connection] = {}
        self._senders: dict[str, Sender] = {}
        self._receivers: dict[str, tuple[Receiver, str]] = {}
        self._taken: dict[tuple[str, str], Taken] = {}

    def start(self) -> None:
        """Fetch and start the broker, and find out what it charges."""
        try:
            self._broker.start()
            self.log_path = self._broker.log
            self._management = Management(self._broker.host, self._broker.unconfigured_port)
            self.identity = replace(self.identity, version=self._management.version())
            self._calibrate()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the broker; its log goes with it. A broker that hangs is not waited for by the client."""
        with ExitStack() as every:
            every.callback(self._broker.stop)
            if self._management is not None:
                every.callback(self._management.kill)
                self._management = None
            for connection in self._connections.values():
                every.callback(connection.kill)
            self._forget()

    def declare(self, destination: str, limits: Limits) -> None:
        """An address and its queue. AdapterError for a credit window that the broker was not started with."""
        self._configure(destination, limits)
        self._managed.create_queue(destination, address=destination)

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """An address with multicast routing, and one queue on it that gets a copy of every message."""
        self._configure(destination, limits)
        self._managed.create_queue(destination, address=destination, multicast=True)
        self._sources[destination] = f"{destination}::{destination}"

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Other address settings, which act at once; what `limits` leaves open is then unset."""
        self._managed.remove_address_settings(destination)
        self._configure(destination, limits)

    def limits_in_force(self, destination: str) -> Limits:
        """What management says is set, and for the rest what Artemis' own classes take."""
        if self._built_in is None:
            self._built_in = built_in_settings(self._broker.jars)
        return limits_in_force(self._managed.address_settings(destination), self._built_in)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """A sender link, in a session of its own."""
        if len(destinations) != 1:
            raise AdapterError("an AMQP sender link has one address")
        self._senders[producer] = self._connected(connection, destinations[0]).sender(destinations[0])

    def open_anonymous_producer(self, producer: str, connection: str) -> None:
        """A sender link without an address, over the acceptor that has a window."""
        self._senders[producer] = self._over(connection, self._broker.windowed_port).sender(None)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """A receiver link that issues no credit by itself."""
        source = self._sources.get(destination, destination)
        receiver = self._connected(connection, destination).receiver(source)
        self._receivers[consumer] = receiver, destination

    def close_producer(self, producer: str) -> None:
        """Detach the sender link."""
        self._senders.pop(producer).close()

    def close_consumer(self, consumer: str) -> None:
        """Detach the receiver link; the broker puts back what was not accepted."""
        self._receivers.pop(consumer)[0].close()
        for key in [key for key in self._taken if key[0] == consumer]:
            del self._taken[key]

    def kill(self, connection: str) -> None:
        """Drop the sockets of the connection."""
        for key in [key for key in self._connections if key[0] == connection]:
            self._connections.pop(key).kill()

    def purge(self, destination: str) -> None:
        """removeAllMessages of the destination's queue."""
        self._managed.purge(destination)

    def block(self, destination: str) -> None:
        """The operation `block` of the address."""
        if not self._managed.block(destination):
            raise AdapterError(f"the broker does not block {destination}")

    def unblock(self, destination: str) -> None:
        """The operation `unblock` of the address."""
        self._managed.unblock(destination)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """A message that is not durable, of the size that it is charged."""
        return self._send(producer, Content(message_id, self._body(message_id, size_bytes)))

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """The same with the address in the message, which takes some of its bytes."""
        address = Content(message_id, b"", to=destination).encoded_bytes - Content(message_id, b"").encoded_bytes
        return self._send(producer, Content(message_id, self._body(message_id, size_bytes - address), to=destination))

    def take(self, consumer: str) -> Delivery | None:
        """The next message; none if management counts none that waits, or none comes in `EVENTUALLY_MS`."""
        receiver, destination = self._receivers[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while (taken := receiver.take(0)) is None:
            if not self._managed.waiting(destination) or time.monotonic() > deadline:
                return None
        self._taken[consumer, taken.message_id] = taken
        return Delivery(taken.message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Accept a message and wait until management counts it no more: AMQP answers no acknowledgement."""
        receiver, destination = self._receivers[consumer]
        taken = self._taken.pop((consumer, message_id), None)
        if taken is None:
            raise AdapterError(f"message {message_id!r} was not handed out to {consumer!r}")
        before = self.depth(destination)
        receiver.accept(taken)
        self._wait_removed(destination, before)

    def depth(self, destination: str) -> Depth:
        """AddressSize and MessageCount of the address."""
        return Depth(self._managed.address_size(destination), self._managed.messages(destination))

    def standing(self, producer: str) -> Standing:
        """Stopped is without credit."""
        sender = self._senders[producer]
        if sender.refused is not None:
            raise AdapterError(f"the broker detached producer {producer!r}: {sender.refused}")
        return Standing(sender.credit <= 0, sender.granted, sender.credit)

    def advance(self, ms: int) -> None:
        """Sleep."""
        time.sleep(ms / 1000)

    def end_scenario(self) -> None:
        """Close all connections, delete all addresses and their settings; each is tried."""
        with ExitStack() as every:
            every.callback(self._forget)
            for destination in self._configured:
                every.callback(self._managed.remove_address_settings, destination)
            for destination in self._ports:
                every.callback(self._managed.delete_address, destination)
            for connection in self._connections.values():
                every.callback(connection.close)

    def log_lines(self) -> list[str]:
        """Whole lines that the broker wrote since this was last asked."""
        with self.log_path.open("rb") as log:
            log.seek(self._log_read)
            whole, newline, _ = log.read().rpartition(b"\n")
        self._log_read += len(whole) + len(newline)
        return whole.decode("utf-8", errors="replace").splitlines()

    def reproducer(self, sentence: str, check: Check, calls: Sequence[Call]) -> str:
        """A script that repeats the calls with python-qpid-proton alone; AdapterError if never started."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return reproducer(self.identity.version, sentence, check, calls, self._charge.body_bytes)

    @property
    def _managed(self) -> Management:
        if self._management is None:
            raise AdapterError("the adapter was not started")
        return self._management

    def _configure(self, destination: str, limits: Limits) -> None:
        window = (limits.credit, limits.credit_low)
        if window not in ((None, None), (CREDIT, CREDIT_LOW)):
            raise AdapterError(f"this broker issues {CREDIT} credits and refills at {CREDIT_LOW}, not {window}")
        windowed = limits.credit is not None
        broker = self._broker
        self._ports[destination] = broker.windowed_port if windowed else broker.unconfigured_port
        if settings := settings_of(limits):
            self._configured.add(destination)
            self._managed.add_address_settings(destination, **settings)

    def _connected(self, connection: str, destination: str) -> Connection:
        if destination not in self._ports:
            raise AdapterError(f"the destination {destination!r} was not declared")
        return self._over(connection, self._ports[destination])

    def _over(self, connection: str, port: int) -> Connection:
        key = connection, port
        if key not in self._connections:
            self._connections[key] = Connection(self._broker.host, port, connection)
        return self._connections[key]

    def _body(self, message_id: str, size_bytes: int) -> bytes:
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return bytes(self._charge.body_bytes(size_bytes, message_id))

    def _send(self, producer: str, content: Content) -> Outcome:
        sent = self._senders[producer].send_content(content)
        if sent is None:
            return Outcome.BLOCKED
        outcome = sent.wait(EVENTUALLY_MS)
        return Outcome.UNSETTLED if outcome is None else OUTCOMES[outcome.state]

    def _calibrate(self) -> None:
        self.declare(SCRATCH, Limits())
        self.open_producer(SCRATCH, SCRATCH, (SCRATCH,))
        self._charge = calibrated(self._charged)
        self.end_scenario()
        notes = {
            "charge_beyond_body_and_id_bytes": self._charge.short,
            "charge_beyond_long_body_and_id_bytes": self._charge.long,
            "credit_configured": CREDIT,
            "credit_low_configured": CREDIT_LOW,
            "global_max_size_bytes": int(self._managed.attribute("broker", "GlobalMaxSize")),
        }
        self.parameters = replace(self.parameters, smallest_message_bytes=SCALE, notes=notes)

    def _charged(self, message_id: str, body_bytes: int) -> int:
        before = self._managed.address_size(SCRATCH)
        sent = self._senders[SCRATCH].send(message_id, bytes(body_bytes))
        outcome = None if sent is None else sent.wait(EVENTUALLY_MS)
        if outcome is None or outcome.state != "accepted":
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return self._managed.address_size(SCRATCH) - before

    def _wait_removed(self, destination: str, before: Depth) -> None:
        """Wait until a message is gone and the size has come to rest; not at all longer than `EVENTUALLY_MS`.

        A broker that keeps it is no error here: who looks at the depth afterwards sees that.
        """
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        last, seen = before, self.depth(destination)
        while (seen.messages >= before.messages or seen != last) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            last, seen = seen, self.depth(destination)

    def _forget(self) -> None:
        for known in (self._ports, self._sources, self._connections, self._senders, self._receivers, self._taken):
            known.clear()
        self._configured.clear()
