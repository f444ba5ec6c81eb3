"""Rules about the begin of a log: whether the broker started there, and in which run of the broker a line lies."""

from tidegate.model.language.past import total
from tidegate.model.language.rule import rule
from tidegate.record.events import Kind, Moment


@rule
def life(e: Moment) -> int:
    """LOG-1: the number of the broker's run in which the event lies, counted from 1."""
    return total(1 if e.kind == Kind.START else 0, per=()) + 1


@rule
def run(e: Moment) -> int:
    """LOG-2: the number of starts of the whole broker so far; from the first on the log has all lines of each run."""
    return total(1 if e.kind == Kind.START and e.destination == "" else 0, per=())


@rule
def begins_with_a_start(e: Moment) -> bool:
    """LOG-2: the log begins with the start of the whole broker, or the shutdown before it, so it has all lines."""
    is_first = total(0 if e.kind == Kind.SHUTDOWN else 1, per=()) == 1
    return total(1 if is_first and e.kind == Kind.START and e.destination == "" else 0, per=()) > 0
