"""The arguments of `tidegate matrix` and `tidegate diff`: reports of earlier runs, and implementations to run."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tidegate.record.errors import BadInput, ExitCode, TidegateError, Unavailable
from tidegate.record.hints import near_path

if TYPE_CHECKING:
    from tidegate.record.report import Report

REPORT_JSON = "report.json"


@dataclass(frozen=True)
class Ended:
    """The end of a run of an implementation: with a report, or with a sentence that says why there is none."""

    name: str
    exit_code: ExitCode
    report: "Report | None"
    folder: Path
    why: str = ""


def report_path(name: str) -> Path | None:
    """The report.json of a name; None for the name of an adapter.

    A name is a path if it ends with .json, or is a folder with a report in it.
    """
    path = Path(name)
    if path.suffix == ".json":
        return path
    return path / REPORT_JSON if (path / REPORT_JSON).is_file() else None


def read(name: str, path: Path) -> Ended:
    """An earlier run. `BadInput` where its report is not complete."""
    from tidegate.conformance.report.store import read_report

    report = read_report(path)
    return Ended(name, ExitCode(report.footer.exit_code), report, path.parent)


def run(name: str, folder: Path, options: Sequence[str]) -> Ended:
    """Run an implementation in a process of its own, so that a crash of one does not stop the others."""
    from tidegate.conformance.report.store import read_report

    (folder / REPORT_JSON).unlink(missing_ok=True)
    # the current folder is on the search path only if it is on ours: else its files could be imported
    flags = [] if str(Path.cwd()) in sys.path else ["-P"]
    arguments = ["run", "--adapter", name, "--report", str(folder), *options, "--quiet"]
    ended = subprocess.run(
        [sys.executable, *flags, "-m", "tidegate.cli", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # the summary of a CI job is about the whole command: no single run writes to it
        env={name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"},
    )
    if (folder / REPORT_JSON).is_file():
        report = read_report(folder / REPORT_JSON)
        return Ended(name, ExitCode(report.footer.exit_code), report, folder)
    if ended.returncode == ExitCode.BAD_INPUT:
        return Ended(name, ExitCode.BAD_INPUT, None, folder, _last_line(ended.stderr).removeprefix("tidegate: "))
    why = f"tidegate run --adapter {name} ended with {ended.returncode}: {_last_line(ended.stderr)}"
    return Ended(name, ExitCode.HARNESS, None, folder, why)


def check_names(names: Iterable[str]) -> None:
    """`BadInput` for the first name that is neither a report nor an adapter, before anything is run.

    An adapter that lacks something on this machine is accepted; its run reports what is missing.
    """
    from tidegate.adapters.resolver import resolve

    for name in names:
        if report_path(name) is None:
            try:
                resolve(name)
            except Unavailable:
                continue
            except BadInput:
                if Path(name).is_dir() or "/" in name.partition(":")[0]:
                    said = f"expected the folder of a run or the name of an adapter; {name} has no {REPORT_JSON}"
                    raise BadInput(said + near_path(Path(name) / REPORT_JSON)) from None
                raise


def file_stem(name: str) -> str:
    """The name of an adapter as a part of file names."""
    return "".join(sign if sign.isalnum() or sign in ".-_" else "-" for sign in name)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "nothing was said"


class NotHad(TidegateError):
    """An implementation that could not be run, where the command needs its report."""

    def __init__(self, ended: Ended):
        super().__init__(f"{ended.name}: {ended.why}")
        self.exit_code = ended.exit_code
