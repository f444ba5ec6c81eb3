"""Brokers that each hand the messages of one producer out in another order than that of the sends."""

from tidegate.adapters.base import Delivery
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference


class ReleasesTheLastFirst(ClassicReference):
    """Messages that wait for room go on from the last to the first."""

    def _work_off(self) -> None:
        self._pending.reverse()
        super()._work_off()
        self._pending.reverse()


class HandsOutTheSecondFirst(ArtemisReference):
    """Of two waiting messages, the second is handed out first."""

    def take(self, consumer: str) -> Delivery | None:
        waiting = self._storage.queues[self._storage.destination_of(consumer)].waiting
        if len(waiting) > 1:
            waiting[0], waiting[1] = waiting[1], waiting[0]
        return super().take(consumer)


ORDER: dict[type, tuple[str, ...]] = {
    ReleasesTheLastFirst: ("GENERAL-52",),
    HandsOutTheSecondFirst: ("GENERAL-52",),
}
"""The rules that each of these brokers breaks, the most direct first."""
