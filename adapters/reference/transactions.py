"""The open transactions of producers, for references of brokers that charge a transacted message when it is sent."""

from collections.abc import Iterator

from tidegate.adapters.base import Outcome
from tidegate.adapters.reference.storage import StoredMessage


class OpenTransactions:
    """The open transaction of each transacted producer: its messages, and whether one of them was refused."""

    def __init__(self) -> None:
        self._messages: dict[str, list[StoredMessage]] = {}
        self._refused: set[str] = set()

    def __contains__(self, producer: object) -> bool:
        return producer in self._messages

    def __iter__(self) -> Iterator[tuple[str, StoredMessage]]:
        """Each message with its producer."""
        return ((producer, message) for producer, messages in self._messages.items() for message in messages)

    def begin(self, producer: str) -> None:
        """Begin the first transaction of a producer."""
        self._messages[producer] = []

    def add(self, producer: str, message: StoredMessage) -> None:
        """Add a message to the producer's transaction. KeyError for a producer without transactions."""
        self._messages[producer].append(message)

    def told(self, producer: str, outcome: Outcome) -> Outcome:
        """The outcome that a producer is told of a send: the end of the transaction decides on an accepted message."""
        if producer not in self:
            return outcome
        if outcome is Outcome.REJECTED:
            self._refused.add(producer)
        return Outcome.UNSETTLED if outcome is Outcome.ACCEPTED else outcome

    def is_refused(self, producer: str) -> bool:
        """Whether a message of the producer's transaction was refused, so that it cannot be committed."""
        return producer in self._refused

    def end(self, producer: str) -> list[StoredMessage]:
        """The messages of the transaction that ends; the producer's next transaction begins."""
        self._refused.discard(producer)
        ended, self._messages[producer] = self._messages[producer], []
        return ended

    def forget(self, producer: str) -> None:
        """Forget a producer that was closed, transacted or not."""
        self._refused.discard(producer)
        self._messages.pop(producer, None)

    def clear(self) -> None:
        """Forget all producers."""
        self._messages.clear()
        self._refused.clear()
