"""`tidegate vectors`: writes the boundary vectors of the rules, and checks that the written ones are up to date."""

import sys
from importlib.resources import as_file, files
from pathlib import Path

import click

from tidegate.cli.groups import Group
from tidegate.cli.paths import FOLDER_THERE
from tidegate.record.counts import counted
from tidegate.record.errors import ExitCode


@click.group(cls=Group)
def vectors() -> None:
    """Write or check the boundary vectors."""


@vectors.command()
@click.option("--to", "folder", type=FOLDER_THERE, help="Write the vectors into this folder instead of the package.")
def write(folder: Path | None) -> None:
    """Generate the vectors from the rules and write them."""
    from tidegate.conformance.vectors import generate

    with as_file(files("tidegate.conformance.vectors")) as beside:
        changed = generate.write(folder or beside)
    click.echo(f"{counted(len(changed), 'files')} changed" + "".join(f"\n  {name}" for name in changed))


@vectors.command()
@click.option("--in", "folder", type=FOLDER_THERE, help="Check the vectors of this folder instead of the package.")
def check(folder: Path | None) -> None:
    """Generate the vectors again and compare; exit code 1 if a written file differs from the rules."""
    from tidegate.conformance.vectors import generate

    with as_file(files("tidegate.conformance.vectors")) as beside:
        found = list(generate.differences(folder or beside))
    for difference in found:
        click.echo(str(difference), err=True)
    if found:
        sys.exit(ExitCode.VIOLATED)
    click.echo("the vectors are what the rules give")
