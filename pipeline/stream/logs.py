"""Which logs a watch is over."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from headgate.pipeline.ingest.inputs import Form, Input, inputs
from headgate.record.errors import BadInput


def watched(paths: Iterable[Path], known: Mapping[str, Form]) -> tuple[Input, ...]:
    """The logs that paths stand for, each once, also those that an earlier watch knew and that are just rotated away.

    Raises BadInput for a path that is not there or cannot be read, for one that is no log, and for a trace.
    """
    found: dict[str, Input] = {}
    for path in paths:
        for log in _logs(path, known):
            if log.form is Form.TRACE:
                raise BadInput(
                    "expected the log of a broker; a trace is checked by headgate trace check", file=log.name
                )
            found.setdefault(log.path, log)
    return tuple(found.values())


def _logs(path: Path, known: Mapping[str, Form]) -> Iterable[Input]:
    """Those that were known go by that, for an empty file says nothing of what it is the log of."""
    again = [
        Input(name, str(Path(name).resolve()), form)
        for name, form in known.items()
        if Path(name) == path or Path(name).parent == path
    ]
    if Path(path) in {Path(log.name) for log in again}:
        return again
    try:
        return [*again, *inputs([path])]
    except BadInput:
        if again and path.is_dir():
            return again
        raise
