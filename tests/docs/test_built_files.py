"""What a build writes is not committed, but for what the README shows, which is read where there is no site."""

import sys
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from tests.tracked import ROOT, files, ignored
from tidegate.conformance.report.files import render
from tidegate.conformance.report.store import read_report

sys.path.insert(0, str(ROOT / "docs"))

from generate import hook, report_pages

SHOWN = (ROOT / "README.md").read_text(encoding="utf-8")


def test_no_file_of_the_site_that_is_not_a_copy_is_committed(site: Path) -> None:
    copied = {Path(name) for name, _ in report_pages.files()}
    written = {path.relative_to(site) for path in site.rglob("*") if path.is_file()} - copied
    assert Path("reports/classic-5.3.1/reproduce/GENERAL-16.py") in written
    assert [path for path in files() if path in written] == [], "the site is built with these: take them out of git"


def test_a_page_that_is_committed_and_built_fails_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(str(ROOT / "mkdocs.yml"))
    page = File("spec/index.md", str(ROOT / "docs"), config.site_dir, use_directory_urls=False)
    monkeypatch.setattr(hook, "built", lambda: iter([("spec/index.md", "")]))
    with pytest.raises(PluginError, match=r"docs/spec/index\.md is written when the site is built"):
        hook.on_files(Files([page]), config=config)


def test_what_is_written_beside_a_report_stays_out_of_git(tmp_path: Path) -> None:
    name = Path("reports/classic-5.9.1")
    written = {name / path.relative_to(tmp_path) for path in render(read_report(ROOT / name / "report.json"), tmp_path)}
    assert {path.suffix for path in written} == {".md", ".html", ".py"}
    assert ignored(*written, name / "report.json") == written


def test_nothing_that_stays_out_of_git_is_committed() -> None:
    assert ignored(*files()) == set(), "builds write these: take them out of git"


def test_a_committed_picture_of_what_is_computed_is_one_of_the_readme() -> None:
    pictures = [path for path in files() if path.suffix in (".svg", ".png") and path.parts[0] in ("docs", "reports")]
    assert pictures and [path for path in pictures if f"]({path.as_posix()})" not in SHOWN] == []
