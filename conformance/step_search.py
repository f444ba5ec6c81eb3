"""Searches the steps of scenarios once for each text.

For each step of each scenario, pytest-bdd goes through all fixtures of a session and asks pytest for the visibility of
each, and has no option to avoid it. With four hundred steps this took a fifth of a run on the reference. A session of
the suite has all steps in plugins, so visibility and results are the same for a text everywhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest
from pytest_bdd.parser import Step

EXECUTION = import_module("pytest_bdd.scenario")
"""The module; the package has a function of the same name."""
_search = EXECUTION.find_fixturedefs_for_step
_visible = EXECUTION.getfixturedefs


@contextmanager
def once_for_each_text() -> Iterator[None]:
    """Within one session of the suite, search each step once."""
    found: dict[tuple[str, str], list[Any]] = {}
    visible: dict[str, Sequence[Any] | None] = {}

    def visible_ones(fixturemanager: Any, name: str, node: pytest.Item) -> Sequence[Any] | None:
        if name not in visible:
            visible[name] = _visible(fixturemanager, name, node)
        return visible[name]

    def search(step: Step, fixturemanager: Any, node: pytest.Item) -> list[Any]:
        text = step.type, step.name
        if text not in found:
            found[text] = list(_search(step, fixturemanager, node))
        return found[text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EXECUTION, "find_fixturedefs_for_step", search)
        patch.setattr(EXECUTION, "getfixturedefs", visible_ones)
        yield
