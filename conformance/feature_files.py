"""The scenarios of the feature files, with the rules that each serves and the number of its examples."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gherkin.parser import Parser
from pytest_bdd.scenario import make_python_name

NEEDS = "needs:"
"""The prefix of a tag that names a capability which a scenario needs beside the capabilities of its rules."""
ALONE = "each-value-alone"
"""The tag of a scenario that runs under each value of a condition alone: nearly any bug shows there."""
THREE = 3
"""The fewest examples of a boundary: at, below and above."""


@dataclass(frozen=True)
class Scenario:
    """A scenario, or an outline of several scenarios."""

    check: str
    """The name of its check, without the figures of an example."""
    rules: tuple[str, ...]
    """The ids of the rules that it is tagged with."""
    needs: frozenset[str]
    """The capabilities that it needs beside the capabilities of its rules."""
    examples: int
    """The number of its runs: 1 without a table of examples."""
    feature: str = ""
    """The name of its file, without the suffix."""
    steps: tuple[str, ...] = ()
    """The texts of its steps."""
    each_value_alone: bool = False
    """Whether it has the tag `each-value-alone`."""

    @property
    def has_three_points(self) -> bool:
        """Whether it has enough examples to stand at, below and above a boundary."""
        return self.examples >= THREE


def need_in(tag: str) -> str | None:
    """The capability that a tag names; None if the tag names none."""
    return tag.removeprefix(NEEDS) if tag.startswith(NEEDS) else None


def is_rule(tag: str) -> bool:
    """Whether a tag is the id of a rule."""
    return tag != ALONE and need_in(tag) is None


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Every scenario of every feature file, in the order of file names."""
    return tuple(_scenarios())


def _scenarios() -> Iterator[Scenario]:
    for file in sorted(files("tidegate.features").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".feature"):
            document: dict[str, Any] = dict(Parser().parse(file.read_text(encoding="utf-8")))
            children = document["feature"]["children"]
            before = [step["text"] for child in children for step in child.get("background", {}).get("steps", ())]
            for child in children:
                if scenario := child.get("scenario"):
                    tags = [tag["name"].removeprefix("@") for tag in scenario["tags"]]
                    yield Scenario(
                        make_python_name(scenario["name"]),
                        tuple(filter(is_rule, tags)),
                        frozenset(need for tag in tags if (need := need_in(tag)) is not None),
                        sum(len(table["tableBody"]) for table in scenario["examples"]) or 1,
                        feature=file.name.removesuffix(".feature"),
                        steps=(*before, *(step["text"] for step in scenario["steps"])),
                        each_value_alone=ALONE in tags,
                    )
