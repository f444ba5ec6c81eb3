"""An address under BLOCK in cases that its document does not mention: purges, changed limits, orders, closed producers.

Besides bytes, an order of management or a level in messages may close an address: further causes, each of which alone
withholds credit.
"""

from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.artemis import Address, AddressLimits, ProducerName, after_issuing, after_removal, full

NO_LEVEL = -1
"""The level in messages that means no limit."""


@dataclass(frozen=True)
class FurtherCauses:
    """The causes beside bytes that may close an address: an order, or `most_messages` reached (NO_LEVEL for none)."""

    ordered: bool
    most_messages: int
    messages: int


@rule
def full_of_messages(causes: FurtherCauses) -> bool:
    """GENERAL-18: the address holds as many messages as it may."""
    return causes.most_messages != NO_LEVEL and causes.messages >= causes.most_messages


@rule
def closed(address: Address, causes: FurtherCauses) -> bool:
    """GENERAL-17: the address is closed as long as one of its causes is there: its bytes, its messages, an order."""
    return causes.ordered or full_of_messages(causes) or full(address.limits, address.bytes)


@rule
def full_disk_stops(refuses: bool) -> bool:
    """GENERAL-37: a full disk stops the producers of an address, also of one that refuses what comes past its limit."""
    return True


@rule
def after_issuing_unless_closed(address: Address, causes: FurtherCauses) -> Address:
    """GENERAL-7: every producer at its low mark is issued credit, a newcomer too, unless the address is closed."""
    return address if closed(address, causes) else after_issuing(address)


@rule
def after_consuming_from(address: Address, causes: FurtherCauses, size: int) -> Address:
    """GENERAL-3: bytes that consumers acknowledged have left the address, and credit is issued if it is open now."""
    return after_issuing_unless_closed(after_removal(address, size), causes)


@rule
def after_purge_of(address: Address, causes: FurtherCauses, waiting: int) -> Address:
    """GENERAL-4: the bytes of the messages that waited have left the address as if they had been consumed."""
    return after_issuing_unless_closed(after_removal(address, waiting), causes)


@rule
def with_limits_of(address: Address, limits: AddressLimits) -> Address:
    """GENERAL-6: the address has these limits from now on."""
    return replace(address, limits=limits)


@rule
def after_change_of(address: Address, causes: FurtherCauses, limits: AddressLimits) -> Address:
    """GENERAL-5: an address that is open by its new limits issues credit to every producer that lacks it."""
    return after_issuing_unless_closed(with_limits_of(address, limits), causes)


@rule
def after_closing_of(address: Address, gone: ProducerName) -> Address:
    """GENERAL-9: the credit of a producer that is gone is gone with it, that of every other is as before."""
    return replace(
        address,
        credits={producer: 0 if producer == gone else address.credits[producer] for producer in address.credits},
    )
