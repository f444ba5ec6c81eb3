"""The flow control of an Artemis address under BLOCK for AMQP producers: credits in messages, limits in bytes.

Composes credit with two levels of the address: at `max_size` no more credit is issued, at `reject_threshold`
messages are rejected.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NewType

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.credit import Window, refill, spent

ProducerName = NewType("ProducerName", str)

NO_LIMIT = -1
MESSAGE_COST = 1
"""The cost of one message in credits, whatever its size."""


@dataclass(frozen=True)
class AddressLimits:
    """The configuration of an address: two levels in bytes (NO_LIMIT for none) and whether it stops its producers."""

    max_size: int
    reject_threshold: int
    blocks: bool


DEFAULT_LIMITS = AddressLimits(max_size=10 * 1024 * 1024, reject_threshold=NO_LIMIT, blocks=True)
"""ARTEMIS-BLOCK-2, ARTEMIS-AMQP-10: the limits of an unconfigured address."""
DEFAULT_WINDOW = Window(size=100, low=30)
"""ARTEMIS-AMQP-2, ARTEMIS-AMQP-3: the credits that an unconfigured broker issues, and the low mark."""

WINDOWS_AHEAD = 0
"""GENERAL-7: the windows of credit that a producer is issued before it has named an address."""

STOPPING = ("BLOCK",)
"""ARTEMIS-BLOCK-3: the policies under which a full address stops its producers."""


@dataclass(frozen=True)
class Address:
    """An address, its bytes over all of its queues, and the credits that each of its producers has left."""

    limits: AddressLimits
    window: Window
    bytes: int
    credits: Mapping[ProducerName, int]


@rule
def stops_producers(limits: AddressLimits) -> bool:
    """ARTEMIS-BLOCK-3: an address stops producers only under the policy BLOCK."""
    return limits.blocks


@rule
def full(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-BLOCK-1: under BLOCK an address is full once its bytes reach the maximum size."""
    return stops_producers(limits) and limits.max_size != NO_LIMIT and level >= limits.max_size


@rule
def rejecting(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-AMQP-9: messages are rejected once the bytes in the address reach the reject threshold."""
    return limits.blocks and limits.reject_threshold != NO_LIMIT and level >= limits.reject_threshold


@rule
def rejecting_with_arrival(limits: AddressLimits, level: int, size: int) -> bool:
    """ARTEMIS-AMQP-9: the other reading, in which the arriving message counts towards the reject threshold."""
    return limits.blocks and limits.reject_threshold != NO_LIMIT and level + size > limits.reject_threshold


@rule
def granted(limits: AddressLimits, window: Window, level: int, left: int) -> int:
    """ARTEMIS-AMQP-5: the credits issued to a producer; none while the address is full."""
    return 0 if full(limits, level) else refill(window, left)


@rule
def may_send(address: Address, producer: ProducerName) -> bool:
    """ARTEMIS-AMQP-1: a producer may send a message of any size as long as it has one credit left."""
    return address.credits[producer] >= MESSAGE_COST


@rule
def with_credit_spent(address: Address, sender: ProducerName) -> Address:
    """ARTEMIS-AMQP-1: a message takes one credit of its sender, and no credit of other producers."""
    return replace(
        address,
        credits={
            producer: spent(address.credits[producer], MESSAGE_COST)
            if producer == sender
            else address.credits[producer]
            for producer in address.credits
        },
    )


@rule
def after_rejection(address: Address, sender: ProducerName) -> Address:
    """ARTEMIS-AMQP-1: a rejected message takes one credit, too, and is not stored."""
    return with_credit_spent(address, sender)


@rule
def after_send(address: Address, sender: ProducerName, size: int) -> Address:
    """ARTEMIS-AMQP-1: a message takes one credit; it is stored unless the address rejects messages."""
    stored = replace(with_credit_spent(address, sender), bytes=address.bytes + size)
    return after_rejection(address, sender) if rejecting(address.limits, address.bytes) else stored


@rule
def after_removal(address: Address, size: int) -> Address:
    """ARTEMIS-AMQP-6: messages that leave the address give their bytes back."""
    return replace(address, bytes=address.bytes - size)


@rule
def after_issuing(address: Address) -> Address:
    """ARTEMIS-AMQP-6: every producer at its low mark is issued credit if the address is not full."""
    return replace(
        address,
        credits={
            producer: address.credits[producer]
            + granted(address.limits, address.window, address.bytes, address.credits[producer])
            for producer in address.credits
        },
    )
