"""What is read: files, each recognised as a headgate trace or as the log of a broker by what stands in it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from headgate.pipeline.ingest.form import Form as Form
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.record.errors import BadInput

TRACES = "trace*.jsonl"
LOGS = "*.log"


@dataclass(frozen=True)
class Input:
    """A file to read: `name` is how it was named by the user and how its events and errors name it."""

    name: str
    path: str
    form: Form
    host: str = ""
    ordinal: int = 1


def inputs(paths: Iterable[Path]) -> tuple[Input, ...]:
    """The files to read, each once. A folder stands for the traces in it and its logs that are not empty.

    Raises BadInput for a path that is not there or cannot be read, a folder without either, and a file that is
    neither a trace nor a log of a known broker.
    """
    found = look_for(paths)
    if found.refused:
        raise found.refused[0]
    return found.inputs


@dataclass(frozen=True)
class Found:
    """The files that can be read, and what is wrong with each path that cannot."""

    inputs: tuple[Input, ...]
    refused: tuple[BadInput, ...]


def look_for(paths: Iterable[Path]) -> Found:
    """The same; what is wrong with one path keeps no other from being read."""
    found: dict[str, Input] = {}
    refused: list[BadInput] = []
    for path in paths:
        try:
            files = list(_files(path))
        except BadInput as error:
            refused.append(error)
            continue
        for file in files:
            try:
                form = recognise(file)
            except BadInput as error:
                refused.append(error)
            else:
                where = str(file.resolve())
                found.setdefault(where, Input(str(file), where, form))
    return Found(tuple(found.values()), tuple(refused))


def recognise(path: Path) -> Form:
    """What kind of file this is, by its first line that says so. BadInput where none does, or it is unreadable."""
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            first = lines.readline()
            if first.startswith("{") or path.suffix == ".jsonl":
                return Form.TRACE
            lines.seek(0)
            for line in lines:
                for form, log in LOG_FORMS.items():
                    if log.recognised_by.search(line):
                        return form
    except OSError as error:
        raise BadInput(f"expected a file that can be read, but {error.strerror}", file=path) from error
    raise BadInput("expected a headgate trace, or the log of a Qpid or Artemis broker", file=path)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    try:
        # a glob finds nothing in a folder that may not be listed, and does not say so
        os.listdir(path)  # noqa: PTH208
        files = sorted([*path.glob(TRACES), *(log for log in path.glob(LOGS) if log.stat().st_size)])
    except OSError as error:
        raise BadInput(f"expected a folder that can be read, but {error.strerror}", file=path) from error
    if not files:
        raise BadInput(f"expected a folder with traces ({TRACES}) or broker logs ({LOGS})", file=path)
    yield from files
