"""The JMS client of WSO2 Message Broker, on a real Qpid Java broker.

The artifacts in registries do not suffice to start the broker of WSO2, and their kernels no longer have a ratio of
memory. So this adapter tests the client alone. The adapter decides when publishers are stopped and released, by the
bytes in all queues. The orders to the client come from a real broker: each session publishes to an overfull queue and
is ordered to stop; a purge of this queue releases all sessions.
"""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Call, Identity, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import AllBut, Declined, NoScript, Settlement, Usage
from tidegate.adapters.process.brokers import coordinates, tell_untried, usual_version
from tidegate.adapters.qpid.adapter import ADMIN, QpidAdapter
from tidegate.adapters.qpid.clients import AMQP_010, Clients
from tidegate.adapters.qpid.producers import Producer, Route
from tidegate.adapters.qpid_jms.clients import JmsClients
from tidegate.adapters.qpid_jms.kind import WSO2
from tidegate.record.report import Recording

BROKER = "0.18"
"""A release of the Qpid Java broker with the client's protocol, AMQP 0-9-1."""
EXCHANGE = "amq.direct"
PER_CENT = 100
GATE = "tidegate-gate"
GATE_LIMITS = Limits(limit_bytes=2, resume_bytes=1)
OVERFILLS = 3
"""The size of a message that takes the gate above its capacity, in bytes."""


class AndesClientAdapter(QpidAdapter):
    """An adapter for the client alone: each destination is a queue without a limit. All producers are the client's."""

    not_claimed: Declined = AllBut(
        "ANDES-CLIENT-", "the broker is not that of WSO2, which does not start here; only its client is"
    )

    def __init__(self, version: str = ""):
        usual = usual_version(WSO2.name)
        version = version or usual
        coordinates(WSO2.name, version)
        super().__init__(BROKER)
        profile = WSO2.name if version == usual else f"{WSO2.name}:{version}"
        self._client_version = version
        self.capabilities = frozenset({"memory-ratio", "usage-limits", "client-wait", "late-answers"})
        self.identity = Identity("WSO2 Message Broker client", version, "AMQP 0-9-1", profile)
        self._clients = self._usual_clients = Clients(self._broker, jms=JmsClients(version, WSO2))
        self._memory = Usage()
        self._held: set[str] = set()
        """The producers that were stopped since the memory became exhausted."""
        self._exhausted = False

    def start(self) -> None:
        """Fetch client and broker, and start the broker."""
        tell_untried(WSO2.name, self._client_version)
        identity = self.identity
        super().start()
        self.identity = identity

    def declare_usage(self, usage: Usage) -> None:
        """Set the memory of the scenario. Unsupported for a count of messages, and without both thresholds."""
        if usage.memory_bytes is None or usage.block_percent is None or usage.resume_percent is None:
            raise Unsupported(f"this adapter stops producers by a memory with both thresholds, not by {usage}")
        self._memory = usage

    def declare(self, destination: str, limits: Limits) -> None:
        """Create a queue without a limit, bound to an exchange that the client can use: it cannot use the default
        exchange."""
        if GATE not in self._routes:
            self._declared(GATE, GATE_LIMITS)
        self._declared(destination, Limits())

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open a session of the client, which is stopped if the memory is exhausted."""
        super().open_producer(producer, connection, destinations, options)
        self._look_at_memory()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send a message; it may exhaust the memory."""
        outcome = super().send(producer, message_id, size_bytes)
        self._look_at_memory()
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message; the memory may recover."""
        super().acknowledge(consumer, message_id)
        self._look_at_memory()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """The results of sends that waited; their messages may exhaust the memory again."""
        settled = super().settlements(producer)
        if settled:
            self._look_at_memory()
        return settled

    def close_producer(self, producer: str) -> None:
        """Close its session."""
        super().close_producer(producer)
        self._held.discard(producer)

    def memory_used(self) -> int:
        """The bytes in all queues."""
        return sum(self.depth(destination).bytes for destination in self._routes if destination != GATE)

    def recording(self, calls: Sequence[Call]) -> Recording:
        """NoScript: the scripts repeat checks with the clients of Qpid."""
        raise NoScript("no script repeats what the client of WSO2 does")

    def end_scenario(self) -> None:
        """End all clients, and delete all queues."""
        super().end_scenario()
        self._memory = Usage()
        self._held.clear()
        self._exhausted = False

    def _declared(self, queue: str, limits: Limits) -> None:
        super().declare(queue, limits)
        admin = self._clients.channel(ADMIN)
        admin.bind_queue(queue, EXCHANGE, queue)
        admin.close()

    def _opened(self, producer: str, connection: str, options: ProducerOptions, route: Route | None) -> Producer:
        """Open a producer of the JMS client. Unsupported for options other than its two times."""
        self._lines[producer] = connection
        if options != replace(DEFAULT_OPTIONS, wait_ms=options.wait_ms, notify_ms=options.notify_ms):
            raise Unsupported(f"this adapter has no producer with {options}")
        return self._clients.producer(producer, connection, AMQP_010, self._charges[AMQP_010], options, route)

    def _look_at_memory(self) -> None:
        """Stop every free producer while the memory is exhausted, and release all once it has recovered."""
        if self._memory.memory_bytes is None:
            return
        assert self._memory.block_percent is not None
        assert self._memory.resume_percent is not None
        free = PER_CENT * (self._memory.memory_bytes - self.memory_used())
        if free < self._memory.block_percent * self._memory.memory_bytes:
            self._exhausted = True
        elif self._exhausted and free > self._memory.resume_percent * self._memory.memory_bytes:
            self._exhausted = False
            self._held.clear()
            self.purge(GATE)
        if self._exhausted:
            for producer in self._producers.keys() - self._held:
                self._held.add(producer)
                self._jms(producer).send_aside(GATE, OVERFILLS)
