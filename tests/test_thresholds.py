"""Checks that thresholds are written once: only mechanisms and built versions compare levels with thresholds."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WRITTEN_IN = (Path("model/mechanisms"), Path("model/built"))
ASKING = ("model", "pipeline", "sweep", "why", "explain", "cli", "catalogue", "record", "pages")
"""Parts that ask the rules. Proofs and vectors are left out: they state with their own figures what a rule says."""
THRESHOLDS = {
    "limit", "resume", "capacity", "max_size", "maximum", "high", "low", "threshold", "reject_threshold", "quota",
    "resume_level", "memory_limit", "overfull_bytes", "underfull_bytes", "message_limit", "all_limit", "global_limit",
}  # fmt: skip
LEVELS = {
    "bytes",
    "messages",
    "level",
    "last_level",
    "level_at",
    "used",
    "used_bytes",
    "depth",
    "credit",
    "left",
    "left_at",
}
BY_COLUMN = {"latest", "total", "col", "max", "min", "coalesce"}
"""Calls that pass their arguments on; any other call compares its arguments itself."""
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
METHODS = {"lt", "le", "gt", "ge", "is_between"}
"""The methods that compare columns."""


def held_against_a_threshold(source: str) -> list[str]:
    """The comparisons of a level with a threshold in a source."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare() if any(isinstance(each, ORDER) for each in node.ops):
                operands = [node.left, *node.comparators]
            case ast.Call(func=ast.Attribute(value=compared, attr=name)) if name in METHODS:
                operands = [compared, *node.args]
            case _:
                continue
        named = [set(names(each)) for each in operands]
        if any(each & THRESHOLDS for each in named) and any(each & LEVELS for each in named):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def names(node: ast.AST) -> Iterator[str]:
    """The names in an operand, without those in the arguments of a rule."""
    match node:
        case ast.Attribute(attr=name, value=value):
            yield name
            if not isinstance(value, ast.Name):
                yield from names(value)
        case ast.Name(id=name):
            yield name
        case ast.Constant(value=str() as text):
            yield text
        case ast.Call(func=function, args=args, keywords=keywords):
            called = [*names(function)]
            yield from called
            if BY_COLUMN & {*called}:
                for each in (*args, *(each.value for each in keywords if each.arg != "when")):
                    yield from names(each)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from names(child)


def sources() -> Iterator[Path]:
    """Every module that must ask the rules."""
    for part in ASKING:
        for file in sorted((ROOT / part).rglob("*.py")):
            if not any(file.is_relative_to(ROOT / each) for each in WRITTEN_IN):
                yield file.relative_to(ROOT)


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path)) for path in sources()])
def test_a_level_is_held_against_a_threshold_by_the_rules_alone(path: Path) -> None:
    assert held_against_a_threshold((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "written",
    [
        "last_level(e) < latest(e.resume, when=sets_capacity(e), per=(e.destination,))",
        "figures.level >= figures.limit",
        "pl.col('bytes') > pl.col('limit')",
        "pl.col('bytes').gt(pl.col('limit'))",
        "messages > most.capacity",
        "window_at(e).low + e.credit >= window_at(e).size",
    ],
)
def test_a_threshold_that_is_written_again_is_noticed(written: str) -> None:
    assert held_against_a_threshold(written) != []


@pytest.mark.parametrize(
    "written",
    ["full(limits_at(e), last_level(e)) > 0", "underfull(queue_at(e, e.bytes))", "levels.resume > levels.capacity"],
)
def test_asking_a_rule_is_no_comparison(written: str) -> None:
    assert held_against_a_threshold(written) == []


def test_the_mechanisms_compare_and_are_left_out() -> None:
    gate = ROOT / "model/mechanisms/gate.py"
    assert held_against_a_threshold(gate.read_text(encoding="utf-8")) != []
    assert gate.relative_to(ROOT) not in set(sources())
