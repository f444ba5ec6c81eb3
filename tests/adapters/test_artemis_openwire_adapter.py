"""The adapter contract on a real Artemis by OpenWire: charges, and calls that wait."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.artemis.openwire.adapter import SCALE, ArtemisOpenWireAdapter
from tidegate.adapters.base import Adapter, Depth, Limits, Outcome
from tidegate.adapters.capabilities import GROUPS

pytestmark = pytest.mark.real_broker
BLOCKING = Limits(limit_bytes=10 * SCALE, policy="BLOCK")


@pytest.fixture(scope="module")
def running() -> Iterator[ArtemisOpenWireAdapter]:
    """An adapter whose broker runs."""
    started = ArtemisOpenWireAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: ArtemisOpenWireAdapter) -> Iterator[ArtemisOpenWireAdapter]:
    """The running adapter, for one scenario."""
    yield running
    running.end_scenario()


def test_the_adapter_offers_what_its_capabilities_promise(adapter: ArtemisOpenWireAdapter) -> None:
    assert isinstance(adapter, Adapter)
    offered = [group for capability, group in GROUPS.items() if capability in adapter.capabilities]
    assert all(isinstance(adapter, group) for group in offered)
    assert (adapter.identity.name, adapter.identity.version) == ("Artemis OpenWire", "2.44.0")


@pytest.mark.parametrize("address", ["a", "an-address-with-a-long-name"])
@pytest.mark.parametrize("size", [SCALE, SCALE + 1, 1_000_000])
def test_a_message_is_charged_exactly_its_size(adapter: ArtemisOpenWireAdapter, address: str, size: int) -> None:
    adapter.declare(address, Limits())
    adapter.open_producer("producer", "producer", (address,))
    assert adapter.send("producer", "a-message-id", size) is Outcome.ACCEPTED
    assert adapter.depth(address) == Depth(size, 1)


def test_a_send_to_a_full_address_waits_and_is_told_of_later(adapter: ArtemisOpenWireAdapter) -> None:
    adapter.declare("full", BLOCKING)
    adapter.open_producer("producer", "producer", ("full",))
    assert adapter.send("producer", "m1", 10 * SCALE) is Outcome.ACCEPTED
    assert adapter.send("producer", "m2", SCALE) is Outcome.UNSETTLED
    assert adapter.standing("producer").stopped
    assert adapter.send("producer", "m3", SCALE) is Outcome.BLOCKED
