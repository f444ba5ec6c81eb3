"""The logs that a watch follows."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tidegate.pipeline.read.files import host_of
from tidegate.pipeline.read.inputs import FoundFiles, inputs, look_for
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.read.split import Input
from tidegate.record.errors import BadInput


def watched(paths: Iterable[Path], known: Mapping[str, str]) -> FoundFiles:
    """The logs that paths stand for, each once, also logs that an earlier watch knew and that are just rotated away.

    A folder stands for the logs in it and below it: of a host's files for the one that was written last, since the
    others are rotated away. Other files with names of logs are refused. `known` has the form of each known log by name.
    Raises BadInput for a path that is not there or cannot be read, for one that is no log or no folder with logs, and
    for a file that does not grow: a trace, or a packed file.
    """
    found: dict[str, Input] = {}
    refused: list[BadInput] = []
    for path in paths:
        below = _logs_below(path, known) if path.is_dir() else FoundFiles(_log(path, known))
        refused += below.refused
        for log in below.inputs:
            found.setdefault(log.path, log)
    return FoundFiles(tuple(found.values()), tuple(refused))


def _log(path: Path, known: Mapping[str, str]) -> tuple[Input]:
    """The log of a path. A log that an earlier watch knew keeps its form, because an empty file shows no form."""
    if str(path) in known:
        return (_known(str(path), known[str(path)]),)
    (log,) = inputs([path])
    if not grows(log):
        raise BadInput("expected the growing log of a broker; tidegate trace check reads other files", file=path)
    return (log,)


def _logs_below(folder: Path, known: Mapping[str, str]) -> FoundFiles:
    again = [_known(name, form) for name, form in known.items() if folder in Path(name).parents]
    seen = look_for([folder])
    growing = [log for log in seen.inputs if grows(log)]
    if not again and not growing:
        nothing = BadInput("expected a folder with growing logs; tidegate trace check reads other files", file=folder)
        raise (*seen.refused, nothing)[0]
    latest = {(log.host, log.form): log for log in sorted(growing, key=lambda log: Path(log.path).stat().st_mtime_ns)}
    hosts = {host_of(log.name, ()) for log in again}
    new = (log for log in latest.values() if log.host not in hosts)
    refused = (error for error in seen.refused if error.file != str(folder))
    return FoundFiles((*again, *new), tuple(refused))


def _known(name: str, form: str) -> Input:
    return Input(name, str(Path(name).resolve()), form)
