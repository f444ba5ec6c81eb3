"""The events that violate a rule: the first of each input, read again from the files in which they stand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tidegate.pipeline.findings import Evidence, evidence
from tidegate.pipeline.runner import Runner
from tidegate.pipeline.schema import FIELDS, LINE
from tidegate.pipeline.splits.stream import Stream
from tidegate.pipeline.splits.work import Failing, Judged, Rows, show
from tidegate.pipeline.tallies import Place, Witnesses

At = tuple[Path, Failing]


def witnesses(
    streams: Sequence[Stream],
    judged: Sequence[Sequence[Judged]],
    runner: Runner,
    lines_before: Mapping[Path, int],
    most: int,
) -> Witnesses:
    """For each input and definition the first `most` events of which it does not hold, by source and seq."""
    chosen = _first(streams, judged, most)
    rows: dict[Path, list[int]] = {}
    for path, failing in (at for found in chosen.values() for at in found):
        if failing.row not in rows.setdefault(path, []):
            rows[path].append(failing.row)
    answers = runner.each(show, [Rows(path, tuple(wanted)) for path, wanted in rows.items()])
    events = {
        (path, row): event
        for (path, wanted), shown in zip(rows.items(), answers, strict=True)
        for row, event in zip(wanted, shown, strict=True)
    }

    def shown(path: Path, failing: Failing) -> Evidence:
        event = events[path, failing.row]
        line = event[LINE] + lines_before.get(path, 0)
        return evidence(line, failing.source, failing.seq, {name: event[name] for name in FIELDS})

    return {place: tuple(shown(*at) for at in found) for place, found in chosen.items()}


def _first(streams: Sequence[Stream], judged: Sequence[Sequence[Judged]], most: int) -> dict[Place, list[At]]:
    found: dict[Place, list[At]] = {}
    for stream, splits in zip(streams, judged, strict=True):
        for file, split in zip(stream.files, splits, strict=True):
            for failing in split.failing:
                found.setdefault((failing.input, stream.rules[failing.rule]), []).append((file.path, failing))
    return {place: sorted(every, key=lambda at: (at[1].source, at[1].seq))[:most] for place, every in found.items()}
