"""`tidegate adapter`: lists adapters, prints their contract, writes the skeleton of an adapter, and tries its verbs."""

import sys
from pathlib import Path

import click

from tidegate.cli.completion import adapters
from tidegate.cli.groups import Group
from tidegate.cli.paths import WRITTEN_FOLDER
from tidegate.record.errors import ExitCode


@click.group(cls=Group)
def adapter() -> None:
    """Write an adapter, and try each of its verbs."""


@adapter.command("list")
def list_adapters() -> None:
    """List the names that --adapter takes in this environment, besides module:Class and cmd:PROGRAM."""
    from tidegate.adapters.resolver import names

    for name in names():
        click.echo(name)


@adapter.command()
@click.argument("name")
@click.option("--directory", type=WRITTEN_FOLDER,
              help="Folder for the project; by default a new folder NAME.")  # fmt: skip
@click.option("--source", metavar="URL", envvar="TIDEGATE_SOURCE", show_envvar=True,
              help="Source from which the project installs tidegate; by default the source of this "
                   "installation.")  # fmt: skip
def new(name: str, directory: Path | None, source: str | None) -> None:
    """Write a project with the skeleton of an adapter for the implementation NAME.

    The project runs at once: each verb that you have not written yet raises an error that says what to write. Exit
    code 2 if NAME is no name of a Python package, if a file exists already, or if the source of tidegate is unknown.
    """
    from tidegate.cli.origin import origin
    from tidegate.cli.skeleton import write

    folder = directory or Path(name)
    for file in write(name, folder, origin(source)):
        click.echo(file)
    click.echo(f"Next: cd {folder} && pip install -e . && tidegate adapter smoke {name}")


@adapter.command("contract")
def show_contract() -> None:
    """Print the contract of an adapter: verbs, groups of verbs, capabilities, and each field with its default."""
    from tidegate.cli.contract import lines

    click.echo("\n".join(lines()).strip())


@adapter.command()
@click.argument("name", shell_complete=adapters)
def smoke(name: str) -> None:
    """Call the verbs of the adapter NAME one by one, up to the first unexpected answer.

    Each step shows what was asked, what was answered and what was expected. Exit code 1 if an answer differs.
    """
    from rich.console import Console

    from tidegate.adapters.resolver import resolve
    from tidegate.cli.smoke_steps import Steps
    from tidegate.conformance.smoke import smoke as walk

    steps = Steps(Console())
    for full_name, factory in resolve(name).items():
        made = factory()
        steps.begin(full_name)
        walk(made, steps.take)
        steps.end(full_name)
    if steps.fixes:
        sys.exit(ExitCode.VIOLATED)
