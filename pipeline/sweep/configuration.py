"""A configuration to try: a mechanism, its limits, who sends to it and who drains it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tidegate.model.mechanisms.artemis import DEFAULT_WINDOW


class Mechanism(StrEnum):
    """Which documented mechanism stops the producers."""

    QPID_QUEUE = "qpid-queue"
    """The queue gate of the Qpid Java broker: capacity and resume level."""
    ARTEMIS_AMQP = "artemis-amqp"
    """An Artemis address under BLOCK, its AMQP producers on credit in messages."""
    ARTEMIS_CORE = "artemis-core"
    """An Artemis address under BLOCK, its Core producers on credit in bytes."""
    CLASSIC_MEMORY = "classic-memory"
    """The memory limit of an ActiveMQ Classic destination."""


@dataclass(frozen=True)
class Configuration:
    """One run of a sweep. Sizes and levels are in bytes, rates in messages a second; None where not configured."""

    mechanism: Mechanism
    producers: int
    size: int
    """Of every message."""
    capacity: int
    """The upper level: a queue's capacity, an address' maximum size, a destination's memory limit."""
    send_rate: int
    """Of each producer that is not stopped."""
    drain_rate: int
    """Of all consumers together."""
    seconds: int
    """How long it is run, in virtual time."""
    resume: int | None = None
    """The resume level of a queue gate."""
    resume_percent: int | None = None
    """The resume level in percent of the capacity."""
    credits: int | None = None
    """The window of an AMQP producer, in messages."""
    credits_low: int | None = None
    """The low mark of an AMQP producer, in messages."""
    window: int | None = None
    """The window of a Core producer."""


@dataclass(frozen=True)
class Axis:
    """A figure that a sweep may vary: its value where none is given (None: not configured), and its least value."""

    default: int | None
    least: int
    only: frozenset[Mechanism] = frozenset(Mechanism)
    """The mechanisms that have such a figure."""


_QPID = frozenset({Mechanism.QPID_QUEUE})
_AMQP = frozenset({Mechanism.ARTEMIS_AMQP})
_CORE = frozenset({Mechanism.ARTEMIS_CORE})

AXES: Mapping[str, Axis] = {
    "producers": Axis(1, 1),
    "size": Axis(1000, 1),
    "capacity": Axis(100_000, 1),
    "resume": Axis(None, 0, _QPID),
    "resume_percent": Axis(None, 0, _QPID),
    "credits": Axis(DEFAULT_WINDOW.size, 1, _AMQP),
    "credits_low": Axis(DEFAULT_WINDOW.low, 0, _AMQP),
    "window": Axis(65_536, 1, _CORE),
    "send_rate": Axis(100, 1),
    "drain_rate": Axis(100, 1),
    "seconds": Axis(60, 1),
}
"""The fields of a configuration that are figures, in the order in which they are shown."""


def resume_level(configuration: Configuration) -> int | None:
    """The resume level in bytes, however it was given; None where it was not."""
    if configuration.resume_percent is None:
        return configuration.resume
    return configuration.capacity * configuration.resume_percent // 100


def messages(configuration: Configuration) -> int:
    """At most how many messages a run has to step through, roughly: what a sweep costs."""
    ahead = max(configuration.credits or 0, (configuration.window or 0) // configuration.size, 1)
    at_once = configuration.capacity // configuration.size + configuration.producers * ahead
    per_second = configuration.producers * configuration.send_rate + configuration.drain_rate
    return at_once + configuration.seconds * per_second
