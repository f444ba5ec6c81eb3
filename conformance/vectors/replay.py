"""Plays the script of a vector on an implementation through the lab."""

from tidegate.adapters.base import Limits, Outcome
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State, not_reached
from tidegate.conformance.vectors.form import (
    Consume,
    Declare,
    DeclareDefaults,
    ExpectCredit,
    ExpectStanding,
    Levels,
    OpenProducer,
    Send,
    Step,
    Vector,
)

ANSWERED = (Outcome.ACCEPTED, Outcome.REJECTED)


def replay(vector: Vector, lab: Lab) -> None:
    """Take every step in order; raises Deviation if the implementation does otherwise than the vector expects.

    Raises NotReached if it does so in a step that only prepares the case.
    """
    for number, step in enumerate(vector.script):
        try:
            _take(step, lab)
        except Deviation as deviation:
            if not vector.only_leads_there(number):
                raise
            raise not_reached(deviation, in_words(step, given=True), vector.needs) from deviation


def _take(step: Step, lab: Lab) -> None:
    match step:
        case DeclareDefaults():
            lab.declare_defaults(_limits(step.limits))
        case Declare():
            lab.declare(step.destination, _limits(step.limits))
        case OpenProducer():
            lab.open_producer(step.producer, step.destination)
        case Send():
            _send(step, lab)
        case Consume():
            consumed = lab.consume(step.destination, step.messages)
            expected, seen = f"{step.messages} messages to consume", f"{consumed} there"
            lab.verify(consumed == step.messages, expected, seen, State.DELIVERED)
        case ExpectStanding():
            standing = lab.rests(step.producer, lambda seen: seen.stopped is step.stopped)
            expected, seen = _state(step.stopped), _state(standing.stopped)
            held = ", ".join(lab.in_words(lab.depth(name).bytes) for name in lab.destinations)
            state = State.STOPPED if step.stopped else None
            lab.verify(expected == seen, f"the {step.producer} {expected} at {held}", f"{seen} at {held}", state)
        case ExpectCredit():
            standing = lab.rests(step.producer, lambda seen: seen.credit_left == step.left)
            left = standing.credit_left
            expected = f"{step.left} credits left to the {step.producer}"
            lab.verify(left == step.left, expected, f"{left} left", State.CREDIT)


def _send(step: Send, lab: Lab) -> None:
    for number in range(1, step.messages + 1):
        state = State.ROOM if lab.has_room(step.producer, step.bytes) else State.PAST_THE_LIMIT
        outcome = lab.send(step.producer, step.bytes)
        lab.verify(
            outcome in ANSWERED if step.outcome == "answered" else outcome == step.outcome,
            f"message {number} of {step.messages}, of {step.bytes} bytes, {step.outcome}",
            f"it was {outcome}",
            state if step.outcome != "rejected" else None,
        )


def _limits(levels: Levels) -> Limits:
    return Limits(**levels.model_dump())


def _state(stopped: bool) -> str:
    return "stopped" if stopped else "free"


def in_words(step: Step, *, given: bool = False) -> str:
    """The step as a sentence of the report; a step that only prepares the case becomes a Given."""
    keyword, rest = _in_words(step).split(" ", 1)
    return f"{'Given' if given else keyword} {rest}"


def _in_words(step: Step) -> str:
    match step:
        case DeclareDefaults():
            return f"Given limits for every destination: {_configured(step.limits)}"
        case Declare():
            return f"Given a destination with {_configured(step.limits)}"
        case OpenProducer():
            return f"When the {step.producer} attaches"
        case Send():
            return f"When the {step.producer} sends {step.messages} x {step.bytes} bytes, {step.outcome}"
        case Consume():
            return f"When {step.messages} of the messages are consumed, the oldest first"
        case ExpectStanding():
            return f"Then the {step.producer} is {_state(step.stopped)}"
        case ExpectCredit():
            return f"Then the {step.producer} has {step.left} credits left"


def _configured(levels: Levels) -> str:
    figures = levels.model_dump(exclude_none=True)
    return ", ".join(f"{name} {figure}" for name, figure in figures.items()) or "nothing configured"
