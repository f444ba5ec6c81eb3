"""The places of faults: each mechanism with its figures, the model's rules that step it, and the documented rules.

The keys of `rules` are aspects: the part that an operator gets wrong. The ids of an aspect are the rules whose own
sentence the fault contradicts, the most direct first. Any wrong level breaks the rules under `high`. A level that is
reached too late, or never, breaks the rules under `stop` as well; a level that is reached too early breaks those under
`early`. The rules under `most` and another aspect are broken where that figure allows too much, not where it allows too
little.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A configured figure: its class in the contract, its field there, and the aspect that it decides."""

    kind: str
    field: str
    aspect: str
    words: str

    @property
    def is_level(self) -> bool:
        """Whether the figure is a level in bytes that messages can add up to."""
        return self.field.endswith("_bytes") and self.field != "window_bytes"


@dataclass(frozen=True)
class Decision:
    """A rule of the model that decides whether a producer may go on, and its answer in either case."""

    place: str
    """The rule as module:function below the model."""
    lets_pass: Callable[..., Any]
    holds_back: Callable[..., Any]


@dataclass(frozen=True)
class Mechanism:
    """One mechanism of a reference adapter."""

    name: str
    adapter: str
    """The name of its reference adapter."""
    capability: str
    """The mechanism's rules are the rules that need this capability, and the rules of every mechanism."""
    rules: Mapping[str, tuple[str, ...]]
    figures: tuple[Figure, ...] = ()
    charged: tuple[str, str] | None = None
    """The model's rule, and its parameter, that adds a message's bytes."""
    freed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For each verb, the model's rule, and its parameter, that gives bytes back."""
    decides: Decision | None = None
    waiting: bool = True
    """Whether its producers are stopped or their sends wait."""
    messages: bool = False
    """Whether faults about messages are tried on this mechanism."""


def _limit(field_name: str, aspect: str, words: str) -> Figure:
    return Figure("Limits", field_name, aspect, words)


def _usage(field_name: str, aspect: str, words: str) -> Figure:
    return Figure("Usage", field_name, aspect, words)


def _option(field_name: str, aspect: str, words: str) -> Figure:
    return Figure("ProducerOptions", field_name, aspect, words)


def _holds(place: str) -> Decision:
    return Decision(place, lambda *_: False, lambda *_: True)


def _passes(place: str) -> Decision:
    return Decision(place, lambda *_: True, lambda *_: False)


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        "queue-gate", "reference:qpid-0.18", "queue-gate",
        {
            "high": ("QPID-QUEUE-1",), "early": ("QPID-QUEUE-10",),
            "low": ("QPID-QUEUE-2", "QPID-QUEUE-10"),
            "no low": ("QPID-QUEUE-2", "QPID-QUEUE-10"),
            "inherited": ("QPID-QUEUE-6", "QPID-QUEUE-14"),
            "stop": ("QPID-QUEUE-7", "QPID-QUEUE-8", "GENERAL-20", "QPID-QUEUE-12"),
            "release": ("QPID-QUEUE-11", "GENERAL-3", "QPID-QUEUE-2"),
            "others": ("QPID-QUEUE-9", "GENERAL-19"), "beside": ("QPID-QUEUE-9",),
        },
        (_limit("limit_bytes", "high", "capacity"), _limit("resume_bytes", "low", "resume level")),
        ("qpid:after_send", "size"),
        {
            "acknowledge": ("general_queue_gate:after_consuming", "size"),
            "purge": ("general_queue_gate:after_purge", "waiting"),
        },
        _holds("qpid:stopped"),
        messages=True,
    ),
    Mechanism(
        "disk-quota", "reference:qpid-0.18", "disk-quota",
        {
            "high": ("QPID-DISK-1",), "low": ("QPID-DISK-2", "QPID-DISK-4"),
            "no low": ("QPID-DISK-2",), "stop": ("QPID-DISK-3",), "release": ("QPID-DISK-4",),
            "others": ("GENERAL-19",), "beside": ("QPID-DISK-1",),
        },
        (_usage("quota_bytes", "high", "overfull limit"), _usage("quota_resume_bytes", "low", "underfull limit")),
        ("qpid_disk:after_writing", "size"),
        {"acknowledge": ("qpid_disk:after_deleting", "size")},
        _holds("qpid_disk:producer_stopped"),
    ),
    Mechanism(
        "client-wait", "reference:qpid-0.18", "client-wait",
        {
            "timeout": ("QPID-CLIENT-2", "QPID-CLIENT-11", "GENERAL-51"), "notice": ("QPID-CLIENT-9", "QPID-CLIENT-11"),
            "stop": ("QPID-CLIENT-1",), "release": ("QPID-CLIENT-1", "QPID-QUEUE-11", "GENERAL-3"),
            "failed": ("QPID-CLIENT-4", "GENERAL-1"),
        },
        (_option("wait_ms", "timeout", "timeout of a send"), _option("notify_ms", "notice", "notice period")),
    ),
    Mechanism(
        "amqp-credit", "reference:artemis", "amqp-credit",
        {
            "high": ("ARTEMIS-BLOCK-1",), "early": ("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-6"), "messages": ("GENERAL-18",),
            "reject": ("ARTEMIS-AMQP-9",), "window": ("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-8"), "mark": ("ARTEMIS-AMQP-4",),
            "stop": ("ARTEMIS-AMQP-5", "ARTEMIS-BLOCK-1", "GENERAL-20", "ARTEMIS-AMQP-8"),
            "release": ("ARTEMIS-AMQP-6", "GENERAL-3"), "refused": ("ARTEMIS-AMQP-9",),
            "others": ("GENERAL-19", "ARTEMIS-AMQP-5"), "beside": ("ARTEMIS-AMQP-6",),
            "order": ("GENERAL-17",), "lift": ("GENERAL-17",), "keep order": ("GENERAL-17",),
        },
        (
            _limit("limit_bytes", "high", "maximum size"),
            _limit("limit_messages", "messages", "maximum number of messages"),
            _limit("reject_bytes", "reject", "reject threshold"), _limit("credit", "window", "credit window"),
            _limit("credit_low", "mark", "low mark of credit"),
        ),
        ("artemis:after_send", "size"),
        {
            "acknowledge": ("general_address:after_consuming_from", "size"),
            "purge": ("general_address:after_purge_of", "waiting"),
        },
        _holds("general_address:closed"),
        messages=True,
    ),
    Mechanism(
        "core-window", "reference:artemis-core", "core-window",
        {
            "high": ("ARTEMIS-CORE-5", "ARTEMIS-CORE-1"), "early": ("GENERAL-21", "ARTEMIS-CORE-4"),
            "window": ("ARTEMIS-CORE-3", "ARTEMIS-CORE-6"),
            "charge": ("ARTEMIS-CORE-2",),
            "stop": ("ARTEMIS-CORE-5", "ARTEMIS-CORE-1", "ARTEMIS-CORE-6", "ARTEMIS-CORE-12", "GENERAL-20"),
            "release": ("ARTEMIS-CORE-8", "GENERAL-3"), "others": ("GENERAL-19",), "failed": ("GENERAL-1",),
            "beside": ("ARTEMIS-CORE-5", "ARTEMIS-CORE-1", "GENERAL-21"),
        },
        (_limit("limit_bytes", "high", "maximum size"), _option("window_bytes", "window", "producer window")),
        ("artemis_producer:after_send", "size"),
        {"acknowledge": ("artemis_producer:after_removal", "size")},
        Decision("artemis_producer:granted", lambda *of: of[3], lambda *of: 0),
        messages=True,
    ),
    Mechanism(
        "consumer-window", "reference:artemis-core", "consumer-window",
        {
            "high": ("ARTEMIS-CONSUMER-1",), "window": ("ARTEMIS-CONSUMER-1",), "charge": ("ARTEMIS-CONSUMER-5",),
            "most window": ("ARTEMIS-CONSUMER-11",),
            "stop": ("ARTEMIS-CONSUMER-1", "ARTEMIS-CONSUMER-11"),
            "release": ("ARTEMIS-CONSUMER-6", "ARTEMIS-CONSUMER-1"),
            "rate": ("ARTEMIS-RATE-1",), "most rate": ("ARTEMIS-RATE-12",),
        },
        (
            Figure("ConsumerOptions", "window_bytes", "window", "consumer window"),
            Figure("ConsumerOptions", "rate", "rate", "rate of a consumer"),
        ),
        ("artemis_consumer:after_buffering", "size"),
        {"take": ("artemis_consumer:after_handing_out", "size")},
        _passes("artemis_consumer:has_room"),
        waiting=False,
    ),
    Mechanism(
        "producer-rate", "reference:artemis-core", "producer-rate",
        {
            "rate": ("ARTEMIS-RATE-7", "ARTEMIS-RATE-8"), "most rate": ("ARTEMIS-RATE-13",),
            "stop": ("ARTEMIS-RATE-7", "ARTEMIS-RATE-13"), "release": ("ARTEMIS-RATE-8",),
        },
        (_option("rate", "rate", "rate of a producer"),),
        decides=_passes("rate:may_pass"),
    ),
    Mechanism(
        "memory-limit", "reference:classic-5", "memory-limit",
        {
            "high": ("CLASSIC-MEMORY-1",), "early": ("GENERAL-21", "CLASSIC-MEMORY-3", "GENERAL-3"),
            "stop": ("CLASSIC-MEMORY-2", "CLASSIC-MEMORY-1", "CLASSIC-MEMORY-8", "GENERAL-20"),
            "release": ("CLASSIC-MEMORY-3", "GENERAL-3"), "others": ("GENERAL-19", "CLASSIC-MEMORY-4"),
            "beside": ("CLASSIC-MEMORY-1", "CLASSIC-MEMORY-4", "GENERAL-21"), "refused": ("CLASSIC-MEMORY-1",),
            "window": ("CLASSIC-WINDOW-1", "CLASSIC-WINDOW-4"), "failed": ("CLASSIC-FAIL-2", "GENERAL-1"),
        },
        (_limit("limit_bytes", "high", "memory limit"), _option("window_bytes", "window", "producer window")),
        ("classic:after_storing", "size"),
        {"acknowledge": ("classic:after_removal", "size")},
        _holds("classic:holds_back"),
        messages=True,
    ),
    Mechanism(
        "usage", "reference:classic-5", "usage-limits",
        {
            "memory": ("CLASSIC-MEMORY-9",), "store": ("CLASSIC-USAGE-1",), "temp": ("CLASSIC-USAGE-2",),
            "timeout": ("CLASSIC-FAIL-3",), "high": (),
            "early": ("GENERAL-21", "CLASSIC-MEMORY-1"),
            "stop": ("CLASSIC-USAGE-1", "CLASSIC-USAGE-2"), "release": ("CLASSIC-USAGE-4",),
            "others": ("CLASSIC-USAGE-3", "GENERAL-19"), "beside": ("GENERAL-21",),
            "failed": ("CLASSIC-FAIL-2", "GENERAL-1"),
        },
        (
            _usage("memory_bytes", "memory", "memory limit of all destinations"),
            _usage("store_bytes", "store", "store limit"), _usage("temp_bytes", "temp", "limit of temporary space"),
            _usage("fail_after_ms", "timeout", "time after which a send fails"),
        ),
        ("classic_usage:after_writing", "size"),
        {"acknowledge": ("classic_usage:after_deleting", "size")},
        _holds("classic_usage:held_back_by_disk"),
    ),
    Mechanism(
        "suspended-connection", "reference:classic-4", "suspended-connections",
        {
            "high": (), "stop": ("CLASSIC-CONNECTION-1", "GENERAL-20"),
            "release": ("GENERAL-3",), "others": ("GENERAL-19",), "beside": ("GENERAL-21",),
            "early": ("GENERAL-21", "GENERAL-3"),
        },
        (_limit("limit_bytes", "high", "memory limit"),),
        ("classic:after_storing", "size"),
        {"acknowledge": ("classic:after_removal", "size")},
        _holds("classic:holds_back"),
        messages=True,
    ),
    Mechanism(
        "memory-ratio", "reference:andes", "memory-ratio",
        {
            "high": ("ANDES-MEMORY-1",), "share": ("ANDES-MEMORY-1",),
            "low": ("ANDES-MEMORY-2",), "no low": ("ANDES-MEMORY-2", "ANDES-MEMORY-5"),
            "count": ("ANDES-COUNT-1",), "timeout": ("ANDES-CLIENT-2", "GENERAL-51"), "notice": ("ANDES-CLIENT-7",),
            "stop": ("ANDES-MEMORY-3", "ANDES-MEMORY-1", "GENERAL-20"),
            "release": ("ANDES-MEMORY-6", "GENERAL-3", "ANDES-MEMORY-2"),
            "others": ("ANDES-COUNT-2",), "beside": ("ANDES-MEMORY-1", "ANDES-COUNT-2"), "failed": ("GENERAL-1",),
        },
        (
            _usage("memory_bytes", "high", "memory"), _usage("block_percent", "share", "memory threshold"),
            _usage("resume_percent", "low", "recovery threshold"),
            _usage("connection_messages", "count", "most messages of a connection"),
            _option("wait_ms", "timeout", "timeout of a publish"), _option("notify_ms", "notice", "notice period"),
        ),
        ("andes:after_publish", "size"),
        {"acknowledge": ("andes:after_removal", "size")},
        _holds("andes:publisher_stopped"),
        messages=True,
    ),
    Mechanism(
        "policy", "reference:qpid-942", "policies",
        {
            "high": ("QPID-POLICY-3",), "early": ("QPID-POLICY-2",), "messages": ("QPID-POLICY-4", "GENERAL-18"),
            "most messages": ("QPID-POLICY-1", "QPID-POLICY-8"), "inherited": ("QPID-POLICY-5",),
            "stop": ("QPID-POLICY-1", "GENERAL-20", "QPID-POLICY-8"),
            "release": ("QPID-POLICY-2", "GENERAL-3"), "others": ("GENERAL-19", "QPID-POLICY-1"),
            "beside": ("QPID-POLICY-1",),
            "change": ("QPID-POLICY-6", "QPID-POLICY-7"),
            "order": ("QPID-ORDER-1",), "lift": ("QPID-ORDER-2",), "keep order": ("QPID-ORDER-3",),
            "timeout": ("QPID-SEND-2", "GENERAL-51"),
            "failed": ("GENERAL-1",),
        },
        (
            _limit("limit_bytes", "high", "policy in bytes"),
            _limit("limit_messages", "messages", "policy in messages"),
            _option("wait_ms", "timeout", "timeout of a send"),
        ),
        ("qpid942:after_enqueueing", "size"),
        {"acknowledge": ("qpid942:after_delivery", "size")},
        _holds("qpid942:stopped"),
        messages=True,
    ),
)  # fmt: skip
