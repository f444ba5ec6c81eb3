"""Calls to a process of its own: answers, refusals, silence, and a process that is gone."""

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path

import psutil
import pytest

from tidegate.adapters.base import AdapterError
from tidegate.adapters.charge import calibrated_by_body
from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused
from tidegate.adapters.jvm.process import JvmProcess
from tidegate.adapters.jvm.remote import FAMILY, Remote, serve
from tidegate.adapters.process.brokers import coordinates, usual_version
from tidegate.adapters.process.maven import fetched
from tidegate.record.errors import Unavailable


class Target:
    """What is called."""

    def __init__(self) -> None:
        self._released = threading.Event()

    def double(self, number: int) -> int:
        return 2 * number

    def fail(self) -> None:
        raise ValueError("not like this")

    def wait(self) -> None:
        self._released.wait()

    def release(self) -> None:
        self._released.set()

    def end(self) -> None:
        os._exit(1)


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    address = tmp_path / "socket"
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(str(address),), daemon=True)
    process.start()
    deadline = time.monotonic() + 60
    while not _answers(address) and time.monotonic() < deadline:
        time.sleep(0.01)
    yield Remote("the target", address, watchdog_ms=60_000)
    process.kill()
    process.join()


def _answers(address: Path) -> bool:
    """Whether the process takes lines: its file is there a moment earlier."""
    try:
        Client(str(address), FAMILY).close()
    except OSError:
        return False
    return True


def _serve(address: str) -> None:
    serve(Target(), address)


def test_a_call_is_answered(remote: Remote) -> None:
    assert [remote.call("double", number) for number in (1, 2)] == [2, 4]


def test_what_is_raised_there_is_told_in_its_words(remote: Remote) -> None:
    with pytest.raises(Refused, match="the target: fail: ValueError: not like this"):
        remote.call("fail")
    assert remote.call("double", 3) == 6


def test_a_call_that_hangs_is_given_up_and_the_next_is_answered(remote: Remote) -> None:
    with pytest.raises(NoAnswer, match="the target did not answer wait within 50 ms"):
        remote.call("wait", within_ms=50)
    remote.call("release")
    assert remote.call("double", 4) == 8


def test_a_process_that_is_gone_is_an_error(remote: Remote) -> None:
    for _ in range(2):
        with pytest.raises(ConnectionLost, match="the target is gone"):
            remote.call("end")


def test_a_charge_is_one_figure_beyond_the_body() -> None:
    charge = calibrated_by_body(lambda message_id, body: 1024 + body)
    assert charge.body_bytes(1024) == 0
    assert charge.body_bytes(5000) == 3976
    with pytest.raises(AdapterError, match="expected one figure"):
        calibrated_by_body(lambda message_id, body: 1024 + len(message_id) + body)


def test_a_byte_of_the_body_may_be_charged_twice() -> None:
    charge = calibrated_by_body(lambda message_id, body: 600 + 2 * body)
    assert [charge.body_bytes(size) for size in (600, 602, 1200)] == [0, 1, 300]
    for size, reason in ((599, "the least is 600"), (601, "a byte of body costs 2")):
        with pytest.raises(AdapterError, match=f"no message is charged exactly {size} bytes: {reason}"):
            charge.body_bytes(size)


@pytest.mark.real_broker
def test_a_process_that_dies_as_it_starts_is_started_once_more(tmp_path: Path) -> None:
    jars = fetched(coordinates("classic", usual_version("classic")))
    home = tmp_path / "home"
    home.mkdir()
    clients = JvmProcess(
        "the JMS client",
        "tidegate.adapters.openwire.client_process",
        home,
        tmp_path / "log",
        tmp_path / "socket",
        "5",
        str(jars),
    )
    try:
        first = clients.pid
        psutil.Process(first).kill()
        assert clients.call("end", 1000)
        assert clients.pid != first
    finally:
        clients.stop()


def test_a_folder_whose_path_is_too_long_for_a_socket_is_named_in_one_sentence(tmp_path: Path) -> None:
    address = tmp_path / ("x" * 100) / "socket"
    with pytest.raises(Unavailable, match=r"path may have 103 bytes .* set TMPDIR to a folder with a shorter path"):
        JvmProcess("the JMS client", "tidegate.adapters.openwire.client_process", tmp_path, tmp_path / "log", address)
