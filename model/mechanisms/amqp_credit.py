"""AMQP credit of Artemis over one address under BLOCK, with the further causes that close an address."""

from dataclasses import dataclass, replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, general_address
from tidegate.model.mechanisms.artemis import Address, AddressLimits, ProducerName
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.general_address import NO_LEVEL, FurtherCauses
from tidegate.model.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class AddressSettings:
    """The limits of an address in bytes and in messages (NO_LEVEL for none), and the credit of its producers."""

    limits: AddressLimits
    window: Window
    most_messages: int = NO_LEVEL


@dataclass(frozen=True)
class CreditedAddress:
    """An address, the credit of its producers, and the causes other than bytes that may close the address."""

    address: Address
    causes: FurtherCauses


AmqpCredit = Mechanism[AddressSettings, CreditedAddress]


def amqp_credit(model: Linker = DOCUMENTED) -> AmqpCredit:
    """The mechanism, made of the rules of `model`; credit is issued as soon as the rules permit."""
    may_send = model.linked(artemis.may_send)
    rejecting = model.linked(artemis.rejecting)
    after_send = model.linked(artemis.after_send)
    after_issuing = model.linked(general_address.after_issuing_unless_closed)
    after_consuming = model.linked(general_address.after_consuming_from)
    after_change = model.linked(general_address.after_change_of)
    after_closing = model.linked(general_address.after_closing_of)

    def stores(state: CreditedAddress, size: int) -> bool:
        return not rejecting(state.address.limits, state.address.bytes)

    def issued(address: Address, causes: FurtherCauses) -> CreditedAddress:
        return CreditedAddress(after_issuing(address, causes), causes)

    def after_attach(state: CreditedAddress, producer: str) -> CreditedAddress:
        attached = {**state.address.credits, ProducerName(producer): 0}
        return issued(replace(state.address, credits=attached), state.causes)

    def sent(state: CreditedAddress, producer: str, size: int) -> CreditedAddress:
        messages = state.causes.messages + (1 if stores(state, size) else 0)
        return issued(after_send(state.address, ProducerName(producer), size), replace(state.causes, messages=messages))

    def removed(state: CreditedAddress, producer: str, size: int) -> CreditedAddress:
        causes = replace(state.causes, messages=state.causes.messages - 1)
        return CreditedAddress(after_consuming(state.address, causes, size), causes)

    def changed(state: CreditedAddress, settings: AddressSettings) -> CreditedAddress:
        causes = replace(state.causes, most_messages=settings.most_messages)
        return CreditedAddress(after_change(state.address, causes, settings.limits), causes)

    def after_close(state: CreditedAddress, producer: str) -> CreditedAddress:
        after = after_closing(state.address, ProducerName(producer))
        others = {name: left for name, left in after.credits.items() if name != producer}
        return replace(state, address=replace(after, credits=others))

    return Mechanism(
        empty=lambda settings: CreditedAddress(
            Address(settings.limits, settings.window, bytes=0, credits={}),
            FurtherCauses(ordered=False, most_messages=settings.most_messages, messages=0),
        ),
        after_attach=after_attach,
        after_request=lambda state, producer, size: state,
        may_send=lambda state, producer, size: may_send(state.address, ProducerName(producer)),
        stores=stores,
        after_send=sent,
        after_removal=removed,
        after_change=changed,
        after_close=after_close,
        after_order=lambda state, stop: issued(state.address, replace(state.causes, ordered=stop)),
        level=lambda state: state.address.bytes,
        credit=lambda state, producer: state.address.credits[ProducerName(producer)],
    )
