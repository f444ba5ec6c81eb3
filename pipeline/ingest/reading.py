"""Cuts files into splits, and reads each of them by itself."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from headgate.pipeline.ingest.careful import CarefulReader
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.pipeline.ingest.inputs import Form, Input
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.rows import (
    COUNT_COLUMNS,
    QUARANTINE_COLUMNS,
    ROW_COLUMNS,
    Row,
    count_row,
    event_row,
    quarantine_row,
)
from headgate.pipeline.ingest.split import Split, SplitRead
from headgate.pipeline.ingest.trace import read_trace_rows
from headgate.pipeline.schema import EVENT_COLUMNS, LINE, arrow_schema
from headgate.record.errors import BadInput


def stream_of(file: Input) -> str:
    """The ordered row of splits to which the file belongs."""
    return file.name if file.form is Form.TRACE else file.host or file.name


def grows(file: Input) -> bool:
    """Whether what is appended to such a file can be read apart from what stands before it."""
    return file.form is not Form.TRACE


def begins_record(file: Input, offset: int) -> bool:
    """Whether a record of the log begins at this byte, which stands after at least one other."""
    with Path(file.path).open("rb") as log:
        log.seek(offset - 1)
        return log.read(1) == b"\n"


def ranges(file: Input, start: int, size: int, most_bytes: int) -> tuple[tuple[int, int], ...]:
    """The ranges of bytes in which the file is read from `start`, where a record begins, up to `size`."""
    return ((start, size),)


def read_split(split: Split) -> SplitRead:
    """What the split holds. Raises BadInput for a trace with anything wrong in it."""
    rows = list(read_trace_rows(split.input) if split.input.form is Form.TRACE else _log_rows(split))
    events = [row for row in rows if row[ROW_COLUMNS.index("seq")] is not None]
    put_aside = [row for row in rows if row[ROW_COLUMNS.index("expected")] is not None]
    if split.input.form is Form.TRACE and put_aside:
        wrong = dict(zip(ROW_COLUMNS, put_aside[0], strict=True))
        raise BadInput(wrong["expected"], file=split.input.name, line=wrong[LINE], field=wrong["field"])
    lines, ignored = (rows[-1][ROW_COLUMNS.index(name)] for name in COUNT_COLUMNS)
    return SplitRead(_table(events, EVENT_COLUMNS), _table(put_aside, QUARANTINE_COLUMNS), lines, ignored)


def _log_rows(split: Split) -> Iterator[Row]:
    reader, name = CarefulReader(LOG_FORMS[split.input.form]), split.input.name
    number = ignored = 0
    for number, (line, offset) in enumerate(_lines(split), start=1):
        said = reader.read(line, stream_of(split.input), (split.input.ordinal << 40) | (offset + 1))
        if said is None:
            ignored += 1
            continue
        text = line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        if text != line:
            said = Unparsed("expected UTF-8 text")
        if isinstance(said, Unparsed):
            yield quarantine_row(name, number, said, text.rstrip())
        else:
            yield event_row(name, number, said)
    yield count_row(name, number, ignored)


def _lines(split: Split) -> Iterator[tuple[str, int]]:
    with Path(split.input.path).open("rb") as file:
        file.seek(split.start)
        offset = split.start
        while offset < split.end and (line := file.readline(split.end - offset)):
            yield line.decode("utf-8", "surrogateescape"), offset
            offset += len(line)


def _table(rows: Iterable[Row], names: Sequence[str]) -> pa.Table:
    places = [ROW_COLUMNS.index(name) for name in names]
    picked: list[list[Any]] = [[row[place] for row in rows] for place in places] if rows else [[] for _ in places]
    schema = arrow_schema(*names)
    return pa.Table.from_arrays(
        [pa.array(each, part.type) for each, part in zip(picked, schema, strict=True)], schema=schema
    )
