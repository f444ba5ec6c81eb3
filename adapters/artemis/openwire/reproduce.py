"""Scripts that repeat a check on Artemis with only the JMS client for OpenWire and JPype1."""

from collections.abc import Collection, Iterator, Sequence

from tidegate.adapters.artemis.script_lines import common_line, send_line, steps_by
from tidegate.adapters.base import Call, ProducerOptions
from tidegate.adapters.script import recorded, short
from tidegate.record.report import Recording

WAITS = "its last call still waited"
NOT_REPEATED = ("log_lines",)
"""Verbs that a script cannot repeat: the broker's log is on the broker's machine."""


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
                place = short(producer), short(connection), short(destination), destination in topics
                return _attached(place, options)
        case "open_anonymous_producer", (str(producer), str(connection)):
            return _attached((short(producer), short(connection), None, False), ProducerOptions())
        case "send", _:
            return send_line(call, "", WAITS)
        case "send_to", (_, str(destination), _, _):
            to = f", to=({short(destination)!r}, {destination in topics})"
            return send_line(call, to, WAITS)
        case ("commit" | "rollback") as verb, (str(producer),):
            return f"{verb}({short(producer)!r})"
        case "settlements", (str(producer),):
            settled = [str(each.outcome) for each in call.answer]
            return f"came_back({short(producer)!r}, recorded={settled!r})" if settled else None
        case verb, _ if verb in NOT_REPEATED:
            return None
    return common_line(call, topics)


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
