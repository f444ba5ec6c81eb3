"""The end of every scenario: what a broker owes whatever went before.

On a virtual clock, where waiting costs nothing, consumers acknowledge what they hold, what is left is consumed, and
each producer that is free sends once more. The trace rules judge most of it: each accepted message was delivered once
and no refused one, nothing is charged, and nobody waits.
"""

from tidegate.adapters.base import Outcome
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import SettlesLate
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import goes_on_by

MOST_LEFT = 20
"""Messages that are consumed at the end of a scenario; with more of them that would take too long."""
ROOM_IS_USED = "GENERAL-21"
"""The rule that is broken where a message is refused, or held back, although there is room for it."""


def finish(lab: Lab) -> None:
    """Bring a scenario to its end. Raises Deviation where that shows what the trace rules do not judge."""
    if lab.is_broken_off:
        return
    if lab.clock_is_virtual:
        _acknowledge_what_is_held(lab)
        if _consume_what_is_left(lab):
            _look_who_is_free(lab)
        _expect_no_send_to_wait(lab)
        if _send_once_more(lab) and _consume_what_is_left(lab):
            _look_who_is_free(lab)
        _expect_no_send_to_wait(lab)
    lab.bystander.judge()


def _acknowledge_what_is_held(lab: Lab) -> None:
    for consumer, message_ids in lab.held.items():
        for message_id in message_ids:
            lab.acknowledge(consumer, message_id)


def _consume_what_is_left(lab: Lab) -> bool:
    """Consume what destinations hold, or should hold, and then what producers send that waited for it."""
    left = [name for name in lab.destinations if name not in lab.buffered_ahead and _is_left(lab, name)]
    for destination in (*(lab.beside if left else ()), *left):
        while lab.drain(destination):
            lab.comes_to(lambda: [lab.standing(name).stopped for name in lab.in_sight], lambda seen: not any(seen))
    return bool(left)


def _is_left(lab: Lab, destination: str) -> bool:
    most = max(lab.depth(destination).messages, len(lab.owed(destination)))
    return 0 < most <= MOST_LEFT


def _look_who_is_free(lab: Lab) -> None:
    for name in lab.in_sight:
        lab.wait_until_free(name)


def _send_once_more(lab: Lab) -> bool:
    """Have each producer that may send do so, at destinations that are empty; whether any did."""
    senders = [name for name in lab.in_sight if _may_send(lab, name)]
    for name in senders:
        outcome = lab.send(name, 1)
        if outcome in (Outcome.REJECTED, Outcome.BLOCKED):
            expected = f"in the end, at an empty destination, a message of the {name} accepted"
            raise Deviation(expected, f"it was {outcome}", rules=(ROOM_IS_USED,))
    return bool(senders)


def _may_send(lab: Lab, name: str) -> bool:
    """Whether a producer is free and its message has room, as far as the limits that were declared say.

    After a send has failed its client may refuse the next one.
    """
    targets = [each for each in lab.destinations if lab.full_name(each) in lab.producers[name]]
    return (
        len(targets) == len(lab.producers[name]) == 1
        and not lab.is_transacted(name)
        and not lab.was_told_of_a_failure(name)
        and targets[0] not in lab.buffered_ahead
        and lab.depth(targets[0]).messages == 0
        and not lab.is_full(name)
        and not lab.standing(name).stopped
        and lab.can_use_session(name)
    )


def _expect_no_send_to_wait(lab: Lab) -> None:
    """Raise Deviation where a producer is free, and a message of it still waits to be sent, as far as it is told."""
    if offered(lab.adapter, SettlesLate) is None:
        return
    waiting = [
        name
        for name in lab.in_sight
        if not lab.is_transacted(name) and lab.unanswered(name) and not lab.standing(name).stopped
        if lab.unanswered(name)
    ]
    if waiting:
        seen = f"a message that still waits of {', '.join(waiting)}"
        rule = goes_on_by(lab.adapter.capabilities)
        raise Deviation("no message that waits of a producer that is free", seen, rules=(rule,))
