"""From paths to a report: brings the store up to date, judges its events and measures them."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
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
            checked = _checked_files(store, read.commits, rules)
            judging = Judging(store, together, {name: each.rules for name, each in checked.items()})
            measuring = Measuring([[_measured(store, row) for row in batch] for batch in together], store.folder)
            progress.stage(_stage(checked.values()))
            tasks: list[Callable[[], Any]] = [*judging.tasks, *measuring.tasks]
            # together, since one stream alone would leave the other processors idle
            done = list(runner.each(call, tasks))
            counts = judging.done(done[: len(judging.tasks)])
            reports = tuple(_reports(read.files, checked, counts))
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


class CheckedFile(NamedTuple):
    """The claims on a checked file with the names of their rules, the lines put aside, and the counts of its lines."""

    claims: tuple[Claim, ...]
    rules: RuleNames
    put_aside: PutAside
    account: Account = NO_LINES


def _checked_files(store: Store, commits: Sequence[Commit], rules: Mapping[str, Rule]) -> dict[str, CheckedFile]:
    """The files by name; the commits are in the order of their streams."""

    @cache
    def owed(form: str, capabilities: tuple[str, ...]) -> tuple[tuple[Claim, ...], RuleNames]:
        found = claims(form, frozenset(capabilities), rules)
        return found, names_of([rule for claim in found for rule in claim.definitions])

    found: dict[str, CheckedFile] = {}
    streams: dict[str, PutAside] = {}
    for commit in commits:
        file, count = commit.split.input, commit.account.quarantined
        before = streams.get(file.stream, PutAside())
        first = first_seq_put_aside(store, commit) if count and before.first is None else before.first
        so_far = PutAside(0, before.before + count, first, before.doubt or file.peeked.doubt)
        streams[file.stream] = so_far
        known = found.get(file.name) or CheckedFile(*owed(file.form, file.capabilities), PutAside(0, before.before))
        put_aside = known.put_aside._replace(lines=known.put_aside.lines + count, first=first, doubt=so_far.doubt)
        found[file.name] = known._replace(put_aside=put_aside, account=known.account + commit.account)
    return found


def _stage(checked: Iterable[CheckedFile]) -> str:
    """The stage of judging, in words."""
    events = sum(each.account.events for each in checked)
    rules = {rule for each in checked for rule in each.rules}
    return f"judging {counted(events, 'events')} by {len(rules)} rules and measuring who was stopped"


def _reports(files: Iterable[Input], checked: Mapping[str, CheckedFile], counts: Counts) -> Iterator[InputReport]:
    """The reports of the files in this order; an empty file has no lines in the store."""
    shown = [(file, checked[file.name]) for file in files if file.name in checked]
    judged: dict[str, set[str]] = defaultdict(set)
    for file, of in shown:
        judged[file.stream] |= {claim.rule.id for claim in of.claims if is_judged(claim, file, counts)}
    for file, of in shown:
        account = of.account.settled(file.name)
        name, version = (file.broker, file.version) if file.form == TRACE else ("", "")
        # a line that was put aside may be the one that a rule would judge
        elsewhere = () if account.quarantined else judged[file.stream]
        owed = shown_claims(of.claims, file, counts, elsewhere)
        verdicts = tuple(verdict(claim, file, of.put_aside, counts) for claim in owed)
        yield InputReport(file.name, file.form, name, version, account, verdicts)
