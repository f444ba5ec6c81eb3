"""The adapter contract, version 1: the verbs that the suite needs, and the words for what an implementation claims.

Every figure is in real units: bytes as the broker charges them, messages, ms. A verb that does not come back
is ended by the suite's watchdog. Observation must not go through the operation under test. The optional groups of
verbs are in `groups`, the names of the capabilities in `capabilities`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

CONTRACT_VERSION = 1
"""Verbs and fields may be added within one version, with defaults; none changes its meaning."""


class Outcome(StrEnum):
    """What the sender of a message was told."""

    ACCEPTED = "accepted"
    """The broker took responsibility for the message."""
    REJECTED = "rejected"
    """The broker refused the message."""
    BLOCKED = "blocked"
    """The producer is stopped or has no credit: the message was not handed to the broker, and is not queued to be."""
    UNSETTLED = "unsettled"
    """No answer came in time: the call to send still waits, or the message is part of an open transaction."""
    SENT = "sent"
    """The message was handed over by a producer that does not wait for answers."""


@dataclass(frozen=True)
class Limits:
    """What to configure for a destination; None leaves it unconfigured. Levels in bytes or messages, -1 is no limit."""

    limit_bytes: int | None = None
    """Upper level: a queue's capacity, an address's max-size-bytes, a destination's memory limit."""
    resume_bytes: int | None = None
    """Lower level: a queue's flow resume capacity."""
    limit_messages: int | None = None
    """Upper level in messages."""
    policy: str | None = None
    """What a full destination does: BLOCK, PAGE, FAIL or DROP; NONE where flow control is switched off for it."""
    reject_bytes: int | None = None
    """The level at which messages are rejected."""
    credit: int | None = None
    """Credits that a producer is issued."""
    credit_low: int | None = None
    """Credits left at which they are refilled."""
    cursor: str | None = None
    """Where a queue keeps messages that wait: `memory`, or `file` once they are too many."""


@dataclass(frozen=True)
class ProducerOptions:
    """How a producer sends; each field that is not its default needs the capability named with it."""

    asynchronous: bool = False
    """It does not wait for the answer to each message (`asynchronous-sends`)."""
    unconfigured: bool = False
    """Whether it waits for answers is left to its client (`default-sends`)."""
    window_bytes: int | None = None
    """How many bytes it sends without an answer before its next send waits (`producer-window`)."""
    transacted: bool = False
    """Its messages count once it commits (`transactions`)."""
    persistent: bool = False
    """Its messages survive the broker (`persistent-messages`)."""
    obeys: bool = True
    """It stops when it is ordered to; False is a client that does not know the order (`ignored-orders`)."""
    wait_ms: int | None = None
    """How long its client lets a send wait before it fails (`client-wait`)."""
    notify_ms: int | None = None
    """How often its client says that a send still waits (`client-wait`)."""
    rate: int | None = None
    """How many messages its client sends in a second at most, -1 for no limit (`producer-rate`)."""
    protocol: str = ""
    """One of the protocols that `Parameters.protocols` names; the empty text is the adapter's usual one."""


DEFAULT_OPTIONS = ProducerOptions()
"""A producer as every adapter has it: waits for answers, no window, no transaction, obeys."""


@dataclass(frozen=True)
class Depth:
    """What a destination holds, delivered but unsettled messages included."""

    bytes: int
    messages: int


@dataclass(frozen=True)
class Standing:
    """Where a producer stands: whether it may send now, and, where there is credit, how much it was ever issued."""

    stopped: bool
    credit_issued: int | None = None
    """Credits issued since the producer was opened; None where the implementation has none."""
    credit_left: int | None = None


@dataclass(frozen=True)
class Delivery:
    """A message as a consumer was handed it."""

    message_id: str
    destination: str


@dataclass(frozen=True)
class Identity:
    """Which implementation this is, as reports name it."""

    name: str
    version: str
    protocol: str = ""
    profile: str = ""
    """The built-in name under which the adapter was asked for, such as `reference:qpid-0.18`."""


@dataclass(frozen=True)
class Parameters:
    """Figures about an implementation that are data, not verbs."""

    scale: int = 1
    """By how much the suite multiplies every figure in bytes, so that its sizes are sizes that messages can have."""
    smallest_message_bytes: int = 1
    """What the smallest message is charged."""
    eventually_ms: int = 0
    """How soon a thing that must happen happens."""
    never_ms: int = 0
    """How long a thing that must not happen is watched."""
    clock_ms: int = 0
    """How long before a moment at which something falls due a look must be, to be surely before it.

    On a real clock the verbs of a scenario take time too, all of them together less than this. 0 on a virtual one.
    """
    disk_scale: int | None = None
    """The same as `scale` where a quota of the disk is configured; None if it is the same."""
    protocols: tuple[str, ...] = ()
    """The protocols that a producer may choose from, the usual one first."""
    notes: Mapping[str, str | int] = field(default_factory=dict)
    """Anything else worth a line in the report, such as the charge of an empty message."""


@runtime_checkable
class Adapter(Protocol):
    """What every adapter offers. Names of destinations, producers and so on are the suite's, unique in one run.

    Every verb may raise `AdapterError` when the implementation cannot be driven, which makes the rule unknown.
    """

    identity: Identity
    capabilities: frozenset[str]
    parameters: Parameters

    def start(self) -> None:
        """Start the implementation; afterwards identity and parameters are final. `Unavailable` if it cannot be had."""

    def stop(self) -> None:
        """Stop it; nothing of it is left. Stopping twice is harmless."""

    def declare(self, destination: str, limits: Limits) -> None:
        """Create a destination with these limits configured."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Attach a producer, on a channel of its own, whose messages go to each of the destinations.

        More than one destination needs the capability `several-queues`.
        """

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a consumer that is handed nothing until it takes."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send one message that is charged exactly this size to each destination, and wait for what becomes of it."""

    def take(self, consumer: str) -> Delivery | None:
        """Hand out the next message, not yet acknowledged; None if there is none."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Settle a message that was handed out, which frees its space."""

    def depth(self, destination: str) -> Depth:
        """What the destination holds, as the implementation's management says."""

    def standing(self, producer: str) -> Standing:
        """Where the producer stands, as far as its client knows by now."""

    def advance(self, ms: int) -> None:
        """Let time pass: a virtual clock jumps, a real one sleeps."""

    def end_scenario(self) -> None:
        """Close every producer, consumer and connection, and delete every destination."""


@dataclass(frozen=True)
class Call:
    """One verb that the suite called, its arguments by position in real figures, and what it answered."""

    verb: str
    arguments: tuple[Any, ...]
    answer: Any = None


class AdapterError(Exception):
    """The implementation could not be driven (died, hung, refused a set-up step): what it keeps is unknown."""


def only(destinations: tuple[str, ...]) -> str:
    """The destination of a producer that has just one. AdapterError for one with several."""
    if len(destinations) != 1:
        raise AdapterError(f"a producer of this implementation has one destination, not {len(destinations)}")
    return destinations[0]
