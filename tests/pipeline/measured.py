"""Measures of a few events, by the way that a run takes: files of events, one or more, and tables."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.findings.measures import Measures
from tidegate.pipeline.read.tables import event_table
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.measuring import MeasuredStream, measure
from tidegate.pipeline.work.engines import HERE, Runner
from tidegate.record.events import Event, Kind

Row = dict[str, Any]


def events(*steps: Row, source: str = "s") -> list[Event]:
    """Events of one source; one without a time happens 10 ms after the one before."""
    found: list[Event] = []
    for seq, step in enumerate(steps, start=1):
        time = step.get("time", found[-1].time + 10 if found else 0)
        found.append(Event(**{"source": source, "seq": seq, **step, "time": time}))
    return found


def stop(who: str, queue: str | None = "q", **more: Any) -> Row:
    """An order to stop."""
    return {"kind": Kind.STOP, "channel": who, "destination": queue, **more}


def release(who: str, queue: str | None = "q", **more: Any) -> Row:
    """The order is lifted."""
    return {"kind": Kind.RELEASE, "channel": who, "destination": queue, **more}


def overfull(queue: str | None = "q", size: int = 1200, **more: Any) -> Row:
    """The broker says that it closes the gate of a queue of 1000 bytes."""
    return {"kind": Kind.OVERFULL, "destination": queue, "bytes": size, "limit": 1000, "cause": "QUE-1003", **more}


def underfull(queue: str | None = "q", size: int = 700, **more: Any) -> Row:
    """The broker says that it opens the gate."""
    return {"kind": Kind.UNDERFULL, "destination": queue, "bytes": size, "resume": 800, "cause": "QUE-1004", **more}


def limits(queue: str | None = "q", limit: int = 1000, resume: int | None = 800, cause: str = "capacity") -> Row:
    """A limit is set."""
    return {"kind": Kind.LIMITS, "destination": queue, "limit": limit, "resume": resume, "cause": cause}


def level(size: int, queue: str = "q", cause: str = "send", **more: Any) -> Row:
    """A queue is seen to hold so much."""
    return {"kind": Kind.LEVEL, "destination": queue, "bytes": size, "cause": cause, **more}


def send(size: int, queue: str = "q", outcome: str = "accepted") -> Row:
    """A message."""
    return {"kind": Kind.SEND, "destination": queue, "bytes": size, "outcome": outcome, "message_id": "m"}


def write_events(path: Path, written: Iterable[Event]) -> int:
    """The events of a file as the pipeline writes them; how many."""
    table = event_table("input", enumerate(written, start=1))
    table.write_parquet(path)
    return table.height


def measured(folder: Path, *parts: Sequence[Event], runner: Runner | None = None) -> Measures:
    """The measures of a stream whose events come in these parts."""
    folder.mkdir(parents=True, exist_ok=True)
    # as in a store, a file of other events has another name
    names = [sha256(repr((number, part)).encode()).hexdigest()[:16] for number, part in enumerate(parts)]
    paths = [folder / f"{name}.parquet" for name in names]
    files = {path.stem: Rows(path, write_events(path, part)) for path, part in zip(paths, parts, strict=True)}
    return measure([[MeasuredStream("stream", files)]], folder, runner or HERE)


def rows(folder: Path, name: str, *columns: str) -> list[tuple[Any, ...]]:
    """A table's rows in one order, whatever part they come from."""
    found = tables.table(name, folder).select(columns or tables.SCHEMAS[name].names()).collect().rows()
    return sorted(found, key=repr)
