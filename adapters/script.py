"""Recordings that a script is written from: what those of all adapters share."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from tidegate.adapters.base import Call
from tidegate.adapters.loops import with_loops
from tidegate.record.report import Recording


def recorded(steps: Sequence[str], *, before: Sequence[str] = (), **values: Any) -> Recording:
    """The recording of these steps, with loops for repeated ones; `before` are lines that stay as they are."""
    return Recording((*before, *with_loops(steps)), values)


def without_repeated_looks(lines: Iterable[tuple[Call, str | None]], looks: Collection[str]) -> Iterator[str]:
    """The lines of calls; of verbs that look at something, only those that differ from the last look at it."""
    seen: dict[tuple[str, str], str] = {}
    for call, line in lines:
        if line is None:
            continue
        if call.verb in looks:
            if seen.get((call.verb, call.arguments[0])) == line:
                continue
            seen[call.verb, call.arguments[0]] = line
        yield line
