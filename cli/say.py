"""Sentences of commands: within the width of a terminal, and on whole lines in a pipe."""

import click

from tidegate.pages.lines import columns, wrapped


def say(line: str, under: int = 2) -> None:
    """Print a line; on a terminal its continuation lines are indented by `under` characters."""
    click.echo(wrapped(line, columns(), under))
