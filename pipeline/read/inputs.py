"""The files to read: each is recognised by its text, and the files of a host are ordered into one source."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.blocks import without_ending
from tidegate.pipeline.read.doubts import NOTES, OTHERS, Doubt
from tidegate.pipeline.read.files import HostPath, NamedFiles, host_of, named_files, named_host, rotation
from tidegate.pipeline.read.peeking import End, end_of, peek
from tidegate.pipeline.read.split import Input, Peeked
from tidegate.pipeline.work.engines import HERE, Runner
from tidegate.record.errors import BadInput

Row = tuple[list[Input], list[str]]
"""Files with their streams and their places there, and sentences about this order."""


def _in_streams(stream: str, row: Sequence[Input], unreadable: Sequence[str], work: Runner) -> Row:
    """The files of a host's log, whose stream is named `stream`; `unreadable` names other files of the host."""
    if len(row) == 1:
        return [replace(row[0], stream=stream)], []
    if unreadable:
        return _apart(stream, row, unreadable)
    timed = [(file, file.peeked.first, end) for file, end in zip(row, work.each(end_of, row), strict=True)]
    timed.sort(key=lambda each: (each[1] or 0, each[2].time or 0, each[0].name))
    files = [file for file, _, _ in timed]
    if _follow_each_other([(first, end.time) for _, first, end in timed]):
        return _up_to_holes(stream, list(_with_version(files)), [end for _, _, end in timed])
    why = "times overlap" if all(first is not None for _, first, _ in timed) else "order is not known"
    return _each_by_itself(stream, files), [
        f"{stream}: {len(files)} files whose {why} are taken as that many separate sources: {_names(files)}"
    ]


def _apart(stream: str, files: Sequence[Input], unreadable: Iterable[str]) -> Row:
    """The files of a host's log, each as a source, because other files may stand between them."""
    return _each_by_itself(stream, files), [
        f"{stream}: what stands in {', '.join(unreadable)} is not known, nor where it belongs; "
        f"so its other {len(files)} files are taken as that many separate sources: {_names(files)}"
    ]


def without_unread(files: Iterable[Input], unread: Collection[str]) -> Row:
    """The files except the unreadable ones, which `unread` names.

    The lines of an unreadable file are missing from its stream, so the other files of the stream become separate
    sources.
    """
    rows: dict[str, list[Input]] = {}
    for file in files:
        rows.setdefault(file.stream, []).append(file)
    kept: list[Input] = []
    notes: list[str] = []
    for stream, row in rows.items():
        rest = [file for file in row if file.name not in unread]
        if 1 < len(rest) < len(row):
            rest, said = _apart(stream, rest, [file.name for file in row if file.name in unread])
            notes += said
        kept += rest
    return kept, notes


def _up_to_holes(stream: str, files: Sequence[Input], ends: Sequence[End]) -> Row:
    """Files in their order, where each file that is cut off is the last one of its source.

    The files after the last hole keep the name of the stream, since the last file will grow.
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
    """The numbers of rotated files that are missing between a file and the next one; empty where none is."""
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
    """The files, each with the last version found up to its begin."""
    version = ""
    for file in files:
        version = file.version or version
        yield replace(file, version=version)


WITHOUT_TIME = (
    "{name}: no line begins with a time such as 2026-01-31 23:59:59,123; if something else stands in front of it, "
    "docker compose logs --no-log-prefix, journalctl -o cat and grep -h leave that out; `tidegate why` reads such lines"
)


def _is_untimed(file: Input) -> bool:
    """Whether no line in the begin of a log begins with a time, as where something else stands in front of each."""
    return file.form != TRACE and file.peeked.first is None


@dataclass(frozen=True)
class FoundFiles:
    """The files to read, the errors of files that are not read, and notes for a reader of the results."""

    inputs: tuple[Input, ...]
    refused: tuple[BadInput, ...] = ()
    notes: tuple[str, ...] = ()


class ReadOptions(NamedTuple):
    """Facts about logs that the user knows and the logs do not say.

    `hosts` are the hosts of the logs of paths, and `zone` is the time zone of times without one.
    """

    hosts: tuple[HostPath, ...] = ()
    zone: str = "UTC"


AS_FOUND = ReadOptions()


def inputs(paths: Iterable[Place]) -> tuple[Input, ...]:
    """The files to read. Raises BadInput for the first file that cannot be read; see look_into."""
    found = look_for(paths)
    if found.refused:
        raise found.refused[0]
    return found.inputs


def look_for(paths: Iterable[Place], options: ReadOptions = AS_FOUND) -> FoundFiles:
    """The files that paths stand for; see look_into."""
    return look_into(named_files(paths), options)


def look_into(
    named: NamedFiles, options: ReadOptions = AS_FOUND, runner: Runner = HERE, known: Mapping[str, Peeked] | None = None
) -> FoundFiles:
    """The files that paths stand for, each once, in the order of their streams.

    A folder stands for the traces and the non-empty logs in it and below it. The files of a host's log are a
    stream, in the order of their first times. If the times of two files overlap, a file has no time, or another file of
    the host cannot be read, their order is unknown, and each file is a stream of its own. The files after one that is
    cut off are another stream, too. A path that is missing or cannot be read, a folder without traces and logs, and a
    file that is neither a trace nor a log of a known form are refused. A file that is `known` by its path is not looked
    at again.

    Raises BadInput where options name an unknown time zone, or a host's path that leads to none of the files.
    """
    hosts, zone = options
    zone_of(zone)
    refused = [*named.refused]
    for given in hosts:
        if not any(map(given.leads_to, [*(each.name for each in named.files), *named.closed])):
            raise BadInput(f"expected a path to a log that the command reads, not '{given.path}'", field="host")
    seen_of = dict(known or {})
    new = [each.path for each in named.files if each.path not in seen_of]
    seen_of |= zip(new, runner.each(partial(peek, zone=zone), new), strict=True)
    unreadable: dict[str, list[str]] = defaultdict(list)
    for folder in named.closed:
        if (host := named_host(folder, hosts)) is not None:
            unreadable[host].append(folder)
    recognised = []
    for each in named.files:
        seen = seen_of[each.path]
        if seen.expected:
            line = 1 if seen.field else None
            refused.append(BadInput(seen.expected, file=each.name, line=line, field=seen.field))
        if not seen.form:
            unreadable[host_of(each.name, hosts)].append(each.name)
        elif not seen.expected:
            host = "" if seen.form == TRACE else host_of(each.name, hosts)
            file = Input(
                each.name, each.path, seen.form, seen.packed, host, zone=zone, broker=seen.broker,
                version=seen.version, capabilities=seen.capabilities, peeked=seen,
            )  # fmt: skip
            recognised.append(file)
    said_of_lines = [WITHOUT_TIME.format(name=file.name) for file in recognised if _is_untimed(file)]
    said_of_lines += [f"{file.name}: {NOTES[Doubt(file.peeked.doubt)]}" for file in recognised if file.peeked.doubt]
    said_of_lines += [
        f"{file.name}: {OTHERS.format(forms=' and '.join(file.peeked.others))}"
        for file in recognised
        if file.peeked.others
    ]
    recognised, copies = _without_copies(recognised)
    rows: dict[tuple[str, str], list[Input]] = defaultdict(list)
    for file in recognised:
        rows[file.name if file.form == TRACE else file.host, file.form].append(file)
    forms = Counter(name for name, _ in rows)
    ordered: list[Input] = []
    notes = [*said_of_lines, *copies]
    for (name, form), row in rows.items():
        stream = f"{name} ({form})" if forms[name] > 1 else name
        files, said = _in_streams(stream, row, unreadable.get(name, ()), runner)
        ordered += files
        notes += said
    return FoundFiles(tuple(ordered), tuple(refused), tuple(notes))


def _without_copies(found: Sequence[Input]) -> Row:
    """The files without packed copies of files beside them, and a sentence for each copy."""
    plain = {(file.path, file.peeked.head) for file in found if not file.packed}
    kept, notes = [], []
    for file in found:
        head = file.peeked.head
        if file.packed and head and (without_ending(file.path), head) in plain:
            notes.append(f"{file.name}: begins as {without_ending(file.name)} beside it, and is left out")
        else:
            kept.append(file)
    return kept, notes
