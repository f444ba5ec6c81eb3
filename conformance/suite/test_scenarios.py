"""Every scenario of the features, through the adapter under test."""

from importlib.resources import files

import pytest
from pytest_bdd import scenarios

from tidegate.conformance.lab import Lab

scenarios(str(files("tidegate.features")))


@pytest.fixture(autouse=True)
def _in_the_lab(lab: Lab) -> Lab:
    """Scenarios name their fixtures in their steps; this one is there before the first step."""
    return lab
