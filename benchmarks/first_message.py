"""Measures how often the first block of a report names the rule that a broker breaks, and how often any block does.

    python -m benchmarks.first_message [--folder DIR] [--only TEXT] [--sample N] [--all]

Runs the whole suite on the reference with each release bug of `tests/conformance/release_bugs`, and on each of the
deliberately broken brokers of the tests, one at a time, and reads the order of rules in the report. Prints a table by
adapter, and each bug for which another rule comes first, with the deciding check (`--all`: every bug). A bug with a
report in DIR is not run again, so a change of the order alone is measured in seconds; a change of the suite needs a new
folder.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

import click

from tests.conformance.broken_by import BROKEN_BY
from tests.conformance.release_bugs import bugs
from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue
from tidegate.conformance.assembly import assemble
from tidegate.conformance.report.store import read_report, write_report
from tidegate.conformance.report.view import deciding, unlike_kept
from tidegate.conformance.runner import run_suite
from tidegate.record.report import CheckKind

PROCESSES = 2


class Broken(Protocol):
    """A broken broker: a description of the fault, its implementation, and the rules that it breaks."""

    @property
    def text(self) -> str: ...
    @property
    def adapter(self) -> str: ...
    @property
    def breaks(self) -> tuple[str, ...]: ...
    def make(self) -> Adapter: ...


@dataclass(frozen=True)
class BrokenClass:
    """A broken broker of the tests."""

    cls: type
    breaks: tuple[str, ...]

    @property
    def text(self) -> str:
        """The description of its fault."""
        return f"{self.cls.__name__}: {(self.cls.__doc__ or '').strip()}"

    @property
    def adapter(self) -> str:
        """The name of its row in the table."""
        return "the tests' own"

    def make(self) -> Adapter:
        """The broker."""
        adapter: Adapter = self.cls()
        return adapter


def brokers() -> list[Broken]:
    """All broken brokers."""
    return [*bugs(), *(BrokenClass(cls, rules) for cls, rules in BROKEN_BY.items())]


@dataclass(frozen=True)
class Told:
    """The rules in a bug's report, in their order, and the check that the report shows first."""

    bug: Broken
    rules: tuple[str, ...]
    kind: CheckKind | None
    check: str

    @property
    def first(self) -> bool:
        """Whether the first block names the right rule."""
        return self.rules[:1] != () and self.rules[0] in self.bug.breaks

    @property
    def anywhere(self) -> bool:
        """Whether some block names the right rule."""
        return not set(self.bug.breaks).isdisjoint(self.rules)


def run(bug: Broken, report: Path) -> None:
    """Write the report of the whole suite on one bug."""
    conformance = run_suite(
        {bug.adapter: bug.make}, lambda rule: frozenset(catalogue()[rule].needs), report.with_suffix("")
    )
    if conformance.errors:
        raise AssertionError(f"{len(conformance.errors)} errors, such as {conformance.errors[0]}")
    today = datetime.now(UTC).date()
    write_report(assemble(conformance, (), "", whole=True, today=today), report)


def told(bug: Broken, report: Path) -> Told:
    """The rules of a report in their order, with the first check."""
    found = [verdict for _, verdict in unlike_kept(read_report(report))]
    evidence = deciding(found[0])[:1] if found else ()
    first = evidence[0].check if evidence else None
    return Told(bug, tuple(each.rule for each in found), first.kind if first else None, first.check if first else "")


def table(all_told: list[Told]) -> Iterator[str]:
    """The shares by adapter and in total."""
    yield "| adapter | bugs | right rule first | right rule in some block | nothing found | first a scenario |"
    yield "|---|---:|---:|---:|---:|---:|"
    adapters = dict.fromkeys(each.bug.adapter for each in all_told)
    for adapter in (*adapters, "") if adapters else ():
        mine = [each for each in all_told if adapter in ("", each.bug.adapter)]
        number = len(mine)
        kinds = Counter(each.kind for each in mine)
        figures = (
            sum(each.first for each in mine),
            sum(each.anywhere for each in mine),
            sum(not each.rules for each in mine),
            kinds[CheckKind.SCENARIO],
        )
        shown = " | ".join(f"{figure} ({figure / number:.0%})" for figure in figures)
        yield f"| {adapter or 'all'} | {number} | {shown} |"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path("tidegate-first"),
              show_default=True, help="Where the reports are kept.")  # fmt: skip
@click.option("--only", default="", help="Only bugs in whose text, or among whose rules, this is found.")
@click.option("--sample", type=click.IntRange(1), default=1, help="Only each Nth bug.")
@click.option("--all", "every", is_flag=True, help="Say of every bug what was told first.")
def main(folder: Path, only: str, sample: int, every: bool) -> None:
    """Run, read and print."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [bug for bug in brokers() if only in f"{bug.text} {' '.join(bug.breaks)}"][::sample]
    reports = {
        bug: folder / f"{re.sub('[^a-z0-9]+', '-', bug.adapter + ' ' + bug.text.lower())}.json" for bug in chosen
    }
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        runs = {bug: pool.submit(run, bug, report) for bug, report in reports.items() if not report.is_file()}
        failed = {bug: error for bug, each in runs.items() if (error := each.exception())}
    for bug, error in failed.items():
        print(f"could not be run: {bug.text}: {error}", file=sys.stderr)
    all_told = [told(bug, report) for bug, report in reports.items() if bug not in failed]
    for line in table(all_told):
        print(line)
    for each in all_told:
        if every or not each.first:
            place = "first" if each.first else "later" if each.anywhere else "never"
            print(
                f"{place}: {each.bug.text} ({', '.join(each.bug.breaks)}): "
                f"{' '.join(each.rules) or 'nothing'}; {each.kind} {each.check}"
            )
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
