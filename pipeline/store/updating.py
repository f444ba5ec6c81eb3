"""Brings a store up to date with its inputs: plans, reads, and removes what does not stand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import NamedTuple

from tidegate.pipeline.files.parquet import in_parts
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.read.log import AT_ONCE
from tidegate.pipeline.read.reading import read_alike
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.store.commits import Commit, remove_leftovers
from tidegate.pipeline.store.content import seen
from tidegate.pipeline.store.known import KnownSplits, known
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.store.planning import Present, Work, plan
from tidegate.pipeline.store.writing import ReadAndCommit, Unread, unreadable
from tidegate.pipeline.work.engines import Runner
from tidegate.pipeline.work.progress import NO_PROGRESS, Progress


class Kept(NamedTuple):
    """What the store holds now: the splits of each stream in their order."""

    commits: tuple[Commit, ...]
    unread: Mapping[str, str]
    """One sentence for each input that could not be read, by its name."""
    notes: tuple[str, ...]
    """What else is to be said of the inputs."""


def bring_up_to_date(
    store: Store,
    files: Sequence[Input],
    folders: Sequence[Place],
    runner: Runner,
    reader: str,
    *,
    most_bytes: int,
    progress: Progress = NO_PROGRESS,
    before: KnownSplits | None = None,
) -> Kept:
    """Read what is new of the files; `reader` is the version of the readers, and `before` what is known by them.

    Raises TidegateError where a line is not accounted for.
    """
    before = before or known(store, reader)
    remove_leftovers(store, {commit.table for commit in before.commits})
    present, unread = _looked_up(files)
    found = plan(present, before.commits, folders, runner, most_bytes)
    progress.stage(f"reading {len(found.fresh)} splits, {len(found.kept)} are known")
    with progress.reading(len(found.fresh)) as show:

        def done(each: Sequence[Commit | Unread]) -> None:
            for one in each:
                show(one.account.lines if isinstance(one, Commit) else 0)

        read = [*chain(*runner.each(ReadAndCommit(store, reader), list(_together(found.fresh)), done))]
    unread |= {each.input: each.sentence for each in read if isinstance(each, Unread)}
    new = [each for each in read if isinstance(each, Commit)]
    standing = _numbered([each for each in (*found.kept, *new) if each.split.input.name not in unread])
    remove_leftovers(store, {commit.table for commit in standing})
    return Kept(standing, unread, (*before.damaged, *found.notes, *_clocks(standing)))


def _together(fresh: Sequence[Work]) -> Iterator[list[Work]]:
    """Splits that can be read together, up to AT_ONCE bytes at once."""
    for _, alike in groupby(sorted(fresh, key=_alike), key=_alike):
        yield from in_parts(list(alike), lambda work: work[0].end - work[0].start, AT_ONCE)


def _alike(work: Work) -> tuple[str, ...]:
    return read_alike(work[0])


def _clocks(commits: Sequence[Commit]) -> list[str]:
    steps: Counter[str] = Counter()
    for commit in commits:
        steps[commit.split.input.name] += commit.clock_steps
    return [
        f"{name}: {count:,} events are of an earlier time than the one before them; the order is that of the lines"
        for name, count in steps.items()
        if count
    ]


def _looked_up(files: Sequence[Input]) -> tuple[list[Present], dict[str, str]]:
    present, unread = [], {}
    for file in files:
        try:
            present.append(Present(file, seen(file.path)))
        except OSError as error:
            unread[file.name] = str(unreadable(file.name, error))
    return present, unread


def _numbered(commits: Sequence[Commit]) -> tuple[Commit, ...]:
    """The splits by stream, each with its place there, from 1."""
    ordered = sorted(commits, key=lambda each: (each.split.stream, each.split.input.ordinal, each.split.start))
    found, place, stream = list[Commit](), 0, None
    for commit in ordered:
        place = place + 1 if commit.split.stream == stream else 1
        stream = commit.split.stream
        # nearly all have their place already, and thousands of copies take their time
        at_place = commit.split.ordinal == place
        found.append(commit if at_place else replace(commit, split=replace(commit.split, ordinal=place)))
    return tuple(found)
