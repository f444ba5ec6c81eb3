"""What is known of a log so far, in a form that a file can hold: another process goes on from there."""

from dataclasses import dataclass, field

from tidegate.pipeline.judge.states import Counted, States
from tidegate.pipeline.stream.following import ReadUpTo
from tidegate.pipeline.stream.overdue import Stops


@dataclass
class Clock:
    """The clock of a log: the latest time in it, and when that was read by the clock of this machine, in ms."""

    log: int = 0
    wall: int = 0

    def now(self, wall: int) -> int:
        """What time it is for the log: it goes on from its last line at the pace of this machine."""
        return self.log + max(wall - self.wall, 0)

    def reads(self, log: int, wall: int) -> None:
        """A line was written at this time; a clock that was set back does not go back here."""
        self.log, self.wall = max(self.log, log), wall


@dataclass
class LogState:
    """All that is known of one log."""

    form: str
    loop: str = ""
    """The digest of the loop of rules that judged the log."""
    judged: States | None = None
    """What that remembers; null before the first event."""
    counted: dict[str, Counted] = field(default_factory=dict)
    """The counts of each trace rule, by its name."""
    events: int = 0
    ignored: int = 0
    put_aside: int = 0
    put_aside_first: int | None = None
    """The number that the first line put aside would have as an event."""
    stops: Stops = field(default_factory=Stops)
    clock: Clock = field(default_factory=Clock)
    record: str = ""
    """The line that began the record in which the log ends."""
    unreadable: str | None = None
    """Why the log could not be read when it was last looked at."""
    reached: ReadUpTo = field(default_factory=ReadUpTo)


@dataclass
class Saved:
    """All logs after a look, and how long the file of alerts was then."""

    alert_bytes: int
    logs: dict[str, LogState]
    put_aside: list[str]
    """The first lines that could not be read, a sentence each."""
    gaps: list[str]
    """The first places where lines may be lost, a sentence each."""
