"""Every scenario of the features, through the adapter under test."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from pytest_bdd import scenarios

from tidegate.conformance.lab import Lab
from tidegate.conformance.subject import Subject

scenarios(str(files("tidegate.features")))


@pytest.fixture(autouse=True)
def _in_the_lab(lab: Lab, subject: Subject) -> Iterator[Lab]:
    """Open the lab before the first step of a scenario, and end the scenario; steps name any other fixture."""
    yield lab
    subject.finish(lab)
    lab.expect_the_event()
