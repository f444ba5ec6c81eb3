"""Links from a rule of a report to its page on a site, its source documents, and its settings."""

from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from tidegate.catalogue import catalogue
from tidegate.catalogue.ledger import Ledger, ledgers
from tidegate.catalogue.settings import anchor, settings

SETTINGS_PAGE = "settings.html"


@dataclass(frozen=True)
class Place:
    """Something that explains a rule; the address is empty if no site has it."""

    words: str
    address: str
    adds: str = ""
    """Text behind the link."""


class Places:
    """Finds the places that explain a rule. `site` is the address of the site's folder, empty if there is none."""

    def __init__(self, site: str):
        self._site = f"{site.rstrip('/')}/" if site else ""

    def page(self, rule: str) -> Place | None:
        """The rule in its chapter; None for a rule that the specification no longer has."""
        known = catalogue().get(rule)
        if known is None:
            return None
        chapter = PurePosixPath("spec", known.chapter)
        return Place(f"{chapter}", self._on_site(f"{chapter.with_suffix('.html')}#{rule}"))

    def documents(self, rule: str) -> tuple[Place, ...]:
        """The documents that state the rule, each with the section; none for a rule of our own."""
        known = catalogue().get(rule)
        return tuple(_document(source.document, source.section) for source in known.sources) if known else ()

    def settings(self, rule: str) -> tuple[Place, ...]:
        """The settings that the rule is about."""
        return tuple(
            Place(setting.key, self._on_site(f"{SETTINGS_PAGE}#{anchor(broker.broker, setting)}"), setting.where)
            for broker in settings()
            for setting in broker.settings
            if rule in setting.rules
        )

    def _on_site(self, path: str) -> str:
        return f"{self._site}{path}" if self._site else ""


def _document(document: str, section: str) -> Place:
    ledger = _ledgers()[document]
    return Place(f"document {document}", ledger.address, section)


@cache
def _ledgers() -> dict[str, Ledger]:
    return {file.ledger.document: file.ledger for file in ledgers()}
