"""The source of a class beside its code: the docstrings below attributes, the text of fields and methods."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class WrittenField:
    """A field of a dataclass as its source has it; `default` is empty for a field that must be given."""

    name: str
    type: str
    default: str
    meaning: str


@dataclass(frozen=True)
class WrittenMethod:
    """A method as its source has it, without `self`; `answer` is empty for one that answers nothing."""

    name: str
    arguments: tuple[str, ...]
    answer: str
    meaning: str


def described(cls: type) -> Mapping[str, str]:
    """The docstring of each attribute of a class; the empty text for one without."""
    found: dict[str, str] = {}
    name = ""
    for statement in _body(cls):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = ""
            case ast.Expr(value=ast.Constant(value=str() as text)) if name in found:
                found[name] = inspect.cleandoc(text)
    return found


def written_fields(cls: type) -> Iterator[WrittenField]:
    """The annotated attributes of a class in their order."""
    meanings = described(cls)
    for statement in _body(cls):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            default = "" if statement.value is None else ast.unparse(statement.value)
            yield WrittenField(name, ast.unparse(statement.annotation), default, meanings[name])


def written_methods(cls: type) -> Iterator[WrittenMethod]:
    """The public methods of a class in their order; properties are none."""
    for statement in _body(cls):
        if isinstance(statement, ast.FunctionDef) and not (statement.name.startswith("_") or statement.decorator_list):
            arguments = ast.unparse(statement.args).removeprefix("self").removeprefix(", ")
            answer = "" if statement.returns is None else ast.unparse(statement.returns)
            yield WrittenMethod(
                name=statement.name,
                arguments=tuple(_split(arguments)),
                answer="" if answer == "None" else answer,
                meaning=inspect.cleandoc(ast.get_docstring(statement) or ""),
            )


def _split(arguments: str) -> Iterator[str]:
    """The arguments of a signature as written; a comma within brackets separates none."""
    depth, begin = 0, 0
    for place, sign in enumerate(arguments):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth == 0:
            yield arguments[begin:place].strip()
            begin = place + 1
    if arguments[begin:].strip():
        yield arguments[begin:].strip()


def _body(cls: type) -> list[ast.stmt]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    return tree.body
