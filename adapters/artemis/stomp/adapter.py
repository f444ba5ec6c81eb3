"""The adapter contract on a real Artemis by STOMP: clients by stomp.py, the rest by management."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, replace
from functools import partial

from tidegate.adapters.artemis.broker import DEFAULT_VERSION, Broker
from tidegate.adapters.artemis.generation import lacking
from tidegate.adapters.artemis.managed import EVENTUALLY_MS, NEVER_MS, POLL_SECONDS, SCRATCH, ManagedArtemis
from tidegate.adapters.artemis.stomp.broker import StompBroker
from tidegate.adapters.artemis.stomp.charge import ADDRESS, StompCharge, calibrated
from tidegate.adapters.artemis.stomp.consumer import ID, Consumer
from tidegate.adapters.artemis.stomp.producer import Producer
from tidegate.adapters.artemis.stomp.reproduce import recording
from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    AdapterError,
    Call,
    Delivery,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
    Unsupported,
    only,
)
from tidegate.adapters.groups import Settlement
from tidegate.adapters.selectors import NO_MESSAGE
from tidegate.adapters.stomp.client import StompConnection
from tidegate.record.report import Recording, ScriptTemplate

PROFILE = "artemis-stomp"
SCALE = 2000
"""The factor from the suite's figures to possible sizes of messages: no message is charged less than 1,500 bytes."""
PROPERTY = "a value that is as long as such values are"
CLOSE_MS = 1000
"""How long, in ms, the broker may take to answer a client that disconnects."""


class ArtemisStompAdapter(ManagedArtemis):
    """STOMP clients, each on a connection of its own. AMQP credits in limits are ignored."""

    kind_of_broker: type[Broker] = StompBroker
    durable_subscriptions = True  # the end of a subscription deletes a queue of a topic that is not durable
    capabilities: frozenset[str] = frozenset(
        {
            *("address-limit", "message-limit", "refusing-policy", "dropping-policy", "page-limit", "limits-readable"),
            *("default-limits", "pattern-limits", "file-limits", "shared-limits", "changed-limits"),
            *("late-answers", "asynchronous-sends", "transactions", "message-properties"),
            *("topics", "anonymous-producers", "close-clients", "kill-clients", "restarts-broker", "pauses-broker"),
            *("purge", "moves-messages", "lists-messages", "expiring-messages", "dead-letters", "returned-messages"),
            *("recreated-destinations", "filtering-consumers", "traffic-readable", "counts-expired", "counts-bytes"),
            *("artemis-log", "usage-shown", "ordered-messages"),
        }
    )

    def __init__(self, version: str = DEFAULT_VERSION):
        super().__init__(version, "Artemis STOMP", PROFILE, "STOMP 1.2")
        self.capabilities = type(self).capabilities - lacking(version)
        self.parameters = Parameters(SCALE, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS)
        self._charge: StompCharge | None = None
        self._producers: dict[str, Producer] = {}
        self._consumers: dict[str, Consumer] = {}
        self._targets: dict[str, str] = {}
        """The address of each producer that has one."""
        self._consumed: dict[str, str] = {}
        """The destination of each consumer."""
        self._lines: dict[str, set[str]] = {}
        """The names of the producers and consumers of each connection."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a connection for a producer; its messages are persistent on a broker that keeps its data."""
        self._targets[producer] = only(destinations)
        self._open_producer(producer, connection, options)

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Open a connection for a producer: each SEND frame names its destination anyway."""
        if session:
            raise Unsupported("a STOMP connection has one session")
        self._open_producer(producer, connection, DEFAULT_OPTIONS)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a connection for a consumer, which subscribes whenever it takes a message."""
        is_topic = destination in self._multicast
        source = f"{destination}::{destination}" if is_topic else destination
        self._consumers[consumer] = Consumer(self._connected(), source)
        self._consumed[consumer] = destination
        self._lines.setdefault(connection, set()).add(consumer)

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer that subscribes at once, with a selector that no message matches."""
        self.open_consumer(consumer, connection, destination)
        self._consumers[consumer].attach(NO_MESSAGE)

    def close_producer(self, producer: str) -> None:
        """Disconnect."""
        self._producers.pop(producer).close(within_ms=CLOSE_MS)

    def close_consumer(self, consumer: str) -> None:
        """Disconnect; the broker puts back the messages that were not acknowledged."""
        self._consumers.pop(consumer).close(within_ms=CLOSE_MS)
        self._wait(partial(self._has_back, self._consumed.pop(consumer)))

    def kill(self, connection: str) -> None:
        """Close the sockets of the connection's clients, and wait until the broker has noticed."""
        names = self._lines.pop(connection)
        clients: list[Producer | Consumer] = [self._producers.pop(each) for each in names & self._producers.keys()]
        clients += [self._consumers.pop(each) for each in names & self._consumers.keys()]
        fewer = self._connections() - sum(client.is_connected for client in clients)
        for client in clients:
            client.drop()
        self._wait(lambda: self._connections() <= fewer)
        for consumer in names & self._consumed.keys():
            self._wait(partial(self._has_back, self._consumed.pop(consumer)))

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message that is charged this size."""
        return self._send(producer, self._targets[producer], message_id, size_bytes, {})

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message with the time at which it expires."""
        expires = {"expires": str(int(time.time() * 1000) + lives_ms)}
        return self._send(producer, self._targets[producer], message_id, size_bytes, expires)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message to a destination."""
        return self._send(producer, destination, message_id, size_bytes, {})

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        return self._producers[producer].commit()

    def rollback(self, producer: str) -> None:
        """Roll the transaction back."""
        self._producers[producer].rollback()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The outcomes of messages whose answer came late, and the reasons of refusals."""
        return self._producers[producer].settlements()

    def take(self, consumer: str) -> Delivery | None:
        """The next message; None if management counts none that may come, or none comes in `EVENTUALLY_MS`."""
        destination = self._consumed[consumer]
        message_id = self._consumers[consumer].take(partial(self._may_come, destination), EVENTUALLY_MS)
        return None if message_id is None else Delivery(message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message, and wait until management no longer counts it."""
        self._settle("ACK", consumer, message_id)

    def give_up(self, consumer: str, message_id: str) -> None:
        """Send NACK for a message, which Artemis then removes, and wait until management no longer counts it."""
        self._settle("NACK", consumer, message_id)

    def give_back(self, consumer: str) -> None:
        """Give the messages back, and wait until management no longer counts them as delivered."""
        self._consumers[consumer].give_back()
        self._wait(partial(self._has_back, self._consumed[consumer]))

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: it is stopped while the broker owes it an answer."""
        return Standing(self._producers[producer].waits())

    def script_template(self) -> ScriptTemplate:
        """The template, with the form of settings in this version's management, the parts of the charge, and the
        options of the acceptor.

        Raises AdapterError if the adapter was never started.
        """
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        values = {"form": self._form, "charge": astuple(self._charge), "options": ";".join(StompBroker.further_options)}
        return ScriptTemplate("tidegate.adapters.artemis.stomp", values)

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with a socket repeats them."""
        self.check_script(calls)
        return recording(calls)

    def _open_producer(self, producer: str, connection: str, options: ProducerOptions) -> None:
        options = replace(options, persistent=options.persistent or self._broker.durable)
        self._producers[producer] = Producer(producer, options, self._connected, EVENTUALLY_MS)
        self._lines.setdefault(connection, set()).add(producer)

    def _connected(self) -> StompConnection:
        return StompConnection(self._broker.host, self._broker.further_port)

    @property
    def _clients(self) -> Sequence[Producer | Consumer]:
        return (*self._producers.values(), *self._consumers.values())

    def _in_hand(self, destination: str) -> int:
        """The messages of a destination that consumers were handed and have not settled."""
        return sum(client.in_hand for name, client in self._consumers.items() if self._consumed[name] == destination)

    def _may_come(self, destination: str) -> bool:
        """Whether messages wait, or are on their way from the broker."""
        return self._managed.waiting(destination) > 0 or not self._has_back(destination)

    def _has_back(self, destination: str) -> bool:
        """Whether each message that the broker has delivered is in the hands of a consumer here."""
        return self._managed.delivering(destination) <= self._in_hand(destination)

    def _wait(self, until: Callable[[], bool]) -> None:
        """Wait until this holds, at most `EVENTUALLY_MS`. A broker that never gets there shows in later looks."""
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while not until() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _connections(self) -> int:
        return int(self._managed.attribute("broker", "ConnectionCount"))

    def _send(
        self, producer: str, destination: str, message_id: str, size_bytes: int, further: Mapping[str, str]
    ) -> Outcome:
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        client = self._producers[producer]
        if client.waits():
            return Outcome.BLOCKED
        headers = {**self._headers(client, destination, message_id), **further}
        return client.send(message_id, self._charge.frame(headers, size_bytes))

    def _headers(self, client: Producer, destination: str, message_id: str) -> dict[str, str]:
        properties = {f"property-{number}": PROPERTY for number in range(client.options.properties)}
        persistent = {"persistent": "true"} if client.options.persistent else {}
        return {ADDRESS: destination, ID: message_id, **properties, **persistent, **client.headers()}

    def _settle(self, command: str, consumer: str, message_id: str) -> None:
        destination = self._consumed[consumer]
        before = self.depth(destination)
        self._consumers[consumer].settle(command, message_id)
        self._wait_removed(destination, before)

    def _calibrate(self) -> None:
        self.open_anonymous_producer(SCRATCH, SCRATCH)
        client = self._producers[SCRATCH]
        self._charge = calibrated(partial(self._charged, client), self._headers(client, SCRATCH, "m"), SCALE)
        self.end_scenario()
        notes = {
            "charge_beyond_buffer_and_headers_bytes": self._charge.message,
            "charge_of_each_header_bytes": self._charge.header,
            "charge_of_each_character_of_headers_bytes": self._charge.character,
            "global_max_size_bytes": int(self._managed.attribute("broker", "GlobalMaxSize")),
        }
        self.parameters = replace(self.parameters, smallest_message_bytes=SCALE, notes=notes)

    def _charged(self, client: Producer, headers: Mapping[str, str], body: bytes) -> int:
        address = headers[ADDRESS]
        if address not in self._declared:
            self.declare(address, Limits())
        before = self._managed.address_size(address)
        outcome = client.send("m", (headers, body))
        if outcome is not Outcome.ACCEPTED:
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return self._managed.address_size(address) - before

    def _close_clients(self) -> None:
        with ExitStack() as every:
            for client in self._clients:
                every.callback(client.close, within_ms=CLOSE_MS)

    def _drop_clients(self) -> None:
        with ExitStack() as every:
            for client in self._clients:
                every.callback(client.drop)

    def _forget_clients(self) -> None:
        for known in (self._producers, self._consumers, self._targets, self._consumed, self._lines):
            known.clear()

    def _forget(self) -> None:
        super()._forget()
        self._forget_clients()
