"""Histories of a destination before a scenario begins: rounds in which it is filled and emptied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions

if TYPE_CHECKING:
    from tidegate.conformance.conditions.condition import History
    from tidegate.conformance.lab import Lab

SIZE = 400
LARGE = 1500
"""More bytes than any destination here holds before it is full."""
MOST = 300
"""More messages than any producer here may send before it is stopped."""
MOST_BYTES = 100_000_000
"""The most bytes that a round puts into a real broker if nothing stops a producer: its memory takes no more."""
FEW = 3
"""The number of messages to send if nothing would ever stop their producer."""
TWO = 2
"""The number of messages that surely fit and expire: whether one that expires while it waits is stored is open."""
PAST_ANY_LIMIT = 12
"""The number of messages that exceed the limits of a small destination and its pages, and exceed these levels again."""
WAIT_MS = 1000
"""The time after which a waiting send fails, in ms."""
HALT_MS = 100
"""The time for which the broker is halted, in ms."""
LIVES_MS = 200
"""The time to live of a message that is to expire, in ms."""
FACTOR = 3
"""A limit raised in use is multiplied by this factor, and a lowered one divided."""
GOES_ON = (Outcome.ACCEPTED, Outcome.SENT)

Ending = Callable[["Lab", str, str], None]
"""The end of a round, given the destination and the producer that filled it."""


def rounds(number: int, ending: Ending, *, producers: int = 1, size: int = SIZE) -> History:
    """A history in which producers fill the destination in a number of rounds, each of which `ending` ends.

    The rounds end early if nothing stops a producer: the scenario shows that too, and further messages show no more.
    """

    def history(lab: Lab, destination: str) -> None:
        for count in range(1, number + 1):
            rounds_of = f"{lab.part_of_history}round {count} at {destination}"
            names = [f"producer {each} of {rounds_of}" for each in range(1, producers + 1)]
            for name in names:
                # who is attached to an earlier destination keeps its connection when this one breaks
                _open(lab, name, destination, connection=name if ending is killed and lab.producers else None)
            until_stopped = ending not in OF_NOBODY or lab.clock_is_virtual
            most_bytes = MOST_BYTES // producers
            is_full = all(
                fill(lab, name, destination, size, until_stopped=until_stopped, most_bytes=most_bytes) for name in names
            )
            ending(lab, destination, names[0])
            consume_all(lab, destination)
            for name in names:
                if name in lab.producers:
                    lab.close_producer(name)
            if any(map(lab.commits_at_once, names)):
                consume_all(lab, destination)  # a message may have been committed after the last one was consumed
            if not is_full:
                return

    return history


def _open(
    lab: Lab,
    name: str,
    destination: str,
    *,
    connection: str | None = None,
    options: ProducerOptions = DEFAULT_OPTIONS,
) -> None:
    """Open a producer of a history, whose messages count against the limits that the scenario configured."""
    lab.open_producer(name, destination, connection=connection, options=lab.charged(options))


def rolled_back(lab: Lab, destination: str) -> None:
    """Fill the destination in a transaction and roll it back."""
    name = f"transacted producer at {destination}"
    _open(lab, name, destination, options=ProducerOptions(transacted=True))
    for _ in range(FEW):
        if lab.send(name, SIZE) is not Outcome.UNSETTLED or lab.standing(name).stopped:
            break
    lab.rollback(name)
    consume_all(lab, destination)
    lab.close_producer(name)


def refused(lab: Lab, destination: str) -> None:
    """Let a reject threshold refuse messages for this round, and consume what was stored."""
    limits = lab.limits_of(destination)
    if limits.limit_bytes is None or limits.limit_bytes <= 0:
        return
    name = f"refused producer at {destination}"
    lab.change_limits(destination, replace(limits, reject_bytes=limits.limit_bytes, cursor=None))
    _open(lab, name, destination)
    fill(lab, name, destination, SIZE)
    consume_all(lab, destination)
    lab.close_producer(name)
    lab.change_limits(destination, replace(limits, cursor=None))


def refused_by_policy(lab: Lab, destination: str) -> None:
    """Let the destination refuse messages past its limits by its policy, and consume the stored ones."""
    limits = replace(lab.limits_of(destination), cursor=None)
    lab.change_limits(destination, replace(limits, policy="FAIL"))
    overflowed(lab, destination)
    lab.change_limits(destination, limits)


def fill(
    lab: Lab, name: str, destination: str, size: int, *, until_stopped: bool = True, most_bytes: int = MOST_BYTES
) -> bool:
    """Send until a message is not taken; send a few messages if nothing stops the producer.

    With `until_stopped` false, a few messages past the limit are enough, since the producer may have much credit left.
    False if the most messages that a producer may send were all taken, although it should have been stopped.
    """
    may_be_stopped = lab.may_stop(destination) and lab.can_wait(name)
    past, most = 0, MOST if may_be_stopped else FEW
    for _ in range(most if lab.clock_is_virtual else min(most, max(FEW, most_bytes // lab.real(size)))):
        if lab.send(name, size) not in GOES_ON:
            return True
        past += lab.is_full(name)
        if past == FEW and not until_stopped:
            return True
    return not may_be_stopped


def drained(lab: Lab, destination: str, name: str) -> None:
    """Do nothing: consumers take all messages after the round."""


def purged(lab: Lab, destination: str, name: str) -> None:
    """Purge the destination by management while its producer is stopped."""
    lab.purge(destination)


def closed(lab: Lab, destination: str, name: str) -> None:
    """Close the stopped producer."""
    lab.close_producer(name)


def killed(lab: Lab, destination: str, name: str) -> None:
    """Break the connection of the stopped producer."""
    lab.kill(name)


def timed_out(lab: Lab, destination: str, name: str) -> None:
    """Let a send to the full destination wait until its client gives up; do nothing if the destination stops nobody."""
    if not lab.may_stop(destination):
        return
    waiting = f"{name} that gives up"
    _open(lab, waiting, destination, connection=waiting, options=ProducerOptions(wait_ms=WAIT_MS))
    fill(lab, waiting, destination, SIZE)
    lab.pass_time(WAIT_MS)
    lab.comes_to(lambda: lab.answer_to_last(waiting), lambda told: told is not None)
    lab.close_producer(waiting)


def raised_and_lowered(lab: Lab, destination: str, name: str) -> None:
    """Raise the limits while the producer is stopped, then lower them below what the destination holds."""
    limits = replace(lab.limits_of(destination), cursor=None)
    lab.change_limits(destination, multiplied(limits, FACTOR))
    lab.comes_to(lambda: lab.standing(name).stopped, lambda stopped: not stopped)
    fill(lab, name, destination, SIZE)
    lab.change_limits(destination, limits)


def multiplied(limits: Limits, by: float) -> Limits:
    """The limits, with each level that is set multiplied by a factor."""
    levels = ("limit_bytes", "resume_bytes", "limit_messages", "page_limit_bytes", "page_limit_messages", "page_bytes")
    changed: dict[str, Any] = {
        level: int(getattr(limits, level) * by) for level in levels if (getattr(limits, level) or 0) > 0
    }
    return replace(limits, **changed)


def given_back(lab: Lab, destination: str, name: str) -> None:
    """Let a consumer take all messages and close without an acknowledgement."""
    lab.close_consumer(_with_all_in_hand(lab, destination, f"consumer of {name}"))


def requeued(lab: Lab, destination: str, name: str) -> None:
    """Let a consumer take all messages and give them back before it closes."""
    consumer = _with_all_in_hand(lab, destination, f"consumer that gives back after {name}")
    lab.give_back(consumer)
    lab.close_consumer(consumer)


def _with_all_in_hand(lab: Lab, destination: str, consumer: str) -> str:
    """Open a consumer that takes all messages and acknowledges none; the result is its name."""
    lab.open_consumer(consumer, destination)
    while lab.take(consumer) is not None:
        pass
    return consumer


def given_up(lab: Lab, destination: str, name: str) -> None:
    """Let a consumer take all messages and refuse each for good."""
    consumer = f"consumer that refuses after {name}"
    lab.open_consumer(consumer, destination)
    while (message_id := lab.take(consumer)) is not None:
        lab.give_up(consumer, message_id)
    lab.close_consumer(consumer)


def listed(lab: Lab, destination: str, name: str) -> None:
    """List the messages by management while their producer is stopped."""
    lab.look_through_if_it_can(lab.list_messages, destination)


def browsed(lab: Lab, destination: str, name: str) -> None:
    """Browse the messages while their producer is stopped."""
    lab.look_through_if_it_can(lab.browse, destination)


def expired(lab: Lab, destination: str) -> None:
    """Let messages expire, and let a consumer ask for messages afterwards."""
    name = f"producer of what expires at {destination}"
    _open(lab, name, destination)
    for _ in range(TWO):
        if lab.send(name, SIZE, lives_ms=LIVES_MS) not in GOES_ON:
            break
    lab.let_expire(destination, 2 * LIVES_MS)
    consume_all(lab, destination)
    lab.close_producer(name)


def moved(lab: Lab, destination: str) -> None:
    """Have management move messages to another destination, where they are consumed.

    No message waits for the room that a move makes: whether it would be moved too is open.
    """
    name = f"producer of what is moved from {destination}"
    _open(lab, name, destination)
    for _ in range(TWO):
        if lab.send(name, SIZE) not in GOES_ON:
            break
    lab.move_away(destination)
    consume_all(lab, destination)
    lab.close_producer(name)


def recreated(lab: Lab, destination: str) -> None:
    """Fill the destination, delete it with its messages, and create one of the same name."""
    name = f"producer before the end of {destination}"
    _open(lab, name, destination)
    fill(lab, name, destination, SIZE, most_bytes=MOST_BYTES)
    lab.close_producer(name)
    lab.recreate(destination)


def consume_all(lab: Lab, destination: str) -> None:
    """Consume all messages, and then the messages of producers that waited for room."""
    while lab.drain(destination) or (_is_somebody_released(lab) and lab.drain(destination)):
        pass


def _is_somebody_released(lab: Lab) -> bool:
    """Whether a stopped producer becomes free now: its message may come after a purge or after the last drain."""

    def stopped() -> list[bool]:
        return [lab.standing(name).stopped for name in lab.producers]

    before = stopped()
    return any(before) and lab.comes_to(stopped, lambda now: not any(now)) != before


def restarted(lab: Lab, destination: str) -> None:
    """Kill the broker and start it again, unless a producer already sends to an earlier destination."""
    if not lab.producers:
        lab.restart_broker()


def paused(lab: Lab, destination: str) -> None:
    """Halt the broker for a moment."""
    lab.pause_broker(HALT_MS)


def overflowed(lab: Lab, destination: str) -> None:
    """Send several times the capacity of the destination, whatever the answers; consume what was stored."""
    name = f"producer past the limits of {destination}"
    _open(lab, name, destination)
    for _ in range(PAST_ANY_LIMIT):
        if lab.send(name, SIZE) is Outcome.BLOCKED:
            break
    consume_all(lab, destination)
    lab.close_producer(name)


OF_NOBODY = (drained, given_back, given_up, requeued, listed, browsed)
"""The ends of rounds that need no stopped producer."""
