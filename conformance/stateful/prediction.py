"""Where the model says that producers come to stand, step by step, beside the implementation."""

from collections import deque
from collections.abc import Callable
from typing import Any

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import andes, artemis, classic, qpid, qpid942
from tidegate.model.credit import Window
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.mechanism import Mechanism
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.memory_ratio import MemorySettings, memory_ratio
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.queue_gate import queue_gate

SMALLEST = 1
LARGE_WINDOW = 64 * 1024
"""Bytes: more than any address here has room for, so that the room alone decides."""
TOTAL_MEMORY = 1000
"""Bytes that a broker with memory ratios is configured to have."""


class Prediction:
    """The model's side of a state machine over one destination; sizes in the suite's bytes.

    Sends that wait are released in the order in which they came. What is consumed is the oldest.
    """

    def __init__(self, steps: Mechanism[Any, Any], settings_of: Callable[[Limits], Any], limits: Limits):
        self._steps, self._settings_of = steps, settings_of
        self._state = steps.empty(settings_of(limits))
        self._stored: deque[tuple[str, int]] = deque()
        self._waiting: list[tuple[str, int]] = []

    @property
    def level(self) -> int:
        """The bytes that the destination should be charged."""
        return self._steps.level(self._state)

    def opened(self, producer: str) -> None:
        """A producer attached."""
        self._state = self._steps.after_attach(self._state, producer)

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        """A producer sent, and was told this."""
        match outcome:
            case Outcome.ACCEPTED | Outcome.SENT:
                self._store(producer, size)
            case Outcome.REJECTED:
                self._send(producer, size)
            case Outcome.UNSETTLED:
                self._waiting.append((producer, size))

    def removed(self, count: int) -> None:
        """So many messages were consumed: the oldest, as far as there should have been any."""
        for _ in range(min(count, len(self._stored))):
            self._state = self._steps.after_removal(self._state, *self._stored.popleft())
            self._release()

    def changed(self, limits: Limits) -> None:
        """Other limits were set."""
        self._state = self._steps.after_change(self._state, self._settings_of(limits))
        self._release()

    def closed(self, producer: str) -> None:
        """A producer is attached no more."""
        self._waiting = [each for each in self._waiting if each[0] != producer]
        self._state = self._steps.after_close(self._state, producer)

    def ordered(self, stop: bool) -> None:
        """Management ordered the producers to stop, or lifted that order."""
        self._state = self._steps.after_order(self._state, stop)
        self._release()

    def agrees(self, producer: str, seen: Standing) -> bool:
        """Whether a producer stands as the model says."""
        if self._steps.credit is not None:
            return seen.credit_left == self._steps.credit(self._state, producer)
        waits = any(name == producer for name, _ in self._waiting)
        return seen.stopped == (waits or (self._steps.tells_ahead and not self._may_send(producer, SMALLEST)))

    def _may_send(self, producer: str, size: int) -> bool:
        return self._steps.may_send(self._steps.after_request(self._state, producer, size), producer, size)

    def _store(self, producer: str, size: int) -> None:
        self._stored.append((producer, size))
        self._send(producer, size)

    def _send(self, producer: str, size: int) -> None:
        asked = self._steps.after_request(self._state, producer, size)
        self._state = self._steps.after_send(asked, producer, size)

    def _release(self) -> None:
        for each in list(self._waiting):
            if self._may_send(*each):
                self._waiting.remove(each)
                self._store(*each)


def predict_queue_gate(limits: Limits) -> Prediction:
    """The queue gate of the Qpid Java broker."""
    return Prediction(queue_gate(), _queue_limits, limits)


def predict_amqp_credit(limits: Limits) -> Prediction:
    """AMQP credit of Artemis under BLOCK."""
    return Prediction(amqp_credit(), _address_settings, limits)


def predict_core_window(limits: Limits) -> Prediction:
    """The producer window of Artemis, larger than the address."""
    return Prediction(core_window(), lambda own: CoreSettings(_address_limits(own), LARGE_WINDOW), limits)


def predict_memory_limit(limits: Limits) -> Prediction:
    """The memory limit of ActiveMQ Classic."""
    return Prediction(
        memory_limit(), lambda own: classic.NO_LIMIT if own.limit_bytes is None else own.limit_bytes, limits
    )


def predict_memory_ratio(limits: Limits) -> Prediction:
    """The documented memory ratios of WSO2 Message Broker."""
    return Prediction(memory_ratio(), lambda _: MemorySettings(andes.DEFAULT_LIMITS, TOTAL_MEMORY), limits)


def predict_policy(limits: Limits) -> Prediction:
    """The policy of QPID-942, in bytes."""
    return Prediction(queue_policy(), _policy, limits)


def _memory_limit(limits: Limits) -> int:
    return classic.NO_LIMIT if limits.limit_bytes is None else limits.limit_bytes


def _queue_limits(limits: Limits) -> qpid.Limits:
    return qpid.Limits(
        qpid.NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        qpid.NOT_SET if limits.resume_bytes is None else limits.resume_bytes,
    )


def _address_settings(limits: Limits) -> AddressSettings:
    assert limits.credit is not None and limits.credit_low is not None
    return AddressSettings(_address_limits(limits), Window(limits.credit, limits.credit_low))


def _address_limits(limits: Limits) -> artemis.AddressLimits:
    assert limits.limit_bytes is not None
    threshold = artemis.NO_LIMIT if limits.reject_bytes is None else limits.reject_bytes
    return artemis.AddressLimits(limits.limit_bytes, threshold, limits.policy == "BLOCK")


def _policy(limits: Limits) -> qpid942.Policy:
    most = qpid942.NOT_SET if limits.limit_bytes is None else limits.limit_bytes
    return qpid942.Policy(most_bytes=most, most_messages=qpid942.NOT_SET)
