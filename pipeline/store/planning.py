"""What a run has to do: which splits stand, which have a new name or place, and which are to be read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.read.reading import begins_record, grows, ranges, stream_of
from tidegate.pipeline.read.split import Input, Split, numbered
from tidegate.pipeline.store.commits import Commit
from tidegate.pipeline.store.content import FileSeen
from tidegate.pipeline.store.matching import Held, Matching, Present, how_read
from tidegate.pipeline.store.writing import Moved, Work
from tidegate.pipeline.work.engines import Runner

AFTER_A_HOLE = "; whether there were more is not known, so what came after them is taken as a separate source"


@dataclass
class Plan:
    """What is to be done; `notes` are sentences for the report."""

    kept: list[Commit] = field(default_factory=list)
    """Splits that stand as they are, those of files that are gone among them."""
    moved: list[Moved] = field(default_factory=list)
    """Splits that are known by another name, or at another place of their stream."""
    fresh: list[Work] = field(default_factory=list)
    """Splits that are to be read."""
    notes: list[str] = field(default_factory=list)

    def add(self, split: Split, commit: Commit | None, seen: FileSeen) -> None:
        """One more split of a file, and what is known of its bytes."""
        if commit is None:
            self.fresh.append((split, seen))
        elif commit.split == split or replace(commit.split, ordinal=split.ordinal) == split:
            self.kept.append(commit)
        else:
            self.moved.append((commit, split, seen))


def plan(
    present: Sequence[Present], known: Sequence[Commit], folders: Sequence[Place], runner: Runner, most_bytes: int
) -> Plan:
    """What makes the store hold these inputs, in splits of at most about `most_bytes`.

    What is known of a log that is gone stands if it was in one of the `folders`. What else is known and is
    held by no input any more does not stand. Raises OSError where an input cannot be read.
    """
    matching = Matching(present, known, runner)
    held = matching.held()
    gone = _gone(held, matching, folders)
    numbers = _numbers(present, held, gone)
    found = Plan()
    for each in present:
        _plan_file(each, numbers[each.input.path], held, found, most_bytes)
    unended = _unended(present, held, gone)
    for place, commits in gone.items():
        last, stream = _retired(commits[-1], numbers[place]), commits[0].split.stream
        stream = unended.get(stream, stream)
        for commit in commits:
            split = replace(commit.split, input=_retired(commit, numbers[place]), stream=stream)
            found.add(split, commit, commit.content.seen)
        lines = sum(commit.account.lines for commit in commits)
        more = AFTER_A_HOLE if stream.endswith(_up_to(last)) else ""
        found.notes.append(f"{last.name} is gone; the {lines:,} lines read of it before still count{more}")
    gone_by_now = {commit.name for commits in gone.values() for commit in commits}
    found.notes += _changed(present, [commit for commit in held.by_none if commit.name not in gone_by_now])
    return found


def _plan_file(each: Present, ordinal: int, held: Held, found: Plan, most_bytes: int) -> None:
    file, size, at = numbered(each.input, ordinal), each.seen.size, 0
    known: list[tuple[int, int]] = []
    while (commit := held.longest_from(file.path, at)) is not None:
        known.append((at, commit.split.end))
        at = commit.split.end
    if known and at < size and not begins_record(file, at):
        # the last record that was read goes on in what was appended
        at, _ = known.pop()
    further = ranges(file, at, size, most_bytes) if at < size else ()
    for start, end in (*known, *further):
        found.add(Split(stream_of(file), 1, file, start, end), held.exactly(file.path, start, end), each.seen)


def _gone(held: Held, matching: Matching, folders: Sequence[Place]) -> dict[str, list[Commit]]:
    """The splits of each log that is gone, as far as they follow each other from its beginning.

    Under the name of a log that is gone there may be another by now: where one file of a stream has a new name, its
    files were rotated, and the content that none of them holds is gone.
    """
    rotated = _rotated(held)
    lost = [commit for commit in held.by_none if not matching.begins_as(commit)]
    found: dict[str, list[Commit]] = {}
    for commit in sorted(lost, key=lambda each: (each.split.start, -each.split.end)):
        path = place_of(commit.split.input.path)
        # the capabilities that a trace is judged by are gone with it
        may_stand = commit.split.input.form != TRACE and any(folder in path.parents for folder in folders)
        if may_stand and (commit.split.stream in rotated or not path.exists()):
            # a run that was killed may have left it under both its names
            row = found.setdefault(_retired(commit, 1).path, [])
            if commit.split.start == (row[-1].split.end if row else 0):
                row.append(commit)
    return {file: row for file, row in found.items() if row}


def _unended(present: Sequence[Present], held: Held, gone: Mapping[str, Sequence[Commit]]) -> dict[str, str]:
    """The streams of which all that is known is gone, each with what it is called from now on.

    Its last file may have grown before it went, and what there is of the stream by now came later. So lines may be
    missing in between, and what is gone is a stream by itself.
    """
    last: dict[str, Input] = {}
    for commits in gone.values():
        stream, file = commits[0].split.stream, _retired(commits[0], commits[0].split.input.ordinal)
        last[stream] = max(last.get(stream, file), file, key=lambda each: each.ordinal)
    still_there = {stream_of(each.input) for each in present if each.input.path in held.of}
    new = {stream_of(each.input) for each in present} - still_there
    return {stream: stream + _up_to(file) for stream, file in last.items() if stream in new and grows(file)}


def _up_to(file: Input) -> str:
    return f" (up to {file.name})"


def _rotated(held: Held) -> set[str]:
    """The streams in which a file has a new name, if only since a run that was killed."""
    kept = [(path, commit) for path, commits in held.of.items() for commit in commits]
    at = {(commit.split.stream, commit.content.digest): path for path, commit in kept}
    again = [(at.get((commit.split.stream, commit.content.digest)), commit) for commit in held.by_none]
    return {commit.split.stream for path, commit in (*kept, *again) if path and path != commit.split.input.path}


def _retired(commit: Commit, ordinal: int) -> Input:
    """The file that is gone, under a name that no other will have: its own, `#`, and how its digest begins."""
    file, mark = commit.split.input, f"#{commit.content.head[:8]}"
    return replace(
        file, name=file.name.removesuffix(mark) + mark, path=file.path.removesuffix(mark) + mark, ordinal=ordinal
    )


def _numbers(present: Sequence[Present], held: Held, gone: Mapping[str, Sequence[Commit]]) -> dict[str, int]:
    """The ordinal of each file in its stream, by its path."""
    streams: dict[str, list[Input]] = {}
    for each in present:
        streams.setdefault(stream_of(each.input), []).append(each.input)
    known = {path: commits[0].split.input.ordinal for path, commits in held.of.items()}
    of_stream: dict[str, dict[str, int]] = {}
    for path, commits in gone.items():
        of_stream.setdefault(commits[0].split.stream, {})[path] = commits[0].split.input.ordinal
    numbers: dict[str, int] = {}
    for stream in {*streams, *of_stream}:
        files = sorted(streams.get(stream, ()), key=lambda file: file.ordinal)
        of_files = {file.path: known[file.path] for file in files if file.path in known}
        numbers |= ordinals([file.path for file in files], of_files, of_stream.get(stream, {}))
    return numbers


def ordinals(present: Sequence[str], known: Mapping[str, int], gone: Mapping[str, int]) -> dict[str, int]:
    """A rising number for each file: present ones in their order, and those that are gone where they stood.

    `known` are the numbers of present files, `gone` those of files that are no longer there. A number changes only
    where a file was put in front that was not known.
    """
    left = sorted(gone, key=lambda path: gone[path])
    order: list[str] = []
    for path in present:
        if path in known:
            order += _taken(left, known[path], gone)
        order.append(path)
    last_known = max((place for place, path in enumerate(order) if path in known or path in gone), default=-1)
    order[last_known + 1 : last_known + 1] = left
    before = {**known, **gone}
    numbers: dict[str, int] = {}
    last = 0
    for path in order:
        last = before[path] if before.get(path, 0) > last else last + 1
        numbers[path] = last
    return numbers


def _taken(left: list[str], number: int, gone: Mapping[str, int]) -> Iterable[str]:
    """The files that are gone and stood before this number, which are then no longer left."""
    count = sum(gone[path] < number for path in left)
    taken = left[:count]
    del left[:count]
    return taken


def _changed(present: Sequence[Present], lost_commits: Iterable[Commit]) -> list[str]:
    """A sentence for each file that is read again, unless what was read of it is that of another file now."""
    lost = {commit.split.input.path: commit.split.input for commit in lost_commits}
    notes = []
    for each in present:
        before = lost.get(each.input.path)
        if before is None:
            continue
        why = "it changed otherwise than by growing since it was read"
        if how_read(each.input) != how_read(before):
            why = "it was read as another host's, in another order of files, or with other options"
        notes.append(f"{each.input.name} is read again, for {why}")
    return notes
