"""What is known of the log of one broker: a declaration, from which both ways of reading it are derived.

A log is a row of *records*. A record is a line that begins one and the lines that continue it, such as a stack trace.
Each line of a log is exactly one of three: it makes an event, it is ignored, or it is put aside because it looks like a
line that makes an event and cannot be read. So lines = events + ignored + put aside, whatever stands in the file.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tidegate.model.language.rule import Definition
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.times import STAMPED, TimeForm, iso_time
from tidegate.record.events import Kind

TRACE_LINE = re.compile(r"\s|Caused by: |(?:[\w$]+\.)+[\w$]+(?:Exception|Error)\b|\.\.\. \d+ ")
"""How a line of a Java stack trace begins. It continues a record, whatever it quotes, and is always ignored."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What a line is about, where that stands in front of its text: the last `opening` before the text begins it.

    From there up to the text, but for blanks, it must match `pattern`, whose named groups become fields beside those of
    the text. `pattern` keeps to what `re` and Rust's regex crate read alike. Otherwise the line is put aside,
    with `field` and what was `expected`.
    """

    opening: str
    pattern: str
    field: str
    expected: str

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The pattern that the whole line must match."""
        return re.compile(self.pattern)


@dataclass(frozen=True)
class Reached:
    """A cause that holds where a rule of the model says so of two figures of the line, a limit and a level."""

    cause: str
    level: str
    limit: str
    by: Callable[[int, int], bool]
    """From limit and level to whether the level is where the limit acts."""


@dataclass(frozen=True)
class Statement:
    """A line that makes an event: by what it is found, how it reads, and what the event carries.

    `mark` is a literal part of it that hardly any other line holds: lines without a mark are never looked at. `text` is
    how it reads from its first literal piece to the end of the line. Several statements may share a mark; the first
    whose text fits is taken.
    `carries` maps fields of the event to fields of the line: a template of these, such as `{host}/{queue}`, for a
    text, and the name alone, such as `{size}`, for a figure. The event's cause is the first of `causes` whose limit is
    reached, else `cause`, else the mark.
    A line with a mark that is `common` and that reads in no known way is about something else, and not put aside.
    """

    mark: str
    text: LineForm
    kind: Kind
    carries: Mapping[str, str]
    subject: Subject | None = None
    causes: tuple[Reached, ...] = ()
    cause: str | None = None
    common: bool = False


@dataclass(frozen=True)
class Cause:
    """What a line's cause is called where it stops somebody, the same for logs and traces.

    `alone` says that it has a release of its own, so that space at a destination says nothing of it. One that does
    not `stop` is what a destination does beyond its limit instead. An order to stop by a `repeated` one is told again
    and again while it lasts; of any other a second line says that there was a release in between. Where a destination
    is full by a cause that `names_senders`, each sender that this stops is told of by name. `limit` is the name of the
    limit whose figure stands in the line, where that is another.
    """

    name: str
    alone: bool = False
    stops: bool = True
    repeated: bool = False
    names_senders: bool = False
    limit: str = ""


@dataclass(frozen=True, eq=False)
class LogForm:
    """The log of one broker or client: how it reads, which trace rules judge it, and what its causes are called.

    `name` is what such a file is called in reports, and `broker` whose log it is. `not_shown` says why a rule of
    `rules` has judged no line of a log.
    `recognised_by` is found in a line that only such a log has. `begins` matches at the start of a line that begins a
    record, and `time` reads the time from that line. A line in front of which stands a time as in `STAMPED` must begin
    a record, and `time` must read it as `iso_time` does; the fast reader reads such lines only. `version` finds within
    a line, as its group `version`, which version wrote it.
    With `below_first`, a record's statement may stand in a line below its first, which alone carries the time (as in
    `=INFO REPORT====` of old Erlang logs): the line with the mark makes the event then. Otherwise a line that carries
    a mark and neither begins a record nor belongs to a stack trace is put aside for its time.
    """

    name: str
    broker: str
    recognised_by: re.Pattern[str]
    statements: tuple[Statement, ...]
    rules: tuple[Definition, ...] = ()
    not_shown: str = "no line of the log is one that the rule judges"
    causes: Mapping[str, Cause] = field(default_factory=dict)
    version: re.Pattern[str] | None = None
    begins: re.Pattern[str] = STAMPED
    time: TimeForm = iso_time
    below_first: bool = False

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of events that its lines make."""
        return frozenset(each.kind for each in self.statements)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """Every mark once, the longest first."""
        return tuple(sorted({each.mark for each in self.statements}, key=lambda mark: (-len(mark), mark)))
