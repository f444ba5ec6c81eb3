"""Steps about sends that wait for a time, under any mechanism."""

from collections.abc import Callable

from pytest_bdd import given, when

from tidegate.adapters.base import Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Usage
from tidegate.conformance.conditions.condition import Value
from tidegate.conformance.conditions.known import value_named
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import ENOUGH, FILL_MEMORY, FILL_SIZE, fill_limits, until_refused

USUAL = Value("usual")
UNCONFIGURED = Value(
    "unconfigured", needs=frozenset({"transactions", "default-sends"}),
    options={"transacted": True, "unconfigured": True},
)  # fmt: skip
"""A transacted producer with the defaults of its client, which may wait for no answer within a transaction."""
KINDS = (USUAL, *map(value_named, ("transacted", "windowed", "persistent", "anonymous")), UNCONFIGURED)
"""The kinds of producers, as values of conditions."""


@given("it fills the destination until it is stopped")
def fills_until_stopped(lab: Lab) -> None:
    for _ in range(ENOUGH):
        if lab.send("producer", FILL_SIZE) is not Outcome.ACCEPTED or lab.standing("producer").stopped:
            break
    lab.verify(lab.standing("producer").stopped, "the producer stopped", "the producer free", State.STOPPED)


@when("it tries to send a message, which waits")
def a_send_waits(lab: Lab) -> None:
    outcome = lab.send("producer", FILL_SIZE)
    lab.verify(outcome is Outcome.UNSETTLED, "a send that waits", f"it was {outcome}")


@given("a destination for each kind of producer, filled until none may send")
def filled_by_each_kind(lab: Lab) -> None:
    """Fill a queue by each kind of producer, and a topic where there are topics; each must stop its producer.

    A kind that the adapter does not support for a topic is left out.
    """
    offered = lab.adapter.capabilities
    if "memory-ratio" in offered:
        lab.declare_usage(Usage(memory_bytes=FILL_MEMORY))
    declares: dict[str, Callable[..., None]] = {"queue": lab.declare}
    if "topics" in offered:
        declares["topic"] = lab.declare_topic
    for what, declare in declares.items():
        for kind in KINDS:
            if kind.needs <= offered:
                name, target = f"{kind.name} producer of a {what}", f"{what} of the {kind.name} producer"
                declare(target, fill_limits(lab))
                _fill(lab, name, target, kind)
    standings = lab.rest(dict.fromkeys(lab.producers, lambda seen: seen.stopped))
    free = [name for name, standing in standings.items() if not standing.stopped]
    lab.verify(not free, "every producer stopped", f"{', '.join(free)} free", State.STOPPED)


def _fill(lab: Lab, name: str, target: str, kind: Value) -> None:
    """Open a producer of this kind, and have it send until a message is held back; a transaction has one message."""
    options = ProducerOptions(**kind.options)
    try:
        if kind.anonymous:
            lab.open_anonymous_producer(name)
        else:
            lab.open_producer(name, target, options=options)
    except Unsupported as error:
        if kind is USUAL:
            raise
        # the capability is claimed, and not for this kind of destination
        lab.left_out.append(f"the {name} cannot be opened: {error}")
        return

    def send() -> Outcome:
        outcome = lab.send(name, FILL_SIZE, to=target if kind.anonymous else None)
        is_to_commit = options.transacted and outcome is Outcome.UNSETTLED and not lab.standing(name).stopped
        return lab.commit(name) if is_to_commit else outcome

    until_refused(lab, name, send, ENOUGH)
