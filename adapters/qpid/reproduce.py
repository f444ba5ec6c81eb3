"""Scripts that repeat a check on a Qpid broker with pika, and with the JMS client by JPype where the check uses it.

Management and figures go by REST. There is no script for a check that would need manual configuration of a broker
without REST, or a broker started with a file or store of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ClientState, NoScript, Usage
from tidegate.adapters.qpid import broker_6, broker_j
from tidegate.adapters.qpid.clients import by_jms
from tidegate.adapters.qpid.generation import has_levels_in_bytes, has_rest
from tidegate.adapters.qpid_jms.clients import times_of
from tidegate.adapters.script import held, recorded, short
from tidegate.record.report import Recording, ScriptTemplate

BodyBytes = Callable[[int, str], int]
"""A function from a message's charge in bytes, and the names of its route with its id, to the size of its body in
bytes."""
PREFIX = "probe-0000000."
"""A prefix as long as the script's for queues and exchanges: the broker may charge messages for their names."""
LOOKS = ("standing", "depth")
NOT_REPEATED = ("log_lines",)
"""Verbs that a script cannot repeat: the broker's log is on the broker's machine."""
BY_REST = ("declare_defaults", "change_limits", "depth", "limits_in_force")
TOLD = ("settlements", "client_warnings")
"""Verbs that are worth a line only if their answer is not empty."""
MS_PER_SECOND = 1000


@dataclass(frozen=True)
class Levels:
    """The names of a queue's limits in the REST interface of a generation of the broker."""

    capacity: str
    resume: str
    percentage: bool
    """Whether `resume` is a percentage of the capacity, in the queue's context."""
    unset: dict[str, Any]
    """The attributes that reset a queue to the broker's defaults."""
    attributes: Callable[[Limits, int | None], dict[str, Any]]
    context: Callable[[Limits], dict[str, str]]


PERCENTAGE = Levels(
    broker_j.CAPACITY, broker_j.RESUME, True, broker_j.UNSET, broker_j.attributes_of, broker_j.context_of_defaults
)
LEVELS_IN_BYTES = Levels(
    broker_6.CAPACITY,
    broker_6.RESUME,
    False,
    {broker_6.CAPACITY: None, broker_6.RESUME: None},
    lambda limits, _: broker_6.attributes_of(limits),
    broker_6.context_of_defaults,
)


@dataclass(frozen=True)
class Step:
    """One line of the script: a call of one of its functions, and its recorded answer."""

    function: str
    arguments: tuple[Any, ...]
    recorded: str | None = None

    @property
    def line(self) -> str:
        """The call as a line of Python."""
        parts = [repr(argument) for argument in self.arguments]
        parts += [f"recorded={self.recorded!r}"] if self.recorded is not None else []
        return f"{self.function}({', '.join(parts)})"


def script_template(version: str) -> ScriptTemplate:
    """The common part of the scripts for this version: the names of a queue's limits in its REST."""
    levels = _levels(version)
    names = {"capacity": levels.capacity, "resume": levels.resume, "percentage": levels.percentage}
    return ScriptTemplate("tidegate.adapters.qpid", {"levels": names})


def recording(version: str, calls: Sequence[Call], body_bytes: BodyBytes, jms_body_bytes: BodyBytes) -> Recording:
    """The recording of one check on this version; a message's charge depends on the client that sends it."""
    by_rest, levels = has_rest(version), _levels(version)
    steps = Script(calls, body_bytes, jms_body_bytes, has_rest=by_rest, levels=levels).steps()
    return recorded(
        [step.line for step in steps],
        jms=any(by_jms(options) for options in producers_of(calls)),
        rest=by_rest and any(call.verb in BY_REST for call in calls),
        sets_defaults=any(call.verb == "declare_defaults" for call in calls),
    )


def _levels(version: str) -> Levels:
    return LEVELS_IN_BYTES if has_levels_in_bytes(version) else PERCENTAGE


def producers_of(calls: Sequence[Call]) -> list[ProducerOptions]:
    """The options of the producers of a check."""
    opened = (call.arguments for call in calls if call.verb == "open_producer")
    return [arguments[3] if len(arguments) > 3 else ProducerOptions() for arguments in opened]


class Script:
    """The lines that repeat recorded calls, with only the last look of each kind after each action."""

    def __init__(
        self,
        calls: Sequence[Call],
        body_bytes: BodyBytes,
        jms_body_bytes: BodyBytes,
        *,
        has_rest: bool,
        levels: Levels = PERCENTAGE,
    ):
        self._calls = calls
        self._body_bytes = body_bytes
        self._jms_body_bytes = jms_body_bytes
        self._has_rest = has_rest
        self._levels = levels
        self._defaults = Limits()
        self._jms: set[str] = set()
        self._ids = _script_ids(calls)
        self._topics: set[str] = set()
        self._routes: dict[str, tuple[str, str]] = {}

    def steps(self) -> Iterator[Step]:
        """The lines in order."""
        seen: dict[tuple[str, str], Step] = {}
        for call in self._calls:
            if call.verb in NOT_REPEATED or (call.verb in TOLD and not call.answer):
                continue
            step = self._step(call)
            if call.verb in LOOKS:
                seen[call.verb, call.arguments[0]] = step
            else:
                yield from seen.values()
                seen.clear()
                yield step
        yield from seen.values()

    def _step(self, call: Call) -> Step:
        match call.verb, call.arguments:
            case "declare", (str(destination), Limits() as limits):
                return Step("declare", (short(destination), _arguments(self._whole(limits))))
            case "declare_topic", (str(destination), Limits() as limits):
                self._topics.add(destination)
                return Step("declare_topic", (short(destination), _arguments(self._whole(limits))))
            case "declare_defaults", (Limits() as limits,):
                asked = f"give the queues of the virtual host {_in_words(limits)} by default"
                self._defaults = limits
                return self._by_rest(Step("set_defaults", (asked, self._levels.context(limits))))
            case "change_limits", (str(destination), Limits() as limits):
                attributes = self._levels.attributes(limits, self._defaults.limit_bytes)
                return self._by_rest(Step("change", (short(destination), self._levels.unset | attributes)))
            case "open_producer", (str(producer), str(connection), tuple(destinations), *options):
                return self._attached(producer, connection, destinations, options)
            case "open_anonymous_producer", (str(producer), str(connection)):
                return Step("attach_producer", (short(producer), short(connection), True))
            case "open_consumer", (str(consumer), str(connection), str(destination)):
                return Step("attach_consumer", (short(consumer), short(connection), short(destination)))
            case "send", (str(producer), str(message_id), int(size_bytes)):
                return self._sent(producer, message_id, size_bytes, self._route_of(producer), call.answer)
            case "send_to", (str(producer), str(destination), str(message_id), int(size_bytes)):
                return self._sent(producer, message_id, size_bytes, self._route_to(destination), call.answer)
            case "take", (str(consumer),):
                taken = "nothing" if call.answer is None else self._ids[call.answer.message_id]
                return Step("take", (short(consumer),), taken)
            case "acknowledge", (str(consumer), str(message_id)):
                return Step("acknowledge", (short(consumer), self._ids[message_id]))
            case "standing", (str(producer),):
                return Step("standing", (short(producer),), _standing(call.answer))
            case "depth", (str(destination),):
                return Step("depth", (short(destination),), held(call.answer))
            case "limits_in_force", (str(destination),):
                return self._by_rest(Step("limits", (short(destination),), _in_words(call.answer)))
            case "declare_usage", (Usage(),):
                raise NoScript("a quota belongs to a virtual host, which is made with it")
            case "start_with_limits", (str(destination), Limits()):
                raise NoScript(f"{short(destination)} is in the file with which the broker starts")
            case "advance", (int(ms),):
                return Step("pass_time", (ms / MS_PER_SECOND,))
            case ("commit" | "rollback") as verb, (str(producer),):
                return Step(verb, (short(producer),), str(call.answer or "done"))
            case "settlements", (str(producer),):
                settled = [(self._ids[each.message_id], str(each.outcome)) for each in call.answer]
                return Step("came_back", (short(producer), settled))
            case "client_warnings", (str(producer),):
                return Step("warned", (short(producer), [_text(line) for line in call.answer]))
            case "client_state", (str(producer),):
                return Step("client_state", (short(producer),), _state(call.answer))
            case ("purge" | "close_producer" | "close_consumer" | "kill") as verb, (str(name),):
                return Step(verb, (short(name),))
        return Step("not_by_pika", (f"{call.verb}{call.arguments}",))

    def _by_rest(self, step: Step) -> Step:
        """Raise NoScript where the broker has no REST: a person would have to do this step."""
        if not self._has_rest:
            raise NoScript(f"the broker has no REST by which a script does this: {step.line}")
        return step

    def _whole(self, limits: Limits) -> Limits:
        """The limits with the default capacity beside a lone resume level: a client can only set both."""
        if self._has_rest and limits.resume_bytes is not None and limits.limit_bytes is None:
            return replace(limits, limit_bytes=self._defaults.limit_bytes)
        return limits

    def _attached(self, producer: str, connection: str, destinations: tuple[str, ...], options: list[Any]) -> Step:
        chosen = options[0] if options else ProducerOptions()
        if by_jms(chosen) and len(destinations) == 1:
            self._jms.add(producer)
            self._routes[producer] = self._route_to(destinations[0])
            where = short(producer), short(connection), self._routes[producer]
            return Step("attach_jms_producer", (*where, times_of(chosen), chosen.transacted, chosen.persistent))
        if chosen != _of_pika(chosen) or "1.0" in chosen.protocol:
            return Step("not_by_pika", (f"a producer with {chosen}",))
        if len(destinations) == 1:
            self._routes[producer] = self._route_to(destinations[0])
            further = ((), True) if chosen.persistent else ()
            return Step("attach_producer", (short(producer), short(connection), chosen.obeys, *further))
        self._routes[producer] = short(producer), ""
        bound = [short(destination) for destination in destinations]
        return Step("attach_producer", (short(producer), short(connection), chosen.obeys, bound))

    def _route_of(self, producer: str) -> tuple[str, str]:
        if producer not in self._routes:
            raise NoScript(f"pika does not open the producer {producer}")
        return self._routes[producer]

    def _route_to(self, destination: str) -> tuple[str, str]:
        name = short(destination)
        return name if destination in self._topics else "", name

    def _sent(self, producer: str, message_id: str, size_bytes: int, route: tuple[str, str], answer: Outcome) -> Step:
        script_id = self._ids[message_id]
        names = "".join(PREFIX + name for name in route if name)
        body_bytes = self._jms_body_bytes if producer in self._jms else self._body_bytes
        body = body_bytes(size_bytes, names + script_id)
        return Step("send", (short(producer), route, script_id, body), str(answer))


def _of_pika(options: ProducerOptions) -> ProducerOptions:
    """The options that pika supports."""
    return ProducerOptions(obeys=options.obeys, protocol=options.protocol, persistent=options.persistent)


def _arguments(limits: Limits) -> dict[str, Any]:
    """The arguments of `queue.declare` that both generations of the broker understand."""
    arguments: dict[str, Any] = {}
    if limits.limit_bytes is not None:
        # the older generation has no other policy, and no word for it
        arguments |= {"x-qpid-capacity": limits.limit_bytes, "qpid.policy_type": "producer_flow_control"}
    if limits.limit_messages is not None:
        arguments |= {"qpid.max_count": limits.limit_messages, "qpid.policy_type": "producer_flow_control"}
    if limits.resume_bytes is not None and limits.limit_bytes:
        arguments["x-qpid-flow-resume-capacity"] = limits.resume_bytes
    return arguments


def _in_words(limits: Limits) -> str:
    levels = {"capacity": limits.limit_bytes, "resume level": limits.resume_bytes}
    words = [f"a {name} of {level} bytes" for name, level in levels.items() if level is not None]
    words += [] if limits.limit_messages is None else [f"a limit of {limits.limit_messages} messages"]
    return " and ".join(words) or "no limits"


def _text(line: str) -> str:
    """The text of a line of the client's log, without its time and thread."""
    return line.partition(" - ")[2] or line


def _state(answer: ClientState) -> str:
    words = {"connected": answer.connected, "session open": answer.session_open, "transacted": answer.in_transaction}
    return ", ".join(word for word, so in words.items() if so) or "nothing left"


def _script_ids(calls: Sequence[Call]) -> Mapping[str, str]:
    """The ids that the script gives its messages, all of equal length."""
    ids_at = {"send": 1, "send_to": 2, "cut_in_send": 1}
    sent = [call.arguments[ids_at[call.verb]] for call in calls if call.verb in ids_at]
    return {message_id: f"m{number:06}" for number, message_id in enumerate(sent, start=1)}


def _standing(answer: Standing) -> str:
    return "stopped" if answer.stopped else "free"
