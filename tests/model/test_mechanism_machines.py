"""Random steps through each mechanism by Hypothesis: what must stand after every step, in figures, without the rules.

Every destination has a limit of 1,000 bytes, or 400 or 5,000 after a change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.sample import sampled
from tidegate.model.mechanisms import andes, artemis, qpid, qpid942
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.mechanism import Mechanism
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.memory_ratio import MemorySettings, memory_ratio
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.queue_gate import queue_gate

LIMITS = (400, 1000, 5000)
SIZES = (1, 100, 200, 399, 600)
PRODUCERS = ("first", "second", "third")


@dataclass
class Seen:
    """A mechanism's destination as somebody sees it who knows nothing of its rules."""

    limit: int
    level: int
    ordered: bool
    stopped: Mapping[str, bool]
    """Which producers may not send a byte."""
    last: str | None
    """Who sent last; None where another step came in between."""
    before: "Seen | None" = None
    """How it was before the last step."""


@dataclass(frozen=True)
class Stepped:
    """A mechanism, what is configured for a limit in bytes, and what must stand of it."""

    steps: Mechanism[Any, Any]
    settings: Callable[[int], Any]
    stands: Callable[[Seen], bool]
    changes: bool = True


def queue_gate_stands(seen: Seen) -> bool:
    """Stopped by an own message past the limit, until less than 80 per cent of the limit is left."""
    before = seen.before
    if before is None or before.limit != seen.limit:
        return True
    underfull = seen.level * 100 < seen.limit * 80
    return all(
        stopped == (
            seen.ordered
            or (who == seen.last and seen.level > seen.limit)
            or (before.stopped.get(who, False) and not before.ordered and not underfull)
        )
        for who, stopped in seen.stopped.items()
        if not before.ordered
    )  # fmt: skip


def at_the_limit_stops_all(seen: Seen) -> bool:
    """Stopped are all producers as soon as the limit is reached, and nobody below it."""
    return all(stopped == (seen.level >= seen.limit) for stopped in seen.stopped.values())


def credit_stands(seen: Seen) -> bool:
    """Nobody who was stopped gets credit while the limit is reached or an order is in force; below it everybody has."""
    closed = seen.level >= seen.limit or seen.ordered
    was_stopped = seen.before.stopped if seen.before else {}
    if closed:
        return all(stopped for who, stopped in seen.stopped.items() if was_stopped.get(who))
    return not any(seen.stopped.values())


def nobody_is_let_go_at_the_limit(seen: Seen) -> bool:
    """Whoever was stopped is so still, unless less than the limit is left or somebody sent."""
    if seen.level < seen.limit or seen.before is None or seen.last is not None:
        return True
    return all(seen.stopped[who] for who, was in seen.before.stopped.items() if was and who in seen.stopped)


def policy_stands(seen: Seen) -> bool:
    """An own message past the limit stops its sender; a removal that leaves the limit or less lets everybody go."""
    before = seen.before
    if before is None or before.limit != seen.limit or before.ordered or seen.ordered:
        return True
    over = seen.level > seen.limit
    return all(
        stopped == ((who == seen.last and over) or (before.stopped.get(who, False) and over))
        for who, stopped in seen.stopped.items()
    )


def ratio_stands(seen: Seen) -> bool:
    """With 1,000 bytes of memory all wait once less than 400 are free, until more than 500 are."""
    free = 1000 - seen.level
    closed = any(seen.stopped.values())
    return not (free > 500 and closed) and not (free < 400 and seen.stopped and not closed)


MECHANISMS = {
    "queue gate": Stepped(queue_gate(), lambda limit: qpid.Limits(limit, limit * 80 // 100), queue_gate_stands),
    "AMQP credit": Stepped(
        amqp_credit(),
        lambda limit: AddressSettings(artemis.AddressLimits(limit, artemis.NO_LIMIT, blocks=True), Window(4, 2)),
        credit_stands,
    ),
    "Core window": Stepped(
        core_window(),
        lambda limit: CoreSettings(artemis.AddressLimits(limit, artemis.NO_LIMIT, blocks=True), 65_536),
        nobody_is_let_go_at_the_limit,
        changes=False,
    ),
    "memory limit": Stepped(memory_limit(), lambda limit: limit, at_the_limit_stops_all),
    "memory ratio": Stepped(
        memory_ratio(), lambda _: MemorySettings(andes.DEFAULT_LIMITS, 1000), ratio_stands, changes=False
    ),
    "policy": Stepped(queue_policy(), lambda limit: qpid942.Policy(limit, qpid942.NOT_SET), policy_stands),
}  # fmt: skip


class MechanismMachine(RuleBasedStateMachine):
    """Producers come, send while they may, and go; messages are removed, limits changed, orders given."""

    stepped: Stepped

    @initialize(producers=st.integers(1, len(PRODUCERS)))
    def a_destination_with_producers(self, producers: int) -> None:
        self.limit, self.ordered = 1000, False
        self.last: str | None = None
        self.stored: list[tuple[str, int]] = []
        self.producers: list[str] = []
        self.state = self.stepped.steps.empty(self.stepped.settings(self.limit))
        self.before: Seen | None = None
        for name in PRODUCERS[:producers]:
            self._attach(name)

    @precondition(lambda self: len(self.producers) < len(PRODUCERS))
    @rule()
    def another_producer_attaches(self) -> None:
        self._step()
        self._attach(next(name for name in PRODUCERS if name not in self.producers))

    @precondition(lambda self: self.producers)
    @rule(place=st.integers(0, len(PRODUCERS) - 1), size=st.sampled_from(SIZES))
    def a_producer_sends_if_it_may(self, place: int, size: int) -> None:
        producer = self.producers[place % len(self.producers)]
        steps = self.stepped.steps
        asked = steps.after_request(self.state, producer, size)
        if not steps.may_send(asked, producer, size):
            return
        self._step(producer)
        if steps.stores(asked, size):
            self.stored.append((producer, size))
        self.state = steps.after_send(asked, producer, size)

    @precondition(lambda self: self.stored)
    @rule(place=st.integers(0, 5))
    def a_message_is_removed(self, place: int) -> None:
        self._step()
        self.state = self.stepped.steps.after_removal(self.state, *self.stored.pop(place % len(self.stored)))

    @precondition(lambda self: self.stored)
    @rule()
    def all_messages_are_removed(self) -> None:
        while self.stored:
            self.a_message_is_removed(0)

    @precondition(lambda self: self.stepped.changes)
    @rule(limit=st.sampled_from(LIMITS))
    def its_limit_is_changed(self, limit: int) -> None:
        self._step()
        self.limit = limit
        self.state = self.stepped.steps.after_change(self.state, self.stepped.settings(limit))

    @precondition(lambda self: len(self.producers) > 1)
    @rule(place=st.integers(0, len(PRODUCERS) - 1))
    def a_producer_closes(self, place: int) -> None:
        self._step()
        self.state = self.stepped.steps.after_close(self.state, self.producers.pop(place % len(self.producers)))

    @precondition(lambda self: self.stepped.steps.after_order is not None)
    @rule()
    def management_orders_or_lifts(self) -> None:
        assert self.stepped.steps.after_order is not None
        self._step()
        self.ordered = not self.ordered
        self.state = self.stepped.steps.after_order(self.state, self.ordered)

    @invariant()
    def each_message_that_is_stored_is_charged_once(self) -> None:
        assert self.stepped.steps.level(self.state) == sum(size for _, size in self.stored)

    @invariant()
    def who_is_stopped_is_who_should_be(self) -> None:
        assert self.stepped.stands(self.seen()), self.seen()

    @invariant()
    def an_empty_destination_stops_nobody_without_an_order(self) -> None:
        assert self.stored or self.ordered or not any(self.seen().stopped.values())

    def seen(self) -> Seen:
        steps = self.stepped.steps
        stopped = {who: not steps.may_send(steps.after_request(self.state, who, 1), who, 1) for who in self.producers}
        return Seen(self.limit, steps.level(self.state), self.ordered, stopped, self.last, self.before)

    def _attach(self, name: str) -> None:
        self.producers.append(name)
        self.state = self.stepped.steps.after_attach(self.state, name)

    def _step(self, sender: str | None = None) -> None:
        self.before, self.last = self.seen(), sender
        self.before.before = None


@pytest.mark.parametrize("name", sampled(MECHANISMS, 3))
def test_random_steps_leave_every_mechanism_as_its_sentences_say(name: str) -> None:
    machine = type("Machine", (MechanismMachine,), {"stepped": MECHANISMS[name]})
    run_state_machine_as_test(machine, settings=settings(max_examples=300, stateful_step_count=25, deadline=None))
