"""The events before an event in words: the limits in force, the steps, and what was seen after each step.

A line is one step; a step that is repeated in a row with the same answer is one line too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tidegate.model.traces.general_shown import USED
from tidegate.model.traces.general_traffic import ANEW, BYTES, EXPIRED
from tidegate.record.events import Event, Kind

MOST_LINES = 12
"""The most lines of a story that is shown whole; a longer one shows the limits and the last lines."""
OMITTED = "…"
_ORDERS = {"block": "management stops the producers of {}", "unblock": "management lifts its order on {}"}
"""Steps that have no event of their own, by the cause of the level that is read after them."""
_LEAVING = {EXPIRED: "{} messages of {} expire", ANEW: "{1} is deleted and created anew"}
"""The removal of messages other than by management's purge, by the cause of the event."""
_DONE = {
    Kind.OPEN: "{producer} attaches to {destination}",
    Kind.CLOSE: "{producer} is gone from {destination} ({cause})",
    Kind.PURGE: "{destination} is purged",
    Kind.RETURN: "messages that were handed out go back to {destination}",
}


@dataclass(frozen=True)
class _Step:
    """A step, its number of repetitions, and what was last seen after it."""

    done: str
    times: int = 1
    holds: dict[str, str] = field(default_factory=dict)
    """The level of each destination."""
    stands: dict[str, str] = field(default_factory=dict)
    """The standing of each producer."""
    issued: dict[str, int] = field(default_factory=dict)
    """The credits issued to each producer."""
    counted: dict[str, str] = field(default_factory=dict)
    """Management's figures, by destination and name."""

    @property
    def seen(self) -> str:
        """What was seen after the step."""
        credit = (f"{producer} is issued {figure:,} credits" for producer, figure in self.issued.items())
        holds = (f"{destination} holds {figure}" for destination, figure in self.holds.items())
        stands = (f"{producer} is {standing}" for producer, standing in self.stands.items())
        counted = (f"management says {figure}" for figure in self.counted.values())
        return ", ".join((*holds, *credit, *stands, *counted))

    def __str__(self) -> str:
        times = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.done}{times}: {self.seen}" if self.seen else f"{self.done}{times}"


def story(events: Iterable[Event], in_bytes: Callable[[int], str] = "{:,} bytes".format) -> tuple[str, ...]:
    """The events of one scenario as lines; `in_bytes` formats a figure in bytes."""
    limits: list[str] = []
    steps: list[_Step] = []
    for event in events:
        if event.kind is Kind.LIMITS:
            limits.append(f"{_name(event, event.destination) or 'all destinations'}: {_limit(event, in_bytes)}")
            steps.append(_Step(limits[-1]))
        elif done := _done(event, in_bytes):
            if event.kind is Kind.ACKNOWLEDGE and steps and steps[-1].done == _handed_out(event):
                steps.pop()
            steps.append(_Step(done))
        elif steps:
            steps[-1] = _after(steps[-1], event, in_bytes)
    lines = [str(step) for step in _folded(steps)]
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    first = [line for line in lines[:-MOST_LINES] if line.startswith(tuple(limits))]
    return (*first, OMITTED, *lines[-MOST_LINES:])


def last_in_words(events: Sequence[Event], in_bytes: Callable[[int], str] = "{:,} bytes".format) -> str:
    """The last event, and the last seen level of its destination."""
    last = events[-1]
    words = _done(last, in_bytes) or _after(_Step(""), last, in_bytes).seen or _limit(last, in_bytes)
    if last.kind is Kind.LEVEL:
        return words
    where = last.destination or next((each.destination for each in reversed(events) if each.destination), None)
    level = next((each for each in reversed(events) if each.kind is Kind.LEVEL and each.destination == where), None)
    return words if level is None else f"{words}, and {_after(_Step(''), level, in_bytes).seen}"


def _name(event: Event, name: str | None) -> str:
    """A name as the scenario gives it, without the prefix that makes it unique in the run."""
    return (name or "").removeprefix(f"{event.source.partition('.')[0]}.")


def _limit(event: Event, in_bytes: Callable[[int], str]) -> str:
    parts = [f"{event.cause}"]
    parts += [f"{event.limit:,}"] if event.limit is not None else []
    parts += [f"(lower level {event.resume:,})"] if event.resume is not None else []
    parts += [f"of {in_bytes(event.bytes)}"] if event.bytes is not None else []
    parts += [f"with policy {event.outcome}"] if event.outcome is not None else []
    return " ".join(parts)


def _done(event: Event, in_bytes: Callable[[int], str]) -> str:
    producer, destination = _name(event, event.producer), _name(event, event.destination)
    match event.kind:
        case Kind.SEND:
            return f"{producer} sends a message of {in_bytes(event.bytes or 0)} to {destination}, {event.outcome}"
        case Kind.SETTLED:
            reason = f" ({event.cause})" if event.cause else ""
            return f"{producer} is told of a message of {in_bytes(event.bytes or 0)}: {event.outcome}{reason}"
        case Kind.TAKE:
            return _handed_out(event)
        case Kind.ACKNOWLEDGE:
            return f"a message of {destination} is consumed"
        case Kind.LEVEL if event.cause in _ORDERS:
            return _ORDERS[event.cause].format(destination)
        case Kind.PURGE if event.cause in _LEAVING:
            return _LEAVING[event.cause].format(event.messages, destination)
    wording = _DONE.get(event.kind, "")
    return wording.format(producer=producer, destination=destination, cause=event.cause)


def _handed_out(event: Event) -> str:
    return f"a consumer is handed message {_name(event, event.message_id)} of {_name(event, event.destination)}"


def _after(step: _Step, event: Event, in_bytes: Callable[[int], str]) -> _Step:
    producer, destination = _name(event, event.producer), _name(event, event.destination)
    match event.kind:
        case Kind.LEVEL if event.messages is None:
            held = f"{in_bytes(event.bytes or 0)} of {event.cause}"
            return replace(step, holds={**step.holds, "the broker": held})
        case Kind.LEVEL:
            messages = f"{event.messages} message{'' if event.messages == 1 else 's'}"
            return replace(step, holds={**step.holds, destination: f"{in_bytes(event.bytes or 0)} in {messages}"})
        case Kind.TRAFFIC:
            figure = f"{event.cause}: {event.messages} messages"
            if event.cause == BYTES:
                figure = f"{event.outcome}: {in_bytes(event.bytes or 0)} in {event.messages} messages"
            return replace(step, counted={**step.counted, f"{destination} {event.cause} {event.outcome}": figure})
        case Kind.SHOWN if event.cause == USED:
            figure = f"{destination} is used to {event.messages} % of {in_bytes(event.limit or 0)}"
            return replace(step, counted={**step.counted, f"{destination} {event.cause}": figure})
        case Kind.SHOWN:
            return replace(
                step, counted={**step.counted, f"{producer} {event.cause}": f"{producer} is {event.outcome}"}
            )
        case Kind.CREDIT:
            issued = step.issued.get(producer, 0) + (event.credit or 0)
            return replace(step, issued={**step.issued, producer: issued})
        case Kind.DRAIN:
            return replace(step, stands={**step.stands, producer: _drained(event.credit or 0)})
        case Kind.STOP | Kind.RELEASE:
            state = "stopped" if event.kind is Kind.STOP else "free"
            return replace(step, stands={**step.stands, producer: state})
        case Kind.STANDING | Kind.CHANNEL:
            left = "" if event.credit is None else f" with {event.credit} credits left"
            return replace(step, stands={**step.stands, producer: f"{event.outcome}{left}"})
    return step


def _folded(steps: Sequence[_Step]) -> Iterator[_Step]:
    """The steps, with repetitions in a row folded into one, and what was seen last."""
    held: _Step | None = None
    for step in steps:
        if held is not None and step.done == held.done:
            held = replace(step, times=held.times + 1, issued=_sum(held.issued, step.issued))
            continue
        if held is not None:
            yield held
        held = step
    if held is not None:
        yield held


def _sum(some: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {
        name: some.get(name, 0) + more.get(name, 0) for name in (*some, *(each for each in more if each not in some))
    }


def _drained(credit: int) -> str:
    return f"drained of {credit} credits" if credit >= 0 else f"given {-credit} credits back that were not issued"
