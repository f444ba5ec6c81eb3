"""The producer window of Artemis: Core producers ask for credit in bytes, and the broker grants what has room.

Composes credit with the maximum size of an address; a message costs its size.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, ProducerName
from tidegate.model.mechanisms.credit import Window, refill, refill_by_window, spent

PORTIONS = 1
"""ARTEMIS-CORE-3: the number of portions in which a producer asks for its window; the document knows of one."""


@dataclass(frozen=True)
class CoreAddress:
    """An address, the bytes in all of its queues, and the credit in bytes that each producer has left."""

    limits: AddressLimits
    bytes: int
    credits: Mapping[ProducerName, int]


@rule
def cost(size: int) -> int:
    """ARTEMIS-CORE-6: a message costs its sender one credit for each byte that the address is charged."""
    return size


@rule
def may_send(left: int, size: int) -> bool:
    """ARTEMIS-CORE-1: a producer may send a message if its credit covers the message's cost."""
    return left >= cost(size)


@rule
def asked_for(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: a producer short of credit asks for the rest of its window, or of a larger message's cost."""
    whole = cost(size) if cost(size) > producer_window else producer_window
    return refill(Window(size=whole, low=cost(size) - 1), left)


@rule
def asked_for_whole(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: the other reading, in which a producer asks for a whole window, or a larger message's cost."""
    whole = cost(size) if cost(size) > producer_window else producer_window
    return refill_by_window(Window(size=whole, low=cost(size) - 1), left)


@rule
def is_bounded(limits: AddressLimits) -> bool:
    """ARTEMIS-CORE-10: the maximum size of an address limits credit only under BLOCK."""
    return limits.blocks and limits.max_size != NO_LIMIT


@rule
def granted(limits: AddressLimits, level: int, left: int, asked: int) -> int:
    """ARTEMIS-CORE-5: a request is granted as far as the producer's whole credit fits the room of the address."""
    room = limits.max_size - level - left
    fitting = asked if asked <= room else room
    return (fitting if fitting > 0 else 0) if is_bounded(limits) else asked


@rule
def granted_by_itself(limits: AddressLimits, level: int, asked: int) -> int:
    """ARTEMIS-CORE-5: the other reading, in which only the grant itself must fit the room of the address."""
    room = limits.max_size - level
    fitting = asked if asked <= room else room
    return (fitting if fitting > 0 else 0) if is_bounded(limits) else asked


@rule
def after_request(address: CoreAddress, asking: ProducerName, producer_window: int, size: int) -> CoreAddress:
    """ARTEMIS-CORE-4: before a send, a producer asks for the credit that it lacks."""
    left = address.credits[asking]
    issued = granted(address.limits, address.bytes, left, asked_for(producer_window, left, size))
    return replace(
        address,
        credits={
            producer: address.credits[producer] + issued if producer == asking else address.credits[producer]
            for producer in address.credits
        },
    )


@rule
def after_send(address: CoreAddress, sender: ProducerName, size: int) -> CoreAddress:
    """ARTEMIS-CORE-2: a message costs its size in credit, and is stored."""
    return replace(
        address,
        bytes=address.bytes + size,
        credits={
            producer: spent(address.credits[producer], cost(size)) if producer == sender else address.credits[producer]
            for producer in address.credits
        },
    )


@rule
def after_uncovered_send(address: CoreAddress, size: int) -> CoreAddress:
    """ARTEMIS-CORE-9: the broker checks no credit: a message that arrives without credit is stored as well."""
    return replace(address, bytes=address.bytes + size)


@rule
def after_removal(address: CoreAddress, size: int) -> CoreAddress:
    """ARTEMIS-CORE-8: messages that leave the address give their bytes back."""
    return replace(address, bytes=address.bytes - size)
