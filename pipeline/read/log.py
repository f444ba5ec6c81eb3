"""Reads a split of a log: none of its lines is dropped silently."""

from collections.abc import Iterable, Sequence

import polars as pl

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, marked_lines, readable
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.blocks import LONGEST_RECORD, SIZE, Block, blocks
from tidegate.pipeline.read.split import Split, SplitRead
from tidegate.pipeline.read.tables import (
    EVENT_SCHEMA,
    INPUT,
    LINE,
    OFFSET,
    ReadBlock,
    Row,
    event_table,
    event_tables,
    quarantine_row,
    quarantine_table,
)
from tidegate.record.events import Event

OFFSET_BITS = 40
"""`seq` of a log is the ordinal of its file in the stream, and in so many lower bits the offset of the line, plus 1."""
BYTE_ORDER_MARK = "\ufeff"
MOST_SHOWN = 10_000
"""Characters that are kept of a line that is put aside."""
FAST_FROM = 4 << 20
"""Bytes of a block from which on the fast reader pays: what it needs takes a quarter of a second to be loaded."""
TORN = Unparsed("expected a whole packed file; this one is cut off or damaged from here on")
NO_BLOCK = Unparsed(f"expected a line of at most {LONGEST_RECORD >> 20} MiB")


def read_log(split: Split, *, fast_from: int = FAST_FROM, size: int = SIZE) -> SplitRead:
    """The events and the lines put aside of a split of a log.

    Blocks of `fast_from` bytes or more are read by the fast reader, which changes nothing else. Raises OSError where
    the file cannot be read any more.
    """
    form = LOG_FORMS[split.input.form]
    reader = CarefulReader(form, zone_of(split.input.zone), split.input.grouping or None)
    found, lines = [], 0
    for block in blocks(split, form.begins, size):
        found.append(_BlockOfLog(split, reader, block, lines).read(fast=len(block.text) >= fast_from))
        lines += found[-1].lines
    events = event_tables([each.events for each in found])
    quarantined = [row for each in found for row in each.quarantined]
    ignored = sum(each.ignored for each in found)
    steps = int((events["time"].diff() < 0).sum())
    return SplitRead(events, quarantine_table(quarantined), lines, ignored, steps)


class _BlockOfLog:
    """The lines of one block."""

    def __init__(self, split: Split, reader: CarefulReader, block: Block, lines_before: int):
        self._split, self._reader, self._offset, self._before = split, reader, block.offset, lines_before
        self._name, self._too_long = split.input.name, block.too_long
        whole = block.text.rfind(b"\n") + 1 if block.damaged else len(block.text)
        self._text, self._torn = block.text[:whole], block.text[whole:] if block.damaged else None

    def read(self, *, fast: bool) -> ReadBlock:
        """Every line once: as an event, as one put aside, or not at all."""
        if self._too_long:
            shown = readable(decoded(self._text))
            row = quarantine_row(self._name, self._before + 1, self._offset, NO_BLOCK, shown)
            return ReadBlock(event_tables([]), [row], 1, 0)
        # the last line may have no end
        last = int(bool(self._text) and not self._text.endswith(b"\n"))
        lines = self._text.count(b"\n") + last
        tables: list[pl.DataFrame] = []
        if fast:
            passed, tables, left = self._fast()
        else:
            passed, left = lines - last, marked_lines(self._reader.form, self._text)
        marked = list(left)
        events, quarantined, ignored = self._with_care(marked)
        # whoever went through the lines passed by those without a mark
        ignored += passed + last - len(marked) - sum(table.height for table in tables)
        if events:
            tables.append(event_table(self._name, events))
        together = event_tables(tables)
        if len(tables) > 1:
            together = together.sort(LINE)
        if self._torn is not None:
            lines += 1
            place = self._before + lines, self._offset + len(self._text)
            shown = readable(decoded(self._torn[:MOST_SHOWN]))
            quarantined.append(quarantine_row(self._name, *place, TORN, shown))
        return ReadBlock(together, quarantined, lines, ignored)

    def _fast(self) -> tuple[int, list[pl.DataFrame], Iterable[Sequence[int]]]:
        """How many lines end, the events of those that are as they should be, and the other lines that have a mark."""
        # imported here, for a small log is read without numpy
        from tidegate.pipeline.read.fast import read_lines

        read = read_lines(self._text, self._reader)
        return read.lines, [self._table(read.columns)] if read.columns.height else [], read.left

    def _with_care(self, lines: Iterable[Sequence[int]]) -> tuple[list[tuple[int, Event]], list[Row], int]:
        """The events and the lines put aside of these, and how many others they are."""
        ignored = 0
        events: list[tuple[int, Event]] = []
        quarantined: list[Row] = []
        for line, begin, end in lines:
            text, offset, number = self._line(begin, end), self._offset + begin, self._before + line + 1
            said = self._reader.read(text, self._split.stream, self._seq(offset), self._first_of_record(begin, end))
            if isinstance(said, Event):
                events.append((number, said))
            elif said is None:
                ignored += 1
            else:
                shown = readable(text[:MOST_SHOWN]).rstrip()
                quarantined.append(quarantine_row(self._name, number, offset, said, shown))
        return events, quarantined, ignored

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

    def _table(self, read: pl.DataFrame) -> pl.DataFrame:
        known = {
            **{name: pl.col(name) for name in read.columns},
            INPUT: pl.lit(self._name),
            LINE: pl.col(LINE) + self._before + 1,
            "source": pl.lit(self._split.stream),
            "seq": pl.col(OFFSET) + self._seq(self._offset),
        }
        return read.select(known.get(name, pl.lit(None)).cast(kind).alias(name) for name, kind in EVENT_SCHEMA.items())
