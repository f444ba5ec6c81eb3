"""Brokers that keep a promise alone, and break it where two things meet: the Qpid and the Classic reference."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Outcome, Standing
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.built_classic_5 import BuiltClassic5
from tidegate.adapters.reference.classic import ClassicReference, Pending
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.language.message_text import Field, Message
from tidegate.model.mechanisms import classic, qpid
from tidegate.model.mechanisms.qpid_log import QUEUE_UNDERFULL

THIRD = 3


class WakesSendsForConsumersAlone(QpidReference):
    """A purge and a change of limits release channels, and wake no send that waits in a client."""

    _is_quiet = False

    def purge(self, destination: str) -> None:
        with self._quietly():
            super().purge(destination)

    def change_limits(self, destination: str, limits: Limits) -> None:
        with self._quietly():
            super().change_limits(destination, limits)

    def _let_go(self) -> None:
        if not self._is_quiet:
            super()._let_go()

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._is_quiet = True
        try:
            yield
        finally:
            self._is_quiet = False


class AddsUpWaits(QpidReference):
    """The time of a send counts from the beginning of the first wait of its client."""

    def __init__(self) -> None:
        super().__init__()
        self._waited: dict[str, int] = {}

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        client = self._clients[producer].waiting
        if outcome is Outcome.UNSETTLED and client.send is not None:
            before = self._waited.get(producer, 0)
            client.send.waiting = replace(client.send.waiting, waited_ms=before)
        return outcome

    def advance(self, ms: int) -> None:
        super().advance(ms)
        for producer, client in self._clients:
            if client.waiting.send is not None:
                self._waited[producer] = client.waiting.send.waiting.waited_ms

    def end_scenario(self) -> None:
        super().end_scenario()
        self._waited.clear()


class StoresTransactedSendsThatWaited(QpidReference):
    """A transacted message whose send waited is stored when its send goes on, not at the commit."""

    def _let_go(self) -> None:
        for producer, client in self._clients:
            is_free = producer in self._uncommitted and not client.held_back(self.standing(producer).stopped)
            if is_free and (send := client.waiting.send):
                self._enqueue(producer, send.message_id, send.size_bytes)
                client.let_go(Outcome.UNSETTLED)
        super()._let_go()


class LosesTransactedSendsThatWaited(QpidReference):
    """A commit leaves out a message whose send waited in its client."""

    def _let_go(self) -> None:
        for producer, client in self._clients:
            is_free = producer in self._uncommitted and not client.held_back(self.standing(producer).stopped)
            if is_free and client.waiting.send is not None:
                client.let_go(Outcome.UNSETTLED)
        super()._let_go()


class CommitsWithAClose(QpidReference):
    """A producer that ends commits its open transaction."""

    def close_producer(self, producer: str) -> None:
        if producer in self._uncommitted:
            self.commit(producer)
        super().close_producer(producer)


class ChargesReturnedMessagesThatLeaveOtherwise(QpidReference):
    """A message that a consumer gave back gives its bytes back to nobody but a consumer."""

    def __init__(self) -> None:
        super().__init__()
        self._returned: set[str] = set()
        self._still_charged = 0

    def close_consumer(self, consumer: str) -> None:
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        self._returned |= {message_id for message_id, holder in holders.items() if holder == consumer}
        super().close_consumer(consumer)

    def purge(self, destination: str) -> None:
        self._keep(destination)
        super().purge(destination)

    def move(self, destination: str, to: str) -> None:
        self._keep(destination)
        super().move(destination, to)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._still_charged)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._returned.clear()
        self._still_charged = 0

    def _keep(self, destination: str) -> None:
        waiting = self._storage.queues[destination].waiting
        self._still_charged += sum(each.size_bytes for each in waiting if each.message_id in self._returned)


class DropsCommitsToFullQueues(QpidReference):
    """A commit to a queue that others have filled stores nothing, and is accepted all the same."""

    def commit(self, producer: str) -> Outcome:
        sizes = [size_bytes for _, size_bytes in self._uncommitted[producer]]
        for queue in self._queues_of(producer):
            if self._said_overfull[qpid.QueueName(queue)] or self._refuses(queue, sum(sizes), len(sizes)):
                self._uncommitted[producer] = []
        return super().commit(producer)


class DropsWhatGoesBackAThirdTime(QpidReference):
    """A message that goes back from a closed consumer for the third time is dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._times: Counter[str] = Counter()

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        holders = self._storage.queues[destination].holders
        returned = [message_id for message_id, holder in holders.items() if holder == consumer]
        super().close_consumer(consumer)
        self._times.update(returned)
        for message_id in returned:
            if self._times[message_id] == THIRD:
                self._let_leave(destination, message_id)


class ReleasesNobodyBehindAnOldClient(QpidReference):
    """A release goes no further than the first channel of a client that ignores the order to stop."""

    def _become(self, after: qpid.Broker) -> None:
        before, ended = self._state.holds, False
        holds = {}
        for channel, held in after.holds.items():
            is_released = any(before.get(channel, held)[name] and not held[name] for name in held)
            holds[channel] = before[channel] if ended and is_released else held
            ended = ended or not self._clients[channel].options.obeys
        super()._become(replace(after, holds=holds))


class LooksAtNoSendThatWaited(QpidReference):
    """A message whose send waited stops no channel, however full it makes its queue."""

    def _let_go(self) -> None:
        before = self._state.holds
        super()._let_go()
        holds = {channel: before.get(channel, held) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=holds)


class LetsReturnedMessagesLive(QpidReference):
    """A message that a consumer gave back never expires."""

    def close_consumer(self, consumer: str) -> None:
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        for message_id in [each for each, holder in holders.items() if holder == consumer]:
            self._storage.expires_ms.pop(message_id, None)
        super().close_consumer(consumer)


class LogsUnderfullWithReleasesAlone(QpidReference):
    """The line about an underfull queue is written only while a channel is stopped."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        holds = any(any(held.values()) for held in self._state.holds.values())
        if message.code != QUEUE_UNDERFULL.code or holds or self._was_held:
            super()._log(actor, message, **fields)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._was_held = any(any(held.values()) for held in self._state.holds.values())
        super().acknowledge(consumer, message_id)

    _was_held = False


class ShowsNoAnonymousProducer(QpidReference):
    """A producer that names its destination with each message is never shown as stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._anonymous: set[str] = set()

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        super().open_anonymous_producer(producer, connection, session)
        self._anonymous.add(producer)

    def shown_stopped(self, producer: str) -> bool:
        return producer not in self._anonymous and super().shown_stopped(producer)


class FreesWhatOneQueueRefused(QpidReference):
    """A message that a consumer of one queue refuses for good, or that is purged there, makes room at all queues."""

    def give_up(self, consumer: str, message_id: str) -> None:
        super().give_up(consumer, message_id)
        self._open_all()

    def purge(self, destination: str) -> None:
        super().purge(destination)
        self._open_all()

    def _open_all(self) -> None:
        holds = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=holds)


class LooksAtTheDiskWithTheNextMessage(QpidReference):
    """After a restart, nobody looks at the disk before the next message comes."""

    _has_looked = True

    def restart_broker(self) -> None:
        super().restart_broker()
        self._has_looked = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._has_looked = True
        return super().send(producer, message_id, size_bytes)

    def standing(self, producer: str) -> Standing:
        return super().standing(producer) if self._has_looked else Standing(stopped=False)


class ForgetsDefaultsAtADeletion(ClassicReference):
    """A destination that is created again inherits nothing."""

    def recreate(self, destination: str, limits: Limits) -> None:
        super().recreate(destination, limits)
        if limits.limit_bytes is None:
            self.change_limits(destination, replace(limits, limit_bytes=classic.NO_LIMIT))


class ForgetsToFailAfterAChange(ClassicReference):
    """A change of a limit on all destinations switches off that sends fail."""

    def change_usage(self, usage: Usage) -> None:
        super().change_usage(usage)
        self._no_space = self._model.default(classic, "DEFAULT_NO_SPACE")


class SharesWindowsOfAConnection(ClassicReference):
    """What is on its way from any producer of a connection takes room of the window of each."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        sender = self._producers[producer]
        beside = [
            each for each in self._producers.values() if each.connection == sender.connection and each is not sender
        ]
        taken = sum(each.unanswered for each in beside)
        window = sender.options.window_bytes
        if window is not None and taken and taken + size_bytes > window:
            self._queue(sender, message_id, size_bytes, in_client=True, told=False)
            return Outcome.UNSETTLED
        return super().send(producer, message_id, size_bytes)


class HearsNoConsumerOfItsOwnConnection(ClassicReference):
    """What is acknowledged over the connection of a producer that waits lets this producer wait on."""

    _deaf: str | None = None

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._deaf = self._storage.connection_of(consumer)
        super().acknowledge(consumer, message_id)
        self._deaf = None

    def _moves(self, pending: Pending) -> bool:
        waits_on = pending.producer.connection == self._deaf and pending.producer.name in self._stayed
        return not waits_on and super()._moves(pending)

    def _may_move(self) -> list[Pending]:
        found = super()._may_move()
        if self._deaf is not None:
            self._stayed |= {each.producer.name for each in found if each.producer.connection == self._deaf}
        return [each for each in found if each.producer.name not in self._stayed]

    def __init__(self) -> None:
        super().__init__()
        self._stayed: set[str] = set()

    def end_scenario(self) -> None:
        super().end_scenario()
        self._stayed.clear()


class KeepsTheSecondTemporaryOfAll(BuiltClassic5):
    """Of several temporary queues of a connection, only the first ends with it."""

    def kill(self, connection: str) -> None:
        keep_one(self._storage.temporary, connection)
        super().kill(connection)


def keep_one(temporary: dict[str, str], connection: str) -> None:
    """Forget that the connection has more than one temporary queue."""
    for queue in [each for each, its in temporary.items() if its == connection][1:]:
        del temporary[queue]


MEETINGS: dict[type, tuple[str, ...]] = {
    WakesSendsForConsumersAlone: ("QPID-CLIENT-1",),
    AddsUpWaits: ("QPID-CLIENT-2", "QPID-CLIENT-9"),
    StoresTransactedSendsThatWaited: ("GENERAL-16",),
    LosesTransactedSendsThatWaited: ("GENERAL-2",),
    CommitsWithAClose: ("GENERAL-1",),
    ChargesReturnedMessagesThatLeaveOtherwise: ("GENERAL-8", "GENERAL-41"),
    DropsCommitsToFullQueues: ("GENERAL-2",),
    DropsWhatGoesBackAThirdTime: ("GENERAL-11", "GENERAL-12"),
    ReleasesNobodyBehindAnOldClient: ("GENERAL-3",),
    LooksAtNoSendThatWaited: ("QPID-QUEUE-8",),
    LetsReturnedMessagesLive: ("GENERAL-40",),
    LogsUnderfullWithReleasesAlone: ("QPID-LOG-3",),
    ShowsNoAnonymousProducer: ("GENERAL-49",),
    LooksAtTheDiskWithTheNextMessage: ("QPID-DISK-3",),
    FreesWhatOneQueueRefused: ("GENERAL-36",),
    ForgetsDefaultsAtADeletion: ("GENERAL-20",),
    ForgetsToFailAfterAChange: ("CLASSIC-FAIL-1", "CLASSIC-FAIL-3"),
    SharesWindowsOfAConnection: ("CLASSIC-WINDOW-2",),
    HearsNoConsumerOfItsOwnConnection: ("GENERAL-3", "CLASSIC-CONNECTION-3"),
    KeepsTheSecondTemporaryOfAll: ("GENERAL-21", "CLASSIC-MEMORY-9"),
}
"""The rules that each of these brokers breaks, the most direct first."""
