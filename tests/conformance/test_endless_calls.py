"""A verb of a Python adapter that never comes back ends as unknown, with a report, also on a virtual clock."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Empty

import pytest

from tests.cli.command import tidegate
from tests.sample import sampled
from tests.waiting import eventually
from tidegate.adapters.base import AdapterError
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance import subject
from tidegate.conformance.watchdog import Watchdog

LIMIT_MS = 300
ENDLESS = {
    "loop": "while True: pass",
    "sleep": "time.sleep(1e6)",
    "lock": "lock = threading.Lock(); lock.acquire(); lock.acquire()",
}
IN = {"send": "loop", "advance": "sleep", "end_scenario": "lock", "stop": "loop"}
BROKER = """
import threading, time
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance import subject
subject.WATCHDOG_MS = {limit}
subject.START_MS = {limit}
subject.LONGEST_SLEEP_MS = 0

class Broker(QpidReference):
    answers_at_once = False

    def {verb}(self, *arguments):
        {endless}
"""


def loops() -> None:
    while True:
        pass


def sleeps() -> None:
    time.sleep(1e6)


def locks() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


@pytest.mark.parametrize("endless", [loops, sleeps, locks], ids=lambda each: each.__name__)
def test_a_call_without_end_is_given_up_and_the_next_one_is_answered(endless: Callable[[], None]) -> None:
    watchdog = Watchdog(LIMIT_MS)
    with pytest.raises(AdapterError, match=rf"^{endless.__name__} did not come back within {LIMIT_MS} ms$"):
        watchdog.call(endless)
    assert watchdog.call(len, "four") == 4
    assert watchdog.hung == endless.__name__
    watchdog.close()


def test_only_a_call_with_a_limit_is_made_on_a_thread_of_its_own() -> None:
    watchdog = Watchdog(LIMIT_MS)
    assert watchdog.call(threading.get_ident) != threading.get_ident()
    watchdog.close()
    assert Watchdog(None).call(threading.get_ident) == threading.get_ident()


def test_an_endless_loop_that_was_given_up_takes_no_more_time() -> None:
    before = set(threading.enumerate())
    watchdog = Watchdog(LIMIT_MS)
    with pytest.raises(AdapterError):
        watchdog.call(loops)
    assert eventually(lambda: not set(threading.enumerate()) - before)


def test_what_a_call_raises_is_raised_also_where_it_looks_like_time_that_ran_out() -> None:
    def raising(error: Exception) -> None:
        raise error

    watchdog = Watchdog(LIMIT_MS)
    for error in (Empty(), TimeoutError("of its own"), AdapterError("gone"), SystemExit(3)):
        with pytest.raises(type(error)) as raised:
            watchdog.call(raising, error)
        assert raised.value is error
    watchdog.close()


@pytest.mark.parametrize(("never_ms", "longest_sleep_ms"), [(1, 0), (0, 300)])
def test_time_that_passes_is_no_call_that_hangs(
    never_ms: int, longest_sleep_ms: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sleeping(QpidReference):
        answers_at_once = False
        parameters = replace(QpidReference.parameters, never_ms=never_ms)

        def advance(self, ms: int) -> None:
            time.sleep(ms / 1000)

    monkeypatch.setattr(subject, "WATCHDOG_MS", 200)
    monkeypatch.setattr(subject, "LONGEST_SLEEP_MS", longest_sleep_ms)
    clock = subject.Subject("sleeping", tmp_path, Sleeping()).clock
    began_ms = clock.time_ms
    clock.advance(300)
    assert clock.time_ms - began_ms >= 300


@pytest.mark.parametrize("verb", sampled(IN, kind=IN.__getitem__))
def test_a_run_ends_with_a_report_whatever_never_comes_back(verb: str, tmp_path: Path) -> None:
    broker = BROKER.format(verb=verb, endless=ENDLESS[IN[verb]], limit=LIMIT_MS)
    (tmp_path / "endless.py").write_text(broker, encoding="utf-8")
    only = ("--rule", "QPID-QUEUE-7", "--only", "scenario")
    ended = tidegate("run", "--adapter", "endless:Broker", *only, folder=tmp_path)
    assert ended.returncode == 3, ended.stderr
    report = (tmp_path / "tidegate-report" / "report.json").read_text(encoding="utf-8")
    assert f"{verb} did not come back within {LIMIT_MS} ms" in report
