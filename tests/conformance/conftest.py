"""The lab of one scenario on the reference, with the events that it records."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.record.events import Event


@pytest.fixture
def events() -> list[Event]:
    """The events that the lab records."""
    return []


@pytest.fixture
def lab(events: list[Event]) -> Iterator[Lab]:
    """The lab of one scenario on the reference."""
    adapter = QpidReference()
    adapter.start()
    yield Lab(adapter, Recorder("s1.check", events.append), "s1.")
    adapter.stop()
