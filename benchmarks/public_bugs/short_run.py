"""The checks of a short run: every scenario as written, and each value of a condition alone on one scenario.

This scenario leaves most conditions open, or, if it does not leave this condition open, is another one. Only the first
example of an outline is taken; costly values are left out.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from gherkin.parser import Parser
from pytest_bdd.scenario import make_python_name

from tidegate.conformance.conditions import CONDITIONS
from tidegate.conformance.conditions.weaving import OF_EVERY_MECHANISM, open_conditions, values_of
from tidegate.conformance.feature_files import scenarios


def checks(capabilities: frozenset[str]) -> tuple[str, ...]:
    """The names of these checks, for an implementation with these capabilities.

    A run skips scenarios whose rules it does not claim, but not a named value.
    """
    return (*_plain(), *_each_value_alone(capabilities))


def _plain() -> Iterator[str]:
    names = _examples()
    return (scenario.check + names[scenario.check][0] for scenario in scenarios())


def _each_value_alone(capabilities: frozenset[str]) -> Iterator[str]:
    general = (each for each in scenarios() if each.feature == OF_EVERY_MECHANISM and each.examples == 1)
    of_all = [(each, open_conditions(each)) for each in general]
    of_all.sort(key=lambda pair: -len(pair[1]))
    for condition in CONDITIONS:
        scenario = next((each for each, leaves_open in of_all if condition.name in leaves_open), None)
        for value in values_of(condition, capabilities, costly=False) if scenario else ():
            if value != condition.plain:
                yield f"{scenario.check} ({value.name})"


def _examples() -> dict[str, list[str]]:
    """For each scenario, the suffixes of its checks' names, one for each example."""
    found: dict[str, list[str]] = {}
    for file in files("tidegate.features").iterdir():
        if file.name.endswith(".feature"):
            document: dict[str, Any] = dict(Parser().parse(file.read_text(encoding="utf-8")))
            for child in document["feature"]["children"]:
                if scenario := child.get("scenario"):
                    rows = [row for table in scenario["examples"] for row in table["tableBody"]]
                    ends = ["[" + "-".join(cell["value"] for cell in row["cells"]) + "]" for row in rows]
                    found[make_python_name(scenario["name"])] = ends or [""]
    return found
