"""Rules over the log of WSO2 Message Broker: a release follows a stop, and each stop has one release.

A log may begin at any time: the first line about a channel may be its release.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment


@rule
def lines_so_far(e: Moment) -> int:
    """ANDES-MEMORY-6: how many lines there were about the channel."""
    return total(1 if e.kind == Kind.STOP or e.kind == Kind.RELEASE else 0, per=(e.channel,))


@rule
def released_since_stopped(e: Moment) -> int:
    """ANDES-MEMORY-6: how often the channel was said to be let go since it was last said to be stopped."""
    times = total(1 if e.kind == Kind.RELEASE else 0, per=(e.channel,))
    return times - latest(times, when=e.kind == Kind.STOP, per=(e.channel,))


@rule
def lines_about_all_so_far(e: Moment) -> int:
    """ANDES-MEMORY-2: how many lines there were about all publishers, for this reason."""
    return total(1 if e.kind == Kind.OVERFULL or e.kind == Kind.UNDERFULL else 0, per=(e.cause,))


@rule
def all_released_since_stopped(e: Moment) -> int:
    """ANDES-MEMORY-2: how often all publishers were said to be let go since they were last stopped for this reason."""
    times = total(1 if e.kind == Kind.UNDERFULL else 0, per=(e.cause,))
    return times - latest(times, when=e.kind == Kind.OVERFULL, per=(e.cause,))


@trace_rule
def only_a_stopped_channel_is_let_go(e: Moment) -> bool:
    """ANDES-MEMORY-6: a channel that is let go was said to be stopped, and not let go since."""
    given(e.kind == Kind.RELEASE and lines_so_far(e) > 1)
    return released_since_stopped(e) == 1


@trace_rule
def all_are_let_go_once_after_they_were_stopped(e: Moment) -> bool:
    """ANDES-MEMORY-2: all publishers are let go once for each time that they were stopped."""
    given(e.kind == Kind.UNDERFULL and lines_about_all_so_far(e) > 1)
    return all_released_since_stopped(e) == 1
