"""The lines that scripts by OpenWire and scripts by STOMP have in common."""

from collections.abc import Callable, Collection, Iterator, Sequence

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Limits, Outcome
from tidegate.adapters.script import line_of, short, without_repeated_looks

LOOKS = ("standing", "depth")
Line = Callable[[Call, Collection[str]], str | None]
"""One call as a line of Python, given all topics; None for a call that scripts omit."""


def steps_by(line: Line, calls: Sequence[Call]) -> Iterator[str]:
    """The lines that repeat the calls, without looks that show the same as the look before."""
    topics = {call.arguments[0] for call in calls if call.verb == "declare_topic"}
    return without_repeated_looks(((call, line(call, topics)) for call in calls), LOOKS)


def common_line(call: Call, topics: Collection[str]) -> str:
    """A call that scripts by both protocols write alike. Raises NoScript for any other verb."""
    match call.verb, call.arguments:
        case ("declare" | "declare_topic" | "change_limits") as verb, (str(destination), Limits() as limits):
            return f"{verb}({short(destination)!r}, {settings_of(limits)!r})"
        case "open_consumer", (str(consumer), str(connection), str(destination)):
            place = short(consumer), short(connection), short(destination), destination in topics
            return f"attach_consumer({', '.join(map(repr, place))})"
        case "advance", (int(ms),):
            return f"pass_time({ms})"
    return line_of(call)


def send_line(call: Call, to: str, waits: str) -> str:
    """The line that sends a message, or a comment that the producer `waits`, so that it could not send.

    `to` is the further argument of a message that names its destination.
    """
    producer, *_, message_id, size_bytes = call.arguments
    if call.answer is Outcome.BLOCKED:
        return f"# {short(producer)} could not send {short(message_id)}: {waits}"
    arguments = f"{short(producer)!r}, {short(message_id)!r}, {size_bytes}{to}"
    return f"send({arguments}, recorded={str(call.answer)!r})"
