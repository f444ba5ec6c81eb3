"""Finds, for each comparison of a rule, arguments at its boundary and on either side where it alone decides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tidegate.conformance.proofs.annotations import key_types, parameter_types
from tidegate.conformance.vectors.comparisons import BoundaryReader, Comparison
from tidegate.conformance.vectors.typical import Given, leaves, typical, value_at, variants, with_value
from tidegate.model.language.reading import Value
from tidegate.model.language.rule import Definition

Distance = Literal[-1, 0, 1]
DISTANCES: tuple[Distance, ...] = (-1, 0, 1)
OTHER_READING = "the other reading"
"""The beginning of the sentence of a reading that is stated but not scored; it has no vectors."""


@dataclass(frozen=True)
class Edge:
    """Arguments near one comparison of a rule, where the comparison decides the rule's answer."""

    number: int
    comparison: Comparison
    distance: Distance
    given: Given
    expect: Value


def has_edges(definition: Definition) -> bool:
    """Whether the rule is the scored reading, has single figures as arguments, and compares any of them."""
    hints = parameter_types(definition.function)
    if definition.sentence.startswith(OTHER_READING) or any(list(key_types(hint)) for hint in hints.values()):
        return False
    _, comparisons = BoundaryReader().run(definition.function, typical(definition))
    return bool(comparisons)


def edges(definition: Definition) -> Iterator[Edge]:
    """Every edge of the rule, by comparison, below, at and above, as far as fitting arguments exist."""
    reader = BoundaryReader()
    bases = variants(typical(definition))
    _, comparisons = reader.run(definition.function, bases[0])
    for number in range(len(comparisons)):
        for distance in DISTANCES:
            edge = _edge(reader, definition, bases, number, distance)
            if edge is not None:
                yield edge


def _edge(
    reader: BoundaryReader, definition: Definition, bases: list[Given], number: int, distance: Distance
) -> Edge | None:
    for base in bases:
        for given in _moved(reader, definition, base, number, distance):
            said, comparisons = reader.run(definition.function, given)
            if comparisons[number].distance != distance:
                continue
            otherwise, _ = reader.run(definition.function, given, turned=number)
            if said != otherwise:
                expect = definition.function(**given)
                assert expect == said, f"the reader and the plain function differ: {definition.name} of {given}"
                return Edge(number, comparisons[number], distance, given, expect)
    return None


def _moved(
    reader: BoundaryReader, definition: Definition, base: Given, number: int, distance: Distance
) -> Iterator[Given]:
    """The base with one figure moved so that the comparison may reach this distance.

    The effect of a figure on the comparison is found by moving the figure by one: a ratio multiplies it.
    """
    now = _distance(reader, definition, base, number)
    for leaf in leaves(base):
        if leaf.is_truth:
            continue
        held = value_at(base, leaf.path)
        slope = _distance(reader, definition, with_value(base, leaf.path, held + 1), number) - now
        if slope == 0 or (distance - now) % slope != 0:
            continue
        figure = held + (distance - now) // slope
        if figure >= leaf.least:
            yield with_value(base, leaf.path, figure)


def _distance(reader: BoundaryReader, definition: Definition, given: Given, number: int) -> int:
    """The distance of the comparison from its edge: its left side less its right side."""
    _, comparisons = reader.run(definition.function, given)
    return comparisons[number].distance
