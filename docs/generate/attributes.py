"""What the docstrings below attributes say: those of enum members and of fields of dataclasses."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from generate.markup import table


def described(cls: type) -> Mapping[str, str]:
    """Attribute of a class to its docstring; the empty text for one without."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = ""
            case ast.Expr(value=ast.Constant(value=str() as text)) if name in found:
                found[name] = inspect.cleandoc(text)
    return found


def field_rows(cls: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and docstring of each field of a dataclass, as it is written."""
    texts = described(cls)
    annotations: Mapping[str, Any] = _annotations(cls)
    for part in fields(cls):
        yield f"`{part.name}`", f"`{annotations[part.name]}`", texts[part.name]


def fields_table(cls: type) -> str:
    """A table of the fields; without a column of meanings where the class says them in its own docstring."""
    rows = list(field_rows(cls))
    width = 3 if any(meaning for _, _, meaning in rows) else 2
    return table(["field", "type", "meaning"][:width], [row[:width] for row in rows])


def about(cls: type) -> str:
    """The docstring of a class, lines joined within each paragraph."""
    return inspect.getdoc(cls) or ""


def _annotations(cls: type) -> Mapping[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(tree, ast.ClassDef)
    return {
        statement.target.id: ast.unparse(statement.annotation)
        for statement in tree.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
