"""The reference of a released Artemis for JMS clients over OpenWire: sends wait, and there is no credit.

While the address is closed, a synchronous send waits for its answer, and an asynchronous message makes the broker stop
reading its connection. A transacted message takes its space when it is sent.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions, Standing, Unsupported
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.overflow import FAIL, is_reached
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, classic, general_address, general_transactions
from tidegate.model.mechanisms.credit import Window

ENDLESS = Window(size=1 << 40, low=0)
"""Credit that no producer uses up: OpenWire has none."""


@dataclass
class Client:
    """A producer: its options, its unanswered bytes, its open transaction, and its new settlements."""

    producer: str
    connection: str
    options: ProducerOptions
    unanswered: int = 0
    """Bytes that went to the broker without an answer."""
    transaction: list[tuple[str, str, int]] = field(default_factory=list)
    """For each message in its open transaction, the address, the id and the size in bytes."""
    settlements: list[Settlement] = field(default_factory=list)


@dataclass(eq=False)
class Held:
    """A message that waits in its client, or that the broker has read and not yet handled."""

    client: Client
    destination: str
    message_id: str
    size_bytes: int
    in_client: bool


class BuiltArtemisOpenWire(ArtemisReference):
    """A broker of addresses whose producers wait."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._clients: dict[str, Client] = {}
        self._line: deque[Held] = deque()
        """The messages that wait, in the order of their arrival."""
        self._works_off = False

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        self._clients[producer] = Client(producer, connection, options)

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Unsupported for a producer with a shared session: a session is for one thread."""
        if session:
            raise Unsupported("producers that share a session do not wait each by itself: it is for one thread")
        super().open_anonymous_producer(producer, connection, session)
        self._clients[producer] = Client(producer, connection, DEFAULT_OPTIONS)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client, destination = self._clients[producer], self._target[producer]
        if self._waits(client):
            return Outcome.BLOCKED
        message = Held(client, destination, message_id, size_bytes, in_client=not client.options.asynchronous)
        if not message.in_client and not self._has_window(client, size_bytes):
            message.in_client = True
        elif self._goes(message, is_read=client.connection not in self._unread()):
            return self._handled(message)
        self._line.append(message)
        if message.in_client:
            return Outcome.UNSETTLED
        client.unanswered += size_bytes
        return Outcome.SENT

    def commit(self, producer: str) -> Outcome:
        client = self._clients[producer]
        if self._waits(client):
            return Outcome.BLOCKED
        messages, client.transaction = client.transaction, []
        for destination, message_id, size_bytes in messages:
            self._charge(destination, -size_bytes)
            self._store(client, destination, message_id, size_bytes)
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        self._give_back(self._with_no_call(producer))

    def close_producer(self, producer: str) -> None:
        """Roll back the open transaction: a session with a waiting send can only end so."""
        client = self._clients.pop(producer)
        waiting = [message for message in self._line if message.client is client]
        self._line = deque(message for message in self._line if message.client is not client)
        self._give_back(client)
        if client.options.transacted:
            for message in waiting:
                room = not self._is_closed(message.destination)
                stays = self._rule(general_transactions.charged_after_rollback)(message.size_bytes, room)
                self._charge(message.destination, stays)
        super().close_producer(producer)
        self._work_off()

    def settlements(self, producer: str) -> Sequence[Settlement]:
        client = self._clients[producer]
        told, client.settlements = client.settlements, []
        return told

    def pass_time(self, ms: int) -> None:
        """Advance the clock; a message expires when it is stored if it has waited longer than its time to live."""
        super().pass_time(ms)
        super().pass_time(0)

    def depth(self, destination: str) -> Depth:
        """The bytes that the address is charged, and the messages of the queue."""
        address = self._bound.get(destination, destination)
        return Depth(self._addresses[address].bytes, super().depth(destination).messages)

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=self._waits(self._clients[producer]))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._clients.clear()
        self._line.clear()

    def _waits(self, client: Client) -> bool:
        return any(message.client is client and message.in_client for message in self._line)

    def _with_no_call(self, producer: str) -> Client:
        client = self._clients[producer]
        if self._waits(client):
            raise Unsupported(f"the last call of {producer!r} still waits: no other can be made in its session")
        return client

    def _has_window(self, client: Client, size_bytes: int) -> bool:
        window = client.options.window_bytes
        return window is None or self._rule(classic.may_transmit)(window, client.unanswered, size_bytes)

    def _is_closed(self, destination: str) -> bool:
        return self._rule(general_address.closed)(self._addresses[destination], self._causes(destination))

    def _goes(self, message: Held, *, is_read: bool) -> bool:
        """Whether the broker handles a message now: its connection is read, and its address is open."""
        if not is_read:
            return False
        refuses = self._in_force[message.destination].policy == FAIL
        stops = not refuses or self._rule(general_address.full_disk_stops)(refuses)
        return not (self._is_closed(message.destination) and (stops or not self._is_disk_full))

    def _unread(self) -> set[str]:
        """The connections that the broker has stopped reading: a message of each is read and not yet handled."""
        return {message.client.connection for message in self._line if not message.in_client}

    def _handled(self, message: Held) -> Outcome:
        """Handle a message in the broker; the result is the answer to its client."""
        client = message.client
        refused = self._refuses(message.destination)
        if client.options.transacted and not refused:
            client.transaction.append((message.destination, message.message_id, message.size_bytes))
            self._charge(message.destination, message.size_bytes)
            return Outcome.UNSETTLED
        outcome = (
            Outcome.REJECTED
            if refused
            else self._store(client, message.destination, message.message_id, message.size_bytes)
        )
        return self._told(client, outcome)

    def _told(self, client: Client, outcome: Outcome) -> Outcome:
        """The outcome that the client learns: an asynchronous message has no answer."""
        return Outcome.SENT if client.options.asynchronous else outcome

    def _refuses(self, destination: str) -> bool:
        """Whether an address refuses every message: the address or the disk is full."""
        limits, address = self._in_force[destination], self._addresses[destination]
        held = Depth(address.bytes, self._held_at(destination).messages)
        return limits.policy == FAIL and (self._is_disk_full or is_reached(limits, held))

    def _store(self, client: Client, destination: str, message_id: str, size_bytes: int) -> Outcome:
        self._target[client.producer] = destination
        return super().send(client.producer, message_id, size_bytes)

    def _give_back(self, client: Client) -> None:
        messages, client.transaction = client.transaction, []
        for destination, _, size_bytes in messages:
            self._charge(destination, -size_bytes)

    def _charge(self, destination: str, size_bytes: int) -> None:
        address = self._addresses[destination]
        self._become(destination, replace(address, bytes=address.bytes + size_bytes))

    def _become(self, destination: str, after: artemis.Address) -> None:
        super()._become(destination, after)
        self._work_off()

    def _work_off(self) -> None:
        """Handle, in the order of arrival, every message that may be handled, until no message moves."""
        if self._works_off:
            return
        self._works_off = True
        while self._moves_one():
            pass
        self._works_off = False

    def _moves_one(self) -> bool:
        """Move the first message that may move. Whether there was one."""
        unread: set[str] = set()
        for message in self._line:
            connection = message.client.connection
            if self._goes_out(message) or self._is_answered(message, is_read=connection not in unread):
                return True
            if not message.in_client:
                unread.add(connection)
        return False

    def _goes_out(self, message: Held) -> bool:
        """Send an asynchronous message that waits in its client, if the window has room now. Whether it was sent."""
        client = message.client
        if not (message.in_client and client.options.asynchronous and self._has_window(client, message.size_bytes)):
            return False
        message.in_client = False
        client.unanswered += message.size_bytes
        client.settlements.append(Settlement(message.message_id, Outcome.SENT))
        return True

    def _is_answered(self, message: Held, *, is_read: bool) -> bool:
        """Handle a message in the broker and answer its client, if it may be handled now. Whether it was handled."""
        client = message.client
        waits_for_window = message.in_client and client.options.asynchronous
        if waits_for_window or not self._goes(message, is_read=is_read):
            return False
        self._line.remove(message)
        outcome = self._handled(message)
        if not message.in_client:
            client.unanswered -= message.size_bytes
        elif outcome is not Outcome.UNSETTLED:
            client.settlements.append(Settlement(message.message_id, outcome))
        return True

    def _give_credit(self, producer: str, destination: str, windows_ahead: int = 0) -> None:
        super()._give_credit(producer, destination, windows_ahead=1)

    def _window(self, limits: Limits) -> Window:
        return ENDLESS
