"""The scenarios of the feature files, each with its text."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gherkin.parser import Parser

from tidegate.conformance.feature_files import is_rule


@dataclass(frozen=True)
class Scenario:
    """A scenario of a feature file with its text and its number of examples (1 without a table)."""

    name: str
    text: str
    examples: int


def scenarios() -> Iterator[tuple[str, Scenario]]:
    """Each scenario of each feature, once for every rule in its tags."""
    for file in sorted(files("tidegate.features").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".feature"):
            yield from _of_feature(file.read_text(encoding="utf-8"))


def _of_feature(text: str) -> Iterator[tuple[str, Scenario]]:
    lines = text.splitlines()
    document: dict[str, Any] = dict(Parser().parse(text))
    children = [child.get("scenario") or child["background"] for child in document["feature"]["children"]]
    ends = [_first_line(child) - 1 for child in children[1:]] + [len(lines)]
    background = ""
    for child, end in zip(children, ends, strict=True):
        body = textwrap.dedent("\n".join(lines[child["location"]["line"] - 1 : end])).strip()
        if "examples" not in child:
            background = body + "\n\n"
            continue
        examples = sum(len(table["tableBody"]) for table in child["examples"]) or 1
        tags = [tag["name"].removeprefix("@") for tag in child["tags"]]
        for tag in filter(is_rule, tags):
            yield tag, Scenario(child["name"], background + body, examples)


def _first_line(child: Mapping[str, Any]) -> int:
    first: int = min(part["location"]["line"] for part in (child, *child.get("tags", ())))
    return first
