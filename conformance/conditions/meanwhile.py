"""Events while messages wait and producers are stopped, just before the first message leaves a destination.

An event leaves the destination as it found it: it takes no message away for good that it does not send again, and it
sets back what it changes. So the promise of the scenario stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import declined, reason_to_decline
from tidegate.conformance.conditions.condition import Condition, Event, Value
from tidegate.conformance.conditions.histories import FACTOR, HALT_MS, SIZE, fill, multiplied
from tidegate.conformance.conditions.roads import BY_PATTERN, OVERFLOWING
from tidegate.conformance.findings import Deviation

if TYPE_CHECKING:
    from tidegate.conformance.lab import Lab

Leaving = Callable[["Lab", str], None]
"""The way in which a client of an event, given by its name, leaves."""
Parting = Callable[["Lab", str, str], None]
"""The way in which a producer of an event leaves, given its name and its destination."""


def handed_back(leaving: Leaving) -> Event:
    """An event in which a consumer takes all messages and leaves without an acknowledgement."""

    def event(lab: Lab, destination: str) -> None:
        consumer = f"passing consumer at {destination}"
        with lab.aside():
            lab.open_consumer(consumer, destination)
            lab.take_all(consumer)
            leaving(lab, consumer)

    return event


def gives_back(lab: Lab, consumer: str) -> None:
    """Give back the messages that a consumer holds, and close it."""
    lab.give_back(consumer)
    lab.close_consumer(consumer)


def closes(lab: Lab, consumer: str) -> None:
    """Close a consumer that still holds messages."""
    lab.close_consumer(consumer)


def breaks(lab: Lab, name: str) -> None:
    """Break the connection of a client."""
    lab.kill(name)


def idle_consumer(lab: Lab, destination: str) -> None:
    """Attach a consumer that takes nothing, and close it."""
    consumer = f"idle consumer at {destination}"
    lab.open_consumer(consumer, destination)
    lab.close_consumer(consumer)


def filtering_consumer(lab: Lab, destination: str) -> None:
    """Attach a consumer with a filter that no message passes, and break its connection."""
    consumer = f"picky consumer at {destination}"
    lab.attach_filtering(consumer, destination)
    lab.kill(consumer)


def listed(lab: Lab, destination: str) -> None:
    """Have management list the messages."""
    lab.look_through_meanwhile(lab.list_messages, destination)


def browsed(lab: Lab, destination: str) -> None:
    """Have a client browse the messages."""
    lab.look_through_meanwhile(lab.browse, destination)


def rival(parting: Parting) -> Event:
    """An event in which a further producer comes, tries to send where others are stopped, and leaves."""

    def event(lab: Lab, destination: str) -> None:
        name = f"rival at {destination}"
        _comes(lab, name, destination, connection=name)
        parting(lab, name, destination)

    return event


def _comes(lab: Lab, name: str, destination: str, *, connection: str) -> bool:
    """Open a producer, which tries to send where others are stopped; whether they are."""
    stopped = bool(lab.stopped_at(destination))
    lab.open_producer(name, destination, connection=connection, options=lab.charged(DEFAULT_OPTIONS))
    if stopped and lab.may_stop(destination):
        lab.send(name, SIZE)
    return stopped


def _must_be_stopped(lab: Lab, name: str, rule: str) -> None:
    """Raise Deviation if a producer that has tried to send to a full destination is free; `rule` is then violated."""
    declines = reason_to_decline(declined(lab.adapter), rule)
    if declines or not lab.is_full(name) or not lab.waits_for_each_answer(name):
        return
    if not lab.comes_to(lambda: lab.standing(name).stopped, bool):
        raise Deviation(f"the {name} stopped, as the others are", "it is free", rules=(rule,))


def closes_producer(lab: Lab, name: str, destination: str) -> None:
    """Close a producer, whether its send waits or not."""
    lab.close_producer(name)


def breaks_connection(lab: Lab, name: str, destination: str) -> None:
    """Break the connection of a producer."""
    lab.kill(name)


def is_closed_by_management(lab: Lab, name: str, destination: str) -> None:
    """Have management close the connection of a producer."""
    lab.close_by_management(name)


def comes_back(lab: Lab, name: str, destination: str) -> None:
    """Break the connection of a producer, have it come back as a client that reconnects, and close it."""
    again = f"{name} again"
    lab.kill(name)
    if _comes(lab, again, destination, connection=name):
        _must_be_stopped(lab, again, THE_SAME_GATE)
    lab.close_producer(again)


def rolled_back(lab: Lab, destination: str) -> None:
    """Have a further producer commit a message where others are stopped, roll back what came after it, and close."""
    name = f"undecided producer at {destination}"
    stopped = lab.stopped_at(destination)
    lab.open_producer(name, destination, connection=name, options=lab.charged(ProducerOptions(transacted=True)))
    commits = bool(stopped) and lab.may_stop(destination) and lab.send(name, SIZE) is Outcome.UNSETTLED
    if commits:
        lab.commit(name)
    lab.rollback(name)
    if commits:
        _must_be_stopped(lab, name, STOPS_IN_TRANSACTIONS)
    lab.close_producer(name)


def sibling(lab: Lab, destination: str) -> None:
    """Open a producer on the connection of another one, and close it without a send."""
    line = lab.connection_of_a_producer(destination)
    if line is not None:
        name = f"sibling at {destination}"
        lab.open_producer(name, destination, connection=line)
        lab.close_producer(name)


def lowered(lab: Lab, destination: str) -> None:
    """Lower the limits of a full destination, and set them back."""
    if lab.stopped_at(destination):
        limits = replace(lab.limits_of(destination), cursor=None)
        lab.change_limits(destination, multiplied(limits, 1 / FACTOR))
        lab.change_limits(destination, limits)


def raised(lab: Lab, destination: str) -> None:
    """Raise the limits of a destination that is more than full, so that it stays full, and set them back."""
    limits = replace(lab.limits_of(destination), cursor=None)
    higher = _still_exceeded(lab, destination, limits)
    if higher != limits and lab.stopped_at(destination):
        lab.change_limits(destination, higher)
        lab.change_limits(destination, limits)


def _still_exceeded(lab: Lab, destination: str, limits: Limits) -> Limits:
    """The highest limits below the level of the destination, or the same limits if none of these is higher."""
    held = lab.depth(destination)
    own = {"limit_bytes": held.bytes // lab.real(1) - 1, "limit_messages": held.messages - 1}
    exceeded: dict[str, Any] = {
        level: most for level, most in own.items() if most > (now := getattr(limits, level) or 0) and now > 0
    }
    return replace(limits, **exceeded)


def ordered(lab: Lab, destination: str) -> None:
    """Have management order the producers to stop, and lift the order."""
    lab.block(destination)
    lab.unblock(destination)


def refilled(lab: Lab, destination: str) -> None:
    """Consume one message of a full destination, and let each producer that is released send until it may not."""
    stopped = lab.stopped_at(destination)
    if not stopped or any(lab.is_anonymous(name) or not lab.can_wait(name) for name in stopped):
        return
    consumer = f"consumer of one message at {destination}"
    lab.open_consumer(consumer, destination)
    message_id = lab.take(consumer)
    if message_id is None:
        raise Unsupported("a full destination handed out none of its messages")
    lab.acknowledge(consumer, message_id)
    lab.close_consumer(consumer)
    if lab.has_room(stopped[0], 1) and not lab.clock_is_virtual:
        lab.comes_to(lambda: lab.stopped_at(destination), lambda now: now != stopped)
    for name in stopped:
        if name not in lab.stopped_at(destination):
            fill(lab, name, destination, SIZE)


def halted(lab: Lab, destination: str) -> None:
    """Halt the broker for a moment."""
    lab.pause_broker(HALT_MS)


THE_SAME_GATE = "GENERAL-7"
"""The rule that is broken if a producer that comes to a full destination, for the second time too, is free."""
STOPS_IN_TRANSACTIONS = "GENERAL-16"
"""The rule that is broken if a producer whose committed message finds a full destination goes on after a rollback."""
STORES_ONE_MORE = frozenset({"queue-gate", "policies"})
"""The mechanisms in which a further producer is stopped only by its first message, which is stored."""
ASKS_FIRST = frozenset({"address-limit", "core-window", "memory-limit", "memory-ratio", "suspended-connections"})
"""The mechanisms in which no message of a further producer is stored while a destination is full."""
FIGURES = re.compile(r"\d (real )?bytes|\d messages|next consumer|a delay of|that live|log|quota|credits|\bms\b")
"""Steps for which one message more, or another message, makes a difference."""
AHEAD = re.compile(r"consumer (with|whose)|buffered|a delay of")
"""Steps with consumers whose clients buffer messages ahead, and steps with messages that no consumer may have yet."""
DELAYED = re.compile(r"a delay of")
"""Steps with messages that no consumer may have yet."""
OF_CONNECTION = re.compile(rf"{DELAYED.pattern}|messages of one connection")
"""Steps in which the count of its own connection stops a producer, but no other one."""
ORDERS = re.compile(r"management (stops|lifts)|order|disk")
"""Steps with an order of management, which would end with the order of the event; a full disk is one in the trace."""
OTHERWISE = re.compile(
    r"^(the destination is purged|management moves what waits|their time is over|a consumer refuses for good"
    r"|its limit is (changed|removed))"
)
"""Steps in which messages leave by no acknowledgement, or limits change: each runs under each event alone."""
STOPPED = re.compile(r"\bfills?\b|filled|stopped|may not|until (it|one|a send|each)|waits?\b|waited")
"""Steps in which a destination is full, or a producer stopped."""
RIVALS: tuple[tuple[str, str, tuple[str, ...], Parting], ...] = (
    ("closed", "and is closed", ("close-clients",), closes_producer),
    ("lost", "and loses its connection", ("kill-clients",), breaks_connection),
    ("ended", "and management closes its connection", ("management-close",), is_closed_by_management),
    (
        "back", "loses its connection, comes back on one of the same name, and is closed",
        ("kill-clients", "close-clients"), comes_back,
    ),
)  # fmt: skip
"""The ways in which a further producer leaves, each with its words and the capabilities that it needs."""


def _value(name: str, what: str, *needs: str, meanwhile: Event, **further: Any) -> Value:
    """The value of an event, given in words."""
    given = f"before messages leave, {what}"
    return Value(name, given, frozenset(needs), meanwhile=meanwhile, **{"owed_to": OTHERWISE, **further})


MEANWHILE = Condition(
    "meanwhile",
    (
        Value("nothing meanwhile"),
        _value(
            "returned meanwhile", "a consumer takes all of them and gives them back",
            "close-clients", "returned-messages", meanwhile=handed_back(gives_back),
            ruled_out_by=DELAYED,
        ),
        _value(
            "handed back meanwhile", "a consumer takes all of them and is closed",
            "close-clients", meanwhile=handed_back(closes), ruled_out_by=DELAYED,
        ),
        _value(
            "lost meanwhile", "a consumer takes all of them and its connection breaks",
            "kill-clients", meanwhile=handed_back(breaks), ruled_out_by=DELAYED,
        ),
        _value("listed meanwhile", "management lists them", "lists-messages", meanwhile=listed, ruled_out_by=AHEAD),
        _value("browsed meanwhile", "a client browses them", "browsed-messages", meanwhile=browsed, ruled_out_by=AHEAD),
        _value(
            "idle consumer meanwhile", "a consumer comes, takes nothing and is closed",
            "close-clients", meanwhile=idle_consumer,
        ),
        _value(
            "filter meanwhile", "a consumer comes whose filter none passes, and its connection breaks",
            "filtering-consumers", "kill-clients", meanwhile=filtering_consumer,
        ),
        *(
            _value(
                f"rival {leaves}", f"a further producer comes, sends if others are stopped, {how}",
                *needs, meanwhile=rival(parting), not_with=STORES_ONE_MORE, ruled_out_by=OF_CONNECTION,
            )
            for leaves, how, needs, parting in RIVALS
        ),
        *(
            _value(
                f"latecomer {leaves}", f"a further producer comes, sends one if others are stopped, {how}",
                "stops-producers", *needs, meanwhile=rival(parting), not_with=ASKS_FIRST, ruled_out_by=FIGURES,
            )
            for leaves, how, needs, parting in RIVALS
        ),
        _value(
            "rolled back meanwhile", "a further producer commits one if others are stopped, rolls back and is closed",
            "stops-producers", "transactions", "close-clients",
            meanwhile=rolled_back, not_with=ASKS_FIRST, ruled_out_by=FIGURES,
        ),
        _value(
            "sibling meanwhile", "a producer comes on the connection of another, and is closed",
            "shared-connections", "close-clients", meanwhile=sibling,
        ),
        _value(
            "lowered meanwhile", "the limits of a full destination are lowered and set back",
            "changed-limits", meanwhile=lowered, only_with=STOPPED,
        ),
        _value(
            "raised meanwhile", "the limits are raised so little that the destination stays full, and set back",
            "changed-limits", meanwhile=raised, only_with=STOPPED,
        ),
        _value(
            "ordered meanwhile", "management orders the producers to stop, and lifts the order",
            "management-block", meanwhile=ordered, ruled_out_by=ORDERS,
        ),
        _value(
            "refilled meanwhile", "one is consumed, and producers that are free by that send until none may",
            "close-clients", meanwhile=refilled, ruled_out_by=FIGURES, only_with=STOPPED,
        ),
        _value(
            "halted meanwhile", "the broker is halted for a moment", "pauses-broker", meanwhile=halted, costly=True,
        ),
    ),
    # messages that expired before their commit may be gone or there until a consumer asks, so no look is right
    stated_by=re.compile(r"temporary destination|commits once their time is over|nothing is configured"),
)  # fmt: skip
"""What happens while messages wait and producers are stopped."""

OF_OTHER_LIMITS = ("default", *BY_PATTERN, "file", "together", "pages", "goes on", *OVERFLOWING)
"""The values under which limits are not the destination's own, or stop nobody."""
NOT_MEANWHILE: tuple[tuple[str, str], ...] = (
    *((change, other) for change in ("lowered meanwhile", "raised meanwhile") for other in OF_OTHER_LIMITS),
    *(("paced", f"{who} {leaves}") for who in ("rival", "latecomer") for leaves, *_ in RIVALS),
    ("paced", "refilled meanwhile"),
    *(("anonymous", f"{who} back") for who in ("rival", "latecomer")),
    *(
        (sending, "rolled back meanwhile")
        for sending in (
            *("anonymous", "transacted", "second protocol", "asynchronous", "windowed", "settled", "paced"),
            *("without end", "one session", "refused by policy once", "timed out once", "timed out three times"),
        )
    ),
)
"""Pairs of values that exclude each other: limits that change in use are the destination's own, and a rate may stop a
producer beside room, and let it send later than at once. A producer that comes back must be stopped at once, and one
that rolls back sends in transactions itself."""
