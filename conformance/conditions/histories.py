"""What may have gone on at a destination before a scenario begins: rounds of filling and freeing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tidegate.adapters.base import Limits, Outcome, ProducerOptions

if TYPE_CHECKING:
    from tidegate.conformance.conditions.condition import History
    from tidegate.conformance.lab import Lab

SIZE = 400
LARGE = 1500
"""More bytes than any destination here may hold before it is full."""
MOST = 300
"""More messages than any producer here may send before it is stopped."""
MOST_BYTES = 100_000_000
"""More bytes than a real broker is made to hold where nothing stops a producer, which its memory could not take."""
FEW = 3
"""As many messages as are sent where nothing would ever stop their producer."""
TWO = 2
"""As many messages as fit where messages expire: whether one is stored that expired while it had to wait is open."""
PAST_ANY_LIMIT = 12
"""How many messages pass the limits of a small destination and its pages, and pass these levels again."""
WAIT_MS = 1000
"""How long a send waits that is to fail for it."""
LIVES_MS = 200
"""How long a message lives that is to expire."""
FACTOR = 3
"""A limit that is raised in use is multiplied by this, and one that is lowered divided."""
GOES_ON = (Outcome.ACCEPTED, Outcome.SENT)

Ending = Callable[["Lab", str, str], None]
"""How a round ends, given the destination and the producer that filled it."""


def rounds(number: int, ending: Ending, *, producers: int = 1, size: int = SIZE) -> History:
    """A number of rounds in which producers fill the destination, which then becomes empty as `ending` says.

    A producer that nothing stops ends the rounds: what follows them tells of it, and more messages tell no more.
    """

    def history(lab: Lab, destination: str) -> None:
        for count in range(1, number + 1):
            names = [f"producer {each} of round {count} at {destination}" for each in range(1, producers + 1)]
            for name in names:
                lab.open_producer(name, destination)
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
            if not is_full:
                return

    return history


def rolled_back(lab: Lab, destination: str) -> None:
    """A transaction that fills the destination and is rolled back."""
    name = f"transacted producer at {destination}"
    lab.open_producer(name, destination, options=ProducerOptions(transacted=True))
    for _ in range(FEW):
        if lab.send(name, SIZE) is not Outcome.UNSETTLED or lab.standing(name).stopped:
            break
    lab.rollback(name)
    consume_all(lab, destination)
    lab.close_producer(name)


def refused(lab: Lab, destination: str) -> None:
    """For this round a reject threshold refuses messages. What was stored is consumed."""
    limits = lab.limits_of(destination)
    if limits.limit_bytes is None or limits.limit_bytes <= 0:
        return
    name = f"refused producer at {destination}"
    lab.change_limits(destination, replace(limits, reject_bytes=limits.limit_bytes, cursor=None))
    lab.open_producer(name, destination)
    fill(lab, name, destination, SIZE)
    consume_all(lab, destination)
    lab.close_producer(name)
    lab.change_limits(destination, replace(limits, cursor=None))


def fill(
    lab: Lab, name: str, destination: str, size: int, *, until_stopped: bool = True, most_bytes: int = MOST_BYTES
) -> bool:
    """Send until a message is not taken, or a few messages where nothing stops the producer.

    Where nobody need be stopped, a few messages past the limit are enough, whatever credit is left: there may be much.
    False if all messages were taken that a producer may send at most, and one should have been stopped.
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
    """Consumers take all there is."""


def purged(lab: Lab, destination: str, name: str) -> None:
    """Management purges the destination while its producer is stopped."""
    lab.purge(destination)


def closed(lab: Lab, destination: str, name: str) -> None:
    """The stopped producer is closed."""
    lab.close_producer(name)


def killed(lab: Lab, destination: str, name: str) -> None:
    """The connection of the stopped producer breaks."""
    lab.kill(name)


def timed_out(lab: Lab, destination: str, name: str) -> None:
    """A send to the full destination waits until its client gives it up; nothing does so where nobody is stopped."""
    if not lab.may_stop(destination):
        return
    waiting = f"{name} that gives up"
    lab.open_producer(waiting, destination, connection=waiting, options=ProducerOptions(wait_ms=WAIT_MS))
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
    """The limits with each level that is set multiplied by a factor."""
    levels = ("limit_bytes", "resume_bytes", "limit_messages", "page_limit_bytes", "page_limit_messages")
    changed: dict[str, Any] = {
        level: int(getattr(limits, level) * by) for level in levels if (getattr(limits, level) or 0) > 0
    }
    return replace(limits, **changed)


def given_back(lab: Lab, destination: str, name: str) -> None:
    """A consumer takes all messages and is closed without an acknowledgement."""
    consumer = f"consumer of {name}"
    lab.open_consumer(consumer, destination)
    while lab.take(consumer) is not None:
        pass
    lab.close_consumer(consumer)


def given_up(lab: Lab, destination: str, name: str) -> None:
    """A consumer takes all messages and refuses each for good."""
    consumer = f"consumer that refuses after {name}"
    lab.open_consumer(consumer, destination)
    while (message_id := lab.take(consumer)) is not None:
        lab.give_up(consumer, message_id)
    lab.close_consumer(consumer)


def listed(lab: Lab, destination: str, name: str) -> None:
    """Management lists the messages while their producer is stopped."""
    lab.list_messages(destination)


def browsed(lab: Lab, destination: str, name: str) -> None:
    """A client looks at the messages while their producer is stopped."""
    lab.browse(destination)


def expired(lab: Lab, destination: str) -> None:
    """Messages were sent whose time is over, and a consumer has asked for messages since."""
    name = f"producer of what expires at {destination}"
    lab.open_producer(name, destination)
    for _ in range(TWO):
        if lab.send(name, SIZE, lives_ms=LIVES_MS) not in GOES_ON:
            break
    lab.let_expire(destination, 2 * LIVES_MS)
    consume_all(lab, destination)
    lab.close_producer(name)


def recreated(lab: Lab, destination: str) -> None:
    """The destination was filled and then deleted with its messages, and one of the same name was created."""
    name = f"producer before the end of {destination}"
    lab.open_producer(name, destination)
    fill(lab, name, destination, SIZE, most_bytes=MOST_BYTES)
    lab.close_producer(name)
    lab.recreate(destination)


def consume_all(lab: Lab, destination: str) -> None:
    """Consume all there is, and then what producers send that waited for it."""
    while lab.drain(destination):
        lab.comes_to(lambda: [lab.standing(name).stopped for name in lab.producers], lambda stopped: not any(stopped))


def restarted(lab: Lab, destination: str) -> None:
    """The broker is killed and started again, unless somebody has begun to send to an earlier destination."""
    if not lab.producers:
        lab.restart_broker()


def overflowed(lab: Lab, destination: str) -> None:
    """Send several times what the destination may hold, whatever becomes of it. What was stored is consumed."""
    name = f"producer past the limits of {destination}"
    lab.open_producer(name, destination)
    for _ in range(PAST_ANY_LIMIT):
        if lab.send(name, SIZE) is Outcome.BLOCKED:
            break
    consume_all(lab, destination)
    lab.close_producer(name)


OF_NOBODY = (drained, given_back, given_up, listed, browsed)
"""How rounds end that are about no producer that was stopped."""
