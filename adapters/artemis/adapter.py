"""The adapter contract on a real Artemis: AMQP verbs through the client, observation through management."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import cycle

from tidegate.adapters.artemis.amqp import Connection, Content, Receiver, Sender, Sent, Taken
from tidegate.adapters.artemis.broker import CREDIT, CREDIT_LOW, DEFAULT_VERSION
from tidegate.adapters.artemis.generation import lacking
from tidegate.adapters.artemis.managed import EVENTUALLY_MS, NEVER_MS, POLL_SECONDS, SCRATCH, ManagedArtemis
from tidegate.adapters.artemis.reproduce import recording
from tidegate.adapters.artemis.transactions import Transactions
from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    AdapterError,
    Call,
    Delivery,
    Depth,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
    Unsupported,
    only,
)
from tidegate.adapters.charge import Charge, calibrated
from tidegate.adapters.faults.cutting import CuttableConnections
from tidegate.adapters.groups import Created
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.selectors import NO_MESSAGE
from tidegate.record.report import Recording, ScriptTemplate

SCALE = 500
"""The factor from the suite's figures to possible sizes of messages: 1 byte becomes 500 bytes."""
PROPERTY = "a value that is as long as such values are"
BROWSER = "tidegate-browser"
"""The connection of a client that browses messages and takes none."""
OUTCOMES = {
    "accepted": Outcome.ACCEPTED,
    "rejected": Outcome.REJECTED,
    "released": Outcome.REJECTED,
    "modified": Outcome.REJECTED,
}


class ArtemisAdapter(ManagedArtemis):
    """AMQP clients.

    A destination with a configured credit window is reached over the acceptor that has this window; one without, over
    the acceptor without configuration. Artemis has no resume level: a `resume_bytes` is ignored.
    """

    capabilities: frozenset[str] = frozenset(
        {
            *("address-limit", "amqp-credit", "reject-threshold", "limits-readable", "artemis-log"),
            *("changed-limits", "purge", "topics", "anonymous-producers", "close-clients", "kill-clients"),
            *("default-limits", "pattern-limits", "changed-patterns", "file-limits", "shared-limits"),
            *("refusing-policy", "dropping-policy", "page-limit", "several-bindings", "full-disk"),
            *("management-block", "message-limit", "restarts-broker", "pauses-broker", "cuts-connections"),
            *("shared-sessions", "bursts", "later-bindings", "transactions"),
            "temporary-subscriptions",
            *("moves-messages", "lists-messages", "expiring-messages", "message-properties", "ordered-messages"),
            *("browsed-messages", "dead-letters", "returned-messages", "recreated-destinations", "filtering-consumers"),
            *("traffic-readable", "counts-expired", "counts-bytes", "usage-shown", "acknowledges-together"),
            *("settled-sends", "expiring-transacted", "delayed-messages", "temporary-destinations", "priority-queues"),
        }
    )

    def __init__(self, version: str = DEFAULT_VERSION):
        super().__init__(version, "Artemis", "artemis", "AMQP 1.0")
        self.capabilities = type(self).capabilities - lacking(version)
        self.parameters = Parameters(SCALE, eventually_ms=EVENTUALLY_MS, never_ms=NEVER_MS)
        self._charge: Charge | None = None
        self._ports: dict[str, int] = {}
        self._connections: dict[tuple[str, int], Connection] = {}
        self._senders: dict[str, Sender] = {}
        self._transactions = Transactions(EVENTUALLY_MS)
        self._receivers: dict[str, tuple[Receiver, str]] = {}
        self._taken: dict[tuple[str, str], Taken] = {}
        self._cuttable = CuttableConnections()
        self._lines: dict[str, str] = {}
        """The connection of each producer, and of each consumer with a subscription of its own."""
        self._targets: dict[str, str] = {}
        """The address of each producer."""
        self._properties: dict[str, dict[str, str]] = {}
        """The properties of the messages of each producer."""
        self._priorities = Priorities()
        self._bound: dict[str, str] = {}
        """The address of each further queue."""
        self._temporary: dict[str, str] = {}
        """The broker's name of the queue of each consumer with a subscription of its own."""
        self._charge_of_a_binding = 0
        """The further bytes that a message is charged for each further queue that holds it."""

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Create a multicast address with several queues. The limits are the address's; no queue has limits."""
        self._configure(destination, limits)
        self._declared.add(destination)
        self._multicast.add(destination)
        for queue in (*before, destination, after):
            self._managed.create_queue(queue, address=destination, multicast=True, durable=self._broker.durable)
        self._bound |= dict.fromkeys((*before, after), destination)

    def declare_temporary(self, connection: str, limits: Limits) -> Created:
        """Attach a receiver link without an address: the broker creates a queue, and deletes it with the connection."""
        port = self._broker.unconfigured_port if limits.credit is None else self._broker.windowed_port
        name = self._over(connection, port).receiver(None).address
        self._configure(name, limits)
        return Created(name)

    def bind(self, destination: str, queue: str) -> None:
        """Create one more queue on the address."""
        self._managed.create_queue(queue, address=destination, multicast=True, durable=self._broker.durable)
        self._bound[queue] = destination

    def unbind(self, destination: str, queue: str) -> None:
        """Delete the queue."""
        self._managed.delete_queue(queue)
        del self._bound[queue]

    def subscribe(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a receiver link to the address itself: the broker creates a queue, and deletes it with the link."""
        before = self._managed.queues_of(destination)
        receiver = self._connected(connection, destination).receiver(destination)
        (created,) = self._managed.queues_of(destination) - before
        self._receivers[consumer], self._lines[consumer] = (receiver, consumer), connection
        self._bound[consumer], self._temporary[consumer] = destination, created

    def depth(self, destination: str) -> Depth:
        """AddressSize, and MessageCount of the address, or of the queue where an address has several."""
        address = self._bound.get(destination, destination)
        if address not in self._bound.values():
            return super().depth(destination)
        queue = self._temporary.get(destination, destination)
        messages = int(self._managed.attribute(f"queue.{queue}", "MessageCount"))
        return Depth(self._managed.address_size(address), messages)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Attach a sender link, in a new session unless one is named; with transactions, also a coordinator link."""
        destination = only(destinations)
        self._lines[producer] = connection
        self._targets[producer] = destination
        self._properties[producer] = {f"property-{number}": PROPERTY for number in range(options.properties)}
        connected, session = self._connected(connection, destination), options.session
        self._senders[producer] = (
            self._transactions.sender(producer, connected, destination, session)
            if options.transacted
            else connected.sender(destination, session, settles=options.settled)
        )

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Attach a sender link without an address, over the acceptor with a window."""
        self._senders[producer] = self._over(connection, self._broker.windowed_port).sender(None, session)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a receiver link that issues no credit by itself."""
        address = self._bound.get(destination, destination)
        source = f"{address}::{destination}" if address in self._multicast else destination
        receiver = self._connected(connection, address).receiver(source)
        self._receivers[consumer] = receiver, destination

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a receiver link with a selector that no message matches, and with credit."""
        receiver = self._connected(connection, destination).receiver(destination, selector=NO_MESSAGE)
        receiver.wait_for_one()
        self._receivers[consumer] = receiver, destination

    def browse(self, destination: str) -> int:
        """Attach a receiver link that gets copies, on a separate connection."""
        receiver = self._connected(BROWSER, destination).receiver(destination, browses=True)
        seen = receiver.copies(self._managed.waiting(destination), EVENTUALLY_MS)
        receiver.close()
        return seen

    def acknowledge_all(self, consumer: str) -> None:
        """Accept all messages, whose dispositions go out together, and wait until management counts none of them."""
        receiver, destination = self._receivers[consumer]
        taken = [self._taken.pop(key) for key in [key for key in self._taken if key[0] == consumer]]
        before = self.depth(destination)
        receiver.accept_all(taken)
        self._wait_removed(destination, before, len(taken))

    def give_up(self, consumer: str, message_id: str) -> None:
        """Reject a message and wait until management no longer counts it."""
        self._settle(consumer, message_id, Receiver.reject)

    def give_back(self, consumer: str) -> None:
        """Release the messages, the last one first, so that the broker has them in their order again."""
        receiver, _ = self._receivers[consumer]
        for key in reversed([key for key in self._taken if key[0] == consumer]):
            receiver.release(self._taken.pop(key))

    def close_producer(self, producer: str) -> None:
        """Roll back the open transaction, if any, and detach the sender link."""
        self._transactions.close(producer)
        self._senders.pop(producer).close()

    def close_consumer(self, consumer: str) -> None:
        """Detach the receiver link; the broker puts back the messages that were not accepted."""
        self._receivers.pop(consumer)[0].close()
        self._forget_subscription(consumer)
        for key in [key for key in self._taken if key[0] == consumer]:
            del self._taken[key]

    def kill(self, connection: str) -> None:
        """Drop the sockets of the connection."""
        for key in [key for key in self._connections if key[0] == connection]:
            self._connections.pop(key).kill()
        for consumer in [each for each in self._temporary if self._lines[each] == connection]:
            self._forget_subscription(consumer)

    def make_cuttable(self, connection: str) -> None:
        """Route the connection through a proxy of its own."""
        self._cuttable.add(connection)

    def stall(self, connection: str) -> None:
        """Have the connection's proxy forward nothing more."""
        self._cuttable.stall(connection)

    def unstall(self, connection: str) -> None:
        """Have the connection's proxy forward the bytes that it held back, and every later byte."""
        self._cuttable.unstall(connection)

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        """Cut the connection at its proxy while the message is sent, and drop the client's end too."""
        connection = self._lines[producer]
        outcome = self._cuttable.cut_in(
            connection, lambda: self.send(producer, message_id, size_bytes), size_bytes, arrives=arrives
        )
        self.kill(connection)
        return outcome

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message that is charged this size; durable on a broker that keeps its data.

        A settled message, to which no answer comes, has arrived when this returns, if it arrives in `EVENTUALLY_MS`.
        """
        content = self._content(producer, message_id, size_bytes)
        if not self._senders[producer].settles:
            return self._send(producer, content)
        destination = self._targets[producer]
        before = self.depth(destination).messages
        if self._senders[producer].send_content(content) is None:
            return Outcome.BLOCKED
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while self.depth(destination).messages <= before and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return Outcome.SENT

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send a message whose header says after how long it expires."""
        return self._send(producer, self._content(producer, message_id, size_bytes, lives_ms))

    def send_delayed(self, producer: str, message_id: str, size_bytes: int, delay_ms: int) -> Outcome:
        """Send a message with an annotation that says after how long it may be delivered."""
        return self._send(producer, self._content(producer, message_id, size_bytes, delay_ms=delay_ms))

    def order_by_priority(self) -> None:
        """Give messages priorities; every queue of this broker hands out the higher ones first."""
        self._priorities.begin()

    def send_burst(self, producers: Sequence[str], message_ids: Sequence[str], size_bytes: int) -> Sequence[Outcome]:
        """Send the messages without waiting in between, then wait for the answers that are owed."""
        begun: list[tuple[Sender, Sent | None]] = []
        for producer, message_id in zip(cycle(producers), message_ids):
            sender = self._senders[producer]
            begun.append((sender, sender.send_content(self._content(producer, message_id, size_bytes))))
        return [Outcome.SENT if sender.settles and sent is not None else self._outcome(sent) for sender, sent in begun]

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message with an address, which takes some of its bytes."""
        whole = Content(message_id, b"", to=destination, priority=self._priorities.next())
        further = whole.encoded_bytes - Content(message_id, b"").encoded_bytes
        more = further + self._charge_of_bindings(destination)
        return self._send(producer, replace(whole, body=self._body(message_id, size_bytes - more)))

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction."""
        return self._transactions.commit(producer)

    def rollback(self, producer: str) -> None:
        """Roll the transaction back."""
        self._transactions.rollback(producer)

    def take(self, consumer: str) -> Delivery | None:
        """The next message; None if management counts none that may come, or none comes in `EVENTUALLY_MS`."""
        receiver, destination = self._receivers[consumer]
        deadline = time.monotonic() + EVENTUALLY_MS / 1000
        while (taken := receiver.take(0)) is None:
            if not self._may_come(destination) or time.monotonic() > deadline:
                return None
        self._taken[consumer, taken.message_id] = taken
        return Delivery(taken.message_id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Accept a message and wait until management no longer counts it: AMQP answers no acknowledgement."""
        self._settle(consumer, message_id, Receiver.accept)

    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped: it is stopped while it has no credit."""
        sender = self._senders[producer]
        if sender.refused is not None:
            raise AdapterError(f"the broker detached producer {producer!r}: {sender.refused}")
        return Standing(sender.credit <= 0, sender.granted, sender.credit)

    def script_template(self) -> ScriptTemplate:
        """The template, with the form of settings in this version's management."""
        return ScriptTemplate("tidegate.adapters.artemis", {"form": self._form})

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls as a script with python-qpid-proton alone repeats them; AdapterError if never started."""
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        self.check_script(calls)
        return recording(calls, self._charge.body_bytes)

    def _may_come(self, destination: str) -> bool:
        """Whether messages wait or are on their way: a message may leave a page after the broker took back its
        credit."""
        handed = sum(self._receivers[consumer][1] == destination for consumer, _ in self._taken)
        return self._managed.waiting(destination) > 0 or self._managed.delivering(destination) > handed

    def _forget_subscription(self, consumer: str) -> None:
        """Forget the queue of a consumer that has ended, if the queue ends with it."""
        if self._temporary.pop(consumer, None) is not None:
            del self._bound[consumer]

    def _settle(self, consumer: str, message_id: str, settle: Callable[[Receiver, Taken], None]) -> None:
        receiver, destination = self._receivers[consumer]
        taken = self._taken.pop((consumer, message_id), None)
        if taken is None:
            raise AdapterError(f"message {message_id!r} was not handed out to {consumer!r}")
        before = self.depth(destination)
        settle(receiver, taken)
        self._wait_removed(destination, before)

    def _configure(self, destination: str, limits: Limits) -> None:
        window = (limits.credit, limits.credit_low)
        if window not in ((None, None), (CREDIT, CREDIT_LOW)):
            raise Unsupported(f"this broker issues {CREDIT} credits and refills at {CREDIT_LOW}, not {window}")
        broker = self._broker
        self._ports[destination] = broker.unconfigured_port if limits.credit is None else broker.windowed_port
        super()._configure(destination, limits)

    def _close_clients(self) -> None:
        with ExitStack() as every:
            for connection in self._connections.values():
                every.callback(connection.close)

    def _drop_clients(self) -> None:
        for connection in self._connections.values():
            connection.kill()

    def _forget_clients(self) -> None:
        for known in (self._connections, self._senders, self._receivers, self._taken, self._lines, self._targets):
            known.clear()
        self._properties.clear()
        # a scenario that failed has not closed its subscribers
        self._temporary.clear()
        self._transactions.forget()

    def _connected(self, connection: str, destination: str) -> Connection:
        if destination not in self._ports:
            raise AdapterError(f"the destination {destination!r} was not declared")
        return self._over(connection, self._ports[destination])

    def _over(self, connection: str, port: int) -> Connection:
        key = connection, port
        if key not in self._connections:
            reached = self._cuttable.port_for(connection, self._broker.host, port)
            self._connections[key] = Connection(self._broker.host, reached, connection)
        return self._connections[key]

    def _body(self, message_id: str, size_bytes: int) -> bytes:
        if self._charge is None:
            raise AdapterError("the adapter was not started")
        return bytes(self._charge.body_bytes(size_bytes, message_id))

    def _content(
        self,
        producer: str,
        message_id: str,
        size_bytes: int,
        lives_ms: int | None = None,
        delay_ms: int | None = None,
    ) -> Content:
        whole = Content(
            message_id,
            durable=self._broker.durable,
            properties=self._properties[producer],
            lives_ms=lives_ms,
            delay_ms=delay_ms,
            priority=self._priorities.next(),
        )
        further = whole.encoded_bytes - Content(message_id).encoded_bytes
        more = further + self._charge_of_bindings(self._targets[producer])
        return replace(whole, body=self._body(message_id, size_bytes - more))

    def _send(self, producer: str, content: Content) -> Outcome:
        return self._outcome(self._senders[producer].send_content(content))

    def _outcome(self, sent: Sent | None) -> Outcome:
        if sent is None:
            return Outcome.BLOCKED
        outcome = sent.wait(EVENTUALLY_MS)
        if outcome is None:
            return Outcome.UNSETTLED
        told = OUTCOMES[outcome.state]
        return Outcome.UNSETTLED if told is Outcome.ACCEPTED and outcome.transaction is not None else told

    def _calibrate(self) -> None:
        self.declare(SCRATCH, Limits())
        self.open_producer(SCRATCH, SCRATCH, (SCRATCH,))
        self._charge = calibrated(self._charged)
        self.end_scenario()
        # not the charge of a broker before this one: sends would take it off their bodies
        self._charge_of_a_binding = 0
        self._charge_of_a_binding = self._measured_binding()
        notes = {
            "charge_beyond_body_and_id_bytes": self._charge.short,
            "charge_beyond_long_body_and_id_bytes": self._charge.long,
            "charge_of_each_further_queue": self._charge_of_a_binding,
            "credit_configured": CREDIT,
            "credit_low_configured": CREDIT_LOW,
            "global_max_size_bytes": int(self._managed.attribute("broker", "GlobalMaxSize")),
        }
        self.parameters = replace(self.parameters, smallest_message_bytes=SCALE, notes=notes)

    def _charge_of_bindings(self, address: str) -> int:
        return self._charge_of_a_binding * sum(bound == address for bound in self._bound.values())

    def _measured_binding(self) -> int:
        """The further charge of a small message for each of a second and a third queue, in bytes."""
        self.declare_bound(SCRATCH, Limits(), {f"{SCRATCH}-first": Limits()}, f"{SCRATCH}-last")
        self.open_producer(SCRATCH, SCRATCH, (SCRATCH,))
        size = self.parameters.scale
        self.send(SCRATCH, "m", size)
        more = self._managed.address_size(SCRATCH) - size
        self.end_scenario()
        return more // 2

    def _charged(self, message_id: str, body_bytes: int) -> int:
        before = self._managed.address_size(SCRATCH)
        sent = self._senders[SCRATCH].send(message_id, bytes(body_bytes))
        outcome = None if sent is None else sent.wait(EVENTUALLY_MS)
        if outcome is None or outcome.state != "accepted":
            raise AdapterError(f"a message to measure its charge was not accepted: {outcome}")
        return self._managed.address_size(SCRATCH) - before

    def _forget(self) -> None:
        super()._forget()
        self._cuttable.close()
        self._priorities.end()
        self._ports.clear()
        self._bound.clear()
        self._forget_clients()
