"""The adapter contract, version 1: the verbs of every adapter.

Every figure is in real units: bytes as the broker charges them, messages, ms. The suite's watchdog ends a verb that
does not return. Observation must not go through the operation under test. `groups` has the optional groups of verbs,
`capabilities` the names of the capabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

CONTRACT_VERSION = 1
"""One version may gain verbs, and fields with defaults. No verb or field changes its meaning."""

WITHOUT_FIGURE: Mapping[str, str] = {
    "that is None (in JSON null, or left out)": (
        "nothing is configured. The default in `declare_defaults` holds, or else the implementation's own default, "
        "by which rules about defaults are judged. In an answer: there is no figure, or it cannot be read"
    ),
    "that is -1": (
        "no limit, or a time that never comes. This is configured, and overrides any default. "
        "Only a field whose text names -1 is given -1"
    ),
    "that is 0": "the figure 0; no limit only if the text of the field says so",
    "that the implementation cannot use": (
        "nothing: an adapter ignores it. A destination is declared with the figures of several mechanisms at once, "
        "such as a credit window for a broker without credit. An adapter must not ignore an option of a producer or "
        "consumer: tidegate gives it only with the capability that it names, and an impossible one is an AdapterError"
    ),
    "that is not known": (
        "nothing: a program ignores it, because it belongs to a capability that the program does not claim. "
        "tidegate ignores unknown fields in an answer too, unless it validates lines"
    ),
}
"""The meaning of a field that holds no figure, or a figure that the implementation does not use."""


class Outcome(StrEnum):
    """The answer to the sender of a message."""

    ACCEPTED = "accepted"
    """The broker took responsibility for the message."""
    REJECTED = "rejected"
    """The broker refused the message."""
    BLOCKED = "blocked"
    """The producer is stopped or has no credit: the message was not sent to the broker, and is not queued."""
    UNSETTLED = "unsettled"
    """No answer came in time: the call to send still waits, or the message is part of an open transaction."""
    SENT = "sent"
    """A producer that does not wait for answers sent the message."""


NO_LIMIT = -1
"""The level that stands for no limit; for the capacity of a `queue-gate` it is 0."""


@dataclass(frozen=True)
class Limits:
    """The limits that are configured for a destination, or that are in force. Levels are in bytes or messages."""

    limit_bytes: int | None = None
    """Upper level: a queue's capacity, an address's max-size-bytes, a destination's memory limit. -1: no limit. 0: no
    limit for a `queue-gate`, whose management also reports 0 for it; other implementations are not given 0."""
    resume_bytes: int | None = None
    """Lower level: a queue's flow resume capacity. 0: no producer is released while the limit stands."""
    limit_messages: int | None = None
    """Upper level in messages (`message-limit`, `policies`). -1: no limit."""
    policy: str | None = None
    """The action of a full destination: BLOCK, PAGE, FAIL (`refusing-policy`) or DROP (`dropping-policy`). NONE: its
    flow control is switched off."""
    reject_bytes: int | None = None
    """The level from which on messages are rejected (`reject-threshold`). -1: no message is rejected because of it."""
    credit: int | None = None
    """Credits that a producer is issued (`amqp-credit`)."""
    credit_low: int | None = None
    """Credits left at which more are issued (`amqp-credit`)."""
    cursor: str | None = None
    """The place of a queue's waiting messages: `memory`, or `file` once there are too many (`file-cursor`)."""
    page_limit_bytes: int | None = None
    """The bytes of messages that may be paged (`page-limit`). -1: no limit."""
    page_limit_messages: int | None = None
    """The number of messages that may be paged (`page-limit`). -1: no limit."""
    page_full_policy: str | None = None
    """The treatment of messages beyond a limit of pages: FAIL or DROP (`page-limit`)."""
    page_bytes: int | None = None
    """The size of one page (`page-limit`). None: the adapter's choice."""


@dataclass(frozen=True)
class ProducerOptions:
    """The options of a producer. A field differs from its default only with the capability that the field names."""

    asynchronous: bool = False
    """Whether the producer sends on without waiting for the answer to each message (`asynchronous-sends`)."""
    unconfigured: bool = False
    """Whether its client decides if the producer waits for answers (`default-sends`)."""
    window_bytes: int | None = None
    """The bytes that it sends without an answer, or requests credit for at once, before its next send waits
    (`producer-window`, `core-window`). None: the default of its client."""
    transacted: bool = False
    """Whether its messages count only once it commits (`transactions`)."""
    persistent: bool = False
    """Whether its messages survive the end of the broker (`persistent-messages`)."""
    obeys: bool = True
    """Whether the producer stops when ordered to; False is a client that does not know the order (`ignored-orders`)."""
    wait_ms: int | None = None
    """The time that a send waits in its client before it fails (`client-wait`). None: the default of its client, which
    may be not to try while the producer is stopped. -1: no end. 0: no wait."""
    notify_ms: int | None = None
    """The interval of its client's notices that a send still waits (`client-wait`). None: the default of its client."""
    rate: int | None = None
    """The most messages that its client sends in a second (`producer-rate`). -1: no limit."""
    protocol: str = ""
    """One of the protocols that `Parameters.protocols` names (`several-protocols`); empty: the adapter's usual one."""
    properties: int = 0
    """The number of properties of its messages beside their id (`message-properties`)."""
    settled: bool = False
    """Whether its messages are settled as they are sent: no answer is owed to any, and none comes (`settled-sends`)."""
    session: str = ""
    """A name: producers of one connection with the same name share a session (`shared-sessions`). Empty: a session of
    its own."""


DEFAULT_OPTIONS = ProducerOptions()
"""The options that every adapter supports: waits for answers, no window, no transaction, obeys."""


@dataclass(frozen=True)
class Depth:
    """The content of a destination: every message that it has accepted and that is not settled.

    So a message counts while it waits, while it is in the buffer of a consumer's client, and after it was handed out,
    until its acknowledgement. A topic counts the messages that its subscription has not settled. A message that was
    rejected or blocked, or that waits in its producer's client, does not count; a message of an open transaction counts
    as the implementation charges it.
    """

    bytes: int
    """Bytes that are charged against the limit; a message that a cursor keeps in a file may be charged nothing."""
    messages: int
    """The number of messages that the destination holds."""


@dataclass(frozen=True)
class Standing:
    """The state of a producer: whether it may send now, and its credit, where there is credit."""

    stopped: bool
    """Whether the producer was told to stop, has no credit left, or waits in its last call."""
    credit_issued: int | None = None
    """Credits issued since the producer was opened; None where the implementation has none."""
    credit_left: int | None = None
    """Credits issued and not spent yet; None where the implementation has none."""


@dataclass(frozen=True)
class Delivery:
    """A message that was handed to a consumer."""

    message_id: str
    """The id that the message was sent with."""
    destination: str
    """The destination's name, as it was declared."""


@dataclass(frozen=True)
class Identity:
    """The names of an implementation in reports."""

    name: str
    """The name of the implementation, such as `Artemis`."""
    version: str
    """The version that the implementation reports, or that was requested."""
    protocol: str = ""
    """The protocol of its producers, such as `AMQP 1.0`."""
    profile: str = ""
    """The built-in name by which the adapter was requested, such as `reference:qpid-0.18`."""


@dataclass(frozen=True)
class Parameters:
    """Figures about an implementation that are data, not verbs."""

    scale: int = 1
    """The suite multiplies every figure in bytes by this factor, so that messages of these sizes can exist."""
    smallest_message_bytes: int = 1
    """The charge of the smallest message, in bytes."""
    eventually_ms: int = 0
    """How long the suite waits for an event that must happen, such as a release."""
    never_ms: int = 0
    """How long the suite watches for an event that must not happen."""
    clock_ms: int = 0
    """How long before a due time the suite must look, so that the look surely comes before that time.

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
        """Whether `advance` makes time jump: the suite then watches in jumps, and `never_ms` is 0."""
        return self.never_ms == 0


MOST_SCALE = 1_000_000_000
"""The largest scale; with a larger one the suite's figures would not fit into 64 bits."""
LONGEST_MS = 3_600_000
"""The longest time, an hour; with a longer one no run would end."""


def fault_of(identity: Identity, parameters: Parameters) -> tuple[str, str] | None:
    """The first meaningless field of an implementation's identity and parameters, and the expected value; or None."""
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
    """The verbs of every adapter. The suite chooses the names of destinations, producers and so on, unique in a run.

    Every verb may raise `AdapterError` if it cannot drive the implementation; the rule is then unknown.
    """

    identity: Identity
    """The implementation that the adapter drives."""
    capabilities: frozenset[str]
    """The claimed capabilities. The suite judges every rule that needs no other capability."""
    parameters: Parameters
    """Figures about the implementation."""

    def start(self) -> None:
        """Start the implementation; then identity and parameters are final. `Unavailable` if it cannot be started."""

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
        """Attach a consumer. It is handed a message only when it takes one."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send one message that is charged exactly this size to each destination, and wait for its outcome."""

    def take(self, consumer: str) -> Delivery | None:
        """Hand out the next message in the broker's own order, not acknowledged yet; None if there is no message."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message that was handed out, and so free its space. A second time is refused, or frees none."""

    def depth(self, destination: str) -> Depth:
        """The bytes and messages of the destination, as the implementation's management reports them."""

    def standing(self, producer: str) -> Standing:
        """Whether the producer may send, and its credit, as far as its client knows by now."""

    def advance(self, ms: int) -> None:
        """Let time pass: a virtual clock jumps, an adapter with a real clock sleeps."""

    def end_scenario(self) -> None:
        """Close every producer, consumer and connection, delete every destination, and remove settings for all."""


@dataclass(frozen=True)
class Call:
    """One verb that the suite called, its arguments by position in real figures, and its answer."""

    verb: str
    arguments: tuple[Any, ...]
    answer: Any = None


class AdapterError(Exception):
    """The implementation could not be driven (died, hung, refused a set-up step): the verdict is unknown."""


class Unsupported(AdapterError):
    """The adapter lacks the verb, or lacks it for these arguments: the check is not tried.

    The verdict on a rule is unknown if no other check of the rule can be tried.
    """


class TooLate(AdapterError):
    """The machine was too slow to look in time: the verdict is unknown, and the check may run again."""


def only(destinations: tuple[str, ...]) -> str:
    """The destination of a producer that has just one. AdapterError for one with several."""
    if len(destinations) != 1:
        raise Unsupported(f"a producer of this implementation has one destination, not {len(destinations)}")
    return destinations[0]
