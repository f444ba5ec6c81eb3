"""Scripts that repeat a check on Artemis with nothing but its client's jar and JPype1."""

from collections.abc import Iterator, Sequence

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions, NoScript
from tidegate.adapters.script import recorded, without_repeated_looks
from tidegate.record.report import Recording

LOOKS = ("standing", "depth", "buffered")


def recording(calls: Sequence[Call]) -> Recording:
    """The recording of one check."""
    return recorded(list(steps(calls)))


def steps(calls: Sequence[Call]) -> Iterator[str]:
    """The lines that repeat the calls; of what was looked at those that differ from the last look."""
    return without_repeated_looks(((call, _line(call)) for call in calls), LOOKS)


def _line(call: Call) -> str | None:
    """One call as Python; None for what is not repeated."""
    match call.verb, call.arguments:
        case ("declare" | "declare_topic" | "change_limits") as verb, (str(destination), Limits() as limits):
            return f"{verb}({_short(destination)!r}, {settings_of(limits)!r})"
        case "open_producer", (str(producer), _, (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            window = options.window_bytes if options.obeys else -1
            return f"attach_producer({_short(producer)!r}, {_short(destination)!r}, {window}, {options.rate})"
        case "open_consumer", (str(consumer), _, str(destination)):
            return f"attach_consumer({_short(consumer)!r}, {_short(destination)!r}, 0, None)"
        case "open_consumer_with", (
            str(consumer),
            _,
            str(destination),
            ConsumerOptions(window_bytes=window, rate=rate),
        ):
            return f"attach_consumer({_short(consumer)!r}, {_short(destination)!r}, {window}, {rate})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            if call.answer is Outcome.BLOCKED:
                return f"# {_short(producer)} could not send {_short(message_id)}: its last send still waited"
            arguments = f"{_short(producer)!r}, {_short(message_id)!r}, {size_bytes}"
            return f"send({arguments}, recorded={str(call.answer)!r})"
        case "settlements", (str(producer),):
            settled = [(_short(each.message_id), str(each.outcome)) for each in call.answer]
            return f"came_back({_short(producer)!r}, recorded={settled!r})" if settled else None
        case "take", (str(consumer),):
            taken = call.answer and _short(call.answer.message_id)
            return f"take({_short(consumer)!r}, recorded={taken!r})"
        case "acknowledge", (str(consumer), str(message_id)):
            return f"acknowledge({_short(consumer)!r}, {_short(message_id)!r})"
        case ("close_producer" | "close_consumer" | "kill" | "purge") as verb, (str(name),):
            return f"{verb}({_short(name)!r})"
        case "advance", (int(ms),):
            return f"pass_time({ms})"
        case "standing", (str(producer),):
            return f"standing({_short(producer)!r}, recorded={'waits' if call.answer.stopped else 'free'!r})"
        case "depth", (str(destination),):
            return f"depth({_short(destination)!r}, recorded={_depth(call.answer)!r})"
        case "buffered", (str(consumer),):
            return f"buffered({_short(consumer)!r}, recorded={call.answer})"
        case "log_lines", _:
            return None
    raise NoScript(f"no line of a script for {call.verb}{call.arguments}")


def _depth(answer: Depth) -> str:
    return f"{answer.bytes} bytes in {answer.messages} messages"


def _short(name: str) -> str:
    """A name without the prefix that keeps the scenarios of one run apart."""
    return name.partition(".")[2] or name
