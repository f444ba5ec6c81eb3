"""A broker that does not claim to keep the order of messages is green in whatever order it hands messages out."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.conformance.honest import not_green, references, report_on
from tests.sample import drawn
from tidegate.adapters.base import Adapter, Delivery
from tidegate.adapters.reference.storage import Storage, StoredMessage, StoredQueue

Choice = Callable[[list[StoredMessage]], StoredMessage]


def at_random() -> Choice:
    return Random(942).choice


ORDERS: dict[str, Callable[[], Choice]] = {
    "the newest first": lambda: lambda waiting: waiting[-1],
    "the largest first": lambda: lambda waiting: max(waiting, key=lambda message: message.size_bytes),
    "at random": at_random,
}
FARTHEST = "the newest first"
"""The order that is farthest from the usual one."""


class OrderedStorage(Storage):
    """Hands out the message that `choose` selects."""

    def __init__(self, choose: Choice):
        super().__init__()
        self._choose = choose

    def take(self, consumer: str) -> Delivery | None:
        queue = self.queues[self.destination_of(consumer)]
        if queue.waiting:
            put_first(queue, self._choose(list(queue.waiting)))
        return super().take(consumer)


def put_first(queue: StoredQueue, message: StoredMessage) -> None:
    queue.waiting.remove(message)
    queue.waiting.appendleft(message)


def ordered(cls: type, order: str) -> Callable[[], Adapter]:
    def make() -> Adapter:
        adapter: Adapter = cls()
        adapter.capabilities = adapter.capabilities - {"ordered-messages"}
        adapter._storage = OrderedStorage(ORDERS[order]())  # type: ignore[attr-defined]
        return adapter

    return make


PROFILES = {cls.identity.version: cls for cls in references()}
BY_DAY = drawn(PROFILES)
"""The profile on which every change tries the farthest order; all others, and all other orders, run nightly."""


@pytest.mark.parametrize("profile", BY_DAY)
def test_no_order_of_delivery_is_red(profile: str, tmp_path: Path) -> None:
    assert reds(profile, FARTHEST, tmp_path) == []


@pytest.mark.nightly
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_order_of_delivery_of_any_profile_is_red(profile: str, order: str, tmp_path: Path) -> None:
    assert reds(profile, order, tmp_path) == []


def reds(profile: str, order: str, folder: Path) -> list[tuple[str, str]]:
    """The violated or unknown rules of a profile that delivers in this order, by the whole suite."""
    return not_green(report_on({profile: ordered(PROFILES[profile], order)}, folder), profile)
