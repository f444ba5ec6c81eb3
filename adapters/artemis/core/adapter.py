"""The adapter contract on a real Artemis by its Core client: calls in the clients' process, the rest by management."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from tidegate.adapters.artemis.broker import DEFAULT_VERSION
from tidegate.adapters.artemis.core.answers import Taken
from tidegate.adapters.artemis.core.pace import Pace
from tidegate.adapters.artemis.core.reproduce import recording
from tidegate.adapters.artemis.generation import lacking
from tidegate.adapters.artemis.java_clients import ArtemisWithJavaClients
from tidegate.adapters.artemis.managed import EVENTUALLY_MS, NEVER_MS, POLL_SECONDS, SCRATCH
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
from tidegate.adapters.groups import ConsumerOptions, Settlement
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.process.brokers import coordinates
from tidegate.record.extras import how_to_install
from tidegate.record.report import Recording, ScriptTemplate

PROFILE = "artemis-core"
SCALE = 1000
"""The factor from the suite's figures to possible sizes of messages: 1 byte becomes 1,000 bytes."""
LONGEST_NAME = 40
"""The most characters of an address that a smallest message is sent to."""
CLOCK_MS = 600
"""The margin, in ms, of times that must stay below a whole second: a scenario sends a dozen messages meanwhile."""
NOT_AHEAD = ConsumerOptions(window_bytes=0)
"""The options of the contract's default consumer, which gets nothing until it takes."""


class ArtemisCoreAdapter(ArtemisWithJavaClients):
    """Core clients, in a process with a JVM of its own. AMQP credits in limits are ignored."""

    client = "the Core client"
    client_process = "tidegate.adapters.artemis.core.client_process"
    capabilities: frozenset[str] = frozenset(
        {
            *("core-window", "consumer-window", "consumer-rate", "producer-rate", "late-answers", "ignored-orders"),
            *("asynchronous-sends", "transactions", "purge", "topics", "close-clients", "kill-clients"),
            *("changed-limits", "artemis-log", "pauses-broker"),
            *("anonymous-producers", "shared-sessions", "refusing-policy", "dropping-policy"),
            *("moves-messages", "lists-messages", "expiring-messages", "ordered-messages"),
            *("browsed-messages", "returned-messages", "recreated-destinations", "filtering-consumers"),
            *("traffic-readable", "counts-expired", "counts-bytes", "usage-shown", "acknowledges-together"),
            *("expiring-transacted", "priority-queues"),
        }
    )

    def __init__(self, version: str = DEFAULT_VERSION):
        super().__init__(version, "Artemis Core", PROFILE, "Core", coordinates(PROFILE, version))
        self.capabilities = type(self).capabilities - lacking(version)
        self.parameters = Parameters(SCALE, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS, clock_ms=CLOCK_MS)
        self._charge: ChargeByBody | None = None
        """The charge of a message to an address without a name."""
        self._of_name = 0
        """The bytes charged for each character of the address in a message."""
        self._targets: dict[str, str] = {}
        """The address of each producer."""
        self._refused: dict[str, list[Settlement]] = {}
        """The refusals of each producer's sends that were refused at once, until they are asked for."""
        self._consumed: dict[str, str] = {}
        """The destination of each consumer."""
        self._rated: set[str] = set()
        """The consumers whose client limits its rate."""
        self._pace = Pace(CLOCK_MS)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a producer in a session and on a connection of its own, unless a session is named."""
        destination = only(destinations)
        self._clients.call("open_producer", producer, connection, destination, options)
        self._targets[producer] = destination

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Open a producer without an address."""
        self._clients.call("open_anonymous_producer", producer, connection, session)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer whose window is 0."""
        self.open_consumer_with(consumer, connection, destination, NOT_AHEAD)

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        """Open a consumer in a session and on a connection of its own."""
        self._clients.call("open_consumer", consumer, connection, destination, options)
        self._consumed[consumer] = destination
        if options.is_rated:
            self._rated.add(consumer)

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Open a consumer with a filter that no message passes, and a window that is not 0."""
        self._clients.call("open_filtering_consumer", consumer, connection, destination)
        self._consumed[consumer] = destination

    def browse(self, destination: str) -> int:
        """Browse the destination with a consumer."""
        return int(self._clients.call("browse", destination))

    def close_producer(self, producer: str) -> None:
        """Close it with its session and its connection."""
        self._clients.call("close_producer", producer)

    def close_consumer(self, consumer: str) -> None:
        """Close it with its session and its connection; the broker puts back the unacknowledged messages."""
        self._clients.call("close_consumer", consumer)
        del self._consumed[consumer]

    def kill(self, connection: str) -> None:
        """Close the sockets of the connection's clients, and wait until the broker has noticed."""
        before = self._connections()
        gone = self._clients.call("kill", connection)
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while self._connections() > before - gone and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message that is not durable and is charged this size; its sender waits for the broker's answer, or
        the adapter for the message to arrive if the producer is asynchronous."""
        body_bytes = self._body_bytes(self._targets[producer], size_bytes)
        return self._send(producer, message_id, body_bytes)

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message with an expiration time."""
        body_bytes = self._body_bytes(self._targets[producer], size_bytes)
        return self._send(producer, message_id, body_bytes, lives_ms=lives_ms)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message with an address."""
        return self._send(producer, message_id, self._body_bytes(destination, size_bytes), destination)

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        if self._clients.call("waits", producer):
            return Outcome.BLOCKED
        return Outcome.REJECTED if self._end_transaction("commit", producer) else Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        """Roll the transaction back. AdapterError if a send waits, or if the rollback fails."""
        if reason := self._end_transaction("rollback", producer):
            raise AdapterError(f"the rollback of {producer!r} failed: {reason}")

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The outcomes of sends that had to wait, and the reasons of refusals."""
        told: list[Settlement] = self._clients.call("settlements", producer)
        return [*self._refused.pop(producer, []), *told]

    def take(self, consumer: str) -> Delivery | None:
        """The next message.

        None if the client holds it back for its rate, if the client has none after management counted no waiting
        message, or if none comes in `EVENTUALLY_MS`. AdapterError if a consumer with a rate had to wait for a message,
        TooLate if the machine was otherwise too slow to judge the rate.
        """
        destination = self._consumed[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        is_last = False
        while True:
            if consumer in self._rated:
                self._pace.begin()
            taken: Taken = self._clients.call("take", consumer, EVENTUALLY_MS)
            if consumer in self._rated:
                self._pace.check(f"whether {consumer!r} keeps to its rate")
            if taken.message_id is not None:
                return Delivery(taken.message_id, destination)
            if taken.held_back or is_last or time.monotonic() > deadline:
                return None
            # messages sent before management counted are in the client when it is asked again
            is_last = not self._managed.waiting(destination)

    def advance(self, ms: int) -> None:
        """Sleep for this number of ms."""
        super().advance(ms)
        self._pace.passed(ms)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message, and wait until management no longer counts it."""
        destination = self._consumed[consumer]
        before = self.depth(destination)
        self._clients.call("acknowledge", consumer, message_id)
        self._wait_removed(destination, before)

    def acknowledge_all(self, consumer: str) -> None:
        """Acknowledge up to the last message, and wait until management counts none of the messages."""
        destination = self._consumed[consumer]
        before = self.depth(destination)
        number = self._clients.call("acknowledge_all", consumer)
        self._wait_removed(destination, before, number)

    def give_back(self, consumer: str) -> None:
        """Roll back the session of the consumer."""
        self._clients.call("give_back", consumer)

    def buffered(self, consumer: str) -> int:
        """The number of messages in the buffer of its client."""
        found: int = self._clients.call("buffered", consumer)
        return found

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: it is stopped while a send waits."""
        return Standing(self._clients.call("waits", producer))

    def script_template(self) -> ScriptTemplate:
        """The template, with the form of settings in this version's management, and the charge of a message beyond its
        body in bytes.

        Raises AdapterError if the adapter was never started.
        """
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        charge = [self._charge.beyond_body, self._of_name]  # the second for each character of its address
        return ScriptTemplate("tidegate.adapters.artemis.core", {"form": self._form, "charge": charge})

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with JPype1 and the client's jar repeats them."""
        self.check_script(calls)
        return recording(calls)

    @property
    def core_port(self) -> int:
        """The TCP port of the broker for Core clients."""
        return self._broker.core_port

    def _send(
        self, producer: str, message_id: str, body_bytes: int, to: str = "", lives_ms: int | None = None
    ) -> Outcome:
        outcome, reason = self._clients.call("send", producer, message_id, body_bytes, EVENTUALLY_MS, to, lives_ms)
        if reason:
            self._refused.setdefault(producer, []).append(Settlement(message_id, outcome, reason))
        return Outcome(outcome)

    def _end_transaction(self, verb: str, producer: str) -> str:
        """End the transaction; the exception, empty if there was none.

        AdapterError if a send waits, or without an answer: no flow control holds the end of a transaction back.
        """
        if self._clients.call("waits", producer):
            raise Unsupported(f"a send of {producer!r} still waits: no other call can be made in its session")
        reason: str | None = self._clients.call(verb, producer, EVENTUALLY_MS)
        if reason is None:
            raise AdapterError(f"the {verb} of {producer!r} did not come back within {EVENTUALLY_MS} ms")
        return reason

    def _how_to_install(self) -> str:
        return how_to_install("artemis-core")

    def _meet(self, clients: JvmProcess) -> None:
        clients.call("meet", self._broker.core_port)

    def _calibrate(self) -> None:
        """Measure the charge of a message for a short and a longer address, since a message contains its address."""
        short, long = SCRATCH, f"{SCRATCH}-again"
        charges = {address: calibrated_by_body(partial(self._charged, address)) for address in (short, long)}
        self.end_scenario()
        more = charges[long].beyond_body - charges[short].beyond_body
        self._of_name, rest = divmod(more, len(long) - len(short))
        if rest:
            raise AdapterError(
                f"the name of an address is charged {more} bytes for {len(long) - len(short)} more characters"
            )
        self._charge = ChargeByBody(charges[short].beyond_body - self._of_name * len(short))
        notes = {
            "charge_beyond_body_and_address_bytes": self._charge.beyond_body,
            "charge_of_each_character_of_the_address_bytes": self._of_name,
            "ms_short_of_a_second": CLOCK_MS,
            "global_max_size_bytes": int(self._managed.attribute("broker", "GlobalMaxSize")),
        }
        smallest = self._charge.beyond_body + self._of_name * LONGEST_NAME
        self.parameters = replace(self.parameters, smallest_message_bytes=min(smallest, SCALE), notes=notes)

    def _body_bytes(self, address: str, size_bytes: int) -> int:
        """The size of the body with which a message to an address is charged this size, in bytes."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return ChargeByBody(self._charge.beyond_body + self._of_name * len(address)).body_bytes(size_bytes)

    def _charged(self, address: str, message_id: str, body_bytes: int) -> int:
        if address not in self._declared:
            self.declare(address, Limits())
            self.open_producer(address, address, (address,))
        before = self._managed.address_size(address)
        outcome = self._send(address, message_id, body_bytes)
        if outcome is not Outcome.ACCEPTED:
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return self._managed.address_size(address) - before

    def _forget(self) -> None:
        super()._forget()
        for known in (self._targets, self._refused, self._consumed, self._rated):
            known.clear()
        self._pace = Pace(CLOCK_MS)
