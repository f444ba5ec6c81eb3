"""The lab: what steps, vectors and state machines drive an implementation through.

Figures in bytes are the suite's own; the lab multiplies them by the adapter's scale. It records every verb call
(for reproducers), every event (for the trace), and what a check expected and saw (for the report). All waiting is
in `comes_to` and `stays`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Adapter,
    AdapterError,
    Call,
    Depth,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    Unsupported,
)
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import (
    BindsLater,
    BindsSeveralQueues,
    BlocksByManagement,
    BrowsesMessages,
    BuffersAhead,
    ChangesLimits,
    ChangesUsage,
    ClientState,
    ClosesByManagement,
    ClosesClients,
    ConsumerOptions,
    CutsConnections,
    DeclaresTopics,
    FillsDisk,
    FiltersForConsumers,
    GivesMessagesUp,
    KillsClients,
    ListsMessages,
    MeasuresMemory,
    MovesMessages,
    PausesBroker,
    Purges,
    ReadsLimits,
    ReadsUsage,
    RecreatesDestinations,
    RestartsBroker,
    SendsAnonymously,
    SendsBursts,
    SendsExpiring,
    SetsDefaultLimits,
    SetsLimitsByFile,
    SetsLimitsByPattern,
    SetsUsage,
    Settlement,
    SettlesLate,
    SharesLimits,
    TellsOfClients,
    Transacts,
    Usage,
    WritesLog,
    declined,
)
from tidegate.conformance.answers import check_answer
from tidegate.conformance.bystander import RULE as ELSEWHERE_FREE
from tidegate.conformance.bystander import Bystander
from tidegate.conformance.clock import Clock
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.histories import FACTOR, multiplied
from tidegate.conformance.conditions.road import Road
from tidegate.conformance.findings import Deviation
from tidegate.conformance.presupposed import State, not_reached
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.stopwatch import Stopwatch
from tidegate.conformance.timers import Timers
from tidegate.conformance.watchdog import Hung, Watchdog
from tidegate.model.traces.general_causes import LIFTED, ORDERED

Look = TypeVar("Look")
Group = TypeVar("Group")
Declaring = Callable[..., None]
"""A verb that declares a destination with limits, and with what else it takes."""
TAKEN = (Outcome.ACCEPTED, Outcome.SENT)
POLL_MS = 2
MS_PER_SECOND = 1000
FIRST_JUMP_MS = 1
JUMPS_GROW_BY = 10
LONGEST_MS = 3_600_000
"""How far a virtual clock is let go on where a thing must stay as it is."""
HANDED_OUT_AT_LEAST = 100
HANDED_OUT_PER_MESSAGE = 10
"""More messages than these have no end: no scenario has so many destinations and second deliveries."""
NO_LIMIT = -1
BLOCK = "BLOCK"
"""The policy that stops producers."""
RESTART, PAUSE, STALL, CUT = "restart", "pause", "stall", "cut"
"""The faults, as the causes of events name them."""
GIVEN_BACK_ONCE = "GENERAL-8"
"""The rule that is broken where the space of one message is given back twice."""
CLOSER = "1st."
"""How names begin that a closer pattern is for. It sorts before the signs of wildcards, as names of letters do not."""
SHARED_CONNECTION = "shared connection"
"""The connection of producers that share one because of the weave."""


class Lab:
    """One scenario on one implementation."""

    def __init__(
        self,
        adapter: Adapter,
        recorder: Recorder,
        prefix: str,
        watchdog: Watchdog | None = None,
        clock: Clock | None = None,
        weave: Weave = PLAIN,
    ):
        self.adapter = adapter
        self.recorder = recorder
        self.calls: list[Call] = []
        self.expected = ""
        self.seen = ""
        self.seconds_lost = 0.0
        """In calls that ended without an answer."""
        self.is_broken_off = False
        """A call had no answer, or one without a meaning: what follows would be judged by a trace with a hole."""
        self.outcome: Outcome | None = None
        self.promises: dict[State, str | None] = {}
        """The rules that say what comes about here, where not the mechanism's usual ones; None where none does."""
        self._asked: tuple[str, tuple[Any, ...]] = "", ()
        """The verb that was called last, and its arguments."""
        self.destinations: list[str] = []
        self.producers: dict[str, tuple[str, ...]] = {}
        self._beside: dict[str, tuple[str, ...]] = {}
        """For each destination, the queues that the weave gives the same messages; they are consumed with it."""
        self._apart: list[str] = []
        """Such queues that a scenario has itself, and consumes by steps of its own."""
        self._bound: set[str] = set()
        """Full names of queues that get the messages of another destination; the trace is about the latter alone."""
        self._first_call = 0
        self.weave = weave
        """The conditions under which the scenario runs."""
        self._prefix = prefix
        self._names_begin = prefix + (CLOSER if weave.road is Road.CLOSER_PATTERN else "")
        self._watchdog = watchdog
        self._anonymous: dict[str, str] = {}
        """The destination that a producer names with each message only because the weave makes it anonymous."""
        self._naming: set[str] = set()
        """Producers that name a destination with each message."""
        self._committing: set[str] = set()
        """Producers that are transacted only because of the weave: each message is committed at once."""
        self._untold: set[str] = set()
        """Producers that are told nothing of their messages only because of the weave."""
        self._paced: set[str] = set()
        """Producers that may send one message a second only because of the weave."""
        self._scale = adapter.parameters.scale * weave.scale
        self._defaults = Limits()
        self._limits: dict[str, Limits] = {}
        """What is configured for a destination, by its full name, in real bytes."""
        self._declared_with: dict[str, Limits] = {}
        """For each destination that is no topic, by its full name, the limits in real bytes to create it with again."""
        self._asked_for: dict[str, Limits] = {}
        """For each destination, its limits in the suite's own figures."""
        self._limits_are_shared = False
        self._settlements: dict[str, dict[str, Settlement]] = {}
        """What became of unsettled messages of each producer, by their ids and in order."""
        self._consumers: dict[str, str] = {}
        self._connections: dict[str, str] = {}
        self._accepted: dict[str, list[str]] = {}
        """The ids of the messages that a destination should hold, by its full name, in the order of acceptance."""
        self._in_hand: dict[str, list[str]] = {}
        """For each consumer, what it was handed before its turn."""
        self._held: dict[str, list[str]] = {}
        """For each consumer, the ids of all messages that it was handed and did not acknowledge."""
        self._expiring: set[str] = set()
        """The ids of messages that are delivered for a time only."""
        self._expired: set[str] = set()
        """The ids of messages that have expired."""
        self._messages = 0
        self._handed_out = 0
        self._taken_from: dict[str, None] = {}
        """Destinations from which something was taken since anybody looked: what is in hand may be charged no more."""
        self._last_of: dict[str, str] = {}
        """For each producer, the id of the message that it sent last; one that is blocked behind it is not sent."""
        self._options: dict[str, ProducerOptions] = {}
        self._keeps_data = False
        self._stalled: set[str] = set()
        """Producers whose connection is stalled, so that nobody can look at them."""
        self._consumer_rates: dict[str, int | None] = {}
        self._clock = clock or Clock(adapter)
        self._timers = Timers(adapter.capabilities)
        self._stopwatch = Stopwatch(self._advance, adapter.parameters.clock_ms, lambda: self._clock.now_s)
        self.bystander = Bystander(adapter, self._call, prefix)
        recorder.clock = self._clock

    @property
    def own_calls(self) -> list[Call]:
        """The calls of the scenario itself, without what went on at its destination before."""
        return self.calls[self._first_call :]

    @property
    def in_sight(self) -> tuple[str, ...]:
        """The producers that can be looked at: those whose connection is not stalled."""
        return tuple(name for name in self.producers if name not in self._stalled)

    @property
    def held(self) -> dict[str, list[str]]:
        """The ids of the messages that each consumer was handed and did not acknowledge.

        Consumers that buffer ahead are left out.
        """
        return {name: list(ids) for name, ids in self._held.items() if name not in self._consumer_rates}

    @property
    def buffered_ahead(self) -> frozenset[str]:
        """The destinations with a consumer whose client buffers messages ahead."""
        return frozenset(self._consumers[name] for name in self._consumer_rates if name in self._consumers)

    @property
    def asked(self) -> str:
        """The verb that was called last, with its arguments."""
        verb, arguments = self._asked
        return self.in_own_names(f"{verb}({', '.join(map(repr, arguments))})")

    def owed(self, destination: str) -> list[str]:
        """The ids of the messages that a destination accepted and no consumer acknowledged."""
        return list(self._accepted.get(self._full(destination), ()))

    def unanswered(self, name: str) -> tuple[str, ...]:
        """The ids of the messages of a producer that the broker has not answered yet."""
        return tuple(self.recorder.unsettled(self._full(name)))

    def is_transacted(self, name: str) -> bool:
        """Whether a producer sends in transactions, because of the scenario or of the weave."""
        return self._options.get(name, DEFAULT_OPTIONS).transacted or self.commits_at_once(name)

    def commits_at_once(self, name: str) -> bool:
        """Whether each message of a producer is committed as soon as it is sent, because of the weave."""
        return name in self._committing

    @property
    def check(self) -> str:
        """The name of the check that this scenario belongs to."""
        return self.recorder.source.removeprefix(self._prefix)

    # setting up

    def declare_usage(self, usage: Usage) -> None:
        """Limits that all destinations of this scenario share."""
        self._keep_data_if_woven()
        if usage.quota_bytes is not None:
            self._scale = (self.adapter.parameters.disk_scale or self.adapter.parameters.scale) * self.weave.scale
        shared = ("memory_bytes", "store_bytes", "temp_bytes", "quota_bytes", "quota_resume_bytes")
        levels: dict[str, Any] = {level: self._scaled_level(getattr(usage, level)) for level in shared}
        scaled = replace(usage, **levels)
        self._call(self._offered(SetsUsage, "limits that all destinations share").declare_usage, scaled)
        self._limits_are_shared = True
        self._timers.limit(usage)
        self.recorder.shared_limits(scaled, self.adapter.capabilities)

    def change_usage(self, usage: Usage) -> None:
        """Other limits for all destinations of this scenario; what is None stays as it is."""
        shared = ("memory_bytes", "store_bytes", "temp_bytes")
        levels: dict[str, Any] = {level: self._scaled_level(getattr(usage, level)) for level in shared}
        adapter = self._offered(ChangesUsage, "to change limits that all destinations share")
        self._call(adapter.change_usage, replace(usage, **levels))
        for destination in self.destinations:
            self._level_after(destination, "limits")

    def declare_defaults(self, limits: Limits) -> None:
        """Limits for every destination declared from now on that sets none of its own."""
        self._keep_data_if_woven()
        self._defaults = self._scaled(limits)
        self._call(self._offered(SetsDefaultLimits, "limits for all destinations").declare_defaults, self._defaults)

    def declare_shared(self, limits: Limits) -> None:
        """Limits in bytes of all destinations together, before any is declared."""
        self._call(self._offered(SharesLimits, "limits of all destinations").declare_shared, self._scaled(limits))

    def declare(self, name: str, limits: Limits) -> None:
        """A destination with these limits; what kind it is, and how it came by them, is up to the weave."""
        self._keep_data_if_woven()
        self._declare_woven(self._topics().declare_topic if self.weave.topic else self.adapter.declare, name, limits)

    def declare_topic(self, name: str, limits: Limits) -> None:
        """A topic with these limits, and one subscription, which is consumed under the topic's own name."""
        self._declare_woven(self._topics().declare_topic, name, limits)

    def declare_bound(self, name: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """A topic with these limits and one subscription, and further ones: some bound before it, and one after it."""
        full = {self._full(other): self._scaled(its) for other, its in before.items()}
        self._bound |= {*full, self._full(after)}
        self._apart = [*before, after]
        self._declare(self._binding.declare_bound, name, limits, None, full, self._full(after))

    def bind(self, name: str, queue: str) -> None:
        """One more queue that gets the messages of a destination declared so."""
        self._bound.add(self._full(queue))
        self._call(self._offered(BindsLater, "to bind queues later").bind, self._full(name), self._full(queue))
        self._apart.append(queue)

    @property
    def beside(self) -> tuple[str, ...]:
        """The queues that get the messages of a destination too, and are consumed by steps of their own."""
        return tuple(self._apart)

    def unbind(self, name: str, queue: str) -> None:
        """Delete a queue that gets the messages of a destination too."""
        self._call(self._binding.unbind, self._full(name), self._full(queue))
        self._apart.remove(queue)
        self._level_after(name, "unbind")

    def change_limits(self, name: str, limits: Limits) -> None:
        """Other limits for a destination in use."""
        self._declare(self._offered(ChangesLimits, "to change limits").change_limits, name, limits)
        self._level_after(name, "limits")

    def open_producer(
        self,
        name: str,
        *destinations: str,
        connection: str | None = None,
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """A producer on a channel of its own, and on a connection of its own unless one is named."""
        if self.weave.anonymous and options == DEFAULT_OPTIONS and len(destinations) == 1:
            self._anonymous[name] = destinations[0]
            self.open_anonymous_producer(name)
            return
        asked, options = options, self._in_protocol(self.weave.options(options))
        if options.transacted and not asked.transacted:
            self._committing.add(name)
        if options.asynchronous and not asked.asynchronous:
            self._untold.add(name)
        if self.weave.paced:
            self._paced.add(name)
        if self.weave.one_connection:
            connection = connection or SHARED_CONNECTION
        producer, targets = self._full(name), tuple(map(self._full, destinations))
        line = self._connect(name, connection)
        self.producers[name] = targets
        self.recorder.opened(producer, targets, line, transacted=options.transacted)
        scaled = replace(options, window_bytes=self._scaled_level(options.window_bytes))
        further = () if scaled == DEFAULT_OPTIONS else (scaled,)
        self._options[name] = options
        self._call(self.adapter.open_producer, producer, line, targets, *further)
        for target in targets:
            self._level(target, cause="open")
        self._look_at(name)

    def open_anonymous_producer(self, name: str, connection: str | None = None, session: str = "") -> None:
        """A producer that names a destination with each message, in a session of its own unless one is named."""
        adapter = self._offered(SendsAnonymously, "anonymous producers")
        self.producers[name] = ()
        self._naming.add(name)
        further = (session,) if session else ()
        self._call(adapter.open_anonymous_producer, self._full(name), self._connect(name, connection), *further)

    def open_consumer(self, name: str, destination: str, connection: str | None = None) -> None:
        """A consumer, on a connection of its own unless one is named."""
        self._consumers[name] = destination
        self._call(
            self.adapter.open_consumer, self._full(name), self._connect(name, connection), self._full(destination)
        )

    def open_consumer_with(self, name: str, destination: str, options: ConsumerOptions) -> None:
        """A consumer with a window or a rate, on a connection of its own."""
        adapter = self._offered(BuffersAhead, "consumers that buffer ahead")
        self._consumers[name] = destination
        self._consumer_rates[name] = options.rate
        scaled = replace(options, window_bytes=self._scaled_level(options.window_bytes))
        self._call(
            adapter.open_consumer_with, self._full(name), self._connect(name, None), self._full(destination), scaled
        )

    # acting

    def send(
        self, name: str, size: int, to: str | None = None, *, scaled: bool = True, lives_ms: int | None = None
    ) -> Outcome:
        """One message of so many bytes; what its sender was told. Only an anonymous producer names a destination.

        Where only the weave makes a producer one that is told nothing, a message that arrived counts as accepted.
        A size that is not `scaled` is in the implementation's own bytes, as its defaults are. A message that lives for
        a time goes to the producer's own destination.
        """
        to = to or self._anonymous.get(name)
        self._messages += 1
        message_id, size_bytes = f"{self._prefix}m{self._messages}", size * self._scale if scaled else size
        producer = self._full(name)
        for target in self._taken_from.keys() & self.producers[name]:
            self._level(target, cause="take")
        began, now_ms, options = self._clock.now_s, self._clock.time_ms, self._options.get(name, DEFAULT_OPTIONS)
        has_arrived = self._arrival(name, size) if name in self._untold and scaled else None
        if lives_ms is not None:
            self._expiring.add(message_id)
            expiring = self._offered(SendsExpiring, "messages that expire")
            outcome = self._call(expiring.send_expiring, producer, message_id, size_bytes, lives_ms)
        elif to is None:
            outcome = self._call(self.adapter.send, producer, message_id, size_bytes)
        else:
            self._also_sends_to(name, to)
            adapter = self._offered(SendsAnonymously, "anonymous producers")
            outcome = self._call(adapter.send_to, producer, self._full(to), message_id, size_bytes)
        self.outcome = outcome
        if outcome is not Outcome.BLOCKED or self._last_of.get(name) not in self.recorder.unsettled(producer):
            self._last_of[name] = message_id
        self._timers.passes(options.rate, now_ms)
        if outcome is Outcome.UNSETTLED:
            self._stopwatch.start(options, began)
            self._timers.send_waits(producer, message_id, options, now_ms)
        targets = self.producers[name] if to is None else (self._full(to),)
        self.recorder.sent(producer, targets, message_id, size_bytes, outcome)
        if outcome in TAKEN:
            self._accept(message_id, targets)
        # a message that was not handed over changed no level: what is seen then is not due to its producer
        sender = None if outcome is Outcome.BLOCKED else producer
        for target in targets:
            self._level(target, cause="send", producer=sender)
        self._look_at_all()
        if outcome is Outcome.UNSETTLED and name in self._committing:
            outcome = self.outcome = self.commit(name)
        if outcome is Outcome.SENT and has_arrived is not None and has_arrived():
            outcome = self.outcome = Outcome.ACCEPTED
        if outcome is Outcome.UNSETTLED and name in self._paced:
            outcome = self.outcome = self._answer_after_its_pace(name)
        return outcome

    def burst(self, names: Sequence[str], count: int, size: int) -> list[Outcome]:
        """Send `count` messages by these producers in turn, before any is answered; what became of each.

        Nobody looks meanwhile, so credit that came meanwhile counts as issued before the level that is seen then.
        """
        ids = [f"{self._prefix}m{self._messages + number}" for number in range(1, count + 1)]
        self._messages += count
        adapter, producers = self._offered(SendsBursts, "bursts"), [self._full(name) for name in names]
        told = list(self._call(adapter.send_burst, producers, ids, size * self._scale))
        targets = {target: None for name in names for target in self.producers[name]}
        for number, (message_id, outcome) in enumerate(zip(ids, told, strict=True)):
            name = names[number % len(names)]
            self.recorder.sent(self._full(name), self.producers[name], message_id, size * self._scale, outcome)
            if outcome in TAKEN:
                self._accept(message_id, self.producers[name])
        self._look_at_all()
        for target in targets:
            self._level(target, cause="send")
        self._look_at_all()
        return told

    def commit(self, name: str) -> Outcome:
        """End a producer's transaction; what its messages became is recorded with them."""
        return self._end_transaction(name, self._offered(Transacts, "transactions").commit)

    def rollback(self, name: str) -> None:
        """End a producer's transaction without its messages."""
        self._end_transaction(name, self._offered(Transacts, "transactions").rollback)

    def consume(self, destination: str, count: int = 1) -> int:
        """Take and acknowledge up to so many messages, first what was accepted first; how many there were.

        In which order messages are handed out is the broker's own affair: what comes before its turn is kept in hand.
        """
        consumer = self._consumer_of(destination)
        for consumed in range(count):
            for other in self._beside.get(destination, ()):
                self.consume(other)
            message_id = self._next_in_turn(consumer, destination)
            if message_id is None:
                return consumed
            self.acknowledge(consumer, message_id)
        return count

    def take(self, consumer: str) -> str | None:
        """Hand a message to a consumer; its id, or None if there is none.

        One that is handed out as a message of another destination counts as delivered there as well.
        """
        self._timers.passes(self._consumer_rates.get(consumer), self._clock.time_ms)
        delivery = self._call(self.adapter.take, self._full(consumer))
        if delivery is None:
            return None
        own = self._full(self._consumers[consumer])
        for destination in dict.fromkeys((own, delivery.destination)):
            if destination in self._bound:
                continue
            self.recorder.taken(destination, delivery.message_id)
            self._taken_from[destination] = None
        self._held.setdefault(consumer, []).append(delivery.message_id)
        self._handed_out += 1
        if self._handed_out > HANDED_OUT_AT_LEAST + HANDED_OUT_PER_MESSAGE * self._messages:
            raise AdapterError(f"{self._handed_out} messages were handed out of {self._messages} that were sent")
        return delivery.message_id

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Settle a message that the consumer was handed."""
        self._settle(self.adapter.acknowledge, consumer, message_id)
        if self.weave.acknowledged_twice:
            self._acknowledge_again(consumer, message_id)

    def _settle(self, verb: Callable[[str, str], None], consumer: str, message_id: str) -> None:
        destination = self._consumers[consumer]
        self._call(verb, self._full(consumer), message_id)
        accepted = self._accepted.get(self._full(destination), [])
        for ids in (accepted, self._in_hand.get(consumer, []), self._held.get(consumer, [])):
            if message_id in ids:
                ids.remove(message_id)
        if self._full(destination) not in self._bound:
            self.recorder.acknowledged(self._full(destination), message_id)
        self._level_after(destination, "acknowledge")

    def drain(self, destination: str) -> int:
        """Consume all there is; how many messages that was."""
        for other in self._beside.get(destination, ()):
            self.drain(other)
        if self.weave.last_first or self.weave.two_consumers:
            drained = self._drain_otherwise(destination)
        else:
            drained = self._drain_as_handed_out(destination)
        # room here may have let a message in that the queues beside it hold as well
        beside = (*self._beside.get(destination, ()), *self._apart)
        is_empty = destination in beside or not any(self.depth(other).messages for other in beside)
        self._level_after(destination, "drained" if is_empty else "acknowledge")
        return drained

    def consume_everything(self, destination: str) -> None:
        """Consume all messages of a destination, and then the messages that producers had to wait with."""
        while self.drain(destination):
            self.comes_to(lambda: [self.standing(name).stopped for name in self.in_sight], lambda seen: not any(seen))

    def take_all(self, consumer: str) -> None:
        """Hand every message of its destination to a consumer, which acknowledges none."""
        while self.take(consumer) is not None:
            pass

    def purge(self, destination: str) -> None:
        """Remove all messages that wait, by management."""
        for other in self._beside.get(destination, ()):
            self._call(self._offered(Purges, "to purge").purge, self._full(other))
        self._call(self._offered(Purges, "to purge").purge, self._full(destination))
        self._accepted[self._full(destination)] = list(self._in_hand.get(self._consumer_name(destination), ()))
        self.recorder.purged(self._full(destination))
        self._level_after(destination, "purge")

    def move(self, destination: str, to: str) -> None:
        """Move all messages that wait to another destination, by management; the trace says of that one nothing more.

        For the trace the messages leave as by a purge.
        """
        owed, self._bound = self._accepted.get(self._full(destination), []), self._bound | {self._full(to)}
        adapter = self._offered(MovesMessages, "to move messages")
        self._call(adapter.move, self._full(destination), self._full(to))
        stay = {message_id for ids in self._held.values() for message_id in ids}
        self._accepted[self._full(destination)] = [each for each in owed if each in stay]
        self._accept_all([each for each in owed if each not in stay], self._full(to))
        self.recorder.purged(self._full(destination))
        self._level_after(destination, "move")

    def list_messages(self, destination: str) -> int:
        """How many messages management lists that wait."""
        told = self._call(self._offered(ListsMessages, "to list messages").list_messages, self._full(destination))
        self._level_after(destination, "list")
        return told

    def browse(self, destination: str) -> int:
        """How many messages a client sees that looks at them."""
        seen = self._call(self._offered(BrowsesMessages, "to browse").browse, self._full(destination))
        self._level_after(destination, "list")
        return seen

    def give_up(self, consumer: str, message_id: str) -> None:
        """Have a consumer refuse for good a message that it was handed; for the trace it leaves as a settled one."""
        self._settle(self._offered(GivesMessagesUp, "dead letters").give_up, consumer, message_id)

    def recreate(self, destination: str) -> None:
        """Delete a destination with its messages, and create it again; for the trace its messages are purged."""
        if self._full(destination) not in self._declared_with:
            raise Unsupported("only a destination with one queue is created again")
        for consumer in [name for name, consumed in self._consumers.items() if consumed == destination]:
            self.close_consumer(consumer)
        adapter, full = self._offered(RecreatesDestinations, "to create a destination anew"), self._full(destination)
        self._call(adapter.recreate, full, self._declared_with[full])
        self._accepted[full] = []
        self.recorder.purged(full)
        self._level_after(destination, "purge")

    def let_expire(self, destination: str, ms: int) -> list[str]:
        """Let so much time pass that messages expire, and have a consumer ask for messages.

        The ids of those that it was handed, though they were accepted and have expired. A message that its producer
        still waits with may be stored later, or not.
        """
        accepted = self._accepted.get(self._full(destination), [])
        # what a consumer took in time is delivered
        in_hand = {message_id for ids in self._held.values() for message_id in ids}
        gone = self._expiring.intersection(accepted) - in_hand
        self.pass_time(ms)
        self._expired |= self._expiring - in_hand
        self._accepted[self._full(destination)] = [each for each in accepted if each not in self._expired]
        if self._full(destination) not in self._bound:
            self.recorder.purged(self._full(destination))
        consumer = self._consumer_of(destination)

        def ask() -> int:
            self.take_all(consumer)
            held = (ids for name, ids in self._held.items() if self._consumers[name] == destination)
            return self.depth(destination).messages - sum(map(len, held))

        self.comes_to(ask, lambda waiting: waiting == 0)
        self._level_after(destination, "expired")
        return sorted(gone.intersection(self._held.get(consumer, ())))

    def block(self, destination: str) -> None:
        """Stop the producers of a destination, by management."""
        self._call(self._offered(BlocksByManagement, "to block by management").block, self._full(destination))
        self._level_after(destination, "block")

    def unblock(self, destination: str) -> None:
        """Lift that order."""
        self._call(self._offered(BlocksByManagement, "to block by management").unblock, self._full(destination))
        self._level_after(destination, "unblock")

    def use_small_disk(self) -> None:
        """From now on the broker keeps its data on a disk that can be filled."""
        self._call(self._offered(FillsDisk, "a disk that can be filled").use_small_disk)

    def fill_disk(self) -> None:
        """Fill the disk. For the trace it is an order to stop, which no level explains."""
        self._call(self._offered(FillsDisk, "a disk that can be filled").fill_disk)
        for destination in self.destinations:
            self._level_after(destination, ORDERED)

    def free_disk(self) -> None:
        """Take away what filled the disk."""
        self._call(self._offered(FillsDisk, "a disk that can be filled").free_disk)
        for destination in self.destinations:
            self._level_after(destination, LIFTED)

    def close_producer(self, name: str) -> None:
        """Detach a producer in good order."""
        self._call(self._offered(ClosesClients, "to close clients").close_producer, self._full(name))
        self._gone(name, "close")

    def close_consumer(self, name: str) -> None:
        """Detach a consumer; what it did not acknowledge goes back."""
        self._call(self._offered(ClosesClients, "to close clients").close_consumer, self._full(name))
        self._held.pop(name, None)
        destination = self._consumers.pop(name)
        self.recorder.given_back(self._full(destination))
        self._level_after(destination, "close")

    def kill(self, name: str) -> None:
        """End a client without a word to the broker, and with it all that shares its connection."""
        line = self._connections[name]
        self._call(self._offered(KillsClients, "to kill clients").kill, line)
        self.bystander.lost(line)
        self._all_gone(line, "kill")

    def close_by_management(self, name: str) -> bool:
        """Have management close a client's connection, with all that shares it; whether the broker counts it no more.

        Nobody looks at its clients afterwards, whether they were told of it or not.
        """
        adapter, line = self._offered(ClosesByManagement, "to close connections by management"), self._connections[name]
        self._call(adapter.close_connection, line)
        is_there = self.comes_to(partial(self._call, adapter.has_connection, line), lambda seen: not seen)
        self.bystander.lost(line)
        self._all_gone(line, "kill")
        return not is_there

    # faults

    def keep_data(self) -> None:
        """From now on the broker keeps on disk what it has."""
        self._keeps_data = True
        self._call(self._offered(RestartsBroker, "to start the broker again").keep_data)

    def _keep_data_if_woven(self) -> None:
        if self.weave.keeps_data and not self._keeps_data:
            self.keep_data()

    def restart_broker(self) -> None:
        """Kill the broker and start it again; every client is gone."""
        self._call(self._offered(RestartsBroker, "to start the broker again").restart_broker)
        producers, self.producers = self.producers, {}
        for name, targets in producers.items():
            self.recorder.gone(self._full(name), targets, RESTART)
        for consumer in list(self._consumers):
            self.recorder.given_back(self._full(self._consumers.pop(consumer)))
        self._in_hand.clear()
        self._held.clear()
        for destination in map(self._full, self.destinations):
            self.recorder.started(destination)
            self._level(destination, cause=RESTART)

    def pause_broker(self, ms: int) -> None:
        """Halt the broker for so many ms."""
        adapter = self._offered(PausesBroker, "to halt the broker")
        self._call(adapter.pause_broker)
        try:
            self.pass_time(ms)
        finally:
            self._call(adapter.unpause_broker)
        for destination in self.destinations:
            self._level_after(destination, PAUSE)

    def make_cuttable(self, name: str) -> None:
        """The connection of this client, which is opened afterwards, can be stalled and cut."""
        self._call(self._cutting.make_cuttable, self._full(name))

    def stall(self, name: str) -> None:
        """Let no byte pass on a client's connection; the client is not looked at until they pass again."""
        self._call(self._cutting.stall, self._connections[name])
        self._stalled.add(name)
        for target in self.producers[name]:
            self._level(target, cause=STALL)

    def unstall(self, name: str) -> None:
        """Let bytes pass again."""
        self._call(self._cutting.unstall, self._connections[name])
        self._stalled.discard(name)
        self._look_at_all()

    def cut_in_send(self, name: str, size: int, *, arrives: bool) -> Outcome:
        """Send one message whose connection is cut behind it, before it was answered, or in the middle of it."""
        self._messages += 1
        message_id, size_bytes = f"{self._prefix}m{self._messages}", size * self._scale
        producer, line = self._full(name), self._connections[name]
        outcome = self._call(self._cutting.cut_in_send, producer, message_id, size_bytes, arrives)
        self.recorder.sent(producer, self.producers[name], message_id, size_bytes, outcome, CUT)
        self._all_gone(line, CUT)
        return outcome

    @property
    def _cutting(self) -> CutsConnections:
        return self._offered(CutsConnections, "to cut connections")

    # looking

    def deliveries(self) -> list[str]:
        """The ids of the messages delivered to the scenario's consumers, without deliveries from further queues."""
        taken = (call.answer for call in self.own_calls if call.verb == "take" and call.answer is not None)
        return [delivery.message_id for delivery in taken if delivery.destination not in self._bound]

    def depth(self, destination: str) -> Depth:
        """What the destination holds, in real figures."""
        return self._depth(self._full(destination))

    def standing(self, name: str) -> Standing:
        """Where the producer stands."""
        return self._look_at(name)

    def refusals(self, name: str) -> list[str]:
        """The reasons, in order, for which a producer was told by now that a message is refused; empty for none."""
        self._look_at(name)
        told = self._settlements.get(name, {}).values()
        return [each.reason for each in told if each.outcome is Outcome.REJECTED]

    def was_told_of_a_failure(self, name: str) -> bool:
        """Whether a send of the producer has failed by now, at once for a reason or after it waited."""
        return bool(self.refusals(name))

    def answer_to_last(self, name: str) -> Outcome | None:
        """What became of the message that a producer sent last; None as long as nobody told it."""
        self._look_at(name)
        told = self._settlements.get(name, {}).get(self._last_of[name])
        return None if told is None else told.outcome

    def in_turn(self, destination: str, message_ids: Sequence[str]) -> list[str]:
        """These messages in the order in which they were accepted, those that never were at the end."""
        accepted = self._accepted.get(self._full(destination), [])
        return sorted(message_ids, key=lambda each: accepted.index(each) if each in accepted else len(accepted))

    def buffered(self, consumer: str) -> int:
        """How many messages a consumer's client was sent and did not hand out yet."""
        return self._call(self._offered(BuffersAhead, "consumers that buffer ahead").buffered, self._full(consumer))

    def client_state(self, name: str) -> ClientState:
        """What is left of a producer's client."""
        return self._call(self._offered(TellsOfClients, "to look at clients").client_state, self._full(name))

    def can_use_session(self, name: str) -> bool:
        """Whether a producer still has its connection and its session, as far as the adapter tells.

        Only a client that lets a send wait ends either of them by itself.
        """
        if self._options.get(name, DEFAULT_OPTIONS).wait_ms is None or offered(self.adapter, TellsOfClients) is None:
            return True
        state = self.client_state(name)
        return state.connected and state.session_open

    def client_warnings(self, name: str) -> Sequence[str]:
        """What a producer's client wrote to its log since this was last asked."""
        return self._call(self._offered(TellsOfClients, "to look at clients").client_warnings, self._full(name))

    def limits_in_force(self, destination: str) -> Limits:
        """The limits of a destination as management reads them, in real figures."""
        adapter = self._offered(ReadsLimits, "to read the limits in force")
        return self._call(adapter.limits_in_force, self._full(destination))

    def usage_in_force(self) -> Usage:
        """The limits that all destinations share as management reads them, in real figures."""
        return self._call(self._offered(ReadsUsage, "to read the limits that all destinations share").usage_in_force)

    def log_lines(self) -> list[str]:
        """What the implementation wrote to its log since this was last asked."""
        return self._call(self._offered(WritesLog, "its log").log_lines)

    def full_name(self, name: str) -> str:
        """The name under which the implementation knows a destination or producer of this scenario."""
        return self._full(name)

    def in_own_names(self, text: str) -> str:
        """A text of the implementation with the names that this scenario gave, which are the same in every run."""
        return text.replace(self._names_begin, "").replace(self._prefix, "")

    def real(self, size: int) -> int:
        """A figure of the suite in the implementation's bytes."""
        return size * self._scale

    def in_words(self, real_bytes: int) -> str:
        """A real figure as the report shows it, with the suite's own figure where they differ."""
        if self._scale == 1:
            return f"{real_bytes:,} bytes"
        return f"{real_bytes / self._scale:,.10g} bytes (really {real_bytes:,})"

    # waiting

    def pass_time(self, ms: int) -> None:
        """Let so many ms pass; those since a send began to wait are counted together."""
        self.calls.append(Call("advance", (self._stopwatch.pass_time(ms),)))

    @property
    def waited_ms(self) -> int:
        """For how long by now the send has waited that was the last to begin to."""
        return self._stopwatch.waited_ms

    def may_stop(self, destination: str) -> bool:
        """Whether something configured stops those who send to a destination sooner or later."""
        if "memory-ratio" in self.adapter.capabilities:
            return self._limits_are_shared  # no limit of a single destination stops anybody there
        own = self._limits.get(self._full(destination), Limits())
        levels = (each.limit_bytes if each.limit_bytes is not None else self._defaults.limit_bytes for each in (own,))
        is_limited = any((level or 0) > 0 for level in (*levels, own.limit_messages))
        return (is_limited or self._limits_are_shared) and own.policy in (None, BLOCK)

    def limits_of(self, destination: str) -> Limits:
        """What was last configured for a destination, in figures of the suite."""
        return self._asked_for[destination]

    def can_wait(self, name: str) -> bool:
        """Whether a producer can ever be held: one that waits for answers, or has a window."""
        options = self._options.get(name, DEFAULT_OPTIONS)
        return not options.asynchronous or options.window_bytes is not None

    @property
    def can_close_clients(self) -> bool:
        """Whether clients can be closed."""
        return offered(self.adapter, ClosesClients) is not None

    def is_anonymous(self, name: str) -> bool:
        """Whether a producer was opened by the scenario as one that names a destination with each message."""
        return name in self._naming and name not in self._anonymous

    def has_room(self, name: str, size: int) -> bool:
        """Whether a message of so many bytes leaves each of a producer's destinations below every limit of theirs."""
        targets = (self._full(self._anonymous[name]),) if name in self._anonymous else self.producers[name]
        return not self._limits_are_shared and all(
            _is_below(self._limits.get(target), self._depth(target), self.real(size)) for target in targets
        )

    def is_full(self, name: str, size: int = 1) -> bool:
        """Whether one of a producer's destinations has no room for so many bytes, by limits of its own."""
        return not self._limits_are_shared and not self.has_room(name, size)

    @property
    def clock_is_virtual(self) -> bool:
        """Whether time costs nothing."""
        return self._clock.is_virtual

    def look_was_in_time(self) -> None:
        """AdapterError where the machine came too late to see how things stood before the next one fell due."""
        if self._stopwatch.is_late:
            raise AdapterError("this machine was too slow to look before what falls due next had done so")

    def comes_to(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        """Look until what is seen is as wanted or the adapter's `eventually_ms` are over; what was last seen."""
        return self._watch(look, wanted, self.adapter.parameters.eventually_ms)

    def stays(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        """Look for the adapter's `never_ms`, unless what is seen stops to be as wanted; what was last seen.

        A virtual clock jumps instead, further each time, up to just before what falls due next, or for an hour.
        """
        if self._clock.is_virtual:
            return self._stays_in_jumps(look, wanted)
        return self._watch(look, lambda seen: not wanted(seen), self.adapter.parameters.never_ms)

    def rests(self, name: str, wanted: Callable[[Standing], bool]) -> Standing:
        """Where a producer comes to rest: it comes to what is wanted and stays there, or it does not."""
        return self.rest({name: wanted})[name]

    def wait_until_free(self, name: str) -> None:
        """Wait until the producer is free or the adapter's `eventually_ms` are over, and record how it stands then."""
        self._record_standing(name, self.comes_to(partial(self.standing, name), lambda seen: not seen.stopped))

    def rest(self, wanted: Mapping[str, Callable[[Standing], bool]]) -> dict[str, Standing]:
        """Wait until each of several producers rests in the wanted standing, with one wait for all."""

        def look() -> dict[str, Standing]:
            return {name: self.standing(name) for name in wanted}

        def as_wanted(seen: Mapping[str, Standing]) -> bool:
            return all(wanted[name](standing) for name, standing in seen.items())

        seen = self.comes_to(look, as_wanted)
        if as_wanted(seen):
            seen = self.stays(look, as_wanted)
        for name, standing in seen.items():
            self._record_standing(name, standing)
        return seen

    # judging

    def verify(self, kept: bool, expected: str, seen: str, state: State | None = None) -> None:
        """Note what was expected and seen; raises Deviation if the rule is not kept.

        `state` is what other checks begin with, where this is one of them.
        """
        self.expected, self.seen = expected, seen
        if not kept:
            rule = self.promises.get(state, "") if state else ""
            if rule is None:
                raise Deviation(expected, seen, is_permitted=True)
            raise Deviation(expected, seen, state=state or "", promised_by=rule or None)

    def _stays_in_jumps(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        seen, jump_ms, left_ms = look(), FIRST_JUMP_MS, LONGEST_MS
        while wanted(seen) and left_ms > 0 and self._clock.is_virtual:
            now_ms = self._clock.time_ms
            due_ms = self._timers.next_due_ms(now_ms, lambda name, sent: sent in self.recorder.unsettled(name))
            quiet_ms = left_ms if due_ms is None else min(left_ms, due_ms - 1 - now_ms)
            if quiet_ms <= 0:
                break
            passes_ms = min(jump_ms, quiet_ms)
            self._advance(passes_ms)
            self.calls.append(Call("advance", (passes_ms,)))
            left_ms -= passes_ms
            jump_ms *= JUMPS_GROW_BY
            seen = look()
        return seen

    def _watch(self, look: Callable[[], Look], enough: Callable[[Look], bool], limit_ms: int) -> Look:
        """Look until it is enough, or for so long by the adapter's clock or by that of this machine; the last look."""
        began = time.monotonic()
        seen = look()
        waited, over = 0, False
        while not enough(seen) and waited < limit_ms and not over:
            self._advance(POLL_MS)
            waited += POLL_MS
            # looks take time as well; the last one begins when the time is over, not before
            over = (time.monotonic() - began) * MS_PER_SECOND >= limit_ms
            seen = look()
        return seen

    def _acknowledge_again(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message a second time. The broker refuses that, or does nothing: the space is free already.

        It refuses as its adapter likes: no kind of exception is agreed for what no client does on purpose.
        """
        destination = self._consumers[consumer]
        before, said = self.depth(destination), ""
        try:
            self._calling(self.adapter.acknowledge, self._full(consumer), message_id)
        except Hung:
            raise
        except Exception as refused:
            said = f", refused with {type(refused).__name__}: {refused}"
        self._level_after(destination, "acknowledge")
        after = self.depth(destination)
        if after != before:
            held, seen = (f"{self.in_words(each.bytes)} in {each.messages} messages" for each in (before, after))
            message = self.in_own_names(message_id)
            expected = f"{held} still, after {message} was acknowledged a second time"
            raise Deviation(expected, f"{seen}{self.in_own_names(said)}", rules=(GIVEN_BACK_ONCE,))

    def _answer_after_its_pace(self, name: str) -> Outcome:
        """What became of a message that its producer may send within the next second; UNSETTLED where it waits on."""
        self.pass_time(MS_PER_SECOND)
        told = self.answer_to_last(name)
        return Outcome.UNSETTLED if told is None else told

    def _arrival(self, name: str, size: int) -> Callable[[], bool]:
        """Whether the message that a producer sends next has come to its destination; waited for where it has room."""
        (target,) = self.producers[name]
        before, has_room = self._depth(target).messages, self.has_room(name, size)

        def arrived() -> bool:
            return self._depth(target).messages > before

        return lambda: self.comes_to(arrived, bool) if has_room else arrived()

    def _look_at(self, name: str) -> Standing:
        producer, targets = self._full(name), self.producers[name]
        if answering := offered(self.adapter, SettlesLate):
            for settlement in self._call(answering.settlements, producer):
                self._settled(name, settlement.message_id, settlement.outcome, settlement.reason)
        standing: Standing = self._call(self.adapter.standing, producer)
        if not self._names_several(name):
            self.recorder.credit(producer, None if name in self._naming else targets[0], standing)
        if targets:
            self.recorder.order(producer, targets, standing)
        return standing

    def _record_standing(self, name: str, standing: Standing) -> None:
        """Where a producer came to rest, as a whole only where it names several destinations."""
        targets = () if self._names_several(name) else self.producers[name]
        self.recorder.standing(self._full(name), targets, standing)

    def _names_several(self, name: str) -> bool:
        return name in self._naming and len(self.producers[name]) > 1

    def _settled(self, name: str, message_id: str, outcome: Outcome, reason: str = "") -> None:
        """A message that was unsettled is so no more, or one that was refused at once was refused for a reason."""
        self._settlements.setdefault(name, {})[message_id] = Settlement(message_id, outcome, reason)
        if message_id not in self.recorder.unsettled(self._full(name)):
            return
        targets = self.recorder.settled(self._full(name), message_id, outcome, reason)
        if outcome in TAKEN:
            self._accept(message_id, targets)
        for target in targets:
            self._level(target, cause="settled", producer=self._full(name))

    def _end_transaction(self, name: str, end: Callable[[str], Outcome | None]) -> Outcome:
        outcome = self._call(end, self._full(name)) or Outcome.REJECTED
        if outcome is not Outcome.UNSETTLED:
            for message_id in self.recorder.unsettled(self._full(name)):
                self._settled(name, message_id, outcome)
        self._look_at_all()
        return outcome

    def _gone(self, name: str, cause: str) -> None:
        """A producer is no more."""
        targets = self.producers.pop(name)
        self.recorder.gone(self._full(name), targets, cause)
        for target in targets:
            self._level(target, cause=cause)
        self._look_at_all()

    def _in_protocol(self, options: ProducerOptions) -> ProducerOptions:
        """The options, with the weave's protocol where a scenario asks for none."""
        number, protocols = self.weave.protocol, self.adapter.parameters.protocols
        return replace(options, protocol=protocols[number]) if 0 < number < len(protocols) else options

    def _all_gone(self, line: str, cause: str) -> None:
        """Whoever was on a connection is no more."""
        for other in [other for other, its in self._connections.items() if its == line]:
            if other in self.producers:
                self._gone(other, cause)
            elif other in self._consumers:
                self._held.pop(other, None)
                self.recorder.given_back(self._full(self._consumers.pop(other)))

    @property
    def _binding(self) -> BindsSeveralQueues:
        return self._offered(BindsSeveralQueues, "several bindings")

    def _topics(self) -> DeclaresTopics:
        return self._offered(DeclaresTopics, "topics")

    def _declare(
        self, verb: Declaring, name: str, limits: Limits, in_force: Limits | None = None, *further: object
    ) -> None:
        """Declare or change a destination; `in_force` is what holds there, where it came by another road."""
        own = self._scaled(limits)
        self._asked_for[name] = limits
        if name not in self.destinations:
            self.destinations.append(name)
        self._call(verb, self._full(name), own, *further)
        known = own if in_force is None else self._scaled(in_force)
        self._limits[self._full(name)] = known
        self.recorder.limits(self._full(name), known, self._defaults, self.adapter.capabilities)

    def _declare_woven(self, verb: Declaring, name: str, limits: Limits) -> None:
        if self.weave.scale > 1 and "memory-ratio" in self.adapter.capabilities and not self._limits_are_shared:
            raise Unsupported("the memory of the broker is what it is by default, and not as large as these figures")
        in_force = self.weave.limits(limits)
        if self.weave.bystander and self.weave.road is not Road.FILE:
            # before the destination, which is then not the broker's first one
            self._attach_bystander(in_force)
        first = self.weave.declared_first(in_force)
        if limits != Limits():
            self._configure_outside(in_force)
        own = self._lead(name, first) if limits != Limits() else first
        if self.weave.beside is not None:
            beside = self._beside.setdefault(name, (f"{name} bound first", f"{name} bound last"))
            first_bound, last_bound = map(self._full, beside)
            self._bound |= {first_bound, last_bound}
            others = {first_bound: self._scaled(self.weave.beside(in_force))}
            self._declare(self._binding.declare_bound, name, own, first, others, last_bound)
        else:
            self._declare(verb, name, own, first)
            if verb == self.adapter.declare:
                self._declared_with[self._full(name)] = self._scaled(own if first == in_force else in_force)
        if first != in_force:
            # where a queue keeps its messages is not a limit, and stays
            self.change_limits(name, replace(in_force, cursor=None))
        if self.weave.bystander:
            self._attach_bystander(in_force)
        if self.weave.onlooker:
            self.attach_onlooker(name)
        for given, history in self.weave.histories:
            try:
                history(self, name)
                self._expect_empty(name)
            except Deviation as error:
                # not of what the scenario is about, whatever step declares the destination
                raise not_reached(error, given, self.adapter.capabilities) from error
            self._first_call = len(self.calls)
            if writer := offered(self.adapter, WritesLog):
                self._call(writer.log_lines)

    def attach_onlooker(self, destination: str) -> None:
        """A consumer that wants none of the messages of a destination, for as long as the scenario goes on."""
        name = f"onlooker at {destination}"
        adapter = self._offered(FiltersForConsumers, "consumers that filter")
        line = self._connect(name, None)
        self._call(adapter.open_filtering_consumer, self._full(name), line, self._full(destination))

    def _configure_outside(self, limits: Limits) -> None:
        """What the weave configures for all destinations, beside the limits that one is declared with."""
        if self.weave.outside is not None:
            self.declare_defaults(self.weave.outside(limits))
        if self.weave.shared_outside and not self.destinations:
            shared = Limits(limit_bytes=self.real(self.weave.shared_outside))
            self._call(self._offered(SharesLimits, "limits of all destinations").declare_shared, shared)

    def _attach_bystander(self, limits: Limits) -> None:
        """Attach a bystander, unless the documents let the broker stop everybody for one destination."""
        if ELSEWHERE_FREE in declined(self.adapter):
            return
        self.bystander.attach(limits, SHARED_CONNECTION if self.weave.one_connection else "")

    def _expect_empty(self, name: str) -> None:
        """Raise Deviation if the destination still holds something after its history.

        Messages that are counted and not charged break no promise here: the trace rule about counts judges them.
        """
        empty = Depth(0, 0)
        left = empty
        for each in (name, *self._beside.get(name, ())):
            if left == empty:
                left = self.comes_to(partial(self._depth, self._full(each)), lambda depth: depth == empty)
        seen = f"{self.in_words(left.bytes)} in {left.messages:,} messages"
        charged = State.EMPTY if left.bytes else State.POSITIVE if left.messages < 0 else None
        self.verify(left == empty, "nothing left of what went on before", seen, charged)

    def _lead(self, name: str, limits: Limits) -> Limits:
        """Configure the limits of a destination by the road of the weave; those that it is declared with itself.

        A file and a shared limit are for the first destination: the broker starts with them.
        """
        road = Road.DECLARED if self.weave.road in (Road.FILE, Road.TOGETHER) and self.destinations else self.weave.road
        elsewhere = self._scaled(replace(limits, credit=None, credit_low=None))
        match road:
            case Road.DECLARED:
                return limits
            case Road.DEFAULT:
                self.declare_defaults(replace(limits, credit=None, credit_low=None))
            case Road.PATTERN:
                verb = self._offered(SetsLimitsByPattern, "limits for a pattern").declare_pattern
                self._call(verb, self._prefix, elsewhere)
            case Road.CLOSER_PATTERN:
                verb = self._offered(SetsLimitsByPattern, "limits for a pattern").declare_pattern
                wider = multiplied(replace(limits, credit=None, credit_low=None), 1 / FACTOR)
                self._call(verb, self._prefix, self._scaled(wider))
                self._call(verb, self._names_begin, elsewhere)
            case Road.FILE:
                self._call(
                    self._offered(SetsLimitsByFile, "limits in a file").start_with_limits, self._full(name), elsewhere
                )
            case Road.TOGETHER:
                shared = Limits(limit_bytes=elsewhere.limit_bytes, limit_messages=elsewhere.limit_messages)
                self._call(self._offered(SharesLimits, "limits of all destinations").declare_shared, shared)
                return replace(limits, limit_bytes=NO_LIMIT, resume_bytes=None, limit_messages=None)
        return Limits(credit=limits.credit, credit_low=limits.credit_low)

    def _connect(self, name: str, connection: str | None) -> str:
        """The connection of a client: the one that is named, or one that bears the client's own name."""
        line = self._connections[name] = self._full(connection or name)
        return line

    def _also_sends_to(self, name: str, destination: str) -> None:
        full = self._full(destination)
        if full not in self.producers[name]:
            self.producers[name] = (*self.producers[name], full)
            self.recorder.opened(self._full(name), (full,), self._connections[name])

    def _offered(self, group: type[Group], what: str) -> Group:
        """The adapter as one that offers a group of verbs; AdapterError if it does not."""
        adapter = offered(self.adapter, group)
        if adapter is None:
            raise Unsupported(f"the adapter does not offer {what}")
        return adapter

    def _look_at_all(self) -> None:
        self.bystander.look()
        for name in self.in_sight:
            self._look_at(name)

    def _level_after(self, destination: str, cause: str) -> None:
        if self._full(destination) not in self._bound:
            self._level(self._full(destination), cause=cause)
        self._look_at_all()

    def _level(self, full_name: str, *, cause: str, producer: str | None = None) -> None:
        """Record what a destination holds, and what all of them take where that is measured."""
        self._taken_from.pop(full_name, None)
        self.recorder.level(full_name, self._depth(full_name), cause=cause, producer=producer)
        if measuring := offered(self.adapter, MeasuresMemory):
            self.recorder.memory(self._call(measuring.memory_used))

    def _depth(self, full_name: str) -> Depth:
        return self._call(self.adapter.depth, full_name)

    def _consumer_of(self, destination: str) -> str:
        name = self._consumer_name(destination)
        if name not in self._consumers:
            self.open_consumer(name, destination)
        return name

    def _consumer_name(self, destination: str) -> str:
        """The consumer of a destination: the first that is open, or the one that is opened when one is needed."""
        names = (name for name, consumed in self._consumers.items() if consumed == destination)
        return next(names, f"consumer-of-{destination}")

    def _accept(self, message_id: str, targets: Sequence[str]) -> None:
        """The message should be on these destinations from now on."""
        if message_id not in self._expired:
            for target in targets:
                self._accept_all([message_id], target)

    def _accept_all(self, message_ids: Sequence[str], target: str) -> None:
        self._accepted.setdefault(target, []).extend(message_ids)

    def _drain_as_handed_out(self, destination: str) -> int:
        """Take and acknowledge one message after the other, in the broker's own order; how many there were."""
        consumer, drained = self._consumer_of(destination), 0
        while (message_id := next(iter(self._in_hand.get(consumer, ())), None) or self.take(consumer)) is not None:
            self.acknowledge(consumer, message_id)
            drained += 1
        return drained

    def _drain_otherwise(self, destination: str) -> int:
        """Take all there is, by one consumer or by two in turn, and acknowledge it from the first or from the last."""
        consumers = [self._consumer_of(destination)]
        if self.weave.two_consumers:
            consumers.append(f"second consumer {len(self.calls)} of {destination}")
            self.open_consumer(consumers[1], destination)
        drained = 0
        while held := self._take_in_turn(consumers):
            for consumer, message_id in reversed(held) if self.weave.last_first else held:
                self.acknowledge(consumer, message_id)
            drained += len(held)
        for second in consumers[1:]:
            self.close_consumer(second)
        return drained

    def _take_in_turn(self, consumers: Sequence[str]) -> list[tuple[str, str]]:
        """What these consumers have in hand and are handed in turn until there is nothing more."""
        held = [(each, message_id) for each in consumers for message_id in self._in_hand.get(each, [])]
        waiting = list(consumers)
        while waiting:
            for consumer in list(waiting):
                message_id = self.take(consumer)
                if message_id is None:
                    waiting.remove(consumer)
                else:
                    held.append((consumer, message_id))
        return held

    def _next_in_turn(self, consumer: str, destination: str) -> str | None:
        """What a consumer is to acknowledge next; None if there is nothing.

        That is the message accepted first, unless it is never handed out, or one comes that nobody waits for.
        """
        expected = self._accepted.get(self._full(destination), [])
        in_hand = self._in_hand.setdefault(consumer, [])
        first = expected[0] if expected else None
        while first is None or first not in in_hand:
            message_id = self.take(consumer)
            if message_id is None:
                return in_hand[0] if in_hand else None
            if message_id == first or message_id not in expected or message_id in in_hand:
                return message_id
            in_hand.append(message_id)
        return first

    def _full(self, name: str) -> str:
        return f"{self._names_begin}{name}"

    def _scaled(self, limits: Limits) -> Limits:
        levels = ("limit_bytes", "resume_bytes", "reject_bytes", "page_limit_bytes", "page_bytes")
        scaled: dict[str, Any] = {level: self._scaled_level(getattr(limits, level)) for level in levels}
        return replace(limits, **scaled)

    def _scaled_level(self, figure: int | None) -> int | None:
        """A level in the implementation's bytes; -1 stands for no limit on any scale."""
        return None if figure is None else max(figure * self._scale, -1)

    def _call(self, verb: Callable[..., Look], *arguments: Any) -> Look:
        self._asked = verb.__name__, arguments
        began = time.monotonic()
        try:
            return self._calling(verb, *arguments)
        except AdapterError:
            self._break_off(began)
            raise

    def _calling(self, verb: Callable[..., Look], *arguments: Any) -> Look:
        answer = self._watchdog.call(verb, *arguments) if self._watchdog else verb(*arguments)
        check_answer(verb.__name__, answer)
        self.calls.append(Call(verb.__name__, arguments, answer))
        return answer

    def _advance(self, ms: int) -> None:
        began = time.monotonic()
        try:
            self._clock.advance(ms)
        except AdapterError:
            self._break_off(began)
            raise

    def _break_off(self, began: float) -> None:
        """What follows a call that has no answer, or one without a meaning, is not judged."""
        self.seconds_lost += time.monotonic() - began
        self.is_broken_off = True


def _is_below(limits: Limits | None, held: Depth, size_bytes: int) -> bool:
    """Whether a destination with these limits holds less than any of them once it has taken one more message."""
    configured = limits or Limits()
    levels = (configured.limit_bytes, held.bytes + size_bytes), (configured.limit_messages, held.messages + 1)
    return all(limit is None or limit <= 0 or level < limit for limit, level in levels)
