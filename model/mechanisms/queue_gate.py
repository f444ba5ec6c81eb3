"""The queue gate of the Qpid Java broker over one queue."""

from dataclasses import dataclass, replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import general_queue_gate, qpid
from tidegate.model.mechanisms.mechanism import Mechanism

QUEUE = qpid.QueueName("queue")
THE_QUEUE = {QUEUE: True}


@dataclass(frozen=True)
class GatedQueue:
    """A broker with one queue, and whether management orders its producers to stop."""

    broker: qpid.Broker
    ordered: bool


QueueGate = Mechanism[qpid.Limits, GatedQueue]


def queue_gate(model: Linker = DOCUMENTED) -> QueueGate:
    """The mechanism, made of the rules of `model`; each producer has its own channel."""
    effective_limits = model.linked(qpid.effective_limits)
    stopped = model.linked(qpid.stopped)
    after_send = model.linked(qpid.after_send)
    after_removal = model.linked(general_queue_gate.after_consuming)
    after_change = model.linked(general_queue_gate.after_change)
    after_closing = model.linked(general_queue_gate.after_closing)

    def empty(limits: qpid.Limits) -> GatedQueue:
        in_force = effective_limits(limits, qpid.Limits())
        queue = qpid.Queue(in_force.capacity, in_force.resume, bytes=0)
        return GatedQueue(qpid.Broker({QUEUE: queue}, holds={}), ordered=False)

    def with_broker(state: GatedQueue, broker: qpid.Broker) -> GatedQueue:
        return replace(state, broker=broker)

    def after_attach(state: GatedQueue, producer: str) -> GatedQueue:
        holds = {**state.broker.holds, qpid.ChannelName(producer): {QUEUE: False}}
        return with_broker(state, replace(state.broker, holds=holds))

    def sent(state: GatedQueue, producer: str, size: int) -> GatedQueue:
        return with_broker(state, after_send(state.broker, qpid.ChannelName(producer), THE_QUEUE, size))

    def changed(state: GatedQueue, limits: qpid.Limits) -> GatedQueue:
        in_force = effective_limits(limits, qpid.Limits())
        return with_broker(state, after_change(state.broker, THE_QUEUE, in_force.capacity, in_force.resume))

    def after_close(state: GatedQueue, producer: str) -> GatedQueue:
        after = after_closing(state.broker, qpid.ChannelName(producer))
        others = {channel: held for channel, held in after.holds.items() if channel != producer}
        return with_broker(state, replace(after, holds=others))

    return Mechanism(
        empty=empty,
        after_attach=after_attach,
        after_request=lambda state, producer, size: state,
        may_send=lambda state, producer, size: (
            not state.ordered and not stopped(state.broker, qpid.ChannelName(producer))
        ),
        stores=lambda state, size: True,
        after_send=sent,
        after_removal=lambda state, producer, size: with_broker(state, after_removal(state.broker, THE_QUEUE, size)),
        after_change=changed,
        after_close=after_close,
        after_order=lambda state, stop: replace(state, ordered=stop),
        level=lambda state: state.broker.queues[QUEUE].bytes,
    )
