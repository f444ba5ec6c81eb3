"""The adapter contract on a real ActiveMQ 4.1.2: whom a full queue stops depends on whether an answer was asked for."""

from collections.abc import Iterator

import pytest

pytest.importorskip("jpype")

from tests.adapters.processes import processes
from tests.waiting import eventually
from tidegate.adapters.base import DEFAULT_OPTIONS, AdapterError, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.classic.adapter import ClassicAdapter
from tidegate.adapters.classic.generation import SCALE
from tidegate.adapters.groups import Settlement, Usage

pytestmark = [pytest.mark.real_broker, pytest.mark.nightly]
"""By day the boundaries of this broker are run, through the same adapter."""
ASYNCHRONOUS = ProducerOptions(asynchronous=True)
THREE = Limits(limit_bytes=3 * SCALE, cursor="memory")


@pytest.fixture(scope="module")
def running() -> Iterator[ClassicAdapter]:
    started = ClassicAdapter("4.1.2")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: ClassicAdapter) -> Iterator[ClassicAdapter]:
    yield running
    running.end_scenario()


def full_on_a_shared_line(adapter: ClassicAdapter, options: ProducerOptions = DEFAULT_OPTIONS) -> None:
    """Queues `full`, with the three messages that it may hold, and `empty`; `p`, `other` and `c` on one connection."""
    adapter.declare("full", THREE)
    adapter.declare("empty", THREE)
    adapter.open_producer("p", "line", ("full",), options)
    adapter.open_producer("other", "line", ("empty",), options)
    adapter.open_consumer("c", "line", "full")
    for number in range(3):
        adapter.send("p", f"m{number}", SCALE)
    assert adapter.depth("full") == Depth(3 * SCALE, 3)


def test_the_broker_has_the_version_that_it_says_and_the_adapter_offers_what_it_claims(running: ClassicAdapter) -> None:
    assert (running.identity.version, running.identity.profile) == ("4.1.2", "classic:4.1.2")
    assert "suspended-connections" in running.capabilities
    assert not running.capabilities & {"usage-limits", "producer-window", "file-cursor", "topics", "shared-connections"}
    for capability in running.capabilities & GROUPS.keys():
        assert isinstance(running, GROUPS[capability]), capability


@pytest.mark.parametrize("size", [600, 300_000])
def test_a_message_is_charged_twice_its_body_and_exactly_its_size(adapter: ClassicAdapter, size: int) -> None:
    adapter.declare("q", Limits())
    adapter.open_producer("p", "p", ("q",))
    assert adapter.send("p", "some-id", size) is Outcome.ACCEPTED
    assert adapter.depth("q") == Depth(size, 1)


def test_a_message_that_nobody_waits_for_suspends_its_connection_until_it_is_stored(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter, ASYNCHRONOUS)
    adapter.open_producer("apart", "apart", ("empty",), ASYNCHRONOUS)
    adapter.open_consumer("elsewhere", "elsewhere", "full")
    assert adapter.send("p", "one too many", SCALE) is Outcome.SENT
    assert adapter.send("other", "unread", SCALE) is Outcome.SENT
    assert adapter.send("apart", "passes", SCALE) is Outcome.SENT
    assert adapter.depth("empty") == Depth(SCALE, 1)
    assert adapter.take("elsewhere") is not None
    adapter.acknowledge("elsewhere", "m0")
    assert eventually(lambda: adapter.depth("empty") == Depth(2 * SCALE, 2))
    assert adapter.depth("full") == Depth(3 * SCALE, 3)


def test_a_suspended_connection_does_not_hear_its_own_consumer_and_can_be_ended(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter, ASYNCHRONOUS)
    delivery = adapter.take("c")
    assert delivery is not None
    assert adapter.send("p", "one too many", 2 * SCALE) is Outcome.SENT
    adapter.acknowledge("c", delivery.message_id)
    assert adapter.depth("full") == Depth(3 * SCALE, 3)  # four times SCALE, had that been heard
    before = processes(adapter)
    assert {adapter.broker_pid, adapter.clients_pid} <= before
    adapter.end_scenario()
    adapter.declare("full", THREE)
    assert adapter.depth("full") == Depth(0, 0)
    assert len(processes(adapter)) == len(before)


def test_a_message_that_is_waited_for_is_answered_late_and_suspends_nothing(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter)
    assert adapter.send("p", "waits", SCALE) is Outcome.UNSETTLED
    assert adapter.standing("p").stopped
    assert adapter.send("other", "is read", SCALE) is Outcome.ACCEPTED
    assert not adapter.standing("other").stopped
    assert adapter.take("c") is not None
    adapter.acknowledge("c", "m0")
    assert eventually(lambda: not adapter.standing("p").stopped)
    assert adapter.settlements("p") == [Settlement("waits", Outcome.ACCEPTED)]


def test_each_message_is_acknowledged_alone(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter)
    assert [adapter.take("c") for _ in range(3)]
    for left, message_id in ((2, "m1"), (1, "m0"), (0, "m2")):
        adapter.acknowledge("c", message_id)
        assert adapter.depth("full") == Depth(left * SCALE, left)
    assert adapter.take("c") is None


@pytest.mark.parametrize("end", ["kill", "close"])
def test_what_a_consumer_did_not_acknowledge_goes_back(adapter: ClassicAdapter, end: str) -> None:
    full_on_a_shared_line(adapter)
    adapter.open_consumer("elsewhere", "elsewhere", "full")
    assert adapter.take("elsewhere") is not None
    if end == "kill":
        adapter.kill("elsewhere")
    else:
        adapter.close_consumer("elsewhere")
    found = []
    while (delivery := adapter.take("c")) is not None:
        found.append(delivery.message_id)
        adapter.acknowledge("c", delivery.message_id)
    assert sorted(found) == ["m0", "m1", "m2"]


def test_a_raised_limit_and_a_purge_release_who_waits(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter)
    assert adapter.send("p", "waits", SCALE) is Outcome.UNSETTLED
    adapter.change_limits("full", Limits(limit_bytes=4 * SCALE, policy="BLOCK"))
    assert eventually(lambda: not adapter.standing("p").stopped)
    assert adapter.depth("full") == Depth(4 * SCALE, 4)
    assert adapter.send("p", "waits again", SCALE) is Outcome.UNSETTLED
    adapter.purge("full")
    assert eventually(lambda: adapter.depth("full") == Depth(SCALE, 1))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(policy="NONE"), "cannot be switched off"), (Limits(cursor="file"), "keeps in memory")],
)
def test_what_there_was_not_before_5_is_refused(adapter: ClassicAdapter, limits: Limits, reason: str) -> None:
    adapter.declare("q", limits)
    with pytest.raises(AdapterError, match=reason):
        adapter.depth("q")


def test_limits_that_all_destinations_share_are_refused(adapter: ClassicAdapter) -> None:
    adapter.declare_usage(Usage(fail_at_once=True))
    adapter.declare("q", THREE)
    with pytest.raises(AdapterError, match="nothing but memory is limited"):
        adapter.depth("q")


def test_producers_of_both_ways_on_one_connection_are_refused(adapter: ClassicAdapter) -> None:
    full_on_a_shared_line(adapter)
    with pytest.raises(AdapterError, match="all producers of a connection wait for answers, or none does"):
        adapter.open_producer("asynchronous", "line", ("full",), ASYNCHRONOUS)
