"""The help texts of the commands."""

from collections.abc import Iterator

import click

from generate.markup import fence, paragraphs
from tidegate.cli.main import cli

WIDTH = 100


def commands() -> str:
    """The help of every command and subcommand."""
    return paragraphs(
        *_helps(cli, click.Context(cli, info_name="tidegate", max_content_width=WIDTH, terminal_width=WIDTH))
    )


def _helps(command: click.Command, context: click.Context) -> Iterator[str]:
    path = context.command_path
    depth = "##" if path.count(" ") < 2 else "###"
    yield f"{depth} {path}\n\n{fence(command.get_help(context))}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _helps(found, click.Context(found, info_name=name, parent=context, terminal_width=WIDTH))
