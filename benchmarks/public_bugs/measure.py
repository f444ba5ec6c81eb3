"""Print which pairs of releases, one with a public bug and one without, the suite tells apart.

    measure.py pairs.yaml [--tidegate PATH] [--pair KEY] [--short] [--timeout S] [--json FILE] [--reports DIR]

A pair is told apart if some rule is violated on the release with the bug and not on the one without. A run without a
report is printed as failed, and its pair is not told apart.
"""

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from short_run import checks

from tidegate.adapters.resolver import resolve

FAULTS = "4"
"""The most checks of a short run that kill, pause or cut something."""


@dataclass(frozen=True)
class Pair:
    """A bug, with the last release that has it and the first that does not."""

    key: str
    adapter: str
    bad: str
    fixed: str
    what: str


@dataclass(frozen=True)
class Row:
    """The result of a pair: the rules violated on one release only, or the reason why a run has no verdicts."""

    key: str
    adapter: str
    bad: str
    fixed: str
    only_bad: tuple[str, ...]
    only_fixed: tuple[str, ...]
    failed: str

    @property
    def told_apart(self) -> bool:
        """Whether a rule is violated on the release with the bug only."""
        return bool(self.only_bad)


@dataclass(frozen=True)
class Run:
    """The settings of a run on each release."""

    tidegate: str
    short: bool
    timeout: float
    """In seconds."""
    reports: Path
    """The folder of the reports, each in its own folder."""

    def command(self, adapter: str) -> list[str]:
        """The command for one release."""
        command = [self.tidegate, "run", "--adapter", adapter, "--report", str(self.folder(adapter)), "--quiet"]
        if self.short:
            command += ["--only", "scenario", "--faults", FAULTS]
            (factory,) = resolve(adapter).values()
            command += [each for check in checks(factory().capabilities) for each in ("--check", check)]
        return command

    def folder(self, adapter: str) -> Path:
        """The folder of the report on one release."""
        return self.reports / adapter.replace(":", "-")


@cache
def violated(run: Run, adapter: str) -> frozenset[str] | str:
    """The rules violated on one release, which runs once, or in one line the reason why the run has no report."""
    try:
        ended = subprocess.run(run.command(adapter), capture_output=True, text=True, timeout=run.timeout, check=False)
    except subprocess.TimeoutExpired:
        return f"{adapter} did not end within {run.timeout:g} s"
    report = run.folder(adapter) / "report.json"
    if not report.exists():
        lines = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
        return f"{adapter}: {lines[-1]}"
    (implementation,) = json.loads(report.read_text(encoding="utf-8"))["implementations"]
    return frozenset(verdict["rule"] for verdict in implementation["verdicts"] if verdict["verdict"] == "violated")


def measured(run: Run, pair: Pair) -> Row:
    """Run the suite on both releases of a pair."""
    bad = violated(run, f"{pair.adapter}:{pair.bad}")
    fixed = violated(run, f"{pair.adapter}:{pair.fixed}")
    failed = "; ".join(each for each in (bad, fixed) if isinstance(each, str))
    only_bad: Sequence[str] = ()
    only_fixed: Sequence[str] = ()
    if not isinstance(bad, str) and not isinstance(fixed, str):
        only_bad, only_fixed = sorted(bad - fixed), sorted(fixed - bad)
    return Row(pair.key, pair.adapter, pair.bad, pair.fixed, tuple(only_bad), tuple(only_fixed), failed)


def line_of(row: Row) -> str:
    """One line of the table."""
    name = f"{row.key:<13} {row.adapter}:{row.bad} / {row.fixed}"
    if row.failed:
        return f"{name:<46} failed      {row.failed}"
    verdict = "told apart" if row.told_apart else "not told"
    return f"{name:<46} {verdict:<11} {', '.join(row.only_bad) or '-'} (only without the bug: {len(row.only_fixed)})"


def main() -> None:
    """Measure the pairs of a list and print a line for each."""
    parser = argparse.ArgumentParser(description="Say which pairs of releases the suite tells apart.")
    parser.add_argument("pairs", type=Path, help="YAML list of key, adapter, bad, fixed and what")
    parser.add_argument("--tidegate", default="tidegate", metavar="PATH", help="the executable")
    parser.add_argument("--pair", action="append", metavar="KEY", help="only this pair; may be repeated")
    parser.add_argument("--short", action="store_true", help="only the checks of short_run.py")
    parser.add_argument("--reports", type=Path, metavar="DIR", help="keep each report below this folder")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for each run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the rows in this file")
    options = parser.parse_args()
    pairs = [Pair(**entry) for entry in yaml.safe_load(options.pairs.read_text(encoding="utf-8"))]
    unknown = sorted(set(options.pair or ()) - {pair.key for pair in pairs})
    if unknown:
        parser.error(f"{options.pairs}: expected a key of the list, not {', '.join(unknown)}")
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        run = Run(options.tidegate, options.short, options.timeout, options.reports or Path(folder))
        for pair in pairs:
            if not options.pair or pair.key in options.pair:
                rows.append(measured(run, pair))
                print(line_of(rows[-1]), flush=True)
    print(f"\n{sum(row.told_apart for row in rows)} of {len(rows)} pairs told apart")
    if options.json:
        kept = [asdict(row) | {"told_apart": row.told_apart} for row in rows]
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
