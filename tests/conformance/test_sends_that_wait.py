"""A call that waits although its producer is free is found in the middle of a scenario, before the next step."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.scenarios.common import must_be

MINUTE_MS = 60_000


class WakesNobody(QpidReference):
    """A channel that is released wakes no send that waits in its client."""

    def _let_go(self) -> None:
        pass


@contextmanager
def released(broker: QpidReference) -> Iterator[Lab]:
    """A lab whose producer waited with a send of 10 bytes until its queue was emptied."""
    broker.start()
    try:
        lab = Lab(broker, Recorder("check"), "s1.")
        lab.declare("queue", Limits(limit_bytes=1000, resume_bytes=800))
        lab.open_producer("producer", "queue", options=ProducerOptions(wait_ms=MINUTE_MS, notify_ms=MINUTE_MS))
        assert lab.send("producer", 1001) is Outcome.ACCEPTED
        assert lab.send("producer", 10) is Outcome.UNSETTLED
        lab.consume("queue")
        yield lab
    finally:
        broker.stop()


def test_a_send_that_waits_beside_its_free_producer_is_found() -> None:
    with released(WakesNobody()) as lab:
        assert not lab.standing("producer").stopped
        with pytest.raises(Deviation, match="waiting message") as found:
            must_be(lab, "producer", stopped=False)
    assert found.value.rules == ("QPID-CLIENT-1",)


def test_a_send_that_went_through_with_the_release_is_right() -> None:
    with released(QpidReference()) as lab:
        must_be(lab, "producer", stopped=False)
