"""The adapter contract on a real Artemis by its Core client: charges, calls that are held back, and scripts."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.adapters.scripts import script_of
from tidegate.adapters.artemis.core.adapter import SCALE, ArtemisCoreAdapter
from tidegate.adapters.base import Adapter, AdapterError, Call, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.groups import ConsumerOptions, Settlement
from tidegate.adapters.process.brokers import coordinates
from tidegate.adapters.process.maven import fetched
from tidegate.record.report import Check, CheckKind, CheckResult

pytestmark = pytest.mark.real_broker
LIMIT = 10 * SCALE
BLOCKING = Limits(limit_bytes=LIMIT, policy="BLOCK")
SMALL_WINDOW = ProducerOptions(window_bytes=SCALE)
CHECK = Check(
    "held", CheckKind.SCENARIO, CheckResult.VIOLATED, ("R-1",), ("an address",), "it waits", "it does not", ""
)


@pytest.fixture(scope="module")
def running() -> Iterator[ArtemisCoreAdapter]:
    """An adapter whose broker runs."""
    started = ArtemisCoreAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: ArtemisCoreAdapter) -> Iterator[ArtemisCoreAdapter]:
    """The running adapter, for one scenario."""
    yield running
    running.end_scenario()


def comes(adapter: ArtemisCoreAdapter, look: Callable[[], bool]) -> bool:
    for _ in range(2000):
        if look():
            return True
        adapter.advance(2)
    return look()


def test_the_adapter_offers_what_its_capabilities_promise(adapter: ArtemisCoreAdapter) -> None:
    assert isinstance(adapter, Adapter)
    offered = [group for capability, group in GROUPS.items() if capability in adapter.capabilities]
    assert all(isinstance(adapter, group) for group in offered)
    assert (adapter.identity.name, adapter.identity.version) == ("Artemis Core", "2.44.0")


@pytest.mark.parametrize("address", ["a", "an-address-with-a-long-name"])
@pytest.mark.parametrize("size", [SCALE, SCALE + 1, 1_000_000])
def test_a_message_is_charged_exactly_its_size(adapter: ArtemisCoreAdapter, address: str, size: int) -> None:
    adapter.declare(address, Limits())
    adapter.open_producer("producer", "producer", (address,))
    assert adapter.send("producer", "a-message-id", size) is Outcome.ACCEPTED
    assert adapter.depth(address) == Depth(size, 1)


def test_a_transacted_message_counts_once_it_is_committed(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("kept", BLOCKING)
    adapter.open_producer("producer", "producer", ("kept",), ProducerOptions(transacted=True))
    adapter.open_consumer("consumer", "consumer", "kept")
    assert adapter.send("producer", "m1", SCALE) is Outcome.UNSETTLED
    assert comes(adapter, lambda: adapter.depth("kept") == Depth(SCALE, 0))
    adapter.rollback("producer")
    assert comes(adapter, lambda: adapter.depth("kept") == Depth(0, 0))
    assert adapter.send("producer", "m2", SCALE) is Outcome.UNSETTLED
    assert adapter.commit("producer") is Outcome.ACCEPTED
    assert comes(adapter, lambda: adapter.depth("kept") == Depth(SCALE, 1))
    assert adapter.settlements("producer") == []


def test_a_transaction_is_not_committed_while_a_send_waits(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("full", BLOCKING)
    adapter.open_producer("other", "other", ("full",))
    adapter.open_producer("producer", "producer", ("full",), ProducerOptions(window_bytes=SCALE, transacted=True))
    assert adapter.send("other", "m1", LIMIT) is Outcome.ACCEPTED
    while adapter.send("producer", "m2", SCALE) is Outcome.UNSETTLED and not adapter.standing("producer").stopped:
        pass
    assert adapter.commit("producer") is Outcome.BLOCKED
    adapter.purge("full")
    assert comes(adapter, lambda: not adapter.standing("producer").stopped)
    assert adapter.commit("producer") is Outcome.ACCEPTED


def test_a_send_without_credit_waits_and_is_told_of_later(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("full", BLOCKING)
    adapter.open_producer("producer", "producer", ("full",), SMALL_WINDOW)
    assert adapter.send("producer", "m1", LIMIT) is Outcome.ACCEPTED
    assert not adapter.standing("producer").stopped
    assert adapter.send("producer", "m2", SCALE) is Outcome.UNSETTLED
    assert adapter.standing("producer").stopped
    assert adapter.send("producer", "m3", SCALE) is Outcome.BLOCKED
    assert adapter.settlements("producer") == []
    adapter.open_consumer("consumer", "consumer", "full")
    taken = adapter.take("consumer")
    assert taken is not None
    assert taken.message_id == "m1"
    adapter.acknowledge("consumer", "m1")
    assert comes(adapter, lambda: not adapter.standing("producer").stopped)
    assert adapter.settlements("producer") == [Settlement("m2", Outcome.ACCEPTED)]
    assert adapter.depth("full") == Depth(SCALE, 1)


def test_a_producer_that_does_not_obey_sends_to_a_full_address(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("full", BLOCKING)
    adapter.open_producer("obedient", "obedient", ("full",))
    assert adapter.send("obedient", "m1", LIMIT) is Outcome.ACCEPTED
    adapter.open_producer("other", "other", ("full",), ProducerOptions(obeys=False))
    assert adapter.send("other", "m2", SCALE) is Outcome.ACCEPTED
    assert adapter.depth("full") == Depth(LIMIT + SCALE, 2)


@pytest.mark.parametrize(("window", "buffered"), [(0, 0), (-1, 3)])
def test_a_client_buffers_what_its_window_lets_it(adapter: ArtemisCoreAdapter, window: int, buffered: int) -> None:
    adapter.declare("queue", Limits())
    adapter.open_consumer_with("consumer", "consumer", "queue", ConsumerOptions(window_bytes=window))
    adapter.open_producer("producer", "producer", ("queue",))
    for number in range(3):
        adapter.send("producer", f"m{number}", SCALE)
    assert comes(adapter, lambda: adapter.buffered("consumer") == buffered)
    taken = [adapter.take("consumer") for _ in range(4)]
    assert [each and each.message_id for each in taken] == ["m0", "m1", "m2", None]


def test_a_full_address_refuses_messages_and_takes_them_again_once_there_is_room(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("refusing", Limits(limit_bytes=2 * LIMIT, policy="FAIL"))
    adapter.open_producer("producer", "producer", ("refusing",), SMALL_WINDOW)
    told = [adapter.send("producer", f"m{number}", LIMIT) for number in range(4)]
    assert told == [Outcome.ACCEPTED] * 2 + [Outcome.REJECTED] * 2
    assert ["is full" in each.reason for each in adapter.settlements("producer")] == [True, True]
    assert adapter.depth("refusing") == Depth(2 * LIMIT, 2)
    assert not adapter.standing("producer").stopped
    adapter.purge("refusing")
    assert adapter.send("producer", "m4", LIMIT) is Outcome.ACCEPTED


def test_who_waits_for_no_answer_is_held_back_and_refused_by_its_credit_alone(adapter: ArtemisCoreAdapter) -> None:
    options = replace(SMALL_WINDOW, asynchronous=True)
    adapter.declare("full", BLOCKING)
    adapter.open_producer("blocked", "blocked", ("full",), options)
    assert adapter.send("blocked", "m1", LIMIT) is Outcome.SENT
    assert adapter.depth("full") == Depth(LIMIT, 1), "it has arrived"
    assert adapter.send("blocked", "m2", LIMIT) is Outcome.UNSETTLED
    adapter.purge("full")
    assert comes(adapter, lambda: not adapter.standing("blocked").stopped)
    assert [(each.message_id, each.outcome) for each in adapter.settlements("blocked")] == [("m2", Outcome.SENT)]
    adapter.declare("refusing", Limits(limit_bytes=LIMIT, policy="FAIL"))
    adapter.open_producer("refused", "refused", ("refusing",), options)
    assert [adapter.send("refused", f"m{number}", LIMIT) for number in range(3)] == [Outcome.SENT] + [
        Outcome.REJECTED
    ] * 2


def test_a_full_address_drops_messages_and_their_producer_goes_on(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("dropping", Limits(limit_bytes=2 * LIMIT, policy="DROP"))
    adapter.open_producer("producer", "producer", ("dropping",), SMALL_WINDOW)
    told = [adapter.send("producer", f"m{number}", LIMIT) for number in range(4)]
    assert told == [Outcome.ACCEPTED] * 4
    assert adapter.depth("dropping") == Depth(2 * LIMIT, 2)
    assert not adapter.standing("producer").stopped


def test_a_call_that_its_rate_holds_back_goes_on(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",), ProducerOptions(rate=1))
    assert adapter.send("producer", "m1", SCALE) is Outcome.UNSETTLED
    assert comes(adapter, lambda: adapter.depth("queue").messages == 1)
    adapter.open_consumer_with("consumer", "consumer", "queue", ConsumerOptions(rate=1))
    assert adapter.take("consumer") is None
    adapter.advance(1500)
    assert adapter.take("consumer") is not None


def test_a_killed_consumer_gives_back_what_it_was_handed(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",))
    adapter.send("producer", "m1", SCALE)
    adapter.open_consumer("first", "first", "queue")
    assert adapter.take("first") is not None
    adapter.kill("first")
    adapter.open_consumer("second", "second", "queue")
    again = adapter.take("second")
    assert again is not None
    assert again.message_id == "m1"


def test_a_closed_topic_consumer_leaves_the_rest_to_the_next(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare_topic("topic", Limits())
    adapter.open_producer("producer", "producer", ("topic",))
    adapter.send("producer", "m1", SCALE)
    adapter.open_consumer_with("first", "first", "topic", ConsumerOptions(window_bytes=-1))
    assert comes(adapter, lambda: adapter.buffered("first") == 1)
    adapter.close_consumer("first")
    adapter.open_consumer("second", "second", "topic")
    assert adapter.take("second") is not None


def test_an_id_that_fits_no_body_is_an_error(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",))
    with pytest.raises(AdapterError, match="does not fit a body"):
        adapter.send("producer", "i" * 65, 100 * SCALE)
    with pytest.raises(AdapterError, match="no message is charged exactly 100 bytes"):
        adapter.send("producer", "m1", 100)


def test_clients_that_die_are_an_error_of_their_scenario_only(adapter: ArtemisCoreAdapter) -> None:
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",))
    psutil.Process(adapter.clients_pid).kill()
    with pytest.raises(AdapterError, match="is gone"):
        adapter.send("producer", "m1", SCALE)
    adapter.end_scenario()
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",))
    assert adapter.send("producer", "m1", SCALE) is Outcome.ACCEPTED


class Recorded:
    """An adapter's verbs, and the calls that were made of them."""

    def __init__(self, adapter: ArtemisCoreAdapter):
        self.calls: list[Call] = []
        self._adapter = adapter

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            answer = getattr(self._adapter, verb)(*arguments)
            self.calls.append(Call(verb, arguments, answer))
            return answer

        return call


def test_a_script_finds_what_was_recorded_and_says_what_is_otherwise(
    adapter: ArtemisCoreAdapter, tmp_path: Path
) -> None:
    recorded = Recorded(adapter)
    recorded.declare("r.q", BLOCKING)
    recorded.open_producer("r.p", "r.p", ("r.q",), SMALL_WINDOW)
    recorded.send("r.p", "r.m1", LIMIT)
    recorded.send("r.p", "r.m2", SCALE)
    recorded.standing("r.p")
    recorded.open_consumer_with("r.c", "r.c", "r.q", ConsumerOptions(window_bytes=-1))
    assert comes(adapter, lambda: adapter.buffered("r.c") == 1), (adapter.buffered("r.c"), adapter.depth("r.q"))
    recorded.buffered("r.c")
    recorded.depth("r.q")
    recorded.take("r.c")
    recorded.acknowledge("r.c", "r.m1")
    assert comes(adapter, lambda: not adapter.standing("r.p").stopped)
    recorded.settlements("r.p")
    assert run_script(adapter, recorded.calls, tmp_path) == (0, "all as recorded")
    otherwise = [replace(call, answer=Depth(LIMIT + 1, 1)) if call.verb == "depth" else call for call in recorded.calls]
    assert run_script(adapter, otherwise, tmp_path) == (1, "otherwise than recorded: 1 answers")


def run_script(adapter: ArtemisCoreAdapter, calls: list[Call], folder: Path) -> tuple[int, str]:
    """Exit code and last line of the script."""
    script = folder / "script.py"
    script.write_text(script_of(adapter, CHECK, calls), encoding="utf-8")
    (jar,) = fetched(coordinates("artemis-core", "2.44.0")).iterdir()
    command = [sys.executable, str(script), str(jar), f"127.0.0.1:{adapter.core_port}"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return ended.returncode, (ended.stdout.splitlines() or [ended.stderr])[-1]
