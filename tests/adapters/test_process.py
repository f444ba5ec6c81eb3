"""A guarded server never outlives the run that started it, and says why it did not start."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tidegate.adapters.process import ports
from tidegate.adapters.process.ports import free_ports
from tidegate.adapters.process.server import Server
from tidegate.record.errors import Unavailable

GONE_SECONDS = 15
HARMLESS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("ready", child.pid, flush=True)
time.sleep(600)
"""
DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""
WILLING = """
import signal, time
print("ready", signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, flush=True)
time.sleep(600)
"""
RUNNER = f"""
import signal, sys, time
from pathlib import Path
from tidegate.adapters.process.server import Server
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
folder = Path(sys.argv[1])
server = Server("harmless", [sys.executable, "-c", {HARMLESS!r}], folder / "log", folder=folder)
ready = server.wait_ready("ready", 20000)
print(server.pid, ready.split()[1], folder, flush=True)
time.sleep(600)
"""
BROKER_RUNNER = """
import time
from tidegate.adapters.artemis.broker import Broker
broker = Broker()
broker.start()
print(broker.pid, broker.log.parent, flush=True)
time.sleep(600)
"""


@contextmanager
def started_by(program: str, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[int], Path]]:
    """A runner of its own, and the process ids and the work folder that it printed."""
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        try:
            assert runner.stdout is not None
            *printed, folder = runner.stdout.readline().split()
            pids = [int(pid) for pid in printed]
            assert pids and all(map(psutil.pid_exists, pids)) and Path(folder).is_dir()
            yield runner, pids, Path(folder)
        finally:
            runner.kill()


def all_gone(pids: list[int], folder: Path) -> bool:
    """Whether these processes and the folder are gone before `GONE_SECONDS` are over."""
    deadline = time.monotonic() + GONE_SECONDS
    while (left := any(map(psutil.pid_exists, pids)) or folder.exists()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not left


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_server_its_children_and_its_folder_end_with_a_runner_that_is_killed(tmp_path: Path, number: int) -> None:
    with started_by(RUNNER, str(tmp_path)) as (runner, pids, folder):
        runner.send_signal(number)
        assert all_gone(pids, folder)


@pytest.mark.real_broker
def test_a_real_broker_ends_with_a_runner_that_is_killed() -> None:
    with started_by(BROKER_RUNNER) as (runner, pids, folder):
        runner.send_signal(signal.SIGKILL)
        assert all_gone(pids, folder)


def test_stop_leaves_the_folder_to_the_run(tmp_path: Path) -> None:
    server = Server("harmless", [sys.executable, "-c", HARMLESS], tmp_path / "log", folder=tmp_path)
    server.wait_ready("ready", 20_000)
    server.stop()
    assert [file.name for file in tmp_path.iterdir()] == ["log"]


def test_a_server_that_ended_by_itself_leaves_its_folder_and_may_be_stopped(tmp_path: Path) -> None:
    server = Server("short", [sys.executable, "-c", "print('ready', flush=True)"], tmp_path / "log", folder=tmp_path)
    server.wait_ready("ready", 20_000)
    while server.running:
        time.sleep(0.05)
    server.stop()
    assert (tmp_path / "log").read_text() == "ready\n"


def test_stop_ends_a_server_and_its_children_and_may_be_called_twice(tmp_path: Path) -> None:
    server = Server("harmless", [sys.executable, "-c", HARMLESS], tmp_path / "log")
    pids = [server.pid, int(server.wait_ready("ready", 20_000).split()[1])]
    server.stop()
    server.stop()
    assert not any(map(psutil.pid_exists, pids))
    assert not server.running


def test_a_server_that_ignores_the_order_to_end_is_killed(tmp_path: Path) -> None:
    server = Server("deaf", [sys.executable, "-c", DEAF], tmp_path / "log")
    server.wait_ready("ready", 20_000)
    server.stop()
    assert not psutil.pid_exists(server.pid)


def test_a_server_may_be_asked_to_end_though_its_guard_may_not(tmp_path: Path) -> None:
    server = Server("willing", [sys.executable, "-c", WILLING], tmp_path / "log")
    assert server.wait_ready("ready", 20_000) == "ready True"
    server.stop()


def test_a_server_that_dies_at_start_is_reported_with_its_last_lines(tmp_path: Path) -> None:
    server = Server("dying", [sys.executable, "-c", "print('no such element'); raise SystemExit(3)"], tmp_path / "log")
    with pytest.raises(Unavailable, match=r"^dying ended before it was ready: no such element$"):
        server.wait_ready("ready", 20_000)
    server.stop()


def test_a_server_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    server = Server("slow", [sys.executable, "-c", "import time; time.sleep(600)"], tmp_path / "log")
    with pytest.raises(Unavailable, match=r"^slow was not ready within 200 ms: it wrote nothing$"):
        server.wait_ready("ready", 200)
    assert not psutil.pid_exists(server.pid)


def test_a_command_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"^absent could not be started: .*no-such-command"):
        Server("absent", [str(tmp_path / "no-such-command")], tmp_path / "log")


def test_free_ports_are_different() -> None:
    assert len(set(free_ports(20))) == 20


def test_a_port_on_which_somebody_listens_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = free_ports(1)
    monkeypatch.setattr(ports, "FOR_SERVERS", range(first, first + 1))
    assert free_ports(1) == (first,)
    with socket.socket() as listening:
        listening.bind((ports.LOOPBACK, first))
        with pytest.raises(OSError, match=f"no free port found between {first} and {first + 1}"):
            free_ports(1)
