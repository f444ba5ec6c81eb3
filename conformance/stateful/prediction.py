"""Predicts, by the model, the standing of each producer in a random sequence, step by step."""

from collections.abc import Callable, Container, Iterable
from typing import Any

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model.mechanisms import andes, artemis, classic, qpid, qpid942
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.general_address import NO_LEVEL
from tidegate.model.mechanisms.mechanism import Mechanism
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.memory_ratio import MemorySettings, memory_ratio
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.queue_gate import queue_gate

SMALLEST = 1
LARGE_WINDOW = 64 * 1024
"""Bytes: more than any address here has room for, so that the room alone decides."""
TOTAL_MEMORY = 1000
"""The configured memory of a broker with memory ratios, in bytes."""


class Prediction:
    """The model's state in a random sequence over one destination; sizes in the suite's bytes.

    Waiting sends are released in the order in which they came.
    """

    def __init__(self, steps: Mechanism[Any, Any], settings_of: Callable[[Limits], Any], limits: Limits):
        self._steps, self._settings_of = steps, settings_of
        self._state = steps.empty(settings_of(limits))
        self._stored: dict[str, tuple[str, int]] = {}
        """For each id of a message, its producer and size."""
        self._waiting: dict[str, tuple[str, int]] = {}
        self._attached: set[str] = set()

    @property
    def level(self) -> int:
        """The bytes that the destination should be charged."""
        return self._steps.level(self._state)

    @property
    def messages(self) -> int:
        """The number of messages that the destination should hold."""
        return len(self._stored)

    @property
    def takes_orders(self) -> bool:
        """Whether the mechanism says what an order of management does."""
        return self._steps.after_order is not None

    @property
    def has_credit(self) -> bool:
        """Whether the mechanism says how much credit a producer has."""
        return self._steps.credit is not None

    @property
    def held(self) -> tuple[str, ...]:
        """The ids of the messages that the destination should hold, the oldest first."""
        return tuple(self._stored)

    @property
    def has_waiting_sends(self) -> bool:
        """Whether a send should wait for its answer."""
        return bool(self._waiting)

    def opened(self, producer: str) -> None:
        """A producer attached."""
        self._attached.add(producer)
        self._state = self._steps.after_attach(self._state, producer)

    def knows(self, producer: str) -> bool:
        """Whether a producer is attached to the destination."""
        return producer in self._attached

    def sent(self, message_id: str, producer: str, size: int, outcome: Outcome) -> None:
        """A producer sent a message and got this outcome."""
        match outcome:
            case Outcome.ACCEPTED | Outcome.SENT:
                self._store(message_id, producer, size)
            case Outcome.REJECTED:
                self._send(producer, size)
            case Outcome.UNSETTLED:
                self._waiting[message_id] = producer, size
                self._release()

    def removed(self, message_ids: Iterable[str]) -> None:
        """These messages were consumed or purged; a message that should not have been there changes nothing."""
        for message_id in message_ids:
            if message_id in self._stored:
                self._state = self._steps.after_removal(self._state, *self._stored.pop(message_id))
                self._release()

    def purged(self, in_hand: Container[str]) -> None:
        """All messages except those in hand were removed."""
        self.removed([message_id for message_id in self._stored if message_id not in in_hand])

    def oldest(self, count: int) -> int:
        """The total bytes of the oldest `count` messages."""
        return sum(size for _, size in list(self._stored.values())[:count])

    def changed(self, limits: Limits) -> None:
        """The limits of the destination changed."""
        self._state = self._steps.after_change(self._state, self._settings_of(limits))
        self._release()

    def closed(self, producer: str) -> None:
        """A producer was closed."""
        self._attached.discard(producer)
        self._waiting = {each: sent for each, sent in self._waiting.items() if sent[0] != producer}
        self._state = self._steps.after_close(self._state, producer)

    def ordered(self, stop: bool) -> None:
        """Management ordered the producers to stop, or lifted the order."""
        if self._steps.after_order is not None:
            self._state = self._steps.after_order(self._state, stop)
            self._release()

    def stops(self, producer: str) -> bool:
        """Whether a producer should stand stopped."""
        if self._steps.credit is not None:
            return self._steps.credit(self._state, producer) <= 0
        waits = any(name == producer for name, _ in self._waiting.values())
        return waits or (self._steps.tells_ahead and not self._may_send(producer, SMALLEST))

    def agrees(self, producer: str, seen: Standing) -> bool:
        """Whether a producer's standing is as predicted."""
        if self._steps.credit is not None:
            return seen.credit_left == self._steps.credit(self._state, producer)
        return seen.stopped == self.stops(producer)

    def _may_send(self, producer: str, size: int) -> bool:
        return self._steps.may_send(self._steps.after_request(self._state, producer, size), producer, size)

    def _store(self, message_id: str, producer: str, size: int) -> None:
        self._stored[message_id] = producer, size
        self._send(producer, size)

    def _send(self, producer: str, size: int) -> None:
        asked = self._steps.after_request(self._state, producer, size)
        self._state = self._steps.after_send(asked, producer, size)

    def _release(self) -> None:
        for message_id, sent in list(self._waiting.items()):
            if self._may_send(*sent):
                del self._waiting[message_id]
                self._store(message_id, *sent)


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
    """The policy of QPID-942, in bytes and messages."""
    return Prediction(queue_policy(), _policy, limits)


def _queue_limits(limits: Limits) -> qpid.Limits:
    return qpid.Limits(
        qpid.NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        qpid.NOT_SET if limits.resume_bytes is None else limits.resume_bytes,
    )


def _address_settings(limits: Limits) -> AddressSettings:
    assert limits.credit is not None and limits.credit_low is not None
    most = NO_LEVEL if limits.limit_messages is None else limits.limit_messages
    return AddressSettings(_address_limits(limits), Window(limits.credit, limits.credit_low), most)


def _address_limits(limits: Limits) -> artemis.AddressLimits:
    assert limits.limit_bytes is not None
    threshold = artemis.NO_LIMIT if limits.reject_bytes is None else limits.reject_bytes
    return artemis.AddressLimits(limits.limit_bytes, threshold, limits.policy == "BLOCK")


def _policy(limits: Limits) -> qpid942.Policy:
    return qpid942.Policy(
        qpid942.NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        qpid942.NOT_SET if limits.limit_messages is None else limits.limit_messages,
    )
