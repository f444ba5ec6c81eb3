"""Reads a split of a log: none of its lines is dropped silently."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from headgate.pipeline.ingest.blocks import SIZE, Block, blocks
from headgate.pipeline.ingest.careful import CarefulReader, decoded, marked_lines, readable
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.pipeline.ingest.line_form import SEPARATORS, Unparsed
from headgate.pipeline.ingest.lines import (
    EVENT_SCHEMA,
    Found,
    Read,
    Row,
    event_table,
    quarantine_row,
    quarantine_table,
)
from headgate.pipeline.ingest.log_form import LogForm
from headgate.pipeline.ingest.loops.patterns import BEGIN, END, LINE, USUAL_SEPARATOR, Table
from headgate.pipeline.ingest.split import Split, SplitRead
from headgate.pipeline.ingest.times import STAMPED, iso_time
from headgate.pipeline.ingest.zones import zone_of
from headgate.pipeline.schema import INPUT
from headgate.pipeline.schema import LINE as LINE_COLUMN
from headgate.record.events import Event

OFFSET_BITS = 40
"""`seq` of a log is the ordinal of its file in the stream, and in so many lower bits the offset of the line, plus 1."""
BYTE_ORDER_MARK = "\ufeff"
TORN = Unparsed("expected a whole gzip file; this one is cut off or damaged from here on")
GROUPS = re.compile(rf"(?<=\d)[{SEPARATORS}](?=\d{{3}}(?!\d))", re.ASCII)
FIRST_LINES = 20
"""Lines with a mark that are looked at for what groups figures in a block."""


def read_log(split: Split, *, fast: bool = True, size: int = SIZE) -> SplitRead:
    """The events and the lines put aside of a split of a log.

    With `fast`, loops are compiled for it, or taken from a cache; that is faster for a large split, and changes nothing
    else. Raises OSError where the file cannot be read any more.
    """
    form = LOG_FORMS[split.input.form]
    reader = CarefulReader(form, zone_of(split.input.zone), split.input.grouping or None)
    found, lines = [], 0
    for block in blocks(split, form.begins, size):
        found.append(_BlockOfLog(split, reader, block, lines).read(fast=fast and _may_be_fast(form)))
        lines += found[-1].lines
    events = pa.concat_tables([EVENT_SCHEMA.empty_table(), *(each.events for each in found)])
    quarantined = [row for each in found for row in each.quarantined]
    ignored = lines - events.num_rows - len(quarantined)
    steps = int((np.diff(events["time"].to_numpy()) < 0).sum())
    return SplitRead(events, quarantine_table(quarantined), lines, ignored, steps)


def _may_be_fast(form: LogForm) -> bool:
    return form.begins is STAMPED and form.time is iso_time and not form.below_first


class _BlockOfLog:
    """The lines of one block."""

    def __init__(self, split: Split, reader: CarefulReader, block: Block, lines_before: int):
        self._split, self._reader, self._offset, self._before = split, reader, block.offset, lines_before
        whole = block.text.rfind(b"\n") + 1 if block.damaged else len(block.text)
        self._text, self._torn = block.text[:whole], block.text[whole:] if block.damaged else None

    def read(self, *, fast: bool) -> Found:
        """Every line once: as an event, as one put aside, or not at all."""
        if fast:
            lines, tables, left = self._fast()
        else:
            lines, tables, left = self._text.count(b"\n"), [], marked_lines(self._reader.form, self._text)
        # the last line may have no end
        lines += bool(self._text) and not self._text.endswith(b"\n")
        events, quarantined = self._with_care(left)
        if events:
            tables.append(event_table(self._split.input.name, events))
        together = pa.concat_tables([EVENT_SCHEMA.empty_table(), *tables])
        if len(tables) > 1:
            together = together.sort_by(LINE_COLUMN)
        if self._torn is not None:
            lines += 1
            place = self._before + lines, self._offset + len(self._text)
            quarantined.append(quarantine_row(self._split.input.name, *place, TORN, readable(decoded(self._torn))))
        return Found(together, quarantined, lines)

    def _fast(self) -> tuple[int, list[pa.Table], Iterable[Sequence[int]]]:
        """How many lines end, the events of those that are as they should be, and the other lines that have a mark."""
        from headgate.pipeline.ingest.fast import marked_lines, read_lines

        lines, marked = marked_lines(self._text, self._reader.form)
        separator = self._reader.separator or self._likely_separator(marked)
        read = read_lines(self._text, marked, self._reader, separator, is_text=_is_text(self._text))
        left = np.delete(marked, read.rows, axis=0)[:, [LINE, BEGIN, END]].tolist()
        return lines, [self._table(marked[read.rows], read)] if len(read.rows) else [], left

    def _likely_separator(self, marked: Table) -> str:
        """What groups figures in the first lines with a mark; a guess, on which only speed depends."""
        lines = (self._line(begin, end) for begin, end in marked[:FIRST_LINES, [BEGIN, END]].tolist())
        seen = Counter(found for line in lines for found in GROUPS.findall(line))
        return seen.most_common(1)[0][0] if seen else USUAL_SEPARATOR

    def _with_care(self, lines: Iterable[Sequence[int]]) -> tuple[list[tuple[int, Event]], list[Row]]:
        events: list[tuple[int, Event]] = []
        quarantined: list[Row] = []
        for line, begin, end in lines:
            text, offset, number = self._line(begin, end), self._offset + begin, self._before + line + 1
            said = self._reader.read(text, self._split.stream, self._seq(offset), self._first_of_record(begin, end))
            if isinstance(said, Event):
                events.append((number, said))
            elif said is not None:
                shown = readable(text).rstrip()
                quarantined.append(quarantine_row(self._split.input.name, number, offset, said, shown))
        return events, quarantined

    def _first_of_record(self, begin: int, end: int) -> str | None:
        """The first line of the record that a line belongs to, where logs tell the time only there."""
        form = self._reader.form
        if not form.below_first:
            return None
        while begin > 0 and not form.begins.match(self._line(begin, end)):
            begin, end = self._text.rfind(b"\n", 0, begin - 1) + 1, begin - 1
        return self._line(begin, end)

    def _line(self, begin: int, end: int) -> str:
        text = decoded(self._text[begin:end])
        return text.removeprefix(BYTE_ORDER_MARK) if self._offset + begin == 0 else text

    def _seq(self, offset: int) -> int:
        return (self._split.input.ordinal << OFFSET_BITS) + offset + 1

    def _table(self, marked: Table, read: Read) -> pa.Table:
        count = len(marked)
        columns = {
            **read.columns,
            INPUT: pa.repeat(self._split.input.name, count),
            LINE_COLUMN: pa.array(marked[:, LINE] + self._before + 1),
            "source": pa.repeat(self._split.stream, count),
            "seq": pa.array(marked[:, BEGIN] + self._seq(self._offset)),
            "time": pa.array(read.times),
        }
        arrays = [columns[part.name] if part.name in columns else pa.nulls(count, part.type) for part in EVENT_SCHEMA]
        return pa.Table.from_arrays(arrays, schema=EVENT_SCHEMA)


def _is_text(text: bytes) -> bool:
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False
