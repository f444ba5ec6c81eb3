"""Steps about the memory, the store and the disk that all destinations share."""

from collections.abc import Callable
from dataclasses import dataclass

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import ENOUGH, is_accepted, until_refused
from tidegate.conformance.scenarios.rounds import in_rounds
from tidegate.conformance.scenarios.shown import shows_each
from tidegate.conformance.scenarios.temporary import beside_an_idle_one

HERE, ELSEWHERE, AWAY = "destination", "other destination", "target of the move"
LIVES_MS, OVER_MS = 200, 400
"""The time to live of messages that are to expire, and the time after which they have expired."""


@dataclass(frozen=True)
class Space:
    """Space that all destinations share: its limit, and the kind and size of the messages that fill it."""

    usage: Usage
    limits: Limits
    persistent: bool
    size: int
    committed: int = 0
    """The number of messages that fill it by one commit; 0 where a commit may wait for this space."""


SPACES = {
    "memory": Space(Usage(memory_bytes=1000), Limits(limit_bytes=1_000_000, cursor="memory"), False, 500, 2),
    "the store": Space(Usage(store_bytes=20_000), Limits(cursor="file"), True, 1000),
    "the disk": Space(Usage(quota_bytes=1000, quota_resume_bytes=800), Limits(cursor="memory"), True, 400, 3),
}
KIND = rf"(?P<kind>{'|'.join(SPACES)})"


@dataclass(frozen=True)
class Round:
    """Whether a producer of another destination was stopped before the messages left, and is free afterwards."""

    waited: bool
    went_on: bool


Leaving = Callable[[Lab], None]


def _acknowledged_together(lab: Lab) -> None:
    lab.open_consumer("consumer of all", HERE)
    lab.take_all("consumer of all")
    lab.acknowledge_all("consumer of all")
    lab.close_consumer("consumer of all")
    lab.consume_everything(HERE)


def _moved(lab: Lab) -> None:
    if AWAY not in lab.destinations:
        lab.declare(AWAY, lab.limits_of(HERE))
    lab.move(HERE, AWAY)
    lab.consume_everything(AWAY)
    lab.consume_everything(HERE)


def _purged(lab: Lab) -> None:
    lab.purge(HERE)
    lab.consume_everything(HERE)


def _expired(lab: Lab) -> None:
    lab.let_expire(HERE, OVER_MS)
    lab.consume_everything(HERE)


LEAVING: dict[str, Leaving] = {
    "are consumed": lambda lab: lab.consume_everything(HERE),
    "are acknowledged together": _acknowledged_together,
    "are purged": _purged,
    "expire": _expired,
    "are moved and consumed there": _moved,
    "are deleted with their destination": lambda lab: lab.recreate(HERE),
}


@given(parsers.re(rf"all destinations share {KIND}(?P<topic>, and one of them is a topic)?"), target_fixture="space")
def shared(lab: Lab, kind: str, topic: str | None) -> Space:
    space = SPACES[kind]
    lab.declare_usage(space.usage)
    (lab.declare_topic if topic else lab.declare)(HERE, space.limits)
    lab.declare(ELSEWHERE, space.limits)
    return space


@when(
    parsers.re(
        rf"(?P<times>\d+) times messages (?P<how>fill|are committed and fill) it, a producer waits elsewhere, "
        rf"and the messages (?P<leave>{'|'.join(LEAVING)})"
    ),
    converters={"times": int},
    target_fixture="filled",
)
def filled_again_and_again(lab: Lab, space: Space, times: int, how: str, leave: str) -> list[Round]:
    committed = how.startswith("are committed")
    lives = LIVES_MS if leave == "expire" else None
    return [_round(lab, space, number, LEAVING[leave], committed, lives) for number in range(1, times + 1)]


def _round(lab: Lab, space: Space, number: int, leave: Leaving, committed: bool, lives_ms: int | None) -> Round:
    filler = f"producer of round {number}"
    fill(lab, space, filler, HERE, committed=committed, lives_ms=lives_ms)
    lab.close_producer(filler)
    # a destination may leave a little room that its next message would not fit in
    waited = waits(lab, space, number, most=ENOUGH, lasting=lives_ms is None)
    leave(lab)
    return Round(waited, _goes_on(lab, number))


def fill(
    lab: Lab, space: Space, name: str, destination: str, *, committed: bool = False, lives_ms: int | None = None
) -> None:
    """Fill the space by messages of one producer to one destination."""
    lab.open_producer(name, destination, options=ProducerOptions(persistent=space.persistent, transacted=committed))
    if committed:
        for _ in range(space.committed):
            lab.send(name, space.size)
        outcome = lab.commit(name)
        lab.verify(outcome is Outcome.ACCEPTED, "a transaction that is committed", f"it was {outcome}")
    else:
        until_refused(lab, name, lambda: lab.send(name, space.size, lives_ms=lives_ms), ENOUGH)


def waits(lab: Lab, space: Space, number: int, *, most: int = 1, lasting: bool = True) -> bool:
    """Whether a producer of the other destination is stopped by one of `most` messages.

    If it is not `lasting`, the producer may be free again soon, as where messages expire.
    """
    name = f"producer elsewhere in round {number}"
    lab.open_producer(name, ELSEWHERE, options=ProducerOptions(persistent=space.persistent))
    until_refused(lab, name, lambda: lab.send(name, space.size), most)
    if not lasting:
        return lab.comes_to(lambda: lab.standing(name).stopped, bool)
    return lab.rests(name, lambda seen: seen.stopped).stopped


def _goes_on(lab: Lab, number: int) -> bool:
    name = f"producer elsewhere in round {number}"
    free = not lab.rests(name, lambda seen: not seen.stopped).stopped
    lab.consume_everything(ELSEWHERE)
    lab.close_producer(name)
    return free


@then("each time the producer waited before that, and was free afterwards")
def waited_and_went_on(lab: Lab, filled: list[Round]) -> None:
    free = [number for number, each in enumerate(filled, 1) if not each.waited]
    lab.verify(not free, "a producer elsewhere stopped in each round", f"it was free in {in_rounds(free)}")
    held = [number for number, each in enumerate(filled, 1) if not each.went_on]
    lab.verify(not held, "the producer elsewhere free after each round", f"it was stopped after {in_rounds(held)}")


@when(parsers.re("messages fill it, and a consumer takes all and (?P<returns>gives them back|is closed)"))
def filled_and_returned(lab: Lab, space: Space, returns: str) -> None:
    fill(lab, space, "producer of round 1", HERE)
    lab.close_producer("producer of round 1")
    lab.open_consumer("consumer", HERE)
    lab.take_all("consumer")
    (lab.give_back if returns == "gives them back" else lab.close_consumer)("consumer")


@then("a producer elsewhere waits until all is consumed")
def waits_until_consumed(lab: Lab, space: Space) -> None:
    waited = waits(lab, space, 1)
    lab.verify(waited, "a producer elsewhere stopped while the messages are there", "it was free")
    lab.consume_everything(HERE)
    lab.verify(_goes_on(lab, 1), "the producer elsewhere free once all is consumed", "it was stopped")


@when(parsers.re(r"(?P<times>\d+) times messages that would fill it are rolled back"), converters={"times": int})
def rolled_back(lab: Lab, space: Space, times: int) -> None:
    options = ProducerOptions(persistent=space.persistent, transacted=True)
    lab.open_producer("transacted producer", HERE, options=options)
    for _ in range(times):
        for _ in range(space.committed):
            lab.send("transacted producer", space.size)
        lab.rollback("transacted producer")


@when(parsers.re(r"(?P<times>\d+) times a temporary destination fills it and ends"), converters={"times": int})
def temporary_ends(lab: Lab, space: Space, times: int) -> None:
    for number in range(1, times + 1):
        name, producer = f"temporary destination {number}", f"producer of round {number}"
        lab.declare_temporary(name, space.limits)
        fill(lab, space, producer, name)
        lab.close_producer(producer)
        lab.end_temporary(name)


@when(
    parsers.re(r"(?P<times>\d+) times the second temporary destination of a connection fills it and both end"),
    converters={"times": int},
)
def second_temporary_ends(lab: Lab, space: Space, times: int) -> None:
    for number in range(1, times + 1):
        name, producer = beside_an_idle_one(lab, number, space.limits), f"producer {number}"
        fill(lab, space, producer, name)
        lab.close_producer(producer)
        lab.end_temporary(name)


@then("a message elsewhere is accepted")
def has_room(lab: Lab, space: Space) -> None:
    lab.open_producer("producer", ELSEWHERE, options=ProducerOptions(persistent=space.persistent))
    is_accepted(lab, "producer", space.size)


@when("messages fill it, and a producer elsewhere waits")
def filled_and_waiting(lab: Lab, space: Space) -> None:
    fill(lab, space, "producer of round 1", HERE)
    lab.close_producer("producer of round 1")
    lab.verify(waits(lab, space, 1), "a producer elsewhere stopped", "it was free")


@when("a producer elsewhere is attached")
def attached_elsewhere(lab: Lab, space: Space) -> None:
    lab.open_producer("producer", ELSEWHERE, options=ProducerOptions(persistent=space.persistent))


@when("all that fills it is consumed")
def consumed_here(lab: Lab) -> None:
    lab.consume_everything(HERE)


@then(parsers.re(r"management shows the producer elsewhere as (?P<state>stopped|free)"))
def shows_producer_elsewhere(lab: Lab, state: str) -> None:
    shows_each(lab, state, ["producer elsewhere in round 1"])


@when("messages fill it, and the broker is killed and started again")
def filled_and_restarted(lab: Lab, space: Space) -> None:
    fill(lab, space, "producer of round 1", HERE)
    lab.close_producer("producer of round 1")
    lab.restart_broker()
