"""Finds the rules that implementations use: the rules that their modules name, and the rules that these call."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tidegate.model.language.rule import Definition, definition_of


def rules_used_by(factories: Iterable[Callable[..., Any]]) -> frozenset[str]:
    """The names, `module:function`, of all rules that the packages of these implementations use."""
    packages = {factory.__module__.rpartition(".")[0] for factory in factories}
    modules = [module for name, module in sys.modules.items() if name.rpartition(".")[0] in packages]
    named = [rule for module in modules for rule in _named_in(ast.parse(inspect.getsource(module)), vars(module))]
    return frozenset(rule.qualified_name for rule in with_what_they_use(named))


def with_what_they_use(rules: Iterable[Definition]) -> frozenset[Definition]:
    """The rules, the rules that they call, and so on."""
    waiting = list(rules)
    used: set[Definition] = set()
    while waiting:
        rule = waiting.pop()
        if rule not in used:
            used.add(rule)
            waiting += [each for part in rule.body for each in _named_in(part, rule.scope)]
    return frozenset(used)


def _named_in(tree: ast.AST, scope: Any) -> Iterator[Definition]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                value = scope.get(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                value = getattr(scope.get(module), name, None)
            case _:
                continue
        if inspect.isfunction(value) and (rule := definition_of(value)) is not None:
            yield rule
