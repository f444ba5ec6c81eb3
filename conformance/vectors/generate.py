"""Writes the files of vectors from the rules of the model, and finds files that differ from the rules."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType, ModuleType

from tidegate.catalogue import Rule, catalogue
from tidegate.catalogue.obligations import owed
from tidegate.catalogue.rules import Form
from tidegate.conformance.vectors import SCHEMA_FILE
from tidegate.conformance.vectors.boundaries import Edge, edges, has_edges
from tidegate.conformance.vectors.form import Declare, DeclareDefaults, Levels, Step, Vector, VectorFile
from tidegate.conformance.vectors.scripts import script_of
from tidegate.model.language.reading import Value
from tidegate.model.language.rule import Definition, definitions
from tidegate.model.mechanisms import (
    andes,
    artemis,
    artemis_consumer,
    artemis_producer,
    classic,
    credit,
    gate,
    qpid,
    qpid942,
    qpid_disk,
    rate,
    wait,
)
from tidegate.record.errors import BadInput

MODULES: tuple[ModuleType, ...] = (
    *(gate, credit, wait, rate),
    *(qpid, qpid942, qpid_disk),
    *(artemis, artemis_consumer, artemis_producer),
    *(classic, andes),
)
SIDES = {-1: "below", 0: "at", 1: "above"}


@cache
def files() -> Mapping[str, str]:
    """The text of every file, by name."""
    texts = {f"{module.__name__.rpartition('.')[2]}.json": _text(_file(module)) for module in MODULES}
    return MappingProxyType({**texts, SCHEMA_FILE: _text(VectorFile.model_json_schema())})


def write(folder: Path) -> list[str]:
    """Write every file to the folder; the names of the files that changed."""
    stale = list(differences(folder))
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(difference.file) for difference in stale]


def differences(folder: Path) -> Iterator[BadInput]:
    """For each file that is missing or differs from what the rules give, the first line that differs."""
    for name, text in files().items():
        path = folder / name
        if not path.is_file():
            yield BadInput("expected a file of vectors; tidegate vectors write makes it", file=path)
            continue
        line = _first_difference(path.read_text(encoding="utf-8"), text)
        if line is not None:
            yield BadInput(
                "expected the figures that the rules give; run `tidegate vectors write`", file=path, line=line
            )


def _first_difference(old: str, new: str) -> int | None:
    lines = zip_longest(old.splitlines(), new.splitlines())
    return next((number for number, (one, other) in enumerate(lines, start=1) if one != other), None)


def _file(module: ModuleType) -> dict[str, Value]:
    rules = [each for each in definitions() if each.function.__module__ == module.__name__ and has_edges(each)]
    vectors = tuple(_vector(rule, edge) for rule in rules for edge in edges(rule))
    return VectorFile(module=module.__name__, vectors=vectors).model_dump(mode="json", exclude_none=True)


def _vector(definition: Definition, edge: Edge) -> Vector:
    rules = rules_behind(definition)
    script, presupposed = script_of(definition.function, edge.given, edge.expect)
    module = definition.function.__module__.rpartition(".")[2]
    comparison = edge.comparison
    place = "" if comparison.within == definition.name else f" (in {comparison.within})"
    return Vector(
        id=f"{module}.{definition.name}.{edge.number + 1}.{SIDES[edge.distance]}",
        rules=tuple(rule.id for rule in rules),
        function=definition.qualified_name,
        boundary=f"{comparison.text}{place}",
        distance=edge.distance,
        given={name: _plain(value) for name, value in edge.given.items()},
        expect=_plain(edge.expect),
        needs=_needs(rules, script) if script else (),
        script=script,
        presupposed=presupposed if script else None,
    )


def rules_behind(definition: Definition) -> list[Rule]:
    """The rules of the spec that a case of the definition belongs to; if some of them owe vectors, only these."""
    spec = catalogue()
    cited = [rule for rule in spec.values() if rule.id == definition.rule_id or rule.owns(definition.qualified_name)]
    return [rule for rule in cited if Form.VECTORS in owed(rule)] or cited


def _needs(rules: list[Rule], script: tuple[Step, ...]) -> tuple[str, ...]:
    needs = {need for rule in rules for need in rule.needs}
    if any(isinstance(step, DeclareDefaults) for step in script):
        needs.add("default-limits")
    if any(isinstance(step, Declare) and _fills_an_address(step.limits) for step in script):
        needs.add("address-limit")
    return tuple(sorted(needs))


def _fills_an_address(levels: Levels) -> bool:
    """Whether a producer with credit fills an address to a maximum size."""
    return levels.credit is not None and levels.limit_bytes is not None


def _plain(value: Value) -> Value:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _text(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
