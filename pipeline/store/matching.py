"""Which of the known splits the files that are there still hold, told by their bytes and not by their names."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.store.commits import Commit
from tidegate.pipeline.store.content import HEAD_BYTES, FileSeen, head, still_holds
from tidegate.pipeline.work.engines import Runner


class Present(NamedTuple):
    """An input that is there, as it was seen before any of it was read."""

    input: Input
    seen: FileSeen


@dataclass
class Held:
    """The known splits that each present file holds, by its path, and those that no file holds."""

    of: dict[str, list[Commit]] = field(default_factory=dict)
    by_none: list[Commit] = field(default_factory=list)

    def longest_from(self, path: str, start: int) -> Commit | None:
        """The longest split that a file holds from this byte."""
        found = [commit for commit in self.of.get(path, ()) if commit.split.start == start < commit.split.end]
        return max(found, key=lambda commit: commit.split.end, default=None)

    def exactly(self, path: str, start: int, end: int) -> Commit | None:
        """The split of just these bytes of a file."""
        places = {(commit.split.start, commit.split.end): commit for commit in self.of.get(path, ())}
        return places.get((start, end))


def how_read(file: Input) -> Input:
    """How a file is read and into which stream, whatever its name and its place there: equal where that is the same."""
    return replace(file, name="", path="", ordinal=0)


class Matching:
    """Matches files with known splits: first under their own names, then, where a file was renamed, under others."""

    def __init__(self, present: Sequence[Present], known: Sequence[Commit], runner: Runner):
        self._present = present
        self._known = known
        self._runner = runner
        self._seen = {(commit.split.input.path, commit.content.seen) for commit in known}
        self._heads: dict[tuple[str, int], str] = {}

    def held(self) -> Held:
        """Each known split is held by one file at most. Raises OSError where a file cannot be read."""
        found = Held(by_none=list(self._known))
        by_path: dict[str, list[Commit]] = {}
        for commit in self._known:
            by_path.setdefault(commit.split.input.path, []).append(commit)
        alike = [
            (each, commit)
            for each in self._present
            for commit in by_path.get(each.input.path, ())
            if each.input == commit.split.input or how_read(each.input) == how_read(commit.split.input)
        ]
        self._settle(found, alike)
        # of thousands of files and splits only those of one stream are compared
        left: dict[Input, list[Commit]] = {}
        for commit in found.by_none:
            left.setdefault(how_read(commit.split.input), []).append(commit)
        others = [each for each in self._present if left and each.input.path not in found.of]
        self._settle(found, [(each, commit) for each in others for commit in left.get(how_read(each.input), ())])
        return found

    def begins_as(self, commit: Commit) -> bool:
        """Whether a file of the same host has the beginning of the file that the split was read from."""
        host = commit.split.input.host
        of_host = (each for each in self._present if host and each.input.host == host)
        return any(self._head(each, commit) == commit.content.head for each in of_host)

    def _settle(self, found: Held, pairs_asked: Sequence[tuple[Present, Commit]]) -> None:
        pairs = [(each, commit) for each, commit in pairs_asked if self._may_hold(each, commit)]
        asked = [pair for pair in pairs if not self._is_untouched(*pair)]
        checks = [
            (each.input.path, commit.split.start, commit.split.end, commit.content.digest) for each, commit in asked
        ]
        lost = {
            (each.input.path, commit.name)
            for (each, commit), holds in zip(asked, self._runner.each(still_holds, checks), strict=True)
            if not holds
        }
        taken: set[str] = set()
        for each, commit in pairs:
            if (each.input.path, commit.name) not in lost and commit.name not in taken:
                taken.add(commit.name)
                found.of.setdefault(each.input.path, []).append(commit)
        found.by_none = [commit for commit in found.by_none if commit.name not in taken]

    def _may_hold(self, each: Present, commit: Commit) -> bool:
        """What can be said without reading all of it: it is as large, and begins the same."""
        size = commit.content.seen.size
        fits = each.seen.size >= commit.split.end if grows(each.input) else each.seen.size == size
        if not fits:
            return False
        as_read = each.input.path == commit.split.input.path and each.seen == commit.content.seen
        return as_read or self._head(each, commit) == commit.content.head

    def _is_untouched(self, each: Present, commit: Commit) -> bool:
        """Whether the file is as it was when a split of it was read, and all splits before that were held to it."""
        path = each.input.path
        return commit.split.input.path == path and (path, each.seen) in self._seen

    def _head(self, each: Present, commit: Commit) -> str:
        size = commit.content.seen.size
        key = (each.input.path, min(size, HEAD_BYTES))
        if key not in self._heads:
            self._heads[key] = head(each.input, size)
        return self._heads[key]
