"""A state machine over any adapter: random sends and removals on one destination by several producers, and, where a
machine asks for them, purges, changed limits, clients that go away and orders of management.

The model predicts where each producer comes to stand, which says what to wait for; what is judged is what was
seen, by the trace rules. A sequence that breaks one is shrunk to a short script of domain words.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.adapters.groups import Usage
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.prediction import Prediction
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.model.judge import Judge, Judgement
from tidegate.record.events import Event

DESTINATION = "destination"
PRODUCERS = ("first", "second", "third")
"""The producers that there can be at once; one that takes the place of another has a name of its own."""
CONSUMER = "consumer that goes away"
FILL_SIZE = 400
MOST_TO_FILL = 12
"""Messages enough to fill a small destination and to use up a small window; a larger one is left as it is."""
LEVELS = st.sampled_from((400, 500, 1000, 5000))
RESUME_PERCENT = 80
SIZES = st.sampled_from((1, 99, 100, 199, 200, 201, 400, 500, 801, 1000, 1001))


@dataclass(frozen=True)
class Mechanism:
    """What a machine configures, and how the model predicts where a producer comes to stand."""

    limits: Limits
    predict: Callable[[Limits], Prediction]
    most_at_once: int
    """How many messages one step may send: enough to use up a window of credit in a few steps."""
    actions: frozenset[str] = frozenset()
    """The groups of verbs that a sequence uses beside the required ones, by capability."""
    usage: Usage | None = None
    """What is configured for all destinations together."""


class FlowControlMachine(RuleBasedStateMachine):
    """Sends, removals and latecomers in any order, and what `mechanism.actions` names.

    Subclasses set `open_lab`, `mechanism` and a `judge` for all.
    """

    open_lab: Callable[[], Lab]
    close_lab: Callable[[Lab], None]
    mechanism: Mechanism
    judge: Judge
    sequences: list[Sequence]
    """One more each time, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.lab = type(self).open_lab()
        self.broken: list[Judgement] = []
        self.sequence = Sequence(self.lab)
        type(self).sequences.append(self.sequence)
        self.lab.recorder.add_sink(self._judge)
        self.prediction = self.mechanism.predict(self.mechanism.limits)
        self.opened: list[str] = []
        self.ever_opened = 0
        self.ordered = False
        self.waiting = 0

    @initialize(producers=st.integers(1, len(PRODUCERS)))
    def a_destination_with_producers(self, producers: int) -> None:
        if self.mechanism.usage is not None:
            self.lab.declare_usage(self.mechanism.usage)
        self.lab.declare(DESTINATION, self.mechanism.limits)
        for _ in range(producers):
            self._open_next()

    @precondition(lambda self: len(self.opened) < len(PRODUCERS))
    @rule()
    def another_producer_attaches(self) -> None:
        self._open_next()

    @rule(place=st.sampled_from(range(len(PRODUCERS))), size=SIZES, several=st.booleans())
    def a_producer_sends(self, place: int, size: int, several: bool) -> None:
        producer = self.opened[place % len(self.opened)]
        for _ in range(self.mechanism.most_at_once if several else 1):
            outcome = self.lab.send(producer, size)
            self.prediction.sent(producer, size, outcome)
            self.waiting += outcome is Outcome.ACCEPTED
            if outcome is not Outcome.ACCEPTED:
                break
        self._look_at_all()

    @rule(place=st.sampled_from(range(len(PRODUCERS))))
    def a_producer_fills_the_destination(self, place: int) -> None:
        producer = self.opened[place % len(self.opened)]
        for _ in range(MOST_TO_FILL):
            outcome = self.lab.send(producer, FILL_SIZE)
            self.prediction.sent(producer, FILL_SIZE, outcome)
            self.waiting += outcome is Outcome.ACCEPTED
            if outcome is not Outcome.ACCEPTED:
                break
        self._look_at_all()

    @precondition(lambda self: self.waiting > 0)
    @rule(count=st.integers(1, 5))
    def messages_are_consumed(self, count: int) -> None:
        consumed = self.lab.consume(DESTINATION, min(count, self.waiting))
        self.prediction.removed(consumed)
        self.waiting -= consumed
        self._look_at_all()

    @rule()
    def all_messages_are_consumed(self) -> None:
        self.prediction.removed(self.lab.drain(DESTINATION))
        self.waiting = 0
        self._look_at_all()

    @precondition(lambda self: "purge" in self.mechanism.actions and self.waiting > 0)
    @rule()
    def the_destination_is_purged(self) -> None:
        self.lab.purge(DESTINATION)
        self.prediction.removed(self.waiting)
        self.waiting = 0
        self._look_at_all()

    @precondition(lambda self: "changed-limits" in self.mechanism.actions)
    @rule(level=LEVELS)
    def its_limit_is_changed(self, level: int) -> None:
        own = self.mechanism.limits
        resume = None if own.resume_bytes is None else level * RESUME_PERCENT // 100
        limits = replace(own, limit_bytes=level, resume_bytes=resume)
        self.lab.change_limits(DESTINATION, limits)
        self.prediction.changed(limits)
        self._look_at_all()

    @precondition(lambda self: "close-clients" in self.mechanism.actions and len(self.opened) > 1)
    @rule(place=st.sampled_from(range(len(PRODUCERS))))
    def a_producer_is_closed(self, place: int) -> None:
        producer = self.opened.pop(place % len(self.opened))
        self.lab.close_producer(producer)
        self.prediction.closed(producer)
        self._look_at_all()

    @precondition(lambda self: "close-clients" in self.mechanism.actions and self.waiting > 0)
    @rule(count=st.integers(1, 3))
    def a_consumer_takes_messages_and_is_closed(self, count: int) -> None:
        self.lab.open_consumer(CONSUMER, DESTINATION)
        for _ in range(min(count, self.waiting)):
            self.lab.take(CONSUMER)
        self.lab.close_consumer(CONSUMER)
        self._look_at_all()

    @precondition(lambda self: "management-block" in self.mechanism.actions)
    @rule()
    def management_gives_or_lifts_an_order(self) -> None:
        self.ordered = not self.ordered
        (self.lab.block if self.ordered else self.lab.unblock)(DESTINATION)
        self.prediction.ordered(self.ordered)
        self._look_at_all()

    @invariant()
    def every_rule_holds(self) -> None:
        if self.broken:
            raise RuleBroken(self.broken, self.sequence)

    def teardown(self) -> None:
        self.sequence.error = sys.exc_info()[1]  # whatever ends it passes here
        type(self).close_lab(self.lab)

    def _open_next(self) -> None:
        taken, self.ever_opened = self.ever_opened, self.ever_opened + 1
        producer = PRODUCERS[taken] if taken < len(PRODUCERS) else f"number {self.ever_opened}"
        self.lab.open_producer(producer, DESTINATION)
        self.prediction.opened(producer)
        self.opened.append(producer)
        self._look_at_all()

    def _look_at_all(self) -> None:
        self.lab.rest({producer: self._as_predicted(producer) for producer in self.opened})

    def _as_predicted(self, producer: str) -> Callable[[Standing], bool]:
        return lambda seen: self.prediction.agrees(producer, seen)

    def _judge(self, event: Event) -> None:
        self.sequence.events.append(event)
        self.broken += [judgement for judgement in self.judge.judge(event) if not judgement.holds]


class RuleBroken(Deviation):
    """Trace rules do not hold of events that the last step of a machine brought about."""

    def __init__(self, judgements: list[Judgement], sequence: Sequence):
        first = judgements[0]
        super().__init__(
            first.rule.sentence.rstrip("."),
            sequence.seen_at(first.event),
            rules=tuple(dict.fromkeys(judgement.rule.rule_id for judgement in judgements)),
            done=sequence.told_until(first.event),
        )


def machine_for(
    open_lab: Callable[[], Lab], close_lab: Callable[[Lab], None], **settings: Any
) -> type[FlowControlMachine]:
    """A machine class bound to one implementation."""
    return type(
        "BoundMachine",
        (FlowControlMachine,),
        {"open_lab": staticmethod(open_lab), "close_lab": staticmethod(close_lab), **settings},
    )
