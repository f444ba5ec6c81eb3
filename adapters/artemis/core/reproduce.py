"""Scripts that repeat a check on Artemis with only its client's jar and JPype1."""

from collections.abc import Iterator, Sequence

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions
from tidegate.adapters.script import line_of, recorded, short, without_repeated_looks
from tidegate.record.report import Recording

LOOKS = ("standing", "depth", "buffered")


def recording(calls: Sequence[Call]) -> Recording:
    """The recording of one check."""
    return recorded(list(steps(calls)))


def steps(calls: Sequence[Call]) -> Iterator[str]:
    """The lines that repeat the calls, without looks that show the same as the look before."""
    return without_repeated_looks(((call, _line(call)) for call in calls), LOOKS)


def _line(call: Call) -> str | None:
    """One call as a line of Python; None for a call that scripts omit."""
    match call.verb, call.arguments:
        case ("declare" | "declare_topic" | "change_limits") as verb, (str(destination), Limits() as limits):
            return f"{verb}({short(destination)!r}, {settings_of(limits)!r})"
        case "open_producer", (str(producer), _, (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            window = options.window_bytes if options.obeys else -1
            outcome = ", 'sent'" if options.asynchronous else ", 'unsettled'" if options.transacted else ""
            return f"attach_producer({short(producer)!r}, {short(destination)!r}, {window}, {options.rate}{outcome})"
        case "open_consumer", (str(consumer), _, str(destination)):
            return f"attach_consumer({short(consumer)!r}, {short(destination)!r}, 0, None)"
        case "open_consumer_with", (
            str(consumer),
            _,
            str(destination),
            ConsumerOptions(window_bytes=window, rate=rate),
        ):
            return f"attach_consumer({short(consumer)!r}, {short(destination)!r}, {window}, {rate})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            if call.answer is Outcome.BLOCKED:
                return f"# {short(producer)} could not send {short(message_id)}: its last send still waited"
            arguments = f"{short(producer)!r}, {short(message_id)!r}, {size_bytes}"
            return f"send({arguments}, recorded={str(call.answer)!r})"
        case "commit", (str(producer),):
            return f"commit({short(producer)!r}, recorded={str(call.answer)!r})"
        case "rollback", (str(producer),):
            return f"rollback({short(producer)!r})"
        case "settlements", (str(producer),):
            settled = [(short(each.message_id), str(each.outcome)) for each in call.answer]
            return f"came_back({short(producer)!r}, recorded={settled!r})" if settled else None
        case "advance", (int(ms),):
            return f"pass_time({ms})"
        case "buffered", (str(consumer),):
            return f"buffered({short(consumer)!r}, recorded={call.answer})"
        case "log_lines", _:
            return None
    return line_of(call)
