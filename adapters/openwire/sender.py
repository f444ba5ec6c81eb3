"""A producer's calls: whether one still waits, and the outcomes of the messages that it decides on."""

import time
from collections.abc import Callable, Sequence

from tidegate.adapters.base import AdapterError, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Settlement
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.openwire.answers import Ended

LOOK_MS = 20
HELD_MS = 150
"""How long, in ms, the broker must be seen to hold a producer, and its call to wait, before that counts as waiting."""


class Sender:
    """One producer, with the verbs of the contract."""

    def __init__(
        self,
        name: str,
        options: ProducerOptions,
        clients: JvmProcess,
        is_held: Callable[[], bool],
        patience_ms: int,
    ) -> None:
        """`is_held` tells whether the broker is seen to hold the producer.

        `patience_ms` is the longest wait for a call that the broker is not seen to hold.
        """
        self._name = name
        self._clients = clients
        self._is_held = is_held
        self._patience_ms = patience_ms
        self._transacted = options.transacted
        self._open: str | None = None
        """The verb of the waiting call."""
        self._undecided: list[str] = []
        """The ids of the messages that this call decides on."""
        self._transaction: list[str] = []
        self._settlements: list[Settlement] = []

    def send(self, message_id: str, body_bytes: int, lives_ms: int = 0) -> Outcome:
        """Send a message that expires after `lives_ms`; 0: never.

        Blocked while the last call waits: a JMS session is for one thread.
        """
        return self._send("send", message_id, body_bytes, lives_ms)

    def send_to(self, destination: str, is_topic: bool, message_id: str, body_bytes: int) -> Outcome:
        """Send with an anonymous producer, to a destination given with the message."""
        return self._send("send_to", message_id, body_bytes, destination, is_topic)

    def commit(self) -> Outcome:
        """Commit. Blocked while a call to send waits: a session is for one thread."""
        if self.waits():
            return Outcome.BLOCKED
        ended = self._end_transaction("commit")
        if ended is None:
            return Outcome.UNSETTLED
        return Outcome.REJECTED if ended.reason else Outcome.ACCEPTED

    def rollback(self) -> None:
        """Roll back. AdapterError while a call to send waits, or if the rollback fails or does not return."""
        ended = self._end_transaction("rollback")
        if ended is None or ended.reason:
            raise AdapterError(f"the rollback of {self._name!r}: {ended.reason if ended else 'no answer'}")

    def waits(self) -> bool:
        """Whether a call of the producer still waits."""
        if self._open is not None:
            ended: Ended | None = self._clients.call("answer", self._name, 0)
            if ended is not None:
                self._note(self._open, ended)
        return self._open is not None

    def settlements(self) -> Sequence[Settlement]:
        """The outcomes of unsettled messages since the last call, and the reasons of refusals."""
        self.waits()
        settled, self._settlements = self._settlements, []
        return settled

    def _send(self, verb: str, message_id: str, *arguments: object) -> Outcome:
        if self.waits():
            return Outcome.BLOCKED
        ended = self._begin(verb, [message_id], message_id, *arguments)
        if ended is None:
            return Outcome.UNSETTLED
        if ended.reason:
            self._settlements.append(Settlement(message_id, Outcome.REJECTED, ended.reason))
            return Outcome.REJECTED
        if not ended.answered:
            self._arrive()
        if self._transacted:
            self._transaction.append(message_id)
            return Outcome.UNSETTLED
        return _told(ended)

    def _end_transaction(self, verb: str) -> Ended | None:
        if self.waits():
            raise Unsupported(f"the last call of {self._name!r} still waits: no other can be made in its session")
        messages, self._transaction = self._transaction, []
        return self._begin(verb, messages)

    def _begin(self, verb: str, messages: list[str], *arguments: object) -> Ended | None:
        """Make a call that decides on messages, and wait until it returns or is seen to wait."""
        ended: Ended | None = self._clients.call(verb, self._name, *arguments, LOOK_MS)
        deadline = time.monotonic() + self._patience_ms / 1000
        held_since: float | None = None
        while ended is None and (now := time.monotonic()) < deadline:
            waits = self._is_held() and self._clients.call("stuck", self._name)
            held_since = (held_since or now) if waits else None
            if held_since is not None and now - held_since > HELD_MS / 1000:
                break
            ended = self._clients.call("answer", self._name, LOOK_MS)
        if ended is None:
            self._open, self._undecided = verb, messages
        return ended

    def _note(self, verb: str, ended: Ended) -> None:
        """Note the end of a call that waited."""
        self._open = None
        decided, self._undecided = self._undecided, []
        if ended.reason:
            self._settlements += [Settlement(each, Outcome.REJECTED, ended.reason) for each in decided]
        elif verb == "send" and self._transacted:
            self._transaction += decided
        else:
            outcome = Outcome.REJECTED if verb == "rollback" else _told(ended)
            self._settlements += [Settlement(each, outcome) for each in decided]

    def _arrive(self) -> None:
        """Wait until the broker has handled the message, or is seen to let it wait."""
        deadline = time.monotonic() + self._patience_ms / 1000
        while not self._is_held() and not self._clients.call("flush", self._name, LOOK_MS):
            if time.monotonic() > deadline:
                return  # the next look at the depth shows every message that has arrived


def _told(ended: Ended) -> Outcome:
    """The outcome of a call that returned without an exception."""
    return Outcome.ACCEPTED if ended.answered else Outcome.SENT
