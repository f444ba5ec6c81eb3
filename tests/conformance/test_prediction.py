"""The reference of a mechanism does, step by step, what the model predicts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.conformance.stateful import prediction as predictions
from tidegate.conformance.stateful.prediction import Prediction

QUEUE, CONSUMER = "queue", "consumer"
PRODUCERS = ("first", "second", "third")
WAITS = ProducerOptions(wait_ms=-1)
RATIOS = Usage(memory_bytes=predictions.TOTAL_MEMORY, block_percent=40, resume_percent=50)
ADDRESS = Limits(limit_bytes=1000, policy="BLOCK")

MECHANISMS = {
    "queue gate": (
        QpidReference, predictions.predict_queue_gate, Limits(limit_bytes=1000, resume_bytes=800), {"change", "close"}
    ),
    "AMQP credit": (
        ArtemisReference, predictions.predict_amqp_credit,
        replace(ADDRESS, credit=4, credit_low=2, reject_bytes=1500), {"change", "close", "order"},
    ),
    "Core window": (ArtemisCoreReference, predictions.predict_core_window, ADDRESS, set[str]()),
    "memory limit": (
        ClassicReference, predictions.predict_memory_limit, Limits(limit_bytes=1000, cursor="memory"),
        {"change", "close"},
    ),
    "memory ratio": (AndesReference, predictions.predict_memory_ratio, Limits(), set[str]()),
    "policy": (Qpid942Reference, predictions.predict_policy, Limits(limit_bytes=1000), {"change", "close", "order"}),
}  # fmt: skip

RELEASED_IN_ANOTHER_ORDER = {"memory ratio"}
"""The reference releases waiting producers in the order in which they attached; no document promises an order."""
ONE_SIZE = 199

NUMBERS = st.sampled_from(range(len(PRODUCERS)))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), NUMBERS, st.sampled_from((1, 199, 200, 400, 801, 1000, 1001))),
        st.tuples(st.just("send"), NUMBERS, st.sampled_from((400, 500))),
        st.tuples(st.just("consume"), st.integers(1, 3), st.just(0)),
        st.tuples(st.just("change"), st.sampled_from((400, 1000, 5000)), st.just(0)),
        st.tuples(st.just("close"), NUMBERS, st.just(0)),
        st.tuples(st.just("order"), st.booleans(), st.just(0)),
    ),
    max_size=25,
)


class Pair:
    """A reference and its prediction, which take the same steps."""

    def __init__(self, adapter: QpidReference, predict: Callable[[Limits], Prediction], limits: Limits):
        self.adapter, self.limits = adapter, limits
        self.prediction = predict(limits)
        self.opened: list[str] = []
        self.stopped = 0
        self._messages = 0
        if isinstance(adapter, AndesReference):
            adapter.declare_usage(RATIOS)
        adapter.declare(QUEUE, limits)
        adapter.open_consumer(CONSUMER, CONSUMER, QUEUE)
        for producer in PRODUCERS:
            self.open(producer)

    def open(self, producer: str) -> None:
        options = WAITS if "client-wait" in self.adapter.capabilities else ProducerOptions(window_bytes=None)
        window = replace(options, window_bytes=predictions.LARGE_WINDOW)
        self.adapter.open_producer(
            producer, producer, (QUEUE,), window if "core-window" in self.adapter.capabilities else options
        )
        self.prediction.opened(producer)
        self.opened.append(producer)

    def step(self, kind: str, first: int, size: int) -> None:
        match kind:
            case "send" if first < len(self.opened):
                self._messages += 1
                message_id = f"m{self._messages}"
                outcome = self.adapter.send(self.opened[first], message_id, size)
                self.prediction.sent(message_id, self.opened[first], size, outcome)
            case "consume":
                for _ in range(first):
                    if delivery := self.adapter.take(CONSUMER):
                        self.adapter.acknowledge(CONSUMER, delivery.message_id)
                        self.prediction.removed([delivery.message_id])
            case "change":
                resume = None if self.limits.resume_bytes is None else first * 4 // 5
                changed = replace(self.limits, limit_bytes=first, resume_bytes=resume)
                self.adapter.change_limits(QUEUE, changed)
                self.prediction.changed(changed)
            case "close" if first < len(self.opened):
                gone = self.opened.pop(first)
                self.adapter.close_producer(gone)
                self.prediction.closed(gone)
            case "order":
                (self.adapter.block if first else self.adapter.unblock)(QUEUE)  # type: ignore[attr-defined]
                self.prediction.ordered(bool(first))

    def compare(self) -> None:
        """Assert that every producer has its predicted standing, and that the destination holds the right messages."""
        for producer in self.opened:
            seen = self.adapter.standing(producer)
            self.stopped += seen.stopped
            assert self.prediction.agrees(producer, seen), (producer, seen)
        assert self.prediction.level == self.adapter.depth(QUEUE).bytes


@contextmanager
def started(name: str) -> Iterator[tuple[Pair, set[str]]]:
    cls, predict, limits, actions = MECHANISMS[name]
    adapter = cls()
    adapter.start()
    try:
        yield Pair(adapter, predict, limits), actions  # type: ignore[arg-type]
    finally:
        adapter.stop()


@pytest.mark.parametrize("name", MECHANISMS)
@settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])
@given(steps=STEPS)
def test_the_reference_does_what_is_predicted(name: str, steps: list[tuple[str, int, int]]) -> None:
    with started(name) as (pair, actions):
        for kind, first, size in steps:
            if kind in {"send", "consume", *actions}:
                pair.step(kind, first, ONE_SIZE if size and name in RELEASED_IN_ANOTHER_ORDER else size)
                pair.compare()


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_producer_that_fills_the_destination_is_stopped_and_released(name: str) -> None:
    with started(name) as (pair, _):
        for _ in range(8):
            pair.step("send", 0, 400)
        pair.compare()
        assert pair.stopped > 0
        pair.stopped = 0
        for _ in range(8):
            pair.step("consume", 1, 0)
        pair.compare()
        assert pair.stopped == 0


def test_a_wrong_prediction_is_noticed() -> None:
    with started("queue gate") as (pair, _):
        pair.prediction = predictions.predict_queue_gate(Limits(limit_bytes=999, resume_bytes=800))
        for producer in PRODUCERS:
            pair.prediction.opened(producer)
        pair.step("send", 0, 1000)
        with pytest.raises(AssertionError, match="first"):
            pair.compare()
