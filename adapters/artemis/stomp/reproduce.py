"""Scripts that repeat a check on Artemis with nothing but Python: a STOMP client is a socket and some text."""

from collections.abc import Iterator, Sequence

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions
from tidegate.adapters.script import line_of, recorded, short, without_repeated_looks
from tidegate.record.report import Recording

LOOKS = ("standing", "depth")
NOT_REPEATED = ("log_lines", "settlements")
"""Verbs that a script omits: the log is on the broker's machine, and the answer to a send shows its refusal."""


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
                return _attached(producer, connection, short(destination), options)
        case "open_anonymous_producer", (str(producer), str(connection)):
            return _attached(producer, connection, None, ProducerOptions())
        case "open_consumer", (str(consumer), str(connection), str(destination)):
            place = short(consumer), short(connection), short(destination), destination in topics
            return f"attach_consumer({', '.join(map(repr, place))})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            return _sent(call, "", producer, message_id, size_bytes)
        case "send_to", (str(producer), str(destination), str(message_id), int(size_bytes)):
            return _sent(call, f", to={short(destination)!r}", producer, message_id, size_bytes)
        case "commit", (str(producer),):
            return f"commit({short(producer)!r}, recorded={str(call.answer)!r})"
        case "rollback", (str(producer),):
            return f"rollback({short(producer)!r})"
        case "advance", (int(ms),):
            return f"pass_time({ms})"
        case verb, _ if verb in NOT_REPEATED:
            return None
    return line_of(call)


def _repeated(options: ProducerOptions) -> ProducerOptions:
    """The options of a producer that a script sets."""
    return ProducerOptions(
        asynchronous=options.asynchronous, transacted=options.transacted, persistent=options.persistent
    )


def _attached(producer: str, connection: str, destination: str | None, options: ProducerOptions) -> str:
    """The line that attaches a producer."""
    place = short(producer), short(connection), destination
    settings = f"{options.asynchronous}, {options.transacted}, {options.persistent}"
    return f"attach_producer({', '.join(map(repr, place))}, {settings})"


def _sent(call: Call, to: str, producer: str, message_id: str, size_bytes: int) -> str:
    """The line that sends a message, or a comment on why it could not be sent."""
    if call.answer is Outcome.BLOCKED:
        return f"# {short(producer)} could not send {short(message_id)}: the broker owed it an answer"
    arguments = f"{short(producer)!r}, {short(message_id)!r}, {size_bytes}{to}"
    return f"send({arguments}, recorded={str(call.answer)!r})"
