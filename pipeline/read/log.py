"""Reads a split of a log: none of its lines is dropped silently."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, marked_lines, readable
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.blocks import EVERYTHING, LONGEST_RECORD, SIZE, Block, blocks
from tidegate.pipeline.read.opening import unpacked
from tidegate.pipeline.read.split import Split, SplitRead
from tidegate.pipeline.read.tables import (
    EVENT_SCHEMA,
    INPUT,
    LINE,
    OFFSET,
    Quarantined,
    event_table,
    event_tables,
    quarantine_table,
)  # fmt: skip
from tidegate.record.events import Event

OFFSET_BITS = 40
"""`seq` of a log is the ordinal of its file in the stream, and in so many lower bits the offset of the line, plus 1."""
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
    log = split.input
    form = LOG_FORMS[log.form]
    reader = CarefulReader(form, zone_of(log.zone), log.grouping or None)
    found, lines = [], 0
    with unpacked(place_of(log.path), log.packed) as file:
        if not log.packed:
            file.seek(split.start)
        for block in blocks(file, split.start, EVERYTHING if log.packed else split.end, form.begins, size):
            found.append(_read_block(split, reader, block, lines, fast=len(block.text) >= fast_from))
            lines += found[-1].lines
    events = event_tables([each.events for each in found])
    quarantined = pl.concat([quarantine_table([]), *(each.quarantined for each in found)])
    steps = int((events["time"].diff() < 0).sum())
    return SplitRead(events, quarantined, lines, sum(each.ignored for each in found), steps)


class Marked(NamedTuple):
    """A line with a mark: its number in its block from 0, the byte at which it begins, its text, and what it is.

    `seq` is the number that its event has or would have.
    """

    line: int
    offset: int
    seq: int
    text: str
    what: Event | Unparsed | None


def marked(
    block: Block, lines: Iterable[Sequence[int]], reader: CarefulReader, source: str, ordinal: int, record: str = ""
) -> Iterator[Marked]:
    """What these lines of a block are, each by itself; `record` is the first line of the record that it goes on with.

    A line is its number from 0, where it begins in the text, and where it ends.
    """
    form = reader.form
    for line, begin, end in lines:
        offset, text, first = block.offset + begin, block.line(begin, end), None
        if form.below_first:
            # logs tell the time only there
            found = block.record_at(end, form.begins)
            first = record if found is None else found
        seq = seq_of(ordinal, offset)
        yield Marked(line, offset, seq, text, reader.read(text, source, seq, first))


def seq_of(ordinal: int, offset: int) -> int:
    """The number of the event of a line, by its file in the stream and the byte at which it begins."""
    return (ordinal << OFFSET_BITS) + offset + 1


def _read_block(split: Split, reader: CarefulReader, block: Block, before: int, *, fast: bool) -> SplitRead:
    """Every line of a block once: as an event, as one put aside, or not at all; so many lines stand `before` it."""
    name, ordinal = split.input.name, split.input.ordinal
    if block.too_long:
        row = _put_aside(name, before + 1, block.offset, NO_BLOCK, decoded(block.text))
        return SplitRead(event_tables([]), quarantine_table([row]), 1, 0)
    whole = block.text.rfind(b"\n") + 1 if block.damaged else len(block.text)
    torn, block = block.text[whole:], block._replace(text=block.text[:whole])
    # the last line may have no end
    last = int(bool(block.text) and not block.text.endswith(b"\n"))
    lines = block.text.count(b"\n") + last
    tables: list[pl.DataFrame] = []
    if fast:
        # imported here, for a small log is read without numpy
        from tidegate.pipeline.read.fast import read_lines

        read = read_lines(block.text, reader)
        passed, left = read.lines, list(read.left)
        if read.columns.height:
            tables.append(_table(split, read.columns, before, block.offset))
    else:
        passed, left = lines - last, list(marked_lines(reader.form, block.text))
    # whoever went through the lines passed by those without a mark
    ignored = passed + last - len(left) - sum(table.height for table in tables)
    events: list[tuple[int, Event]] = []
    quarantined: list[Quarantined] = []
    for each in marked(block, left, reader, split.stream, ordinal):
        number = before + each.line + 1
        if isinstance(each.what, Event):
            events.append((number, each.what))
        elif each.what is None:
            ignored += 1
        else:
            quarantined.append(_put_aside(name, number, each.offset, each.what, each.text))
    if events:
        tables.append(event_table(name, events))
    together = event_tables(tables)
    if len(tables) > 1:
        together = together.sort(LINE)
    if block.damaged:
        lines += 1
        quarantined.append(_put_aside(name, before + lines, block.offset + whole, TORN, decoded(torn[:MOST_SHOWN])))
    return SplitRead(together, quarantine_table(quarantined), lines, ignored)


def _put_aside(name: str, line: int, offset: int, problem: Unparsed, text: str) -> Quarantined:
    shown = readable(text[:MOST_SHOWN]).rstrip()
    return Quarantined(name, line, offset, problem.field, problem.expected, shown)


def _table(split: Split, read: pl.DataFrame, before: int, offset: int) -> pl.DataFrame:
    """What the fast reader read, as a table of events."""
    known = {
        **{name: pl.col(name) for name in read.columns},
        INPUT: pl.lit(split.input.name),
        LINE: pl.col(LINE) + before + 1,
        "source": pl.lit(split.stream),
        "seq": pl.col(OFFSET) + seq_of(split.input.ordinal, offset),
    }
    return read.select(known.get(name, pl.lit(None)).cast(kind).alias(name) for name, kind in EVENT_SCHEMA.items())
