"""`tidegate spec requirements`: shows a set of rules, and writes the set anew until it is frozen."""

from importlib.resources import as_file
from pathlib import Path

import click

from tidegate.cli.paths import WRITTEN_FOLDER


@click.command()
@click.argument("name", metavar="SET", required=False)
@click.option("--renew", is_flag=True, help="Write the set anew, with every rule that the specification has now.")
@click.option("--freeze", is_flag=True,
              help="Write the set anew for the last time: a frozen set is never written again.")  # fmt: skip
@click.option("--to", "folder", type=WRITTEN_FOLDER,
              help="Write the set into this folder instead of the specification's.")  # fmt: skip
def requirements(name: str | None, renew: bool, freeze: bool, folder: Path | None) -> None:
    """List the frozen sets of rules, or the rules of SET.

    Exit code 2 if the set does not exist, or if a frozen set would change.
    """
    from tidegate.catalogue import catalogue
    from tidegate.catalogue.requirements import FOLDER as SETS
    from tidegate.catalogue.requirements import renewed, requirement_set, set_names
    from tidegate.catalogue.shelf import spec_folder

    if name is None:
        for each in set_names():
            found = requirement_set(each)
            click.echo(f"{each}\t{len(found.rules)} rules\t{'frozen' if found.frozen else 'not frozen yet'}")
        return
    if renew or freeze:
        with as_file(spec_folder()) as shipped:
            made = renewed(name, freeze=freeze, path=(folder or shipped / SETS) / f"{name}.yaml")
        click.echo(f"{name} holds {len(made.rules)} rules and is {'frozen' if freeze else 'not frozen yet'}")
        return
    for rule in requirement_set(name).rules:
        click.echo(f"{rule}\t{catalogue()[rule].title}")
