"""What a search finds first: ids of rules and claims, settings, log codes, and the other words of the glossary.

The theme's search gives weight to titles, and more to tags. Each section that an exact name leads to gets this name as
a tag and more weight than others; a shorter number goes before the longer ones that begin with it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generate import log_codes, outputs, overview, synonyms
from tidegate.catalogue.settings import anchor, settings

DOCS = Path(__file__).parents[1]
INDEX = Path("search", "search_index.json")
SYMPTOM, FIRST, LATER, CODE = 16.0, 8.0, 4.0, 2.0
"""The weight of what a name leads to: of a page of symptoms; of a section without a number or with one of one digit; of
one with a longer number, less for a larger one; and of a log code, whose figures may begin like the number of an id."""
ONE_OF_MANY = 11
"""Up to this number a longer one has its whole weight."""
LEAST = 0.6
"""The share of it that every longer one has."""
NUMBER = re.compile(r"\d+$")
CODE_DIGITS = 4
"""A number of so many digits is a code, and not one of a list."""
Entry = dict[str, Any]


class Names(NamedTuple):
    """The names that lead to a section, and how much it counts when it is found by them."""

    tags: tuple[str, ...]
    weight: float


def improve(site: Path) -> None:
    """Rewrite the search index of a site. FileNotFoundError where it has none."""
    file = site / INDEX
    index = json.loads(file.read_text(encoding="utf-8"))
    named = names()
    index["docs"] = [improved(entry, named) for entry in index["docs"]]
    file.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


def improved(entry: Entry, named: Mapping[str, Names]) -> Entry:
    """A section of the index with the names that lead to it; one without names as it is."""
    found = named.get(entry["location"])
    return entry if found is None else {**entry, "tags": list(found.tags), "boost": found.weight}


def weight(name: str) -> float:
    """How much a section counts that is found by this name."""
    number = NUMBER.search(name)
    if number is None or len(number[0]) == 1:
        return FIRST
    return CODE if len(number[0]) >= CODE_DIGITS else LATER * max(LEAST, min(1.0, ONE_OF_MANY / int(number[0])))


@cache
def names() -> Mapping[str, Names]:
    """Place of a section in the site to the names that lead there."""
    return {place: found for part in SOURCES for place, found in part()}


def _ids() -> Iterator[tuple[str, Names]]:
    for name, place in overview.places().items():
        yield _built(place), Names((name,), weight(name))


def _settings() -> Iterator[tuple[str, Names]]:
    for broker in settings():
        for setting in broker.settings:
            yield f"settings.html#{anchor(broker.broker, setting)}", Names((setting.key,), FIRST)


def _codes() -> Iterator[tuple[str, Names]]:
    for line in log_codes.known():
        yield f"log-codes.html#{log_codes.place(line.name)}", Names((line.name,), weight(line.name))


def _words() -> Iterator[tuple[str, Names]]:
    for word, others in synonyms.by_concept().items():
        tags = (word, *(other.replace("`", "") for other in others))
        yield f"spec/glossary.html#{synonyms.anchor(word)}", Names(tags, FIRST)


def _symptoms() -> Iterator[tuple[str, Names]]:
    for page in sorted((DOCS / outputs.FOLDER).glob("*.md")):
        title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        yield f"{outputs.FOLDER}{page.stem}.html", Names((title,), SYMPTOM)


def _built(place: str) -> str:
    """A path from the docs folder with its anchor, as the built site has it."""
    return place.lstrip("/").replace(".md", ".html", 1)


SOURCES: tuple[Callable[[], Iterator[tuple[str, Names]]], ...] = (_ids, _settings, _codes, _words, _symptoms)
