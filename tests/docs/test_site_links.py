"""Every link and picture of the built site leads to a file of it, and to a place in that page."""

import html.parser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(html.parser.HTMLParser):
    """The places of a page that a link may name, and what the page links to or shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.targets: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src", "srcset") and value:
                self.targets.add(value)


def broken(pages: dict[Path, Page], site: Path) -> dict[str, str]:
    """Each target that leads nowhere, with one page that has it. Other sites are not looked at."""
    found = {}
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            start = site if parts.path.startswith("/") else path.parent
            file = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            place = unquote(parts.fragment)
            # places that begin so are made by the theme's scripts
            is_place = not place or place.startswith("__") or file not in pages or place in pages[file].places
            if not file.exists() or not is_place:
                found[target] = path.relative_to(site).as_posix()
    return found


def read(site: Path) -> dict[Path, Page]:
    """All pages of a site, by their paths."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.resolve().rglob("*.html")}


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    pages = read(site)
    scripts = [target for page in pages.values() for target in page.targets if target.startswith("reproduce/")]
    assert scripts, "reports link to the scripts that show a violation"
    assert broken(pages, site.resolve()) == {}


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x"></p><a href="a.html#x"></a><a href="#y"></a>', encoding="utf-8")
    (tmp_path / "b.html").write_text(
        '<img src="none.png"><a href="a.html#z"></a><a href="/a.html"></a>', encoding="utf-8"
    )
    assert broken(read(tmp_path), tmp_path.resolve()) == {"#y": "a.html", "none.png": "b.html", "a.html#z": "b.html"}
