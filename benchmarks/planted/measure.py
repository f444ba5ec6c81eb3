"""Measure how many planted bugs of a program the suite finds, and by which rules.

    measure.py "./program" bugs.yaml [--bug NAME] [--own] [--run OPTIONS] [--tidegate PATH] [--jobs N]
        [--timeout S] [--json FILE]

Each bug is its own run: `tidegate run --adapter "cmd:PROGRAM --bug NAME"`. A bug is found if a rule is violated in the
report, or if the run ended with 1 and left no verdict.
"""

import argparse
import json
import re
import shlex
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml

FIRST_BLOCK = re.compile(r"^([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)\s+violated", re.MULTILINE)


@dataclass(frozen=True)
class Bug:
    """A planted bug; `rules` are the rules that it breaks, the most direct first."""

    name: str
    what: str
    kind: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """The result of the suite on one bug; `exit_code` is None if the time limit ended the run."""

    name: str
    kind: str
    rules: tuple[str, ...]
    violated: tuple[str, ...]
    first: str | None
    found: bool
    right: bool
    right_first: bool
    exit_code: int | None
    seconds: float


def bugs_of(file: Path) -> list[Bug]:
    """Read the list of bugs; a repeated name ends the command."""
    bugs = [
        Bug(entry["name"], entry["what"], entry["kind"], tuple(entry["rules"]))
        for entry in yaml.safe_load(file.read_text(encoding="utf-8"))
    ]
    names = [bug.name for bug in bugs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"{file}: expected each name once, found twice: {', '.join(twice)}")
    return bugs


def violated_rules(report: Path) -> tuple[str, ...] | None:
    """The rules that a report calls violated, in its order; None if there is no complete report."""
    if not report.exists():
        return None
    content = json.loads(report.read_text(encoding="utf-8"))
    if "footer" not in content:
        return None
    (implementation,) = content["implementations"]
    return tuple(verdict["rule"] for verdict in implementation["verdicts"] if verdict["verdict"] == "violated")


def chosen(bugs: Sequence[Bug], names: Sequence[str]) -> list[Bug]:
    """The bugs of these names, or all where no name is given; an unknown name ends the command."""
    unknown = sorted(set(names) - {bug.name for bug in bugs})
    if unknown:
        raise SystemExit(f"--bug: expected names of the list, found {', '.join(unknown)}")
    by_name = {bug.name: bug for bug in bugs}
    return [by_name[name] for name in names] or list(bugs)


def measure(
    tidegate: str, program: str, bug: Bug, timeout: float, *, run: Sequence[str] = (), own: bool = False
) -> Row:
    """Run the suite on the program with one bug; `timeout` is in seconds, `run` are further options of the run.

    If `own`, only the checks of the rules that the bug breaks are run.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [tidegate, "run", "--adapter", f"cmd:{program} --bug {bug.name}", "--report", folder, *run]
        if own:
            command += [word for rule in bug.rules for word in ("--rule", rule)]
        began = time.monotonic()
        exit_code: int | None
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
            exit_code, terminal = ended.returncode, ended.stdout
        except subprocess.TimeoutExpired:
            exit_code, terminal = None, ""
        seconds = round(time.monotonic() - began, 1)
        violated = violated_rules(Path(folder) / "report.json")
    block = FIRST_BLOCK.search(terminal)
    first = block.group(1) if block else None
    return Row(
        name=bug.name,
        kind=bug.kind,
        rules=bug.rules,
        violated=violated or (),
        first=first,
        found=bool(violated) or (violated is None and exit_code == 1),
        right=any(rule in bug.rules for rule in violated or ()),
        right_first=first in bug.rules,
        exit_code=exit_code,
        seconds=seconds,
    )


def line_of(row: Row) -> str:
    """One line of the table."""
    marks = " ".join("yes" if mark else "-  " for mark in (row.found, row.right, row.right_first))
    code = "time" if row.exit_code is None else str(row.exit_code)
    return (
        f"{row.name:<40} {row.kind:<14} {marks}  {code:>4} {row.seconds:>6.1f}  {row.first or '-':<14} {row.rules[0]}"
    )


def totals(rows: Sequence[Row]) -> str:
    """Totals of each kind and of all, then the bugs that were not found or were found by other rules only."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kinds[row.kind].append(row)
    lines = [f"{'kind':<16} {'bugs':>5} {'found':>6} {'right':>6} {'first':>6}"]
    for kind, some in [*sorted(kinds.items()), ("all", list(rows))]:
        counts = (len(some), sum(r.found for r in some), sum(r.right for r in some), sum(r.right_first for r in some))
        lines.append("{:<16} {:>5} {:>6} {:>6} {:>6}".format(kind, *counts))
    lines += ["", "not found: " + (", ".join(r.name for r in rows if not r.found) or "none")]
    lines += ["found by other rules only: " + (", ".join(r.name for r in rows if r.found and not r.right) or "none")]
    lines += ["another rule first: " + (", ".join(r.name for r in rows if r.right and not r.right_first) or "none")]
    return "\n".join(lines)


def main() -> None:
    """Measure each bug of a list and print the table."""
    parser = argparse.ArgumentParser(description="Say which planted bugs of a program the suite finds.")
    parser.add_argument("program", help="command of the program, without --bug")
    parser.add_argument("bugs", type=Path, help="YAML list of name, what, kind and rules")
    parser.add_argument("--bug", action="append", default=[], metavar="NAME", help="only this bug; may be repeated")
    parser.add_argument("--own", action="store_true", help="only the checks of the rules that the bug breaks")
    parser.add_argument("--run", type=shlex.split, default=[], metavar="OPTIONS", help="further options of each run")
    parser.add_argument("--tidegate", default="tidegate", metavar="PATH", help="the executable")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at a time")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="seconds for each run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the rows in this file")
    options = parser.parse_args()
    rows: list[Row] = []
    print(f"{'bug':<40} {'kind':<14} fnd rgt 1st  exit      s  {'first':<14} expected", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        bugs = chosen(bugs_of(options.bugs), options.bug)
        rows_of = pool.map(
            lambda bug: measure(
                options.tidegate, options.program, bug, options.timeout, run=options.run, own=options.own
            ),
            bugs,
        )
        for row in rows_of:
            print(line_of(row), flush=True)
            rows.append(row)
    print("\n" + totals(rows))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
