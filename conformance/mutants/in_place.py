"""Puts a changed rule in the place of a rule, also for modules that already imported it.

For use in a process that ends afterwards: nothing is put back.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from tidegate.model.language.rule import Definition, definition_of, keep_definition


def put_in_place(changed: Definition) -> None:
    """Make the rule's function run the changed body for every caller, and make every reader find that body."""
    keep_definition(changed)
    _run_instead(changed.function, changed.body)


def tell_of_calls(rules: Iterable[Definition], tell: Callable[[str], object]) -> None:
    """Make each of the rules give its name, `module:function`, to `tell` whenever it is called."""
    for rule in rules:
        told = ast.Expr(ast.Call(ast.Name(TELLING, ast.Load()), [ast.Constant(rule.qualified_name)], []))
        rule.function.__globals__[TELLING] = tell
        _run_instead(rule.function, (told, *rule.body))


def tell_of_arguments(functions: Iterable[Callable[..., Any]], tell: Callable[..., object]) -> None:
    """Make each of these rules give its name and its arguments to `tell` whenever it is called.

    Rules that were linked before do not do so.
    """
    for function in functions:
        rule = definition_of(function)
        assert rule is not None
        arguments = [ast.Constant(rule.qualified_name), *(ast.Name(name, ast.Load()) for name in rule.parameters)]
        told = ast.Expr(ast.Call(ast.Name(TELLING, ast.Load()), arguments, []))
        function.__globals__[TELLING] = tell
        function.__code__ = code_of(rule, (told, *rule.body))


def code_of(rule: Definition, body: tuple[ast.stmt, ...]) -> CodeType:
    """The code of a function with the parameters of a rule and another body."""
    lines = (f"    {ast.unparse(ast.fix_missing_locations(part))}" for part in body)
    source = f"def {rule.name}({', '.join(rule.parameters)}):\n" + "\n".join(lines)
    names: dict[str, Any] = {}
    exec(compile(source, f"<a change of {rule.name}>", "exec"), names)  # noqa: S102 - the rule's own tree
    code: CodeType = names[rule.name].__code__
    return code


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
