"""The producer window of Artemis' Core clients over one address under BLOCK."""

from dataclasses import dataclass, replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis_producer
from tidegate.model.mechanisms.artemis import AddressLimits, ProducerName
from tidegate.model.mechanisms.artemis_producer import CoreAddress
from tidegate.model.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class CoreSettings:
    """The limits of an address, and the window in bytes of each of its producers."""

    limits: AddressLimits
    window: int


@dataclass(frozen=True)
class WindowedAddress:
    """An address with its producers' credit in bytes, and the window of each of them."""

    address: CoreAddress
    window: int


NO_MESSAGE = 0
"""The size in bytes that a producer without a message to send asks for."""
CoreWindow = Mechanism[CoreSettings, WindowedAddress]


def core_window(model: Linker = DOCUMENTED) -> CoreWindow:
    """The mechanism, made of the rules of `model`; a producer asks for credit at each message that lacks credit."""
    portions: int = model.default(artemis_producer, "PORTIONS")
    may_send = model.linked(artemis_producer.may_send)
    after_request = model.linked(artemis_producer.after_request)
    after_send = model.linked(artemis_producer.after_send)
    after_removal = model.linked(artemis_producer.after_removal)

    def asked(state: WindowedAddress, producer: str, size: int) -> WindowedAddress:
        portion = state.window // portions
        return replace(state, address=after_request(state.address, ProducerName(producer), portion, size))

    def with_credits(state: WindowedAddress, credits: dict[ProducerName, int]) -> WindowedAddress:
        return replace(state, address=replace(state.address, credits=credits))

    def attached(state: WindowedAddress, producer: str) -> WindowedAddress:
        return asked(with_credits(state, {**state.address.credits, ProducerName(producer): 0}), producer, NO_MESSAGE)

    return Mechanism(
        empty=lambda settings: WindowedAddress(CoreAddress(settings.limits, bytes=0, credits={}), settings.window),
        after_attach=attached,
        after_request=asked,
        may_send=lambda state, producer, size: may_send(state.address.credits[ProducerName(producer)], size),
        stores=lambda state, size: True,
        after_send=lambda state, producer, size: replace(
            state, address=after_send(state.address, ProducerName(producer), size)
        ),
        after_removal=lambda state, producer, size: replace(state, address=after_removal(state.address, size)),
        after_change=lambda state, settings: WindowedAddress(
            replace(state.address, limits=settings.limits), settings.window
        ),
        after_close=lambda state, producer: with_credits(
            state, {name: left for name, left in state.address.credits.items() if name != producer}
        ),
        level=lambda state: state.address.bytes,
    )
