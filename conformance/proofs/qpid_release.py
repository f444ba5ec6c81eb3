"""The two readings of a release by several queues: once each was underfull, or once all are at one moment.

In the scored reading a queue releases for good once it was underfull. In the other one it keeps its say until the
channel is released, so a queue that fills up again prevents the release once more.
"""

from collections.abc import Mapping
from dataclasses import replace

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.conformance.proofs.qpid_queue import everyone_held_is_held_by_a_queue_that_is_not_underfull
from tidegate.model.mechanisms.qpid import (
    Broker,
    ChannelName,
    QueueName,
    after_removal,
    stopped,
    stopped_until_all_underfull_at_once,
    underfull,
)


@theorem("QR-T1", serves=("QPID-QUEUE-11",))
def whoever_is_released_in_one_reading_is_free_in_the_scored_one(
    broker: Broker, had_a_say: Mapping[ChannelName, Mapping[QueueName, bool]], channel: ChannelName
) -> None:
    """QR-T1: all queues become underfull together no earlier than each of them does."""
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker))
    assume(all(not broker.holds[channel][queue] or had_a_say[channel][queue] for queue in broker.queues))
    together = replace(broker, holds=had_a_say)
    possible(not stopped(broker, channel) and stopped_until_all_underfull_at_once(together, channel, True))
    possible(not stopped_until_all_underfull_at_once(together, channel, True))
    prove(stopped_until_all_underfull_at_once(together, channel, True) or not stopped(broker, channel))


@theorem("QR-T2", serves=("QPID-QUEUE-11",))
def with_one_queue_both_readings_say_the_same(
    broker: Broker, names: Mapping[QueueName, bool], size: int, only: QueueName, channel: ChannelName
) -> None:
    """QR-T2: it takes two queues to tell the readings apart."""
    assume(all(queue == only for queue in broker.queues))
    assume(names[only])
    possible(broker.queues[only].bytes - size == broker.queues[only].resume)
    after = after_removal(broker, names, size)
    together = replace(after, holds=broker.holds)
    prove(stopped(after, channel) == stopped_until_all_underfull_at_once(together, channel, True))


@theorem("QR-T3", serves=("QPID-QUEUE-11",))
def the_other_reading_holds_until_no_queue_with_a_say_is_left_above(broker: Broker, channel: ChannelName) -> None:
    """QR-T3: the other reading in plain comparisons, for a stopped and for a free channel."""
    possible(any(broker.holds[channel][queue] and underfull(broker.queues[queue]) for queue in broker.queues))
    prove(
        stopped_until_all_underfull_at_once(broker, channel, True)
        == any(
            broker.holds[channel][queue]
            and broker.queues[queue].capacity != 0
            and broker.queues[queue].bytes >= broker.queues[queue].resume
            for queue in broker.queues
        )
    )
    prove(not stopped_until_all_underfull_at_once(broker, channel, False))


@refuted(
    "QR-R1",
    because="a queue that was underfull and fills up again counts in one reading only",
    serves=("QPID-QUEUE-11",),
)
def both_readings_always_say_the_same(
    broker: Broker, had_a_say: Mapping[ChannelName, Mapping[QueueName, bool]], channel: ChannelName
) -> None:
    """QR-R1: QR-T1 in both directions."""
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker))
    assume(all(not broker.holds[channel][queue] or had_a_say[channel][queue] for queue in broker.queues))
    together = replace(broker, holds=had_a_say)
    prove(stopped_until_all_underfull_at_once(together, channel, True) == stopped(broker, channel))
