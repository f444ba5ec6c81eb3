"""The rules that judge, by the names with which workers get them, and a digest of their text."""

import ast
import hashlib
import inspect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module

from tidegate.model.language import narrowing, running
from tidegate.model.language.past import OPERATORS
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.language.tracing import trace_rules

RuleNames = tuple[str, ...]
"""Trace rules as `module:function`."""


def names_of(rules: Iterable[Definition]) -> RuleNames:
    """The names of the rules."""
    return tuple(rule.qualified_name for rule in rules)


@lru_cache(maxsize=64)
def rules_named(names: RuleNames) -> tuple[Definition, ...]:
    """The rules of these names. LookupError for an unknown name."""
    return tuple(map(_rule_named, names))


def _rule_named(name: str) -> Definition:
    module = import_module(name.partition(":")[0])
    for rule in trace_rules():
        if rule.qualified_name == name:
            return rule
    raise LookupError(f"{name} is no trace rule of {module.__name__}")


@lru_cache(maxsize=64)
def digest_of_rules(names: RuleNames) -> str:
    """A digest that differs for rules that judge differently: counts and memories hold for one digest only."""
    return digest(rules_named(names))


def digest(rules: Sequence[Definition]) -> str:
    """The digest of the text of these rules, of all rules and operators that they call, and of their constants.

    The code that runs rules is part of it, since it gives each operator its place in what is remembered.
    """
    text = [inspect.getsource(narrowing), inspect.getsource(running)]
    reached = dict.fromkeys(rules)
    waiting = [*rules]
    while waiting:
        each = waiting.pop(0)
        text += [each.qualified_name, *map(ast.unparse, each.body)]
        for name in sorted(_names_in(each)):
            value = each.scope[name]
            called = definition_of(OPERATORS[value].step if value in OPERATORS else value)
            if called is None:
                text.append(f"{name} = {getattr(value, '__qualname__', repr(value))}")
            elif called not in reached:
                reached[called] = None
                waiting.append(called)
    return hashlib.blake2b("\n".join(text).encode(), digest_size=16).hexdigest()


def _names_in(definition: Definition) -> set[str]:
    """The names of its module that the body of a rule uses."""
    nodes = (node for statement in definition.body for node in ast.walk(statement))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return {name for name in names - definition.local_names if name in definition.scope}
