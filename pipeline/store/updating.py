"""Brings a store up to date with its inputs: plans which splits stay, reads the others, removes leftovers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple

from tidegate.pipeline.files.parquet import in_parts
from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.read.blocks import SIZE
from tidegate.pipeline.read.reading import begins_record, grows, ranges, read_alike
from tidegate.pipeline.read.split import Input, Split
from tidegate.pipeline.store.commits import Commit, KnownSplits, digest_of_split, known, remove_others, seen
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.store.writing import Unread, read_and_commit, unreadable
from tidegate.pipeline.work.engines import NO_PROGRESS, Progress, Runner
from tidegate.record.counts import counted

CHANGED = "changed otherwise than by growing since it was read"


class Plan(NamedTuple):
    """The splits that stay as they are, the splits to be read, and sentences for the report."""

    kept: Sequence[Commit]
    fresh: Sequence[Split]
    notes: Sequence[str]


def plan(
    present: Sequence[Split], known: Sequence[Commit], folders: Sequence[Place], runner: Runner, most_bytes: int
) -> Plan:
    """The plan after which the store holds exactly the `present` files, in splits of at most about `most_bytes`.

    A split stays if its file still holds its bytes and is read in the same way, and if the same holds for all splits in
    its table. Raises OSError where an input cannot be read.
    """
    held = _held(present, known, runner)
    changed = {commit.split.input.path for commit in known} - {commit.split.input.path for commit in held}
    while True:
        rows = _rows(present, held)
        kept = [commit for row in rows for commit in row]
        names = {commit.name for commit in kept}
        broken = {commit.table for commit in known if commit.name not in names}
        if broken.isdisjoint(commit.table for commit in held):
            break
        held = [commit for commit in held if commit.table not in broken]
    fresh = [split for each, row in zip(present, rows, strict=True) for split in _fresh(each, row, most_bytes)]
    return Plan(kept, fresh, _notes(present, known, changed, folders))


def _held(present: Sequence[Split], known: Sequence[Commit], runner: Runner) -> list[Commit]:
    """The known splits whose bytes the files still hold."""
    files = {each.input.path: each for each in present}
    looked_at = {(commit.split.input.path, commit.split.seen) for commit in known}
    held: list[Commit] = []
    asked: list[Commit] = []
    for commit in known:
        each = files.get(commit.split.input.path)
        if each is not None and each.input == commit.split.input:
            # a run that saw the file in this state has compared all its known splits with its bytes
            untouched = (each.input.path, each.seen) in looked_at
            size = commit.split.seen.size
            fits = each.seen.size >= commit.split.end if grows(each.input) else each.seen.size == size
            if untouched or fits:
                (held if untouched else asked).append(commit)
    digests = runner.each(digest_of_split, [commit.split for commit in asked])
    return [*held, *(commit for commit, digest in zip(asked, digests, strict=True) if digest == commit.digest)]


def _rows(present: Iterable[Split], held: Iterable[Commit]) -> list[list[Commit]]:
    """The splits of each file that follow each other from its first byte; of several with one begin, the longest."""
    at: dict[tuple[str, int], Commit] = {}
    for commit in sorted(held, key=lambda each: each.split.end):
        at[commit.split.input.path, commit.split.start] = commit
    return [_row(each, at) for each in present]


def _row(each: Split, at: Mapping[tuple[str, int], Commit]) -> list[Commit]:
    row: list[Commit] = []
    end = 0
    while (commit := at.get((each.input.path, end))) is not None and commit.split.end > end:
        row.append(commit)
        end = commit.split.end
    # the last record that was read may continue in the appended bytes
    return row[:-1] if row and end < each.seen.size and not begins_record(each.input, end) else row


def _fresh(each: Split, row: Sequence[Commit], most_bytes: int) -> Iterator[Split]:
    start, size = row[-1].split.end if row else 0, each.seen.size
    for begin, end in ranges(each.input, start, size, most_bytes) if start < size else ():
        yield Split(each.input, begin, end, each.seen)


def _notes(present: Sequence[Split], known: Iterable[Commit], changed: Set[str], folders: Sequence[Place]) -> list[str]:
    """A sentence for each file that changed since it was read, and for each file that is gone from its folder."""
    files = {each.input.path: each.input for each in present}
    lines: dict[Input, int] = {}
    for commit in known:
        lines[commit.split.input] = lines.get(commit.split.input, 0) + commit.account.lines
    notes, again = list[str](), dict[str, list[str]]()
    for before, count in lines.items():
        now, path = files.get(before.path), place_of(before.path)
        if now is None and any(folder in path.parents for folder in folders) and not path.exists():
            notes.append(f"{before.name} is gone; the {counted(count, 'lines')} read of it before count no longer")
        elif now is not None and before.path in changed:
            other = now != before
            why = "was read as another host's, in another order of files, or with other options" if other else CHANGED
            again.setdefault(why, []).append(before.name)
    for why, (first, *further) in again.items():  # a rotation gives every file of a host another name
        all_of_them = f"{first} and {len(further):,} more files are read again, for each"
        which = all_of_them if further else f"{first} is read again, for it"
        notes.append(f"{which} {why}")
    return notes


class Kept(NamedTuple):
    """The content of the store: the splits of each stream in their order."""

    commits: tuple[Commit, ...]
    unread: Mapping[str, str]
    """One sentence for each input that could not be read, by its name."""
    notes: tuple[str, ...]
    """Further sentences about the inputs."""


def bring_up_to_date(
    store: Store,
    files: Sequence[Input],
    folders: Sequence[Place],
    runner: Runner,
    *,
    most_bytes: int,
    progress: Progress = NO_PROGRESS,
    before: KnownSplits | None = None,
) -> Kept:
    """Read the new parts of the files; `before` are the known splits, if somebody has looked them up already.

    Raises TidegateError where a line is not accounted for.
    """
    before = before or known(store)
    remove_others(store, {commit.table for commit in before.commits})
    present, unread = _looked_up(files)
    found = plan(present, before.commits, folders, runner, most_bytes)
    progress.stage(f"reading {counted(len(found.fresh), 'splits')}, {len(found.kept):,} known already")
    read: list[Commit | Unread] = []
    work = partial(read_and_commit, store=store)
    with progress.reading(len(found.fresh)) as show:
        for each in chain.from_iterable(runner.each(work, list(_together(found.fresh)))):
            read.append(each)
            show(each.account.lines if isinstance(each, Commit) else 0)
    unread |= {each.input: each.sentence for each in read if isinstance(each, Unread)}
    new = [each for each in read if isinstance(each, Commit)]
    standing = sorted((each for each in (*found.kept, *new) if each.split.input.name not in unread), key=_place)
    remove_others(store, {commit.table for commit in standing})
    return Kept(tuple(standing), unread, (*before.damaged, *found.notes, *_clocks(standing)))


def _together(fresh: Sequence[Split]) -> Iterator[list[Split]]:
    """Splits that can be read together, in lists of up to SIZE bytes."""
    for _, alike in groupby(sorted(fresh, key=read_alike), key=read_alike):
        yield from in_parts(list(alike), lambda split: split.end - split.start, SIZE)


def _clocks(commits: Sequence[Commit]) -> list[str]:
    steps: Counter[str] = Counter()
    for commit in commits:
        steps[commit.split.input.name] += commit.clock_steps
    return [
        f"{name}: {count:,} events are of an earlier time than the one before them; the order is that of the lines"
        for name, count in steps.items()
        if count
    ]


def _looked_up(files: Sequence[Input]) -> tuple[list[Split], dict[str, str]]:
    """Each file that exists, as a split of the whole file, and a sentence for each other one."""
    present, unread = [], {}
    for file in files:
        try:
            state = seen(file.path)
            present.append(Split(file, 0, state.size, state))
        except OSError as error:
            unread[file.name] = str(unreadable(file.name, error))
    return present, unread


def _place(commit: Commit) -> tuple[str, int, int]:
    """The place of a split: streams by name, and the lines of a stream in their order."""
    split = commit.split
    return split.input.stream, split.input.ordinal, split.start
