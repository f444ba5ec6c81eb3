"""Scripts that repeat a check on Classic with only its jars and JPype1; each runs a broker of its own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions
from tidegate.adapters.classic.generation import generation_of
from tidegate.adapters.classic.policies import journal_bytes, sets_policy
from tidegate.adapters.groups import Usage
from tidegate.adapters.script import line_of, recorded, short, without_repeated_looks
from tidegate.record.report import Recording, ScriptTemplate

BodyBytes = Callable[[int], int]
"""A function from a message's charge in bytes to the size of its body in bytes."""

LOOKS = ("standing", "depth", "limits_in_force")
DECLARING = ("declare", "declare_topic")
ELSEWHERE = ("declare_defaults", "declare_pattern")
CONFIGURED = (*DECLARING, *ELSEWHERE, "declare_usage", "declare_shared")
ANY_NAME = ">"


def script_template(version: str) -> ScriptTemplate:
    """The common part of the scripts for this version of Classic."""
    generation = generation_of(version)
    return ScriptTemplate("tidegate.adapters.classic", {"generation": generation.name, "suspends": generation.suspends})


def recording(version: str, calls: Sequence[Call], body_bytes: BodyBytes) -> Recording:
    """The recording of one check on this version of Classic."""
    first = configuration(calls, cursors=not generation_of(version).suspends)
    return recorded(list(steps(calls, body_bytes)), before=list(first))


def configuration(calls: Sequence[Call], *, cursors: bool = True) -> Iterator[str]:
    """The lines that configure and start the broker of the script; `cursors` says whether a cursor can be chosen."""
    policies = list(_policies(calls, cursors=cursors))
    for name, kind, limits in policies:
        yield f"policy({name!r}, {kind!r}, {_settings(limits)})"
    shared = {name: value for call in calls for name, value in _shared_of(call) if value is not None}
    journal = journal_bytes(Usage(**shared)) if cursors else 0
    settings = "".join(f", {name}={value!r}" for name, value in shared.items())
    yield f"start_broker(journal={journal}{settings})"


def _shared_of(call: Call) -> Iterator[tuple[str, Any]]:
    """The limits that a call configures for all destinations together."""
    if call.verb == "declare_usage":
        yield from asdict(call.arguments[0]).items()
    if call.verb == "declare_shared":
        yield "memory_bytes", call.arguments[0].limit_bytes


def _policies(calls: Sequence[Call], *, cursors: bool) -> Iterator[tuple[str, str, Limits]]:
    """The name or pattern, kind and limits of each policy. A destination without settings inherits a policy from
    elsewhere."""
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
            yield short(call.arguments[0]), "Topic" if call.verb == "declare_topic" else "Queue", limits


def steps(calls: Sequence[Call], body_bytes: BodyBytes) -> Iterator[str]:
    """The lines that repeat the calls, without looks that show the same as the look before."""
    topics = {call.arguments[0] for call in calls if call.verb == "declare_topic"}
    for topic in sorted(topics):
        yield f"subscribe({short(topic)!r})"
    lines = ((call, _line(call, topics, body_bytes)) for call in calls if call.verb not in CONFIGURED)
    yield from without_repeated_looks(lines, LOOKS)


def _line(call: Call, topics: set[str], body_bytes: BodyBytes) -> str | None:
    """One call as a line of Python; None for a call that scripts omit."""
    match call.verb, call.arguments:
        case "open_producer", (str(producer), str(connection), (str(destination),), *further):
            options = further[0] if further else ProducerOptions()
            settings = (
                f"{options.asynchronous}, {options.window_bytes or 0}, {options.transacted}, {options.persistent}"
            )
            where = f"{short(connection)!r}, {short(destination)!r}, {destination in topics}"
            return f"attach_producer({short(producer)!r}, {where}, {settings})"
        case "open_consumer", (str(consumer), str(connection), str(destination)):
            place = (short(consumer), short(connection), short(destination), destination in topics)
            return f"attach_consumer({', '.join(map(repr, place))})"
        case "send", (str(producer), str(message_id), int(size_bytes)):
            body = body_bytes(size_bytes)
            if call.answer is Outcome.BLOCKED:
                return f"# {short(producer)} could not send {short(message_id)}: its last call still waited"
            return f"send({short(producer)!r}, {short(message_id)!r}, {body}, recorded={str(call.answer)!r})"
        case ("commit" | "rollback") as verb, (str(producer),):
            return f"{verb}({short(producer)!r})"
        case "settlements", (str(producer),):
            settled = [(short(each.message_id), each.reason.partition(":")[0]) for each in call.answer]
            return f"came_back({short(producer)!r}, recorded={settled!r})" if settled else None
        case "change_limits", (str(destination), Limits() as limits):
            settings = _settings(replace(limits, policy=limits.policy or "BLOCK", cursor=None))
            return f"change({short(destination)!r}, {settings})"
        case "limits_in_force", (str(destination),):
            return f"limits_in_force({short(destination)!r}, recorded={_limits(call.answer)!r})"
        case "usage_in_force", ():
            return f"usage_in_force(recorded={_shared(call.answer)!r})"
        case (("advance" | "log_lines"), _):
            return None
    return line_of(call)


def _settings(limits: Limits) -> str:
    """The arguments of a policy, or of a change of a policy."""
    settings: dict[str, Any] = {}
    if limits.limit_bytes is not None:
        settings["memory"] = max(limits.limit_bytes, 0)
    if limits.policy is not None:
        settings["flow_control"] = limits.policy != "NONE"
    if limits.cursor == "memory":
        settings["in_memory"] = True
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())


def _limits(limits: Limits) -> str:
    return f"memory limit {limits.limit_bytes} bytes, flow control {limits.policy}, cursor {limits.cursor}"


def _shared(usage: Usage) -> str:
    return f"memory {usage.memory_bytes}, store {usage.store_bytes}, temporary {usage.temp_bytes} bytes"
