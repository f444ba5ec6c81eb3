"""Which files of a host's log are one source: those whose order is known, up to where something of it is missing.

What is not known to follow is judged as a source by itself, from nothing, as a log is that begins in the middle.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from tidegate.pipeline.read.hosts import rotation
from tidegate.pipeline.read.peeking import End, end_of
from tidegate.pipeline.read.split import Input, Peeked
from tidegate.pipeline.work.engines import Runner

Row = tuple[list[Input], list[str]]
"""Files with their streams and their places there, and sentences on what to know of that."""


def in_sources(stream: str, row: Sequence[tuple[Input, Peeked]], unreadable: Sequence[str], work: Runner) -> Row:
    """The files of a host's log, which is called `stream`, given which other files of it cannot be read."""
    if len(row) == 1:
        return [replace(row[0][0], stream=stream)], []
    if unreadable:
        return apart(stream, [file for file, _ in row], unreadable)
    ends = work.each(end_of, [file for file, _ in row])
    timed = [(file, seen.first, end) for (file, seen), end in zip(row, ends, strict=True)]
    timed.sort(key=lambda each: (each[1] or 0, each[2].time or 0, each[0].name))
    files = [file for file, _, _ in timed]
    if _follow_each_other([(first, end.time) for _, first, end in timed]):
        return _up_to_holes(stream, list(_with_version(files)), [end for _, _, end in timed])
    why = "times overlap" if all(first is not None for _, first, _ in timed) else "order is not known"
    return _each_by_itself(stream, files), [
        f"{stream}: {len(files)} files whose {why} are taken as that many separate sources: {_names(files)}"
    ]


def apart(stream: str, files: Sequence[Input], unreadable: Iterable[str]) -> Row:
    """The files of a host's log each as a source, because it is not known what stands between them."""
    return _each_by_itself(stream, files), [
        f"{stream}: what stands in {', '.join(unreadable)} is not known, nor where it belongs; "
        f"so its other {len(files)} files are taken as that many separate sources: {_names(files)}"
    ]


def without(files: Iterable[Input], unread: Collection[str]) -> Row:
    """The files without those that turned out not to be readable, by their names.

    What such a file holds is missing from its stream; so the other files of that are each one by itself.
    """
    rows: dict[str, list[Input]] = {}
    for file in files:
        rows.setdefault(file.stream, []).append(file)
    kept: list[Input] = []
    notes: list[str] = []
    for stream, row in rows.items():
        rest = [file for file in row if file.name not in unread]
        if 1 < len(rest) < len(row):
            rest, said = apart(stream, rest, [file.name for file in row if file.name in unread])
            notes += said
        kept += rest
    return kept, notes


def _up_to_holes(stream: str, files: Sequence[Input], ends: Sequence[End]) -> Row:
    """Files in their order, where each that is cut off is the last one of its source.

    What follows the last hole keeps the name of the stream: that is what will grow.
    """
    found: list[Input] = []
    notes: list[str] = []
    begun: list[Input] = []
    for place, (file, end) in enumerate(zip(files, ends, strict=True)):
        begun.append(file)
        missing = _missing_after(files, place)
        if file is not files[-1] and (end.cut_off or missing):
            found += _in_order(f"{stream} (up to {file.name})", begun)
            hole = f"what stood in {missing}" if missing else f"what stood in the rest of {file.name}"
            notes.append(f"{stream}: {hole} is not known; so what comes after it is taken as a separate source")
            begun = []
    return [*found, *_in_order(stream, begun)], notes


def _missing_after(files: Sequence[Input], place: int) -> str:
    """The number of the rotated files that are missing between a file and the next one; empty where none is."""
    if place + 1 >= len(files):
        return ""
    number, after = (rotation(each.name) for each in files[place : place + 2])
    if number is None or after is None or number - after <= 1:
        return ""
    return ", ".join(f".{each}" for each in range(number - 1, after, -1))


def _in_order(stream: str, files: Sequence[Input]) -> list[Input]:
    return [replace(file, stream=stream, ordinal=n) for n, file in enumerate(files, start=1)]


def _each_by_itself(stream: str, files: Iterable[Input]) -> list[Input]:
    return [replace(file, stream=f"{stream} ({file.name})", ordinal=1, apart=True) for file in files]


def _names(files: Iterable[Input]) -> str:
    return ", ".join(file.name for file in files)


def _follow_each_other(ranges: Sequence[tuple[int | None, int | None]]) -> bool:
    until = 0
    for first, last in ranges:
        if first is None or last is None or first < until:
            return False
        until = max(first, last)
    return True


def _with_version(files: Iterable[Input]) -> Iterator[Input]:
    """The files, each with the version last told up to its beginning."""
    version = ""
    for file in files:
        version = file.version or version
        yield replace(file, version=version)
