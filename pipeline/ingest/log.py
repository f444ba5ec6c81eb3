"""Reads a split of a log: none of its lines is dropped silently."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from headgate.pipeline.ingest.blocks import SIZE, Block, blocks
from headgate.pipeline.ingest.careful import CarefulReader, decoded, readable
from headgate.pipeline.ingest.fast import Bytes, Marks, fast_statements, marks_in
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.pipeline.ingest.line_form import SEPARATORS, Unparsed
from headgate.pipeline.ingest.lines import (
    POLARS_SCHEMA,
    Found,
    Row,
    event_frame,
    event_table,
    quarantine_row,
    quarantine_table,
)
from headgate.pipeline.ingest.log_form import LogForm
from headgate.pipeline.ingest.split import Split, SplitRead
from headgate.pipeline.ingest.stamps import Numbers, stamps
from headgate.pipeline.ingest.times import STAMPED, iso_time
from headgate.pipeline.ingest.zones import zone_of
from headgate.pipeline.schema import INPUT, LINE
from headgate.record.events import Event

OFFSET_BITS = 40
"""`seq` of a log is the ordinal of its file in the stream, and in so many lower bits the offset of the line, plus 1."""
BYTE_ORDER_MARK = "\ufeff"
TORN = Unparsed("expected a whole gzip file; this one is cut off or damaged from here on")
GROUPS = re.compile(rf"(?<=\d)[{SEPARATORS}](?=\d{{3}}(?!\d))")
FIRST_ODD = 128
"""The first byte that is not ASCII."""
FIRST_LINES = 20
"""Marks whose lines are looked at for what groups figures in a block."""


def read_log(split: Split, *, fast: bool = True, size: int = SIZE) -> SplitRead:
    """The events and the lines put aside of a split of a log. `fast` is faster, and changes nothing else.

    Raises OSError where the file cannot be read any more.
    """
    form = LOG_FORMS[split.input.form]
    reader = CarefulReader(form, zone_of(split.input.zone), split.input.grouping or None)
    found, lines = [], 0
    for block in blocks(split, form.begins, size):
        found.append(BlockOfLog(split, reader, block, lines).read(fast=fast and _may_be_fast(form)))
        lines += found[-1].lines
    events = pl.concat([each.events for each in found]) if found else event_frame("", [])
    quarantined = [row for each in found for row in each.quarantined]
    ignored = lines - len(events) - len(quarantined)
    steps = int((events["time"].diff() < 0).sum())
    return SplitRead(event_table(events), quarantine_table(quarantined), lines, ignored, steps)


def _may_be_fast(form: LogForm) -> bool:
    return form.begins is STAMPED and form.time is iso_time and not form.below_first


@dataclass(frozen=True)
class Placed:
    """Lines of a block by their number within it: their events' fields, and when they were written."""

    lines: Numbers
    times: Numbers
    columns: Mapping[str, pl.Series]


class BlockOfLog:
    """The lines of one block, and which of them carry a mark."""

    def __init__(self, split: Split, reader: CarefulReader, block: Block, lines_before: int):
        self._split, self._reader, self._offset, self._before = split, reader, block.offset, lines_before
        whole = block.text.rfind(b"\n") + 1 if block.damaged else len(block.text)
        self._text, self._torn = block.text[:whole], block.text[whole:] if block.damaged else None
        self._bytes: Bytes = np.frombuffer(self._text, np.uint8)
        ends = np.flatnonzero(self._bytes == ord("\n"))
        if self._text and not self._text.endswith(b"\n"):
            ends = np.append(ends, len(self._text))
        self._ends = ends
        self._starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1]) if len(ends) else ends
        self._plain, odd = _plain(self._text, self._bytes)
        self._marks = marks_in(self._plain, ends, reader.form.marks)
        self._odd = np.searchsorted(ends, odd)

    def read(self, *, fast: bool) -> Found:
        """Every line once: as an event, as one put aside, or not at all."""
        left = np.zeros(len(self._ends), np.bool_)
        left[self._marks.lines] = True
        placed = list(self._by_columns()) if fast and left.any() else []
        for each in placed:
            left[each.lines] = False
        events, quarantined = self._with_care(np.flatnonzero(left))
        frames = [self._frame(each) for each in placed] + ([events] if len(events) else [])
        together = pl.concat(frames).sort(LINE) if frames else events
        lines = len(self._ends)
        if self._torn is not None:
            lines += 1
            offset = self._offset + len(self._text)
            quarantined.append(
                quarantine_row(
                    self._split.input.name, self._before + lines, offset, TORN, readable(decoded(self._torn))
                )
            )
        return Found(together, quarantined, lines)

    def _by_columns(self) -> Iterator[Placed]:
        """Lines that columns can read: with a usual time in front, and as they should be from their first mark on."""
        marks = self._marks
        first = np.ones(len(marks.lines), np.bool_)
        first[1:] = marks.lines[1:] != marks.lines[:-1]
        left = marks.rows(np.flatnonzero(first & ~np.isin(marks.lines, self._odd)))
        when = stamps(self._bytes, self._starts[left.lines], self._reader.zone)
        left, times = left.rows(np.flatnonzero(when.read)), when.times[when.read]
        for statement in fast_statements(self._reader.form, self._reader.separator or self._likely_separator()):
            mine = self._rows_with(left, statement.statement.mark)
            if not len(mine):
                continue
            lines, at = left.lines[mine], left.at[mine]
            read = statement.read(self._plain, self._starts[lines], at, self._ends[lines])
            if read is None:
                continue
            yield Placed(lines[read.rows], times[mine][read.rows], read.columns)
            rest = np.delete(np.arange(len(left.lines)), mine[read.rows])
            left, times = left.rows(rest), times[rest]

    def _rows_with(self, marks: Marks, mark: str) -> Numbers:
        """Which of the marks are this one; the longest that is there is the one that was found."""
        rows = np.flatnonzero(marks.at + len(mark) <= len(self._bytes))
        # marks differ at their ends more than at their beginnings
        for n, byte in reversed(list(enumerate(mark.encode()))):
            rows = rows[self._bytes[marks.at[rows] + n] == byte]
        return rows

    def _likely_separator(self) -> str:
        """What groups figures in the first lines with a mark; a guess, on which only speed depends."""
        first = self._marks.lines[:FIRST_LINES]
        seen = Counter(found for line in first for found in GROUPS.findall(self._line(line), re.ASCII))
        return seen.most_common(1)[0][0] if seen else ","

    def _with_care(self, lines: Numbers) -> tuple[pl.DataFrame, list[Row]]:
        name = self._split.input.name
        events: list[tuple[int, Event]] = []
        quarantined: list[Row] = []
        for line in map(int, lines):
            text, offset = self._line(line), self._offset + int(self._starts[line])
            said = self._reader.read(text, self._split.stream, self._seq(offset), self._first_of_record(line))
            if isinstance(said, Event):
                events.append((self._before + line + 1, said))
            elif said is not None:
                shown = readable(text).rstrip()
                quarantined.append(quarantine_row(name, self._before + line + 1, offset, said, shown))
        return event_frame(name, events), quarantined

    def _first_of_record(self, line: int) -> str | None:
        """The first line of the record that a line belongs to, where logs tell the time only there."""
        form = self._reader.form
        if not form.below_first:
            return None
        while line > 0 and not form.begins.match(self._line(line)):
            line -= 1
        return self._line(line)

    def _line(self, line: int) -> str:
        text = decoded(self._text[self._starts[line] : self._ends[line]])
        return text.removeprefix(BYTE_ORDER_MARK) if self._offset + self._starts[line] == 0 else text

    def _seq(self, offset: int) -> int:
        return (self._split.input.ordinal << OFFSET_BITS) + offset + 1

    def _frame(self, placed: Placed) -> pl.DataFrame:
        offsets = self._offset + self._starts[placed.lines]
        known = {
            **placed.columns,
            INPUT: pl.lit(self._split.input.name),
            LINE: placed.lines + self._before + 1,
            "source": pl.lit(self._split.stream),
            "seq": offsets + 1 + (self._split.input.ordinal << OFFSET_BITS),
            "time": placed.times,
        }
        columns = [_column(known.get(name)).cast(kind).alias(name) for name, kind in POLARS_SCHEMA.items()]
        return pl.DataFrame({LINE: known[LINE]}).select(columns)


def _column(values: pl.Series | Numbers | pl.Expr | None) -> pl.Expr:
    if values is None or isinstance(values, pl.Expr):
        return pl.lit(None) if values is None else values
    return pl.lit(values if isinstance(values, pl.Series) else pl.Series(values))


def _plain(text: bytes, numbers: Bytes) -> tuple[bytes, Numbers]:
    """The text as UTF-8, and where it had bytes that are not; those are put out of sight if there are any."""
    none = np.zeros(0, np.int64)
    if text.isascii():
        return text, none
    try:
        text.decode()
    except UnicodeDecodeError:
        odd = numbers >= FIRST_ODD
        return np.where(odd, ord("?"), numbers).astype(np.uint8).tobytes(), np.flatnonzero(odd)
    return text, none
