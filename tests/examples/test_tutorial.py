"""The tutorial can be followed beside a checkout, and every output that it shows comes out."""

from pathlib import Path

import pytest

from tests.examples.environments import ROOT, environment_of, sharing_venv
from tests.examples.tutorial import Block, blocks, follow

PAGE = ROOT / "docs" / "tutorial.md"


@pytest.mark.nightly
def test_the_tutorial_ends_with_a_green_gate(tmp_path: Path, checkout: Path) -> None:
    (tmp_path / "tidegate").symlink_to(checkout)
    sharing_venv(tmp_path / ".venv")
    commands = follow(PAGE, tmp_path, environment_of(tmp_path / ".venv"), without="tox -e")
    assert commands.count("tidegate adapter smoke pond") == 3
    assert (tmp_path / "pond" / "tidegate-report" / "report.json").is_file()


@pytest.mark.nightly
@pytest.mark.from_wheel
def test_the_tutorial_needs_nothing_installed(tmp_path: Path, checkout: Path) -> None:
    (tmp_path / "tidegate").symlink_to(checkout)
    commands = follow(PAGE, tmp_path, environment_of(tmp_path))
    assert "tox -e conformance --adapter=pond" in commands
    assert (tmp_path / "pond" / "tidegate-report" / "badge.json").is_file()


def test_a_wrong_page_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\necho one\n```\n\n```text\ntwo\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="'two' is not in\none"):
        follow(page, tmp_path, environment_of(tmp_path))
    page.write_text("<!-- exits with 1 -->\n```sh\ntrue\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="true"):
        follow(page, tmp_path, environment_of(tmp_path))
    assert list(blocks(page)) == [Block("sh", "", "true\n", 1)]
