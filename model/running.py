"""Trace rules as they run: plain functions in which every past-time operator is asked at every event.

A trace rule cannot be called as it stands: its operators remember, so each must be told of each event, even where
`and`, `or` or a conditional would pass it by. So the calls that lead to an operator are taken out of the
expressions and made first, in their order; all else is left to Python.
"""

import ast
import inspect
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

from headgate.model.language import Definition, definition_of, is_primitive
from headgate.model.reading import Site
from headgate.record.events import Moment

Function = Callable[..., Any]
Primitives = Mapping[Function, Callable[[Site], Function]]
"""What stands for a primitive at the place where it is called."""


class Runner:
    """Makes functions of trace rules. A rule over the event alone runs once per event, whoever calls it.

    Such a rule says the same wherever it is called, so all calls may share what its operators remember.
    """

    def __init__(self, primitives: Primitives):
        self._primitives = primitives
        self._shared: dict[Function, Function] = {}

    def function(self, definition: Definition, path: Site = ()) -> Function:
        """The definition as a function, called from this path; SyntaxError for an operator under a quantifier."""
        form = _form(definition, path)
        scope = {**definition.scope, **{name: self._asked(*asked) for name, asked in form.asked.items()}}
        exec(form.code, scope)  # noqa: S102 - the tree is the rule's own
        made: Function = scope[definition.name]
        return made

    def _asked(self, called: Function, path: Site) -> Function:
        """What a call from this path asks."""
        if is_primitive(called):
            return self._primitives[called](path)
        definition = definition_of(called)
        assert definition is not None
        if not _is_over_the_event_alone(called):
            return self.function(definition, path)
        if called not in self._shared:
            self._shared[called] = _once_per_event(self.function(definition, ((definition.qualified_name, 0, 0),)))
        return self._shared[called]


@dataclass(frozen=True)
class _Form:
    """A definition as Python runs it, and by name what it asks: a primitive or a rule, and the path of the call."""

    code: CodeType
    asked: Mapping[str, tuple[Function, Site]]


@cache
def _form(definition: Definition, path: Site) -> _Form:
    taken_out = _TakenOut(definition, path)
    body = [step for statement in definition.body for step in taken_out.steps(statement)]
    parameters = [ast.arg(name) for name in definition.parameters]
    arguments = ast.arguments([], parameters, kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.FunctionDef(definition.name, arguments, body or [ast.Pass()], decorator_list=[])
    module = ast.fix_missing_locations(ast.Module([function], type_ignores=[]))
    return _Form(compile(module, definition.file, "exec"), taken_out.asked)


class _TakenOut(ast.NodeTransformer):
    """Takes the calls that lead to a primitive out of the statements of a definition."""

    def __init__(self, within: Definition, path: Site):
        self._within, self._path = within, path
        self._before: list[ast.stmt] = []
        self.asked: dict[str, tuple[Function, Site]] = {}

    def steps(self, statement: ast.stmt) -> list[ast.stmt]:
        """The calls that are made first, then the statement with their values."""
        self._before = []
        rest = self.visit(deepcopy(statement))
        return [*self._before, rest]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not _leads_to_a_primitive(node, self._within):
            return node
        assert isinstance(node.func, ast.Name)
        site = (self._within.qualified_name, node.lineno, node.col_offset)
        number = len(self.asked)
        asked, answer = f"{node.func.id}_{number}", f"said_by_{node.func.id}_{number}"
        self.asked[asked] = self._within.scope[node.func.id], (*self._path, site)
        call = ast.Call(ast.Name(asked, ast.Load()), node.args, node.keywords)
        self._before.append(ast.copy_location(ast.Assign([ast.Name(answer, ast.Store())], call), node))
        return ast.copy_location(ast.Name(answer, ast.Load()), node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._without_primitives(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._without_primitives(node)

    def _without_primitives(self, node: ast.expr) -> ast.expr:
        if any(_leads_to_a_primitive(part, self._within) for part in ast.walk(node)):
            raise SyntaxError(f"a rule over a trace has no past-time operator under a quantifier: {self._within.name}")
        return node


def _leads_to_a_primitive(node: ast.AST, within: Definition) -> bool:
    """Whether the node calls a primitive, or a rule that leads to one."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    called = within.scope.get(node.func.id)
    definition = definition_of(called)
    if definition is None:
        return is_primitive(called)
    return any(_leads_to_a_primitive(part, definition) for step in definition.body for part in ast.walk(step))


def _is_over_the_event_alone(function: Function) -> bool:
    return [each.annotation for each in inspect.signature(function).parameters.values()] == [Moment]


def _once_per_event(function: Function) -> Function:
    last: Moment | None = None
    answer: Any = None

    def once(event: Moment) -> Any:
        nonlocal last, answer
        if event is not last:
            answer, last = function(event), event
        return answer

    return once
