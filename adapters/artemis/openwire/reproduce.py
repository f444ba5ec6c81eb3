"""Scripts that repeat a check on Artemis with only the JMS client for OpenWire and JPype1."""

from collections.abc import Iterator, Sequence

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions
from tidegate.adapters.script import line_of, recorded, short, without_repeated_looks
from tidegate.record.report import Recording

LOOKS = ("standing", "depth")
NOT_REPEATED = ("log_lines",)
"""Verbs that a script cannot repeat: the broker's log is on the broker's machine."""


def recording(calls: Sequence[Call]) -> Recording:
    """The recording of one check."""
    return recorded(list(steps(calls)))


def steps(calls: Sequence[Call]) -> Iterator[str]:
    """The lines that repeat the calls, without looks that show the same as the look before."""
    topics = {call.arguments[0] for call in calls if call.verb == "declare_topic"}
    return without_repeated_looks(((call, _line(call, topics)) for call in calls), LOOKS)


def _line(call: Call, topics: set[str]) -> str | None:
    """One call as a line of Python; None for a call that scripts omit."""
    match call.verb, call.arguments:
        case ("declare" | "declare_topic" | "change_limits") as verb, (str(destination), Limits() as limits):
            return f"{verb}({short(destination)!r}, {settings_of(limits)!r})"
        case "open_producer", (str(producer), str(connection), (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            if options == _repeated(options):
                place = short(producer), short(connection), short(destination), destination in topics
                return _attached(place, options)
        case "open_anonymous_producer", (str(producer), str(connection)):
            return _attached((short(producer), short(connection), None, False), ProducerOptions())
        case "open_consumer", (str(consumer), str(connection), str(destination)):
            place = short(consumer), short(connection), short(destination), destination in topics
            return f"attach_consumer({', '.join(map(repr, place))})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            return _sent(call, "", producer, message_id, size_bytes)
        case "send_to", (str(producer), str(destination), str(message_id), int(size_bytes)):
            to = f", to=({short(destination)!r}, {destination in topics})"
            return _sent(call, to, producer, message_id, size_bytes)
        case ("commit" | "rollback") as verb, (str(producer),):
            return f"{verb}({short(producer)!r})"
        case "settlements", (str(producer),):
            settled = [str(each.outcome) for each in call.answer]
            return f"came_back({short(producer)!r}, recorded={settled!r})" if settled else None
        case "advance", (int(ms),):
            return f"pass_time({ms})"
        case verb, _ if verb in NOT_REPEATED:
            return None
    return line_of(call)


def _repeated(options: ProducerOptions) -> ProducerOptions:
    """The options of a producer that a script sets."""
    return ProducerOptions(
        asynchronous=options.asynchronous,
        window_bytes=options.window_bytes,
        transacted=options.transacted,
        persistent=options.persistent,
    )


def _attached(place: tuple[str, str, str | None, bool], options: ProducerOptions) -> str:
    """The line that attaches a producer. `place`: its name, connection and destination, and whether this is a topic."""
    settings = f"{options.asynchronous}, {options.window_bytes or 0}, {options.transacted}, {options.persistent}"
    return f"attach_producer({', '.join(map(repr, place))}, {settings})"


def _sent(call: Call, to: str, producer: str, message_id: str, size_bytes: int) -> str:
    """The line that sends a message, or a comment on why it could not be sent."""
    if call.answer is Outcome.BLOCKED:
        return f"# {short(producer)} could not send {short(message_id)}: its last call still waited"
    arguments = f"{short(producer)!r}, {short(message_id)!r}, {size_bytes}{to}"
    return f"send({arguments}, recorded={str(call.answer)!r})"
