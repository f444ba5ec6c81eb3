"""What reading logs gives: the statements of lines, the lines that were put aside, and an operator's statements."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from functools import cached_property

from tidegate.why.notices import Said
from tidegate.why.texts import names
from tidegate.why.times import Stamp


@dataclass(frozen=True)
class Heard:
    """The statement of one line, with the line's file, number, and time or None."""

    said: Said
    file: str
    line: int
    time: Stamp | None
    of: str = ""
    """The host, pod or container that a tool put in front of the line, or a collector beside it."""
    front: str = ""
    """The text in front of the line's time, which may name a node in a form of no known tool."""


@dataclass(frozen=True)
class Aside:
    """A line that has the mark of a broker's line but matches no known form: its file, number and text, and why it was
    put aside."""

    file: str
    line: int
    reason: str
    text: str = ""


@dataclass(frozen=True)
class Setting:
    """An operator's statements about logs: the day of times without a date, and the zone of times without a zone.

    `zones` is by file; "" stands for all other files. `written` is the modification time of each file, in the machine's
    zone and in UTC.
    """

    day: date | None = None
    zones: Mapping[str, tzinfo] = field(default_factory=dict)
    written: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    in_folders: frozenset[str] = frozenset()
    """Files that were found in a folder and not named: if one cannot be read to its end, the part that can be read
    counts."""

    def zone(self, name: str) -> tzinfo | None:
        """The zone of a file; None if no zone is stated."""
        return self.zones.get(name, self.zones.get(""))


NOTHING_SAID = Setting()


@dataclass
class Log:
    """The result of reading: the number of lines, their statements, and the lines put aside, counted by reason with
    samples."""

    lines: int = 0
    heard: list[Heard] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    samples: list[Aside] = field(default_factory=list)
    quoted: list[Heard] = field(default_factory=list)
    """The statements of lines that were put aside because other text stands in front of the broker's message."""
    brokers: set[str] = field(default_factory=set)
    beginning: list[str] = field(default_factory=list)
    """The lines at the beginning of each file that are searched for the names of products."""
    asked: str = ""
    """The address of the broker that was asked in place of a log; `lines` is then the number of its destinations."""
    note: str = ""
    """Facts that the asked broker cannot tell."""
    in_order: bool = True
    """Whether lines of several files could be put in the order of their times."""
    left_out: list[str] = field(default_factory=list)
    """One sentence for each file in a folder that could not be read, or not to its end."""
    troubles: dict[str, str] = field(default_factory=dict)
    """Other troubles that lines tell, each with the file and line of the last one."""
    spans: dict[str, tuple[Stamp, Stamp] | None] = field(default_factory=dict)
    """By file, the first and the last time among its lines; None if it has none."""

    @cached_property
    def names(self) -> set[str]:
        """The products named anywhere in the text; a quotation counts only for one of these."""
        return names(self.beginning)
