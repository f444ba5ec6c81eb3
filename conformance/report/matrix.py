"""Rules against implementations in their versions: the form of a matrix, and its file."""

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tidegate.conformance.report import view
from tidegate.conformance.report.boundaries import Boundary
from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 2
"""2: a permission is `used` or `not used`; in 1 it was `kept` or `allowed`."""
MOST_SIGNS = 90
"""The most characters of a figure in a cell; the report has the whole figure."""
NOT_AVAILABLE = "not available"


@dataclass(frozen=True)
class Column:
    """One implementation in one version, available or not."""

    source: str
    """The name of the adapter or the path of the report."""
    name: str
    version: str
    protocol: str = ""
    profile: str = ""
    spec: str = ""
    """The version of the specification that the implementation was judged by."""
    started: str = ""
    """UTC, ISO 8601."""
    seconds: float = 0.0
    checks: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    part: str | None = None
    """The part of the suite that ran, such as `the boundary subset`; null for the whole suite."""
    left_out: int = 0
    """The number of claimed rules that were not judged because the part does not hold them."""
    page: str | None = None
    """The page of its report, as a path from the folder of the matrix."""
    unavailable: str | None = None
    """The reason why the implementation is not available; null if it was judged."""
    deviations_gone: tuple[str, ...] = ()
    """What is not as its known deviations declare, each with the rule. It makes the exit code 1."""

    @property
    def label(self) -> str:
        """The implementation's name in headings."""
        return f"{self.name} {self.version}".strip()

    @property
    def not_as_declared(self) -> tuple[str, ...]:
        """What is not as declared, with the implementation's name in front."""
        return tuple(f"{self.label}: {gone}" for gone in self.deviations_gone)

    @property
    def limited(self) -> str:
        """The part that ran and the number of rules it leaves out; empty after a whole run."""
        return f"{self.part} only, {self.left_out} rules left out" if self.part else ""

    @property
    def family(self) -> str:
        """The name of the adapter, which the versions of one implementation share."""
        return (self.profile or self.source).partition(":")[0]


@dataclass(frozen=True)
class Figure:
    """The expectation of a check that was not kept, and what it saw."""

    check: str
    expected: str
    seen: str


@dataclass(frozen=True)
class Cell:
    """The verdict on one rule of one implementation, with its figures."""

    verdict: Verdict | None
    """Null if the rule was not judged: not available, not asked, or not in the part that ran."""
    words: str
    """The verdict as reports print it, or the reason why there is none."""
    reason: str = ""
    boundaries: tuple[Boundary, ...] = ()
    """The implementation's behaviour at each point of each boundary of the rule."""
    figures: tuple[Figure, ...] = ()
    """The figures of the checks that were not kept: the worst first, and among equals the trace last."""
    known_deviation: str | None = None

    @property
    def deviation(self) -> str:
        """The first figure that is not as documented, unless a boundary shows it; else empty."""
        if self.verdict not in view.NOT_GREEN or any(boundary.deviates for boundary in self.boundaries):
            return ""
        return _short(self.figures[0].seen if self.figures else self.reason)

    @property
    def gist(self) -> tuple[str, ...]:
        """The figures in a few words: the deviation, and the places where the behaviour changes."""
        if self.verdict in (None, Verdict.NOT_CLAIMED):
            return ()
        return tuple(filter(None, [self.deviation, *map(str, self.boundaries)]))


@dataclass(frozen=True)
class Line:
    """One rule over all columns, in their order."""

    rule: str
    level: str
    category: str
    """Empty for a rule that is no longer in the specification."""
    title: str
    sentence: str
    cells: tuple[Cell, ...]

    @property
    def mechanism(self) -> str:
        """The id of the rule without its number, which all rules of a mechanism share."""
        return self.rule.rpartition("-")[0]

    @property
    def claimed(self) -> bool:
        """Whether any implementation was judged by the rule."""
        return any(cell.verdict not in (None, Verdict.NOT_CLAIMED) for cell in self.cells)

    @property
    def differs(self) -> bool:
        """Whether the implementations that were judged by the rule got different verdicts."""
        judged = {cell.verdict for cell in self.cells if cell.verdict not in (None, Verdict.NOT_CLAIMED)}
        return len(judged) > 1

    @property
    def alarming(self) -> bool:
        """Whether any verdict on the rule is violated or unknown."""
        return any(cell.verdict in view.NOT_GREEN for cell in self.cells)


@dataclass(frozen=True)
class Matrix:
    """All rules over all columns; the columns of one implementation stand beside each other."""

    tidegate: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    exit_code: int
    schema: int = SCHEMA_VERSION


MATRIX = TypeAdapter(Matrix)


def matrix_schema() -> dict[str, Any]:
    """The JSON schema of matrix.json."""
    return MATRIX.json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def write_matrix(matrix: Matrix, path: Path) -> None:
    """Write matrix.json, indented by two spaces, so that two files can be compared line by line."""
    path.write_bytes(MATRIX.dump_json(matrix, indent=2) + b"\n")


def _short(figure: str) -> str:
    """The gist of a figure, without the scale of the run, cut to the length of a cell."""
    gist = re.split(", first at |, such as at |: \\[", view.in_own_figures(figure))[0]
    return textwrap.shorten(gist, MOST_SIGNS, placeholder=" …")
