"""The adapter through which tidegate drives mybroker. Only the conformance suite imports it."""

import time
from typing import TypedDict

from mybroker.broker import VERSION, Broker, Channel, Connection, Consumer, Message
from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    AdapterError,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    Parameters,
    ProducerOptions,
    Standing,
)


class Levels(TypedDict, total=False):
    """The configured levels, in bytes; a level that is not configured is absent."""

    capacity: int
    resume: int


class Producer:
    """A client that obeys: it stops when the broker stops its channel, and goes on when the broker releases it."""

    def __init__(self, connection: Connection, queues: tuple[str, ...]):
        self.queues = queues
        self.stopped = False
        self.channel: Channel = connection.channel(self._on_flow)

    def send(self, message: Message) -> Outcome:
        """Publish, unless the broker stopped the channel."""
        if self.stopped:
            return Outcome.BLOCKED
        self.channel.publish(message, self.queues)
        return Outcome.ACCEPTED

    def _on_flow(self, active: bool) -> None:
        self.stopped = not active


class MyBrokerAdapter:
    """Runs a broker in this process."""

    identity = Identity("mybroker", VERSION, "in memory")
    capabilities = frozenset(
        {
            *("queue-gate", "several-queues", "limits-readable", "changed-limits"),
            *("purge", "close-clients", "kill-clients", "shared-connections"),
        }
    )
    parameters = Parameters()
    """Everything happens before a call returns, so there is nothing to wait for."""

    def __init__(self) -> None:
        self._broker: Broker | None = None
        self._queues: set[str] = set()
        self._connections: dict[str, Connection] = {}
        self._producers: dict[str, Producer] = {}
        self._consumers: dict[str, tuple[str, Consumer]] = {}

    @property
    def broker(self) -> Broker:
        """The broker that runs."""
        if self._broker is None:
            raise AdapterError("mybroker is not started")
        return self._broker

    def start(self) -> None:
        self._broker = Broker()

    def stop(self) -> None:
        self._broker = None

    def declare(self, destination: str, limits: Limits) -> None:
        self.broker.create(destination, **_levels(limits))
        self._queues.add(destination)

    def change_limits(self, destination: str, limits: Limits) -> None:
        self.broker.configure(destination, **_levels(limits))

    def limits_in_force(self, destination: str) -> Limits:
        capacity, resume = self.broker.limits(destination)
        return Limits(limit_bytes=capacity, resume_bytes=resume)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        if options != DEFAULT_OPTIONS:
            raise AdapterError(f"mybroker has no producers with {options}")
        self._producers[producer] = Producer(self._connection(connection), destinations)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._consumers[consumer] = destination, self._connection(connection).consumer(destination)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return self._producers[producer].send(Message(message_id, bytes(size_bytes)))

    def take(self, consumer: str) -> Delivery | None:
        destination, its = self._consumers[consumer]
        message = its.take()
        return None if message is None else Delivery(message.id, destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._consumers[consumer][1].acknowledge(message_id)

    def depth(self, destination: str) -> Depth:
        return Depth(*self.broker.usage(destination))

    def standing(self, producer: str) -> Standing:
        return Standing(self._producers[producer].stopped)

    def purge(self, destination: str) -> None:
        self.broker.purge(destination)

    def close_producer(self, producer: str) -> None:
        self._producers.pop(producer).channel.close()

    def close_consumer(self, consumer: str) -> None:
        self._consumers.pop(consumer)[1].close()

    def kill(self, connection: str) -> None:
        self._connections.pop(connection).close()

    def advance(self, ms: int) -> None:
        time.sleep(ms / 1000)

    def end_scenario(self) -> None:
        for connection in self._connections.values():
            connection.close()
        for queue in self._queues:
            self.broker.delete(queue)
        for each in (self._connections, self._queues, self._producers, self._consumers):
            each.clear()

    def _connection(self, name: str) -> Connection:
        return self._connections.setdefault(name, self.broker.connect())


def _levels(limits: Limits) -> Levels:
    levels = Levels()
    if limits.limit_bytes is not None:
        levels["capacity"] = limits.limit_bytes
    if limits.resume_bytes is not None:
        levels["resume"] = limits.resume_bytes
    return levels
