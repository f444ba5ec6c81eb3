"""The profile of WSO2 Message Broker: memory ratios, counts of a connection and waiting clients, of document 004."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.groups import ClientState, Declined, Settlement, Usage
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.adapters.reference.waiting import WaitingClient, wait_of
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import andes

DEFAULT_MEMORY = 1024 * 1024 * 1024
"""The default memory of a broker in bytes: the document names none."""
ERROR = "javax.jms.JMSException: the message was not sent, and the connection was closed"


class AndesReference(Clients):
    """A broker of queues; its memory is the bytes of all its messages, with a check after each verb."""

    identity = Identity("reference", "andes", "virtual", "reference:andes")
    capabilities = frozenset(
        {
            *("memory-ratio", "connection-count", "usage-limits", "client-wait", "late-answers"),
            *("shared-connections", "purge", "close-clients", "ordered-messages"),
            *("restarts-broker", "pauses-broker", "cuts-connections", "management-close"),
        }
    )
    parameters = VIRTUAL
    not_claimed: ClassVar[Declined] = {
        "GENERAL-19": "the document describes that memory stops every publisher, whatever its destination"
    }

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._broker = self._empty(Usage())
        self._targets: dict[str, str] = {}
        self._clients: dict[str, WaitingClient] = {}
        self._lines: dict[str, andes.ConnectionName] = {}
        self._came_over: dict[str, andes.ConnectionName] = {}
        """The connection of each message on the broker."""

    def declare_usage(self, usage: Usage) -> None:
        self._broker = self._empty(usage)

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._storage.connect(producer, connection)
        line = self._lines[producer] = andes.ConnectionName(connection)
        self._targets[producer] = destination
        self._clients[producer] = WaitingClient(
            wait_of(options, self._model.default(andes, "DEFAULT_WAIT")), model=self._model
        )
        if line not in self._broker.messages:
            self._broker = replace(
                self._broker,
                messages={**self._broker.messages, line: 0},
                held={**self._broker.held, line: False},
            )

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client = self._clients[producer]
        if client.send is not None or not client.state.connected:
            return Outcome.BLOCKED
        if self._rule(andes.publisher_stopped)(self._broker, self._lines[producer]):
            client.begin(message_id, size_bytes)
            return Outcome.UNSETTLED
        self._publish(producer, message_id, size_bytes)
        return Outcome.ACCEPTED

    def acknowledge(self, consumer: str, message_id: str) -> None:
        _, size_bytes = self._storage.settle(consumer, message_id)
        self._leave({message_id: size_bytes})

    def purge(self, destination: str) -> None:
        waiting = {message.message_id: message.size_bytes for message in self._storage.queues[destination].waiting}
        self._storage.purge(destination)
        self._leave(waiting)

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        for known in (self._targets, self._clients, self._lines):
            known.pop(producer)

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=self._rule(andes.publisher_stopped)(self._broker, self._lines[producer]))

    def settlements(self, producer: str) -> Sequence[Settlement]:
        client = self._clients[producer]
        told, client.settlements = client.settlements, []
        return told

    def client_state(self, producer: str) -> ClientState:
        return self._clients[producer].state

    def client_warnings(self, producer: str) -> Sequence[str]:
        client = self._clients[producer]
        said, client.warnings = client.warnings, []
        return said

    def memory_used(self) -> int:
        return self._broker.memory.used

    def advance(self, ms: int) -> None:
        super().advance(ms)
        for client in self._clients.values():
            for waiting in client.pass_time(ms):
                client.warnings.append(f"a message waits since {waiting.waited_ms} ms")
            if client.has_waited_out:
                connected = self._rule(andes.connected_after)(client.state.connected, client.has_waited_out)
                client.fail(ERROR, ClientState(connected=connected, session_open=connected))

    def end_scenario(self) -> None:
        self._storage.clear()
        self._broker = self._empty(Usage())
        for known in (self._targets, self._clients, self._lines, self._came_over):
            known.clear()

    def _publish(self, producer: str, message_id: str, size_bytes: int) -> None:
        line = self._came_over[message_id] = self._lines[producer]
        self._storage.store(self._targets[producer], message_id, size_bytes)
        self._broker = self._rule(andes.after_publish)(self._broker, line, size_bytes)

    def _leave(self, sizes: Mapping[str, int]) -> None:
        """Let messages leave and run the background check; each released producer goes on with its waiting send."""
        for message_id, size_bytes in sizes.items():
            self._broker = self._rule(andes.after_removal)(self._broker, self._came_over.pop(message_id), size_bytes)
        self._broker = self._rule(andes.after_check)(self._broker)
        for producer, client in self._clients.items():
            if client.send is not None and not self._rule(andes.publisher_stopped)(self._broker, self._lines[producer]):
                send = client.send
                client.let_go(Outcome.ACCEPTED)
                self._publish(producer, send.message_id, send.size_bytes)

    def _empty(self, usage: Usage) -> andes.Broker:
        figures = (usage.block_percent, usage.resume_percent, usage.connection_messages)
        threshold, recovery, messages = (andes.NOT_SET if figure is None else figure for figure in figures)
        total = DEFAULT_MEMORY if usage.memory_bytes is None else usage.memory_bytes
        return andes.Broker(
            limits=self._rule(andes.configured)(threshold, recovery, messages),
            memory=andes.Memory(total, 0),
            closed=False,
            messages={},
            held={},
        )
