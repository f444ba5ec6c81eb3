"""The queue gate of the Qpid Java broker over one queue."""

from dataclasses import replace

from tidegate.model import general_queue_gate, qpid
from tidegate.model.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms.mechanism import Mechanism

QUEUE = qpid.QueueName("queue")
THE_QUEUE = {QUEUE: True}

QueueGate = Mechanism[qpid.Limits, qpid.Broker]


def queue_gate(model: Linker = DOCUMENTED) -> QueueGate:
    """The mechanism by the rules of `model`; each producer is a channel of its own."""
    effective_limits = model.linked(qpid.effective_limits)
    stopped = model.linked(qpid.stopped)
    after_send = model.linked(qpid.after_send)
    after_removal = model.linked(general_queue_gate.after_consuming)
    after_change = model.linked(general_queue_gate.after_change)
    after_closing = model.linked(general_queue_gate.after_closing)

    def empty(limits: qpid.Limits) -> qpid.Broker:
        in_force = effective_limits(limits, qpid.Limits())
        return qpid.Broker({QUEUE: qpid.Queue(in_force.capacity, in_force.resume, bytes=0)}, holds={})

    def after_attach(broker: qpid.Broker, producer: str) -> qpid.Broker:
        return replace(broker, holds={**broker.holds, qpid.ChannelName(producer): {QUEUE: False}})

    def changed(broker: qpid.Broker, limits: qpid.Limits) -> qpid.Broker:
        in_force = effective_limits(limits, qpid.Limits())
        return after_change(broker, THE_QUEUE, in_force.capacity, in_force.resume)

    def after_close(broker: qpid.Broker, producer: str) -> qpid.Broker:
        after = after_closing(broker, qpid.ChannelName(producer))
        return replace(after, holds={channel: held for channel, held in after.holds.items() if channel != producer})

    return Mechanism(
        empty=empty,
        after_attach=after_attach,
        after_request=lambda broker, producer, size: broker,
        may_send=lambda broker, producer, size: not stopped(broker, qpid.ChannelName(producer)),
        stores=lambda broker, size: True,
        after_send=lambda broker, producer, size: after_send(broker, qpid.ChannelName(producer), THE_QUEUE, size),
        after_removal=lambda broker, producer, size: after_removal(broker, THE_QUEUE, size),
        after_change=changed,
        after_close=after_close,
        after_order=lambda broker, stop: broker,
        level=lambda broker: broker.queues[QUEUE].bytes,
    )
