"""No document promises an order of delivery, so a broker is green whichever of its messages it hands out."""

from collections.abc import Callable
from random import Random

import pytest

from tests.conformance.honest import not_green, references, report_on
from tidegate.adapters.base import Adapter, Delivery
from tidegate.adapters.reference.storage import Storage, StoredMessage, StoredQueue
from tidegate.record.report import Report

Choice = Callable[[list[StoredMessage]], StoredMessage]


def at_random() -> Choice:
    return Random(942).choice


ORDERS: dict[str, Callable[[], Choice]] = {
    "the newest first": lambda: lambda waiting: waiting[-1],
    "the largest first": lambda: lambda waiting: max(waiting, key=lambda message: message.size_bytes),
    "at random": at_random,
}
FARTHEST, *OTHERS = ORDERS
"""The order that is farthest from the usual one, and the others, which the nightly tests try."""


class OrderedStorage(Storage):
    """Hands out the message that it is told to choose."""

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
        adapter._storage = OrderedStorage(ORDERS[order]())  # type: ignore[attr-defined]
        return adapter

    return make


@pytest.fixture(scope="module", params=[FARTHEST, *(pytest.param(each, marks=pytest.mark.nightly) for each in OTHERS)])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    profiles = {cls.identity.version: ordered(cls, request.param) for cls in references()}  # type: ignore[attr-defined]
    return report_on(profiles, tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize("name", [cls.identity.version for cls in references()])  # type: ignore[attr-defined]
def test_no_order_of_delivery_is_red(report: Report, name: str) -> None:
    assert not_green(report, name) == []
