"""What is read: files, each recognised by what stands in it, and put in order with the others of its host."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.lines.line_form import SEPARATORS
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.files import NamedFiles, named_files
from tidegate.pipeline.read.hosts import HostPath, host_of, named_host
from tidegate.pipeline.read.opening import without_ending
from tidegate.pipeline.read.peeking import peek
from tidegate.pipeline.read.sources import in_sources
from tidegate.pipeline.read.split import Input, Peeked
from tidegate.pipeline.work.engines import HERE, Runner
from tidegate.record.errors import BadInput


@dataclass(frozen=True)
class FoundFiles:
    """What was found: files to read, why others are not read, and what a reader of the results must know of them."""

    inputs: tuple[Input, ...]
    refused: tuple[BadInput, ...] = ()
    notes: tuple[str, ...] = ()


class ReadOptions(NamedTuple):
    """What the user knows of logs and these do not say.

    `hosts` says whose the logs of a path are, `zone` is the time zone of times without one, and `grouping` is what
    figures are grouped by, empty for whatever they are grouped by.
    """

    hosts: tuple[HostPath, ...] = ()
    zone: str = "UTC"
    grouping: str = ""


AS_FOUND = ReadOptions()


def inputs(paths: Iterable[Place]) -> tuple[Input, ...]:
    """The files to read. Raises BadInput for the first that cannot be read; see look_into."""
    found = look_for(paths)
    if found.refused:
        raise found.refused[0]
    return found.inputs


def look_for(paths: Iterable[Place], options: ReadOptions = AS_FOUND, runner: Runner = HERE) -> FoundFiles:
    """The files that paths stand for; see look_into."""
    return look_into(named_files(paths), options, runner)


def look_into(
    named: NamedFiles, options: ReadOptions = AS_FOUND, runner: Runner = HERE, known: Mapping[str, Peeked] | None = None
) -> FoundFiles:
    """The files that paths stand for, each once, in the order of their streams.

    A folder stands for the traces and the logs that are not empty in it and below it. The files of a host's log are a
    stream, in the order of their first times. If the times of any of them overlap, one has none, or another file of the
    host cannot be read, nobody knows their order, and each is a stream of its own. What follows a file that is cut off
    is another stream, too. Refused is a path that is not there or cannot be read, a folder without
    any such file, and a file that is neither a trace nor a log of a known form. What is `known` of a file by its path
    needs no other look.

    Raises BadInput where options name no time zone, nothing that groups figures, or a host's path that leads to none of
    the files.
    """
    hosts, zone, grouping = options
    zone_of(zone)
    if grouping and grouping not in tuple(SEPARATORS):
        separators = " ".join(map(repr, SEPARATORS))
        raise BadInput(f"expected one of {separators}, not {grouping!r}", field="grouping")
    refused = [*named.refused]
    for given in hosts:
        if not any(map(given.leads_to, [*(each.name for each in named.files), *named.closed])):
            raise BadInput(f"expected a path that leads to a file that is read, not '{given.path}'", field="host")
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
                each.name, each.path, seen.form, seen.packed, host, zone=zone, grouping=grouping,
                broker=seen.broker, version=seen.version, capabilities=seen.capabilities, peeked=seen,
            )  # fmt: skip
            recognised.append((file, seen))
    recognised, copies = _without_copies(recognised)
    rows: dict[tuple[str, str], list[tuple[Input, Peeked]]] = defaultdict(list)
    for file, seen in recognised:
        rows[file.name if file.form == TRACE else file.host, file.form].append((file, seen))
    forms = Counter(name for name, _ in rows)
    ordered: list[Input] = []
    notes = copies
    for (name, form), row in rows.items():
        stream = f"{name} ({form})" if forms[name] > 1 else name
        files, said = in_sources(stream, row, unreadable.get(name, ()), runner)
        ordered += files
        notes += said
    return FoundFiles(tuple(ordered), tuple(refused), tuple(notes))


def _without_copies(found: list[tuple[Input, Peeked]]) -> tuple[list[tuple[Input, Peeked]], list[str]]:
    """The files without packed copies of others beside them, and a sentence for each of these copies."""
    plain = {(file.path, seen.head) for file, seen in found if not file.packed}
    kept, notes = [], []
    for file, seen in found:
        if file.packed and seen.head and (without_ending(file.path), seen.head) in plain:
            notes.append(f"{file.name}: begins as {without_ending(file.name)} beside it, and is left out")
        else:
            kept.append((file, seen))
    return kept, notes
