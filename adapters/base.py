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

WITHOUT_FIGURE: Mapping[str, str] = {
    "that is None (in JSON null, or left out)": (
        "nothing is configured. What holds then is what `declare_defaults` said, or else the implementation's own "
        "default, and rules about defaults are judged by it. In an answer: there is none, or it cannot be read"
    ),
    "that is -1": (
        "no limit, or a time that never comes. That is configured, and goes before any default. "
        "Only fields that name it are given it"
    ),
    "that is 0": "the figure 0, and no limit only where the field says so",
    "that the implementation has nothing for": (
        "nothing: an adapter passes over it. A destination is declared with the figures of several mechanisms at once, "
        "such as a credit window for a broker that has none. An option of a producer or consumer is not passed over: "
        "it is given only with a capability that it names, and one that cannot be had is an AdapterError"
    ),
    "that is not known": (
        "nothing: a program passes over it, since it belongs to a capability that the program does not claim. "
        "What tidegate does not know in an answer it passes over as well, unless it is told to validate"
    ),
}
"""What a field of the values below says that holds no figure, or none that is asked for."""


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
    """What is configured for a destination, or what is in force there. Levels are in bytes or messages."""

    limit_bytes: int | None = None
    """Upper level: a queue's capacity, an address's max-size-bytes, a destination's memory limit. -1: no limit. 0: no
    limit for a `queue-gate`, whose management says 0 for it, too; nobody else is given 0."""
    resume_bytes: int | None = None
    """Lower level: a queue's flow resume capacity. 0: nobody is released while the limit stands."""
    limit_messages: int | None = None
    """Upper level in messages (`message-limit`, `policies`). -1: no limit."""
    policy: str | None = None
    """What a full destination does: BLOCK, PAGE, FAIL (`refusing-policy`) or DROP (`dropping-policy`); NONE where flow
    control is switched off for it."""
    reject_bytes: int | None = None
    """The level from which on messages are rejected (`reject-threshold`). -1: no message is rejected because of it."""
    credit: int | None = None
    """Credits that a producer is issued (`amqp-credit`)."""
    credit_low: int | None = None
    """Credits left at which more are issued (`amqp-credit`)."""
    cursor: str | None = None
    """Where a queue keeps messages that wait: `memory`, or `file` once they are too many (`file-cursor`)."""
    page_limit_bytes: int | None = None
    """How many bytes of messages may be paged (`page-limit`). -1: no limit."""
    page_limit_messages: int | None = None
    """How many messages may be paged (`page-limit`). -1: no limit."""
    page_full_policy: str | None = None
    """What becomes of messages past a limit of pages: FAIL or DROP (`page-limit`)."""
    page_bytes: int | None = None
    """The size of one page (`page-limit`). None: what the adapter chooses."""


@dataclass(frozen=True)
class ProducerOptions:
    """How a producer sends. A field has another value than its default only with a capability that it names."""

    asynchronous: bool = False
    """Whether the producer sends on without waiting for the answer to each message (`asynchronous-sends`)."""
    unconfigured: bool = False
    """Whether its client is left to decide if the producer waits for answers (`default-sends`)."""
    window_bytes: int | None = None
    """How many bytes it sends without an answer, or asks credit for at once, before its next send waits
    (`producer-window`, `core-window`). None: what its client does by itself."""
    transacted: bool = False
    """Whether its messages count only once it commits (`transactions`)."""
    persistent: bool = False
    """Whether its messages survive the end of the broker (`persistent-messages`)."""
    obeys: bool = True
    """Whether the producer stops when ordered to; False is a client that does not know the order (`ignored-orders`)."""
    wait_ms: int | None = None
    """How long its client lets a send wait before it fails (`client-wait`). None: what its client does by itself, which
    may be not to try while it is stopped. -1: without end. 0: not at all."""
    notify_ms: int | None = None
    """How often its client says that a send still waits (`client-wait`). None: what its client does by itself."""
    rate: int | None = None
    """How many messages its client sends in a second at most (`producer-rate`). -1: no limit."""
    protocol: str = ""
    """One of the protocols that `Parameters.protocols` names (`several-protocols`); empty: the adapter's usual one."""
    properties: int = 0
    """How many properties its messages have beside their id (`message-properties`)."""
    session: str = ""
    """A name: producers of one connection with the same name share a session (`shared-sessions`). Empty: a session of
    its own."""


DEFAULT_OPTIONS = ProducerOptions()
"""A producer as every adapter has it: waits for answers, no window, no transaction, obeys."""


@dataclass(frozen=True)
class Depth:
    """What a destination holds: every message that it took and that is not settled.

    So a message counts while it waits, while it lies in the buffer of a consumer's client, and after it was handed
    out, up to its acknowledgement. A topic counts what its subscription has not settled. A message that was rejected or
    blocked, or is held back in its producer's client, does not count; one of an open transaction counts as the
    implementation charges it.
    """

    bytes: int
    """Bytes that are charged against the limit; a message that a cursor keeps in a file may be charged nothing."""
    messages: int
    """How many messages the destination holds."""


@dataclass(frozen=True)
class Standing:
    """Where a producer stands: whether it may send now, and how much credit it has, where there is credit."""

    stopped: bool
    """Whether the producer was told to stop, has no credit left, or waits in its last call."""
    credit_issued: int | None = None
    """Credits issued since the producer was opened; None where the implementation has none."""
    credit_left: int | None = None
    """Credits issued and not spent yet; None where the implementation has none."""


@dataclass(frozen=True)
class Delivery:
    """A message as a consumer was handed it."""

    message_id: str
    """The id that the message was sent with."""
    destination: str
    """The destination's name, as it was declared."""


@dataclass(frozen=True)
class Identity:
    """Which implementation this is, as reports name it."""

    name: str
    """The name of the implementation, such as `Artemis`."""
    version: str
    """The version that the implementation says itself, or that was asked for."""
    protocol: str = ""
    """The protocol of its producers, such as `AMQP 1.0`."""
    profile: str = ""
    """The built-in name under which the adapter was asked for, such as `reference:qpid-0.18`."""


@dataclass(frozen=True)
class Parameters:
    """Figures about an implementation that are data, not verbs."""

    scale: int = 1
    """The suite multiplies every figure in bytes by this factor, so that messages of these sizes can exist."""
    smallest_message_bytes: int = 1
    """What the smallest message is charged."""
    eventually_ms: int = 0
    """How long the suite waits for a thing that must happen, such as a release."""
    never_ms: int = 0
    """How long the suite watches that a thing that must not happen does not happen."""
    clock_ms: int = 0
    """How long before a due time the suite must look, to be sure that it looks before it.

    On a real clock the verbs of a scenario take time, together less than this. 0 on a virtual clock.
    """
    disk_scale: int | None = None
    """The scale where a quota of the disk is configured; None where it equals `scale`."""
    protocols: tuple[str, ...] = ()
    """The protocols that a producer may choose from, the usual one first."""
    notes: Mapping[str, str | int] = field(default_factory=dict)
    """Anything else worth a line in the report, such as the charge of an empty message."""

    @property
    def has_virtual_clock(self) -> bool:
        """Whether `advance` makes time jump: what must not happen is then watched in jumps, and `never_ms` is 0."""
        return self.never_ms == 0


MOST_SCALE = 1_000_000_000
"""The largest scale; with a larger one the suite's figures would not fit into 64 bits."""
LONGEST_MS = 3_600_000
"""The longest time, an hour; with a longer one no run would end."""


def fault_of(identity: Identity, parameters: Parameters) -> tuple[str, str] | None:
    """The first field of what an implementation says of itself that has no meaning, and what was expected there."""
    for field_name in ("name", "version"):
        said = getattr(identity, field_name)
        if not isinstance(said, str) or not said.strip() or not said.isprintable():
            return f"identity.{field_name}", f"expected a text of one line, not {said!r}"
    for field_name, least, most in (
        ("scale", 1, MOST_SCALE),
        ("smallest_message_bytes", 1, MOST_SCALE),
        ("eventually_ms", 0, LONGEST_MS),
        ("never_ms", 0, LONGEST_MS),
        ("clock_ms", 0, LONGEST_MS),
        ("disk_scale", 1, MOST_SCALE),
    ):
        figure = getattr(parameters, field_name)
        if figure is None and field_name == "disk_scale":
            continue
        if not isinstance(figure, int) or isinstance(figure, bool) or not least <= figure <= most:
            return f"parameters.{field_name}", f"expected a whole number from {least} to {most:,}, not {figure!r}"
    if len(set(parameters.protocols)) < len(parameters.protocols) or not all(parameters.protocols):
        return "parameters.protocols", f"expected names that differ, not {list(parameters.protocols)}"
    return None


@runtime_checkable
class Adapter(Protocol):
    """What every adapter offers. Names of destinations, producers and so on are the suite's, unique in one run.

    Every verb may raise `AdapterError` when the implementation cannot be driven, which makes the rule unknown.
    """

    identity: Identity
    """Which implementation the adapter drives."""
    capabilities: frozenset[str]
    """What the implementation claims; every rule that needs no other capability is judged."""
    parameters: Parameters
    """Figures about the implementation."""

    def start(self) -> None:
        """Start the implementation; afterwards identity and parameters are final. `Unavailable` if it cannot be had."""

    def stop(self) -> None:
        """Stop the implementation and leave nothing of it behind. Stopping twice is harmless."""

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
        """Hand out a message, in the broker's own order, not yet acknowledged; None if there is none."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Settle a message that was handed out, which frees its space. A second time is refused, or frees nothing."""

    def depth(self, destination: str) -> Depth:
        """What the destination holds, as the implementation's management says."""

    def standing(self, producer: str) -> Standing:
        """Whether the producer may send, and its credit, as far as its client knows by now."""

    def advance(self, ms: int) -> None:
        """Let time pass: a virtual clock jumps, a real one sleeps."""

    def end_scenario(self) -> None:
        """Close every producer, consumer and connection, delete every destination, and undo what was set for all."""


@dataclass(frozen=True)
class Call:
    """One verb that the suite called, its arguments by position in real figures, and what it answered."""

    verb: str
    arguments: tuple[Any, ...]
    answer: Any = None


class AdapterError(Exception):
    """The implementation could not be driven (died, hung, refused a set-up step): what it keeps is unknown."""


class Unsupported(AdapterError):
    """The adapter has no such verb, or not with these arguments; it says nothing of what the implementation keeps."""


def only(destinations: tuple[str, ...]) -> str:
    """The destination of a producer that has just one. AdapterError for one with several."""
    if len(destinations) != 1:
        raise Unsupported(f"a producer of this implementation has one destination, not {len(destinations)}")
    return destinations[0]
