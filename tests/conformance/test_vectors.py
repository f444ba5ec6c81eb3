"""The vectors: the results of rules at each boundary and on both sides, which any implementation can replay."""

import json
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from pydantic import TypeAdapter

from tests.conformance import broken
from tidegate.adapters.base import Adapter
from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.catalogue.obligations import owed
from tidegate.catalogue.rules import Form
from tidegate.cli.vectors import vectors as command
from tidegate.conformance.findings import Deviation, NotReached
from tidegate.conformance.lab import Lab
from tidegate.conformance.proofs.annotations import parameter_types
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.vectors import SCHEMA_FILE, read_vectors, served, vectors
from tidegate.conformance.vectors.boundaries import edges, has_edges
from tidegate.conformance.vectors.comparisons import BoundaryReader
from tidegate.conformance.vectors.form import Vector
from tidegate.conformance.vectors.generate import MODULES, differences, write
from tidegate.conformance.vectors.generate import files as texts
from tidegate.conformance.vectors.replay import in_words, replay
from tidegate.conformance.vectors.typical import typical
from tidegate.model.language.rule import definition_of, definitions
from tidegate.model.mechanisms import gate
from tidegate.record.errors import BadInput

SCRIPTS = [vector for vector in vectors() if vector.script]


def vector_id(vector: Vector) -> str:
    return vector.id


def implementation_for(vector: Vector) -> Adapter:
    profiles = (make() for make in resolve("reference").values())
    return next(profile for profile in profiles if set(vector.needs) <= profile.capabilities)


def played(vector: Vector, adapter: Adapter) -> bool:
    """Whether the implementation does what the vector expects."""
    adapter.start()
    try:
        replay(vector, Lab(adapter, Recorder(vector.id), "v."))
    except (Deviation, NotReached):
        return False
    finally:
        adapter.stop()
    return True


def test_the_committed_files_are_what_the_rules_give() -> None:
    with as_file(files("tidegate.conformance.vectors")) as folder:
        assert [str(difference) for difference in differences(folder)] == []


def test_every_rule_that_owes_vectors_has_some() -> None:
    owing = [rule.id for rule in catalogue().values() if Form.VECTORS in owed(rule)]
    assert owing
    assert not [rule_id for rule_id in owing if not served()[rule_id]]


@pytest.mark.parametrize("vector", vectors(), ids=vector_id)
def test_the_plain_function_says_what_a_vector_expects(vector: Vector) -> None:
    """The test uses only the JSON, and the function that it names."""
    module, _, name = vector.function.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    types = parameter_types(function)
    given = {name: TypeAdapter(types[name]).validate_python(value) for name, value in vector.given.items()}
    said = function(**given)
    assert TypeAdapter(type(said)).dump_python(said) == vector.expect


@pytest.mark.parametrize("name", ["overfull", "underfull", "settled", "full", "refill", "rejecting"])
def test_each_level_has_a_case_below_at_and_above(name: str) -> None:
    sides = defaultdict(set)
    for vector in vectors():
        if vector.function.endswith(f":{name}"):
            sides[vector.boundary].add(vector.distance)
    assert {-1, 0, 1} in sides.values()
    assert all(0 in found and len(found) >= 2 for found in sides.values())


UNDECIDED_AT_THE_EDGE = {
    ("granted", "asked <= room"),
    ("granted", "fitting > 0"),
    ("asked_for", "cost(size) > producer_window"),
}
"""Comparisons whose branches give the same at the edge itself; each decides at one to a side of the edge."""


def test_every_comparison_of_the_rules_is_at_its_edge() -> None:
    """In some rule, not in each: a comparison decides nothing in a rule that fixes its argument."""
    rules = [each for each in definitions() if each.function.__module__ in {module.__name__ for module in MODULES}]
    covered = [each for each in rules if has_edges(each)]
    assert len(covered) >= 14
    compared: set[tuple[str, str]] = set()
    at_edge: set[tuple[str, str]] = set()
    beside: set[tuple[str, str]] = set()
    for definition in covered:
        _, comparisons = BoundaryReader().run(definition.function, typical(definition))
        compared |= {(each.within, each.text) for each in comparisons}
        for edge in edges(definition):
            (at_edge if edge.distance == 0 else beside).add((edge.comparison.within, edge.comparison.text))
    assert compared - at_edge == UNDECIDED_AT_THE_EDGE
    assert beside >= UNDECIDED_AT_THE_EDGE


def test_a_comparison_that_is_turned_around_decides() -> None:
    below = {"gate": gate.Gate(1000, 800), "level": 799}
    assert BoundaryReader().run(gate.below_low, below)[0] is True
    assert BoundaryReader().run(gate.below_low, below, turned=0)[0] is False
    settled = definition_of(gate.settled)
    assert settled is not None
    assert {edge.given["closed"] for edge in edges(settled)} == {True, False}


@pytest.mark.parametrize("vector", SCRIPTS, ids=vector_id)
def test_the_reference_does_what_a_vector_expects(vector: Vector) -> None:
    assert played(vector, implementation_for(vector))


@pytest.mark.parametrize(
    ("cls", "function"),
    [
        (broken.StopsAtTheCapacity, "overfull"),
        (broken.StopsAtTheCapacity, "settled"),
        (broken.ReleasesAtTheResumeLevel, "underfull"),
        (broken.ReleasesAtTheResumeLevel, "effective_limits"),
        (broken.ForgetsTheResumeLevel, "underfull"),
        (broken.ForgetsItsVirtualHost, "effective_limits"),
        (broken.FullOnlyAboveTheMaximum, "full"),
        (broken.RefillsOneCreditLate, "refill"),
        (broken.RejectsOneByteLate, "rejecting"),
        (broken.TakesMinusOneForALevel, "rejecting"),
    ],
)
def test_a_broken_implementation_is_found_by_the_vectors_of_its_boundary(cls: type[Adapter], function: str) -> None:
    ours = [vector for vector in SCRIPTS if vector.function.endswith(f":{function}")]
    found = [vector.id for vector in ours if not played(vector, cls())]
    assert 0 < len(found) < len(ours)


def test_steps_read_as_sentences() -> None:
    vector = next(vector for vector in SCRIPTS if vector.id == "qpid.underfull.2.at")
    assert [in_words(step) for step in vector.script] == [
        "Given a destination with limit_bytes 1000, resume_bytes 800",
        "When the producer attaches",
        "When the producer sends 1 x 201 bytes, accepted",
        "When the producer sends 1 x 800 bytes, accepted",
        "Then the producer is stopped",
        "When 1 of the messages are consumed, the oldest first",
        "Then the producer is stopped",
    ]


def test_the_files_meet_the_published_schema(tmp_path: Path) -> None:
    write(tmp_path)
    schema = json.loads((tmp_path / SCHEMA_FILE).read_text())
    for name in texts().keys() - {SCHEMA_FILE}:
        content = json.loads((tmp_path / name).read_text())
        jsonschema.validate(content, schema)
        content["vectors"][0]["distance"] = 2
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(content, schema)


def test_a_file_that_is_not_up_to_date_is_named_with_its_line(tmp_path: Path) -> None:
    assert len(write(tmp_path)) == len(texts())
    assert write(tmp_path) == []
    file = tmp_path / "qpid.json"
    lines = file.read_text().splitlines()
    changed = next(number for number, line in enumerate(lines) if '"expect": true' in line)
    lines[changed] = lines[changed].replace("true", "false")
    file.write_text("\n".join(lines))
    (tmp_path / "gate.json").unlink()
    assert [(Path(str(found.file)).name, found.line) for found in differences(tmp_path)] == [
        ("gate.json", None),
        ("qpid.json", changed + 1),
    ]
    checked = CliRunner().invoke(command, ["check", "--in", str(tmp_path)])
    assert checked.exit_code == 1
    assert f"qpid.json:{changed + 1}: " in checked.output


def test_a_malformed_file_is_one_sentence_with_its_field(tmp_path: Path) -> None:
    write(tmp_path)
    file = tmp_path / "gate.json"
    content = json.loads(file.read_text())
    content["vectors"][2]["distance"] = "near"
    file.write_text(json.dumps(content))
    with pytest.raises(BadInput, match=r"gate\.json: field 'vectors\.2\.distance': expected vectors: ") as caught:
        read_vectors(file)
    assert "\n" not in str(caught.value)
