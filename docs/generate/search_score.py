"""The score of the theme's search: how well the tags of each section answer a query, before weights.

The search takes every typed word as the beginning of words, and a word scores higher the fewer sections have it. So
`producer` finds the rare `producerWindowSize` before any producer, unless sections have weights. Titles and texts score
a thousandth of tags and less, so only whether they have the word counts here.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

SEPARATOR = re.compile(r"[\s\-]+")
"""The separator of words, as in mkdocs.yml by default."""
MARKUP = re.compile(r"<[^>]*>")
FIELDS = ("title", "text", "tags")
SATURATION = 1.2
"""The saturation of repetitions of a word in a field (k1 of BM25)."""
COMMON = re.compile(r"stopWordFilter=\w+\.generateStopWordFilter\(\[(?P<words>[^\]]*)\]")
Entry = Mapping[str, Any]


class Sections:
    """The sections of an index, which can be searched for words."""

    def __init__(self, entries: Sequence[Entry]):
        self._tags: dict[str, Counter[str]] = {}
        self._having: defaultdict[str, set[str]] = defaultdict(set)
        self._found: defaultdict[str, list[str]] = defaultdict(list)
        fields_with: Counter[str] = Counter()
        pages = set()
        for entry in entries:
            place = entry["location"]
            if "#" not in place:
                pages.add(place)
            by_field = {field: _words_of(entry.get(field, "")) for field in FIELDS}
            for words in by_field.values():
                fields_with.update(set(words))
            for word in {word for words in by_field.values() for word in words}:
                self._having[word].add(place)
            self._tags[place] = Counter(by_field["tags"])
            for word in self._tags[place]:
                self._found[word].append(place)
        self._pages = pages
        self._known = sorted(fields_with)
        self._rarity = {word: _rarity(count, len(entries)) for word, count in fields_with.items()}

    def answers(self, typed: str) -> dict[str, float]:
        """The sections whose tags have a word that begins with a typed word, each with its score at weight 1."""
        beginnings = _typed(typed)
        scores: defaultdict[str, float] = defaultdict(float)
        for beginning in beginnings:
            for word in self._beginning_with(beginning):
                for place in self._found.get(word, ()):
                    often = self._tags[place][word]
                    scores[place] += self._rarity[word] * (SATURATION + 1) * often / (SATURATION + often)
        having = {beginning: self._places_having(beginning) for beginning in beginnings}
        return {place: score * (1 + self._whole(place, having) ** 2) for place, score in scores.items()}

    def _whole(self, place: str, having: Mapping[str, Set[str]]) -> float:
        """The share of the typed words that a section has anywhere, plus 1 for a whole page.

        `having` holds the sections with each typed word. No section has common words, so a typed one counts only if
        other words begin with it.
        """
        had = {each for each, places in having.items() if place in places}
        lacking = having.keys() - had - _common()
        return (place in self._pages) + len(had) / len([*had, *lacking])

    def _places_having(self, beginning: str) -> Set[str]:
        """The sections with a word that begins so, in any field."""
        return {place for word in self._beginning_with(beginning) for place in self._having[word]}

    def _beginning_with(self, beginning: str) -> Iterator[str]:
        place = bisect_left(self._known, beginning)
        while place < len(self._known) and self._known[place].startswith(beginning):
            yield self._known[place]
            place += 1


def _typed(text: str) -> list[str]:
    return [word for part in text.split(":") for word in _parted(part)]


def _words_of(field: str | Sequence[str]) -> list[str]:
    texts = [field] if isinstance(field, str) else field
    parts = (part for text in texts for part in MARKUP.split(text))
    return [word for part in parts for word in _parted(part) if word not in _common()]


def _parted(text: str) -> list[str]:
    return [word.lower() for word in SEPARATOR.split(text) if word]


def _rarity(count: int, sections: int) -> float:
    return log(1 + abs((sections - count + 0.5) / (count + 0.5)))


@cache
def _common() -> frozenset[str]:
    """The words that the theme's search leaves out. LookupError if the theme no longer lists them in this form."""
    (worker,) = files("material").joinpath("templates/assets/javascripts/workers").glob("search.*.min.js")  # type: ignore[attr-defined]
    found = COMMON.search(worker.read_text(encoding="utf-8"))
    if found is None:
        raise LookupError(f"expected the list of common words in {worker}")
    return frozenset(re.findall(r'"([^"]+)"', found["words"]))
