"""The Qpid Java broker 0.18 and 6.1.7, and Broker-J 7.1.12 to 10.1.0 as built.

In both a queue releases its producers at its resume level, not only below it, and a message that leaves the queue at
that level stops nobody. They differ in the source of the resume level: for a queue that sets none, 0.18 takes the
virtual host's, which is 0 unless configured; Broker-J takes 80 per cent of the capacity. Broker-J has the resume level
as a percentage only; a level in bytes that a virtual host sets for queues with another capacity is not modelled. Their
JMS client for AMQP 0-10 checks its timeout only when a period of its notices ends.
"""

from collections.abc import Mapping
from dataclasses import replace

from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.language.message_text import Message
from tidegate.model.mechanisms import qpid, qpid_log, wait
from tidegate.model.mechanisms.qpid import (
    NOT_SET,
    Broker,
    Limits,
    Queue,
    QueueName,
    effective_capacity,
    limited,
    overfull,
    underfull,
    with_bytes,
)
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, expired

USUAL_PERCENT = 80
"""The resume level, in per cent of its capacity, of a queue of Broker-J without a configured one."""


@as_built
def underfull_at_its_level(queue: Queue) -> bool:
    """QPID-QUEUE-2: the queue is underfull at or below its resume level, or without a limit."""
    return not limited(queue) or queue.bytes <= queue.resume


@as_built
def holds_unless_underfull(queue: Queue, held: bool) -> bool:
    """QPID-QUEUE-10: an overfull queue holds its sender, unless the queue is also underfull."""
    return (held or overfull(queue)) and not underfull(queue)


@as_built
def limits_one_by_one(own: Limits, virtual_host: Limits) -> Limits:
    """QPID-QUEUE-6: a level that a queue does not set is the virtual host's, whose resume default is its capacity."""
    host_capacity = effective_capacity(virtual_host.capacity)
    host_resume = host_capacity if virtual_host.resume == NOT_SET else virtual_host.resume
    return Limits(
        capacity=host_capacity if own.capacity == NOT_SET else own.capacity,
        resume=host_resume if own.resume == NOT_SET else own.resume,
    )


@as_built
def underfull_at_a_percentage(queue: Queue) -> bool:
    """QPID-QUEUE-2: without a resume level a queue is underfull below 80 per cent of its capacity and 1 byte."""
    usual = queue.bytes * 100 < queue.capacity * USUAL_PERCENT + 100
    return not limited(queue) or (usual if queue.resume == NOT_SET else queue.bytes <= queue.resume)


@as_built
def resume_left_to_the_percentage(capacity: int, resume: int) -> int:
    """QPID-QUEUE-5: a resume level that is not set in bytes is a percentage of the capacity."""
    return resume


@as_built
def resume_of_nothing(capacity: int, resume: int) -> int:
    """QPID-QUEUE-5: a resume level that is not set is 0, so a queue releases its channels once it is empty."""
    return 0 if resume == NOT_SET else resume


@as_built
def nobody_let_go_without_a_limit(broker: Broker, names: Mapping[QueueName, bool], size: int) -> Broker:
    """QPID-QUEUE-3: a queue whose limit was removed releases no channel, whatever leaves the queue."""
    shrunk = with_bytes(broker, names, -size)
    return replace(
        shrunk,
        holds={
            channel: {
                queue: broker.holds[channel][queue]
                and not (names[queue] and limited(shrunk.queues[queue]) and underfull(shrunk.queues[queue]))
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@as_built
def period(wait: Wait) -> int:
    """WAIT-2: the client waits from notice to notice, or for its timeout if the timeout is shorter."""
    never_notices = wait.notify_ms == NEVER or (wait.timeout_ms != NEVER and wait.notify_ms > wait.timeout_ms)
    return wait.timeout_ms if never_notices else wait.notify_ms


@as_built
def begun_with_a_period(wait: Wait) -> Waiting:
    """WAIT-3: a send begins its wait with the first notice due after a period, or at the timeout."""
    return Waiting(0, period(wait), 0)


@as_built
def noticed_to_the_end(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-2: a notice is due at the end of each period, also of the period in which the send fails."""
    return period(wait) != NEVER and waiting.waited_ms >= waiting.next_notice_ms


@as_built
def next_after_a_period(wait: Wait, waiting: Waiting) -> Waiting:
    """WAIT-5: the next notice is due a period later."""
    return Waiting(waiting.waited_ms, waiting.next_notice_ms + period(wait), waiting.notices + 1)


@as_built
def gives_up_after_a_notice(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-1: the client checks its timeout only at the end of a period, so a send may fail late."""
    return expired(wait, waiting.waited_ms) and waiting.next_notice_ms - waiting.waited_ms == period(wait)


@as_built
def heeds_queues_unless_by_exchange(by_exchange: bool, by_amqp_1_0: bool) -> bool:
    """QPID-QUEUE-7: a queue does not stop a sender that sends through an exchange in AMQP 1.0."""
    return not (by_exchange and by_amqp_1_0)


NO_LIMIT = -1
"""The capacity that means no limit in Broker-J."""
QUEUE_OVERFULL = Message(
    "QUE-1003",
    "Overfull : Size : {size:number} bytes, Capacity : {capacity:number}, Messages : {messages:number}, "
    "Message Capacity : {message_capacity:number}",
)
QUEUE_UNDERFULL = Message(
    "QUE-1004",
    "Underfull : Size : {size:number} bytes, Resume Capacity : {resume:number}, Messages : {messages:number}, "
    "Message Capacity : {message_capacity:number}",
)


OLD, V6 = "qpid-0.18", "qpid-6.1.7"
J7, J8, J9, J10 = "qpid-7.1.12", "qpid-8.0.6", "qpid-9.2.1", "qpid-10.1.0"
BROKER_J = (J7, J8, J9, J10)
ALL = (OLD, V6, *BROKER_J)
AT_THE_LEVEL = "a_stopped_producer_waits_until_the_queue_is_below_its_resume_level[400-800-stopped]"
NOT_SET_AT_999 = "a_resume_level_that_is_not_set_equals_the_capacity[201-999-free]"
LATE_NOTICE = "while_a_send_waits_its_client_says_so_once_in_each_period[3000-2]"
LATE_FAILURE = "the_period_of_the_warnings_does_not_change_when_a_send_fails[3000-2900-5000]"
FREE_AT_800 = "the producer free at 800 bytes (really 160,000)"
STOPPED_AT_999 = "the producer stopped at 999 bytes (really 199,800)"

_WARNS, _FAILS = ("QPID-CLIENT-9",), ("QPID-CLIENT-2",)
"""The rules about when the client writes a warning, and when a send fails."""
_LATE_NOTICE, _LATE_FAILURE = seen(LATE_NOTICE, "3 notices", *ALL), seen(LATE_FAILURE, "nothing by then", *ALL)
CLIENT = (
    Replacement(wait.begun, begun_with_a_period, "0.18", "10.1.0", _LATE_FAILURE, _FAILS),
    Replacement(wait.notice_due, noticed_to_the_end, "0.18", "10.1.0", _LATE_NOTICE, _WARNS),
    Replacement(wait.after_notice, next_after_a_period, "0.18", "10.1.0", _LATE_NOTICE, _WARNS),
    Replacement(wait.gives_up, gives_up_after_a_notice, "0.18", "10.1.0", _LATE_FAILURE, _FAILS),
)
"""The replacements of the JMS client for AMQP 0-10, in 0.18 and in 6.4.0, which ran against every Broker-J."""
REPLACEMENTS = (
    Replacement(
        qpid.underfull,
        underfull_at_its_level,
        since="0.18",
        until="6.1.7",
        evidence=(
            *seen(AT_THE_LEVEL, "the producer free at 800 bytes", OLD, V6),
            *seen("vector[qpid.underfull.2.at]", "free at 800 bytes", OLD, V6),
        ),
    ),
    Replacement(
        qpid.effective_limits,
        limits_one_by_one,
        since="0.18",
        until="0.18",
        evidence=(
            *seen(NOT_SET_AT_999, "the producer stopped at 999 bytes", OLD),
            *seen("vector[qpid.effective_limits.4.at]", "free at 1,001 bytes", OLD),
        ),
    ),
    Replacement(
        qpid.effective_resume,
        resume_of_nothing,
        since="6.1.7",
        until="6.1.7",
        evidence=(
            *seen(NOT_SET_AT_999, "the producer stopped at 999 bytes", V6),
            *seen("vector[qpid.effective_limits.4.at]", "stopped at 999 bytes", V6),
        ),
    ),
    Replacement(
        qpid.after_removal,
        nobody_let_go_without_a_limit,
        since="0.18",
        until="6.1.7",
        evidence=(
            *seen("a_capacity_changed_to_0_lets_go_whom_it_held", "the producer stopped at 1,001 bytes", OLD, V6),
            *seen("trace:a_raised_limit_releases", "otherwise at 1 of them", OLD, V6),
        ),
        rules=("QPID-QUEUE-3",),
    ),
    Replacement(
        (qpid, "NO_LIMIT"),
        NO_LIMIT,
        since="7.1.12",
        until="10.1.0",
        evidence=(
            *seen("a_capacity_of_0_is_no_limit[1]", "the producer stopped at 1 bytes (really 200)", *BROKER_J),
            *seen("a_queue_for_which_no_capacity_is_set_has_no_limit", "-1 bytes (read, not reached)", *BROKER_J),
        ),
        rules=("QPID-QUEUE-3",),
        says="A capacity of 0 bytes is a limit like any other; -1 stands for no limit.",
    ),
    Replacement(
        qpid.underfull,
        underfull_at_a_percentage,
        since="7.1.12",
        until="10.1.0",
        evidence=(
            *seen(AT_THE_LEVEL, FREE_AT_800, *BROKER_J),
            *seen(NOT_SET_AT_999, STOPPED_AT_999, *BROKER_J),
        ),
    ),
    Replacement(
        qpid.effective_resume,
        resume_left_to_the_percentage,
        since="7.1.12",
        until="10.1.0",
        evidence=(
            *seen(NOT_SET_AT_999, STOPPED_AT_999, *BROKER_J),
            *seen("vector[qpid.effective_limits.4.at]", "stopped at 999 bytes (really 199,800)", *BROKER_J),
        ),
    ),
    Replacement(
        qpid.holds_sender,
        holds_unless_underfull,
        since="0.18",
        until="10.1.0",
        evidence=(
            *seen("vector[qpid.effective_limits.4.at]", "free at 1,001 bytes", OLD),
            *seen("vector[gate.settled.1.at]", "free at 800 bytes", V6),
            *seen("vector[gate.settled.1.at]", "free at 800 bytes (really 160,000)", *BROKER_J),
        ),
        rules=("QPID-QUEUE-10",),
    ),
    Replacement(
        qpid.heeds_queues,
        heeds_queues_unless_by_exchange,
        since="10.1.0",
        until="10.1.0",
        evidence=(
            *seen(
                "a_full_destination_stops_producers_of_each_protocol_and_lets_them_go (topic)",
                "not stopped at 121,200 bytes (really 24,240,000): producer of AMQP 1.0",
                J10,
            ),
            *seen(
                "a_full_destination_stops_producers_of_each_protocol_and_lets_them_go (beside wide queues)",
                "not stopped at 121,200 bytes (really 24,240,000): producer of AMQP 1.0",
                J10,
            ),
        ),
    ),
    Replacement(
        (qpid_log, "QUEUE_OVERFULL"),
        QUEUE_OVERFULL,
        since="7.1.12",
        until="10.1.0",
        evidence=seen(
            "a_queue_that_becomes_overfull_is_logged_with_its_size_and_capacity",
            "it 0 times, and of QUE-1003: ['QUE-1003 : Overfull : Size : 240,000 bytes, Capacity : 200,000, "
            "Messages : 1, Message Capacity : -1']",
            *BROKER_J,
        ),
        says="QUE-1003 names the messages on the queue, too, and its limit in messages.",
    ),
    Replacement(
        (qpid_log, "QUEUE_UNDERFULL"),
        QUEUE_UNDERFULL,
        since="7.1.12",
        until="10.1.0",
        evidence=seen(
            "a_queue_that_becomes_underfull_is_logged_with_its_size_and_resume_level",
            "it 0 times, and of QUE-1004: ['QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : "
            "160,000, Messages : 1, Message Capacity : -1']",
            *BROKER_J,
        ),
        says="QUE-1004 names the messages on the queue, too, and its limit in messages.",
    ),
    *CLIENT,
)
"""All replacements; each names the versions in which it holds."""

QPID_0_18 = profile_of(OLD, REPLACEMENTS)
QPID_6_1_7 = profile_of(V6, REPLACEMENTS)
QPID_7_1_12 = profile_of(J7, REPLACEMENTS)
QPID_8_0_6 = profile_of(J8, REPLACEMENTS)
QPID_9_2_1 = profile_of(J9, REPLACEMENTS)
QPID_10_1_0 = profile_of(J10, REPLACEMENTS)
PROFILES = (QPID_0_18, QPID_6_1_7, QPID_7_1_12, QPID_8_0_6, QPID_9_2_1, QPID_10_1_0)
