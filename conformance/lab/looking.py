"""Looks at levels, at producers, at outcomes of messages, and at what management says."""

from collections.abc import Sequence

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import (
    BuffersAhead,
    ClientState,
    MeasuresMemory,
    ReadsLimits,
    ReadsUsage,
    Settlement,
    SettlesLate,
    TellsOfClients,
    Usage,
    WritesLog,
)
from tidegate.conformance.bystander import Bystander
from tidegate.conformance.lab.messages import Messages
from tidegate.conformance.lab.scene import Scene, Setting
from tidegate.conformance.neighbour import Neighbour

TAKEN = (Outcome.ACCEPTED, Outcome.SENT)


class Looking(Scene):
    """Looks at the implementation, and records what is seen."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.destinations: list[str] = []
        self.producers: dict[str, tuple[str, ...]] = {}
        """The full names of the destinations that a producer sends to."""
        self.messages = Messages(setting.prefix)
        self.bystander = Bystander(self.adapter, self._call, setting.prefix)
        in_order = "ordered-messages" in self.adapter.capabilities and not self.weave.by_priority
        self.neighbour = Neighbour(self.adapter, self._call, setting.prefix, in_order=in_order)
        self.logged: list[str] = []
        """The log lines of the scenario itself, as far as they were read."""
        self._options: dict[str, ProducerOptions] = {}
        self._naming: set[str] = set()
        """Producers that name a destination with each message."""
        self._named: dict[str, set[str]] = {}
        """The destinations that each of these has named, by full name, also with a message that was not sent."""
        self._stalled: set[str] = set()
        """Producers whose connection is stalled, so that nobody can look at them."""
        self._consumers: dict[str, str] = {}
        """The destination of each consumer."""
        self._consumer_rates: dict[str, int | None] = {}
        """Messages a second of each consumer that buffers ahead; None where it sets no rate."""
        self._bound: set[str] = set()
        """Full names of queues that get the messages of another destination; the trace has only that destination."""
        self._settlements: dict[str, dict[str, Settlement]] = {}
        """The settlements of each producer's unsettled messages, by message id and in order."""
        self._last_of: dict[str, str] = {}
        """For each producer, the id of the message that it sent last; a message blocked behind that one is not sent."""
        self._looked_ms: dict[str, int] = {}
        """When the last look at each producer began, in ms."""
        self._taken_from: dict[str, None] = {}
        """Destinations whose messages were taken since the last look: messages in hand may no longer be charged."""

    @property
    def in_sight(self) -> tuple[str, ...]:
        """The producers that can be looked at: the producers whose connections are not stalled."""
        return tuple(name for name in self.producers if name not in self._stalled)

    @property
    def held(self) -> dict[str, list[str]]:
        """The ids of the messages that each consumer was handed and did not acknowledge.

        Consumers that buffer ahead are left out.
        """
        return {name: list(ids) for name, ids in self.messages.held.items() if name not in self._consumer_rates}

    @property
    def buffered_ahead(self) -> frozenset[str]:
        """The destinations with a consumer whose client buffers messages ahead."""
        return frozenset(self._consumers[name] for name in self._consumer_rates if name in self._consumers)

    def owed(self, destination: str) -> list[str]:
        """The ids of the messages that a destination accepted and no consumer acknowledged."""
        return self.messages.owed(self._full(destination))

    def surely_owed(self, destination: str) -> list[str]:
        """The ids of owed messages, without messages whose connection broke before the broker answered them."""
        return self.messages.surely_owed(self._full(destination))

    def unanswered(self, name: str) -> tuple[str, ...]:
        """The ids of the messages of a producer that the broker has not answered yet."""
        return tuple(self.recorder.unsettled(self._full(name)))

    def deliveries(self) -> list[str]:
        """The ids of the messages delivered to the scenario's consumers, without deliveries from further queues."""
        taken = (call.answer for call in self.own_calls if call.verb == "take" and call.answer is not None)
        return [delivery.message_id for delivery in taken if delivery.destination not in self._bound]

    def depth(self, destination: str) -> Depth:
        """The depth of the destination, in real figures."""
        return self._depth(self._full(destination))

    def standing(self, name: str) -> Standing:
        """The standing of the producer."""
        return self._look_at(name)

    def refusals(self, name: str) -> list[str]:
        """The reasons of the refusals that a producer has got by now, in order."""
        self._look_at(name)
        told = self._settlements.get(name, {}).values()
        return [each.reason for each in told if each.outcome is Outcome.REJECTED]

    def was_told_of_a_failure(self, name: str) -> bool:
        """Whether a send of the producer has failed by now, at once with a reason or after a wait."""
        return bool(self.refusals(name))

    def answer_to_last(self, name: str) -> Outcome | None:
        """The outcome of the message that a producer sent last; None while the producer has no answer."""
        self._look_at(name)
        told = self._settlements.get(name, {}).get(self._last_of[name])
        return None if told is None else told.outcome

    def in_turn(self, destination: str, message_ids: Sequence[str]) -> list[str]:
        """These messages in the order of their acceptance, never accepted ones at the end."""
        return self.messages.in_turn(self._full(destination), message_ids)

    def buffered(self, consumer: str) -> int:
        """The number of messages that a consumer's client has buffered and not yet handed out."""
        return self._call(self._offered(BuffersAhead, "consumers that buffer ahead").buffered, self._full(consumer))

    def client_state(self, name: str) -> ClientState:
        """The state of a producer's client."""
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
        """The log entries of a producer's client since the last call."""
        return self._call(self._offered(TellsOfClients, "to look at clients").client_warnings, self._full(name))

    def limits_in_force(self, destination: str) -> Limits:
        """The limits of a destination as management reads them, in real figures."""
        adapter = self._offered(ReadsLimits, "to read the limits in force")
        return self._call(adapter.limits_in_force, self._full(destination))

    def usage_in_force(self) -> Usage:
        """The limits that all destinations share as management reads them, in real figures."""
        return self._call(self._offered(ReadsUsage, "to read the limits that all destinations share").usage_in_force)

    def log_lines(self) -> list[str]:
        """The log lines of the implementation since the last call."""
        lines = self._call(self._offered(WritesLog, "its log").log_lines)
        self.logged += lines
        return lines

    def _depth(self, full_name: str) -> Depth:
        return self._call(self.adapter.depth, full_name)

    def _look_at(self, name: str) -> Standing:
        producer, targets = self._full(name), self.producers[name]
        self._looked_ms[name] = self.recorder.now_ms
        if answering := offered(self.adapter, SettlesLate):
            for settlement in self._call(answering.settlements, producer):
                self._settled(name, settlement.message_id, settlement.outcome, settlement.reason)
        standing: Standing = self._call(self.adapter.standing, producer)
        if not self._names_several(name):
            self.recorder.credit(producer, None if name in self._naming else targets[0], standing)
        if targets:
            self.recorder.order(producer, targets, standing)
        return standing

    def _look_at_all(self) -> None:
        self.bystander.look()
        self.neighbour.look()
        for name in self.in_sight:
            self._look_at(name)

    def _level(self, full_name: str, *, cause: str, producer: str | None = None) -> None:
        """Record what a destination holds, and what all of them take where that is measured."""
        self._taken_from.pop(full_name, None)
        self.recorder.level(full_name, self._depth(full_name), cause=cause, producer=producer)
        if measuring := offered(self.adapter, MeasuresMemory):
            self.recorder.memory(self._call(measuring.memory_used))

    def _level_after(self, destination: str, cause: str) -> None:
        if self._full(destination) not in self._bound:
            self._level(self._full(destination), cause=cause)
        self._look_at_all()

    def _record_standing(self, name: str, standing: Standing) -> None:
        """Record the standing of a producer at rest; it is about no destination if the producer names several."""
        targets = () if self._names_several(name) else self.producers[name]
        self.recorder.standing(self._full(name), targets, standing, self._looked_ms[name])

    def _names_several(self, name: str) -> bool:
        """Whether the standing of a producer that names its destinations cannot be told from one to the other.

        A channel to several queues is held by each of them, whether its producer names them or not.
        """
        is_channel = "queue-gate" in self.adapter.capabilities
        return name in self._naming and len(self._named.get(name, ())) > 1 and not is_channel

    def _settled(self, name: str, message_id: str, outcome: Outcome, reason: str = "") -> None:
        """Note the outcome of an unsettled message, or the reason of a message that was refused at once."""
        self._settlements.setdefault(name, {})[message_id] = Settlement(message_id, outcome, reason)
        if message_id not in self.recorder.unsettled(self._full(name)):
            return
        targets = self.recorder.settled(self._full(name), message_id, outcome, reason)
        if outcome in TAKEN:
            self.messages.accept(message_id, targets)
        for target in targets:
            self._level(target, cause="settled", producer=self._full(name))
