"""From paths to a report: brings the store up to date, judges its events and measures them."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from operator import call
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import polars as pl

from tidegate.catalogue import Rule
from tidegate.pipeline.check.judging import Judging, Row, batches
from tidegate.pipeline.files.storage import Place, storage_answers
from tidegate.pipeline.findings.reports import NO_LINES, Account, Counts, InputReport, TraceReport
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.rules import RuleNames, names_of
from tidegate.pipeline.judge.verdicts import Claim, PutAside, claims, is_judged, shown_claims, verdict
from tidegate.pipeline.read.files import named_files
from tidegate.pipeline.read.inputs import AS_FOUND, FoundFiles, ReadOptions, look_into, without_unread
from tidegate.pipeline.read.peeking import end_of
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.stops.measuring import MeasuredStream, Measuring
from tidegate.pipeline.store.commits import (
    Commit,
    KnownSplits,
    events_of,
    first_put_aside,
    first_seq_put_aside,
    known,
    peeked_at,
)
from tidegate.pipeline.store.layout import Store, opened
from tidegate.pipeline.store.updating import bring_up_to_date
from tidegate.pipeline.work.engines import NO_PROGRESS, Engine, Progress, Runner, chosen, runner_of
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.names import shown
from tidegate.record.version import VERSION

CHATTER_NAME = "spark.txt"
MOST_QUARANTINED = 20
"""The most quarantined lines that a report shows; the table `quarantine` has all."""
LIGHT_BYTES = 64 << 20
"""Files with fewer bytes in total are light work."""
MOST_BYTES = 64 << 20
"""The most bytes of a file that are read in one piece."""


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
) -> TraceReport:
    """Read the new parts of the files into the store in `folder`; judge and measure all events of the store.

    A file that cannot be read is left out with a sentence, and the others are judged. Raises BadInput where no path
    leads to anything, before anything is written, where the folder is no store, or where storage does not answer;
    Unavailable where Spark is chosen and Java is missing; and TidegateError for an unaccounted line.
    """
    paths = list(paths)
    _require_any(paths)
    named = named_files(paths)
    size = named.size
    with opened(folder) as store, _suited_to(size):
        choice = chosen(engine, master, os.environ)
        if choice.engine is Engine.SPARK:
            progress.stage("starting Spark")
        with runner_of(choice.engine, _chatter(folder), master, light=size < LIGHT_BYTES) as runner:
            progress.stage("looking for what is new")
            before = known(store)
            found = look_into(named, options, runner, peeked_at(before, options.zone))
            read = _read(store, found, before, paths, runner, progress)
            together = list(batches(read.commits))
            owing = _owed(read, rules)
            judging = Judging(store, together, owing.names)
            measuring = Measuring([[_measured(store, row) for row in batch] for batch in together], store.folder)
            progress.stage(f"{owing.stage} and measuring who was stopped")
            tasks: list[Callable[[], Any]] = [*judging.tasks, *measuring.tasks]
            # together, since one stream alone would leave the other processors idle
            done = list(runner.each(call, tasks))
            counts = judging.done(done[: len(judging.tasks)])
            reports = _reports(store, read, owing, counts)
            put_aside = first_put_aside(store, read.commits, MOST_QUARANTINED)
            measures = measuring.done(done[len(judging.tasks) :], runner)
    return TraceReport(
        VERSION, reports, tuple(map(str, put_aside)), engine=choice.engine, engine_because=choice.why,
        left_out=read.left_out, notes=read.notes, measures=measures,
    ).ended()  # fmt: skip


def _require_any(paths: Sequence[Place]) -> None:
    """Raise BadInput for the first path if no path exists, because a report would be empty."""
    faults = []
    for path in paths:
        try:
            if not isinstance(path, Path) or path.stat():
                return
        except OSError as error:
            faults.append(BadInput(f"expected a file that can be read, but {in_words(error)}", file=shown(str(path))))
    if faults:
        raise faults[0]


def _suited_to(size: int) -> AbstractContextManager[object]:
    """Have Polars take small tables as a whole, since its streaming engine takes longer to start than they take."""
    return pl.Config(engine_affinity="in-memory") if size < LIGHT_BYTES else nullcontext()


def _chatter(folder: Place) -> Path:
    """The file for the output of Spark: beside the report, or on this machine if the report is in storage."""
    return (folder if isinstance(folder, Path) else Path(mkdtemp(prefix="tidegate-"))) / CHATTER_NAME


def _measured(store: Store, row: Row) -> MeasuredStream:
    """A stream, to be measured from its splits."""
    files = {commit.name: events_of(store, commit) for commit in row}
    return MeasuredStream(row[0].split.input.stream, files, partial(_end_ms, row[-1].split.input))


def _end_ms(file: Input) -> int | None:
    """The time of the last line of a log, in ms since the epoch; None for a trace, whose events say how it ends."""
    return None if file.form == TRACE else end_of(file).time


class Read(NamedTuple):
    """The files that could be read and their commits in the store; one sentence for each file left out, and notes."""

    files: Sequence[Input]
    commits: Sequence[Commit]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]


def _read(
    store: Store, found: FoundFiles, known: KnownSplits, paths: Sequence[Place], runner: Runner, progress: Progress
) -> Read:
    """Read the new parts of the files; `known` are the splits that the store has.

    A file that is found and cannot be read leaves a hole in its stream: the other files of the stream are read as
    separate streams.
    """
    folders = [path.absolute() if isinstance(path, Path) else path for path in paths]
    files: Sequence[Input] = found.inputs
    left_out, of_files, of_store = [*map(str, found.refused)], [*found.notes], dict[str, None]()
    before: KnownSplits | None = known
    while True:
        kept = bring_up_to_date(store, files, folders, runner, most_bytes=MOST_BYTES, progress=progress, before=before)
        before = None
        of_store |= dict.fromkeys(kept.notes)
        if not kept.unread:
            return Read(files, kept.commits, tuple(left_out), (*of_files, *of_store))
        files, notes = without_unread(files, kept.unread)
        left_out += kept.unread.values()
        of_files += notes


class OwedVerdicts(NamedTuple):
    """The rules to judge: the accounts of the files, the claims of each, and the names of the rules, by file name."""

    accounts: Mapping[str, Account]
    claims: Mapping[str, tuple[Claim, ...]]
    names: Mapping[str, RuleNames]

    @property
    def stage(self) -> str:
        """The stage of judging, in words."""
        events = sum(account.events for account in self.accounts.values())
        return (
            f"judging {counted(events, 'events')} by "
            f"{len({rule for each in self.names.values() for rule in each})} rules"
        )


def _owed(read: Read, rules: Mapping[str, Rule]) -> OwedVerdicts:
    files = {commit.split.input.name: commit.split.input for commit in read.commits}
    accounts: dict[str, Account] = {}
    for commit in read.commits:
        name = commit.split.input.name
        accounts[name] = accounts.get(name, NO_LINES) + commit.account
    kinds = {name: (file.form, frozenset(file.capabilities)) for name, file in files.items()}
    owed = {kind: tuple(claims(*kind, rules)) for kind in {*kinds.values()}}
    names = {kind: names_of([rule for claim in each for rule in claim.definitions]) for kind, each in owed.items()}
    return OwedVerdicts(
        accounts,
        {name: owed[kind] for name, kind in kinds.items()},
        {name: names[kind] for name, kind in kinds.items()},
    )


def _reports(store: Store, read: Read, owing: OwedVerdicts, counts: Counts) -> tuple[InputReport, ...]:
    put_aside = _put_aside(store, read.commits)
    beside = _judged_in(read.files, owing, counts)

    def report(file: Input) -> InputReport:
        account = owing.accounts[file.name].settled(file.name)
        name, version = (file.broker, file.version) if file.form == TRACE else ("", "")
        # a line that was put aside may be the one that a rule would judge
        elsewhere = () if account.quarantined else beside[file.stream]
        owed = shown_claims(owing.claims[file.name], file, counts, elsewhere)
        verdicts = tuple(verdict(claim, file, put_aside[file.name], counts) for claim in owed)
        return InputReport(file.name, file.form, name, version, account, verdicts)

    # in the order in which the files were asked for; an empty file has no splits
    return tuple(report(file) for file in read.files if file.name in owing.accounts)


def _judged_in(files: Iterable[Input], owing: OwedVerdicts, counts: Counts) -> Mapping[str, set[str]]:
    """By stream, the ids of the rules that judge an event of one of its files."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in files:
        claims_on = owing.claims.get(file.name, ())
        found[file.stream] |= {claim.rule.id for claim in claims_on if is_judged(claim, file, counts)}
    return found


def _put_aside(store: Store, commits: Sequence[Commit]) -> dict[str, PutAside]:
    """By input, the quarantined lines of the input and of earlier inputs of its stream; `commits` are in order."""
    found: dict[str, PutAside] = {}
    of_stream: Counter[str] = Counter()
    first: dict[str, int] = {}
    doubts: dict[str, str] = {}
    for commit in commits:
        name, stream, count = commit.split.input.name, commit.split.input.stream, commit.account.quarantined
        if count and stream not in first:
            first[stream] = first_seq_put_aside(store, commit)
        doubt = doubts.setdefault(stream, "") or commit.split.input.peeked.doubt
        doubts[stream] = doubt
        known = found.get(name, PutAside(0, of_stream[stream]))
        found[name] = known._replace(lines=known.lines + count, first=first.get(stream), doubt=doubt)
        of_stream[stream] += count
    return found
