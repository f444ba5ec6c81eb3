"""Where the model says that producers come to stand, step by step, beside the implementation."""

from collections import deque
from dataclasses import replace
from typing import Protocol

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import artemis, qpid
from tidegate.model.credit import Window
from tidegate.model.general_address import NO_LEVEL, FurtherCauses, after_issuing_unless_closed
from tidegate.model.general_queue_gate import after_change, after_closing

QUEUE = qpid.QueueName("queue")


class Prediction(Protocol):
    """The model's side of a state machine over one destination; sizes in the suite's bytes."""

    def opened(self, producer: str) -> None:
        """A producer attached."""

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        """A producer sent, and was told this."""

    def removed(self, count: int) -> None:
        """So many messages were consumed: the oldest, as far as there should have been any."""

    def changed(self, limits: Limits) -> None:
        """Other limits were set."""

    def closed(self, producer: str) -> None:
        """A producer is attached no more."""

    def ordered(self, stop: bool) -> None:
        """Management ordered the producers to stop, or lifted that order."""

    def agrees(self, producer: str, seen: Standing) -> bool:
        """Whether a producer stands as the model says."""


class QueueGatePrediction:
    """The queue gate, for one queue."""

    def __init__(self, limits: Limits):
        assert limits.limit_bytes is not None and limits.resume_bytes is not None
        queue = qpid.Queue(limits.limit_bytes, limits.resume_bytes, 0)
        self._broker = qpid.Broker(queues={QUEUE: queue}, holds={})
        self._stored: deque[int] = deque()

    def opened(self, producer: str) -> None:
        holds = {**self._broker.holds, qpid.ChannelName(producer): {QUEUE: False}}
        self._broker = replace(self._broker, holds=holds)

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.ACCEPTED:
            self._stored.append(size)
            self._broker = qpid.after_send(self._broker, qpid.ChannelName(producer), {QUEUE: True}, size)

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._broker = qpid.after_removal(self._broker, {QUEUE: True}, self._stored.popleft())

    def changed(self, limits: Limits) -> None:
        assert limits.limit_bytes is not None and limits.resume_bytes is not None
        everything = {QUEUE: True}
        self._broker = after_change(self._broker, everything, limits.limit_bytes, limits.resume_bytes)

    def closed(self, producer: str) -> None:
        after = after_closing(self._broker, qpid.ChannelName(producer))
        others = {channel: held for channel, held in after.holds.items() if channel != producer}
        self._broker = replace(after, holds=others)

    def ordered(self, stop: bool) -> None:
        raise NotImplementedError("the queue gate knows no order of management")

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.stopped == qpid.stopped(self._broker, qpid.ChannelName(producer))


class AmqpCreditPrediction:
    """AMQP credit under BLOCK, for one address."""

    def __init__(self, limits: Limits):
        assert limits.limit_bytes is not None and limits.credit is not None and limits.credit_low is not None
        self._address = artemis.Address(address_limits(limits), Window(limits.credit, limits.credit_low), 0, {})
        self._causes = FurtherCauses(ordered=False, most_messages=NO_LEVEL, messages=0)
        self._stored: deque[int] = deque()

    def opened(self, producer: str) -> None:
        attached = {**self._address.credits, artemis.ProducerName(producer): 0}
        self._issue(replace(self._address, credits=attached))

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.BLOCKED:
            return
        if outcome is Outcome.ACCEPTED:
            self._stored.append(size)
        after = artemis.after_send(self._address, artemis.ProducerName(producer), size)
        self._issue(replace(after, bytes=sum(self._stored)))

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._issue(artemis.after_removal(self._address, self._stored.popleft()))

    def changed(self, limits: Limits) -> None:
        self._issue(replace(self._address, limits=address_limits(limits)))

    def closed(self, producer: str) -> None:
        others = {name: left for name, left in self._address.credits.items() if name != producer}
        self._address = replace(self._address, credits=others)

    def ordered(self, stop: bool) -> None:
        self._causes = replace(self._causes, ordered=stop)
        self._issue(self._address)

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.credit_left == self._address.credits[artemis.ProducerName(producer)]

    def _issue(self, address: artemis.Address) -> None:
        self._address = after_issuing_unless_closed(address, self._causes)


def address_limits(limits: Limits) -> artemis.AddressLimits:
    """The limits as the model has them."""
    assert limits.limit_bytes is not None
    threshold = artemis.NO_LIMIT if limits.reject_bytes is None else limits.reject_bytes
    return artemis.AddressLimits(limits.limit_bytes, threshold, limits.policy == "BLOCK")
