"""The profile of the design of QPID-942, document 001: policies with one level, and stops and starts by management."""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.adapters.reference.waiting import WaitingClient, wait_of
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid942
from tidegate.model.mechanisms.qpid import ChannelName

ALIVE = ClientState(connected=True, session_open=True)
ERROR = f"{qpid942.FAILURE}: the producer is stopped by flow control"


class Qpid942Reference(Clients):
    """A broker of queues, each with a policy, on one exchange; the exchange's policy is the default."""

    identity = Identity("reference", "qpid-942", "virtual", "reference:qpid-942")
    capabilities = frozenset(
        {
            *("policies", "message-limit", "default-limits", "changed-limits", "purge", "topics"),
            *("client-wait", "late-answers", "stop-and-start", "close-clients", "kill-clients"),
            *("restarts-broker", "pauses-broker", "cuts-connections", "management-close"),
            *("moves-messages", "lists-messages", "expiring-messages", "ordered-messages"),
            *("browsed-messages", "dead-letters", "recreated-destinations", "filtering-consumers"),
            *("traffic-readable", "counts-expired", "counts-bytes"),
        }
    )
    parameters = VIRTUAL

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._exchange = _policy(Limits())
        self._queues: dict[str, qpid942.Queue] = {}
        self._targets: dict[str, str] = {}
        self._clients: dict[str, WaitingClient] = {}

    def declare_defaults(self, limits: Limits) -> None:
        self._exchange = _policy(limits)

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)
        in_force = self._rule(qpid942.policy_in_force)(_policy(limits), self._exchange)
        self._queues[destination] = qpid942.Queue(in_force, bytes=0, messages=0, ordered=False, held={})

    def change_limits(self, destination: str, limits: Limits) -> None:
        in_force = self._rule(qpid942.policy_in_force)(_policy(limits), self._exchange)
        self._become(destination, self._rule(qpid942.with_policy)(self._queues[destination], in_force))

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._targets[producer] = destination
        self._clients[producer] = WaitingClient(
            wait_of(options, self._rule(qpid942.wait_of)(blocks=False)), model=self._model
        )
        self._storage.connect(producer, connection)
        queue = self._queues[destination]
        self._queues[destination] = replace(queue, held={**queue.held, ChannelName(producer): False})

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        self._clients.pop(producer)
        destination = self._targets.pop(producer)
        queue = self._queues[destination]
        others = {channel: held for channel, held in queue.held.items() if channel != producer}
        self._queues[destination] = replace(queue, held=others)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client = self._clients[producer]
        if client.send is not None:
            return Outcome.BLOCKED
        if not self.standing(producer).stopped:
            self._enqueue(producer, message_id, size_bytes)
            return Outcome.ACCEPTED
        client.begin(message_id, size_bytes)
        if not client.has_waited_out:
            return Outcome.UNSETTLED
        client.fail(ERROR, ALIVE)
        return Outcome.REJECTED

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        self._become(destination, self._rule(qpid942.after_delivery)(self._queues[destination], size_bytes, 1))

    def purge(self, destination: str) -> None:
        count = len(self._storage.queues[destination].waiting)
        size_bytes = self._storage.purge(destination)
        self._become(destination, self._rule(qpid942.after_delivery)(self._queues[destination], size_bytes, count))

    def block(self, destination: str) -> None:
        self._become(destination, self._rule(qpid942.after_stop_all)(self._queues[destination]))

    def unblock(self, destination: str) -> None:
        self._become(destination, self._rule(qpid942.after_start_all)(self._queues[destination]))

    def standing(self, producer: str) -> Standing:
        queue = self._queues[self._targets[producer]]
        return Standing(stopped=self._rule(qpid942.stopped)(queue, ChannelName(producer)))

    def settlements(self, producer: str) -> Sequence[Settlement]:
        client = self._clients[producer]
        told, client.settlements = client.settlements, []
        return told

    def client_state(self, producer: str) -> ClientState:
        return self._clients[producer].state

    def client_warnings(self, producer: str) -> Sequence[str]:
        """None: the design has no warnings."""
        return ()

    def advance(self, ms: int) -> None:
        super().advance(ms)
        for client in self._clients.values():
            for _ in client.pass_time(ms):
                """The design has no warnings."""
            if client.has_waited_out:
                client.fail(ERROR, ALIVE)

    def end_scenario(self) -> None:
        self._storage.clear()
        self._exchange = _policy(Limits())
        for known in (self._queues, self._targets, self._clients):
            known.clear()

    def _enqueue(self, producer: str, message_id: str, size_bytes: int) -> None:
        destination = self._targets[producer]
        self._storage.store(destination, message_id, size_bytes)
        queue = self._queues[destination]
        self._queues[destination] = self._rule(qpid942.after_enqueueing)(queue, ChannelName(producer), size_bytes)

    def _become(self, destination: str, after: qpid942.Queue) -> None:
        """Take on a queue's next state, and resume waiting sends whose producer is no longer stopped."""
        self._queues[destination] = after
        for producer, client in self._clients.items():
            if client.send is not None and not self.standing(producer).stopped:
                send = client.send
                client.let_go(Outcome.ACCEPTED)
                self._enqueue(producer, send.message_id, send.size_bytes)


def _policy(limits: Limits) -> qpid942.Policy:
    return qpid942.Policy(
        most_bytes=qpid942.NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        most_messages=qpid942.NOT_SET if limits.limit_messages is None else limits.limit_messages,
    )
