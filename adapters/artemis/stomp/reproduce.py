"""Scripts that repeat a check on Artemis with nothing but Python: a STOMP client is a socket and some text."""

from collections.abc import Collection, Iterator, Sequence

from tidegate.adapters.artemis.script_lines import common_line, send_line, steps_by
from tidegate.adapters.base import Call, ProducerOptions
from tidegate.adapters.script import recorded, short
from tidegate.record.report import Recording

WAITS = "the broker owed it an answer"
NOT_REPEATED = ("log_lines", "settlements")
"""Verbs that a script omits: the log is on the broker's machine, and the answer to a send shows its refusal."""


def recording(calls: Sequence[Call]) -> Recording:
    """The recording of one check."""
    return recorded(list(steps(calls)))


def steps(calls: Sequence[Call]) -> Iterator[str]:
    """The lines that repeat the calls, without looks that show the same as the look before."""
    return steps_by(_line, calls)


def _line(call: Call, topics: Collection[str]) -> str | None:
    """One call as a line of Python; None for a call that scripts omit."""
    match call.verb, call.arguments:
        case "open_producer", (str(producer), str(connection), (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            if options == _repeated(options):
                return _attached(producer, connection, short(destination), options)
        case "open_anonymous_producer", (str(producer), str(connection)):
            return _attached(producer, connection, None, ProducerOptions())
        case "send", _:
            return send_line(call, "", WAITS)
        case "send_to", (_, str(destination), _, _):
            return send_line(call, f", to={short(destination)!r}", WAITS)
        case "commit", (str(producer),):
            return f"commit({short(producer)!r}, recorded={str(call.answer)!r})"
        case "rollback", (str(producer),):
            return f"rollback({short(producer)!r})"
        case verb, _ if verb in NOT_REPEATED:
            return None
    return common_line(call, topics)


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
