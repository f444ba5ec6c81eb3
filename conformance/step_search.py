"""The search for the steps of scenarios, made once for each text.

pytest-bdd goes through all fixtures of a session for each step of each scenario, asks pytest for each of them where it
is visible, and has no option for that. With four hundred steps it took a fifth of a run on the reference. A session of
the suite's own has all steps in plugins, so what is visible and what is found for a text is the same everywhere.
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
    """Within one session of the suite's own: each step is searched for once."""
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
