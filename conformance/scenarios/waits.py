"""Steps about sends that wait for a time, under any mechanism."""

from collections.abc import Callable

from pytest_bdd import given, when

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Usage
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import ANSWERED, ENOUGH, FILL_MEMORY, FILL_SIZE, fill_limits, until_refused

WINDOW = 1000
"""The window of a windowed producer, in bytes."""
KINDS: tuple[tuple[str, frozenset[str], ProducerOptions], ...] = (
    ("usual", frozenset(), DEFAULT_OPTIONS),
    ("transacted", frozenset({"transactions"}), ProducerOptions(transacted=True)),
    (
        # the client of a broker may wait for no answer within a transaction unless it is configured to
        "transacted, otherwise unconfigured",
        frozenset({"transactions", "default-sends"}),
        ProducerOptions(transacted=True, unconfigured=True),
    ),
    (
        "windowed",
        frozenset({"producer-window", "asynchronous-sends"}),
        ProducerOptions(asynchronous=True, window_bytes=WINDOW),
    ),
    ("persistent", frozenset({"persistent-messages"}), ProducerOptions(persistent=True)),
)
"""The kinds of producers by name, each with the capabilities that it needs and its options."""
ANONYMOUS = "anonymous-producers"


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
        for kind, needs, options in KINDS:
            target = f"{what} of the {kind} producer"
            if not needs <= offered:
                continue
            declare(target, fill_limits(lab))
            name = f"{kind} producer of a {what}"
            try:
                lab.open_producer(name, target, options=options)
            except Unsupported:
                if not needs:
                    raise
                # the capability is claimed, and not for this kind of destination
                continue
            _fill(lab, name, options)
        if ANONYMOUS in offered:
            name, target = f"anonymous producer of a {what}", f"{what} of the anonymous producer"
            declare(target, fill_limits(lab))
            lab.open_anonymous_producer(name)
            _send_until_held_back(lab, name, target)
    standings = lab.rest(dict.fromkeys(lab.producers, lambda seen: seen.stopped))
    free = [name for name, standing in standings.items() if not standing.stopped]
    lab.verify(not free, "every producer stopped", f"{', '.join(free)} free", State.STOPPED)


def _fill(lab: Lab, name: str, options: ProducerOptions) -> None:
    """Send until a message is held back; a transaction has one message each."""
    if not options.transacted:
        until_refused(lab, name, lambda: lab.send(name, FILL_SIZE), ENOUGH)
        return
    for _ in range(ENOUGH):
        held_back = lab.send(name, FILL_SIZE) is not Outcome.UNSETTLED or lab.standing(name).stopped
        if held_back or lab.commit(name) is not Outcome.ACCEPTED:
            return


def _send_until_held_back(lab: Lab, name: str, target: str) -> None:
    for _ in range(ENOUGH):
        if lab.send(name, FILL_SIZE, to=target) not in ANSWERED:
            return
