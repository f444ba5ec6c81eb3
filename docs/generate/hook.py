"""The hook of the site: adds the computed pages and fills in the tables that pages ask for.

A page asks for a table by a line `<!-- table: NAME -->`, and for a figure by `<!-- figure: NAME -->`, with the names in
`TABLES` and `figures/shelf.py`. Tables that are committed in a page are written by `tables.py`.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent.parent))

from generate import (
    as_built,
    chapters,
    found,
    implementations,
    ledger,
    log_codes,
    navigation,
    outputs,
    overview,
    pictures,
    proof,
    releases,
    report_pages,
    search_index,
    settings,
    synonyms,
)
from generate.figures import shelf
from generate.links import IdLinks

FIGURE = re.compile(r"^<!-- figure: (?P<name>[a-z0-9-]+) -->$", re.MULTILINE)
TABLE = re.compile(r"^<!-- table: (?P<name>[a-z-]+) -->$", re.MULTILINE)
TABLES: Mapping[str, Callable[[], str]] = {
    "claims": proof.modules_with_counts,
    "found": found.found,
    "implementations": implementations.rules_by_implementation,
    "log-codes": log_codes.index,
    "matrix": overview.rules_by_form,
    "releases": releases.by_broker,
    "rule-index": overview.rule_index,
    "settings": settings.by_broker,
    "sources": ledger.documents,
    "synonyms": synonyms.by_word,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the chapters and the released versions into the navigation, and turn ids into links."""
    navigation.fill(config.nav or [])
    config.markdown_extensions.append(IdLinks(overview.places()))
    return config


def built() -> Iterator[tuple[str, str]]:
    """The path and text of chapters, versions as built, proofs, log lines, findings, and reports with their scripts."""
    for pages in (
        *(chapters.pages, as_built.pages, proof.pages, log_codes.pages, found.pages),
        *(report_pages.pages, report_pages.reproducers),
    ):
        yield from pages()


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add built pages and scripts, and files that reports link to. PluginError if a built file is committed."""
    for path, text in built():
        if files.get_file_from_path(path) is not None:
            raise PluginError(f"docs/{path} is written when the site is built; take it out of git")
        files.append(File.generated(config, path, content=text))
    for path, file in report_pages.files():
        files.append(File.generated(config, path, abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Fill in tables, figures and outputs of commands. KeyError for an unknown name."""
    if page.file.src_uri.startswith(outputs.FOLDER):
        markdown = outputs.with_outputs(markdown)
    markdown = pictures.with_pictures(markdown, page.url)
    with_figures = FIGURE.sub(lambda found: shelf.figure(found["name"]), markdown)
    return TABLE.sub(lambda found: TABLES[found["name"]](), with_figures)


@event_priority(-100)  # the theme writes its index in the same event, and before this
def on_post_build(*, config: MkDocsConfig) -> None:
    """Let the search find names first, and make the pictures that pages ask for."""
    site = Path(config.site_dir)
    search_index.improve(site)
    pictures.make(site, (path.read_text(encoding="utf-8") for path in Path(config.docs_dir).rglob("*.md")))
