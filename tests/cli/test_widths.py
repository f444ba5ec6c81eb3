"""What commands print on a terminal of 80 columns: no line is longer, but for one word that is to be copied whole.

Real logs, traces and reports are printed, for long names, lines and reasons are found in these.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.sample import sampled
from tidegate.catalogue import catalogue
from tidegate.conformance.report import terminal as report_terminal
from tidegate.conformance.report.declared import applied
from tidegate.conformance.report.deviations import read_deviations
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.terminal import Detail
from tidegate.pages.lines import wrapped

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"
COLUMNS = 80
COMMAND = re.compile(r"  (?:replay|script) +\S.*")
"""What is printed in one piece, so that it can be copied."""
STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def too_long(text: str, columns: int = COLUMNS) -> list[str]:
    """The lines that are longer than the terminal is wide, but for one word and for a command."""
    lines = STYLE.sub("", text).replace("\r", "").split("\n")
    long = [line for line in lines if cell_len(line) > columns]
    return [line for line in long if " " in line.strip() and not COMMAND.fullmatch(line)]


def on_terminal(*arguments: str, columns: int = COLUMNS) -> str:
    """What the command prints on a terminal; progress goes elsewhere."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    with subprocess.Popen(
        [sys.executable, "-m", "tidegate.cli", *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ):
        os.close(theirs)
        printed = b""
        while piece := _read(ours):
            printed += piece
    os.close(ours)
    return printed.decode()


def _read(file: int) -> bytes:
    try:
        return os.read(file, 1 << 16)
    except OSError:  # so a terminal ends that nobody writes to any more
        return b""


def test_a_long_line_is_found_and_one_word_or_command_is_none() -> None:
    path, command = f"  {'x' * 90}", f"  replay    tidegate run {'x' * 90}"
    assert too_long(f"short\n{path}\n{command}\n{'two words ' * 9}") == ["two words " * 9]


@pytest.mark.parametrize(
    "name",
    sampled(["qpid-10.1.0", "qpid-0.18", "classic-6.3.1", "classic-4.1.2", "artemis-2.44.0", "artemis-core-2.6.2"], 2),
)
def test_a_check_of_real_logs_and_traces_fits_the_terminal(name: str, tmp_path: Path) -> None:
    printed = on_terminal("trace", "check", str(REPORTS / name), "--report", str(tmp_path / "out"))
    assert "engine: " in printed
    assert too_long(printed) == []


def test_an_event_of_a_trace_is_told_by_its_fields_with_its_source(tmp_path: Path) -> None:
    printed = on_terminal("trace", "check", str(REPORTS / "classic-4.1.2"), "--report", str(tmp_path / "out"))
    told = " ".join(STYLE.sub("", printed).split())
    assert re.search(r"kind send, destination s\d+.empty, connection s\d+.line, channel s\d+.other producer,", told)
    assert re.search(r"source s\d+.a_suspended_connection_is_read_again_once_its_queue_is_not_full", told)
    assert not re.search(r"time \d{13}", told)


@pytest.mark.parametrize(
    "arguments",
    sampled(
        [
            ("explain", "examples/symptoms/broker.xml"),
            ("explain", "examples/symptoms/activemq.xml"),
            ("explain", "examples/symptoms/virtualhost.json"),
            ("explain", "examples/symptoms/virtualhosts.xml", "--broker", "qpid:0.18", "--compare-with", "qpid:10.1.0"),
            ("diff", "reports/qpid-0.18", "reports/qpid-10.1.0"),
            ("diff", "-v", "reports/classic-5.3.1", "reports/classic-6.3.1"),
            ("built", "show", "qpid:10.1.0"),
            ("built", "show", "artemis:2.44.0"),
            ("adapter", "smoke", "reference:qpid-0.18"),
            ("built", "diff", "qpid:0.18", "qpid:10.1.0"),
            ("prove", "--only", "QPID-QUEUE-11"),
            ("spec", "settings"),
            ("spec", "list"),
            ("spec", "list", "--missing"),
            ("spec", "coverage"),
            ("spec", "show", "QPID-QUEUE-2"),
            ("spec", "show", "ARTEMIS-BLOCK-1", "--as-built", "artemis:2.44.0"),
            ("why", "reports/artemis-2.44.0"),
        ],
        kind=lambda arguments: arguments[0],
    ),
    ids=" ".join,
)
def test_what_a_command_prints_fits_the_terminal(arguments: tuple[str, ...]) -> None:
    printed = on_terminal(*arguments)
    assert printed.count("\n") > 3
    assert too_long(printed) == []


def test_a_matrix_of_real_reports_fits_the_terminal(tmp_path: Path) -> None:
    names = [f"reports/{name}" for name in ("qpid-0.18", "qpid-10.1.0", "artemis-2.44.0")]
    printed = on_terminal("matrix", "--to", str(tmp_path), *names)
    assert "Artemis 2.44.0" in printed
    assert too_long(printed) == []


@pytest.mark.parametrize("detail", Detail)
@pytest.mark.parametrize("name", sampled(sorted(path.parent.name for path in REPORTS.glob("*/report.json")), 4))
def test_a_real_report_fits_the_terminal(name: str, detail: Detail) -> None:
    console = Console(width=COLUMNS, file=(file := StringIO()), force_terminal=True)
    report_terminal.show(read_report(REPORTS / name / "report.json"), console, detail=detail)
    assert file.getvalue()
    assert too_long(file.getvalue()) == []


@pytest.mark.parametrize(
    ("name", "declared"),
    [("qpid-10.1.0", "qpid-6.1.7"), ("artemis-2.44.0", "artemis-2.20.0"), ("classic-6.3.1", "classic-5.9.1")],
)
def test_deviations_that_are_not_as_declared_fit_the_terminal(name: str, declared: str) -> None:
    """A real run is held against what is declared of another version, and by figures that it does not show."""
    report = read_report(REPORTS / name / "report.json")
    known = read_deviations(REPORTS / declared / "known-deviations.yaml", set(catalogue()))
    (each,) = report.implementations
    real = {"implementation": each.implementation.name, "version": each.implementation.version}
    own = [one.model_copy(update=real) for one in known]
    changed = replace(report, implementations=(applied(own, each, today=date(2026, 11, 26)),))
    assert changed.implementations[0].deviations_gone
    console = Console(width=COLUMNS, file=(file := StringIO()), force_terminal=True)
    report_terminal.show(changed, console)
    assert "not as declared" in file.getvalue()
    assert too_long(file.getvalue()) == []


def test_a_line_goes_on_below_its_text_and_a_long_word_stays_whole() -> None:
    path = "/var/" + "x" * 90
    assert (
        wrapped(f"  note  the file {path} is damaged", 40, 6) == f"  note  the file\n        {path}\n        is damaged"
    )
    assert wrapped(f"  {path} it is", None) == f"  {path} it is"
