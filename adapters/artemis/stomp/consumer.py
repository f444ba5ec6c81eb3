"""A STOMP consumer that is sent a message only when it takes one.

Artemis sends a subscription its next message as soon as there is one, and one more with each acknowledgement. So each
take has a subscription of its own, which ends with the acknowledgement of its message.
"""

import time
from collections.abc import Callable, Mapping
from itertools import count

from tidegate.adapters.base import AdapterError
from tidegate.adapters.stomp.answers import Answer, Message
from tidegate.adapters.stomp.client import WATCHDOG_MS, StompConnection

ID = "id"
"""The header with the suite's id of a message."""
LOOK_MS = 20


class Consumer:
    """One consumer, on a connection of its own."""

    def __init__(self, connection: StompConnection, source: str) -> None:
        """`source` is the address, or ADDRESS::QUEUE."""
        self._connection = connection
        self._source = source
        self._numbers = count(1)
        self._taken: dict[str, tuple[str, Message]] = {}
        """The subscription and the message of each id that was handed out."""

    @property
    def is_connected(self) -> bool:
        """Whether its connection is open."""
        return self._connection.lost is None

    @property
    def in_hand(self) -> int:
        """The number of messages that were handed out and not settled."""
        return len(self._taken)

    def attach(self, selector: str) -> None:
        """Subscribe to the messages that match a selector, until the consumer is closed."""
        self._subscribe({"selector": selector})

    def take(self, may_come: Callable[[], bool], patience_ms: int) -> str | None:
        """The id of the next message; None if none comes after `may_come` denied it, or none comes in time."""
        subscription = self._subscribe({})
        deadline = time.monotonic() + patience_ms / 1000
        is_last = False
        while (message := self._connection.message(subscription, within_ms=LOOK_MS)) is None:
            if is_last or time.monotonic() > deadline:
                self._must(self._connection.unsubscribe(subscription))
                return None
            is_last = not may_come()
        message_id = message.headers[ID]
        self._taken[message_id] = subscription, message
        return message_id

    def settle(self, command: str, message_id: str) -> None:
        """Send ACK or NACK for a message that was handed out, and end its subscription."""
        if message_id not in self._taken:
            raise AdapterError(f"the message {message_id!r} was not handed out")
        subscription, message = self._taken.pop(message_id)
        answers = self._connection.ask(command, {"id": message.ack}), self._connection.unsubscribe(subscription)
        for answer in answers:
            self._must(answer)

    def give_back(self) -> None:
        """End the subscriptions of unacknowledged messages, the last one first: the broker queues these again."""
        for subscription, _ in reversed(self._taken.values()):
            self._must(self._connection.unsubscribe(subscription))
        self._taken.clear()

    def close(self, *, within_ms: int) -> None:
        """Disconnect."""
        self._connection.close(within_ms=within_ms)

    def drop(self) -> None:
        """Close the socket."""
        self._connection.drop()

    def _subscribe(self, headers: Mapping[str, str]) -> str:
        subscription = f"take-{next(self._numbers)}"
        frame = {"destination": self._source, "ack": "client-individual", **headers}
        self._must(self._connection.subscribe(subscription, frame))
        return subscription

    def _must(self, answer: Answer) -> None:
        if not self._connection.is_answered(answer, within_ms=WATCHDOG_MS) or answer.refusal:
            raise AdapterError(f"a consumer of {self._source!r}: {answer.refusal or 'no answer'}")
