"""The event: one thing that happened or was seen at a broker, in the form that traces, logs and checks share.

The fields are frozen with schema version 1 (`event.schema.json`, which a test holds). A field that a kind of event
does not carry is null in files; checks read it as 0 or as the empty text, so that a rule never meets a null.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any

SCHEMA_VERSION = 1

MOST = 2**63 - 1
"""Figures are 64 bit wide, as columns are; the lowest is `-MOST`."""


class Figures:
    """Tells pydantic which figures are valid: all from `least` up to MOST.

    A library has these bounds, but loading it takes 2 % of the time of checking a small log.
    """

    def __init__(self, least: int):
        self.least = least

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**handler(source), "ge": self.least, "le": MOST}


Count = Annotated[int, Figures(0)]
Ordinal = Annotated[int, Figures(1)]
Level = Annotated[int, Figures(-1)]
Figure = Annotated[int, Figures(-MOST)]
"""A figure that an implementation reports, also one below zero: a trace records it, and rules judge it."""


class Kind(StrEnum):
    """What an event says; new kinds may be added within one schema version, none changes its meaning."""

    LIMITS = "limits"
    """A limit of the destination is set: `cause` names it, `limit` and `resume` are its two levels."""
    OPEN = "open"
    """A producer is attached to the destination: `limit` is how many ms its sends wait before they fail, and `cause` is
    `rate` or `ignores orders` where its client paces it, or does not obey."""
    SEND = "send"
    """A producer got the `outcome` of sending `message_id` of `bytes` bytes."""
    TAKE = "take"
    """A consumer was handed `message_id`."""
    ACKNOWLEDGE = "acknowledge"
    """A consumer settled `message_id`."""
    LEVEL = "level"
    """The destination was seen to hold `bytes` bytes in `messages` messages; `cause` names the operation before."""
    STOP = "stop"
    """The channel was ordered to stop, because of the destination. In a log `credit` is how many seconds it has
    lasted."""
    RELEASE = "release"
    """The order to stop, given because of the destination, was lifted."""
    OVERFULL = "overfull"
    """The broker said that the destination crossed its upper level."""
    UNDERFULL = "underfull"
    """The broker said that the destination fell below its lower level."""
    CREDIT = "credit"
    """The producer was issued `credit` more credits."""
    DRAIN = "drain"
    """The producer lost `credit` credits without sending, because the link was drained; below zero, it got back credits
    that were not issued again."""
    STANDING = "standing"
    """The standing of the producer was read, once the system was at rest: `outcome` is stopped or free."""
    SETTLED = "settled"
    """A producer got the `outcome` of a message whose send had been unsettled; `cause` is the reason given."""
    CLOSE = "close"
    """A producer, or a channel with all of its producers, was closed; `cause` says how."""
    PURGE = "purge"
    """Every waiting message was removed by management, or, if `cause` names another way, `messages` messages
    expired."""
    RETURN = "return"
    """Messages that a consumer was handed went back to the destination, unacknowledged."""
    START = "start"
    """The broker, or the destination and everything below it, started anew: no producer that it stopped before is
    stopped."""
    TRAFFIC = "traffic"
    """Management was asked, once the system was at rest, for the figure of the destination that `cause` names.

    The figure is `messages`, or `bytes` where `cause` is bytes; then `outcome` names the messages that are counted.
    """
    SHOWN = "shown"
    """Management was asked, once the system was at rest, how it shows a producer or a limit, as `cause` names.

    For a producer `outcome` is stopped or free. For a limit `messages` is the percentage of `limit` that `bytes` use.
    """
    CHANNEL = "channel"
    """The standing of the channel as a whole was read, after its standing towards each destination."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event. `source` is an independent stream with an order of its own (a scenario, or one host's log).

    `seq` orders the events of one source; `time` is in ms since the epoch, in the virtual clock's ms for a
    reference. `bytes`, `limit` and `resume` are in bytes (in credits where `cause` is credit; the `limit` of an `open`
    event is in ms), `messages` and `credit` are counts.
    """

    source: str
    seq: Ordinal
    time: Count
    kind: Kind
    destination: str | None = None
    connection: str | None = None
    channel: str | None = None
    producer: str | None = None
    message_id: str | None = None
    bytes: Figure | None = None
    messages: Figure | None = None
    credit: Figure | None = None
    outcome: str | None = None
    limit: Level | None = None
    resume: Level | None = None
    cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An event as trace rules see it: the same fields, with 0 or the empty text for null."""

    source: str
    seq: int
    time: int
    kind: str
    destination: str
    connection: str
    channel: str
    producer: str
    message_id: str
    bytes: int
    messages: int
    credit: int
    outcome: str
    limit: int
    resume: int
    cause: str

    @classmethod
    def of(cls, event: Event) -> "Moment":
        """The event without nulls."""
        return cls(**{
            name: empty if (value := getattr(event, name)) is None else value
            for name, empty in EMPTY.items()
        })  # fmt: skip


EMPTY: dict[str, Any] = {part.name: 0 if part.type is int else "" for part in fields(Moment)}
"""Each field of an event, and its value for null."""
