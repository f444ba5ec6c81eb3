"""Prints the verdicts of the boundary subset on many versions of real brokers, as a table in Markdown.

    python benchmarks/broker_versions.py [NAME:VERSION...] [--folder DIR]

Runs `tidegate run --adapter NAME:VERSION --subset boundary` for each of them, by default for every version that
`adapters/process/brokers.yaml` names as tried. A version with a report in DIR is not run again. A version that does not
start has a row with the reason. Ends with 2 if there is such a row.
"""

import sys
from collections import Counter
from pathlib import Path

import click
from packaging.version import Version

from tidegate.adapters.resolver import BUILT_IN, tried_versions
from tidegate.cli.sources import REPORT_JSON, Ended, file_stem, read, run
from tidegate.record.errors import ExitCode

BROKERS = [name for name in BUILT_IN if ":" not in name]
COUNTED = ("kept", "violated", "unknown")


def ended(name: str, folder: Path) -> Ended:
    """The end of a version's run; an existing report is kept."""
    report = folder / file_stem(name) / REPORT_JSON
    return read(name, report) if report.is_file() else run(name, report.parent, ["--subset", "boundary"])


def row(name: str, end: Ended) -> str:
    """The row of a version."""
    if end.report is None:
        return f"| `{name}` | {end.why} | | | |"
    (seen,) = end.report.implementations
    counts = Counter(str(each.verdict) for each in seen.verdicts)
    return f"| `{name}` | {' | '.join(str(counts[verdict]) for verdict in COUNTED)} | {seen.seconds:.0f} |"


@click.command()
@click.argument("names", metavar="[NAME:VERSION...]", nargs=-1)
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path("tidegate-versions"),
              show_default=True)  # fmt: skip
def main(names: tuple[str, ...], folder: Path) -> None:
    """Run the versions without a report, and print the table."""
    every = names or [f"{broker}:{each}" for broker in BROKERS for each in sorted(tried_versions(broker), key=Version)]
    ends = [ended(name, folder) for name in every]
    click.echo("| version | kept | violated | unknown | seconds |\n|---|---:|---:|---:|---:|")
    for name, end in zip(every, ends, strict=True):
        click.echo(row(name, end))
    sys.exit(ExitCode.BAD_INPUT if any(end.report is None for end in ends) else ExitCode.OK)


if __name__ == "__main__":
    main()
