"""Scripts that repeat a check on Classic with nothing but its jars and JPype1; each runs a broker of its own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.classic.generation import generation_of
from tidegate.adapters.classic.policies import journal_bytes, sets_policy
from tidegate.adapters.groups import NoScript, Usage
from tidegate.adapters.script import recorded, without_repeated_looks
from tidegate.record.report import Recording, ScriptTemplate

BodyBytes = Callable[[int], int]
"""From the bytes that a message is to be charged to the bytes of its body."""

LOOKS = ("standing", "depth", "limits_in_force")
DECLARING = ("declare", "declare_topic")
ELSEWHERE = ("declare_defaults", "declare_pattern")
CONFIGURED = (*DECLARING, *ELSEWHERE, "declare_usage", "declare_shared")
ANY_NAME = ">"


def script_template(version: str) -> ScriptTemplate:
    """What the scripts for this version of Classic have in common."""
    generation = generation_of(version)
    return ScriptTemplate("tidegate.adapters.classic", {"generation": generation.name, "suspends": generation.suspends})


def recording(version: str, calls: Sequence[Call], body_bytes: BodyBytes) -> Recording:
    """The recording of one check on this version of Classic."""
    first = configuration(calls, cursors=not generation_of(version).suspends)
    return recorded(list(steps(calls, body_bytes)), before=list(first))


def configuration(calls: Sequence[Call], *, cursors: bool = True) -> Iterator[str]:
    """The lines that configure and start the broker of the script; `cursors` is whether one can be chosen."""
    policies = list(_policies(calls, cursors=cursors))
    for name, kind, limits in policies:
        yield f"policy({name!r}, {kind!r}, {_settings(limits)})"
    shared = {name: value for call in calls for name, value in _shared_of(call) if value is not None}
    journal = journal_bytes(Usage(**shared)) if cursors else 0
    settings = "".join(f", {name}={value!r}" for name, value in shared.items())
    yield f"start_broker(journal={journal}{settings})"


def _shared_of(call: Call) -> Iterator[tuple[str, Any]]:
    """What a call configures for all destinations together."""
    if call.verb == "declare_usage":
        yield from asdict(call.arguments[0]).items()
    if call.verb == "declare_shared":
        yield "memory_bytes", call.arguments[0].limit_bytes


def _policies(calls: Sequence[Call], *, cursors: bool) -> Iterator[tuple[str, str, Limits]]:
    """Name or pattern, kind and limits of each policy. A destination without settings inherits those from elsewhere."""
    is_set_elsewhere = any(call.verb in ELSEWHERE for call in calls)
    for call in calls:
        if call.verb not in (*DECLARING, *ELSEWHERE):
            continue
        limits = call.arguments[-1] if cursors else replace(call.arguments[-1], cursor=None)
        if call.verb == "declare_defaults":
            yield "", "", limits
        elif call.verb == "declare_pattern":
            pattern = call.arguments[0].partition(".")[2] + ANY_NAME
            yield from ((pattern, kind, limits) for kind in ("Queue", "Topic"))
        elif sets_policy(limits) or not is_set_elsewhere:
            yield _short(call.arguments[0]), "Topic" if call.verb == "declare_topic" else "Queue", limits


def steps(calls: Sequence[Call], body_bytes: BodyBytes) -> Iterator[str]:
    """The lines that repeat the calls; of what was looked at those that differ from the last look."""
    topics = {call.arguments[0] for call in calls if call.verb == "declare_topic"}
    for topic in sorted(topics):
        yield f"subscribe({_short(topic)!r})"
    lines = ((call, _line(call, topics, body_bytes)) for call in calls if call.verb not in CONFIGURED)
    yield from without_repeated_looks(lines, LOOKS)


def _line(call: Call, topics: set[str], body_bytes: BodyBytes) -> str | None:
    """One call as Python; None for what is not repeated."""
    match call.verb, call.arguments:
        case "open_producer", (str(producer), str(connection), (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            settings = (
                f"{options.asynchronous}, {options.window_bytes or 0}, {options.transacted}, {options.persistent}"
            )
            where = f"{_short(connection)!r}, {_short(destination)!r}, {destination in topics}"
            return f"attach_producer({_short(producer)!r}, {where}, {settings})"
        case "open_consumer", (str(consumer), str(connection), str(destination)):
            place = (_short(consumer), _short(connection), _short(destination), destination in topics)
            return f"attach_consumer({', '.join(map(repr, place))})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            body = body_bytes(size_bytes)
            if call.answer is Outcome.BLOCKED:
                return f"# {_short(producer)} could not send {_short(message_id)}: its last call still waited"
            return f"send({_short(producer)!r}, {_short(message_id)!r}, {body}, recorded={str(call.answer)!r})"
        case ("commit" | "rollback") as verb, (str(producer),):
            return f"{verb}({_short(producer)!r})"
        case "settlements", (str(producer),):
            settled = [(_short(each.message_id), each.reason.partition(":")[0]) for each in call.answer]
            return f"came_back({_short(producer)!r}, recorded={settled!r})" if settled else None
        case "standing", (str(producer),):
            return f"standing({_short(producer)!r}, recorded={_standing(call.answer)!r})"
        case "take", (str(consumer),):
            taken = call.answer and _short(call.answer.message_id)
            return f"take({_short(consumer)!r}, recorded={taken!r})"
        case "acknowledge", (str(consumer), str(message_id)):
            return f"acknowledge({_short(consumer)!r}, {_short(message_id)!r})"
        case ("close_producer" | "close_consumer" | "kill") as verb, (str(name),):
            return f"{verb}({_short(name)!r})"
        case "purge", (str(destination),):
            return f"purge({_short(destination)!r})"
        case "change_limits", (str(destination), Limits() as limits):
            settings = _settings(replace(limits, policy=limits.policy or "BLOCK", cursor=None))
            return f"change({_short(destination)!r}, {settings})"
        case ("depth" | "limits_in_force") as verb, (str(destination),):
            return f"{verb}({_short(destination)!r}, recorded={_figures(call.answer)!r})"
        case "usage_in_force", ():
            return f"usage_in_force(recorded={_shared(call.answer)!r})"
        case (("advance" | "log_lines"), _):
            return None
    raise NoScript(f"no line of a script for {call.verb}{call.arguments}")


def _settings(limits: Limits) -> str:
    """The arguments of a policy, or of a change of one."""
    settings: dict[str, Any] = {}
    if limits.limit_bytes is not None:
        settings["memory"] = max(limits.limit_bytes, 0)
    if limits.policy is not None:
        settings["flow_control"] = limits.policy != "NONE"
    if limits.cursor == "memory":
        settings["in_memory"] = True
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())


def _figures(answer: Any) -> str:
    if isinstance(answer, Limits):
        return f"memory limit {answer.limit_bytes} bytes, flow control {answer.policy}, cursor {answer.cursor}"
    return f"{answer.bytes} bytes in {answer.messages} messages"


def _shared(usage: Usage) -> str:
    return f"memory {usage.memory_bytes}, store {usage.store_bytes}, temporary {usage.temp_bytes} bytes"


def _standing(answer: Standing) -> str:
    return "waits" if answer.stopped else "free"


def _short(name: str) -> str:
    """A name without the prefix that keeps the scenarios of one run apart."""
    return name.partition(".")[2] or name
