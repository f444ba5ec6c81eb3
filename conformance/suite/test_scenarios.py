"""Every scenario of the features, through the adapter under test."""

from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files

import pytest
from pytest_bdd import scenarios

from tidegate.adapters.base import AdapterError
from tidegate.conformance.lab import Lab

scenarios(str(files("tidegate.features")))


@pytest.fixture(autouse=True)
def _in_the_lab(lab: Lab) -> Iterator[Lab]:
    """Scenarios name their fixtures in their steps; this one is there before the first step, and ends the scenario."""
    yield lab
    with suppress(AdapterError):  # a scenario may leave its implementation so that nothing can be called any more
        lab.finish()
