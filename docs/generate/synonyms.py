"""Synonyms of the words of the specification, from its glossary."""

import re
from collections.abc import Mapping
from functools import cache

from generate.markup import table
from tidegate.catalogue.shelf import spec_folder

GLOSSARY = "glossary.md"
SECTION = re.compile(r"^## (?P<word>.+?)\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
OTHERS = re.compile(r"Also called: (?P<words>.+?)\.\s*$", re.MULTILINE | re.DOTALL)


@cache
def by_concept() -> Mapping[str, tuple[str, ...]]:
    """The synonyms of each word of the specification."""
    text = spec_folder().joinpath(GLOSSARY).read_text(encoding="utf-8")
    return {found["word"]: _others(found["text"]) for found in SECTION.finditer(text)}


def by_word() -> str:
    """A table from each synonym to the word of the specification, in alphabetical order."""
    rows = [
        (other, f"[{word}](/spec/{GLOSSARY}#{anchor(word)})")
        for word, others in by_concept().items()
        for other in others
    ]
    return table(["other word", "here"], sorted(rows, key=lambda row: row[0].strip("`").casefold()))


def anchor(word: str) -> str:
    """The anchor of a word in the glossary."""
    return re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")


def _others(text: str) -> tuple[str, ...]:
    found = OTHERS.search(text)
    return tuple(" ".join(word.split()) for word in found["words"].split(", ")) if found else ()
