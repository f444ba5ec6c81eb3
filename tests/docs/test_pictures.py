"""Pictures: made from what commands print today, with words for who cannot see them, and fit for a phone."""

import re
import runpy
import struct
import sys
from html import unescape
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate import browser, pictures, terminal
from generate.pictures import PICTURES, PageOf, Screen

DOCS = Path(__file__).parents[2] / "docs"
SCREENS = [name for name, picture in PICTURES.items() if isinstance(picture, Screen)]
PAGES = [name for name, picture in PICTURES.items() if isinstance(picture, PageOf)]
NARROWEST_LETTER = 6
"""CSS pixels that a letter of a terminal takes at least on a phone of 360 pixels."""


def letters(svg: str) -> str:
    """The text of a drawn terminal."""
    return "\n".join(unescape(found).replace("\xa0", " ") for found in re.findall(r"<text[^>]*>([^<]*)", svg))


def test_the_picture_of_the_readme_shows_what_the_command_prints_today() -> None:
    made = runpy.run_path(str(DOCS / "images" / "make.py"))
    assert letters(made["FILE"].read_text(encoding="utf-8")) == letters(made["drawn"]())


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_a_terminal_fetches_nothing_and_can_be_read_on_its_window(name: str, form: str) -> None:
    picture = PICTURES[name]
    assert isinstance(picture, Screen)
    svg = pictures.screen(picture, *getattr(picture, form))
    assert "url(" not in svg.replace("url(#", "") and "@font-face" not in svg
    box = re.search(r'viewBox="0 0 ([0-9.]+) ', svg)
    assert box is not None
    letter = 12.2 * (360 if form == "narrow" else 760) / float(box[1])
    assert letter >= NARROWEST_LETTER
    assert "Blocked for longest:" in letters(svg)


def test_a_screen_ends_where_the_command_goes_on() -> None:
    spec = ("spec", "list")
    assert terminal.screen(spec, 80, 2).splitlines()[-1] == "…"
    assert "…" not in terminal.screen(("spec", "requirements"), 80, 50)


def test_every_picture_of_a_page_has_words_and_both_forms(site: Path) -> None:
    asked = {
        page: pictures.MARK.findall(page.read_text(encoding="utf-8"))
        for page in DOCS.rglob("*.md")
        if pictures.MARK.search(page.read_text(encoding="utf-8"))
    }
    assert {name for names in asked.values() for name in names} == set(PICTURES)
    assert {DOCS / "index.md", DOCS / "gate.md", DOCS / "guides" / "logs.md"} <= set(asked)
    for page, names in asked.items():
        text = (site / page.relative_to(DOCS)).with_suffix(".html").read_text(encoding="utf-8")
        for name in names:
            assert f'alt="{PICTURES[name].alt}"' in text or not browser.program()


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_a_picture_of_a_page_is_as_wide_as_its_window(name: str, site: Path) -> None:
    picture = PICTURES[name]
    assert isinstance(picture, PageOf)
    for window, form in ((picture.wide, ""), (picture.narrow, "-narrow")):
        head = (site / pictures.FOLDER / f"{name}{form}.png").read_bytes()[:24]
        assert struct.unpack(">II", head[16:24]) == (window.width * window.scale, window.height * window.scale)


def test_a_picture_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        pictures.with_pictures("<!-- picture: nowhere -->", "index.html")


def test_without_a_browser_a_link_stands_for_the_picture_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "no-such-browser")
    shown = pictures.with_pictures("<!-- picture: rule -->", "guides/run.html")
    assert shown == f'<a href="../spec/qpid/queue.html#QPID-QUEUE-2">{PICTURES["rule"].alt}</a>'
