"""Where the model says that Core producers of Artemis come to stand, with windows larger than the address."""

from collections import deque
from dataclasses import replace

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import artemis, artemis_producer

WINDOW = 64 * 1024
"""Bytes: more than any address here has room for, so that the room alone decides."""


class CoreWindowPrediction:
    """One address; sends that wait are let go in the order in which their producers came."""

    def __init__(self, limits: Limits):
        assert limits.limit_bytes is not None
        levels = artemis.AddressLimits(limits.limit_bytes, artemis.NO_LIMIT, limits.policy == "BLOCK")
        self._address = artemis_producer.CoreAddress(levels, 0, {})
        self._stored: deque[int] = deque()
        self._waiting: dict[str, int] = {}

    def opened(self, producer: str) -> None:
        self._address = replace(self._address, credits={**self._address.credits, artemis.ProducerName(producer): 0})

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.ACCEPTED:
            self._send(producer, size)
        elif outcome is Outcome.UNSETTLED:
            self._waiting[producer] = size

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._address = artemis_producer.after_removal(self._address, self._stored.popleft())
            for producer in [name for name in self._address.credits if name in self._waiting]:
                if self._may_send(producer, self._waiting[producer]):
                    self._send(producer, self._waiting.pop(producer))

    def changed(self, limits: Limits) -> None:
        raise NotImplementedError("the limits of an address with Core producers are not changed in a sequence")

    def closed(self, producer: str) -> None:
        raise NotImplementedError("Core producers are not closed in a sequence")

    def ordered(self, stop: bool) -> None:
        raise NotImplementedError("the producer window knows no order of management")

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.stopped == (producer in self._waiting or not self._may_send(producer, 1))

    def _may_send(self, producer: str, size: int) -> bool:
        name = artemis.ProducerName(producer)
        after = artemis_producer.after_request(self._address, name, WINDOW, size)
        return artemis_producer.may_send(after.credits[name], size)

    def _send(self, producer: str, size: int) -> None:
        name = artemis.ProducerName(producer)
        asked = artemis_producer.after_request(self._address, name, WINDOW, size)
        self._address = artemis_producer.after_send(asked, name, size)
        self._stored.append(size)
