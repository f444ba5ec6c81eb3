"""Brokers that each break a promise about messages that a consumer gives back and is handed again."""

from dataclasses import replace

from tidegate.adapters.base import Delivery, Depth, Standing
from tidegate.adapters.groups import Traffic
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.qpid import QpidReference


class FreesWhatGoesBack(ArtemisReference):
    """Messages that go back are freed as if they had been acknowledged."""

    def give_back(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        queue = self._storage.queues[destination]
        freed = sum(queue.handed_out[each].size_bytes for each, holder in queue.holders.items() if holder == consumer)
        super().give_back(consumer)
        address = self._addresses[destination]
        self._issue(destination, replace(address, bytes=address.bytes - freed))


class ChargesWhatGoesBackAgain(QpidReference):
    """Messages that go back are charged once more."""

    _returned = 0

    def give_back(self, consumer: str) -> None:
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        self._returned += sum(holder == consumer for holder in holders.values())
        super().give_back(consumer)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._returned)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._returned = 0


class HoldsWhoWaitsForWhatWentBack(QpidReference):
    """Whoever is stopped when messages go back stays stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._still_held: set[str] = set()

    def give_back(self, consumer: str) -> None:
        self._still_held |= {name for name in self._routes if self.standing(name).stopped}
        super().give_back(consumer)

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=seen.stopped or producer in self._still_held)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._still_held.clear()


class CountsWhatGoesBack(ArtemisReference):
    """Management counts a message that goes back as one that came, and as still in hand."""

    _returned = 0

    def give_back(self, consumer: str) -> None:
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        self._returned += sum(holder == consumer for holder in holders.values())
        super().give_back(consumer)

    def traffic(self, destination: str) -> Traffic:
        told = super().traffic(destination)
        came, in_hand = told.came, told.in_hand
        assert came is not None and in_hand is not None
        return replace(told, came=came + self._returned, in_hand=in_hand + self._returned)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._returned = 0


class LosesTheWindowOfWhatGoesBack(ArtemisCoreReference):
    """What a client had prefetched and gives back is lost to its window; without a window it is sent nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._lost: dict[str, int] = {}

    def give_back(self, consumer: str) -> None:
        prefetched = self._buffering[consumer].window.buffered
        self._lost[consumer] = self._lost.get(consumer, 0) + prefetched
        super().give_back(consumer)

    def take(self, consumer: str) -> Delivery | None:
        window = self._buffering[consumer].window.window
        return None if 0 < window <= self._lost.get(consumer, 0) else super().take(consumer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._lost.clear()


RETURNED: dict[type, tuple[str, ...]] = {
    FreesWhatGoesBack: ("GENERAL-20",),
    ChargesWhatGoesBackAgain: ("GENERAL-8",),
    HoldsWhoWaitsForWhatWentBack: ("GENERAL-3",),
    CountsWhatGoesBack: ("GENERAL-44", "GENERAL-46"),
    LosesTheWindowOfWhatGoesBack: ("ARTEMIS-CONSUMER-6",),
}
"""The rules that each of these brokers breaks, the most direct first."""
