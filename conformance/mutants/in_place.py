"""Puts a changed rule where the rule stands, for everybody who already imported it.

Meant for a process of its own that ends afterwards: nothing is put back.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from tidegate.model.language.rule import Definition, keep_definition


def put_in_place(changed: Definition) -> None:
    """From now on the rule's function runs the changed body, whoever calls it, and whoever reads it finds that."""
    keep_definition(changed)
    _run_instead(changed.function, changed.body)


def tell_of_calls(rules: Iterable[Definition], tell: Callable[[str], object]) -> None:
    """From now on `tell` is given the name, `module:function`, of each of the rules that is called."""
    for rule in rules:
        told = ast.Expr(ast.Call(ast.Name(TELLING, ast.Load()), [ast.Constant(rule.qualified_name)], []))
        rule.function.__globals__[TELLING] = tell
        _run_instead(rule.function, (told, *rule.body))


TELLING = "__tidegate_called__"


def _run_instead(function: Callable[..., Any], body: tuple[ast.stmt, ...]) -> None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.body = list(body)
    names = dict(function.__globals__)
    source = compile(ast.fix_missing_locations(tree), f"<a change of {function.__name__}>", "exec")
    exec(source, names)  # noqa: S102 - the tree is the rule's own, with one node changed
    function.__code__ = names[function.__name__].__code__
