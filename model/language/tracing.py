"""Trace rules: conditions on every event of a trace, given the events before it.

A trace rule is written in the rule language with the past-time operators. It starts with `given(...)`, which says which
events it judges, and returns the condition that must hold for them.
"""

import ast
from collections.abc import Callable
from types import ModuleType

from tidegate.model.language.rule import Definition, define, primitive
from tidegate.record.events import Moment

TraceRule = Callable[[Moment], bool]

_trace_rules: dict[TraceRule, Definition] = {}


@primitive
def given(condition: bool) -> None:
    """The rule judges only events for which this holds; it ignores others."""
    raise NotImplementedError("given has a meaning only for a reader of traces")


def trace_rule(function: TraceRule) -> TraceRule:
    """Keep the definition of a trace rule; its docstring starts with the id of the rule that it checks.

    Raises SyntaxError where the docstring has another form.
    """
    _trace_rules[function] = define(function, also=(ast.Expr,))
    return function


def trace_rules() -> tuple[Definition, ...]:
    """Every trace rule imported so far, in the order of definition."""
    return tuple(_trace_rules.values())


def rules_in(*modules: ModuleType) -> tuple[Definition, ...]:
    """The trace rules that these modules define, in the order in which modules were imported first."""
    names = {module.__name__ for module in modules}
    return tuple(rule for rule in trace_rules() if rule.function.__module__ in names)
