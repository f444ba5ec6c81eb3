"""The lab through which steps, vectors and state machines drive an implementation."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tidegate.adapters.base import NO_LIMIT, Adapter, Depth, Limits, Unsupported
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import (
    BindsLater,
    BindsSeveralQueues,
    ClosesClients,
    DeclaresTemporarily,
    DeclaresTopics,
    FiltersForConsumers,
    RecreatesDestinations,
    SetsLimitsByFile,
    SetsLimitsByPattern,
    SharesLimits,
    SubscribesTemporarily,
    WritesLog,
    declined,
    reason_to_decline,
)
from tidegate.conformance.bystander import RULE as ELSEWHERE_FREE
from tidegate.conformance.clock import Clock
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.histories import FACTOR, multiplied
from tidegate.conformance.conditions.road import Road
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab.clients import SHARED_CONNECTION
from tidegate.conformance.lab.limiting import Verb
from tidegate.conformance.lab.meanwhile import LOOKS, Meanwhile
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.presupposed import State, not_reached
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.small_limits import FILL_SIZE, small_limits
from tidegate.conformance.watchdog import Watchdog
from tidegate.model.traces.general_traffic import ANEW


class Lab(Meanwhile):
    """One scenario on one implementation."""

    def __init__(
        self,
        adapter: Adapter,
        recorder: Recorder,
        prefix: str,
        watchdog: Watchdog | None = None,
        clock: Clock | None = None,
        weave: Weave = PLAIN,
    ) -> None:
        super().__init__(Setting(adapter, recorder, prefix, watchdog, clock or Clock(adapter), weave))
        self._declared_with: dict[str, Limits] = {}
        """The limits in real bytes with which to create each destination again, by full name; topics are left out."""
        self.part_of_history = ""
        """The beginning of names of clients of the present history, where others went before it."""

    def declare(self, name: str, limits: Limits) -> None:
        """Declare a destination with these limits; the weave decides its kind and the road of the limits."""
        self._prepare()
        self._declare_woven(self._topics().declare_topic if self.weave.topic else self.adapter.declare, name, limits)

    def declare_topic(self, name: str, limits: Limits) -> None:
        """Declare a topic with these limits and one subscription, which is consumed under the name of the topic."""
        self._prepare()
        self._declare_woven(self._topics().declare_topic, name, limits)

    def declare_bound(self, name: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Declare a topic with these limits and one subscription, `before` bound ahead of it and `after` behind it."""
        self._prepare()
        full = {self._full(other): self._figures.limits(its) for other, its in before.items()}
        self._bound |= {*full, self._full(after)}
        self._apart = [*before, after]
        self._declare(self._binding.declare_bound, name, limits, None, full, self._full(after))

    def declare_temporary(self, name: str, limits: Limits, beside: str | None = None) -> None:
        """Have a client create a destination with these limits, which ends with the connection of this client.

        The client is that of the temporary destination `beside`, if one is named.
        """
        self._prepare()
        adapter = self._offered(DeclaresTemporarily, "temporary destinations")
        owner, own = f"owner of {name}", self._figures.limits(limits)
        line = self._connect(owner, None) if beside is None else self._connections[self._owners[beside]]
        self._owners[name] = owner if beside is None else self._owners[beside]
        self._given_names[name] = self._call(adapter.declare_temporary, line, own).name
        self._asked_for[name] = limits
        self.destinations.append(name)
        self._remember(name, own)

    def end_temporary(self, name: str) -> None:
        """Break the connection with which a temporary destination ends; in the trace its messages are purged.

        The other temporary destinations of the connection end as well.
        """
        owner = self._owners[name]
        ended = [each for each, its in self._owners.items() if its == owner]
        for each in ended:
            self.destinations.remove(each)
            del self._owners[each]
        self.kill(owner)
        for each in ended:
            self.messages.forget(self._full(each))
            self.recorder.purged(self._full(each), ANEW)

    def bind(self, name: str, queue: str) -> None:
        """Bind one more queue to a destination that `declare_bound` declared."""
        self._bound.add(self._full(queue))
        self._call(self._offered(BindsLater, "to bind queues later").bind, self._full(name), self._full(queue))
        self._apart.append(queue)

    def before_room(self, destination: str) -> None:
        """Let the event of the weave happen, if it is due."""
        if self.weave.meanwhile is not None and self.is_due(destination):
            self._happened.add(destination)
            began = len(self.calls)
            with self.occupied():
                self.weave.meanwhile(self, destination)
            self.event_happened |= any(call.verb not in LOOKS for call in self.calls[began:])

    def pass_time(self, ms: int) -> None:
        """Let `ms` pass; on a virtual clock, a due event happens halfway while a send waits."""
        ms = self.span(ms)
        sends_wait = any(self.recorder.unsettled(self._full(name)) for name in self.in_sight)
        is_crossed = self.weave.meanwhile is not None and self.clock_is_virtual and sends_wait and ms > 1
        due = [each for each in self.destinations if self.is_due(each)] if is_crossed else []
        end_ms = self._clock.time_ms + ms
        if due:
            super().pass_time(ms // 2)
            for destination in due:
                self.before_room(destination)
        super().pass_time(end_ms - self._clock.time_ms if due else ms)

    def recreate(self, destination: str) -> None:
        """Delete a destination with its messages, and create it again; in the trace its messages are purged."""
        full = self._full(destination)
        if full not in self._declared_with:
            raise Unsupported("only a destination with one queue can be created again")
        for consumer in [name for name, consumed in self._consumers.items() if consumed == destination]:
            self.close_consumer(consumer)
        adapter = self._offered(RecreatesDestinations, "to create a destination anew")
        self._call(adapter.recreate, full, self._declared_with[full])
        self.messages.forget(full)
        self.recorder.purged(full, ANEW)
        self._level_after(destination, "purge")

    def attach_onlooker(self, destination: str) -> None:
        """Attach a consumer whose filter no message of a destination passes, until the scenario ends."""
        name = f"onlooker at {destination}"
        adapter = self._offered(FiltersForConsumers, "consumers that filter")
        line = self._connect(name, None)
        self._call(adapter.open_filtering_consumer, self._full(name), line, self._full(destination))
        self._watched.add(destination)

    def unbind(self, name: str, queue: str) -> None:
        """Delete a queue that was bound beside a destination."""
        self._call(self._binding.unbind, self._full(name), self._full(queue))
        self._apart.remove(queue)
        self._level_after(name, "unbind")

    def subscribe(self, consumer: str, name: str) -> None:
        """Attach a consumer to a destination that `declare_bound` declared, by a subscription that ends with it."""
        adapter = self._offered(SubscribesTemporarily, "temporary subscriptions")
        self._bound.add(self._full(consumer))
        self._call(adapter.subscribe, self._full(consumer), self._connect(consumer, None), self._full(name))
        self._apart.append(consumer)

    def end_subscription(self, consumer: str, name: str, *, broken: bool) -> None:
        """Close the consumer of a temporary subscription, or break its connection."""
        if broken:
            self.kill(consumer)
        else:
            self._call(self._offered(ClosesClients, "to close clients").close_consumer, self._full(consumer))
        self._apart.remove(consumer)
        self._level_after(name, "unbind")

    @property
    def _binding(self) -> BindsSeveralQueues:
        return self._offered(BindsSeveralQueues, "several bindings")

    def _topics(self) -> DeclaresTopics:
        return self._offered(DeclaresTopics, "topics")

    def _declare_woven(self, verb: Verb, name: str, limits: Limits) -> None:
        if self.weave.scale > 1 and "memory-ratio" in self.adapter.capabilities and not self.limits_are_shared:
            raise Unsupported("the broker's memory has its default size, which is smaller than these figures")
        in_force = self.weave.limits(limits)
        if self.weave.bystander and self.weave.road is not Road.FILE:
            # so that the destination is not the first one of the broker
            self._attach_bystander(in_force)
        if self.weave.road is not Road.FILE:
            self._fill_elsewhere()
        first = self.weave.declared_first(in_force)
        if limits != Limits():
            self._configure_outside(in_force)
        own = self._lead(name, first) if limits != Limits() else first
        if self.weave.beside is not None:
            beside = self._beside.setdefault(name, (f"{name} bound first", f"{name} bound last"))
            first_bound, last_bound = map(self._full, beside)
            self._bound |= {first_bound, last_bound}
            others = {first_bound: self._figures.limits(self.weave.beside(in_force))}
            self._declare(self._binding.declare_bound, name, own, first, others, last_bound)
        else:
            self._declare(verb, name, own, first)
            if verb == self.adapter.declare:
                self._declared_with[self._full(name)] = self._figures.limits(own if first == in_force else in_force)
        if first != in_force:
            # the cursor is not a limit, and stays
            self._to_come[name] = replace(in_force, cursor=None)
        self._fill_elsewhere()
        if self.weave.histories:
            # a history may change the limits itself
            self.change_before_first_message(self._full(name))
        if self.weave.bystander:
            self._attach_bystander(in_force)
        if self.weave.onlooker:
            self.attach_onlooker(name)
        for number, (given, history) in enumerate(self.weave.histories, 1):
            # clients of different histories have different names, as one name stands for one client in a trace
            self.part_of_history = f"history {number}, " if number > 1 else ""
            try:
                with self.occupied():
                    history(self, name)
                self._expect_empty(name)
            except Deviation as error:
                # the deviation is not about the scenario's subject, whatever step declares the destination
                raise not_reached(error, given, self.adapter.capabilities) from error
            self._first_call = len(self.calls)
            if writer := offered(self.adapter, WritesLog):
                self._call(writer.log_lines)
            self.recorder.orders.clear()

    def _configure_outside(self, limits: Limits) -> None:
        """Configure the limits of the weave for all destinations, beside a destination's own limits."""
        if self.weave.outside is not None:
            self.declare_defaults(self.weave.outside(limits))
        if self.weave.shared_outside and not self.destinations:
            shared = Limits(limit_bytes=self.real(self.weave.shared_outside))
            self._call(self._offered(SharesLimits, "limits of all destinations").declare_shared, shared)

    def _attach_bystander(self, limits: Limits) -> None:
        """Attach a bystander, unless the documents allow one destination to stop the producers of all."""
        if reason_to_decline(declined(self.adapter), ELSEWHERE_FREE):
            return
        self.bystander.attach(limits, SHARED_CONNECTION if self.weave.one_connection else "")

    def _fill_elsewhere(self) -> None:
        """Fill another destination until it stops its producer, if the weave asks for that and it is not full yet."""
        for given in self.weave.givens_of_neighbour:
            if self.neighbour.is_there:
                return
            limits = self._figures.limits(small_limits(self.adapter.capabilities))
            try:
                self.neighbour.attach(limits, self.real(FILL_SIZE))
                self._first_call = len(self.calls)
            except Deviation as error:
                raise not_reached(error, given, self.adapter.capabilities) from error

    def _expect_empty(self, name: str) -> None:
        """Raise Deviation if the destination still holds something after its history.

        Messages that are counted and not charged are no broken promise here: the trace rule about counts judges them.
        """
        empty = Depth(0, 0)
        left = empty
        for each in (name, *self._beside.get(name, ())):
            if left == empty:
                left = self.comes_to(partial(self._depth, self._full(each)), lambda depth: depth == empty)
        if before := self.look_at_traffic(name):
            # no message may be in hand when the scenario begins, so messages that still are count against the scenario
            self._traffic_before[name] = replace(before, in_hand=0)
        self.look_at_shown()
        seen = f"{self.in_words(left.bytes)} in {left.messages:,} messages"
        charged = State.EMPTY if left.bytes else State.POSITIVE if left.messages < 0 else None
        self.verify(left == empty, "nothing left of what went on before", seen, charged)

    def _lead(self, name: str, limits: Limits) -> Limits:
        """Configure the limits of a destination by the road of the weave; the limits with which to declare it.

        Only the first destination gets its limits by a file or a shared limit: the broker starts with these.
        """
        road = Road.DECLARED if self.weave.road in (Road.FILE, Road.TOGETHER) and self.destinations else self.weave.road
        elsewhere = self._figures.limits(replace(limits, credit=None, credit_low=None))
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
                self._call(verb, self._prefix, self._figures.limits(wider))
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
