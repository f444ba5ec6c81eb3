"""The party that a full destination of ActiveMQ Classic stops: the producer since 5.0, its whole connection before.

Composes a destination with its producers. A message that must wait may stall its producer's connection: the broker then
reads nothing more from the connection, neither messages of other producers nor acknowledgements of consumers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NewType

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.classic import Destination, after_removal, after_storing, holds_back

ProducerName = NewType("ProducerName", str)
ConnectionName = NewType("ConnectionName", str)


@dataclass(frozen=True)
class Producer:
    """A producer, its connection, and the bytes of its message that waits for space (0 if none waits)."""

    connection: ConnectionName
    stalls: bool
    """Whether a waiting message of the producer stalls the connection."""
    held: int


@dataclass(frozen=True)
class Broker:
    """A destination and all producers that send to it."""

    destination: Destination
    producers: Mapping[ProducerName, Producer]


@rule
def stalls_connection(suspends: bool, answered: bool, windowed: bool) -> bool:
    """CLASSIC-WINDOW-3: before 5.0 each waiting message stalls its connection; since 5.0 only if its sender goes on."""
    return suspends or not (answered or windowed)


@rule
def stalled(broker: Broker, connection: ConnectionName) -> bool:
    """CLASSIC-CONNECTION-1: the broker does not read a connection with a waiting message that stalls the connection."""
    return any(
        broker.producers[producer].connection == connection
        and broker.producers[producer].stalls
        and broker.producers[producer].held > 0
        for producer in broker.producers
    )


@rule
def with_held(broker: Broker, waiting: ProducerName, size: int) -> Broker:
    """CLASSIC-MEMORY-4: the same broker, in which a message of this size waits for this producer."""
    return replace(
        broker,
        producers={
            producer: replace(broker.producers[producer], held=size)
            if producer == waiting
            else broker.producers[producer]
            for producer in broker.producers
        },
    )


@rule
def after_giving_up(broker: Broker, sender: ProducerName) -> Broker:
    """CLASSIC-FAIL-7: after a failed send its sender may send again, and the broker reads its connection."""
    return with_held(broker, sender, 0)


@rule
def after_send(broker: Broker, sender: ProducerName, size: int) -> Broker:
    """CLASSIC-MEMORY-4: a message that is read is stored; if the destination is full, the message waits instead."""
    unread = stalled(broker, broker.producers[sender].connection)
    stored = replace(broker, destination=after_storing(broker.destination, size))
    read = with_held(broker, sender, size) if holds_back(broker.destination) else stored
    return broker if unread else read


@rule
def after_acknowledgement(broker: Broker, connection: ConnectionName, size: int) -> Broker:
    """CLASSIC-CONNECTION-3: an acknowledgement frees its bytes, unless the broker does not read its connection."""
    freed = replace(broker, destination=after_removal(broker.destination, size))
    return broker if stalled(broker, connection) else freed


@rule
def after_admission(broker: Broker, waiting: ProducerName) -> Broker:
    """CLASSIC-MEMORY-3: a waiting message is stored once the destination is not full any more."""
    stored = replace(broker, destination=after_storing(broker.destination, broker.producers[waiting].held))
    return broker if holds_back(broker.destination) else with_held(stored, waiting, 0)


@rule
def stuck(broker: Broker, connection: ConnectionName) -> bool:
    """CLASSIC-CONNECTION-2: the destination is full, and the acknowledgements come over a stalled connection."""
    return holds_back(broker.destination) and stalled(broker, connection)
