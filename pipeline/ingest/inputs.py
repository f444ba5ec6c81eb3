"""What is read: files, each recognised by what stands in it, and put in order with the others of its host."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from headgate.pipeline.ingest.files import named_files
from headgate.pipeline.ingest.form import Form as Form
from headgate.pipeline.ingest.hosts import HostPath, host_of
from headgate.pipeline.ingest.line_form import SEPARATORS
from headgate.pipeline.ingest.peeking import Peeked, last_time, peek
from headgate.pipeline.ingest.zones import zone_of
from headgate.pipeline.runner import Here, Runner
from headgate.record.errors import BadInput


@dataclass(frozen=True)
class Input:
    """A file to read: `name` is how it was named by the user and how its events and errors name it.

    `stream` is the ordered row of files that it belongs to, and `ordinal` counts from 1 in it; `host` is whose log it
    is. Times that name no zone are of `zone`. `grouping` is what figures must be grouped by; where it is empty, any
    separator will do. `version` is that of the broker where its log says so, here or in an earlier file of the stream.
    """

    name: str
    path: str
    form: Form
    packed: bool = False
    host: str = ""
    stream: str = ""
    ordinal: int = 1
    zone: str = "UTC"
    grouping: str = ""
    version: str = field(default="", compare=False)


@dataclass(frozen=True)
class Found:
    """What was found: files to read, why others are not read, and what a reader of the results must know of them."""

    inputs: tuple[Input, ...]
    refused: tuple[BadInput, ...] = ()
    notes: tuple[str, ...] = ()


def inputs(paths: Iterable[Path]) -> tuple[Input, ...]:
    """The files to read. Raises BadInput for the first that cannot be read; see look_for."""
    found = look_for(paths)
    if found.refused:
        raise found.refused[0]
    return found.inputs


def look_for(
    paths: Iterable[Path],
    *,
    hosts: Sequence[HostPath] = (),
    zone: str = "UTC",
    grouping: str = "",
    runner: Runner | None = None,
) -> Found:
    """The files that paths stand for, each once, in the order of their streams.

    A folder stands for the traces and the logs that are not empty in it and below it. The files of a host's log are a
    stream, in the order of their first times. If the times of any of them overlap, or one has none, nobody knows their
    order, and each is a stream of its own. Refused is a path that is not there or cannot be read, a folder without
    any such file, and a file that is neither a trace nor a log of a known form.

    Raises BadInput where `zone` is no time zone, or `grouping` nothing that groups figures.
    """
    zone_of(zone)
    if grouping and grouping not in tuple(SEPARATORS):
        known = " ".join(map(repr, SEPARATORS))
        raise BadInput(f"expected one of {known}, not {grouping!r}", field="grouping")
    named, refused = named_files(paths)
    work = runner or Here()
    peeked = work.each(partial(peek, zone=zone), [each.path for each in named])
    recognised = []
    for each, seen in zip(named, peeked, strict=True):
        if isinstance(seen.form, Form):
            host = "" if seen.form is Form.TRACE else host_of(each.name, hosts)
            file = Input(each.name, each.path, seen.form, seen.packed, host, zone=zone, grouping=grouping,
                         version=seen.version)  # fmt: skip
            recognised.append((file, seen))
        else:
            refused.append(BadInput(seen.form, file=each.name))
    rows: dict[tuple[str, Form], list[tuple[Input, Peeked]]] = defaultdict(list)
    for file, seen in recognised:
        rows[file.name if file.form is Form.TRACE else file.host, file.form].append((file, seen))
    shared = {name for name, form in rows if sum(name == other for other, _ in rows) > 1}
    ordered: list[Input] = []
    notes: list[str] = []
    for (name, form), row in rows.items():
        stream = f"{name} ({form})" if name in shared else name
        files, said = _ordered(stream, row, work)
        ordered += files
        notes += said
    return Found(tuple(ordered), tuple(refused), tuple(notes))


def _ordered(stream: str, row: Sequence[tuple[Input, Peeked]], work: Runner) -> tuple[list[Input], list[str]]:
    """The files of a stream in their order; or, where that cannot be known, each as a stream of its own."""
    if len(row) == 1:
        return [replace(row[0][0], stream=stream)], []
    lasts = work.each(last_time, [file for file, _ in row])
    timed = [(file, seen.first, last) for (file, seen), last in zip(row, lasts, strict=True)]
    in_order = sorted(timed, key=lambda each: (each[1] or 0, each[2] or 0, each[0].name))
    if _follow_each_other([(first, last) for _, first, last in in_order]):
        files = [replace(file, stream=stream, ordinal=n) for n, (file, _, _) in enumerate(in_order, start=1)]
        return list(_with_version(files)), []
    apart = [replace(file, stream=f"{stream} ({file.name})") for file, _, _ in in_order]
    names = ", ".join(file.name for file in apart)
    why = "times overlap" if all(first is not None for _, first, _ in timed) else "order is not known"
    return apart, [f"{stream}: {len(apart)} files whose {why} are taken as that many separate sources: {names}"]


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
