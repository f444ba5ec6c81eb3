"""Reads headgate's own traces, as strictly as `headgate.record.trace`; what is wrong becomes a row."""

from collections.abc import Iterator
from pathlib import Path

from headgate.pipeline.ingest.inputs import Input
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.rows import Row, count_row, event_row, lines_in, quarantine_row
from headgate.record.errors import BadInput
from headgate.record.trace import read_trace

FIRST_EVENT = 2
"""The line of the first event, after the header."""
HEADER_AND_FOOTER = 2


def read_trace_rows(trace: Input) -> Iterator[Row]:
    """Rows of events in the order of the lines, and the counts at the end; or what is wrong, and no more."""
    last_seq: dict[str, int] = {}
    try:
        for line, event in enumerate(read_trace(Path(trace.path)), start=FIRST_EVENT):
            last = last_seq.get(event.source, 0)
            if event.seq <= last:
                raise BadInput(
                    f"expected a number above {last}, the last one of {event.source!r}",
                    line=line,
                    field="seq",
                )
            last_seq[event.source] = event.seq
            yield event_row(trace.name, line, event)
        yield count_row(trace.name, lines_in(trace.path), HEADER_AND_FOOTER)
    except BadInput as error:
        # an exception would come through Spark wrapped and after retries; a row comes as it is
        yield quarantine_row(trace.name, error.line, Unparsed(error.expected, error.field), "")
