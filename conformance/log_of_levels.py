"""Compares the log with the observed levels of queues.

One line comes each time a queue becomes overfull, or underfull again, and no line says of a queue that it stops a
channel unless the queue was past its capacity.
"""

from tidegate.adapters.base import Depth, Outcome
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.model.mechanisms.qpid_log import CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from tidegate.record.events import Kind

CHANGES = frozenset({"change_limits", "restart_broker", "recreate", "declare_bound"})
"""The verbs after which a line may come at once or with the next message, or other queues have lines, too."""


def compare_levels_with_log(lab: Lab) -> None:
    """Raise Deviation unless the log has one line for each change of the level of the only queue.

    Only a virtual clock shows each change. Two changes within one call do not show, so scenarios with sends that wait
    are left out: such a send may take its queue past the capacity again as soon as it goes on.
    """
    if not _shows_each_change(lab):
        return
    (name,) = lab.destinations
    levels = lab.levels_of(name)
    # with a resume level of 0 the queue is never underfull, so it may be overfull from before
    if levels is None or not 0 < levels[1] <= levels[0]:
        return
    lab.log_lines()
    filled, emptied = changes(lab, name, *levels)
    for message, expected, rule in ((QUEUE_OVERFULL, filled, "QPID-LOG-1"), (QUEUE_UNDERFULL, emptied, "QPID-LOG-3")):
        seen = sum(message.code in line for line in lab.logged)
        if seen != expected:
            wanted = f"in the whole scenario {expected} lines with {message.code}, one for each change seen"
            raise Deviation(wanted, f"{seen} lines", rules=(rule,))


def compare_stops_with_levels(lab: Lab) -> None:
    """Raise Deviation where the log says that a queue stops a channel, and the queue was never past its capacity."""
    if not _shows_levels(lab):
        return
    lab.log_lines()
    for name in lab.destinations:
        levels = lab.levels_of(name)
        if levels is None or changes(lab, name, *levels)[0]:
            continue
        named = f"(Queue {lab.full_name(name)})"
        seen = sum(CHANNEL_STOPPED.code in line and named in line for line in lab.logged)
        if seen:
            expected = f"no line with {CHANNEL_STOPPED.code} about a queue that was never past its capacity"
            raise Deviation(expected, f"{seen} lines about {name!r}", rules=("QPID-LOG-2",))


def changes(lab: Lab, name: str, capacity: int, resume: int) -> tuple[int, int]:
    """The number of times that the seen depth of a queue rose past its capacity, and fell below its resume level."""
    full, filled, emptied, is_overfull = lab.full_name(name), 0, 0, False
    for call in lab.own_calls:
        if call.verb != "depth" or call.arguments != (full,) or not isinstance(call.answer, Depth):
            continue
        if not is_overfull and call.answer.bytes > capacity:
            is_overfull, filled = True, filled + 1
        elif is_overfull and call.answer.bytes < resume:
            is_overfull, emptied = False, emptied + 1
    return filled, emptied


def _shows_each_change(lab: Lab) -> bool:
    return (
        _shows_levels(lab)
        and not lab.weave.bystander
        and not lab.neighbour.is_there
        and len(lab.destinations) == 1
        and lab.recorder.orders[Kind.STOP] > 0  # a broker that heeds no limit breaks other rules
    )


def _shows_levels(lab: Lab) -> bool:
    """Whether each level that a queue of the scenario reaches is seen."""
    return (
        lab.clock_is_virtual
        and {"qpid-log", "queue-gate"} <= lab.adapter.capabilities
        and not lab.limits_are_shared
        and lab.weave.beside is None
        and not lab.beside
        and not any(call.verb in CHANGES or call.answer is Outcome.UNSETTLED for call in lab.own_calls)
    )
