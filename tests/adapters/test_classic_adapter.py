"""The adapter contract on a real ActiveMQ Classic of both generations: exact charges, calls that wait, nothing left."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

from tests.adapters.processes import processes
from tests.waiting import eventually
from tidegate.adapters.base import DEFAULT_OPTIONS, Adapter, AdapterError, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.classic.adapter import ClassicAdapter
from tidegate.adapters.classic.generation import SCALE
from tidegate.adapters.groups import Settlement, Usage

pytestmark = [pytest.mark.real_broker, pytest.mark.nightly]
"""By day the boundaries of this broker are run, through the same adapter; it is started anew for each limit."""
IN_MEMORY = Limits(limit_bytes=3 * SCALE, cursor="memory")
ASYNCHRONOUS = ProducerOptions(asynchronous=True)
TRANSACTED = ProducerOptions(transacted=True)


@pytest.fixture(scope="module", params=["6.3.1", "5.3.1"])
def running(request: pytest.FixtureRequest) -> Iterator[ClassicAdapter]:
    started = ClassicAdapter(request.param)
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: ClassicAdapter) -> Iterator[ClassicAdapter]:
    yield running
    running.end_scenario()


def filled(adapter: ClassicAdapter, options: ProducerOptions = DEFAULT_OPTIONS) -> None:
    """A queue `q` with a memory limit of three messages, full by three from `p`, and a consumer `c` of it."""
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("p", "p", ("q",), options)
    adapter.open_consumer("c", "c", "q")
    for number in range(3):
        adapter.send("p", f"m{number}", SCALE)


def holds(adapter: ClassicAdapter, destination: str, depth: Depth) -> bool:
    """Whether a destination comes to hold so much: Classic counts a message twice while its store still writes it."""
    return eventually(lambda: adapter.depth(destination) == depth)


def settled(adapter: ClassicAdapter, producer: str) -> Settlement:
    """The one message that becomes settled."""
    found: list[Settlement] = []

    def look() -> bool:
        found.extend(adapter.settlements(producer))
        return bool(found)

    assert eventually(look)
    (one,) = found
    return one


def consume(adapter: ClassicAdapter) -> str:
    delivery = adapter.take("c")
    assert delivery is not None
    adapter.acknowledge("c", delivery.message_id)
    return delivery.message_id


def test_the_adapter_offers_what_its_capabilities_promise(running: ClassicAdapter) -> None:
    assert isinstance(running, Adapter)
    for capability in running.capabilities & GROUPS.keys():
        assert isinstance(running, GROUPS[capability]), capability


def test_the_broker_has_the_version_that_it_says(running: ClassicAdapter) -> None:
    assert running.identity.version in ("6.3.1", "5.3.1")
    assert running.identity.profile == ("classic" if running.identity.version == "6.3.1" else "classic:5.3.1")


@pytest.mark.parametrize("size", [1024, 1200, 5000, 300_000])
@pytest.mark.parametrize("persistent", [False, True])
def test_a_message_is_charged_exactly_its_size(adapter: ClassicAdapter, size: int, persistent: bool) -> None:
    adapter.declare("q", Limits(cursor="memory"))
    adapter.open_producer("p", "p", ("q",), ProducerOptions(persistent=persistent))
    assert adapter.send("p", "some-id", size) is Outcome.ACCEPTED
    assert holds(adapter, "q", Depth(size, 1))


def test_a_size_that_no_message_has_is_refused(adapter: ClassicAdapter) -> None:
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("p", "p", ("q",))
    with pytest.raises(AdapterError, match="no message is charged exactly 1023 bytes: the least is 1024"):
        adapter.send("p", "m", 1023)


def test_a_send_that_waits_is_unsettled_until_space_is_free(adapter: ClassicAdapter) -> None:
    filled(adapter)
    assert adapter.send("p", "waiting", SCALE) is Outcome.UNSETTLED
    assert adapter.standing("p").stopped
    assert adapter.settlements("p") == []
    assert adapter.send("p", "never handed over", SCALE) is Outcome.BLOCKED
    assert holds(adapter, "q", Depth(3 * SCALE, 3))
    assert consume(adapter) == "m0"
    assert settled(adapter, "p") == Settlement("waiting", Outcome.ACCEPTED)
    assert not adapter.standing("p").stopped
    assert [consume(adapter) for _ in range(3)] == ["m1", "m2", "waiting"]
    assert adapter.take("c") is None
    assert holds(adapter, "q", Depth(0, 0))


def test_a_message_handed_out_is_still_held_and_gone_when_acknowledge_returns(adapter: ClassicAdapter) -> None:
    adapter.declare("q", Limits(cursor="memory"))
    adapter.open_producer("p", "p", ("q",))
    adapter.open_consumer("c", "c", "q")
    for number in range(100):
        adapter.send("p", f"m{number}", SCALE)
    for left in reversed(range(100)):
        delivery = adapter.take("c")
        assert delivery is not None
        assert holds(adapter, "q", Depth((left + 1) * SCALE, left + 1))
        adapter.acknowledge("c", delivery.message_id)
        assert holds(adapter, "q", Depth(left * SCALE, left))
    assert adapter.take("c") is None


def test_a_send_may_fail_at_once(adapter: ClassicAdapter) -> None:
    adapter.declare_usage(Usage(fail_at_once=True))
    filled(adapter)
    assert adapter.send("p", "refused", SCALE) is Outcome.REJECTED
    assert "ResourceAllocationException: " in settled(adapter, "p").reason
    assert not adapter.standing("p").stopped
    assert holds(adapter, "q", Depth(3 * SCALE, 3))


def test_a_send_may_fail_after_a_while(adapter: ClassicAdapter) -> None:
    adapter.declare_usage(Usage(fail_after_ms=1000))
    filled(adapter)
    assert adapter.send("p", "refused", SCALE) is Outcome.UNSETTLED
    answer = settled(adapter, "p")
    assert answer.outcome is Outcome.REJECTED
    package = "jakarta" if adapter.identity.version == "6.3.1" else "javax"
    assert answer.reason.startswith(f"{package}.jms.ResourceAllocationException: ")
    assert holds(adapter, "q", Depth(3 * SCALE, 3))


def test_an_asynchronous_producer_is_told_nothing(adapter: ClassicAdapter) -> None:
    filled(adapter, ASYNCHRONOUS)
    assert [adapter.send("p", f"more{number}", SCALE) for number in range(3)] == [Outcome.SENT] * 3
    assert holds(adapter, "q", Depth(3 * SCALE, 3))
    assert not adapter.standing("p").stopped


def test_a_window_makes_an_asynchronous_producer_wait(adapter: ClassicAdapter) -> None:
    filled(adapter, ProducerOptions(asynchronous=True, window_bytes=2 * SCALE))
    answers = [adapter.send("p", f"more{number}", SCALE) for number in range(4)]
    assert answers == [Outcome.SENT, Outcome.SENT, Outcome.UNSETTLED, Outcome.BLOCKED]
    consume(adapter)
    consume(adapter)
    assert settled(adapter, "p") == Settlement("more2", Outcome.SENT)


def test_a_transaction_counts_when_it_is_committed(adapter: ClassicAdapter) -> None:
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("p", "p", ("q",), TRANSACTED)
    assert adapter.send("p", "kept", SCALE) is Outcome.UNSETTLED
    assert adapter.depth("q").messages == 0
    assert adapter.commit("p") is Outcome.ACCEPTED
    assert adapter.send("p", "dropped", SCALE) is Outcome.UNSETTLED
    adapter.rollback("p")
    assert holds(adapter, "q", Depth(SCALE, 1))
    assert adapter.settlements("p") == []


def test_a_commit_may_wait(adapter: ClassicAdapter) -> None:
    filled(adapter, ProducerOptions(asynchronous=True, transacted=True))
    adapter.send("p", "one too many", SCALE)
    assert adapter.commit("p") is Outcome.UNSETTLED
    assert adapter.standing("p").stopped
    with pytest.raises(AdapterError, match="the last call of 'p' still waits"):
        adapter.rollback("p")


def test_a_transacted_send_that_waited_is_decided_by_the_broker_or_by_the_commit(adapter: ClassicAdapter) -> None:
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("other", "other", ("q",))
    adapter.open_producer("p", "p", ("q",), TRANSACTED)
    adapter.open_consumer("c", "c", "q")
    for number in range(2):
        adapter.send("other", f"m{number}", SCALE)
    assert [adapter.send("p", each, SCALE) for each in ("in time", "waits")] == [Outcome.UNSETTLED] * 2
    assert adapter.standing("p").stopped
    consume(adapter)
    assert eventually(lambda: not adapter.standing("p").stopped)
    refused = [(each.message_id, each.outcome) for each in adapter.settlements("p")]
    assert refused == ([] if adapter.identity.version == "5.3.1" else [("waits", Outcome.REJECTED)])
    assert adapter.commit("p") is Outcome.ACCEPTED
    assert adapter.depth("q").messages == (3 if adapter.identity.version == "5.3.1" else 2)


@pytest.mark.parametrize(("persistent", "outcome"), [(True, Outcome.ACCEPTED), (False, Outcome.SENT)])
def test_a_producer_left_unconfigured_sends_as_its_client_does(
    adapter: ClassicAdapter, persistent: bool, outcome: Outcome
) -> None:
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("p", "p", ("q",), ProducerOptions(unconfigured=True, persistent=persistent))
    assert adapter.send("p", "m", SCALE) is outcome
    with pytest.raises(AdapterError, match="a producer left unconfigured needs a connection"):
        adapter.open_producer("other", "p", ("q",), ASYNCHRONOUS)


def test_producers_of_one_connection_may_send_in_different_ways(adapter: ClassicAdapter) -> None:
    adapter.declare("q", Limits(cursor="memory"))
    adapter.open_producer("first", "line", ("q",))
    adapter.open_producer("second", "line", ("q",), ASYNCHRONOUS)
    adapter.open_producer("third", "line", ("q",))
    answers = {name: adapter.send(name, name, SCALE) for name in ("first", "second", "third")}
    assert answers == {"first": Outcome.ACCEPTED, "second": Outcome.SENT, "third": Outcome.ACCEPTED}


def test_per_cent_are_shown_of_a_limit(adapter: ClassicAdapter) -> None:
    adapter.declare("q", IN_MEMORY)
    adapter.open_producer("p", "p", ("q",))
    assert adapter.shown_percent("q") == 0
    adapter.send("p", "m", SCALE)
    assert holds(adapter, "q", Depth(SCALE, 1))
    assert adapter.shown_percent("q") == 33


def test_who_waits_at_a_queue_is_shown_stopped_and_nobody_else(adapter: ClassicAdapter) -> None:
    if "stops-shown" not in adapter.capabilities:
        pytest.skip("the version shows of no producer whether it is stopped")
    filled(adapter)
    adapter.open_producer("silent", "silent", ("q",))
    assert adapter.send("p", "one too many", SCALE) is Outcome.UNSETTLED
    assert eventually(lambda: adapter.shown_stopped("p") is True)
    assert adapter.shown_stopped("silent") is False
    adapter.purge("q")
    assert eventually(lambda: adapter.shown_stopped("p") is False)


def test_of_who_waits_behind_another_of_its_connection_nothing_is_shown(adapter: ClassicAdapter) -> None:
    if "stops-shown" not in adapter.capabilities:
        pytest.skip("the version shows of no producer whether it is stopped")
    adapter.declare("elsewhere", IN_MEMORY)
    filled(adapter, ASYNCHRONOUS)
    adapter.open_producer("beside", "p", ("elsewhere",), ASYNCHRONOUS)
    adapter.send("p", "one too many", SCALE)
    adapter.send("beside", "held up", SCALE)
    assert eventually(lambda: adapter.shown_stopped("p") is True)
    assert adapter.shown_stopped("beside") is None


def test_what_stalls_a_connection_stalls_all_on_it(adapter: ClassicAdapter) -> None:
    adapter.declare("elsewhere", IN_MEMORY)
    filled(adapter, ASYNCHRONOUS)
    adapter.open_producer("beside", "p", ("elsewhere",), ASYNCHRONOUS)
    adapter.open_producer("apart", "apart", ("elsewhere",), ASYNCHRONOUS)
    adapter.send("p", "one too many", SCALE)
    assert adapter.send("beside", "held up", SCALE) is Outcome.SENT
    assert adapter.send("apart", "passes", SCALE) is Outcome.SENT
    assert holds(adapter, "elsewhere", Depth(SCALE, 1))


def test_purge_and_a_raised_limit_are_what_management_does(adapter: ClassicAdapter) -> None:
    filled(adapter)
    adapter.change_limits("q", Limits(limit_bytes=5 * SCALE))
    assert adapter.limits_in_force("q") == Limits(limit_bytes=5 * SCALE, policy="BLOCK", cursor="memory")
    assert adapter.send("p", "fits", SCALE) is Outcome.ACCEPTED
    adapter.purge("q")
    assert holds(adapter, "q", Depth(0, 0))
    with pytest.raises(AdapterError, match="the cursor of a queue in use cannot be changed"):
        adapter.change_limits("q", Limits(cursor="file"))


def test_a_policy_that_classic_does_not_have_is_refused(adapter: ClassicAdapter) -> None:
    with pytest.raises(AdapterError, match="under flow control or not, not 'PAGE'"):
        adapter.declare("q", Limits(policy="PAGE"))


def test_without_flow_control_nobody_waits(adapter: ClassicAdapter) -> None:
    adapter.declare("q", Limits(limit_bytes=SCALE, cursor="memory", policy="NONE"))
    adapter.open_producer("p", "p", ("q",))
    assert [adapter.send("p", f"m{number}", SCALE) for number in range(4)] == [Outcome.ACCEPTED] * 4
    assert adapter.limits_in_force("q").policy == "NONE"


def test_the_file_cursor_takes_messages_out_of_memory(adapter: ClassicAdapter) -> None:
    adapter.declare("q", Limits(limit_bytes=10 * SCALE))
    adapter.open_producer("p", "p", ("q",))
    assert {adapter.send("p", f"m{number}", SCALE) for number in range(30)} == {Outcome.ACCEPTED}
    depth = adapter.depth("q")
    assert depth.messages == 30
    assert depth.bytes < 10 * SCALE
    assert adapter.limits_in_force("q").cursor == "file"


def test_the_limits_of_a_broker_that_nothing_is_configured_for_are_its_own_and_not_those_of_the_machine(
    adapter: ClassicAdapter,
) -> None:
    mb, gb = 2**20, 2**30
    own = {"6.3.1": (1024 * mb, 100 * gb, 50 * gb), "5.3.1": (64 * mb, 100 * gb, 100 * gb)}
    memory, store, temp = own[adapter.identity.version]
    assert adapter.usage_in_force() == Usage(memory_bytes=memory, store_bytes=store, temp_bytes=temp)


def test_a_limit_that_all_destinations_share_is_read_as_it_was_configured(adapter: ClassicAdapter) -> None:
    adapter.declare_usage(Usage(memory_bytes=10_000_000, store_bytes=20_000_000, temp_bytes=30_000_000))
    found = adapter.usage_in_force()
    assert (found.memory_bytes, found.store_bytes, found.temp_bytes) == (10_000_000, 20_000_000, 30_000_000)


@pytest.mark.parametrize("end", ["kill", "close"])
def test_what_a_consumer_did_not_acknowledge_goes_back(adapter: ClassicAdapter, end: str) -> None:
    filled(adapter)
    assert adapter.take("c") is not None
    if end == "kill":
        adapter.kill("c")
    else:
        adapter.close_consumer("c")
    adapter.open_consumer("c", "again", "q")
    assert sorted(consume(adapter) for _ in range(3)) == ["m0", "m1", "m2"]


@pytest.mark.parametrize("end", ["kill", "close"])
def test_a_producer_that_waits_can_be_ended(adapter: ClassicAdapter, end: str) -> None:
    filled(adapter)
    assert adapter.send("p", "waiting", SCALE) is Outcome.UNSETTLED
    if end == "kill":
        adapter.kill("p")
    else:
        adapter.close_producer("p")
    adapter.open_producer("p", "again", ("q",))
    assert not adapter.standing("p").stopped


def test_a_topic_holds_for_its_subscription(adapter: ClassicAdapter) -> None:
    if "topics" not in adapter.capabilities:
        assert adapter.identity.version == "5.3.1"
        return
    adapter.declare_topic("t", IN_MEMORY)
    adapter.open_producer("p", "p", ("t",))
    adapter.open_consumer("c", "c", "t")
    assert [adapter.send("p", f"m{number}", SCALE) for number in range(3)] == [Outcome.ACCEPTED] * 3
    assert holds(adapter, "t", Depth(3 * SCALE, 3))
    assert adapter.send("p", "waiting", SCALE) is Outcome.UNSETTLED
    assert consume(adapter) == "m0"
    assert settled(adapter, "p") == Settlement("waiting", Outcome.ACCEPTED)
    assert [consume(adapter) for _ in range(3)] == ["m1", "m2", "waiting"]
    assert adapter.take("c") is None
    with pytest.raises(AdapterError, match="a topic of Classic cannot be purged"):
        adapter.purge("t")


def test_the_log_says_when_a_queue_is_full_and_is_handed_out_once(adapter: ClassicAdapter) -> None:
    adapter.log_lines()
    filled(adapter)
    adapter.send("p", "waiting", SCALE)
    assert eventually(lambda: any("Usage Manager" in line for line in adapter.log_lines()))
    assert not any("Usage Manager" in line for line in adapter.log_lines())


def test_usage_is_for_a_broker_that_does_not_run_yet(adapter: ClassicAdapter) -> None:
    filled(adapter)
    with pytest.raises(AdapterError, match="are declared before anything else"):
        adapter.declare_usage(Usage(fail_at_once=True))


def test_a_scenario_leaves_nothing_to_the_next(adapter: ClassicAdapter) -> None:
    filled(adapter)
    assert adapter.send("p", "waiting", SCALE) is Outcome.UNSETTLED
    before = processes(adapter)
    assert {adapter.broker_pid, adapter.clients_pid} <= before
    adapter.end_scenario()
    adapter.declare("q", IN_MEMORY)
    assert holds(adapter, "q", Depth(0, 0))
    assert len(processes(adapter)) == len(before)


def test_a_broker_that_dies_is_an_error_of_its_scenario_only(adapter: ClassicAdapter) -> None:
    filled(adapter)
    psutil.Process(adapter.broker_pid).kill()
    with pytest.raises(AdapterError, match="is gone"):
        adapter.depth("q")
    adapter.end_scenario()
    filled(adapter)
    assert holds(adapter, "q", Depth(3 * SCALE, 3))


def test_a_client_that_dies_is_an_error_of_its_scenario_only(adapter: ClassicAdapter) -> None:
    filled(adapter)
    psutil.Process(adapter.clients_pid).kill()
    with pytest.raises(AdapterError, match="is gone"):
        adapter.send("p", "m", SCALE)
    adapter.end_scenario()
    filled(adapter)
    assert holds(adapter, "q", Depth(3 * SCALE, 3))


def test_nothing_is_left_of_a_run_that_was_killed(tmp_path: Path) -> None:
    program = tmp_path / "run.py"
    program.write_text(
        "import sys, tempfile, time\n"
        "from tidegate.adapters.base import Limits\n"
        "from tidegate.adapters.classic.adapter import ClassicAdapter\n"
        "tempfile.tempdir = sys.argv[1]\n"
        "adapter = ClassicAdapter()\n"
        "adapter.start()\n"
        "adapter.declare('q', Limits())\n"
        "adapter.depth('q')\n"
        "print(adapter.broker_pid, adapter.clients_pid, flush=True)\n"
        "time.sleep(600)\n",
        encoding="utf-8",
    )
    # a short path, since the path of a socket may have about a hundred characters
    with TemporaryDirectory(prefix="hg-") as temporary:
        with subprocess.Popen([sys.executable, program, temporary], stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            pids = [int(pid) for pid in run.stdout.readline().split()]
            assert len(pids) == 2
            run.kill()
        assert eventually(lambda: not any(psutil.pid_exists(pid) for pid in pids))
        assert eventually(lambda: not list(Path(temporary).glob("tidegate-classic-*")))


@pytest.mark.parametrize("road", ["default", "pattern", "shared"])
def test_a_limit_from_elsewhere_stops_who_sends_to_a_queue_that_sets_none(adapter: ClassicAdapter, road: str) -> None:
    own = Limits()
    match road:
        case "default":
            adapter.declare_defaults(IN_MEMORY)
        case "pattern":
            adapter.declare_pattern("roads.", IN_MEMORY)
        case "shared":
            adapter.declare_shared(Limits(limit_bytes=IN_MEMORY.limit_bytes))
            own = Limits(limit_bytes=-1, cursor="memory")
    adapter.declare("roads.q", own)
    adapter.open_producer("p", "p", ("roads.q",))
    outcomes = [adapter.send("p", f"m{number}", SCALE) for number in range(4)]
    assert outcomes == [*[Outcome.ACCEPTED] * 3, Outcome.UNSETTLED]


def test_before_a_policy_from_elsewhere_goes_one_of_the_queue(adapter: ClassicAdapter) -> None:
    adapter.declare_defaults(IN_MEMORY)
    adapter.declare("q", Limits(limit_bytes=9 * SCALE, cursor="memory"))
    assert adapter.limits_in_force("q").limit_bytes == 9 * SCALE


@pytest.mark.parametrize("end", ["close_consumer", "kill"])
def test_a_subscription_holds_its_messages_and_ends_with_its_consumer(adapter: ClassicAdapter, end: str) -> None:
    if "temporary-subscriptions" not in adapter.capabilities:
        pytest.skip("this version has no topics here")
    adapter.declare_bound("topic", IN_MEMORY, {}, "last")
    adapter.subscribe("subscriber", "subscriber", "topic")
    adapter.open_producer("p", "p", ("topic",))
    assert adapter.send("p", "m1", SCALE) is Outcome.ACCEPTED
    for queue in ("topic", "last"):
        adapter.open_consumer(f"consumer of {queue}", f"consumer of {queue}", queue)
        assert adapter.take(f"consumer of {queue}") is not None
        adapter.acknowledge(f"consumer of {queue}", "m1")
    assert (adapter.depth("subscriber"), adapter.depth("topic")) == (Depth(SCALE, 1), Depth(SCALE, 0))
    getattr(adapter, end)("subscriber")
    assert eventually(lambda: adapter.depth("topic") == Depth(0, 0))
