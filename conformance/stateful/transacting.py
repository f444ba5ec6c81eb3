"""The transactions of a random sequence: one may stay open while other things happen, and ends in one of four ways.

No document says what a message of an open transaction is charged, and which producers it stops. So nothing is judged by
the model while one is open; once it has ended, its messages count as committed ones, or not at all.
"""

from tidegate.adapters.base import Depth, Outcome, ProducerOptions
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import COMMITTER
from tidegate.conformance.stateful.possible import TRANSACTION_SIZE
from tidegate.conformance.stateful.sending import Sending
from tidegate.conformance.stateful.tally import Deed

TRANSACTED = ProducerOptions(transacted=True)
ROLLED_BACK = "GENERAL-16"
"""The rule on what is rolled back; a transaction that ends with its producer is rolled back too."""


class Transacting(Sending):
    """Sends messages in transactions, and ends these by a commit, a rollback, a close or a broken connection."""

    def _send_in_transaction(self, action: Action) -> None:
        if not self.here.in_transaction:
            self._committer()
            self.here.comparable = self._agrees_with_model()
        self.here.has_uncommitted = True
        for _ in range(1 + action.place % self.setup.most_in_transaction):
            if self._transaction_waits() or not self._send_as_part(action.amount):
                break
            self.here.seen[self._committer()] = self.lab.standing(self._committer())
        self._look()

    def _send_as_part(self, size: int) -> bool:
        """Send a message as a part of the transaction; whether it is unsettled until the transaction ends."""
        producer = self._committer()
        was_stopped = producer in self.here.seen and self.here.seen[producer].stopped
        outcome = self.lab.send(producer, size)
        if outcome is not Outcome.UNSETTLED:
            return False
        self.here.in_transaction[self.sequence.last_sent] = size
        if self.setup.charges_open_transactions:
            self.here.prediction.sent(self.sequence.last_sent, producer, size, Outcome.ACCEPTED)
        is_stopped = self.lab.standing(producer).stopped
        self.here.waits_in_transaction = was_stopped or (is_stopped and not self.setup.stops_after_a_send)
        return True

    def _end_transaction(self, action: Action) -> None:
        """Commit or roll back the open transaction, or one of two messages for which there is room."""
        commits = action.verb is Verb.COMMIT
        self._committer()
        if not self.here.in_transaction:
            self.here.comparable = self._agrees_with_model()
            for _ in range(2):
                if not self._send_as_part(TRANSACTION_SIZE):
                    break
        self._did(Deed.COMMITTED if commits else Deed.ROLLED_BACK, len(self.here.in_transaction) > 1)
        if commits:
            self._commit()
        else:
            producer = self._committer()
            self.lab.rollback(producer)
            self._forget_transaction(producer)
            self._look()
            self._charges_nothing_of_it()

    def _commit(self) -> None:
        producer = self._committer()
        outcome = self.lab.commit(producer)
        sent, self.here.in_transaction = self.here.in_transaction, {}
        self.here.has_uncommitted = self.here.has_uncommitted and outcome is not Outcome.ACCEPTED
        if not self.setup.charges_open_transactions:
            for message_id, size in sent.items():
                self.here.prediction.sent(message_id, producer, size, outcome)
        elif outcome is not Outcome.ACCEPTED:
            self.here.prediction.removed(sent)
        self._look()

    def _leave_transaction(self, action: Action) -> None:
        """Close the producer of the open transaction, or break its connection."""
        producer = self._committer()
        (self.lab.kill if action.verb is Verb.KILL_TRANSACTED else self.lab.close_producer)(producer)
        self.here.transacted, self.here.has_uncommitted = None, False
        self._did(Deed.LEFT, True)
        self._forget_transaction(producer)
        self.here.prediction.closed(producer)
        self._look()
        self._charges_nothing_of_it()

    def _forget_transaction(self, producer: str) -> None:
        """Have the model forget the messages of the producer's open transaction, but for the credit of each."""
        sent = self.here.in_transaction
        if not self.setup.charges_open_transactions:
            for message_id, size in sent.items():
                self.here.prediction.sent(message_id, producer, size, Outcome.ACCEPTED)
        self.here.prediction.removed(sent)
        self.here.in_transaction, self.here.waits_in_transaction = {}, False

    def _charges_nothing_of_it(self) -> None:
        """Raise if the destination holds more than it holds without the messages that were rolled back."""
        is_known = self.here.comparable and not self.here.prediction.has_waiting_sends and not self.may_grow
        if not is_known or self.tally.actions[Verb.PURGE]:
            return
        wanted = self._depth_of_model()
        holds = self.lab.comes_to(lambda: self.lab.depth(self.here.name), lambda depth: depth == wanted)
        if holds.bytes > wanted.bytes or holds.messages > wanted.messages:
            expected = f"nothing charged for rolled back messages: {self._holds(wanted)}"
            self._broke(expected, self._holds(holds), ROLLED_BACK)

    def _agrees_with_model(self) -> bool:
        """Whether the destination holds what the model says, and no send waits: so a rollback must lead back to it."""
        # open: whether what is in an open transaction counts for the level from which messages are rejected
        is_known = not self.here.prediction.has_waiting_sends and self.here.limits.reject_bytes is None
        return is_known and not self.may_grow and self.lab.depth(self.here.name) == self._depth_of_model()

    def _depth_of_model(self) -> Depth:
        return Depth(self.lab.real(self.here.prediction.level), self.here.prediction.messages)

    def _committer(self) -> str:
        """The producer of transactions; it is opened if none is there."""
        if self.here.transacted is None:
            self._committers += 1
            self.here.transacted = self._committer_name
            self._open(self.here.transacted, TRANSACTED)
            self._look()
        return self.here.transacted

    @property
    def _committer_name(self) -> str:
        return COMMITTER if self._committers == 1 else f"{COMMITTER} {self._committers}"
