"""The policy of the design of QPID-942 over one queue, with the two orders of management."""

from dataclasses import replace

from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid942
from tidegate.model.mechanisms.mechanism import Mechanism
from tidegate.model.mechanisms.qpid import ChannelName
from tidegate.model.mechanisms.qpid942 import Policy, Queue

QueuePolicy = Mechanism[Policy, Queue]


def queue_policy(model: Linker = DOCUMENTED) -> QueuePolicy:
    """The mechanism, made of the rules of `model`; each producer has its own channel."""
    stopped = model.linked(qpid942.stopped)
    after_enqueueing = model.linked(qpid942.after_enqueueing)
    after_delivery = model.linked(qpid942.after_delivery)
    with_policy = model.linked(qpid942.with_policy)
    after_stop_all = model.linked(qpid942.after_stop_all)
    after_start_all = model.linked(qpid942.after_start_all)

    def after_attach(queue: Queue, producer: str) -> Queue:
        return replace(queue, held={**queue.held, ChannelName(producer): False})

    def after_close(queue: Queue, producer: str) -> Queue:
        return replace(queue, held={channel: held for channel, held in queue.held.items() if channel != producer})

    return Mechanism(
        empty=lambda policy: Queue(policy, bytes=0, messages=0, ordered=False, held={}),
        after_attach=after_attach,
        after_request=lambda queue, producer, size: queue,
        may_send=lambda queue, producer, size: not stopped(queue, ChannelName(producer)),
        stores=lambda queue, size: True,
        after_send=lambda queue, producer, size: after_enqueueing(queue, ChannelName(producer), size),
        after_removal=lambda queue, producer, size: after_delivery(queue, size, 1),
        after_change=with_policy,
        after_close=after_close,
        after_order=lambda queue, stop: after_stop_all(queue) if stop else after_start_all(queue),
        level=lambda queue: queue.bytes,
    )
