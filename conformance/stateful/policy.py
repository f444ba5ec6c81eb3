"""Where the model of the design of QPID-942 says that producers come to stand, step by step."""

from collections import deque
from dataclasses import replace

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import qpid942
from tidegate.model.qpid import ChannelName


class PolicyPrediction:
    """A queue with a policy in bytes, and orders of management."""

    def __init__(self, limits: Limits):
        self._queue = qpid942.Queue(_policy(limits), bytes=0, messages=0, ordered=False, held={})
        self._stored: deque[int] = deque()

    def opened(self, producer: str) -> None:
        self._queue = replace(self._queue, held={**self._queue.held, ChannelName(producer): False})

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.ACCEPTED:
            self._stored.append(size)
            self._queue = qpid942.after_enqueueing(self._queue, ChannelName(producer), size)

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._queue = qpid942.after_delivery(self._queue, self._stored.popleft(), 1)

    def changed(self, limits: Limits) -> None:
        self._queue = qpid942.with_policy(self._queue, _policy(limits))

    def closed(self, producer: str) -> None:
        others = {channel: held for channel, held in self._queue.held.items() if channel != producer}
        self._queue = replace(self._queue, held=others)

    def ordered(self, stop: bool) -> None:
        order = qpid942.after_stop_all if stop else qpid942.after_start_all
        self._queue = order(self._queue)

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.stopped == qpid942.stopped(self._queue, ChannelName(producer))


def _policy(limits: Limits) -> qpid942.Policy:
    most = qpid942.NOT_SET if limits.limit_bytes is None else limits.limit_bytes
    return qpid942.Policy(most_bytes=most, most_messages=qpid942.NOT_SET)
