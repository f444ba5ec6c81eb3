"""Reads the lines that came to a log, piece by piece: only lines with a mark are looked at one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import BinaryIO, NamedTuple

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, marked_lines
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.read.blocks import LONGEST_RECORD
from tidegate.pipeline.read.log import BYTE_ORDER_MARK, NO_BLOCK, OFFSET_BITS
from tidegate.record.events import Event

PIECE = 1 << 20
"""Bytes that are held at once, and the rest of the line in which they end."""


class Piece(NamedTuple):
    """Whole lines: the byte of the file at which they begin, and their bytes; `too_long` is a line that is not held."""

    offset: int
    text: bytes
    too_long: bool = False

    @property
    def end(self) -> int:
        """The byte of the file behind the lines."""
        return self.offset + len(self.text)


def pieces(file: BinaryIO, start: int, end: int, size: int = PIECE) -> Iterator[Piece]:
    """The lines of a file from `start` to `end`, where lines begin and end, as far as they are still there."""
    offset = file.seek(start)
    while offset < end:
        text = file.read(min(size, end - offset))
        if not text:
            return
        if not text.endswith(b"\n"):
            text += file.readline(min(LONGEST_RECORD, end - offset - len(text)))
        too_long = len(text) > LONGEST_RECORD
        while too_long and not text.endswith(b"\n") and (more := file.readline(LONGEST_RECORD)):
            offset, text = offset + len(text), more
        yield Piece(offset, text, too_long)
        offset += len(text)


class Said(NamedTuple):
    """What a line with a mark is: its number from 1, the number that its event has or would have, and the event."""

    number: int
    seq: int
    what: Event | Unparsed


@dataclass
class Lines:
    """What some lines are: those that are events or put aside, in their order, and how many there are altogether.

    `last_ms` is the time of the last of them that states one, in ms since the epoch; None where none does.
    """

    said: list[Said] = field(default_factory=list)
    count: int = 0
    last_ms: int | None = None

    @property
    def events(self) -> list[tuple[int, Event]]:
        """The events, with the numbers of their lines."""
        return [(each.number, each.what) for each in self.said if isinstance(each.what, Event)]

    @property
    def put_aside(self) -> list[tuple[int, Unparsed]]:
        """The lines put aside, with their numbers."""
        return [(each.number, each.what) for each in self.said if isinstance(each.what, Unparsed)]


class LineReader:
    """Reads the pieces of one log in their order. `source` is whose its events are."""

    def __init__(self, form: str, source: str, record: str = ""):
        self._form, self._source = LOG_FORMS[form], source
        self._reader = CarefulReader(self._form)
        self.record = record
        """The line that began the record in which the last piece ended; empty where lines were lost since."""

    def read(self, piece: Piece, ordinal: int) -> Lines:
        """Every line of a piece once. `ordinal` is the number of its file among those that were the log."""
        if piece.too_long:
            return Lines([Said(1, (ordinal << OFFSET_BITS) + piece.offset + 1, NO_BLOCK)], 1)
        text, found = piece.text, Lines(count=piece.text.count(b"\n") + (not piece.text.endswith(b"\n")))
        for number, begin, end in marked_lines(self._form, text):
            line = _line(piece, begin, end)
            seq = (ordinal << OFFSET_BITS) + piece.offset + begin + 1
            said = self._reader.read(line, self._source, seq, self._first_of_record(piece, begin, end))
            if said is not None:
                found.said.append(Said(number + 1, seq, said))
                found.last_ms = said.time if isinstance(said, Event) else found.last_ms
        last = self._last_of(piece, len(text) - text.endswith(b"\n"))
        if last is not None:
            self.record = last
            time = self._form.time(last, UTC)
            found.last_ms = time if isinstance(time, int) else found.last_ms
        return found

    def _first_of_record(self, piece: Piece, begin: int, end: int) -> str | None:
        """The first line of the record that a line belongs to, where that alone tells the time and is another one."""
        if not self._form.below_first or self._form.begins.match(_line(piece, begin, end)):
            return None
        last = self._last_of(piece, begin - 1)
        return self.record if last is None else last

    def _last_of(self, piece: Piece, end: int) -> str | None:
        """The last line before `end` that begins a record; None where the piece has none."""
        while end >= 0:
            begin = piece.text.rfind(b"\n", 0, end) + 1
            line = _line(piece, begin, end)
            if self._form.begins.match(line):
                return line
            end = begin - 1
        return None


def _line(piece: Piece, begin: int, end: int) -> str:
    text = decoded(piece.text[begin:end])
    return text.removeprefix(BYTE_ORDER_MARK) if piece.offset + begin == 0 else text
