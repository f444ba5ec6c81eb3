"""The navigation has every computed page once, each broker's beside its other pages."""

import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate import as_built, chapters, proof
from generate.navigation import BROKERS, fill

ROOT = Path(__file__).parents[2]


class Loader(yaml.SafeLoader):
    """Reads what only mkdocs can read in its configuration, such as the names of functions, as nothing."""


for tag in ("tag:yaml.org,2002:python/", "!"):
    Loader.add_multi_constructor(tag, lambda loader, suffix, node: None)


def filled() -> dict[str, list[str]]:
    """Part to the paths of its pages."""
    nav = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)["nav"]
    fill(nav)
    return {
        title: [page if isinstance(page, str) else next(iter(page.values())) for page in pages]
        for part in nav
        for title, pages in part.items()
    }


def test_every_chapter_and_released_version_stands_in_the_navigation_once() -> None:
    pages = [page for part in filled().values() for page in part]
    assert sorted(set(pages)) == sorted(pages)
    assert set(chapters.paths()) | set(as_built.paths()) | set(proof.paths()) <= set(pages)


def test_a_broker_has_its_chapters_and_its_released_versions() -> None:
    parts = filled()
    assert parts["Qpid"][0] == "spec/qpid/queue.md" and parts["Qpid"][-1] == "brokers/as-built/qpid-10.1.0.md"
    pages = ("brokers/andes-client.md", "brokers/as-built/andes-client-3.2.12.md")
    assert parts["WSO2"] == ["spec/andes/memory.md", "spec/andes/client.md", *pages]
    assert parts["Specification"][0] == "spec/index.md"
    assert {page.split("/")[1] for page in parts["Specification"] if page.startswith("spec/")} == {
        *("index.md", "general", "disagreements.md", "glossary.md")
    }


def test_a_broker_without_a_part_is_noticed() -> None:
    with pytest.raises(KeyError, match="WSO2"):
        fill([{title: []} for title in BROKERS if title != "WSO2"])
