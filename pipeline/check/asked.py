"""What a check is asked to read: the files that can be read, whom each is about, and why others are left out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.read.files import named_files
from tidegate.pipeline.read.inputs import ReadOptions, look_for
from tidegate.pipeline.read.opening import Damaged, is_packed, lines_of, unpacked
from tidegate.pipeline.read.reading import stream_of
from tidegate.pipeline.read.sources import apart
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.store.writing import Whose
from tidegate.pipeline.work.engines import Runner
from tidegate.record.errors import BadInput
from tidegate.record.values import BadValue, read_value


@dataclass(frozen=True)
class Identity:
    """An implementation as it named itself, and what it is able to show."""

    name: str
    version: str
    capabilities: frozenset[str]


def identity_of(trace: Place) -> Identity:
    """The implementation in the header of a trace. BadInput where it is missing or malformed."""
    try:
        with unpacked(trace, is_packed(trace)) as file:
            header = next(lines_of(file), b"")
        return read_value(Identity, json.dumps(json.loads(header)["implementation"]).encode())
    except BadValue as error:
        field = f"implementation.{error.field}" if error.field else "implementation"
        raise BadInput(error.fault, file=str(trace), line=1, field=field) from error
    except (Damaged, ValueError, TypeError, KeyError, RecursionError) as error:
        expected = "expected a header with the implementation that the trace is about"
        raise BadInput(expected, file=str(trace), line=1, field="implementation") from error


NOBODY = Identity("", "", frozenset())


class Asked(NamedTuple):
    """The files, who they are about by their names, and sentences: on what is left out, and on what to know beside."""

    files: tuple[Input, ...]
    identities: Mapping[str, Identity]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]

    def capabilities(self, name: str) -> frozenset[str]:
        """What the implementation that a file is about can show; nothing is known for a log."""
        return self.identities.get(name, NOBODY).capabilities

    def whose(self, file: Input) -> Whose:
        """Whose events a file holds: as the trace says, or by the form of the log and what it says of its version."""
        if file.form == TRACE:
            said = self.identities[file.name]
            return Whose(said.name, said.version)
        return Whose(LOG_FORMS[file.form].broker, file.version or None)

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
    """How many bytes the files hold that paths stand for, as they are on the disk; what is not there holds none."""
    named, *_ = named_files(paths)
    return sum(found.stat().st_size for each in named if (found := place_of(each.path)).exists())


def asked_for(paths: Sequence[Place], options: ReadOptions, runner: Runner) -> Asked:
    """Look at all files that paths stand for. Raises BadInput for options without a meaning."""
    found = look_for(paths, options, runner)
    left_out = [str(error) for error in found.refused]
    identities: dict[str, Identity] = {}
    for file in found.inputs:
        try:
            identities[file.name] = identity_of(place_of(file.path)) if file.form == TRACE else NOBODY
        except BadInput as error:
            left_out.append(str(error))
    files = tuple(file for file in found.inputs if file.name in identities)
    return Asked(files, identities, tuple(left_out), found.notes)
