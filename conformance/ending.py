"""The end of every scenario: what a broker owes whatever went before.

Each consumer acknowledges the messages that it holds, the other messages are consumed, and each free producer sends one
more message. The trace rules judge most of the end: each accepted message was delivered once, no refused message was
delivered, no bytes are charged, no producer waits, and management has counted all that came and left, and shows who is
stopped and what is used.
"""

from tidegate.adapters.base import Call, Outcome, ProducerOptions
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.log_of_levels import compare_levels_with_log, compare_stops_with_levels
from tidegate.conformance.sends_that_wait import expect_no_send_to_wait
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED
from tidegate.record.events import Kind

MOST_LEFT = 20
"""Messages and destinations that are consumed at the end of a scenario; more of them would take too long."""
LAST_SIZE = 100
"""The bytes of the message that each free producer sends in the end."""
NOT_TAKEN = (Outcome.REJECTED, Outcome.BLOCKED)
ROOM_IS_USED = "GENERAL-21"
"""The rule that is broken where a message is refused, or held back, although there is room for it."""


def finish(lab: Lab) -> None:
    """Bring a scenario to its end. Raises Deviation where that shows what the trace rules do not judge."""
    if lab.is_broken_off or lab.recorder.has_gap:
        return
    lab.look_at_shown()
    if any(lab.held.values()):
        _look_at_traffic(lab)
    _acknowledge_what_is_held(lab)
    if _consume_what_is_left(lab):
        _look_who_is_free(lab)
    expect_no_send_to_wait(lab, lab.in_sight)
    if _send_once_more(lab) and _consume_what_is_left(lab):
        _look_who_is_free(lab)
    expect_no_send_to_wait(lab, lab.in_sight)
    _look_at_traffic(lab)
    lab.look_at_shown()
    _compare_orders_with_log(lab)
    compare_levels_with_log(lab)
    compare_stops_with_levels(lab)
    lab.bystander.judge()
    lab.neighbour.judge(lab.comes_to)


def _compare_orders_with_log(lab: Lab) -> None:
    """Raise Deviation where the log has not one line for each release of a channel, or none for some stop.

    Only a virtual clock shows each change of a producer's standing, and none within one call, as where a send that
    waited goes through and stops its channel again. A channel has a line for each queue that stops it. No line is
    promised for an order of management, and a client that ignores an order is never seen to be stopped.
    """
    hidden = any(map(_hides_orders, lab.calls))
    if not lab.clock_is_virtual or "qpid-log" not in lab.adapter.capabilities or lab.limits_are_shared or hidden:
        return
    lab.log_lines()
    stops, releases = lab.recorder.orders[Kind.STOP], lab.recorder.orders[Kind.RELEASE]
    enforced, removed = (sum(each.code in line for line in lab.logged) for each in (CHANNEL_STOPPED, CHANNEL_RELEASED))
    if enforced < stops:
        expected = f"in the whole scenario at least {stops} lines with {CHANNEL_STOPPED.code}, one for each stop seen"
        raise Deviation(expected, f"{enforced} lines", rules=("QPID-LOG-2",))
    if removed != releases:
        expected = f"in the whole scenario {releases} lines with {CHANNEL_RELEASED.code}, one for each release seen"
        raise Deviation(expected, f"{removed} lines", rules=("QPID-LOG-4",))


def _hides_orders(call: Call) -> bool:
    """Whether after this call a channel may have lines of the log for orders that nobody sees, or none for some."""
    ignores = any(isinstance(each, ProducerOptions) and not each.obeys for each in call.arguments)
    return ignores or call.verb == "block" or call.answer is Outcome.UNSETTLED


def _look_at_traffic(lab: Lab) -> None:
    """What management has counted, unless there are so many destinations that asking for each takes long."""
    if len(lab.destinations) <= MOST_LEFT:
        for destination in lab.destinations:
            lab.look_at_traffic(destination)


def _acknowledge_what_is_held(lab: Lab) -> None:
    for consumer, message_ids in lab.held.items():
        for message_id in message_ids:
            lab.acknowledge(consumer, message_id)


def _consume_what_is_left(lab: Lab) -> bool:
    """Consume all messages that destinations hold or should hold; whether there were any."""
    left = [name for name in lab.destinations if name not in lab.buffered_ahead and _is_left(lab, name)]
    if len(left) > MOST_LEFT:
        return False
    # room at one queue may let a message in that goes to those beside it, which were consumed before
    passes = 2 if left and lab.beside else 1
    for destination in (*lab.beside, *left) * passes if left else ():
        lab.consume_everything(destination)
    return bool(left)


def _is_left(lab: Lab, destination: str) -> bool:
    held = lab.depth(destination).messages
    # what is owed and not held is lost: that takes no time to consume, and shows once the rest is consumed
    return held <= MOST_LEFT and max(held, len(lab.owed(destination))) > 0


def _look_who_is_free(lab: Lab) -> None:
    for name in lab.in_sight:
        lab.wait_until_free(name)


def _send_once_more(lab: Lab) -> bool:
    """Have each producer that may send do so, at destinations that are empty; whether any did."""
    senders = [name for name in lab.in_sight if _may_send(lab, name)]
    for name in senders:
        outcome = _sends_in_the_end(lab, name)
        if outcome in NOT_TAKEN:
            expected = f"in the end, at an empty destination, a message of the {name} accepted"
            raise Deviation(expected, f"it was {outcome}", rules=(ROOM_IS_USED,))
    return bool(senders)


def _sends_in_the_end(lab: Lab, name: str) -> Outcome:
    """The answer to one more message of the producer; on a real clock a refused message is sent again after a while."""
    target = _only_target(lab, name) if lab.is_anonymous(name) else None
    outcome = lab.send(name, LAST_SIZE, to=target)
    if outcome in NOT_TAKEN and not lab.clock_is_virtual:
        lab.pass_time(lab.adapter.parameters.eventually_ms)
        outcome = lab.send(name, LAST_SIZE, to=target)
    return outcome


def _may_send(lab: Lab, name: str) -> bool:
    """Whether a producer is free and its message has room, as far as the limits that were declared say.

    After a send has failed its client may refuse the next one.
    """
    target = _only_target(lab, name)
    return (
        target is not None
        and (lab.commits_at_once(name) or not lab.is_transacted(name))
        and not lab.was_told_of_a_failure(name)
        and target not in lab.buffered_ahead
        and lab.depth(target).messages == 0
        and not lab.is_full(name, LAST_SIZE)
        and not lab.standing(name).stopped
        and lab.can_use_session(name)
    )


def _only_target(lab: Lab, name: str) -> str | None:
    """The one destination that a producer sends to; None where there are several, or none yet."""
    targets = [each for each in lab.destinations if lab.full_name(each) in lab.producers[name]]
    return targets[0] if len(targets) == len(lab.producers[name]) == 1 else None
