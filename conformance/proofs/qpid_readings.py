"""The shortest trace that distinguishes the two readings of a release by several queues: four steps, not three.

Both readings run side by side from the beginning, when no queue holds any channel. In the scored one a queue releases
for good; in the other one it keeps its say until all queues with a say are underfull together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, theorem
from tidegate.conformance.proofs.qpid_queue import (
    everyone_held_is_held_by_a_queue_that_is_not_underfull,
    levels_are_in_order,
)
from tidegate.model.mechanisms.qpid import (
    Broker,
    ChannelName,
    QueueName,
    after_removal,
    after_send,
    overfull,
    stopped,
    stopped_until_all_underfull_at_once,
    with_bytes,
)


@dataclass(frozen=True)
class Step:
    """A message of the sender to the named queues, or a removal from each of them, with its size in bytes."""

    is_message: bool
    sender: ChannelName
    names: Mapping[QueueName, bool]
    size: int


@notion
def at_the_beginning(broker: Broker) -> bool:
    """QS-BEGIN: nobody is held, no queue is overfull, and the levels are in order."""
    nobody = all(all(not broker.holds[each][queue] for queue in broker.queues) for each in broker.holds)
    in_order = all(
        0 <= broker.queues[queue].resume <= broker.queues[queue].capacity
        and broker.queues[queue].bytes >= 0
        and not overfull(broker.queues[queue])
        for queue in broker.queues
    )
    return nobody and in_order


@notion
def each_once(broker: Broker, step: Step) -> Broker:
    """QS-ONCE: the scored reading after a step."""
    return (
        after_send(broker, step.sender, step.names, step.size)
        if step.is_message
        else after_removal(broker, step.names, step.size)
    )


@notion
def together_after_message(broker: Broker, step: Step) -> Broker:
    """QS-TOGETHER-1: the other reading after a message: a queue left overfull has a say from now on."""
    stored = with_bytes(broker, step.names, step.size)
    return replace(
        stored,
        holds={
            channel: {
                queue: broker.holds[channel][queue]
                or (channel == step.sender and step.names[queue] and overfull(stored.queues[queue]))
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@notion
def together_after_removal(broker: Broker, step: Step) -> Broker:
    """QS-TOGETHER-2: the other reading after a removal: a channel's queues lose their say all at once."""
    shrunk = with_bytes(broker, step.names, -step.size)
    return replace(
        shrunk,
        holds={
            channel: {
                queue: broker.holds[channel][queue] and stopped_until_all_underfull_at_once(shrunk, channel, True)
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@notion
def all_together(broker: Broker, step: Step) -> Broker:
    """QS-TOGETHER: the other reading after a step."""
    return together_after_message(broker, step) if step.is_message else together_after_removal(broker, step)


@theorem("QS-T1", serves=("QPID-QUEUE-11",))
def the_first_step_leaves_both_readings_alike(
    broker: Broker, step: Step, channel: ChannelName, queue: QueueName
) -> None:
    """QS-T1: after one step from the beginning the same queues hold the same channels, none of them underfull."""
    assume(at_the_beginning(broker))
    once = each_once(broker, step)
    together = all_together(broker, step)
    possible(once.holds[channel][queue])
    prove(once.holds[channel][queue] == together.holds[channel][queue])
    prove(once.queues[queue] == together.queues[queue])
    prove(everyone_held_is_held_by_a_queue_that_is_not_underfull(once))


@theorem("QS-T2", serves=("QPID-QUEUE-13",))
def two_more_steps_do_not_tell_the_readings_apart_and_three_do(
    broker: Broker, channel: ChannelName, second: Step, third: Step, fourth: Step
) -> None:
    """QS-T2: from where both readings are alike two steps leave the same channels stopped; a third can part them.

    With QS-T1 that makes four steps from the beginning, as in the example of the rule, and no trace is shorter.
    """
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker))
    assume(levels_are_in_order(broker) and second.size >= 0 and third.size >= 0)
    once = each_once(each_once(broker, second), third)
    together = all_together(all_together(broker, second), third)
    prove(stopped(once, channel) == stopped(together, channel))
    possible(stopped(all_together(together, fourth), channel) and not stopped(each_once(once, fourth), channel))
