"""The event: something that happened or was seen at a broker, in the form that traces, logs and checks share.

The fields are frozen with schema version 1 (a test compares `event.schema.json`). If a kind of event lacks a field,
files have null; checks read the field as 0 or as the empty text, so a rule never meets a null.
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
    """The kind of an event. A schema version may get new kinds, and no kind changes its meaning."""

    LIMITS = "limits"
    """A limit of the destination is set: `cause` names it, `limit` and `resume` are its two levels."""
    OPEN = "open"
    """A producer is attached to the destination. Its sends fail after waiting `limit` ms. `cause` is `rate` if its
    client limits its rate, and `ignores orders` if its client does not obey the broker."""
    SEND = "send"
    """A producer sent `message_id` of `bytes` bytes, with this `outcome`."""
    TAKE = "take"
    """The message `message_id` of `producer` was delivered to the consumer on `channel`."""
    ACKNOWLEDGE = "acknowledge"
    """A consumer acknowledged `message_id`."""
    LEVEL = "level"
    """A look at the destination found `bytes` bytes in `messages` messages; `cause` names the operation before."""
    STOP = "stop"
    """The channel was ordered to stop, because of the destination. In a log, `credit` is the seconds since the stop."""
    RELEASE = "release"
    """The order to stop because of the destination was lifted."""
    OVERFULL = "overfull"
    """The broker said that the destination crossed its upper level."""
    UNDERFULL = "underfull"
    """The broker said that the destination fell below its lower level."""
    CREDIT = "credit"
    """The producer was issued `credit` more credits."""
    DRAIN = "drain"
    """The producer lost `credit` credits without sending, because the link was drained. A negative `credit` is credit
    that it got back without a new issue."""
    STANDING = "standing"
    """A look at the producer at rest: `outcome` is stopped or free."""
    SETTLED = "settled"
    """A producer got the `outcome` of an unsettled send later; `cause` is the broker's reason."""
    CLOSE = "close"
    """A producer, or a channel with all of its producers, was closed; `cause` says how."""
    PURGE = "purge"
    """Management removed every waiting message. With the cause `expired`, only `messages` messages left; with the cause
    `created anew`, the destination was deleted and created again."""
    RETURN = "return"
    """Delivered messages went back to the destination without an acknowledgement: a consumer gave them back, or ended.
    The `cause` is `broken` if its connection broke."""
    START = "start"
    """The broker restarted, or only the destination and everything below it. A restart ends all earlier stops."""
    SHUTDOWN = "shutdown"
    """The broker shut down, which ends all earlier stops."""
    TRAFFIC = "traffic"
    """Management gave a count of the destination, at rest; `cause` names the count.

    The count is in `messages`. If `cause` is bytes, it is in `bytes`, and `outcome` names the counted messages.
    """
    SHOWN = "shown"
    """Management showed a producer or a limit, at rest; `cause` names which.

    For a producer, `outcome` is stopped or free. For a limit, `messages` is the percentage of `limit` that `bytes` use.
    """
    CHANNEL = "channel"
    """A look at the channel as a whole, after the looks at the channel towards each destination."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event. `source` is an independent stream with its own order (a scenario, or one host's log).

    `seq` orders the events of one source; `time` is in ms since the epoch, or in the virtual clock's ms for a
    reference. `bytes`, `limit` and `resume` are in bytes (in credits if `cause` is credit; the `limit` of an `open`
    event is in ms). `messages` and `credit` are counts.
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
