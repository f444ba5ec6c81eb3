"""The tutorial as a script: its blocks are written, changed and run in the order in which they stand."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from tests.examples.environments import run

TITLE = re.compile(r'(?P<language>\w+)(?: title="(?P<title>[^"]+)")?')
EXITS = re.compile(r"<!-- exits with (?P<code>\d) -->")
STATE = "state.sh"


@dataclass(frozen=True)
class Block:
    """A block of the page; `code` is how its commands end."""

    language: str
    title: str
    text: str
    code: int


def blocks(page: Path) -> Iterator[Block]:
    """Every block in its order."""
    code = 0
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "html_block" and (found := EXITS.match(token.content)):
            code = int(found["code"])
        elif token.type == "fence":
            words = TITLE.fullmatch(token.info)
            assert words is not None, f"line {token.map}: {token.info}"
            yield Block(words["language"], words["title"] or "", token.content, code)
            code = 0


def follow(page: Path, folder: Path, environment: Mapping[str, str], *, without: str | None = None) -> list[str]:
    """Do what the page says, as one shell would; AssertionError where something comes out otherwise.

    Blocks of commands that hold `without` are left out, with the output that follows them. Gives the commands run.
    """
    commands: list[str] = []
    output: str | None = None
    state = folder / STATE
    state.write_text(f"cd {folder}\n", encoding="utf-8")
    for block in blocks(page):
        where = Path(state.read_text(encoding="utf-8").splitlines()[-1].removeprefix("cd "))
        match block.language:
            case "sh" if without and without in block.text:
                output = None
            case "sh":
                output = _shell(block, folder, environment)
                commands += block.text.splitlines()
            case "text" if output is not None:
                for line in block.text.splitlines():
                    assert _flat(line) in _flat(output), f"{line!r} is not in\n{output}"
            case "python" | "diff":
                _change(where / block.title, block)
    return commands


def _shell(block: Block, folder: Path, environment: Mapping[str, str]) -> str:
    """Run commands where the last ones ended, in the environment that they made active."""
    script = f"set -e\n. {folder / STATE}\n{block.text}"
    script = f"trap 'code=$?; {_keep(folder)}; exit $code' EXIT\n{script}"
    ended = run("bash", "-c", script, folder=folder, environment=environment, code=block.code)
    return ended.stdout + ended.stderr


def _keep(folder: Path) -> str:
    return (
        f'{{ [ -z "${{VIRTUAL_ENV:-}}" ] || echo ". $VIRTUAL_ENV/bin/activate"; echo "cd $PWD"; }} > {folder / STATE}'
    )


def _change(file: Path, block: Block) -> None:
    if block.language == "python":
        file.write_text(block.text, encoding="utf-8")
        return
    lines = block.text.splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file} does not hold once:\n{before}"
    file.write_text(text.replace(before, after), encoding="utf-8")


def _flat(text: str) -> str:
    """The text as if no terminal had wrapped it."""
    return " ".join(text.split())
