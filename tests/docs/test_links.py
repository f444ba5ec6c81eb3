"""Links of the files that are read in the repository itself: each leads to a file, and to a heading of it."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def links(text: str) -> list[str]:
    """Every target of a link or picture."""
    tokens = [child for token in MarkdownIt("commonmark").parse(text) for child in token.children or ()]
    targets = [str(token.attrs.get("href") or token.attrs.get("src") or "") for token in tokens]
    return [target for target in targets if target]


def anchors(text: str) -> set[str]:
    """The anchors of all headings, as the hosting sites and mkdocs both make them."""
    tokens = MarkdownIt("commonmark").parse(text)
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere; those to other sites are not looked at."""
    found = []
    for target in links(text):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            found.append(target)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    assert links(text) != []
    assert broken(page, text) == []


def test_a_link_that_leads_nowhere_is_noticed() -> None:
    text = "[a](README.md) [b](nowhere.md) ![c](docs/images/none.png) [d](docs/guides/run.md#known-deviations) [e](#f)"
    assert broken(ROOT / "CONTRIBUTING.md", text) == ["nowhere.md", "docs/images/none.png", "#f"]
