"""Reads splits of logs: none of their lines is dropped silently."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.findings.reports import Account
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, readable
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.blocks import EVERYTHING, LONGEST_RECORD, SIZE, Block, blocks, opened, pieces
from tidegate.pipeline.read.fast import read_lines
from tidegate.pipeline.read.split import Split, SplitsRead
from tidegate.pipeline.read.tables import (
    EVENT_SCHEMA,
    INPUT,
    LINE,
    NUMBER,
    OFFSET,
    Quarantined,
    event_rows,
    quarantine_table,
)
from tidegate.record.events import Event

OFFSET_BITS = 40
"""`seq` of an event of a log: the ordinal of its file, and in OFFSET_BITS lower bits the line's offset plus 1."""
MOST_SHOWN = 10_000
"""The most characters that are kept of a line that is put aside."""
TORN = Unparsed("expected a whole packed file; this one is cut off or damaged from here on")
REPEATED = Unparsed("expected each line once; this one is there already, before lines of another time")
NO_BLOCK = Unparsed(f"expected a line of at most {LONGEST_RECORD >> 20} MiB")


class Marked(NamedTuple):
    """A line with a mark: its number in its block from 0, the byte at which it begins, its text, and the result of
    reading it.

    `seq` is the number of its event, if it makes one.
    """

    line: int
    offset: int
    seq: int
    text: str
    what: Event | Unparsed | None


def marked(
    block: Block, lines: Iterable[Sequence[int]], reader: CarefulReader, source: str, ordinal: int, record: str = ""
) -> Iterator[Marked]:
    """The results for these lines of a block, each by itself; `record` is the first line of the record that the block
    continues.

    A line is its number from 0, its begin in the text, and its end.
    """
    form = reader.form
    for line, begin, end in lines:
        offset, text, first = block.offset + begin, block.line(begin, end), None
        if form.below_first:
            # in these logs only the first line of a record has the time
            found = block.record_at(end, form.begins)
            first = record if found is None else found
        seq = seq_of(ordinal, offset)
        yield Marked(line, offset, seq, text, reader.read(text, source, seq, first))


def seq_of(ordinal: int, offset: int) -> int:
    """The number of a line's event, from the ordinal of its file in the stream and the byte at which it begins."""
    return (ordinal << OFFSET_BITS) + offset + 1


def offset_of(seq: int) -> int:
    """The byte at which the line of the event with this number begins."""
    return (seq & (1 << OFFSET_BITS) - 1) - 1


def read_logs(splits: Sequence[Split], *, size: int = SIZE) -> SplitsRead:
    """The events, and the lines put aside, of splits of logs that are read alike.

    Raises OSError where a file can no longer be read.
    """
    log = splits[0].input
    reader = CarefulReader(LOG_FORMS[log.form], zone_of(log.zone))
    lines, ignored = [0] * len(splits), [0] * len(splits)
    events: list[pl.DataFrame] = [event_rows([]).with_columns(pl.lit(0, pl.UInt32).alias(NUMBER))]
    put_aside: list[tuple[int, Quarantined]] = []
    for held in _pieces(splits, reader, size):
        told, aside, without_event = _read_pieces(splits, reader, held)
        events.append(told)
        put_aside += aside
        for piece, passed in zip(held, without_event, strict=True):
            lines[piece.number] += piece.lines
            ignored[piece.number] += passed
    found, again = _without_repeats(pl.concat(events))
    put_aside += ((number, _repeat(splits[number], line, offset)) for number, line, offset in again)
    put_aside.sort(key=lambda each: (each[0], each[1].line))
    quarantined = quarantine_table([row for _, row in put_aside]).with_columns(
        pl.Series(NUMBER, [number for number, _ in put_aside], pl.UInt32)
    )
    steps = (pl.col("time").diff() < 0).sum()
    of_splits = {number: each for number, *each in found.group_by(NUMBER).agg(pl.len(), steps).iter_rows()}
    counted = Counter(number for number, _ in put_aside)
    counts = [of_splits.get(number, (0, 0)) for number in range(len(splits))]
    accounts = (
        Account(lines[number], count, ignored[number], counted[number]) for number, (count, _) in enumerate(counts)
    )
    return SplitsRead(found, quarantined, tuple(accounts), tuple(back for _, back in counts))


def _without_repeats(events: pl.DataFrame) -> tuple[pl.DataFrame, list[tuple[int, int, int]]]:
    """The events without those of lines that were written again: the numbers of their splits and lines, and their
    offsets.

    Such a line says the same as an earlier one, at the same time, although a line of another time stands between the
    two: a program that collects the log has sent some of its lines twice.
    """
    if not (events["time"].diff() < 0).any():
        return events, []
    runs = events.with_columns(run=pl.struct(NUMBER, "time").rle_id())
    back = runs.filter(pl.col("run").n_unique().over(NUMBER, "time") > 1)
    said = [name for name in events.columns if name not in (LINE, "seq")]
    again = back.filter(pl.col("run") > pl.col("run").first().over(said))
    rest = events.join(again, on=[NUMBER, LINE], how="anti", maintain_order="left")
    return rest, [(number, line, offset_of(seq)) for number, line, seq in again.select(NUMBER, LINE, "seq").iter_rows()]


def _repeat(split: Split, line: int, offset: int) -> Quarantined:
    """A line that was written again, to be put aside."""
    log = split.input
    with opened(place_of(log.path), log.packed) as (file, packed):
        if packed:
            for _ in pieces(file, offset, SIZE):
                pass
        else:
            file.seek(offset)
        text = decoded(file.readline(MOST_SHOWN))
    return _put_aside(log.name, line, offset, REPEATED, text)


class _Piece(NamedTuple):
    """Some lines of the split with this number among those read together; `before` lines of the split precede them."""

    number: int
    block: Block
    before: int
    ended: int
    """How many lines the text has."""
    torn: bytes = b""
    """The torn end of a packed file that is damaged after the block."""

    @property
    def lines(self) -> int:
        """How many lines the piece has; the last one may have no end."""
        if self.block.too_long:
            return 1
        return self.ended + self.block.damaged


def _pieces(splits: Sequence[Split], reader: CarefulReader, size: int) -> Iterator[list[_Piece]]:
    """All lines of the splits, up to SIZE bytes at a time."""
    held: list[_Piece] = []
    held_bytes = 0
    for number, split in enumerate(splits):
        before, log = 0, split.input
        with opened(place_of(log.path), log.packed) as (file, _):
            if not log.packed:
                file.seek(split.start)
            for block in blocks(file, split.start, EVERYTHING if log.packed else split.end, reader.form.begins, size):
                if held and held_bytes + len(block.text) > SIZE:
                    yield held
                    held, held_bytes = [], 0
                whole = block.text.rfind(b"\n") + 1 if block.damaged else len(block.text)
                text = block.text[:whole]
                ended = text.count(b"\n") + int(bool(text) and not text.endswith(b"\n"))
                held.append(_Piece(number, block._replace(text=text), before, ended, block.text[whole:]))
                before += held[-1].lines
                held_bytes += len(block.text)
    if held:
        yield held


def _read_pieces(
    splits: Sequence[Split], reader: CarefulReader, pieces: Sequence[_Piece]
) -> tuple[pl.DataFrame, list[tuple[int, Quarantined]], list[int]]:
    """The events, the lines put aside with the numbers of their splits, and the number of ignored lines of each piece.

    Each line counts in one of the three.
    """
    columns, passed, left = _read_fast(splits, reader, pieces)
    rows: list[tuple[str, int, Event]] = []
    numbers: list[int] = []
    put_aside: list[tuple[int, Quarantined]] = []
    for place, (piece, marks) in enumerate(zip(pieces, left, strict=True)):
        number, block, before, *_ = piece
        split = splits[number]
        name = split.input.name
        if block.too_long:
            put_aside.append((number, _put_aside(name, before + 1, block.offset, NO_BLOCK, decoded(block.text))))
            continue
        for each in marked(block, marks, reader, split.input.stream, split.input.ordinal):
            line = before + each.line + 1
            if isinstance(each.what, Event):
                rows.append((name, line, each.what))
                numbers.append(number)
            elif each.what is None:
                passed[place] += 1
            else:
                put_aside.append((number, _put_aside(name, line, each.offset, each.what, each.text)))
        if block.damaged:
            end, torn = block.offset + len(block.text), decoded(piece.torn[:MOST_SHOWN])
            put_aside.append((number, _put_aside(name, before + piece.lines, end, TORN, torn)))
    events = event_rows(rows).with_columns(pl.Series(NUMBER, numbers, pl.UInt32))
    return pl.concat([columns, events]).sort(NUMBER, LINE), put_aside, passed


def _read_fast(
    splits: Sequence[Split], reader: CarefulReader, pieces: Sequence[_Piece]
) -> tuple[pl.DataFrame, list[int], list[list[Sequence[int]]]]:
    """Read all pieces as one text, in which each piece begins with a line.

    The result is events, and by piece how many lines have no mark, and the lines that are left, as `marked` takes them.
    """
    texts = [b"" if piece.block.too_long else piece.block.text for piece in pieces]
    if len(texts) > 1:
        texts = [text if not text or text.endswith(b"\n") else text + b"\n" for text in texts]
    begins = [0, *accumulate(map(len, texts))]
    read = read_lines(b"".join(texts), reader)
    # the last line may have no end
    first_lines = read.ends.search_sorted(pl.Series([*begins[:-1], begins[-1] + 1], dtype=pl.Int64), "left").to_list()
    whose = pl.DataFrame(
        {
            NUMBER: [piece.number for piece in pieces],
            INPUT: [splits[piece.number].input.name for piece in pieces],
            "source": [splits[piece.number].input.stream for piece in pieces],
            "more lines": [piece.before + 1 - first for piece, first in zip(pieces, first_lines, strict=False)],
            "seq": [
                seq_of(splits[piece.number].input.ordinal, piece.block.offset) - begin
                for piece, begin in zip(pieces, begins, strict=False)
            ],
        },
        {NUMBER: pl.UInt32, INPUT: pl.Categorical, "source": pl.Categorical, "more lines": pl.Int64, "seq": pl.Int64},
    )
    place = pl.Series(begins[1:-1], dtype=pl.Int64).search_sorted(read.columns[OFFSET], "right")
    told = pl.concat([read.columns, whose[place]], how="horizontal").with_columns(
        pl.col(LINE) + pl.col("more lines"), pl.col("seq") + pl.col(OFFSET)
    )
    columns = told.select(
        *((pl.col(name) if name in told.columns else pl.lit(None)).cast(kind).alias(name)
          for name, kind in EVENT_SCHEMA.items()), NUMBER,
    )  # fmt: skip
    left: list[list[Sequence[int]]] = [[] for _ in pieces]
    for line, begin, end in read.left:
        at = bisect_right(begins, begin, hi=len(pieces)) - 1
        left[at].append((line - first_lines[at], begin - begins[at], end - begins[at]))
    found = Counter(place.to_list())
    counts = (after - first for first, after in pairwise(first_lines))
    return columns, [count - found[at] - len(left[at]) for at, count in enumerate(counts)], left


def _put_aside(name: str, line: int, offset: int, problem: Unparsed, text: str) -> Quarantined:
    shown = readable(text[:MOST_SHOWN]).rstrip()
    return Quarantined(name, line, offset, problem.field, problem.expected, shown)
