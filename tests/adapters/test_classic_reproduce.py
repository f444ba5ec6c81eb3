"""Scripts that repeat a check on Classic: what they say, and that they find on a real broker what was recorded."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tidegate.adapters.base import Call, Delivery, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.charge import ChargeByBody
from tidegate.adapters.classic.adapter import ClassicAdapter
from tidegate.adapters.classic.reproduce import configuration, recording, script_template, steps
from tidegate.adapters.groups import NoScript, Settlement, Usage
from tidegate.adapters.process.brokers import coordinates
from tidegate.adapters.process.maven import fetched
from tidegate.conformance.report.scripts import script as written
from tidegate.record.report import Check, CheckKind, CheckResult

CHECK = Check("waits", CheckKind.SCENARIO, CheckResult.VIOLATED, ("R-1",), ("a queue",), "it waits", "it does not", "")
LIMITS = Limits(limit_bytes=3600, cursor="memory")
WINDOWED = ProducerOptions(asynchronous=True, window_bytes=2400)


CHARGES = {"6.3.1": ChargeByBody(1024), "5.3.1": ChargeByBody(1024), "4.1.2": ChargeByBody(600, per_byte=2)}


def beyond_body(size_bytes: int) -> int:
    return size_bytes - 1024


def lines(*calls: Call) -> list[str]:
    return list(steps(calls, beyond_body))


def test_names_are_without_the_prefix_of_the_run() -> None:
    opened = Call("open_producer", ("s7.p", "s7.p", ("s7.q",), WINDOWED))
    assert lines(opened) == ["attach_producer('p', 'p', 'q', False, True, 2400, False, False)"]


def test_a_look_that_shows_nothing_new_is_left_out() -> None:
    looks = [Call("standing", ("p",), Standing(stopped)) for stopped in (False, False, True, True, False)]
    assert lines(*looks) == [f"standing('p', recorded='{state}')" for state in ("free", "waits", "free")]


def test_figures_are_compared() -> None:
    assert lines(Call("depth", ("q",), Depth(1200, 1))) == ["depth('q', recorded='1200 bytes in 1 messages')"]
    read = Call("usage_in_force", (), Usage(memory_bytes=64, store_bytes=100, temp_bytes=10))
    assert lines(read) == ["usage_in_force(recorded='memory 64, store 100, temporary 10 bytes')"]


def test_what_management_does_the_script_does_itself() -> None:
    assert lines(Call("change_limits", ("q", Limits(limit_bytes=4800)))) == [
        "change('q', memory=4800, flow_control=True)"
    ]
    assert lines(Call("purge", ("q",))) == ["purge('q')"]


def test_a_verb_without_a_line_is_an_error() -> None:
    with pytest.raises(NoScript, match="no line of a script for block"):
        lines(Call("block", ("q",)))


def test_the_configuration_is_that_of_the_broker() -> None:
    calls = [
        Call("declare_usage", (Usage(memory_bytes=9600, fail_at_once=True),)),
        Call("declare", ("s1.q", LIMITS)),
        Call("declare_topic", ("s1.t", replace(LIMITS, policy="NONE"))),
    ]
    assert list(configuration(calls)) == [
        "policy('q', 'Queue', memory=3600, in_memory=True)",
        "policy('t', 'Topic', memory=3600, flow_control=False, in_memory=True)",
        "start_broker(journal=33554432, memory_bytes=9600, fail_at_once=True)",
    ]


def test_before_5_no_cursor_is_configured() -> None:
    assert list(configuration([Call("declare", ("s1.q", LIMITS))], cursors=False)) == [
        "policy('q', 'Queue', memory=3600)",
        "start_broker(journal=0)",
    ]


class Recorded:
    """An adapter's verbs, and the calls that were made of them."""

    def __init__(self, adapter: ClassicAdapter):
        self.calls: list[Call] = []
        self._adapter = adapter

    def __call__(self, verb: str, *arguments: Any) -> Any:
        answer = getattr(self._adapter, verb)(*arguments)
        self.calls.append(Call(verb, arguments, answer))
        return answer


@pytest.fixture(params=["6.3.1", "5.3.1", "4.1.2"])
def adapter(request: pytest.FixtureRequest) -> Iterator[ClassicAdapter]:
    started = ClassicAdapter(request.param)
    started.start()
    yield started
    started.stop()


@pytest.mark.nightly
@pytest.mark.real_broker
def test_a_script_finds_what_was_recorded_and_says_where_it_is_otherwise(
    adapter: ClassicAdapter, tmp_path: Path
) -> None:
    do = Recorded(adapter)
    do("declare", "q", LIMITS)
    do("open_producer", "p", "p", ("q",))
    do("open_consumer", "c", "c", "q")
    for number in range(3):
        assert do("send", "p", f"m{number}", 1200) is Outcome.ACCEPTED
    assert do("send", "p", "m3", 1200) is Outcome.UNSETTLED
    assert do("standing", "p").stopped
    assert do("take", "c") == Delivery("m0", "q")
    do("acknowledge", "c", "m0")
    while adapter.standing("p").stopped:
        adapter.advance(10)
    assert do("depth", "q") == Depth(3600, 3)
    assert do("settlements", "p") == [Settlement("m3", Outcome.ACCEPTED)]
    assert not do("standing", "p").stopped
    do("open_producer", "late", "late", ("q",))
    assert do("send", "late", "m4", 1200) is Outcome.UNSETTLED
    jars = fetched(coordinates("classic", adapter.identity.version))

    assert run(adapter, tmp_path, do.calls, jars) == (0, "all as recorded")
    accepted = [replace(call, answer=Outcome.ACCEPTED) if call.verb == "send" else call for call in do.calls]
    assert run(adapter, tmp_path, accepted, jars) == (1, "otherwise than recorded: 2 answers")


def run(adapter: ClassicAdapter, folder: Path, calls: list[Call], jars: Path) -> tuple[int, str]:
    """Exit code and last line of the script for these calls."""
    script = folder / "script.py"
    version = adapter.identity.version
    recorded = replace(CHECK, recording=recording(version, calls, CHARGES[version].body_bytes))
    script.write_text(written(script_template(version), recorded, "R-1: it waits.", version))
    command = [sys.executable, str(script), str(jars)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in ended.stderr, ended.stderr  # the broker logs there, too
    return ended.returncode, ended.stdout.splitlines()[-1]
