"""Scripts that repeat a check on Artemis with only python-qpid-proton."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import NoScript
from tidegate.adapters.script import held, recorded, short
from tidegate.record.report import Recording

BodyBytes = Callable[[int, str], int]
"""A function from a message's charge in bytes, and its id, to the size of its body in bytes."""

LOOKS = ("standing", "depth")
SENDS = ("send", "send_to")
NOT_REPEATED = ("advance", "log_lines")
"""Verbs that scripts omit: a script waits by itself, and the broker's log is on the broker's machine."""


NOTHING = "nothing"
"""The recorded answer of a consumer that got no message."""


@dataclass(frozen=True)
class Step:
    """One line of the script: a call of one of its functions, and its recorded answer."""

    function: str
    arguments: tuple[Any, ...]
    recorded: str | list[str] | None = None
    """The answer; for `consume` the ids of the messages."""
    times: int = 1

    def with_more(self, other: "Step") -> "Step | None":
        """Both steps as one line; None for different calls or different answers."""
        if (self.function, self.arguments) != (other.function, other.arguments):
            return None
        if isinstance(self.recorded, list) and isinstance(other.recorded, list):
            return replace(self, recorded=self.recorded + other.recorded)
        if self.function == "send" and self.recorded == other.recorded:
            return replace(self, times=self.times + other.times)
        return None

    @property
    def line(self) -> str:
        """The call as a line of Python."""
        parts = [repr(argument) for argument in self.arguments]
        parts += [f"times={self.times}"] if self.times > 1 else []
        parts += [f"recorded={_recorded(self.recorded)}"] if self.recorded is not None else []
        return f"{self.function}({', '.join(parts)})"


@dataclass(frozen=True)
class Turn:
    """One action, and the looks at each destination and producer after it."""

    done: Step | None
    seen: dict[tuple[str, str], Step]
    at_rest: bool = False
    """Whether something was looked at repeatedly until it was stable."""

    @property
    def standings(self) -> list[str]:
        """The standing and issued credit of each producer, which must not change within a run of equal sends."""
        looks = [step for (verb, _), step in self.seen.items() if verb == "standing"]
        return [str(look.recorded).rpartition(",")[0] for look in looks]


def recording(calls: Sequence[Call], body_bytes: BodyBytes) -> Recording:
    """The recording of one check."""
    windows = [[limits.credit, limits.credit_low] for limits in _declared(calls)]
    window = next((window for window in windows if window != [None, None]), None)
    return recorded([step.line for step in steps(calls, body_bytes)], window=window)


def steps(calls: Sequence[Call], body_bytes: BodyBytes) -> list[Step]:
    """The lines that repeat the calls: the last looks after each action, and equal sends as one line."""
    lines: list[Step] = []
    for turn in _folded(_turns(calls, body_bytes)):
        lines += [turn.done] if turn.done is not None else []
        lines += turn.seen.values()
    return lines


def _turns(calls: Sequence[Call], body_bytes: BodyBytes) -> Iterator[Turn]:
    turn = Turn(None, {})
    ids = _script_ids(calls)
    for call in calls:
        if call.verb in NOT_REPEATED:
            continue
        step = _step(call, ids, body_bytes)
        if call.verb in LOOKS:
            look = call.verb, str(call.arguments[0])
            turn = Turn(turn.done, {**turn.seen, look: step}, turn.at_rest or look in turn.seen)
        elif consumed := _consumed(turn, step):
            turn = Turn(consumed, {})
        else:
            yield turn
            turn = Turn(step, {})
    yield turn


def _consumed(turn: Turn, step: Step) -> Step | None:
    """The line for a message that is acknowledged as soon as it is taken; None for other pairs of steps."""
    taken = turn.done
    if taken is None or turn.seen or (taken.function, step.function) != ("take", "acknowledge"):
        return None
    if taken.recorded == NOTHING:
        return None
    return Step("consume", taken.arguments, [str(taken.recorded)]) if taken.arguments == step.arguments else None


def _folded(turns: Iterator[Turn]) -> Iterator[Turn]:
    """Runs of equal sends, and runs of consumed messages, as one turn each.

    No producer is issued credit, stopped or released within a run of sends: the looks after the run hold for all of it.
    The effect of a consumed message may be seen after any later one, unless it was waited for.
    """
    last = next(turns)
    for turn in turns:
        more = last.done and turn.done and last.done.with_more(turn.done)
        in_passing = more is not None and more.function == "consume" and not last.at_rest
        if more and (in_passing or last.standings == turn.standings):
            last = Turn(more, turn.seen, turn.at_rest)
        else:
            yield last
            last = turn
    yield last


def _step(call: Call, ids: dict[str, str], body_bytes: BodyBytes) -> Step:
    match call.verb, call.arguments:
        case ("declare" | "declare_topic" | "change_limits") as verb, (str(destination), Limits() as limits):
            return Step(verb, (short(destination), settings_of(limits)))
        case "declare_defaults", (Limits() as limits,):
            return Step("configure_every", (settings_of(limits),))
        case "declare_pattern" | "change_pattern", (str(beginning), Limits() as limits):
            return Step("configure", (beginning.partition(".")[2] + "#", settings_of(limits)))
        case ("purge" | "block" | "unblock" | "close_producer" | "close_consumer" | "kill") as verb, (str(name),):
            return Step(verb, (short(name),))
        case "open_anonymous_producer", (str(producer), _):
            return Step("attach_producer", (short(producer), None))
        case "send_to", (str(producer), str(destination), str(message_id), int(size_bytes)):
            body = body_bytes(size_bytes, ids[message_id])
            return Step("send_to", (short(producer), short(destination), body), str(call.answer))
        case "open_producer", (str(producer), _, (str(destination),), *further):
            if not further:
                return Step("attach_producer", (short(producer), short(destination)))
            if further == [ProducerOptions(transacted=True)]:
                return Step("attach_transacted_producer", (short(producer), short(destination)))
        case "commit", (str(producer),):
            return Step("commit", (short(producer),), str(call.answer))
        case "rollback", (str(producer),):
            return Step("rollback", (short(producer),))
        case "open_consumer", (str(consumer), _, str(destination)):
            return Step("attach_consumer", (short(consumer), short(destination)))
        case "send", (str(producer), str(message_id), int(size_bytes)):
            body = body_bytes(size_bytes, ids[message_id])
            return Step("send", (short(producer), body), str(call.answer))
        case "take", (str(consumer),):
            taken = NOTHING if call.answer is None else ids[call.answer.message_id]
            return Step("take", (short(consumer),), taken)
        case "acknowledge", (str(consumer), _):
            return Step("acknowledge", (short(consumer),))
        case "standing", (str(producer),):
            return Step("standing", (short(producer),), _standing(call.answer))
        case "depth", (str(destination),):
            return Step("depth", (short(destination),), held(call.answer))
        case "limits_in_force", (str(destination),):
            return Step("settings", (short(destination), str(call.answer)))
    raise NoScript(f"no line of a script for {call.verb}{call.arguments}")


def _script_ids(calls: Sequence[Call]) -> dict[str, str]:
    """The ids that the script gives its messages, all of equal length, so that equal sizes have equal bodies."""
    sent = [call.arguments[-2] for call in calls if call.verb in SENDS and call.answer is not Outcome.BLOCKED]
    blocked = [call.arguments[-2] for call in calls if call.verb in SENDS and call.answer is Outcome.BLOCKED]
    ids = {message_id: f"m{number:06}" for number, message_id in enumerate(sent, start=1)}
    return ids | dict.fromkeys(blocked, "m000000")


def _recorded(recorded: str | list[str]) -> str:
    """The recorded answer as Python: consecutive ids by their first and last number."""
    if isinstance(recorded, str):
        return repr(recorded)
    numbers = [int(message_id.removeprefix("m")) for message_id in recorded]
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"messages({numbers[0]}, {numbers[-1]})"
    return repr(recorded)


def _declared(calls: Sequence[Call]) -> list[Limits]:
    return [call.arguments[1] for call in calls if call.verb == "declare"]


def _standing(answer: Standing) -> str:
    state = "stopped" if answer.stopped else "free"
    return f"{state}, {answer.credit_issued} credits issued so far, {answer.credit_left} left"
