"""Finds every place in the chapters that chooses between several readings of a document."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

CHAPTERS = Path(str(files("tidegate.spec")))
SAYS_SO = re.compile(
    r"\bscored\b|\bother reading|\bat its word\b|\b(?:is|are) read (?:so|to|as|per|from)\b|\b(?:first|once) is read\b",
    re.IGNORECASE,
)
"""The words by which a section chooses between readings."""
HEADING = re.compile(r"^#+ (?P<title>.+)$")
RULE = re.compile(r"^(?P<id>[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+) · ")
SCORED = "Scored"
"""The column of a table that says which answer to a question is scored."""
INTRODUCTIONS = ("index.md",)
"""Pages that explain readings, and choose none."""


def statements() -> dict[str, str]:
    """The page that chooses between readings, by the rule, heading or question of the choice."""
    return {
        statement: str(page.relative_to(CHAPTERS))
        for page in sorted(CHAPTERS.rglob("*.md"))
        if page.name not in INTRODUCTIONS
        for statement in _of_page(page.read_text(encoding="utf-8"))
    }


def _of_page(text: str) -> Iterator[str]:
    title, lines, is_code = "", list[str](), False
    for line in [*text.splitlines(), "# the end"]:
        is_code ^= line.startswith("```")
        heading = None if is_code else HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        yield from _of_section(title, lines)
        title, lines = heading["title"], []


def _of_section(title: str, lines: list[str]) -> Iterator[str]:
    prose = [line for line in lines if not line.startswith("|")]
    tables = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("|")]
    asks = tables and SCORED in tables[0]
    if asks:
        yield from (cells[0] for cells in tables[2:])
    rule = RULE.match(title)
    if (rule or (tables and not asks)) and SAYS_SO.search(" ".join([*prose, *map(str, tables)])):
        yield rule["id"] if rule else title
