"""The memory limit of an ActiveMQ Classic destination; its senders wait for space."""

from dataclasses import replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic
from tidegate.model.mechanisms.classic import Destination
from tidegate.model.mechanisms.mechanism import Mechanism

MemoryLimit = Mechanism[int, Destination]


def memory_limit(model: Linker = DOCUMENTED) -> MemoryLimit:
    """The mechanism, made of the rules of `model`; the configuration is the limit in bytes."""
    holds_back = model.linked(classic.holds_back)
    after_storing = model.linked(classic.after_storing)
    after_removal = model.linked(classic.after_removal)
    return Mechanism(
        empty=lambda limit: Destination(limit, controlled=True, bytes=0),
        after_attach=lambda destination, producer: destination,
        after_request=lambda destination, producer, size: destination,
        may_send=lambda destination, producer, size: not holds_back(destination),
        stores=lambda destination, size: True,
        after_send=lambda destination, producer, size: after_storing(destination, size),
        after_removal=lambda destination, producer, size: after_removal(destination, size),
        after_change=lambda destination, limit: replace(destination, limit=limit),
        after_close=lambda destination, producer: destination,
        level=lambda destination: destination.bytes,
        tells_ahead=False,
    )
