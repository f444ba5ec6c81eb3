"""Reading a rule's syntax tree with the values of another world.

A world defines the connectives for its values; comparison, arithmetic, fields, calls and names are the same in every
world, because the values (ints, solver terms, columns, texts) bring their own operators.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial, reduce
from typing import Any, Protocol

from tidegate.model.language.rule import Definition, definition_of, is_primitive

Value = Any
Site = tuple[tuple[str, int, int], ...]
"""The place of a call of a primitive: the chain of (definition, line, column) that leads to the call."""


class World(Protocol):
    """The seven connectives for the values of one world."""

    def both(self, left: Value, right: Value) -> Value:
        """`left and right`."""

    def either(self, left: Value, right: Value) -> Value:
        """`left or right`."""

    def negate(self, value: Value) -> Value:
        """`not value`."""

    def choose(self, test: Value, then: Value, otherwise: Value) -> Value:
        """`then if test else otherwise`, for values that are neither dataclasses nor tables."""

    def for_every(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """`all(body(key) for key in table)`."""

    def for_some(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """`any(body(key) for key in table)`."""

    def tabulate(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """`{key: body(key) for key in table}`."""


class PlainWorld:
    """Python's own values: reading a rule here must give the result of calling it."""

    def both(self, left: bool, right: bool) -> bool:
        return left and right

    def either(self, left: bool, right: bool) -> bool:
        return left or right

    def negate(self, value: bool) -> bool:
        return not value

    def choose(self, test: bool, then: Value, otherwise: Value) -> Value:
        return then if test else otherwise

    def for_every(self, table: Iterable[Value], body: Callable[[Value], Value]) -> bool:
        return all(body(key) for key in table)

    def for_some(self, table: Iterable[Value], body: Callable[[Value], Value]) -> bool:
        return any(body(key) for key in table)

    def tabulate(self, table: Iterable[Value], body: Callable[[Value], Value]) -> Mapping[Value, Value]:
        return {key: body(key) for key in table}


BINARY: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
COMPARISON: dict[type[ast.cmpop], Callable[[Value, Value], Value]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


NO_DATACLASS = (int, str, type(None))
"""Types that are compared directly: most comparisons are of these, and this test is quick."""

Names = dict[str, Value]
Meaning = Callable[[Names], Value]
"""The value of an expression in this world, as a function of the values of its local names."""


class Reader:
    """Reads definitions in one world; `primitives` has this reader's function for each primitive, from site and
    arguments.

    Each expression is walked once, which gives its meaning; the meaning is then called as often as needed.
    """

    def __init__(self, world: World, primitives: Mapping[Callable[..., Any], Callable[..., Value]] | None = None):
        self.world = world
        self.primitives = primitives or {}
        self._path: list[tuple[str, int, int]] = []
        self._bodies: dict[Definition, Meaning] = {}

    def call(self, function: Callable[..., Any], *values: Value, **named: Value) -> Value:
        """The value of a rule for these arguments; TypeError when `function` is not a rule."""
        definition = definition_of(function)
        if definition is None:
            raise TypeError(f"{function!r} is not a rule")
        return self.read(definition, definition.bind(*values, **named))

    def read(self, definition: Definition, names: Names) -> Value:
        """The value of a definition's body under these local names; None for a body that returns nothing."""
        if definition not in self._bodies:
            self._bodies[definition] = self._body(definition)
        return self._bodies[definition](dict(names))

    def equal(self, left: Value, right: Value) -> Value:
        """Equality, field by field for dataclasses (`==` of dataclasses of terms would compare their identity)."""
        if not isinstance(left, NO_DATACLASS) and is_dataclass(left):
            atoms = [self.equal(getattr(left, part.name), getattr(right, part.name)) for part in fields(left)]
            return reduce(self.world.both, atoms)
        return left == right

    def choose(self, test: Value, then: Value, otherwise: Value) -> Value:
        """A conditional, field by field for dataclasses and entry by entry for tables."""
        if isinstance(test, bool):
            return then if test else otherwise
        if is_dataclass(then) and not isinstance(then, type):
            chosen = {
                part.name: self.choose(test, getattr(then, part.name), getattr(otherwise, part.name))
                for part in fields(then)
            }
            return replace(then, **chosen)
        if isinstance(then, Mapping):
            return self.world.tabulate(then, lambda key: self.choose(test, then[key], otherwise[key]))
        return self.world.choose(test, then, otherwise)

    def _body(self, definition: Definition) -> Meaning:
        steps = [self._statement(statement, definition) for statement in definition.body]

        def run(names: Names) -> Value:
            value = None
            for target, meaning in steps:
                value = meaning(names)
                if target:
                    names[target] = value
            return value

        return run

    def _statement(self, statement: ast.stmt, within: Definition) -> tuple[str, Meaning]:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return name, self._meaning(value, within)
            case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
                return "", self._meaning(value, within)
        raise SyntaxError(f"not a statement of the rule language in {within.name}")

    def _meaning(self, node: ast.expr, within: Definition) -> Meaning:
        def of(part: ast.expr) -> Meaning:
            return self._meaning(part, within)

        match node:
            case ast.Constant(value=constant):
                return _constant(constant)
            case ast.Name(id=name) if name in within.local_names:
                return operator.itemgetter(name)
            case ast.Name(id=name):
                return _constant(within.scope[name])
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name not in within.local_names:
                return _constant(getattr(within.scope[name], field))
            case ast.Attribute(value=owner, attr=field):
                return _one(operator.attrgetter(field), of(owner))
            case ast.Subscript(value=table, slice=key):
                return _two(operator.getitem, of(table), of(key))
            case ast.Tuple(elts=elements):
                parts = list(map(of, elements))
                return lambda names: tuple(part(names) for part in parts)
            case ast.BinOp(left=left, op=op, right=right):
                return _two(BINARY[type(op)], of(left), of(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _one(operator.neg, of(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _one(self.world.negate, of(operand))
            case ast.BoolOp(op=ast.And(), values=values):
                return reduce(partial(_two, self.world.both), map(of, values))
            case ast.BoolOp(op=ast.Or(), values=values):
                return reduce(partial(_two, self.world.either), map(of, values))
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                tested, chosen, other = of(test), of(then), of(otherwise)
                return lambda names: self.choose(tested(names), chosen(names), other(names))
            case ast.Compare(left=first, ops=ops, comparators=others):
                operands = [of(first), *map(of, others)]
                atoms = map(_two, map(self._comparison, ops), operands, operands[1:])
                return reduce(partial(_two, self.world.both), atoms)
            case ast.DictComp(generators=[generator], value=entry):
                return self._over(self.world.tabulate, generator, entry, within)
            case ast.Call(
                func=ast.Name(id="all" | "any" as quantifier),
                args=[ast.GeneratorExp(generators=[generator], elt=claim)],
            ):
                connective = self.world.for_every if quantifier == "all" else self.world.for_some
                return self._over(connective, generator, claim, within)
            case ast.Call():
                return self._call(node, within)
        raise SyntaxError(f"not an expression of the rule language in {within.name}: {ast.unparse(node)}")

    def _over(
        self,
        connective: Callable[[Value, Callable[[Value], Value]], Value],
        generator: ast.comprehension,
        body: ast.expr,
        within: Definition,
    ) -> Meaning:
        if not isinstance(generator.target, ast.Name) or generator.ifs:
            raise SyntaxError(f"a comprehension is 'value for key in table' in {within.name}")
        key, table, value = (
            generator.target.id,
            self._meaning(generator.iter, within),
            self._meaning(body, within),
        )
        return lambda names: connective(table(names), lambda item: value({**names, key: item}))

    def _call(self, node: ast.Call, within: Definition) -> Meaning:
        if not isinstance(node.func, ast.Name) or node.func.id in within.local_names:
            raise SyntaxError(f"a call names a rule in {within.name}: {ast.unparse(node)}")
        apply = self._application(within.scope[node.func.id])
        positional = [self._meaning(argument, within) for argument in node.args]
        named = [(str(part.arg), self._meaning(part.value, within)) for part in node.keywords]
        site = (within.qualified_name, node.lineno, node.col_offset)

        def value_of_one(names: Names) -> Value:
            self._path.append(site)
            try:
                return apply(positional[0](names))
            finally:
                self._path.pop()

        def value(names: Names) -> Value:
            self._path.append(site)
            try:
                return apply(
                    *[meaning(names) for meaning in positional], **{name: meaning(names) for name, meaning in named}
                )
            finally:
                self._path.pop()

        return value_of_one if len(positional) == 1 and not named else value

    def _application(self, called: Value) -> Callable[..., Value]:
        if is_primitive(called):
            meaning = self.primitives[called]
            return lambda *positional, **named: meaning(tuple(self._path), *positional, **named)
        if called is replace or (isinstance(called, type) and is_dataclass(called)):
            return called
        return partial(self.call, called)

    def _comparison(self, op: ast.cmpop) -> Callable[[Value, Value], Value]:
        match op:
            case ast.Eq():
                return self.equal
            case ast.NotEq():
                return lambda left, right: self.world.negate(self.equal(left, right))
        return COMPARISON[type(op)]


def _constant(value: Value) -> Meaning:
    return lambda names: value


def _one(operation: Callable[[Value], Value], of: Meaning) -> Meaning:
    return lambda names: operation(of(names))


def _two(operation: Callable[[Value, Value], Value], left: Meaning, right: Meaning) -> Meaning:
    return lambda names: operation(left(names), right(names))
