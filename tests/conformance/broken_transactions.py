"""Brokers that mix up open transactions, or treat transactions of several messages wrongly."""

from tidegate.adapters.base import Outcome
from tidegate.adapters.reference.built_artemis import BuiltArtemisAmqp
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid

SEVERAL = 3


class CommitsEveryOpenTransaction(QpidReference):
    """Stores the messages of every open transaction when one of them is committed."""

    def commit(self, producer: str) -> Outcome:
        for other in list(self._uncommitted):
            super().commit(other)
        return Outcome.ACCEPTED


class RollsBackEveryOpenTransaction(QpidReference):
    """Forgets the messages of every open transaction when one of them is rolled back."""

    def rollback(self, producer: str) -> None:
        for other in self._uncommitted:
            super().rollback(other)


class StoresTheLastOfARollback(QpidReference):
    """Stores the last message of a rolled-back transaction that has several messages."""

    def rollback(self, producer: str) -> None:
        for message in self._uncommitted[producer][1:][-1:]:
            self._enqueue(producer, *message)
        super().rollback(producer)


class DropsWhatFollowsTheCrossingMessage(QpidReference):
    """Commits a transaction up to the message that takes its queue past the capacity, and drops the rest."""

    def commit(self, producer: str) -> Outcome:
        for message in self._uncommitted[producer]:
            if not any(qpid.overfull(self._state.queues[qpid.QueueName(name)]) for name in self._routes[producer]):
                self._enqueue(producer, *message)
        self._uncommitted[producer] = []
        return Outcome.ACCEPTED


class ChargesTheThirdRollback(QpidReference):
    """Goes on charging messages that are rolled back, from the third rollback on."""

    def __init__(self) -> None:
        super().__init__()
        self._times = 0

    def rollback(self, producer: str) -> None:
        self._times += 1
        if self._times >= SEVERAL:
            for message_id, size_bytes in self._uncommitted[producer][:1]:
                self._enqueue(producer, message_id, size_bytes)
        super().rollback(producer)

    def end_scenario(self) -> None:
        self._times = 0
        super().end_scenario()


class HandsOutWhatIsOpen(QpidReference):
    """Stores messages at once, and removes on a rollback only those that no consumer has taken."""

    def _go_on(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super()._go_on(producer, message_id, size_bytes)
        if producer in self._uncommitted:
            self._enqueue(producer, message_id, size_bytes)
        return outcome

    def commit(self, producer: str) -> Outcome:
        self._uncommitted[producer] = []
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        for message_id, _ in self._uncommitted[producer]:
            for name in self._routes[producer]:
                waiting = self._storage.queues[name].waiting
                for message in [each for each in waiting if each.message_id == message_id]:
                    waiting.remove(message)
                    gone = qpid.after_removal(self._state, self._names(name), message.size_bytes)
                    self._become(gone)
        super().rollback(producer)


class StopsWhoHasATransactionOpen(QpidReference):
    """Stops every channel with an open transaction when a commit takes its queue past the capacity."""

    def commit(self, producer: str) -> Outcome:
        outcome = super().commit(producer)
        for name in self._routes[producer]:
            if qpid.overfull(self._state.queues[qpid.QueueName(name)]):
                for other in [other for other, messages in self._uncommitted.items() if messages]:
                    self._become(qpid.after_send(self._state, qpid.ChannelName(other), self._names(name), 0))
        return outcome


class ChargesAnAddressForWhatIsRolledBack(BuiltArtemisAmqp):
    """Goes on charging an address for messages that are rolled back."""

    def rollback(self, producer: str) -> None:
        self._transactions.end(producer)


TRANSACTIONS: dict[type, tuple[str, ...]] = {
    CommitsEveryOpenTransaction: ("GENERAL-16",),
    RollsBackEveryOpenTransaction: ("GENERAL-16",),
    StoresTheLastOfARollback: ("GENERAL-16",),
    DropsWhatFollowsTheCrossingMessage: ("GENERAL-2", "QPID-QUEUE-8"),
    ChargesTheThirdRollback: ("GENERAL-16",),
    HandsOutWhatIsOpen: ("GENERAL-1",),
    StopsWhoHasATransactionOpen: ("QPID-QUEUE-9",),
    ChargesAnAddressForWhatIsRolledBack: ("GENERAL-16",),
}
"""The rules that each of these brokers breaks, the most direct first."""
