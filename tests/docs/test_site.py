"""The site: builds without a warning, has every rule, and fetches nothing from elsewhere."""

import html.parser
import re
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser.looks import EXTREMES, LOOKS, Look, faults
from tests.sample import nightly, sampled
from tidegate.catalogue import catalogue

FETCHING = {("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href"), ("source", "src"), ("use", "href")}


class Fetched(html.parser.HTMLParser):
    """Collects what a browser fetches by itself for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        rels = dict(attrs).get("rel") or ""
        if tag == "link" and not {"stylesheet", "icon", "preconnect", "preload"} & set(rels.split()):
            return
        self.targets += [value for name, value in attrs if (tag, name) in FETCHING and value]


def elsewhere(page: str) -> list[str]:
    """What a page fetches from another site."""
    parser = Fetched()
    parser.feed(page)
    return [target for target in parser.targets if re.match(r"([a-z]+:)?//", target)]


def test_every_rule_has_its_anchor_with_sentence_and_formula(site: Path) -> None:
    for rule in catalogue().values():
        page = (site / "spec" / rule.chapter).with_suffix(".html").read_text(encoding="utf-8")
        assert f'id="{rule.id}"' in page
    page = (site / "spec/qpid/queue.html").read_text(encoding="utf-8")
    assert "capacity ≠ 0 ∧ bytes &gt; capacity" in page.replace("<span></span>", "")


def test_pages_of_the_site_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    assert {str(page): found for page in pages if (found := elsewhere(page.read_text(encoding="utf-8")))} == {}
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import )[\"']?(https?:)?//", style.read_text(encoding="utf-8"))


def test_something_from_elsewhere_is_noticed() -> None:
    page = '<a href="https://a.example"></a><script src="//b.example/x.js"></script><link rel="icon" href="x.png">'
    assert elsewhere(page) == ["//b.example/x.js"]


def test_ids_in_running_text_are_links(site: Path) -> None:
    page = (site / "spec/qpid/queue.html").read_text(encoding="utf-8")
    assert re.search(r'<p>[^<]*<a href="[^"]*#QPID-QUEUE-8">QPID-QUEUE-8</a>', page)


PAGES = [
    *("index.html", "guides/run.html", "matrix.html", "spec/qpid/queue.html"),
    *("mechanisms/gate.html", "mechanisms/credit.html", "mechanisms/wait.html", "brokers/as-built/qpid-10.1.0.html"),
    *("symptoms/index.html", "symptoms/send-hangs.html", "symptoms/limit-without-effect.html"),
    *("proofs/qpid_queue.html", "settings.html", "log-codes.html", "spec/glossary.html"),
    *("log-codes/activemq-artemis.html", "brokers/releases.html", "guides/why-lines.html"),
]


@pytest.mark.browser
@pytest.mark.parametrize("looks", [EXTREMES, nightly(LOOKS)], ids=len)
@pytest.mark.parametrize("page", sampled(PAGES, 4))
def test_a_page_of_the_site_can_be_read_and_used(
    page: str, looks: tuple[Look, ...], site: Path, browser: Chrome
) -> None:
    assert faults(browser, (site / page).as_uri(), looks, with_axe=EXTREMES) == []
