"""Typical figures, which a reader knows from the scenarios, for arguments that a comparison does not determine."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import product
from typing import Any

from tidegate.conformance.proofs.annotations import parameter_types
from tidegate.model.language.reading import Value
from tidegate.model.language.rule import Definition
from tidegate.model.mechanisms import andes
from tidegate.model.mechanisms.artemis import AddressLimits
from tidegate.model.mechanisms.artemis_consumer import Consumer
from tidegate.model.mechanisms.classic import Client, Destination, NoSpace
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.gate import Gate
from tidegate.model.mechanisms.qpid import Limits, Queue
from tidegate.model.mechanisms.qpid942 import Policy
from tidegate.model.mechanisms.qpid_disk import Quota, Store
from tidegate.model.mechanisms.wait import Wait, Waiting

Path = tuple[str, ...]
Given = dict[str, Value]

TYPICAL: dict[Any, Value] = {
    Gate: Gate(high=1000, low=800),
    Queue: Queue(capacity=1000, resume=800, bytes=900),
    Limits: Limits(capacity=1000, resume=800),
    Window: Window(size=100, low=30),
    Policy: Policy(most_bytes=1000, most_messages=3),
    Quota: Quota(overfull_bytes=1000, underfull_bytes=800),
    Store: Store(quota=Quota(overfull_bytes=1000, underfull_bytes=800), used_bytes=900, blocked=False),
    AddressLimits: AddressLimits(max_size=1000, reject_threshold=2000, blocks=True),
    Wait: Wait(timeout_ms=60_000, notify_ms=10_000),
    Waiting: Waiting(waited_ms=5000, next_notice_ms=10_000, notices=0),
    Destination: Destination(limit=1000, controlled=True, bytes=900),
    NoSpace: NoSpace(fails_at_once=False, fails_after_ms=3000),
    Client: Client(persistent=True, use_async_send=False, always_sync_send=False),
    andes.Memory: andes.Memory(total=1000, used=550),
    andes.Limits: andes.Limits(threshold=40, recovery=50, messages=10),
    Consumer: Consumer(window=1000, buffered=900, last_turn=1),
    "consumer_window": 1000,
    "buffered": 900,
    "turn": 2,
    "producer_window": 300,
    "asked": 100,
    "per_second": 10,
    "in_last_second": 9,
    "ago_ms": 900,
    "total": 1000,
    "messages": 10,
    "threshold": 40,
    "recovery": 50,
    "window_bytes": 500,
    "unanswered": 400,
    "waited_ms": 2000,
    "ms": 10,
    "virtual_host": Limits(capacity=5000, resume=4000),
    "capacity": 1000,
    "resume": 800,
    "level": 900,
    "left": 30,
    "size": 10,
    "cost": 1,
    "most": 1000,
    "depth": 900,
    "count": 2,
    "blocks": False,
    "is_stopped": True,
    "closed": False,
    "held": False,
    "is_senders": True,
    "stopped": True,
    "answered": 100,
    "connected": True,
    "failed": False,
    "passes": True,
    "topic": False,
    "by_exchange": False,
    "by_amqp_1_0": False,
    "passed_ms": 1500,
    "second_began_ms": 1000,
}
"""Typical values by the name of a parameter or by its type."""

TYPICAL_OF: dict[str, Given] = {"rejecting": {"level": 1500}}
"""Values for one rule only, by its name: here above the maximum size and below the reject threshold."""

MAY_BE_UNSET = {
    *("threshold", "recovery", "messages"),
    "capacity",
    "resume",
    "max_size",
    "reject_threshold",
    "limit",
    "timeout_ms",
    "notify_ms",
    "fails_after_ms",
    "overfull_bytes",
    "most",
    "most_bytes",
    "most_messages",
    "consumer_window",
    "per_second",
}
"""Configured levels for which -1 has a meaning; every other figure is at least 0."""

MOVED_FIRST = (
    "depth",
    "count",
    *("bytes", "used_bytes", "used", "messages", "level", "left"),
    *("waited_ms", "unanswered", "buffered", "in_last_second", "ago_ms"),
)
"""Figures that change in the life of a broker; they are moved to a boundary rather than configured figures."""


@dataclass(frozen=True)
class Leaf:
    """One figure or truth value among the arguments of a rule."""

    path: Path
    is_truth: bool
    least: int


def typical(definition: Definition) -> Given:
    """The typical arguments of a rule; KeyError for a parameter that has none."""
    types = parameter_types(definition.function)
    given = {name: TYPICAL[name] if name in TYPICAL else TYPICAL[hint] for name, hint in types.items()}
    return {**given, **TYPICAL_OF.get(definition.name, {})}


def leaves(given: Given) -> list[Leaf]:
    """Every figure and truth value of the arguments, with those to be moved first at the front."""
    found = [leaf for name, value in given.items() for leaf in _leaves(value, (name,))]
    return sorted(found, key=lambda leaf: leaf.path[-1] not in MOVED_FIRST)


def variants(given: Given) -> list[Given]:
    """The arguments with truth values turned and figures replaced by -1 or 0, the fewest changes first."""
    found = leaves(given)
    options = [_options(leaf, value_at(given, leaf.path)) for leaf in found]
    choices = sorted(product(*options), key=lambda choice: sum(number for number, _ in choice))
    return [_with_all(given, found, [value for _, value in choice]) for choice in choices]


def value_at(given: Given, path: Path) -> Value:
    """The figure or truth value at a path."""
    value = given[path[0]]
    for part in path[1:]:
        value = getattr(value, part)
    return value


def with_value(given: Given, path: Path, value: Value) -> Given:
    """The arguments with another value at a path."""
    name, *parts = path
    return {**given, name: _replaced(given[name], parts, value)}


def _replaced(whole: Value, parts: list[str], value: Value) -> Value:
    """A copy of an object with another value at a path within it."""
    if not parts:
        return value
    name, *rest = parts
    return replace(whole, **{name: _replaced(getattr(whole, name), rest, value)})


def _leaves(value: Value, path: Path) -> Iterator[Leaf]:
    if is_dataclass(value):
        for part in fields(value):
            yield from _leaves(getattr(value, part.name), (*path, part.name))
    else:
        # the levels of a queue are the levels in force, which are always set
        unset = path[-1] in MAY_BE_UNSET and path[0] != "queue"
        yield Leaf(path, isinstance(value, bool), -1 if unset else 0)


def _options(leaf: Leaf, value: Value) -> list[tuple[int, Value]]:
    if leaf.is_truth:
        return [(0, value), (1, not value)]
    return [(0, value), *((1, other) for other in (-1, 0) if leaf.least <= other != value)]


def _with_all(given: Given, found: list[Leaf], values: list[Value]) -> Given:
    for leaf, value in zip(found, values, strict=True):
        given = with_value(given, leaf.path, value)
    return given
