"""The common part of all adapters' recordings. The script of a check is written from a recording."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from tidegate.adapters.base import Call, Depth
from tidegate.adapters.groups import NoScript
from tidegate.adapters.loops import with_loops
from tidegate.record.report import Recording


def recorded(steps: Sequence[str], *, before: Sequence[str] = (), **values: Any) -> Recording:
    """The recording of these steps, with a loop for steps that repeat; the lines `before` them stay as they are."""
    return Recording((*before, *with_loops(steps)), values)


def without_repeated_looks(lines: Iterable[tuple[Call, str | None]], looks: Collection[str]) -> Iterator[str]:
    """The lines of calls, without a look that shows the same as the previous look at the same object."""
    seen: dict[tuple[str, str], str] = {}
    for call, line in lines:
        if line is None:
            continue
        if call.verb in looks:
            if seen.get((call.verb, call.arguments[0])) == line:
                continue
            seen[call.verb, call.arguments[0]] = line
        yield line


def line_of(call: Call) -> str:
    """A call of the scripts with Java clients, as Python. Raises NoScript for a verb without a common line."""
    match call.verb, call.arguments:
        case "take", (str(consumer),):
            taken = call.answer and short(call.answer.message_id)
            return f"take({short(consumer)!r}, recorded={taken!r})"
        case "acknowledge", (str(consumer), str(message_id)):
            return f"acknowledge({short(consumer)!r}, {short(message_id)!r})"
        case ("close_producer" | "close_consumer" | "kill" | "purge") as verb, (str(name),):
            return f"{verb}({short(name)!r})"
        case "standing", (str(producer),):
            return f"standing({short(producer)!r}, recorded={'waits' if call.answer.stopped else 'free'!r})"
        case "depth", (str(destination),):
            return f"depth({short(destination)!r}, recorded={held(call.answer)!r})"
    raise NoScript(f"no line of a script for {call.verb}{call.arguments}")


def held(depth: Depth) -> str:
    """The content of a destination, in the form that scripts compare."""
    return f"{depth.bytes} bytes in {depth.messages} messages"


def short(name: str) -> str:
    """A name without the prefix that keeps the scenarios of one run apart."""
    return name.partition(".")[2] or name
