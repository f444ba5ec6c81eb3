"""The rule language: a rule is a plain Python function whose syntax tree other worlds can read.

`@rule` leaves the function as it is: calling it runs it. Beside it `@rule` keeps the function's syntax tree, read and
checked at its first use, so that solvers, columns, vectors and documentation read the same source (see
`tidegate.model.language.reading`). A rule may use comparison, `+ - *`, `and or not`, a conditional expression, local
names, calls of other rules, fields and constructors of frozen dataclasses, `replace`, `table[key]`, and
`all`, `any` and a dict comprehension over the keys of a table. Anything else is a SyntaxError naming the
file, the line and the rule.
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
Body = tuple[ast.stmt, ...]

ALLOWED = (
    *(ast.Return, ast.Assign, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute, ast.Subscript),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.UnaryOp, ast.USub),
    *(ast.BoolOp, ast.And, ast.Or, ast.Not, ast.IfExp),
    *(ast.Call, ast.keyword, ast.Tuple, ast.GeneratorExp, ast.DictComp, ast.comprehension),
)
FILES = 256
"""The number of parsed files that are kept: rules are read in the order in which they name each other."""


@dataclass(frozen=True, eq=False)
class Definition:
    """A function of the rule language and its syntax tree, which `read` parses."""

    function: Callable[..., Any]
    rule_id: str
    sentence: str
    read: Callable[[], Body]

    @cached_property
    def body(self) -> Body:
        """The statements after the docstring; SyntaxError where they leave the rule language."""
        return self.read()

    def with_body(self, body: Body) -> "Definition":
        """The definition with other statements."""
        return replace(self, read=lambda: body)

    @cached_property
    def file(self) -> str:
        """The path of the source of its module."""
        return _file_of(self.function)

    @property
    def name(self) -> str:
        """The function's own name, which reads as a part of a sentence."""
        return self.function.__name__

    @cached_property
    def qualified_name(self) -> str:
        """`module:function`, as a spec section's `defined_by` cites it."""
        return f"{self.function.__module__}:{self.name}"

    @property
    def scope(self) -> Mapping[str, Any]:
        """The names of its module, which the body may use beside local ones."""
        return self.function.__globals__

    @cached_property
    def local_names(self) -> frozenset[str]:
        """The parameters, and every name that the body assigns."""
        nodes = (node for statement in self.body for node in ast.walk(statement))
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        return frozenset(stored | self._signature.parameters.keys())

    def bind(self, *values: Any, **named: Any) -> dict[str, Any]:
        """The arguments by parameter, as a call would bind them; TypeError if a call would fail."""
        if not named and len(values) == len(self.parameters):
            return dict(zip(self.parameters, values, strict=True))
        return self._signature.bind(*values, **named).arguments

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(self._signature.parameters)

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self.function)


_definitions: dict[Callable[..., Any], Definition] = {}
_rules: list[Callable[..., Any]] = []
_primitives: set[Callable[..., Any]] = set()


def rule(function: Function) -> Function:
    """Keep the function's definition beside it. The docstring is one sentence that starts with the rule's id.

    Raises SyntaxError where the docstring has another form.
    """
    keep_definition(define(function))
    _rules.append(function)
    return function


def other_rule(function: Function) -> Function:
    """Keep the definition of a function that can replace a documented rule, and is not one.

    The docstring is one sentence that starts with the id of the replaced rule. Raises SyntaxError where it has another
    form.
    """
    keep_definition(define(function))
    return function


def keep_definition(definition: Definition) -> None:
    """Keep a definition for its function, in place of any earlier one; the function can then be read as a rule."""
    _definitions[definition.function] = definition


def primitive(function: Function) -> Function:
    """Mark a function that a rule may call and that each reader defines for itself."""
    _primitives.add(function)
    return function


def is_primitive(function: object) -> bool:
    """Whether the reader defines the function."""
    return function in _primitives


def definition_of(function: object) -> Definition | None:
    """The definition of a rule's function; None for anything else."""
    return _definitions.get(function)  # type: ignore[call-overload, no-any-return]


def definitions() -> tuple[Definition, ...]:
    """Every rule imported so far, in the order of definition, without linked rules."""
    return tuple(_definitions[function] for function in _rules)


def define(function: Callable[..., Any], *, also: tuple[type[ast.AST], ...] = ()) -> Definition:
    """The definition of a function; `also` are node types allowed beside those of the rule language.

    Raises SyntaxError where the docstring has not the form of a rule's. The tree is read later, since that takes time.
    """
    rule_id, separator, sentence = inspect.cleandoc(function.__doc__ or "").partition(": ")
    if not separator or " " in rule_id:
        line = function.__code__.co_firstlineno
        raise _refusal("a docstring 'RULE-ID: one sentence'", function.__name__, _file_of(function), line)
    return Definition(function, rule_id, sentence, lambda: _checked_body(function, (*ALLOWED, *also)))


def _checked_body(function: Callable[..., Any], allowed: tuple[type[ast.AST], ...]) -> Body:
    lines, place = inspect.findsource(function)
    body = tuple(_functions_in("".join(lines))[place + 1].body[1:])
    for statement in body:
        for node in ast.walk(statement):
            line = getattr(node, "lineno", statement.lineno)
            if not isinstance(node, allowed):
                raise _refusal(f"no {type(node).__name__}", function.__name__, _file_of(function), line)
            if isinstance(node, ast.Assign) and not _is_of_one_name(node):
                raise _refusal("assignments to one name each", function.__name__, _file_of(function), line)
    return body


def _is_of_one_name(assignment: ast.Assign) -> bool:
    return len(assignment.targets) == 1 and isinstance(assignment.targets[0], ast.Name)


def _file_of(function: Callable[..., Any]) -> str:
    return inspect.getsourcefile(function) or "<unknown>"


@lru_cache(maxsize=FILES)
def _functions_in(source: str) -> Mapping[int, ast.FunctionDef]:
    """The functions of a file, by their first line; a file is parsed once for all of its rules."""
    found = _functions_below(ast.parse(source))
    return {min([each.lineno, *(mark.lineno for mark in each.decorator_list)]): each for each in found}


def _functions_below(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for statement in getattr(tree, "body", ()):
        if isinstance(statement, ast.FunctionDef):
            yield statement
        yield from _functions_below(statement)


def _refusal(expected: str, name: str, file: str, line: int) -> SyntaxError:
    return SyntaxError(f"the rule language has {expected} (in {name})", (file, line, None, None))
