"""However a run ends, nothing of an earlier one is left as if it were this one's, and no process stays behind."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.cli.command import LONGEST_SECONDS, tidegate
from tests.waiting import eventually

PEERS = Path(__file__).parents[1] / "adapters" / "peers"
NO_PROGRAM = f"cmd:{shlex.join([sys.executable, '-c', 'import sys; sys.exit(3)'])}"
SERVED = [sys.executable, str(PEERS / "reference.py"), "tidegate.adapters.reference.qpid:QpidReference"]
AT_THE_TERMINAL = """
import signal
from tidegate.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
main()
"""
INTERRUPTED, NOBODY_READS = 130, 141


def started(*arguments: str, folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", AT_THE_TERMINAL, *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def processes_with(text: str) -> list[int]:
    found = psutil.process_iter(["cmdline"])
    return [each.pid for each in found if any(text in part for part in each.info["cmdline"] or [])]


def earlier(folder: Path) -> list[Path]:
    """What an earlier run left."""
    folder.mkdir()
    written = [folder / name for name in ("report.json", "report.md", "report.html", "junit.xml")]
    written += [folder.parent / "badge.json", folder.parent / "all.xml"]
    for path in written:
        path.write_text("green", encoding="utf-8")
    return written


def test_a_broker_that_cannot_be_started_leaves_no_report_of_yesterday(tmp_path: Path) -> None:
    written = earlier(tmp_path / "out")
    (tmp_path / "out" / "mine.txt").touch()
    ended = tidegate(
        *("run", "--adapter", NO_PROGRAM, "--report", "out", "--badge", "badge.json", "--junit", "all.xml"),
        folder=tmp_path,
    )
    assert ended.returncode == 2, ended.stderr
    assert [path for path in written if path.exists()] == []
    assert (tmp_path / "out" / "mine.txt").exists()


def test_a_badge_that_is_a_link_is_emptied_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("green", encoding="utf-8")
    (tmp_path / "badge.json").symlink_to("real.json")
    tidegate("run", "--adapter", NO_PROGRAM, "--badge", "badge.json", folder=tmp_path)
    assert (tmp_path / "badge.json").is_symlink() and (tmp_path / "real.json").read_text() == ""


def test_a_run_that_is_interrupted_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    earlier(tmp_path / "out")
    program = shlex.join([sys.executable, str(PEERS / "faulty.py"), "late", str(tmp_path / "never")])
    with started("run", "--adapter", f"cmd:{program}", "--report", "out", folder=tmp_path) as run:
        assert eventually(lambda: any((tmp_path / "out").glob("trace-*.jsonl")))
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=LONGEST_SECONDS)
    assert run.returncode == INTERRUPTED
    assert said.decode().splitlines()[-1] == "tidegate: interrupted", said.decode()
    assert not (tmp_path / "out" / "report.json").exists()
    assert eventually(lambda: processes_with(str(tmp_path / "never")) == [])


@pytest.mark.parametrize(
    "arguments",
    [
        ("sweep", "--mechanism", "qpid-queue", "--producers", "1:60:1", "--size", "100,200,300,400"),
        ("strength", "--sample", "3", "--jobs", "2"),
        ("mutants", "--jobs", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_with_processes_ends_at_once_when_it_is_interrupted(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    with started(*arguments, folder=tmp_path) as run:
        assert eventually(lambda: len(psutil.Process(run.pid).children()) > 1)
        workers = psutil.Process(run.pid).children()
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=LONGEST_SECONDS)
    assert (run.returncode, b"Traceback" in said) == (INTERRUPTED, False), said
    assert said.decode().splitlines()[-1] == "tidegate: interrupted"
    assert eventually(lambda: not any(each.is_running() for each in workers))


def test_a_command_whose_output_nobody_reads_ends_quietly(tmp_path: Path) -> None:
    for arguments in (("spec", "list"), ("run", "--help"), ("--version",)):
        with started(*arguments, folder=tmp_path) as command:
            assert command.stdout is not None and command.stderr is not None
            command.stdout.close()
            said = command.stderr.read()
        assert (command.returncode, said) == (NOBODY_READS, b"")


def test_a_run_whose_output_nobody_reads_writes_its_report_and_leaves_no_process(tmp_path: Path) -> None:
    program = shlex.join([*SERVED, str(tmp_path / "crashed")])
    with started("run", "--adapter", f"cmd:{program}", "--rule", "QPID-QUEUE-3", folder=tmp_path) as run:
        assert run.stdout is not None and run.stderr is not None
        run.stdout.close()
        said = run.stderr.read()
    assert (run.returncode, b"Traceback" in said) == (NOBODY_READS, False)
    assert (tmp_path / "tidegate-report" / "report.json").is_file()
    assert processes_with(str(tmp_path / "crashed")) == []


def test_a_pipe_that_breaks_elsewhere_is_a_failure_and_not_a_reader_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "breaking.py").write_text(
        "from tidegate.adapters.reference.qpid import QpidReference\n"
        "class Broker(QpidReference):\n"
        "    def start(self):\n"
        "        raise BrokenPipeError('socket')\n",
        encoding="utf-8",
    )
    ended = tidegate("run", "--adapter", "breaking:Broker", folder=tmp_path)
    assert ended.returncode == 4 and "not of the output: socket" in ended.stderr


def test_a_program_that_dies_in_each_scenario_is_given_up_and_the_rest_is_unknown(tmp_path: Path) -> None:
    program = shlex.join([sys.executable, str(PEERS / "faulty.py"), "crash", os.devnull])
    only = ("--only", "scenario", "--badge", "badge.json", "--junit", "all.xml")
    ended = tidegate("run", "--adapter", f"cmd:{program}", *only, folder=tmp_path)
    assert ended.returncode == 3, ended.stderr
    report = (tmp_path / "tidegate-report" / "report.json").read_text(encoding="utf-8")
    assert "given up after 20 scenarios in a row that ended alike: " in report
    assert report.count("could not be ended: the program ended with exit status 3") >= 1
    assert (tmp_path / "badge.json").is_file() and (tmp_path / "all.xml").is_file()
