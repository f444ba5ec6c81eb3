"""Scripts: calls of the adapter contract that bring an implementation to a boundary, and what it must show there."""

from collections.abc import Callable, Iterator

from tidegate.conformance.vectors.form import (
    Consume,
    Declare,
    DeclareDefaults,
    ExpectCredit,
    ExpectStanding,
    Levels,
    OpenProducer,
    Send,
    Step,
)
from tidegate.model.language.reading import Value
from tidegate.model.mechanisms import artemis, artemis_producer, classic, credit, gate, qpid
from tidegate.model.mechanisms.artemis import AddressLimits
from tidegate.model.mechanisms.classic import Destination
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.gate import Gate
from tidegate.model.mechanisms.qpid import Limits, Queue


class Judged:
    """Marks the place in a script from which on it is judged."""


JUDGED = Judged()
Steps = Iterator[Step | Judged]

SMALL_ROOM = 1000
"""A maximum size in bytes that one message fills."""
WINDOW = Window(size=100, low=30)
NEXT_MESSAGE = 10
LEAST_RESUME = 3
"""The bytes of three smallest messages: one below the resume level, one at it, and one that stays."""


def script_of(function: Callable[..., Value], given: dict[str, Value], expect: Value) -> tuple[tuple[Step, ...], int]:
    """The script for these arguments of a rule, and the number of its steps that only prepare the case.

    The script is empty if no calls lead to the boundary, or the documents are silent.
    """
    build = SCRIPTS.get(function)
    parts = list(build(**given, expect=expect)) if build else []
    steps = tuple(part for part in parts if not isinstance(part, Judged))
    return steps, parts.index(JUDGED) if parts else 0


def overfull(queue: Queue, expect: bool) -> Steps:
    """One message takes the queue to its bytes; if that must stop its sender, another queue has stopped its own."""
    if queue.bytes > 0:
        yield from _queue(Levels(limit_bytes=queue.capacity, resume_bytes=queue.resume))
        if expect:
            yield from _stopped_by_a_crossing_message()
        yield _send(queue.bytes)
        yield JUDGED
        yield _standing(expect)


def underfull(queue: Queue, expect: bool) -> Steps:
    """Two messages stop the producer, and the removal of the first brings the queue down to its bytes."""
    if queue.bytes > 0:
        yield from _queue(Levels(limit_bytes=queue.capacity, resume_bytes=queue.resume))
        yield _send(max(queue.capacity - queue.bytes, 0) + 1)
        yield _send(queue.bytes)
        yield _standing(queue.capacity > 0)
        yield JUDGED
        yield _consume(1)
        yield _standing(not expect)


def settled(gate: Gate, closed: bool, level: int, expect: bool) -> Steps:
    """The gate of a queue: an open one is filled to the level, a closed one is emptied to it."""
    queue = Queue(gate.high, gate.low, level)
    return underfull(queue, not expect) if closed else overfull(queue, expect)


def effective_resume(capacity: int, resume: int, expect: int) -> Steps:
    """The gate closes just above the capacity and opens just below the resume level in force."""
    if LEAST_RESUME <= expect <= capacity:
        yield from _queue(_levels(Limits(capacity, resume)))
        yield from _filled(Limits(capacity, expect))
        yield JUDGED
        yield from _emptied(Limits(capacity, expect))


def effective_limits(own: Limits, virtual_host: Limits, expect: Limits) -> Steps:
    """The gate closes just above the capacity in force and opens just below the resume level in force."""
    if LEAST_RESUME <= expect.resume <= expect.capacity:
        yield DeclareDefaults(limits=_levels(virtual_host))
        yield from _queue(_levels(own))
        yield JUDGED
        yield from _filled(expect)
        yield from _emptied(expect)


def full(limits: AddressLimits, level: int, expect: bool) -> Steps:
    """One message fills the address to the level; the credit of a producer that attaches then shows if it is full."""
    if level > 0 and limits.max_size != 0:
        yield from _address(limits.max_size, WINDOW, limits.blocks)
        yield _send(level)
        yield JUDGED
        yield OpenProducer(producer="latecomer", destination="destination")
        yield ExpectCredit(producer="latecomer", left=0 if expect else WINDOW.size)


def refill(window: Window, left: int, expect: int) -> Steps:
    """Send small messages until these credits are left. Only a full address lets credit fall below the low mark."""
    spent = window.size - left
    if spent <= 0:
        return
    if left >= window.low:
        yield from _queue(Levels(credit=window.size, credit_low=window.low))
        yield _send(1, messages=spent)
        yield JUDGED
    elif window.size - 1 > window.low:
        yield from _address(SMALL_ROOM, window)
        yield _send(SMALL_ROOM)
        # a full address may reject messages sent on earlier credit, but each of them uses up a credit
        yield Send(producer="producer", messages=spent - 1, bytes=1, outcome="answered")
        yield ExpectCredit(producer="producer", left=left)
        yield JUDGED
        yield _consume(1)
    else:
        return
    yield ExpectCredit(producer="producer", left=left + expect)


def rejecting(limits: AddressLimits, level: int, expect: bool) -> Steps:
    """One message fills the address to the level, and the next message shows whether messages are rejected there."""
    if level > 0 and limits.reject_threshold != 0 and limits.max_size != 0:
        # with room for both messages, because a full address may reject messages sent on earlier credit
        room = max(limits.max_size, level + NEXT_MESSAGE + 1)
        yield from _address(room, WINDOW, limits.blocks, limits.reject_threshold)
        yield _send(level)
        yield JUDGED
        yield Send(producer="producer", messages=1, bytes=NEXT_MESSAGE, outcome="rejected" if expect else "accepted")


def memory_full(destination: Destination, expect: bool) -> Steps:
    """One message fills the destination to its bytes, and a send by another producer shows whether it is full."""
    if destination.bytes > 0 and destination.controlled and destination.limit != 0:
        limit = None if destination.limit == classic.NO_LIMIT else destination.limit
        yield from _queue(Levels(limit_bytes=limit, cursor="memory"))
        yield _send(destination.bytes)
        yield JUDGED
        yield OpenProducer(producer="latecomer", destination="destination")
        yield Send(producer="latecomer", messages=1, bytes=NEXT_MESSAGE, outcome="unsettled" if expect else "accepted")


def may_send(left: int, size: int, expect: bool) -> Steps:
    """An empty address has as much room as its producer has credit left, and one message needs some of it."""
    if left > 0 and size > 0:
        yield from _queue(Levels(limit_bytes=left, policy="BLOCK"))
        yield JUDGED
        yield Send(producer="producer", messages=1, bytes=size, outcome="accepted" if expect else "unsettled")


SCRIPTS: dict[Callable[..., Value], Callable[..., Steps]] = {
    qpid.overfull: overfull,
    qpid.underfull: underfull,
    gate.settled: settled,
    qpid.effective_resume: effective_resume,
    qpid.effective_limits: effective_limits,
    artemis.full: full,
    credit.refill: refill,
    artemis.rejecting: rejecting,
    artemis_producer.may_send: may_send,
    classic.full: memory_full,
}


def _stopped_by_a_crossing_message() -> Steps:
    """Another queue shows that the broker stops a sender by its crossing message, not by the next one."""
    limits = Levels(limit_bytes=SMALL_ROOM, resume_bytes=SMALL_ROOM)
    yield Declare(destination="another destination", limits=limits)
    yield OpenProducer(producer="its producer", destination="another destination")
    yield Send(producer="its producer", messages=1, bytes=2 * SMALL_ROOM)
    yield ExpectStanding(producer="its producer", stopped=True)


def _filled(in_force: Limits) -> Steps:
    """Fill the queue to its capacity, and then past it."""
    above = in_force.capacity - in_force.resume
    if above > 0:
        yield _send(above)
    yield _send(1, messages=2)
    yield _send(in_force.resume - 2)
    yield _standing(False)
    yield _send(1)
    yield _standing(True)


def _emptied(in_force: Limits) -> Steps:
    """Empty the filled queue to its resume level, and then below it."""
    yield _consume(2 if in_force.capacity > in_force.resume else 1)
    yield _standing(True)
    yield _consume(1)
    yield _standing(False)


def _queue(levels: Levels) -> Steps:
    yield Declare(destination="destination", limits=levels)
    yield OpenProducer(producer="producer", destination="destination")


def _levels(limits: Limits) -> Levels:
    return Levels(limit_bytes=_configured(limits.capacity), resume_bytes=_configured(limits.resume))


def _configured(level: int) -> int | None:
    return None if level == qpid.NOT_SET else level


def _address(max_size: int, window: Window, blocks: bool = True, threshold: int | None = None) -> Steps:
    policy = "BLOCK" if blocks else "PAGE"
    levels = Levels(
        limit_bytes=max_size, policy=policy, reject_bytes=threshold, credit=window.size, credit_low=window.low
    )
    return _queue(levels)


def _send(size: int, messages: int = 1) -> Send:
    return Send(producer="producer", messages=messages, bytes=size)


def _consume(messages: int) -> Consume:
    return Consume(destination="destination", messages=messages)


def _standing(stopped: bool) -> ExpectStanding:
    return ExpectStanding(producer="producer", stopped=stopped)
