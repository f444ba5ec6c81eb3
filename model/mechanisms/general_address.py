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
    """The causes other than bytes that close an address: an order, or `most_messages` (NO_LEVEL for none)."""

    ordered: bool
    most_messages: int
    messages: int


@rule
def full_of_messages(causes: FurtherCauses) -> bool:
    """GENERAL-18: the number of messages in the address has reached its limit."""
    return causes.most_messages != NO_LEVEL and causes.messages >= causes.most_messages


@rule
def closed(address: Address, causes: FurtherCauses) -> bool:
    """GENERAL-17: an address is closed as long as bytes, messages or an order of management close it."""
    return causes.ordered or full_of_messages(causes) or full(address.limits, address.bytes)


@rule
def full_disk_stops(refuses: bool) -> bool:
    """GENERAL-37: a full disk stops the producers of an address, even if the address refuses messages."""
    return True


@rule
def after_issuing_unless_closed(address: Address, causes: FurtherCauses) -> Address:
    """GENERAL-7: unless the address is closed, every producer at its low mark is issued credit."""
    return address if closed(address, causes) else after_issuing(address)


@rule
def after_consuming_from(address: Address, causes: FurtherCauses, size: int) -> Address:
    """GENERAL-3: acknowledged bytes leave the address; if it is open then, credit is issued."""
    return after_issuing_unless_closed(after_removal(address, size), causes)


@rule
def after_purge_of(address: Address, causes: FurtherCauses, waiting: int) -> Address:
    """GENERAL-4: purged bytes leave the address like consumed bytes."""
    return after_issuing_unless_closed(after_removal(address, waiting), causes)


@rule
def with_limits_of(address: Address, limits: AddressLimits) -> Address:
    """GENERAL-6: the address has these limits from now on."""
    return replace(address, limits=limits)


@rule
def after_change_of(address: Address, causes: FurtherCauses, limits: AddressLimits) -> Address:
    """GENERAL-5: if an address is open under new limits, every producer that lacks credit is issued credit."""
    return after_issuing_unless_closed(with_limits_of(address, limits), causes)


@rule
def after_closing_of(address: Address, gone: ProducerName) -> Address:
    """GENERAL-9: a closed producer loses its credit; every other producer keeps its credit."""
    return replace(
        address,
        credits={producer: 0 if producer == gone else address.credits[producer] for producer in address.credits},
    )
