"""The declaration of the log of one broker, from which both readers of the log are derived.

A log is a sequence of *records*. A record is its first line and the lines that continue it, such as a stack trace.
Each line of a log either makes an event, or is ignored, or is put aside because it looks like a line that makes an
event and cannot be read. So lines = events + ignored + put aside, for any file.
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
"""The begin of a line of a Java stack trace. It continues a record, whatever it quotes, and is always ignored."""


@dataclass(frozen=True)
class Loss:
    """A line of the program that writes or collects a log, which says that lines of the log were left out."""

    mark: str
    form: re.Pattern[str]


LOSSES = (
    Loss("Suppressed ", re.compile(r"Suppressed \d+ messages from ")),  # journald
    Loss("messages from pid ", re.compile(r"lost \d+ messages from pid \d+ due to rate-limiting")),  # rsyslog, imuxsock
    Loss("messages lost due to rate-limiting", re.compile(r"\d+ messages lost due to rate-limiting")),  # rsyslog
    Loss("Async queue is full, discarding event", re.compile(r"Async queue is full, discarding event")),  # Log4j 2
)
"""How the programs that collect the logs of brokers say that they left out lines."""


@dataclass(frozen=True, eq=False)
class Subject:
    """The subject of a line, if it precedes the text: it begins at the last `opening` before the text.

    From there up to the text, without blanks at the end, it must match `pattern`, whose named groups become fields
    beside the fields of the text. `pattern` uses only syntax that `re` and Rust's regex crate read alike. A line that
    does not match is put aside, with `field` and `expected`.
    """

    opening: str
    pattern: str
    field: str
    expected: str

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The compiled pattern that the whole subject must match."""
        return re.compile(self.pattern)


@dataclass(frozen=True)
class Reached:
    """The cause of a line if a rule of the model holds for its limit and its level."""

    cause: str
    level: str
    limit: str
    by: Callable[[int, int], bool]
    """The rule: from limit and level to whether the level has reached the limit."""


@dataclass(frozen=True)
class Statement:
    """A line that makes an event: its mark, its text, and the fields of the event.

    `mark` is a literal part of the line that hardly any other line holds: lines without a mark are never parsed. `text`
    is the form of the line from its first literal piece to the end. Several statements may share a mark; the first
    whose text fits is taken.
    `carries` maps fields of the event to fields of the line: a template such as `{host}/{queue}` for a text, and a
    single field such as `{size}` for a figure. The event's cause is the first of `causes` whose limit is reached, else
    `cause`, else the mark. A line with the mark of a `common` statement that fits no form is ignored, and not put
    aside. A line with the text `without` does not fit the statement.
    """

    mark: str
    text: LineForm
    kind: Kind
    carries: Mapping[str, str]
    subject: Subject | None = None
    causes: tuple[Reached, ...] = ()
    cause: str | None = None
    common: bool = False
    without: str = ""


@dataclass(frozen=True)
class Cause:
    """The name of a cause of a stop, the same for logs and traces, and how its stops begin and end.

    `alone`: the cause has a release of its own, so space at a destination does not end it. Not `stops`: beyond its
    limit the destination does something else instead. `repeated`: the log repeats the order to stop while it lasts; for
    any other cause a second line means that there was a release between. `names_senders`: a line names each sender that
    the cause stops. `limit` is the name of the limit whose figure the line gives, where it differs from `name`.
    """

    name: str
    alone: bool = False
    stops: bool = True
    repeated: bool = False
    names_senders: bool = False
    limit: str = ""


@dataclass(frozen=True, eq=False)
class LogForm:
    """The log of one broker or client: its statements, the trace rules that judge it, and the names of its causes.

    `name` is the name of the form in reports, and `broker` the name of the broker or client. `not_shown` says why a
    rule of `rules` has judged no line of a log.
    `recognised_by` is found in a line that only this form of log has. `begins` matches the start of a record, and
    `time` reads the time from its first line. A line that begins with a time as in `STAMPED` must begin a record, and
    `time` must read it as `iso_time` does; the fast reader reads these lines only. `version` finds the version of the
    broker in a line, as its group `version`. With `below_first`, the line with the mark may stand below the first line
    of the record, which alone carries the time (as in `=INFO REPORT====` of old Erlang logs). Otherwise a line with a
    mark that neither begins a record nor belongs to a stack trace is put aside, since it has no time. `numbered` finds
    the `number` of a connection, which the broker gives to one `address` in each of its runs.
    """

    name: str
    broker: str
    recognised_by: re.Pattern[str]
    statements: tuple[Statement, ...]
    rules: tuple[Definition, ...] = ()
    not_shown: str = "the log has no line that this rule judges"
    causes: Mapping[str, Cause] = field(default_factory=dict)
    version: re.Pattern[str] | None = None
    begins: re.Pattern[str] = STAMPED
    time: TimeForm = iso_time
    below_first: bool = False
    numbered: re.Pattern[str] | None = None

    @cached_property
    def may_release(self) -> bool:
        """Whether a line of the log may say that a sender is released."""
        return any(each.kind is Kind.RELEASE for each in self.statements)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """Every mark once, the longest first; lines about lost lines have marks of their own."""
        marks = {each.mark for each in self.statements} | {each.mark for each in LOSSES}
        return tuple(sorted(marks, key=lambda mark: (-len(mark), mark)))
