"""Linking: replaces some rules and defaults, and binds every use of them to the replacements.

A released broker is the documents' model with a few rules and defaults replaced. Linking makes new functions and
definitions of the affected rules: it changes nothing in the process, the documents' rules stay as they are, and every
reader (solver, columns, formulas, vectors, mutants) reads a linked rule as any other rule.
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, cast

from tidegate.model.language.rule import Definition, Function, definition_of, keep_definition

Rule = Callable[..., Any]
Default = tuple[ModuleType, str]
"""A constant of the model: its module and its name in the module."""


class Linker:
    """The rules and defaults of a model with some of them replaced.

    `replaced` maps a rule to its replacement, which has the same parameters. A replacement that calls the rule it
    replaces calls the original. `defaults` maps a constant, by its module and its name, to its replacement. Raises
    TypeError where a rule or its replacement is not a rule, where their parameters differ, or where a default is
    unknown in the model or of another type.
    """

    def __init__(self, replaced: Mapping[Rule, Rule], defaults: Mapping[Default, object] | None = None):
        for rule, instead in replaced.items():
            _check(rule, instead)
        self._replaced = dict(replaced)
        for default, value in (defaults or {}).items():
            _check_default(default, value)
        self._defaults = dict(defaults or {})
        self._linked: dict[tuple[Rule, Rule | None], Rule] = {}
        self._asked: dict[Rule, Rule] = {}
        """The linked rule of each rule that was asked for: a reference asks for one a million times in a run."""

    def linked(self, function: Function) -> Function:
        """The rule under the replacements: the function itself where neither it nor any rule that it calls is replaced.

        Raises TypeError for a function that is no rule.
        """
        if function not in self._asked:
            if definition_of(function) is None:
                raise TypeError(f"{function!r} is not a rule")
            self._asked[function] = self._of(function)
        return self._asked[function]  # type: ignore[return-value]

    def replaces(self, rule: Rule) -> bool:
        """Whether this rule itself is replaced, and not only a rule that it calls."""
        return rule in self._replaced

    def with_rule_of(self, other: "Linker", rule: Rule) -> "Linker":
        """This model, with one rule taken from another model."""
        instead = {**self._replaced, rule: other._replaced[rule]} if rule in other._replaced else dict(self._replaced)
        if rule not in other._replaced:
            instead.pop(rule, None)
        return Linker(instead, self._defaults)

    def default(self, module: ModuleType, name: str) -> Any:
        """The constant of this name in a module of the model, or its replacement. AttributeError for an unknown
        name."""
        return self._defaults.get((module, name), getattr(module, name))

    def definition(self, definition: Definition) -> Definition:
        """A definition that is not a rule, such as a trace rule or a claim, under the replacements."""
        bound = self._bound(definition, keeps=None)
        return replace(definition, function=_with_names(definition.function, bound)) if bound else definition

    def _of(self, rule: Rule) -> Rule:
        instead = self._replaced.get(rule)
        return self._rebound(rule, keeps=None) if instead is None else self._rebound(instead, keeps=rule)

    def _rebound(self, rule: Rule, *, keeps: Rule | None) -> Rule:
        """The rule with its calls bound to linked rules; a call of `keeps` stays a call of the original."""
        if (rule, keeps) not in self._linked:
            definition = definition_of(rule)
            assert definition is not None
            bound = self._bound(definition, keeps)
            self._linked[rule, keeps] = _registered(definition, bound) if bound else rule
        return self._linked[rule, keeps]

    def _bound(self, definition: Definition, keeps: Rule | None) -> dict[str, Any]:
        """The names of rules and defaults that the definition uses and that are replaced, with their replacements."""
        rules = {
            name: linked
            for name, called in _rules_called(definition)
            if (linked := self._rebound(called, keeps=None) if called is keeps else self._of(called)) is not called
        }
        return {**rules, **dict(self._defaults_of(definition))}

    def _defaults_of(self, definition: Definition) -> Iterator[tuple[str, object]]:
        """Every replaced default that the body names, with its replacement."""
        named = {node.id for statement in definition.body for node in ast.walk(statement) if isinstance(node, ast.Name)}
        home = inspect.getmodule(definition.function)
        for (module, name), value in self._defaults.items():
            if name in named - definition.local_names and home is not None:
                is_imported = definition.scope.get(name) is getattr(module, name) and name not in assigned_in(home)
                if home is module or is_imported:
                    yield name, value


@cache
def assigned_in(module: ModuleType) -> frozenset[str]:
    """The names of the constants that a module assigns itself."""
    targets = (target for node in ast.parse(inspect.getsource(module)).body for target in getattr(node, "targets", ()))
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _check(rule: Rule, instead: Rule) -> None:
    for each in (rule, instead):
        if definition_of(each) is None:
            raise TypeError(f"{each!r} is not a rule")
    wanted, found = definition_of(rule), definition_of(instead)
    assert wanted is not None
    assert found is not None
    if wanted.parameters != found.parameters:
        raise TypeError(f"{found.qualified_name} has parameters {found.parameters}, not {wanted.parameters}")


def _check_default(default: Default, value: object) -> None:
    module, name = default
    if name not in vars(module):
        raise TypeError(f"{module.__name__} has no {name}")
    documented = getattr(module, name)
    if type(documented) is not type(value):
        raise TypeError(f"{module.__name__}:{name} is {documented!r}, so {value!r} cannot stand for it")


def called_by(rule: Rule) -> Iterator[Rule]:
    """Every rule that a rule calls. Raises TypeError for a function that is not a rule."""
    definition = definition_of(rule)
    if definition is None:
        raise TypeError(f"{rule!r} is not a rule")
    return (called for _, called in _rules_called(definition))


def _rules_called(definition: Definition) -> Iterator[tuple[str, Rule]]:
    """Every rule that the body calls, with its name in the body."""
    nodes = (node for statement in definition.body for node in ast.walk(statement))
    names = (node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    for name in dict.fromkeys(names):
        called = definition.scope.get(name)
        if name not in definition.local_names and definition_of(called) is not None:
            yield name, cast(Rule, called)


def _registered(definition: Definition, names: Mapping[str, Any]) -> Rule:
    """A new rule with the same source, in which these names refer to other rules."""
    function = _with_names(definition.function, names)
    keep_definition(replace(definition, function=function))
    return function


def _with_names(function: Rule, names: Mapping[str, Any]) -> Rule:
    scope = {**function.__globals__, **names}
    made = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__doc__, made.__annotations__ = function.__doc__, function.__annotations__
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return made


DOCUMENTED = Linker({})
"""The documents' rules, without replacements."""
