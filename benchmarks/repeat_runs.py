"""Checks whether repeated runs of the whole suite on one broker reach the same verdicts, and how long each takes.

    python benchmarks/repeat_runs.py ADAPTER... [--runs N] [--folder DIR]

Runs `tidegate run --adapter ADAPTER` N times and prints, for each adapter, how many rules and checks have the same
verdict in every run; the others are listed with the verdict of each run. A run with a report in DIR is not made again.
Ends with 1 if verdicts differ.
"""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import click

from tidegate.conformance.report.store import read_report
from tidegate.record.errors import ExitCode

ENDS_WELL = (ExitCode.OK, ExitCode.VIOLATED, ExitCode.UNKNOWN)
"""A run that found violations or could not judge something has a report; any other end is a failed measurement."""

Verdicts = dict[str, str]
"""The verdict or result by rule, or by rule and check."""


def verdicts_of(report: Path) -> Verdicts:
    """The verdict of a run on each rule and the result of each check."""
    said: Verdicts = {}
    for implementation in read_report(report).implementations:
        for verdict in implementation.verdicts:
            said[verdict.rule] = verdict.verdict
            said |= {f"{verdict.rule} {check.check}": check.result for check in verdict.checks}
    return said


def run(adapter: str, folder: Path) -> Path:
    """The report of one run of the whole suite; an existing report is kept."""
    report = folder / "report.json"
    if not report.is_file():
        command = [sys.executable, "-P", "-m", "tidegate.cli", "run", "--adapter", adapter, "--report", str(folder)]
        ended = subprocess.run([*command, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if ended.returncode not in ENDS_WELL:
            sys.exit(f"{adapter} ended with {ended.returncode}: {ended.stderr.decode()}")
    return report


def differing(runs: list[Verdicts]) -> dict[str, list[str]]:
    """Each rule and check with different verdicts, with the verdict of each run."""
    said = defaultdict(list)
    for name in dict.fromkeys(name for each in runs for name in each):
        said[name] = [each.get(name, "did not run") for each in runs]
    return {name: each for name, each in said.items() if len(set(each)) > 1}


@click.command()
@click.argument("adapters", metavar="ADAPTER...", nargs=-1, required=True)
@click.option("--runs", type=click.IntRange(2), default=10, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path("tidegate-repeats"),
              show_default=True)  # fmt: skip
def main(adapters: tuple[str, ...], runs: int, folder: Path) -> None:
    """Run, compare and print."""
    print("| broker | runs | rules and checks | the same in every run | seconds |\n|---|---:|---:|---:|---:|")
    different: dict[str, dict[str, list[str]]] = {}
    for adapter in adapters:
        reports = [run(adapter, folder / adapter.replace(":", "-") / str(n)) for n in range(1, runs + 1)]
        said = [verdicts_of(report) for report in reports]
        different[adapter] = differing(said)
        taken = sorted(sum(each.seconds for each in read_report(report).implementations) for report in reports)
        names = {name for each in said for name in each}
        alike = len(names) - len(different[adapter])
        print(f"| {adapter} | {runs} | {len(names)} | {alike} | {taken[0]:.0f}–{taken[-1]:.0f} |", flush=True)
    for adapter, found in different.items():
        for name, each in found.items():
            print(f"{adapter}: {name}: {', '.join(each)}")
    sys.exit(1 if any(different.values()) else 0)


if __name__ == "__main__":
    main()
