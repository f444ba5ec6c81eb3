"""Brokers that keep a promise alone, and break it where two things meet: the Artemis references."""

from collections import deque
from dataclasses import replace

from tests.conformance.broken_meetings import keep_one
from tidegate.adapters.base import Delivery, Limits, Outcome
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.built_artemis import BuiltArtemisAmqp
from tidegate.adapters.reference.built_artemis_core import BuiltArtemisCoreClients
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.general_address import FurtherCauses

SIXTEEN = 16


class KeepsALimitInMessages(ArtemisReference):
    """A limit in messages that a change of limits leaves out stays in force."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        kept = self._own[destination].limit_messages if limits.limit_messages is None else limits.limit_messages
        super().change_limits(destination, replace(limits, limit_messages=kept))


class CountsNoMessagesInHand(ArtemisReference):
    """The limit in messages leaves out what consumers have in hand."""

    def _causes(self, destination: str) -> FurtherCauses:
        in_hand = len(self._storage.queues[destination].handed_out)
        causes = super()._causes(destination)
        return replace(causes, messages=causes.messages - in_hand)


class CountsEachCopy(ArtemisReference):
    """The limit in messages counts a message once for each queue that holds it."""

    def _causes(self, destination: str) -> FurtherCauses:
        causes = super()._causes(destination)
        queues = self._queues_of(destination)
        return replace(causes, messages=sum(self._storage.queues[each].depth().messages for each in queues))


class LimitsNoMessagesOfTopics(ArtemisReference):
    """A topic has no limit in messages."""

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, replace(limits, limit_messages=None))


class LetsAChangedPatternWin(ArtemisReference):
    """When the limits of a pattern change, each destination that matches loses its own."""

    def change_pattern(self, beginning: str, limits: Limits) -> None:
        for destination in self._own:
            credit = self._own[destination]
            self._own[destination] = Limits(credit=credit.credit, credit_low=credit.credit_low)
        super().change_pattern(beginning, limits)


class KeepsAPolicyOnceChanged(ArtemisReference):
    """A policy that was changed stays the other one when it is changed back to BLOCK."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        before = self._own[destination].policy
        back = limits.policy == "BLOCK" and before not in (None, "BLOCK")
        super().change_limits(destination, replace(limits, policy=before) if back else limits)


class RejectsOnlyBelowAMaximum(ArtemisReference):
    """A reject threshold holds only where there is a maximum size."""

    def declare(self, destination: str, limits: Limits) -> None:
        unlimited = limits.limit_bytes == artemis.NO_LIMIT
        super().declare(destination, replace(limits, reject_bytes=None) if unlimited else limits)


class KeepsTheSecondTemporary(ArtemisReference):
    """Of several temporary queues of a connection, only the first ends with it."""

    def kill(self, connection: str) -> None:
        keep_one(self._storage.temporary, connection)
        super().kill(connection)


class SendsNothingAheadThatWentBack(ArtemisCoreReference):
    """Messages that go back with the end of a consumer wait until somebody asks for them."""

    def close_consumer(self, consumer: str) -> None:
        self._is_ending = True
        super().close_consumer(consumer)
        self._is_ending = False

    def _send_ahead(self, destination: str) -> None:
        if not self._is_ending:
            super()._send_ahead(destination)

    _is_ending = False


class SendsReturnedMessagesPastTheWindow(ArtemisCoreReference):
    """Messages that go back with the end of a consumer are sent ahead to another one, whether or not they fit."""

    def close_consumer(self, consumer: str) -> None:
        self._is_ending = True
        super().close_consumer(consumer)
        self._is_ending = False

    def _next_of(self, destination: str, size_bytes: int) -> str | None:
        here = (name for name in self._buffering if self._storage.destination_of(name) == destination)
        return next(here, None) if self._is_ending else super()._next_of(destination, size_bytes)

    _is_ending = False


class SendsNothingAheadThatIsCommitted(BuiltArtemisCoreClients):
    """Committed messages wait until somebody asks for them."""

    def commit(self, producer: str) -> Outcome:
        self._is_committing = True
        outcome = super().commit(producer)
        self._is_committing = False
        return outcome

    def _send_ahead(self, destination: str) -> None:
        if not self._is_committing:
            super()._send_ahead(destination)

    _is_committing = False


class ForgetsAcknowledgedMessages(ArtemisCoreReference):
    """A message that was acknowledged counts for the rate of its consumer no longer."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        if self._buffering[consumer].passing.passed_ms:
            self._buffering[consumer].passing.passed_ms.popleft()


class RemembersSixteenMessages(ArtemisCoreReference):
    """A client remembers sixteen messages at most for its rate."""

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        keep_sixteen(self._buffering[consumer].passing.passed_ms)
        return delivery

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        keep_sixteen(self._producers[producer].passing.passed_ms)
        return outcome


def keep_sixteen(times: deque[int]) -> None:
    """Forget all but the last sixteen times."""
    while len(times) > SIXTEEN:
        times.popleft()


class DropsCommitsPastTheThreshold(BuiltArtemisAmqp):
    """Where a message of anybody was rejected, a commit stores nothing, and is accepted all the same."""

    _has_rejected = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._has_rejected = self._has_rejected or outcome is Outcome.REJECTED
        return outcome

    def commit(self, producer: str) -> Outcome:
        if not self._has_rejected:
            return super().commit(producer)
        self.rollback(producer)
        return Outcome.ACCEPTED

    def end_scenario(self) -> None:
        super().end_scenario()
        self._has_rejected = False


class StaysRefusedAfterARollback(BuiltArtemisAmqp):
    """After a rollback of a transaction with a refused message, the next transaction is refused, too."""

    def rollback(self, producer: str) -> None:
        refused = self._transactions.is_refused(producer)
        super().rollback(producer)
        if refused:
            self._transactions._refused.add(producer)


MEETINGS_ARTEMIS: dict[type, tuple[str, ...]] = {
    KeepsALimitInMessages: ("GENERAL-5",),
    CountsNoMessagesInHand: ("GENERAL-18",),
    CountsEachCopy: ("GENERAL-21",),
    LimitsNoMessagesOfTopics: ("GENERAL-13",),
    LetsAChangedPatternWin: ("GENERAL-21", "GENERAL-20"),
    KeepsAPolicyOnceChanged: ("ARTEMIS-BLOCK-1",),
    RejectsOnlyBelowAMaximum: ("ARTEMIS-AMQP-9",),
    KeepsTheSecondTemporary: ("GENERAL-21",),
    SendsNothingAheadThatWentBack: ("ARTEMIS-CONSUMER-1",),
    SendsReturnedMessagesPastTheWindow: ("ARTEMIS-CONSUMER-11",),
    RemembersSixteenMessages: ("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"),
    DropsCommitsPastTheThreshold: ("GENERAL-2",),
    SendsNothingAheadThatIsCommitted: ("ARTEMIS-CONSUMER-1",),
    ForgetsAcknowledgedMessages: ("ARTEMIS-RATE-1",),
    StaysRefusedAfterARollback: ("GENERAL-21",),
}
"""The rules that each of these brokers breaks, the most direct first."""
