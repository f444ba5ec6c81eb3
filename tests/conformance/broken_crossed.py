"""Brokers that keep their promises at one destination alone, and break one where two destinations or clients meet."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid


class Sharing(QpidReference):
    """A broker whose clients can share connections, and which knows the producers of each."""

    capabilities = QpidReference.capabilities | {"shared-connections"}

    def __init__(self) -> None:
        super().__init__()
        self._producers: dict[str, str] = {}
        """The connection of each producer."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        self._producers[producer] = connection

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self._producers.pop(producer, None)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._producers.clear()


class StopsItsWholeConnection(Sharing):
    """A producer is stopped as long as another one on its connection is."""

    def standing(self, producer: str) -> Standing:
        line = self._producers[producer]
        beside = [each for each, its in self._producers.items() if its == line]
        return Standing(stopped=any(super(StopsItsWholeConnection, self).standing(each).stopped for each in beside))


class KeepsAConsumerBesideAProducer(Sharing):
    """What a consumer holds stays in its hands where its connection breaks together with a producer."""

    def kill(self, connection: str) -> None:
        self._keeps = connection in self._producers.values()
        super().kill(connection)
        self._keeps = False

    _keeps = False

    def close_consumer(self, consumer: str) -> None:
        if self._keeps:
            self._storage.forget(consumer)
        else:
            super().close_consumer(consumer)


class IsReleasedByTheFirstQueue(QpidReference):
    """A producer of several queues goes on once one of them is underfull."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        for channel, held in before.items():
            now = self._state.holds[channel]
            if sum(now.values()) < sum(held.values()):
                free = {**self._state.holds, channel: dict.fromkeys(now, False)}
                self._state = replace(self._state, holds=free)


class IsStoppedByTheFirstNamed(QpidReference):
    """A producer that names its destinations is stopped by the first of these alone."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[str, str] = {}

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        first = self._first.setdefault(producer, destination)
        outcome = super().send_to(producer, destination, message_id, size_bytes)
        held = self._state.holds[qpid.ChannelName(producer)]
        of_first = {queue: holds and queue == first for queue, holds in held.items()}
        self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): of_first})
        return outcome


class IssuesCreditElsewhere(ArtemisReference):
    """A purge issues credit to a producer without credit at each other address, however full that is."""

    def purge(self, destination: str) -> None:
        super().purge(destination)
        for name, address in self._addresses.items():
            if name != destination:
                some = {producer: max(credit, 1) for producer, credit in address.credits.items()}
                self._become(name, replace(address, credits=some))
