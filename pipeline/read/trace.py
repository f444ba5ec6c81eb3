"""Reads tidegate's own traces, packed or not, as strictly as `tidegate.record.trace`."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.findings.reports import Account
from tidegate.pipeline.read.opening import Damaged, lines_of, opened
from tidegate.pipeline.read.split import Split, SplitsRead
from tidegate.pipeline.read.tables import NUMBER, event_table, quarantine_table
from tidegate.record.errors import BadInput
from tidegate.record.events import Event
from tidegate.record.trace import events_of

FIRST_EVENT = 2
"""The line of the first event, after the header."""
HEADER_AND_FOOTER = 2
BATCH = 10_000
"""The most events that are held as objects at once."""


def read_trace(split: Split) -> SplitsRead:
    """All events of a trace. Raises BadInput for its first fault, OSError where it cannot be read."""
    name = split.input.name
    with opened(place_of(split.input.path), split.input.packed) as (file, _):
        rising = _rising(events_of(lines_of(file), Path(name)))
        tables = [event_table(name, [])]
        try:
            while batch := list(islice(rising, BATCH)):
                tables.append(event_table(name, batch))
        except BadInput as error:
            raise BadInput(error.expected, file=name, line=error.line, field=error.field) from error
        except Damaged as error:
            raise BadInput("expected a whole packed file; this one is cut off or damaged", file=name) from error
    events, quarantined = (
        table.with_columns(pl.lit(0, pl.UInt32).alias(NUMBER)) for table in (pl.concat(tables), quarantine_table([]))
    )
    account = Account(events.height + HEADER_AND_FOOTER, events.height, HEADER_AND_FOOTER, 0)
    return SplitsRead(events, quarantined, (account,), (0,))


def _rising(events: Iterator[Event]) -> Iterator[tuple[int, Event]]:
    """The events with the numbers of their lines; BadInput where the numbers of a source do not rise."""
    last_seq: dict[str, int] = {}
    for line, event in enumerate(events, start=FIRST_EVENT):
        last = last_seq.get(event.source, 0)
        if event.seq <= last:
            raise BadInput(f"expected a number above {last}, the last one of {event.source!r}", line=line, field="seq")
        last_seq[event.source] = event.seq
        yield line, event
