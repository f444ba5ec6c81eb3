"""Markdown for the site: tables, fences and folded blocks."""

import re
import textwrap
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown on one line."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def boxed(css_class: str, content: str) -> str:
    """Markdown in a box with a class for the style sheet."""
    return f'<div class="{css_class}" markdown>\n\n{content}\n\n</div>'


def fence(content: str, language: str = "text") -> str:
    """A block of code."""
    return f"```{language}\n{content.rstrip()}\n```"


def folded(kind: str, title: str, content: str) -> str:
    """A block that opens on a click."""
    return f'??? {kind} "{title}"\n\n{textwrap.indent(content, "    ", lambda line: bool(line.strip()))}'


def code(text: str) -> str:
    """Text as code within a line."""
    return f"`{text}`"


def literal(text: str) -> str:
    """Text of a broker or a tool, with every character escaped that Markdown or HTML reads as markup."""
    return re.sub(r"[\\`*_{}\[\]<>|#~&]", lambda sign: f"&#{ord(sign[0])};", text)


def paragraphs(*parts: str) -> str:
    """The blocks that are not empty, with an empty line between them."""
    return "\n\n".join(part for part in parts if part)


def _cell(text: str) -> str:
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else part.replace("|", r"\|") for part in parts)
