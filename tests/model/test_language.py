"""The rule language: what it keeps of a rule, and what it refuses, naming file, rule and line."""

import ast
import inspect
from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

from tidegate import model
from tidegate.model.language.reading import PlainWorld, Reader
from tidegate.model.language.rule import define, definition_of, definitions
from tidegate.model.language.tracing import trace_rules
from tidegate.model.mechanisms.gate import Gate
from tidegate.model.mechanisms.qpid import overfull


def loops(level: int) -> int:
    """TEST-1: a loop."""
    while level > 0:
        level = level - 1
    return level


def divides(level: int) -> int:
    """TEST-1: a division."""
    return level // 2


def branches(level: int) -> int:
    """TEST-1: a branch statement."""
    if level > 0:
        return level
    return 0


def picks(level: int) -> int:
    """TEST-1: an anonymous function."""
    return (lambda: level)()


def lists(level: int) -> Any:
    """TEST-1: a list."""
    return [level]


def states_alone(level: int) -> int:
    """TEST-1: a statement without effect."""
    abs(level)
    return level


def assigns_two(level: int) -> int:
    """TEST-1: two names at once."""
    low, high = level, level
    return low + high


def assigns_a_part(levels: dict[str, int]) -> int:
    """TEST-1: a part of a table."""
    levels["a"] = 1
    return levels["a"]


def is_none(level: int) -> bool:
    """TEST-1: identity."""
    return level is None


def speaks_without_an_id(level: int) -> int:
    """It has no id."""
    return level


def says_nothing(level: int) -> int:
    return level


@pytest.mark.parametrize(
    ("function", "refused", "offset"),
    [
        (loops, "While", 2),
        (divides, "FloorDiv", 2),
        (branches, "If", 2),
        (picks, "Lambda", 2),
        (lists, "List", 2),
        (states_alone, "Expr", 2),
        (assigns_two, "one name", 2),
        (assigns_a_part, "one name", 2),
        (is_none, "Is", 2),
        (speaks_without_an_id, "docstring", 0),
        (says_nothing, "docstring", 0),
    ],
)
def test_refuses_what_the_language_has_not(function: Callable[..., Any], refused: str, offset: int) -> None:
    with pytest.raises(SyntaxError) as caught:
        assert define(function).body
    error = caught.value
    assert refused in str(error.msg)
    assert function.__name__ in str(error.msg)
    assert error.filename == inspect.getsourcefile(function)
    assert error.lineno == inspect.getsourcelines(function)[1] + offset


def test_no_rule_of_the_model_steps_outside_the_language() -> None:
    """A rule's tree is checked when it is first asked for, which for one that is only called never happens."""
    for module in walk_packages(model.__path__, f"{model.__name__}."):
        import_module(module.name)
    every = (*definitions(), *trace_rules())
    assert len(every) > 250
    assert all(definition.body for definition in every)


def test_keeps_id_sentence_and_lines_of_a_rule() -> None:
    definition = definition_of(overfull)
    assert definition is not None
    assert definition.rule_id == "QPID-QUEUE-1"
    assert definition.sentence == "the queue holds more bytes than its capacity."
    assert definition.qualified_name == "tidegate.model.mechanisms.qpid:overfull"
    source, first_line = inspect.getsourcelines(overfull)
    assert first_line < definition.body[0].lineno < first_line + len(source)


def test_leaves_the_function_as_it_is() -> None:
    assert definition_of(overfull) in definitions()
    assert overfull.__module__ == "tidegate.model.mechanisms.qpid"
    assert not hasattr(overfull, "__wrapped__")


def test_a_reader_calls_nothing_but_rules() -> None:
    def not_a_rule(level: int) -> int:
        return level

    with pytest.raises(TypeError, match="is not a rule"):
        Reader(PlainWorld()).call(not_a_rule, 1)


def test_a_reader_refuses_a_tree_that_was_not_checked() -> None:
    definition = definition_of(overfull)
    assert definition is not None
    unchecked = definition.with_body((ast.parse("queue.bytes // 2 if queue else [1]").body[0],))
    with pytest.raises((SyntaxError, KeyError)):
        Reader(PlainWorld()).read(unchecked, {"queue": Gate(1, 1)})
