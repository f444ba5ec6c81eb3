"""One real broker and one real adapter for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.artemis.adapter import ArtemisAdapter
from tidegate.adapters.artemis.broker import Broker


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """A running Artemis without an adapter around it."""
    started = Broker()
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def running_adapter() -> Iterator[ArtemisAdapter]:
    """An adapter whose broker runs."""
    started = ArtemisAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running_adapter: ArtemisAdapter) -> Iterator[ArtemisAdapter]:
    """The running adapter, for one scenario."""
    yield running_adapter
    running_adapter.end_scenario()
