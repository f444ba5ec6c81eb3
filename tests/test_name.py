"""Checks that no file has a package index resolve tidegate: another project may own the name there.

Every instruction to install tidegate has an address with the name (`tidegate @ ADDRESS`), or a folder in its place.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.tracked import ROOT, files, text_of

REQUIREMENT = re.compile(r"(?<![\w./:@$-])(?<!\{\[)tidegate(?P<extras> ?\[[a-z, .-]*\])?+(?![\w./-])(?! *@ *\S)")
"""The name with its extras, not followed by an address."""
VERSION = re.compile(r" ?(?:[<>=~!]=|[<>]) ?v?\d")
INSTALLING = re.compile(
    r"\b(?:pip3?|pipx|uv|poetry|pdm|conda|hatch)\b.* (?:install|add|download|wheel|run|inject)\b|\buvx\b"
)
COMMANDS_END = re.compile(r"&&|[;|]")
KEY = re.compile(r"\s*[\w.-]*(?:deps|requires|dependencies)\s*[=:]")
"""The beginning of a line that lists the requirements of an environment or a project."""


def asked_of_an_index(file: Path, text: str) -> list[str]:
    """The lines of a file, or the entries of its tables, that make an index resolve tidegate."""
    lines = [line.strip() for line in text.splitlines() if "tidegate" in line and _is_asked(line)]
    return lines + [entry for table in _tables(file, text) for entry in _entries(table) if _is_asked(entry)]


def _is_asked(line: str) -> bool:
    return any(
        found["extras"] or VERSION.match(line, found.end()) or _is_bare(line[: found.start()], line[found.end() :])
        for found in REQUIREMENT.finditer(line)
    )


def _is_bare(before: str, after: str) -> bool:
    """Whether the name alone is a requirement: in a command that installs, as an entry of a list, or by itself."""
    if not (before + after).strip(" \t'\",-"):
        return True
    command = COMMANDS_END.split(before)[-1]
    return after[:1] in " ],'\"`;)" and bool(INSTALLING.search(command) or KEY.match(before))


def _tables(file: Path, text: str) -> Iterator[dict[str, Any]]:
    """The parsed TOML of a file, or of the TOML blocks of a page."""
    if file.suffix == ".toml":
        yield tomllib.loads(text)
    if file.suffix == ".md":
        blocks = MarkdownIt("commonmark").parse(text)
        yield from (tomllib.loads(block.content) for block in blocks if block.info.startswith("toml"))


def _entries(table: dict[str, Any]) -> Iterator[str]:
    """The entries of all optional dependencies and dependency groups."""
    groups = (table.get("project", {}).get("optional-dependencies", {}), table.get("dependency-groups", {}))
    for group in groups:
        for entries in group.values():
            yield from (entry for entry in entries if isinstance(entry, str))


def test_no_file_asks_an_index_for_tidegate() -> None:
    looked_at = [file for file in files() if file != Path(__file__).relative_to(ROOT)]
    assert {Path("README.md"), Path("action.yml"), Path("cli/templates/tox.ini.j2")} <= set(looked_at)
    assert {str(file): found for file in looked_at if (found := asked_of_an_index(file, text_of(file)))} == {}


ASKING = (
    ("a.md", "pip install tidegate"),
    ("a.md", "    pip install --quiet tidegate tox"),
    ("a.md", "It needs `pip install tidegate`, which takes long."),
    ("a.md", 'python -m pip install "tidegate"'),
    ("a.md", "uv tool install tidegate"),
    ("a.sh", "pipx run tidegate adapter new pond"),
    ("a.py", "\"proofs need the solver z3: pip install 'tidegate[proofs]'\""),
    ("a.py", 'f"{missing} not found; install tidegate[pipeline]"'),
    ("a.txt", "tidegate>=0.1"),
    ("a.txt", "tidegate == 0.1.0"),
    ("a.txt", "tidegate"),
    ("a.txt", "tidegate [proofs, pipeline] ~= 1.0"),
    ("tox.ini", "deps = tidegate"),
    ("tox.ini", "deps = pytest, tidegate"),
    ("tox.ini", "requires =\n    tox>=4.20\n    tidegate\n"),
    ("tox.ini.j2", "    tidegate>={{ tidegate }}\n    tidegate>=1"),
    ("a.yaml", "dependencies:\n  - tidegate\n"),
    ("a.yaml", "additional_dependencies: [tidegate]"),
    ("pyproject.toml", '[project]\ndependencies = ["tidegate"]'),
    ("pyproject.toml", '[project]\ndependencies = [\n  "click",\n  "tidegate",\n]'),
    ("pyproject.toml", '[project.optional-dependencies]\nconformance = ["tidegate"]'),
    ("pyproject.toml", '[project.optional-dependencies]\nconformance = ["tidegate[proofs]"]'),
    ("pyproject.toml", '[dependency-groups]\nconformance = ["tidegate >= 0.1"]'),
    ("a.md", '```toml\n[project.optional-dependencies]\nconformance = ["tidegate"]\n```'),
)


@pytest.mark.parametrize(("name", "text"), ASKING)
def test_each_form_of_asking_is_noticed(name: str, text: str) -> None:
    assert asked_of_an_index(Path(name), text) != []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", 'pip install "tidegate @ $TIDEGATE_SOURCE" tox'),
        ("a.md", "pip install 'tidegate[proofs] @ git+https://host.example/tidegate@v1'"),
        ("a.md", "pip install '.[pipeline]' && tidegate trace check LOGS"),
        ("a.md", "pip install ./tidegate"),
        ("a.md", "What pip installs as `tidegate` comes from a checkout."),
        ("tox.ini", "deps = tidegate @ {[tidegate]source}"),
        ("tox.ini", "requires =\n    tox>=4.20\n    tidegate @ {[tidegate]source}\n"),
        ("pyproject.toml", '[project.scripts]\ntidegate = "tidegate.cli.main:main"'),
        ("pyproject.toml", '[tool.ruff.lint.isort]\nknown-first-party = ["tidegate"]'),
    ],
)
def test_other_mentions_are_not(name: str, text: str) -> None:
    assert asked_of_an_index(Path(name), text) == []
