"""What README and guides tell the reader to type exists, with its options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

from tidegate.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])


def typed(text: str) -> Iterator[list[str]]:
    """The words of every tidegate command in blocks of shell and in code within lines."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        lines = token.content.splitlines() if token.type == "fence" and token.info == "sh" else []
        lines += [child.content for child in token.children or () if child.type == "code_inline"]
        for line in lines:
            for command in re.split(r"&&|;", line):
                if re.match(r"\s*(?:\.venv/bin/)?tidegate ", command):
                    yield shlex.split(command, comments=True)[1:]


def fault(words: list[str]) -> str | None:
    """Why a command cannot be typed like this; None where it can."""
    command: click.Command | None = cli
    context = click.Context(cli)
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        command = command.get_command(context, rest.pop(0))
    if command is None:
        return "there is no such command"
    options = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    known = options | {"--help", "--version"}
    unknown = [word for word in rest if word.startswith("--") and word.split("=")[0] not in known]
    return f"no such option: {unknown[0]}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_exists(page: Path) -> None:
    assert [(words, why) for words in typed(page.read_text(encoding="utf-8")) if (why := fault(words))] == []


def test_commands_are_found_and_wrong_ones_noticed() -> None:
    text = "```sh\ntidegate run --adapter x\n.venv/bin/tidegate walk\n```\n`tidegate run --fast`"
    assert [fault(words) for words in typed(text)] == [None, "there is no such command", "no such option: --fast"]
    assert len(list(typed((ROOT / "README.md").read_text(encoding="utf-8")))) >= 4


def test_the_exit_codes_of_the_readme_are_those_of_the_program() -> None:
    from tidegate.record.errors import ExitCode

    rows = re.findall(r"^\| (\d) \| (.+) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(code) for code, _ in rows] == [int(code) for code in ExitCode]
