"""Rules over the log of WSO2 Message Broker: a release follows a stop, and each stop has one release.

A log may begin at any time: the first line about a channel may be its release.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment


@rule
def lines_so_far(e: Moment) -> int:
    """ANDES-MEMORY-6: the number of lines about the channel so far."""
    return total(1 if e.kind == Kind.STOP or e.kind == Kind.RELEASE else 0, per=(e.channel,))


@rule
def released_since_stopped(e: Moment) -> int:
    """ANDES-MEMORY-6: the number of release lines of the channel since its last stop line."""
    times = total(1 if e.kind == Kind.RELEASE else 0, per=(e.channel,))
    return times - latest(times, when=e.kind == Kind.STOP, per=(e.channel,))


@rule
def lines_about_all_so_far(e: Moment) -> int:
    """ANDES-MEMORY-2: the number of lines about all publishers for the reason of this line."""
    return total(1 if e.kind == Kind.OVERFULL or e.kind == Kind.UNDERFULL else 0, per=(e.cause,))


@rule
def all_released_since_stopped(e: Moment) -> int:
    """ANDES-MEMORY-2: the number of lines that release all publishers since the last stop for this reason."""
    times = total(1 if e.kind == Kind.UNDERFULL else 0, per=(e.cause,))
    return times - latest(times, when=e.kind == Kind.OVERFULL, per=(e.cause,))


@trace_rule
def only_a_stopped_channel_is_let_go(e: Moment) -> bool:
    """ANDES-MEMORY-6: a channel is released only after a stop, and once for each stop."""
    given(e.kind == Kind.RELEASE and lines_so_far(e) > 1)
    return released_since_stopped(e) == 1


@trace_rule
def all_are_let_go_once_after_they_were_stopped(e: Moment) -> bool:
    """ANDES-MEMORY-2: all publishers are released only after a stop of all, and once for each stop."""
    given(e.kind == Kind.UNDERFULL and lines_about_all_so_far(e) > 1)
    return all_released_since_stopped(e) == 1
