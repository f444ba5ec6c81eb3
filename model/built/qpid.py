"""The Qpid Java broker 0.18 and Broker-J 10.1.0 as they are built.

In both a queue lets go at its resume level, not only below it, and a message that leaves the queue there stops nobody.
They differ in where the resume level comes from: 0.18 has that of the virtual host for a queue that sets none, which is
0 unless something is configured there; Broker-J has 80 per cent of the capacity. Broker-J knows the resume level as a
percentage only; what a virtual host sets in bytes for queues with another capacity is not modelled.
Their JMS client for AMQP 0-10 looks at its timeout only as a period of its notices ends.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from tidegate.model.built.profile import Evidence, Profile, Replacement, as_built
from tidegate.model.language.linker import Default
from tidegate.model.language.message_text import Message
from tidegate.model.mechanisms import qpid, qpid_log, wait
from tidegate.model.mechanisms.qpid import NOT_SET, Limits, Queue, effective_capacity, limited, overfull, underfull
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, expired

USUAL_PERCENT = 80
"""Per cent of its capacity at which a queue of Broker-J lets go for which no resume level is set."""


@as_built
def underfull_at_its_level(queue: Queue) -> bool:
    """QPID-QUEUE-2: the queue holds no more bytes than its resume level; one without a limit always does."""
    return not limited(queue) or queue.bytes <= queue.resume


@as_built
def holds_unless_underfull(queue: Queue, held: bool) -> bool:
    """QPID-QUEUE-10: an overfull queue holds a channel that sent to it, unless it is underfull at the same time."""
    return (held or overfull(queue)) and not underfull(queue)


@as_built
def limits_one_by_one(own: Limits, virtual_host: Limits) -> Limits:
    """QPID-QUEUE-6: each level that a queue does not set is the virtual host's, whose resume level is its capacity."""
    host_capacity = effective_capacity(virtual_host.capacity)
    host_resume = host_capacity if virtual_host.resume == NOT_SET else virtual_host.resume
    return Limits(
        capacity=host_capacity if own.capacity == NOT_SET else own.capacity,
        resume=host_resume if own.resume == NOT_SET else own.resume,
    )


@as_built
def underfull_at_a_percentage(queue: Queue) -> bool:
    """QPID-QUEUE-2: without a resume level a queue is underfull below 80 per cent of its capacity and one byte."""
    usual = queue.bytes * 100 < queue.capacity * USUAL_PERCENT + 100
    return not limited(queue) or (usual if queue.resume == NOT_SET else queue.bytes <= queue.resume)


@as_built
def resume_left_to_the_percentage(capacity: int, resume: int) -> int:
    """QPID-QUEUE-5: a resume level that is not set is none in bytes, but a percentage of the capacity."""
    return resume


@as_built
def period(wait: Wait) -> int:
    """WAIT-2: the client waits from notice to notice, or for its timeout where that is shorter."""
    never_notices = wait.notify_ms == NEVER or (wait.timeout_ms != NEVER and wait.notify_ms > wait.timeout_ms)
    return wait.timeout_ms if never_notices else wait.notify_ms


@as_built
def begun_with_a_period(wait: Wait) -> Waiting:
    """WAIT-3: a send begins to wait with the first notice due after one period, which is the timeout at most."""
    return Waiting(0, period(wait), 0)


@as_built
def noticed_to_the_end(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-2: a notice is due whenever a period has passed, the last one too, at whose end the send fails."""
    return period(wait) != NEVER and waiting.waited_ms >= waiting.next_notice_ms


@as_built
def next_after_a_period(wait: Wait, waiting: Waiting) -> Waiting:
    """WAIT-5: the next notice is due a period later."""
    return Waiting(waiting.waited_ms, waiting.next_notice_ms + period(wait), waiting.notices + 1)


@as_built
def gives_up_after_a_notice(wait: Wait, waiting: Waiting) -> bool:
    """WAIT-1: the client looks at its timeout only as a period ends, so a send may wait longer by up to a period."""
    return expired(wait, waiting.waited_ms) and waiting.next_notice_ms - waiting.waited_ms == period(wait)


NO_LIMIT = -1
"""The capacity that stands for no limit in Broker-J."""
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


OLD, NEW = "qpid-0.18", "qpid-10.1.0"
AT_THE_LEVEL = "a_stopped_producer_waits_until_the_queue_is_below_its_resume_level[400-800-stopped]"
NOT_SET_AT_999 = "a_resume_level_that_is_not_set_equals_the_capacity[201-999-free]"
WARNS, FAILS = ("QPID-CLIENT-9",), ("QPID-CLIENT-2",)
"""The rules that say when the client writes a warning, and when a send fails."""
LATE_NOTICE = "while_a_send_waits_its_client_says_so_once_in_each_period[3000-2]"
LATE_FAILURE = "the_period_of_the_warnings_does_not_change_when_a_send_fails[3000-2900-5000]"


def _client(report: str, version: str) -> tuple[Replacement, ...]:
    notice = (Evidence(report, LATE_NOTICE, "3 notices"),)
    failure = (Evidence(report, LATE_FAILURE, "nothing by then"),)
    return (
        Replacement(wait.begun, begun_with_a_period, version, version, failure, FAILS),
        Replacement(wait.notice_due, noticed_to_the_end, version, version, notice, WARNS),
        Replacement(wait.after_notice, next_after_a_period, version, version, notice, WARNS),
        Replacement(wait.gives_up, gives_up_after_a_notice, version, version, failure, FAILS),
    )


def _replaced(
    report: str,
    version: str,
    stands_for: Callable[..., Any] | Default,
    instead: object,
    *seen: tuple[str, str],
    rules: tuple[str, ...] = (),
    says: str = "",
) -> Replacement:
    """What one version does instead, with the check and the figure by which its report shows each."""
    evidence = tuple(Evidence(report, check, figure) for check, figure in seen)
    return Replacement(stands_for, instead, version, version, evidence, rules, says)


_old = partial(_replaced, OLD, "0.18")
_new = partial(_replaced, NEW, "10.1.0")

QPID_0_18 = Profile(
    OLD,
    (
        _old(
            qpid.underfull,
            underfull_at_its_level,
            (AT_THE_LEVEL, "the producer free at 800 bytes"),
            ("vector[qpid.underfull.2.at]", "free at 800 bytes"),
        ),
        _old(qpid.holds_sender, holds_unless_underfull, ("vector[qpid.effective_limits.4.at]", "free at 1,001 bytes")),
        _old(
            qpid.effective_limits,
            limits_one_by_one,
            (NOT_SET_AT_999, "the producer stopped at 999 bytes"),
            ("vector[qpid.effective_limits.4.at]", "free at 1,001 bytes"),
        ),
        *_client(OLD, "0.18"),
    ),
)
QPID_10_1_0 = Profile(
    NEW,
    (
        _new(
            (qpid, "NO_LIMIT"),
            NO_LIMIT,
            ("a_capacity_of_0_is_no_limit[1]", "the producer stopped at 1 bytes (really 200)"),
            ("a_queue_for_which_no_capacity_is_set_has_no_limit", "-1 bytes (read, not reached)"),
            rules=("QPID-QUEUE-3",),
            says="A capacity of 0 bytes is a limit like any other; -1 stands for no limit.",
        ),
        _new(
            qpid.underfull,
            underfull_at_a_percentage,
            (AT_THE_LEVEL, "the producer free at 800 bytes (really 160,000)"),
            (NOT_SET_AT_999, "the producer stopped at 999 bytes (really 199,800)"),
        ),
        _new(
            qpid.effective_resume,
            resume_left_to_the_percentage,
            (NOT_SET_AT_999, "the producer stopped at 999 bytes (really 199,800)"),
            ("vector[qpid.effective_limits.4.at]", "stopped at 999 bytes (really 199,800)"),
        ),
        _new(
            qpid.holds_sender,
            holds_unless_underfull,
            ("vector[gate.settled.1.at]", "free at 800 bytes (really 160,000)"),
        ),
        _new(
            (qpid_log, "QUEUE_OVERFULL"),
            QUEUE_OVERFULL,
            (
                "a_queue_that_becomes_overfull_is_logged_with_its_size_and_capacity",
                "it 0 times, and of QUE-1003: ['QUE-1003 : Overfull : Size : 240,000 bytes, Capacity : 200,000, "
                "Messages : 1, Message Capacity : -1']",
            ),
            says="QUE-1003 names the messages on the queue, too, and its limit in messages.",
        ),
        _new(
            (qpid_log, "QUEUE_UNDERFULL"),
            QUEUE_UNDERFULL,
            (
                "a_queue_that_becomes_underfull_is_logged_with_its_size_and_resume_level",
                "it 0 times, and of QUE-1004: ['QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : "
                "160,000, Messages : 1, Message Capacity : -1']",
            ),
            says="QUE-1004 names the messages on the queue, too, and its limit in messages.",
        ),
        *_client(NEW, "10.1.0"),
    ),
)
