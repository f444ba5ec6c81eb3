"""The navigation: a broker's chapters and released versions stand beside the other pages about it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from generate import as_built, chapters, found, log_codes, proof

SPECIFICATION = "Specification"
"""The part that begins with the index of the chapters and holds the chapters of no broker."""

PROOFS = "Proofs"
"""The part that begins with the table of the pages of proofs."""

SYMPTOMS = "Symptoms"
"""The part that has the index of log lines, and behind it the log lines of each broker."""

LOG_CODES = "log-codes.md"

RESULTS = "Results"
"""The part that has the index of what the suite found, and behind it a page for each implementation."""

FOUND = "brokers/found.md"


class Broker(NamedTuple):
    """The pages of a broker: folders of chapters, and prefixes of the names of released versions."""

    chapters: tuple[str, ...]
    versions: tuple[str, ...]


BROKERS: Mapping[str, Broker] = {
    "Qpid": Broker(("spec/qpid/", "spec/qpid942/"), (f"{as_built.FOLDER}/qpid-",)),
    "Artemis": Broker(("spec/artemis/",), (f"{as_built.FOLDER}/artemis-",)),
    "Classic": Broker(("spec/classic/",), (f"{as_built.FOLDER}/classic-",)),
    "WSO2": Broker(("spec/andes/",), (f"{as_built.FOLDER}/andes-",)),
}
"""The computed pages of each broker, by the title of its part of the navigation."""


def fill(nav: list[Any]) -> None:
    """Add to each part of the navigation its computed pages. KeyError for a missing part."""
    parts = {title: pages for part in nav for title, pages in part.items()}
    left = chapters.paths()
    for title, broker in BROKERS.items():
        own = [page for page in left if page.startswith(broker.chapters)]
        left = [page for page in left if page not in own]
        versions = [page for page in as_built.paths() if page.startswith(broker.versions)] if broker.versions else []
        parts[title][:0] = own
        parts[title] += versions
    parts[SPECIFICATION][1:1] = left
    parts[PROOFS][1:1] = proof.paths()
    behind = parts[SYMPTOMS].index(LOG_CODES) + 1
    parts[SYMPTOMS][behind:behind] = log_codes.paths()
    behind = parts[RESULTS].index(FOUND) + 1
    parts[RESULTS][behind:behind] = found.paths()
