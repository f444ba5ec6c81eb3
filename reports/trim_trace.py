"""Trims a trace to the scenarios whose names match, so that a real trace is small enough to be test data.

    python reports/trim_trace.py TRACE PATTERN > TRIMMED

The header stays as it is; the footer counts the remaining events.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from tidegate.record.trace import TraceWriter, read_trace


def trim(trace: Path, trimmed: Path, keeps: Callable[[str], object]) -> int:
    """Write the events of the kept sources to another file; the number of these events."""
    with trace.open(encoding="utf-8") as file:
        implementation = json.loads(file.readline())["implementation"]
    events = 0
    with TraceWriter(trimmed, **implementation) as writer:
        for event in read_trace(trace):
            if keeps(event.source):
                writer.write(event)
                events += 1
    return events


if __name__ == "__main__":
    trim(Path(sys.argv[1]), Path("/dev/stdout"), re.compile(sys.argv[2]).search)
