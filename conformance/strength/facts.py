"""The history of a broker on which a fault may depend. Sizes are in bytes, times in ms."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any, Protocol

from tidegate.adapters.base import Depth, Limits, ProducerOptions, Standing

OPENING = ("open_producer", "open_anonymous_producer")
DECLARING = ("declare", "declare_topic", "start_with_limits")
CONSUMING = ("open_consumer", "open_consumer_with", "open_filtering_consumer", "subscribe")
SENDING = ("send", "send_to")
SENDING_OTHERWISE = ("send_expiring", "send_delayed", "cut_in_send")
"""The verbs that send one message, with further arguments after its size."""
FREEING = {
    "acknowledge": "drained",
    "purge": "purged",
    "close_producer": "closed",
    "kill": "killed",
    "close_consumer": "given back",
    "rollback": "rolled back",
}
"""The verbs that may end a round, each with the name of the rounds that it ends."""


class Looked(Protocol):
    """The part of a broker that the facts need."""

    def standing(self, producer: str) -> Standing:
        """The standing of a producer."""

    def depth(self, destination: str) -> Depth:
        """The level of a destination."""


@dataclass
class Destination:
    """The history of a destination."""

    name: str
    limits: Limits
    number: int
    """The number of the destination in its scenario, from 1."""
    topic: bool = False
    by_default: bool = False
    changed: str = ""
    """`raised` or `lowered`, by the last change of its limits in use; empty before one."""
    producers: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """The stopped producers, in the order in which they were stopped."""
    sent: int = 0
    """The number of messages that were sent to it."""
    handed_out: dict[str, str] = field(default_factory=dict)
    """The consumer that holds each unacknowledged message, by the message's id, the oldest first."""
    was_full: bool = False
    """Whether a producer was stopped since the destination was empty."""
    since_full: set[str] = field(default_factory=set)
    """The ways in which space was freed since the destination was empty."""
    rounds: list[frozenset[str]] = field(default_factory=list)
    """For each round of filling and emptying, the ways in which its space was freed."""

    done: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """The number of calls of each verb that named the destination, its consumers or its producers."""
    limit_removed: bool = False
    """Whether a change in use took a limit away, whatever came later."""
    by_pattern: bool = False
    """Whether a pattern of names sets its limits."""
    beside_defaults: bool = False
    """Whether it has limits of its own although there are default limits."""

    def rounds_by(self, ending: str) -> int:
        """The number of rounds in which space was freed in this way."""
        return sum(ending in each for each in self.rounds)


@dataclass
class Producer:
    """A producer with its properties."""

    name: str
    connection: str
    options: ProducerOptions
    anonymous: bool
    destinations: tuple[str, ...]
    number: int
    """The number of the producer in its scenario, from 1."""
    late: bool = False
    """Whether the producer came while another one was stopped at its destination."""
    since_ms: int = 0


@dataclass
class Consumer:
    """A consumer with its properties."""

    name: str
    connection: str
    destination: str


class Facts:
    """The history of a broker since the scenario began, and the present call."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.clear()

    def clear(self) -> None:
        """Begin a new scenario."""
        self.destinations: dict[str, Destination] = {}
        self.producers: dict[str, Producer] = {}
        self.consumers: dict[str, Consumer] = {}
        self.sizes: dict[str, int] = {}
        self.senders: dict[str, Producer] = {}
        """The sender of each message, by the message's id."""
        self.defaults = Limits()
        self.patterns: list[str] = []
        """The beginnings of names for which a pattern sets limits."""
        self.filtering: set[str] = set()
        """The destinations to which a consumer with a filter is attached."""
        self.verb = ""
        self.producer: Producer | None = None
        self.destination: Destination | None = None
        self.message_id = ""
        self.size = 0
        self.opened = 0
        self.counts: defaultdict[str, int] = defaultdict(int)
        """The number of calls of each verb, and the number of times that each counting trigger was asked."""

    def asked(self, verb: str, arguments: tuple[Any, ...]) -> None:
        """Note the call of a verb before it is done."""
        if verb == "end_scenario":
            self.clear()
            return
        self.verb = verb
        self.counts[verb] += 1
        first = str(arguments[0]) if arguments else ""
        if verb == "declare_defaults":
            self.defaults = arguments[0]
        elif verb == "declare_pattern":
            self.patterns.append(first)
        elif verb in DECLARING:
            self._declared(first, arguments[1], topic=verb == "declare_topic")
        elif verb == "declare_bound":
            self._declared_bound(first, *arguments[1:])
        elif verb == "bind":
            self._declared(arguments[1], Limits(), topic=False)
        elif verb in OPENING:
            self._opened(arguments)
        elif verb in CONSUMING:
            self.consumers[first] = Consumer(first, arguments[1], arguments[2])
            self.destination = self.destinations.get(arguments[2])
            if verb == "open_filtering_consumer":
                self.filtering.add(arguments[2])
        elif verb in SENDING:
            self._sends(arguments)
        elif verb in SENDING_OTHERWISE:
            self._sends(arguments[:3])
        elif verb == "send_burst":
            producers, message_ids, size_bytes = arguments
            for producer, message_id in zip(cycle(producers), message_ids, strict=False):
                self._sends((producer, message_id, size_bytes))
        elif verb == "recreate":
            self._recreated(first, arguments[1])
        elif verb == "advance":
            self.now_ms += arguments[0]
        elif verb == "change_limits":
            self._changes(self.destinations[first], arguments[1])
        elif first in self.producers:
            self.focus(first)
        elif first in self.consumers:
            self.destination = self.destinations.get(self.consumers[first].destination)
            self.message_id = str(arguments[1]) if len(arguments) > 1 else ""
            self.size = self.sizes.get(self.message_id, 0)
            self.producer = self.senders.get(self.message_id, self.producer)
        elif first in self.destinations:
            self.destination = self.destinations[first]
        if self.destination is not None:
            self.destination.done[verb] += 1

    def answered(self, verb: str, arguments: tuple[Any, ...], answer: Any, adapter: Looked) -> None:
        """Note the answer of a verb, and ask the adapter for the standings of its producers."""
        first = str(arguments[0]) if arguments else ""
        if verb == "take" and answer is not None and answer.destination in self.destinations:
            self.destinations[answer.destination].handed_out[answer.message_id] = first
        elif verb == "declare_temporary":
            self._declared(answer.name, arguments[1], topic=False)
        elif verb == "acknowledge" and self.destination:
            self.destination.handed_out.pop(self.message_id, None)
        elif verb == "unbind":
            # a queue that was bound later was never declared, and nothing is known about it
            self.destinations.pop(arguments[1], None)
        for gone in self._gone(verb, first):
            self._forget(gone)
        self._look(verb, adapter)

    def focus(self, name: str) -> None:
        """Make this producer, named by itself or by its connection, the subject of the present call."""
        found = self.producers.get(name) or next(
            (one for one in self.producers.values() if one.connection == name), None
        )
        if found is not None:
            self.producer = found
            if found.destinations:
                self.destination = self.destinations.get(found.destinations[0])

    def shares_connection(self, producer: Producer) -> bool:
        """Whether another producer is on the same connection."""
        return sum(one.connection == producer.connection for one in self.producers.values()) > 1

    def stopped_on_its_connection(self, producer: Producer) -> bool:
        """Whether another producer of the same connection is stopped."""
        stopped = {name for one in self.destinations.values() for name in one.stopped}
        return any(
            one.connection == producer.connection and one.name != producer.name and one.name in stopped
            for one in self.producers.values()
        )

    def stopped_elsewhere(self, producer: Producer) -> bool:
        """Whether a producer is stopped at a destination that this one does not send to."""
        return any(one.stopped and one.name not in producer.destinations for one in self.destinations.values())

    def stopped_beside(self, producer: Producer) -> bool:
        """Whether another producer of the same destination is stopped."""
        mine = [self.destinations[name] for name in producer.destinations if name in self.destinations]
        return any(name != producer.name for one in mine for name in one.stopped)

    def _declared(self, name: str, limits: Limits, *, topic: bool) -> None:
        own = limits.limit_bytes is not None or limits.limit_messages is not None
        made = Destination(name, limits if own else self.defaults, len(self.destinations) + 1, topic)
        made.by_default = not own and self.defaults != Limits()
        made.beside_defaults = own and self.defaults != Limits()
        made.by_pattern = not own and any(name.startswith(each) for each in self.patterns)
        self.destination = self.destinations[name] = made

    def _declared_bound(self, name: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Note a topic, and the further queues that get its messages too."""
        self._declared(name, limits, topic=True)
        topic = self.destination
        for other, its in {**before, after: Limits()}.items():
            self._declared(other, its, topic=False)
        self.destination = topic

    def _recreated(self, name: str, limits: Limits) -> None:
        """Note a destination that begins anew, and that it did."""
        before = self.destinations[name]
        self._declared(name, limits, topic=False)
        self.destinations[name].number = before.number
        self.destinations[name].done = before.done

    def _opened(self, arguments: tuple[Any, ...]) -> None:
        name, connection, *rest = arguments
        destinations: tuple[str, ...] = rest[0] if rest else ()
        options = rest[1] if len(rest) > 1 else ProducerOptions()
        self.opened += 1
        made = Producer(name, connection, options, not rest, destinations, self.opened, since_ms=self.now_ms)
        made.late = any(self.destinations[one].stopped for one in destinations if one in self.destinations)
        self.producers[name] = made
        for one in destinations:
            if one in self.destinations:
                self.destinations[one].producers.append(name)
        self.focus(name)

    def _sends(self, arguments: tuple[Any, ...]) -> None:
        name, *where, self.message_id, self.size = arguments
        if where and name in self.producers:
            self.producers[name] = replace(self.producers[name], destinations=(where[0],))
        self.focus(name)
        self.sizes[self.message_id] = self.size
        if self.producer is not None:
            self.senders[self.message_id] = self.producer
        if self.destination is not None:
            self.destination.sent += 1

    def _changes(self, destination: Destination, limits: Limits) -> None:
        was, now = (one.limit_bytes or one.limit_messages or 0 for one in (destination.limits, limits))
        destination.changed = "raised" if now > was else "lowered"
        destination.limit_removed = destination.limit_removed or (now == 0 and was > 0)
        destination.limits = limits
        self.destination = destination

    def _gone(self, verb: str, first: str) -> list[str]:
        everyone: list[Producer | Consumer] = [*self.producers.values(), *self.consumers.values()]
        match verb:
            case "close_producer" | "close_consumer":
                return [first]
            case "kill" | "close_connection":
                return [one.name for one in everyone if one.connection == first]
            case "cut_in_send":
                return [one.name for one in everyone if one.connection == self.producers[first].connection]
            case "restart_broker":
                return [one.name for one in everyone]
        return []

    def _forget(self, name: str) -> None:
        self.producers.pop(name, None)
        self.consumers.pop(name, None)
        for one in self.destinations.values():
            one.producers = [other for other in one.producers if other != name]
            one.handed_out = {message: holder for message, holder in one.handed_out.items() if holder != name}

    def _look(self, verb: str, adapter: Looked) -> None:
        stopped = [name for name in self.producers if self.is_stopped(name, adapter)]
        for one in self.destinations.values():
            here = [name for name in stopped if one.name in self.producers[name].destinations]
            kept = [name for name in one.stopped if name in here]
            one.stopped = kept + [name for name in here if name not in kept]
            one.was_full = one.was_full or bool(one.stopped)
            if one.was_full and verb in FREEING:
                one.since_full.add(FREEING[verb])
            if one.was_full and not one.stopped and adapter.depth(one.name).messages == 0:
                one.rounds.append(frozenset(one.since_full))
                one.was_full, one.since_full = False, set()

    def is_stopped(self, name: str, adapter: Looked) -> bool:
        """Whether the adapter says that a producer is stopped."""
        return bool(self.producers[name].destinations) and adapter.standing(name).stopped

    def everyone(self) -> Iterator[str]:
        """The names of all producers."""
        return iter(tuple(self.producers))
