"""From paths to a report: brings the store up to date, judges, compares, and writes what was found."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

import polars as pl

from tidegate.catalogue import Rule
from tidegate.pipeline.check.asked import Asked, asked_for, size_of
from tidegate.pipeline.check.judging import judged
from tidegate.pipeline.files.durable import remove
from tidegate.pipeline.files.storage import Place, files_in, storage_answers
from tidegate.pipeline.findings.accounts import NO_LINES, Account
from tidegate.pipeline.findings.measures import Measures
from tidegate.pipeline.findings.reports import InputReport, TraceReport
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.loop import names_of
from tidegate.pipeline.judge.verdicts import Claim, PutAside, claims, told, verdict
from tidegate.pipeline.read.inputs import AS_FOUND, ReadOptions
from tidegate.pipeline.read.peeking import end_of
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.store.commits import Commit, events_of
from tidegate.pipeline.store.counting import watching
from tidegate.pipeline.store.known import first_put_aside, first_seq_put_aside
from tidegate.pipeline.store.layout import READERS, Store, opened
from tidegate.pipeline.store.updating import Kept, bring_up_to_date
from tidegate.pipeline.work.engines import Engine, Processes, Runner, chosen, processors, runner_of
from tidegate.pipeline.work.progress import NO_PROGRESS, Progress
from tidegate.record.errors import BadInput
from tidegate.record.names import shown
from tidegate.record.version import VERSION

if TYPE_CHECKING:
    from tidegate.record.report import Report

CHATTER_NAME = "spark.txt"
MOST_QUARANTINED = 20
"""Lines put aside that are shown; all are in the table."""
LIGHT_BYTES = 64 << 20
"""Files of fewer bytes altogether are little to do."""
MOST_BYTES = 64 << 20
"""Of a file that are read in one piece."""


@storage_answers()
def check_files(
    paths: Iterable[Place],
    folder: Place,
    rules: Mapping[str, Rule],
    *,
    engine: Engine = Engine.AUTO,
    master: str | None = None,
    options: ReadOptions = AS_FOUND,
    progress: Progress = NO_PROGRESS,
    measuring: bool = False,
) -> TraceReport:
    """Read what is new of the files into the store in `folder`, and judge and, if asked to, measure all that it holds.

    What cannot be read is left out with a sentence, and the rest is judged. Raises BadInput where no path leads to
    anything, before anything is written, where the folder is no store, or where storage does not answer; Unavailable
    without Java where Spark is to work, and TidegateError for an unaccounted line.
    """
    paths = list(paths)
    _require_any(paths)
    size = size_of(paths)
    with opened(folder) as store, _suited_to(size):
        choice = chosen(engine, master, os.environ)
        if choice.engine is Engine.SPARK:
            progress.stage("starting Spark")
        runner = runner_of(choice.engine, _chatter(folder), master, light=size < LIGHT_BYTES)
        progress.stage("looking for what is new")
        asked = asked_for(paths, options, runner)
        asked, kept = _read(store, asked, paths, runner, progress)
        reports, judging_notes = _judge(store, kept.commits, asked, rules, runner, progress)
        put_aside = first_put_aside(store, kept.commits, MOST_QUARANTINED)
        measures = _measure(store, kept.commits, runner, progress) if measuring else None
    return TraceReport(
        VERSION, reports, tuple(map(str, put_aside)), engine=choice.engine, engine_because=choice.why,
        left_out=asked.left_out, notes=(*asked.notes, *kept.notes, *judging_notes), measures=measures,
    ).ended()  # fmt: skip


def _require_any(paths: Sequence[Place]) -> None:
    """Raises BadInput, of the first path, where none of them is there: there is nothing to write a report of."""
    faults = []
    for path in paths:
        try:
            if not isinstance(path, Path) or path.stat():
                return
        except OSError as error:
            faults.append(BadInput(f"expected a file that can be read, but {error.strerror}", file=shown(str(path))))
    if faults:
        raise faults[0]


def _suited_to(size: int) -> AbstractContextManager[object]:
    """Has Polars take tables of few rows as a whole, for its streams take longer to begin than to pass such a table."""
    return pl.Config(engine_affinity="in-memory") if size < LIGHT_BYTES else nullcontext()


def _chatter(folder: Place) -> Path:
    """The file for the output of Spark: beside the report, or on this machine where the report is in storage."""
    return (folder if isinstance(folder, Path) else Path(mkdtemp(prefix="tidegate-"))) / CHATTER_NAME


def _measure(store: Store, commits: Sequence[Commit], runner: Runner, progress: Progress) -> Measures:
    # imported here, for what only judges need not load the library of columns
    from tidegate.pipeline.stops.measuring import MeasuredStream, measure

    progress.stage("measuring who was stopped, by what and for how long")
    last = {commit.split.stream: commit.split.input for commit in commits if commit.split.input.form != TRACE}
    ends = zip(last, runner.each(end_of, list(last.values())), strict=True)
    times = {stream: end.time for stream, end in ends}
    files: dict[str, list[Place]] = {}
    for commit in commits:
        files.setdefault(commit.split.stream, []).append(events_of(store, commit))

    def streams(place: Callable[[Any], Path]) -> list[MeasuredStream]:
        return [MeasuredStream(name, tuple(map(place, row)), times.get(name)) for name, row in files.items()]

    if isinstance(store.folder, Path):
        return measure(streams(Path.resolve), store.folder, runner)
    # tables of measures get their places by renames, so they are made here and put into storage once they are whole
    with TemporaryDirectory(prefix="tidegate-") as temporary:
        events, folder = Path(temporary) / "events", Path(temporary) / "measures"
        folder.mkdir()
        measures = measure(streams(partial(_fetched, folder=events)), folder, Processes(processors()))
        made = {path.relative_to(folder).as_posix(): path for path in folder.glob("*/*.parquet")}
        for name, path in made.items():
            (store.folder / name).write_bytes(path.read_bytes())
        for table in {name.partition("/")[0] for name in made}:
            for old in files_in(store.folder / table):
                if f"{table}/{old.name}" not in made:
                    remove(old)
    return measures


def _fetched(place: Place, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    fetched = folder / place.name
    fetched.write_bytes(place.read_bytes())
    return fetched


def compare(report: TraceReport, run: "Report", rules: Mapping[str, Rule], path: Path) -> TraceReport:
    """The report compared with that of the run, which was read from `path`.

    What the run found as well decides nothing more: the run's own exit code speaks of it.
    """
    # imported here, for most checks are not held against a run
    from tidegate.pipeline.check.comparison import held_against

    held = held_against(report.inputs, run, rules, path)
    notes = (*report.notes, *held.notes)
    return replace(report, compared=held.compared, disagreements=held.disagreements, notes=notes).ended()


def _read(store: Store, asked: Asked, paths: Sequence[Place], runner: Runner, progress: Progress) -> tuple[Asked, Kept]:
    """The files that can be read, and what the store holds of them then.

    Where a file is found and cannot be read, its stream has a hole: its other files are read as separate streams.
    """

    @contextmanager
    def watched(fresh: int, kept: int) -> Iterator[None]:
        progress.stage(f"reading {fresh} splits, {kept} are known")
        with progress.reading(fresh) as show, watching(store, show):
            yield

    folders = [path.absolute() if isinstance(path, Path) else path for path in paths]
    notes: tuple[str, ...] = ()
    while True:
        kept = bring_up_to_date(store, asked.files, folders, runner, READERS, most_bytes=MOST_BYTES, watched=watched)
        notes = tuple(dict.fromkeys((*notes, *kept.notes)))
        rest = asked.without(kept.unread)
        if set(rest.files) <= set(asked.files):
            return rest, kept._replace(notes=notes)
        asked = rest


def _judge(
    store: Store,
    commits: Sequence[Commit],
    asked: Asked,
    rules: Mapping[str, Rule],
    runner: Runner,
    progress: Progress,
) -> tuple[tuple[InputReport, ...], list[str]]:
    files = {commit.split.input.name: commit.split.input for commit in commits}
    accounts: dict[str, Account] = {}
    for commit in commits:
        name = commit.split.input.name
        accounts[name] = accounts.get(name, NO_LINES) + commit.account
    put_aside = _put_aside(store, commits)
    wanted = {name: claims(file.form, frozenset(file.capabilities), rules) for name, file in files.items()}
    judging = {name: names_of([rule for claim in owed for rule in claim.definitions]) for name, owed in wanted.items()}
    events = sum(account.events for account in accounts.values())
    progress.stage(f"judging {events:,} events by {len({rule for each in judging.values() for rule in each})} rules")
    found = judged(store, commits, judging, runner)

    def report(file: Input) -> InputReport:
        account = accounts[file.name].settled(file.name)
        name, version = (file.broker, file.version) if file.form == TRACE else ("", "")
        owed: tuple[Claim, ...] = told(wanted[file.name], file, found.counts)
        unread = put_aside[file.name]
        verdicts = tuple(verdict(claim, file, unread, found.counts) for claim in owed)
        return InputReport(file.name, file.form, name, version, account, verdicts)

    # in the order in which they were asked for, those that are gone at the end
    names = [name for name in dict.fromkeys((*(file.name for file in asked.files), *files)) if name in files]
    return tuple(report(files[name]) for name in names), found.notes


def _put_aside(store: Store, commits: Sequence[Commit]) -> dict[str, PutAside]:
    """What was put aside of each input and before it, by its name, given the splits of streams in their order."""
    found: dict[str, PutAside] = {}
    of_stream: Counter[str] = Counter()
    first: dict[str, int] = {}
    for commit in commits:
        name, stream, count = commit.split.input.name, commit.split.stream, commit.account.quarantined
        if count and stream not in first:
            first[stream] = first_seq_put_aside(store, commit)
        known = found.get(name, PutAside(0, of_stream[stream]))
        found[name] = known._replace(lines=known.lines + count, first=first.get(stream))
        of_stream[stream] += count
    return found
