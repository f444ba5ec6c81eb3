"""Traces on disk: JSON lines with a header, one event a line, and a footer that counts them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tidegate.record.errors import BadInput
from tidegate.record.events import SCHEMA_VERSION, Event, Kind
from tidegate.record.values import BadValue, packed, read_value

FORMAT = "tidegate-trace"
FIELDS = tuple(field.name for field in fields(Event))


class Mark(NamedTuple):
    """A place in a trace that is being written: its bytes, and its events of each kind."""

    end: int
    counts: Counter[str]


class TraceWriter:
    """Writes a trace event by event. Until `close`, or the end of its `with` block, the trace has no footer."""

    def __init__(self, path: Path, *, name: str, version: str, capabilities: Iterable[str]):
        self.path = path
        self._counts: Counter[str] = Counter()
        self._file = path.open("wb")
        implementation = {"name": name, "version": version, "capabilities": sorted(capabilities)}
        self._line({"format": FORMAT, "schema": SCHEMA_VERSION, "implementation": implementation})

    def write(self, event: Event) -> None:
        """Append one event; null fields are left out."""
        self._counts[event.kind] += 1
        self._file.write(packed(event, nulls=False) + b"\n")

    def mark(self) -> Mark:
        """The present end of the trace."""
        return Mark(self._file.tell(), Counter(self._counts))

    def rewind(self, mark: Mark) -> None:
        """Remove all events after a mark."""
        self._file.seek(mark.end)
        if self.path.is_file():  # a device such as /dev/null keeps nothing
            self._file.truncate()
        self._counts = Counter(mark.counts)

    def close(self) -> None:
        """Write the footer and close the file."""
        self._line({"footer": dict(self._counts), "events": self._counts.total()})
        self._file.close()

    def _line(self, content: dict[str, Any]) -> None:
        self._file.write(json.dumps(content, separators=(",", ":")).encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_trace(path: Path) -> Iterator[Event]:
    """The events of a trace file in order. BadInput for a malformed line, or a footer that is missing or wrong."""
    with path.open("rb") as file:
        yield from events_of(file, path)


def events_of(lines: Iterable[bytes], path: Path) -> Iterator[Event]:
    """The events of the lines of a trace, as read_trace; `path` only names the trace in errors."""
    counts: Counter[str] = Counter()
    footer: dict[str, Any] | None = None
    number = 0
    for number, line in enumerate(lines, start=1):
        if footer is not None:
            raise BadInput("expected nothing after the footer", file=path, line=number)
        if number == 1:
            _check_header(_parsed(line, path, number), path)
            continue
        try:
            event = parse_event(line, path, number)
        except BadInput:
            # only the last line of a trace is not an event
            content = _parsed(line, path, number)
            if "footer" not in content:
                raise
            footer = content
            continue
        counts[event.kind] += 1
        yield event
    if footer is None:
        raise BadInput("expected a footer; the trace is incomplete", file=path, line=max(number, 1))
    if footer["footer"] != dict(counts):
        raise BadInput(_other_counts(footer["footer"], counts), file=path, line=number, field="footer")


def _other_counts(said: object, counts: Mapping[str, int]) -> str:
    """The sentence on a footer whose counts differ from the events of each kind above it."""
    told = said if isinstance(said, dict) else {}
    differing = [kind for kind in Kind if told.get(kind, 0) != counts.get(kind, 0)]
    figures = (
        f"{counts.get(kind, 0)} of {str(kind)!r} ({told.get(str(kind), 0)!r} in the footer)" for kind in differing
    )
    return f"expected the counts of the events above: {', '.join(figures) or 'one figure for each kind of event'}"


def _check_header(header: dict[str, Any], path: Path) -> None:
    if header.get("format") != FORMAT:
        raise BadInput(f"expected a header with format {FORMAT!r}", file=path, line=1, field="format")
    if header.get("schema") != SCHEMA_VERSION:
        raise BadInput(f"expected {SCHEMA_VERSION}, not {header.get('schema')!r}", file=path, line=1, field="schema")


def parse_event(content: bytes, path: Path, line: int) -> Event:
    """One event from its JSON object; BadInput that names the first wrong field."""
    try:
        return read_value(Event, content)
    except BadValue as error:
        raise BadInput(error.fault, file=path, line=line, field=error.field) from None


def _parsed(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except RecursionError:
        raise BadInput("expected one JSON object a line, not one nested so deep", file=path, line=number) from None
    except ValueError as error:
        # not JSON, not UTF-8, or a number of thousands of digits
        raise BadInput(f"expected one JSON object a line ({error})", file=path, line=number) from None
    if not isinstance(content, dict):
        raise BadInput("expected one JSON object a line", file=path, line=number)
    return content
