"""The pictures of the site, made by the build: a page asks for one by a line `<!-- picture: NAME -->`.

Each has a second, narrower form that can be read on a phone. Pictures of pages need Chromium; if it is not installed,
the page has a link instead.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.utils import get_relative_url

from generate import browser, terminal
from generate.browser import Window

LOG = logging.getLogger("mkdocs.generate.pictures")
FOLDER = "pictures"
MARK = re.compile(r"^<!-- picture: (?P<name>[a-z-]+) -->$", re.MULTILINE)
PHONE = "(max-width: 44.9em)"
"""The media query of windows that get the narrow form."""


@dataclass(frozen=True)
class Screen:
    """The beginning of a command's output; the argument FOLDER stands for a new folder, and the title omits it."""

    alt: str
    leads_to: str
    """The address that a click opens, below the site."""
    arguments: tuple[str, ...]
    title: str
    wide: tuple[int, int] = (80, 24)
    """Columns and lines."""
    narrow: tuple[int, int] = (44, 14)

    @property
    def ending(self) -> str:
        """The suffix of the picture's file."""
        return ".svg"


@dataclass(frozen=True)
class PageOf:
    """A page that a command writes into the folder FOLDER, or a part of a page of the site."""

    alt: str
    leads_to: str
    wide: Window
    narrow: Window
    page: str
    arguments: tuple[str, ...] = ()
    """The command that writes the page; none for a page of the site."""
    style: str = ""
    """CSS that is added to the page for the picture, for instance to hide parts."""

    @property
    def ending(self) -> str:
        """The suffix of the picture's file."""
        return ".png"


PICTURES: dict[str, Screen | PageOf] = {
    "trace-check": Screen(
        alt="The answer of tidegate trace check on a terminal: who was blocked, by which limit, since when, for how "
        "long, and the causes that took the most time",
        leads_to="guides/logs.html",
        arguments=("trace", "check", "examples/symptoms/artemis-again-and-again.log", "--report", "FOLDER"),
        title="tidegate trace check examples/symptoms/artemis-again-and-again.log",
    ),
    "report": PageOf(
        alt="The report of a run on Artemis: how many rules are kept and violated, and for each violation what was "
        "expected and seen",
        leads_to="reports/artemis-2.44.0/report.html",
        wide=Window(1200, 1000), narrow=Window(400, 760, 2),
        page="report.html", arguments=("report", "render", "reports/artemis-2.44.0/report.json", "--to", "FOLDER"),
    ),
    "rule": PageOf(
        alt="A rule on this site: its sentence, its facts, its formula, and the verdicts of released versions",
        leads_to="spec/qpid/queue.html#QPID-QUEUE-2",
        wide=Window(860, 640), narrow=Window(400, 880, 2),
        page="spec/qpid/queue.html",
        style="header, footer, .md-tabs, .md-sidebar, .md-top, article > *:not(#QPID-QUEUE-2, #QPID-QUEUE-2 ~ *) "
              "{display: none !important} article::before {display: none !important} "
              ".md-main__inner, article > #QPID-QUEUE-2 {border: 0; margin: 0 !important; padding: 0}",
    ),
    "levels": PageOf(
        alt="Levels of destinations against their limits, with the times in which somebody was stopped as bands",
        leads_to="pictures/levels.png",
        wide=Window(1100, 840, 1), narrow=Window(400, 800, 2),
        page="trace-report.html", style="header, main > :not(.measures) {display: none !important}",
        arguments=("trace", "check", "examples/symptoms/artemis-again-and-again.log", "--quiet", "--report", "FOLDER"),
    ),
    "sweep": PageOf(
        alt="Heat maps of a sweep: overshoot and time stopped by producers and capacity, one map for each resume level",
        leads_to="pictures/sweep.png",
        wide=Window(1150, 860, 1), narrow=Window(400, 800, 2),
        page="sweep.html",
        arguments=("sweep", "--mechanism", "qpid-queue,artemis-core", "--producers", "1,2,4,8", "--capacity",
                   "20000,60000,100000", "--resume-percent", "0,80,110", "--window", "5000,20000", "--size", "1000",
                   "--report", "FOLDER", "--quiet"),
    ),
}  # fmt: skip


def with_pictures(markdown: str, url: str) -> str:
    """The page at this URL of the site, with its pictures. KeyError for an unknown picture."""
    return MARK.sub(lambda found: _shown(found["name"], url), markdown)


def make(site: Path, markdown: Iterator[str]) -> None:
    """Write into the built site the pictures that its pages ask for."""
    asked = {found["name"] for text in markdown for found in MARK.finditer(text)}
    for name in sorted(asked):
        picture = PICTURES[name]
        if isinstance(picture, Screen):
            for path, form in _forms(site, name):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(screen(picture, *getattr(picture, form)), encoding="utf-8")
        elif browser.program():
            _photograph(picture, site, dict(_forms(site, name)))


def screen(picture: Screen, columns: int, lines: int) -> str:
    """The SVG of a terminal."""
    return terminal.drawn(terminal.screen(picture.arguments, columns, lines), columns, picture.title)


def _forms(site: Path, name: str) -> Iterator[tuple[Path, str]]:
    ending = PICTURES[name].ending
    yield site / FOLDER / f"{name}{ending}", "wide"
    yield site / FOLDER / f"{name}-narrow{ending}", "narrow"


def _photograph(picture: PageOf, site: Path, forms: dict[Path, str]) -> None:
    with TemporaryDirectory(prefix="tidegate-picture-") as folder:
        if picture.arguments:
            terminal.answer(tuple(folder if word == "FOLDER" else word for word in picture.arguments))
        original = (Path(folder) if picture.arguments else site) / picture.page
        # beside the page, so that its styles are found
        page = original.with_name(f"picture-{original.name}")
        try:
            text = original.read_text(encoding="utf-8").replace("</head>", f"<style>{picture.style}</style></head>", 1)
            page.write_text(text, encoding="utf-8")
            for made, form in forms.items():
                browser.photograph(page, getattr(picture, form), made)
        finally:
            page.unlink(missing_ok=True)


def _shown(name: str, url: str) -> str:
    picture = PICTURES[name]
    page = escape(get_relative_url(picture.leads_to, url))
    if isinstance(picture, PageOf) and not browser.program():
        LOG.info("the picture %s is left out, for Chromium is not installed", name)
        words = escape(picture.alt)
        return words if picture.leads_to.startswith(FOLDER) else f'<a href="{page}">{words}</a>'
    wide, narrow = (get_relative_url(f"{FOLDER}/{name}{form}{picture.ending}", url) for form in ("", "-narrow"))
    return (
        f'<div class="result"><a href="{page}"><picture><source media="{PHONE}" srcset="{narrow}">'
        f'<img src="{wide}" alt="{escape(picture.alt)}"></picture></a></div>'
    )
