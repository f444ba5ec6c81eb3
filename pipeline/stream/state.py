"""What is known of a log so far, in a form that a file can hold: another process goes on from there."""

from dataclasses import dataclass, field

from tidegate.pipeline.judge.states import Counted, States
from tidegate.pipeline.stream.following import FollowedLog
from tidegate.pipeline.stream.overdue import Stops


@dataclass
class LogState(FollowedLog):
    """All that is known of one log that is judged."""

    loop: str = ""
    """The digest of the loop of rules that judged the log."""
    judged: States | None = None
    """What that remembers; null before the first event."""
    counted: dict[str, Counted] = field(default_factory=dict)
    """The counts of each trace rule, by its name."""
    put_aside_first: int | None = None
    """The number that the first line put aside would have as an event."""
    stops: Stops = field(default_factory=Stops)


@dataclass
class Saved:
    """All logs after a look, and how long the file of alerts was then."""

    alert_bytes: int
    logs: dict[str, LogState]
    put_aside: list[str]
    """The first lines that could not be read, a sentence each."""
    gaps: list[str]
    """The first places where lines may be lost, a sentence each."""
