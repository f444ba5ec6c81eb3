"""Lines of a Qpid broker about a queue that fills up, stops a channel, and lets it go; and checks of logs of these."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from click.testing import CliRunner, Result

from tidegate.cli.trace import trace
from tidegate.record.errors import TidegateError

QUEUE = "[vh(/test)/qu(q)] [vh(/test)/qu(q)]"
CHANNEL = "[con:1(guest@a/test)/ch:1] [con:1(guest@a/test)/ch:1]"
OVERFULL = f"{QUEUE} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
STOPPED = f"{CHANNEL} CHN-1005 : Flow Control Enforced (Queue q)"
UNDERFULL = f"{QUEUE} QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"
RELEASED = f"{CHANNEL} CHN-1006 : Flow Control Removed"


def line(said: str, at: str = "2026-01-31 23:59:59,123") -> str:
    """A line of a log."""
    return f"{at} MESSAGE {said}\n"


EPISODE = [line(said) for said in (OVERFULL, STOPPED, UNDERFULL, RELEASED)]
"""All four at one time."""


def check(folder: Path, *arguments: object, out: str = "out") -> Result:
    """`tidegate trace check` with its report in `folder/out`; an error that a user can mend is raised."""
    result = CliRunner().invoke(trace, ["check", *map(str, arguments), "--report", str(folder / out)])
    if isinstance(result.exception, TidegateError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def report(folder: Path, out: str = "out") -> dict[str, Any]:
    """What the report says."""
    said: dict[str, Any] = json.loads((folder / out / "trace-report.json").read_text())
    return said


def table(folder: Path, name: str, out: str = "out") -> list[dict[str, Any]]:
    """The rows of a table."""
    found: list[dict[str, Any]] = pq.read_table(folder / out / name).to_pylist()
    return found
