"""Judges streams one event after the other in this process, by the folds that define the rules."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tidegate.model.language.judge import Judge
from tidegate.pipeline.findings import Evidence, evidence
from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.schema import EVENT_COLUMNS, FIELDS, LINE
from tidegate.pipeline.streams import Piece, Stream
from tidegate.pipeline.tallies import Place, Tallies, Tally, Witnesses
from tidegate.record.events import Event, Kind


def judge(streams: Sequence[Stream], *, most: int) -> tuple[Tallies, Witnesses]:
    """What the rules say of each input of the streams, and the first `most` events of which one does not hold."""
    judged: dict[Place, int] = defaultdict(int)
    failing: dict[Place, list[Evidence]] = defaultdict(list)
    for stream in streams:
        reader = Judge(stream.rules)
        for name, line, event in _in_order(stream):
            for judgement in reader.judge(event):
                judged[name, judgement.rule] += 1
                if not judgement.holds:
                    told = {field: getattr(event, field) for field in FIELDS}
                    failing[name, judgement.rule].append(evidence(line, event.source, event.seq, told))
    tallies = {place: Tally(count, len(failing[place])) for place, count in judged.items()}
    first = {place: sorted(found, key=lambda each: (each.source, each.seq)) for place, found in failing.items()}
    return tallies, {place: tuple(found[:most]) for place, found in first.items() if found}


def _in_order(stream: Stream) -> list[tuple[str, int, Event]]:
    """The events of a stream by source and seq, each with its input and its line there."""
    events = [(piece.input, line, event) for piece in stream.pieces for line, event in _events(piece)]
    return sorted(events, key=lambda each: (each[2].source, each[2].seq))


def _events(piece: Piece) -> Iterator[tuple[int, Event]]:
    """The events of a split, each with its line in the file."""
    events = scanned(piece.file.path).select(EVENT_COLUMNS).collect()
    for row in events.iter_rows(named=True):
        event = {name: row[name] for name in FIELDS}
        yield row[LINE] + piece.lines_before, Event(**{**event, "kind": Kind(event["kind"])})
