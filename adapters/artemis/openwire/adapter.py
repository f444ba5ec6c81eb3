"""The adapter contract on a real Artemis by OpenWire: JMS in the clients' process, the rest by management."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from tidegate.adapters.artemis.broker import DEFAULT_VERSION, Broker
from tidegate.adapters.artemis.generation import lacking
from tidegate.adapters.artemis.java_clients import ArtemisWithJavaClients
from tidegate.adapters.artemis.managed import EVENTUALLY_MS, NEVER_MS, POLL_SECONDS, SCRATCH
from tidegate.adapters.artemis.openwire.broker import OpenWireBroker
from tidegate.adapters.artemis.openwire.reproduce import recording
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
from tidegate.adapters.charge import ChargeByBody, calibrated_by_body
from tidegate.adapters.groups import Settlement
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.openwire.sender import Sender
from tidegate.adapters.process.brokers import coordinates, usual_version
from tidegate.record.extras import how_to_install
from tidegate.record.report import Recording, ScriptTemplate

PROFILE = "artemis-openwire"
CLIENT = "activemq-client"
SCALE = 2500
"""The factor from the suite's figures to possible sizes of messages: no message is charged less than 1,500 bytes."""
LONGEST_IDS = 200
"""The most characters of all ids of a smallest message."""
READ_MS = 150
"""How long, in ms, a query on a connection must stay unanswered, while management answers, before it counts as such."""


class ArtemisOpenWireAdapter(ArtemisWithJavaClients):
    """JMS clients, in a process with a JVM of its own. AMQP credits in limits are ignored."""

    kind_of_broker: type[Broker] = OpenWireBroker
    client = "the JMS client"
    client_process = "tidegate.adapters.artemis.openwire.client_process"
    capabilities: frozenset[str] = frozenset(
        {
            *("address-limit", "message-limit", "refusing-policy", "dropping-policy", "page-limit", "limits-readable"),
            *("default-limits", "pattern-limits", "file-limits", "shared-limits", "changed-limits", "full-disk"),
            *("late-answers", "asynchronous-sends", "producer-window", "transactions", "shared-connections"),
            *("topics", "anonymous-producers", "close-clients", "kill-clients", "restarts-broker", "pauses-broker"),
            *("purge", "moves-messages", "lists-messages", "expiring-messages", "browsed-messages", "dead-letters"),
            *("recreated-destinations", "filtering-consumers", "traffic-readable", "counts-expired", "counts-bytes"),
            *("artemis-log", "usage-shown", "ordered-messages", "priority-queues"),
        }
    )

    def __init__(self, version: str = DEFAULT_VERSION):
        jars = coordinates(CLIENT, usual_version(CLIENT))
        super().__init__(version, "Artemis OpenWire", PROFILE, "OpenWire", jars)
        self.capabilities = type(self).capabilities - lacking(version)
        self.parameters = Parameters(SCALE, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS)
        self._charge: ChargeByBody | None = None
        """The charge of a message whose ids have no characters."""
        self._of_ids = 0
        """The bytes charged for each character of the ids in a message."""
        self._senders: dict[str, Sender] = {}
        self._consumed: dict[str, str] = {}
        """The destination of each consumer."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a producer in a session of its own; its messages are persistent on a broker that keeps its data."""
        destination = only(destinations)
        options = replace(options, persistent=options.persistent or self._broker.durable)
        is_topic = destination in self._multicast
        self._clients.call("open_producer", producer, connection, destination, is_topic, options)
        self._senders[producer] = self._sender(producer, options)

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Open a producer without a destination. AdapterError if it should share a session."""
        if session:
            raise Unsupported("producers that share a session do not wait each by itself: it is for one thread")
        self._clients.call("open_anonymous_producer", producer, connection)
        self._senders[producer] = self._sender(producer, DEFAULT_OPTIONS)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer that prefetches nothing, and acknowledges each message separately."""
        is_topic = destination in self._multicast
        source = f"{destination}::{destination}" if is_topic else destination
        self._clients.call("open_consumer", consumer, connection, source, is_topic)
        self._consumed[consumer] = destination

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer of a queue that prefetches, with a selector that no message matches."""
        self._clients.call("open_filtering_consumer", consumer, connection, destination)
        self._consumed[consumer] = destination

    def browse(self, destination: str) -> int:
        """Browse a queue. AdapterError for a topic, which JMS cannot browse."""
        if destination in self._multicast:
            raise Unsupported("a topic cannot be browsed by a JMS client")
        return int(self._clients.call("browse", destination))

    def close_producer(self, producer: str) -> None:
        """Close it, its session, and the connection if it is the last user."""
        del self._senders[producer]
        self._clients.call("close_producer", producer)

    def close_consumer(self, consumer: str) -> None:
        """Close it, its session, and the connection if it is the last user."""
        self._clients.call("close_consumer", consumer)
        del self._consumed[consumer]

    def kill(self, connection: str) -> None:
        """Close the socket, and wait until the broker has noticed; a broker that reads no further does not notice."""
        before = self._connections()
        self._clients.call("kill", connection)
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while self._connections() >= before and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message that is charged this size; unsettled as soon as the broker is seen to let the call wait."""
        return self.send_expiring(producer, message_id, size_bytes, 0)

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message that expires after `lives_ms`; 0: never."""
        return self._senders[producer].send(message_id, self._body_bytes(producer, message_id, size_bytes), lives_ms)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message with a destination."""
        body_bytes = self._body_bytes(producer, message_id, size_bytes)
        return self._senders[producer].send_to(destination, destination in self._multicast, message_id, body_bytes)

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        return self._senders[producer].commit()

    def rollback(self, producer: str) -> None:
        """Roll the transaction back."""
        self._senders[producer].rollback()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The outcomes of calls that waited at the last look."""
        return self._senders[producer].settlements()

    def take(self, consumer: str) -> Delivery | None:
        """The next message.

        None if the broker has none after management counted no waiting message, or if none comes in `EVENTUALLY_MS`.
        """
        destination = self._consumed[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        is_last = False
        while (message_id := self._clients.call("take", consumer)) is None:
            if is_last or time.monotonic() > deadline:
                return None
            is_last = not self._managed.waiting(destination)
        return Delivery(message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message, and wait until management no longer counts it."""
        destination = self._consumed[consumer]
        before = self.depth(destination)
        self._clients.call("acknowledge", consumer, message_id)
        self._wait_removed(destination, before)

    def give_up(self, consumer: str, message_id: str) -> None:
        """Refuse a message as a client does after too many deliveries, and wait until management no longer counts
        it."""
        destination = self._consumed[consumer]
        before = self.depth(destination)
        self._clients.call("give_up", consumer, message_id)
        self._wait_removed(destination, before)

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: it is stopped while a call waits."""
        return Standing(self._senders[producer].waits())

    def script_template(self) -> ScriptTemplate:
        """The template, with the charge of a message beyond its body in bytes; AdapterError if the adapter was never
        started."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        charge = [self._charge.beyond_body, self._of_ids]  # the second for each character of the ids in it
        return ScriptTemplate("tidegate.adapters.artemis.openwire", {"charge": charge})

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with JPype1 and the client's jars repeats them."""
        self.check_script(calls)
        return recording(calls)

    def _sender(self, producer: str, options: ProducerOptions) -> Sender:
        return Sender(producer, options, self._clients.process, partial(self._is_held, producer), EVENTUALLY_MS)

    def _is_held(self, producer: str) -> bool:
        """Whether the broker answers a later query on the connection but not the earlier send.

        Or whether it reads the connection no further: it does not answer the query either, but answers management.
        """
        if self._clients.call("flush", producer, READ_MS):
            return bool(self._clients.call("owed", producer))
        self._connections()
        return True

    def _how_to_install(self) -> str:
        return how_to_install("artemis-openwire")

    def _meet(self, clients: JvmProcess) -> None:
        clients.call("meet", self._broker.further_port)

    def _use(self, broker: Broker) -> None:
        super()._use(broker)
        self._meet(self._clients.process)

    def _calibrate(self) -> None:
        """Measure the charge of each character of a message's ids first, since ids differ in length."""
        self.declare(SCRATCH, Limits())
        self.open_producer(SCRATCH, SCRATCH, (SCRATCH,))
        (short, least), (long, most) = (self._charged(message_id, 0) for message_id in ("i", "i" * 40))
        self._of_ids, rest = divmod(most - least, long - short)
        if rest:
            raise AdapterError(f"ids are charged {most - least} bytes for {long - short} more characters")
        self._charge = calibrated_by_body(self._charged_beside_ids)
        self.end_scenario()
        notes = {
            "charge_beyond_body_and_ids_bytes": self._charge.beyond_body,
            "charge_of_each_character_of_the_ids_bytes": self._of_ids,
            "global_max_size_bytes": int(self._managed.attribute("broker", "GlobalMaxSize")),
        }
        smallest = self._charge.beyond_body + self._of_ids * LONGEST_IDS
        self.parameters = replace(self.parameters, smallest_message_bytes=min(smallest, SCALE), notes=notes)

    def _charged_beside_ids(self, message_id: str, body_bytes: int) -> int:
        characters, charged = self._charged(message_id, body_bytes)
        return charged - self._of_ids * characters

    def _charged(self, message_id: str, body_bytes: int) -> tuple[int, int]:
        """The characters of a message's ids, and the message's charge in bytes."""
        characters = int(self._clients.call("characters", SCRATCH, message_id))
        before = self._managed.address_size(SCRATCH)
        outcome = self._senders[SCRATCH].send(message_id, body_bytes)
        if outcome is not Outcome.ACCEPTED:
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return characters, self._managed.address_size(SCRATCH) - before

    def _body_bytes(self, producer: str, message_id: str, size_bytes: int) -> int:
        """The size of the body with which a producer's next message is charged this size, in bytes."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        characters = int(self._clients.call("characters", producer, message_id))
        return ChargeByBody(self._charge.beyond_body + self._of_ids * characters).body_bytes(size_bytes)

    def _forget_clients(self) -> None:
        self._senders.clear()
        self._consumed.clear()

    def _forget(self) -> None:
        super()._forget()
        self._forget_clients()
