"""A STOMP producer: its messages with and without receipts, its transaction, and what the broker decides later."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tidegate.adapters.base import AdapterError, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.errors import ConnectionLost
from tidegate.adapters.groups import Settlement
from tidegate.adapters.stomp.answers import Answer
from tidegate.adapters.stomp.client import WATCHDOG_MS, StompConnection

TRANSACTION = "tx"
"""The name of a producer's transaction, which is the only one of its connection."""
Frame = tuple[Mapping[str, str], bytes]
"""The headers and the body of a SEND frame."""


@dataclass(frozen=True)
class Waiting:
    """Messages that the broker has not decided on, because it owes the answer to one frame."""

    answer: Answer
    message_ids: Sequence[str]
    is_send: bool
    """Whether the frame is a SEND frame, not the end of a transaction."""


class Producer:
    """One producer, on a connection of its own. After a refusal it connects again: STOMP then ends the connection."""

    def __init__(
        self, name: str, options: ProducerOptions, connect: Callable[[], StompConnection], patience_ms: int
    ) -> None:
        """`patience_ms` is how long the answer to a frame may take before the producer counts as waiting for it."""
        self._name = name
        self.options = options
        self._connect = connect
        self._patience_ms = patience_ms
        self._connection: StompConnection | None = connect()
        self._waiting: Waiting | None = None
        self._transaction: list[str] | None = None
        """The ids of the messages in the open transaction; None while none is open."""
        self._is_broken = False
        """Whether a refusal has ended the open transaction."""
        self._settlements: list[Settlement] = []

    @property
    def is_connected(self) -> bool:
        """Whether it has a connection; it has none between a refusal and its next message."""
        return self._connection is not None and self._connection.lost is None

    def headers(self) -> dict[str, str]:
        """The headers that every next SEND frame of the producer has, and that count for its charge."""
        headers = {} if self.options.asynchronous else {"receipt": self._open.new_receipt()}
        return {**headers, "transaction": TRANSACTION} if self.options.transacted else headers

    def send(self, message_id: str, frame: Frame) -> Outcome:
        """Send a message; blocked while an earlier answer is owed."""
        if self.waits():
            return Outcome.BLOCKED
        if self.options.transacted and self._transaction is None:
            self._transaction = []
            self._must(self._open.ask("BEGIN", {"transaction": TRANSACTION}))
        headers, body = frame
        connection = self._open
        if self.options.asynchronous:
            answer = connection.tell("SEND", headers, body)
        else:
            rest = {name: value for name, value in headers.items() if name != "receipt"}
            answer = connection.ask("SEND", rest, body, receipt=headers["receipt"])
        return self._decide(connection, Waiting(answer, [message_id], is_send=True))

    def commit(self) -> Outcome:
        """Commit; rejected if a message of the transaction was refused, which ended the transaction."""
        return self._end_transaction("COMMIT")

    def rollback(self) -> None:
        """Roll back."""
        self._end_transaction("ABORT")

    def waits(self) -> bool:
        """Whether the broker owes the producer an answer."""
        if self._waiting is not None and self._waiting.answer.given:
            waiting, self._waiting = self._waiting, None
            outcome = self._note(waiting)
            if outcome is not Outcome.UNSETTLED and not waiting.answer.refusal:
                self._settlements += [Settlement(each, outcome) for each in waiting.message_ids]
        return self._waiting is not None

    def settlements(self) -> Sequence[Settlement]:
        """The outcomes of messages that waited, and the reasons of refusals, since the last call."""
        self.waits()
        settled, self._settlements = self._settlements, []
        return settled

    def close(self, *, within_ms: int) -> None:
        """End the open transaction and the connection. A broker that does not answer in this time is not waited for."""
        if self._connection is not None:
            if self._transaction is not None and self._connection.lost is None and not self._is_broken:
                self._connection.ask("ABORT", {"transaction": TRANSACTION})
            self._connection.close(within_ms=within_ms)

    def drop(self) -> None:
        """Close the socket."""
        if self._connection is not None:
            self._connection.drop()

    @property
    def _open(self) -> StompConnection:
        """The connection, opened again if a refusal ended the last one. Raises `ConnectionLost` if it broke."""
        if self._connection is None:
            self._connection = self._connect()
        if self._connection.lost is not None:
            raise ConnectionLost(f"producer {self._name!r}: {self._connection.lost}")
        return self._connection

    def _end_transaction(self, command: str) -> Outcome:
        if self.waits():
            raise Unsupported(f"the broker owes {self._name!r} an answer, so its transaction cannot end")
        messages, self._transaction = self._transaction, None
        if messages is None:
            return Outcome.ACCEPTED  # nothing was sent
        is_broken, self._is_broken = self._is_broken, False
        if is_broken:
            return Outcome.REJECTED
        connection = self._open
        answer = connection.ask(command, {"transaction": TRANSACTION})
        return self._decide(connection, Waiting(answer, messages, is_send=False))

    def _decide(self, connection: StompConnection, waiting: Waiting) -> Outcome:
        """The outcome of a frame that was just sent; unsettled if the broker does not answer in time."""
        if not connection.is_answered(waiting.answer, within_ms=self._patience_ms):
            self._waiting = waiting
            return Outcome.UNSETTLED
        return self._note(waiting)

    def _note(self, waiting: Waiting) -> Outcome:
        """The outcome that an answer means, noted for the transaction or as a refusal."""
        if waiting.answer.refusal:
            self._settlements += [
                Settlement(each, Outcome.REJECTED, waiting.answer.refusal) for each in waiting.message_ids
            ]
            self._connect_again()
            return Outcome.REJECTED
        if waiting.is_send and self._transaction is not None:
            self._transaction += waiting.message_ids
            return Outcome.UNSETTLED
        return Outcome.SENT if waiting.is_send and self.options.asynchronous else Outcome.ACCEPTED

    def _connect_again(self) -> None:
        """Leave the connection that the broker ends after an ERROR frame, with the transaction on it."""
        self._is_broken = self._transaction is not None
        if self._connection is not None:
            self._connection.drop()
        self._connection = None

    def _must(self, answer: Answer) -> None:
        if not self._open.is_answered(answer, within_ms=WATCHDOG_MS) or answer.refusal:
            raise AdapterError(f"the broker began no transaction of {self._name!r}: {answer.refusal or 'no answer'}")
