"""What a check is asked to read: the files that can be read, and why others are left out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.read.files import named_files
from tidegate.pipeline.read.inputs import ReadOptions, look_for
from tidegate.pipeline.read.reading import stream_of
from tidegate.pipeline.read.sources import apart
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.work.engines import Runner


class Asked(NamedTuple):
    """The files to read, a sentence for each file that is left out, and further sentences for the user."""

    files: tuple[Input, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]

    def without(self, unread: Mapping[str, str]) -> "Asked":
        """The same without files that turned out not to be readable, by their names, each with a sentence why.

        What such a file holds is missing from its stream; so the other files of that are each one by itself.
        """
        rows: dict[str, list[Input]] = {}
        for file in self.files:
            rows.setdefault(stream_of(file), []).append(file)
        files, notes = [], list(self.notes)
        for stream, row in rows.items():
            rest = [file for file in row if file.name not in unread]
            if len(rest) > 1 and len(rest) < len(row):
                rest, said = apart(stream, rest, [file.name for file in row if file.name in unread])
                notes += said
            files += rest
        return self._replace(files=tuple(files), left_out=(*self.left_out, *unread.values()), notes=tuple(notes))


def size_of(paths: Sequence[Place]) -> int:
    """The size on disk of all files that the paths name, in bytes; a missing file has no bytes."""
    named, *_ = named_files(paths)
    return sum(found.stat().st_size for each in named if (found := place_of(each.path)).exists())


def asked_for(paths: Sequence[Place], options: ReadOptions, runner: Runner) -> Asked:
    """Look at all files that paths stand for. Raises BadInput for options without a meaning."""
    found = look_for(paths, options, runner)
    return Asked(found.inputs, tuple(map(str, found.refused)), found.notes)
