"""The memory ratios of WSO2 Message Broker, over the memory that all publishers share."""

from dataclasses import dataclass, replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import andes
from tidegate.model.mechanisms.andes import Broker, ConnectionName
from tidegate.model.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class MemorySettings:
    """The ratios in per cent, the most messages of a connection, and the memory in bytes."""

    limits: andes.Limits
    total: int


MemoryRatio = Mechanism[MemorySettings, Broker]


def memory_ratio(model: Linker = DOCUMENTED) -> MemoryRatio:
    """The mechanism, made of the rules of `model`; each producer has its own connection.

    The background check follows each removal at once.
    """
    stopped = model.linked(andes.publisher_stopped)
    after_publish = model.linked(andes.after_publish)
    after_removal = model.linked(andes.after_removal)
    after_check = model.linked(andes.after_check)

    def after_attach(broker: Broker, producer: str) -> Broker:
        line = ConnectionName(producer)
        return replace(broker, messages={line: 0, **broker.messages}, held={line: False, **broker.held})

    def removed(broker: Broker, producer: str, size: int) -> Broker:
        return after_check(after_removal(broker, ConnectionName(producer), size))

    def changed(broker: Broker, settings: MemorySettings) -> Broker:
        memory = replace(broker.memory, total=settings.total)
        return after_check(replace(broker, limits=settings.limits, memory=memory))

    return Mechanism(
        empty=lambda settings: Broker(
            settings.limits, andes.Memory(settings.total, used=0), closed=False, messages={}, held={}
        ),
        after_attach=after_attach,
        after_request=lambda broker, producer, size: broker,
        may_send=lambda broker, producer, size: not stopped(broker, ConnectionName(producer)),
        stores=lambda broker, size: True,
        after_send=lambda broker, producer, size: after_publish(broker, ConnectionName(producer), size),
        after_removal=removed,
        after_change=changed,
        # messages outlive their connection
        after_close=lambda broker, producer: broker,
        level=lambda broker: broker.memory.used,
    )
