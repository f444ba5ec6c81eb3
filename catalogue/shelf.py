"""All chapters together: the index gives their order, and every rule occurs once."""

import difflib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from tidegate.catalogue.rules import Category, Form, Level, Rule, Source
from tidegate.record.cache import cached
from tidegate.record.errors import BadInput
from tidegate.record.values import written

INDEX = "index.md"
NEAREST = 5
"""The number of nearest ids in the error about an unknown rule id."""
LEAST_LIKENESS = 0.5
"""How alike a wrong id and a suggested one are at least, from 0 to 1."""


def spec_folder() -> Traversable:
    """The folder of the installed chapters."""
    return files("tidegate.spec")


def spec_version() -> str:
    """The version of the specification, which is separate from the version of the code."""
    return spec_folder().joinpath("version.txt").read_text(encoding="utf-8").strip()


@cache
def catalogue() -> Mapping[str, Rule]:
    """Every rule by its id, in the order of index and chapters; raises BadInput for a malformed chapter."""
    return known_shelf(spec_folder())


def known_shelf(folder: Traversable) -> Mapping[str, Rule]:
    """The rules of the folder as `read_shelf` reads them, from the cache where possible: reading takes longer than
    many commands."""
    texts = [part for name in _files(folder, ".md") for part in (name.encode(), folder.joinpath(name).read_bytes())]
    readers = files(__package__)
    sources = [readers.joinpath(name).read_bytes() for name in _files(readers, ".py")]
    said = cached("rules", [*sources, *texts], lambda: written(tuple(read_shelf(folder).values())))
    return MappingProxyType({rule.id: rule for rule in map(_rule, json.loads(said))})


def read_shelf(folder: Traversable) -> Mapping[str, Rule]:
    """The rules of the chapters that the index of this folder links to."""
    # imported here, since these libraries are needed only where a chapter has changed
    from tidegate.catalogue.chapter import read_chapter

    rules: dict[str, Rule] = {}
    for chapter in chapters(folder):
        for rule in read_chapter(folder.joinpath(chapter).read_text(encoding="utf-8"), chapter):
            if rule.id in rules:
                first = rules[rule.id]
                raise BadInput(
                    f"expected one definition of {rule.id}; the first is in {first.chapter}:{first.line}",
                    file=chapter,
                    line=rule.line,
                )
            rules[rule.id] = rule
    return MappingProxyType(rules)


def chapters(folder: Traversable) -> tuple[str, ...]:
    """The paths below the folder that its index links to, in the order of the links.

    Raises BadInput when a link leads nowhere, or when a chapter is not linked.
    """
    from markdown_it import MarkdownIt

    linked: list[str] = []
    for token in MarkdownIt("commonmark").parse(folder.joinpath(INDEX).read_text(encoding="utf-8")):
        for child in token.children or ():
            target = str(child.attrs.get("href", ""))
            if child.type == "link_open" and target.endswith(".md") and target not in linked:
                if not folder.joinpath(target).is_file():
                    line = None if token.map is None else token.map[0] + 1
                    raise BadInput(f"expected a link to a chapter, not to {target}", file=INDEX, line=line)
                linked.append(target)
    for found in _files(folder, ".md"):
        if found != INDEX and found not in linked:
            raise BadInput(f"expected a link to {found}", file=INDEX)
    return tuple(linked)


def rule_named(rule_id: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule of this id, in any case; raises BadInput with the nearest ids when there is none."""
    known = rules.get(rule_id.upper())
    if known is None:
        near = difflib.get_close_matches(rule_id.upper(), rules, n=NEAREST, cutoff=LEAST_LIKENESS)
        others = f"the nearest are {', '.join(near)}" if near else "`tidegate spec list` lists all"
        raise BadInput(f"expected a rule id, not {rule_id!r}; {others}")
    return known


def _rule(said: Mapping[str, Any]) -> Rule:
    """A rule from its written form."""
    return Rule(**{
        **said,
        "level": Level(said["level"]),
        "category": Category(said["category"]),
        "needs": tuple(said["needs"]),
        "speaks_of": tuple(said["speaks_of"]),
        "steps": tuple(said["steps"]),
        "sources": tuple(Source(**source) for source in said["sources"]),
        "waives": {Form(form): reason for form, reason in said["waives"].items()},
    })  # fmt: skip


def _files(folder: Traversable, suffix: str, prefix: str = "") -> list[str]:
    """The paths, below the folder, of the files with this ending."""
    found: list[str] = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        path = prefix + entry.name
        if entry.is_dir():
            found.extend(_files(entry, suffix, f"{path}/"))
        elif entry.name.endswith(suffix):
            found.append(path)
    return found
