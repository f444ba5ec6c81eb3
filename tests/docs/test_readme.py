"""The README's order: whoever has a send() that hangs comes first, and each reader's commands stand on one screen."""

import re
import shlex
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.outputs import printed

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL))
SCREEN = 50
"""How many lines of text a screen shows; a browser that folds long lines is no wider than a terminal of 120 columns."""
OF_PIP = re.compile(
    r"^python3 -m venv \.venv && \.venv/bin/pip install --quiet (\S+) && \.venv/bin/(\S+) (.+)$", re.MULTILINE
)


def test_the_first_command_needs_pip_alone_and_prints_what_the_readme_shows() -> None:
    name, section = next(iter(SECTIONS.items()))
    first, shown = re.findall(r"^```(?:sh|text)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[:2]
    command = OF_PIP.fullmatch(first.strip())
    assert "hangs" in name and command is not None, first
    assert (shlex.split(command[1]), command[2]) == ([".[logs]"], "tidegate")
    assert " ".join(shown.split()) == " ".join(printed(f"tidegate {command[3]}").split())
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_the_table_leads_to_each_reader_in_the_order_of_the_sections() -> None:
    table = re.findall(r"\| \[[^\]]+\]\(#([\w-]+)\) \|$", README, re.MULTILINE)
    headings = [re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-") for name in SECTIONS]
    assert len(table) == 4
    assert table == headings[:4]


@pytest.mark.parametrize("name", list(SECTIONS)[:4])
def test_the_first_commands_of_a_reader_stand_on_one_screen(name: str) -> None:
    section = SECTIONS[name]
    ends = [found.end() for found in re.finditer(r"^```sh\n.*?^```", section, re.MULTILINE | re.DOTALL)]
    assert len(ends) >= 1 and section[: ends[-1]].count("\n") <= SCREEN, name


def test_the_gate_runs_the_commands_of_the_readme() -> None:
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    tox = [found[0] for found in OF_PIP.finditer(README) if found[2] == "tox"]
    assert len(tox) == 2
    assert [command for command in tox if command not in gate] == []
