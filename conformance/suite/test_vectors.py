"""The script of every vector that has one, through the adapter under test."""

import pytest

from tidegate.conformance.lab import Lab
from tidegate.conformance.plugin import STEPS
from tidegate.conformance.vectors import vectors
from tidegate.conformance.vectors.form import Vector
from tidegate.conformance.vectors.replay import in_words, replay

SCRIPTS = [
    pytest.param(vector, id=vector.id, marks=[pytest.mark.needs(*vector.needs), *map(pytest.mark.rule, vector.rules)])
    for vector in vectors()
    if vector.script
]


@pytest.mark.parametrize("vector", SCRIPTS)
def test_vector(vector: Vector, lab: Lab, request: pytest.FixtureRequest) -> None:
    request.node.stash[STEPS] = [
        in_words(step, given=vector.only_leads_there(number)) for number, step in enumerate(vector.script)
    ]
    replay(vector, lab)
