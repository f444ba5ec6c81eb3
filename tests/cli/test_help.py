"""The help of every command fits a terminal of 80 columns, and cuts no sentence short."""

from collections.abc import Iterator

import click
import pytest

from tidegate.cli.main import COMMANDS, FAMILIES, cli

COLUMNS = 80


def helps(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """The path of a command and of each command below it, with its help."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from helps(found, click.Context(found, info_name=name, parent=context, terminal_width=COLUMNS))


HELPS = dict(helps(cli, click.Context(cli, info_name="tidegate", terminal_width=COLUMNS)))


@pytest.mark.parametrize("path", HELPS)
def test_no_line_is_too_long_and_no_sentence_cut_short(path: str) -> None:
    said = HELPS[path].partition("\n")[2].splitlines()
    assert [line for line in said if len(line) > COLUMNS or line.endswith("...")] == []


def test_every_command_is_listed_once_under_whoever_needs_it() -> None:
    assert sorted(COMMANDS) == sorted({path.split()[1] for path in HELPS if " " in path})
    for family in FAMILIES:
        assert f"\n{family}:\n" in HELPS["tidegate"]


def test_an_operator_meets_first_what_an_operator_needs() -> None:
    listed = HELPS["tidegate"].partition("Operate a broker:\n")[2].split()
    assert listed[0] == "why"
