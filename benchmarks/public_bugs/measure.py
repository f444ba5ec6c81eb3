"""Say which pairs of releases the suite tells apart: the one with a public bug, and the one without.

    measure.py pairs.yaml [--tidegate PATH] [--pair KEY] [--timeout S] [--json FILE]

A pair is told apart if some rule is violated on the release with the bug and not on the one without. A run that gave no
report is said to have failed, and its pair is not told apart.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml


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
    """What the suite said of a pair: rules violated on one of the two releases only, or why a run has no verdicts."""

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


def violated(tidegate: str, adapter: str, timeout: float) -> frozenset[str] | str:
    """The rules violated on one release, or in a line why the run has no report; `timeout` is in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tidegate, "run", "--adapter", adapter, "--report", folder, "--quiet"]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return f"{adapter} did not end within {timeout:g} s"
        report = Path(folder) / "report.json"
        if not report.exists():
            lines = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
            return f"{adapter}: {lines[-1]}"
        (implementation,) = json.loads(report.read_text(encoding="utf-8"))["implementations"]
    return frozenset(verdict["rule"] for verdict in implementation["verdicts"] if verdict["verdict"] == "violated")


def measured(tidegate: str, pair: Pair, timeout: float) -> Row:
    """Run the suite on both releases of a pair."""
    bad = violated(tidegate, f"{pair.adapter}:{pair.bad}", timeout)
    fixed = violated(tidegate, f"{pair.adapter}:{pair.fixed}", timeout)
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
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for each run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the rows in this file")
    options = parser.parse_args()
    pairs = [Pair(**entry) for entry in yaml.safe_load(options.pairs.read_text(encoding="utf-8"))]
    unknown = sorted(set(options.pair or ()) - {pair.key for pair in pairs})
    if unknown:
        parser.error(f"{options.pairs}: expected a key of the list, not {', '.join(unknown)}")
    rows: list[Row] = []
    for pair in pairs:
        if options.pair and pair.key not in options.pair:
            continue
        rows.append(measured(options.tidegate, pair, options.timeout))
        print(line_of(rows[-1]), flush=True)
    print(f"\n{sum(row.told_apart for row in rows)} of {len(rows)} pairs told apart")
    if options.json:
        kept = [asdict(row) | {"told_apart": row.told_apart} for row in rows]
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
