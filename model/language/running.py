"""Running trace rules: one function for all of them, in which every past-time operator gets every event.

A trace rule cannot simply be called: its operators have memory, so each must get each event, even where `and`, `or` or
a conditional would skip it. So the rules are written out as steps: a call that leads to an operator is a separate step
before its use; a rule over the event alone has the same value wherever it is called and is one step for all callers;
everything else is left to Python. Each field of the event is read once. A kind of event that comes often gets a
function of its own, without the steps that change nothing for it.
"""

import ast
import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from types import CodeType
from typing import Any

from tidegate.model.language.narrowing import OTHER, narrowed, texts_compared
from tidegate.model.language.past import OPERATORS
from tidegate.model.language.rule import Definition, definition_of, is_primitive
from tidegate.record.events import EMPTY, Event, Moment

Function = Callable[..., Any]
Verdicts = tuple[Any, ...]
"""The result of each rule for an event; None where it does not judge the event."""
Says = Callable[[Event], Verdicts]
"""The function of rules: from the next event of its source to the verdicts."""
Key = tuple[str | int, ...]
"""A source, and the key of operators within it."""
Memory = dict[Key, list[Any]]
"""By key, the values of all operators with this key."""

EVENT, FUNCTION, MOMENT_OF = "event", "say", "moment_of"
OFTEN = 1000
"""After so many events of a kind and cause, it takes less time to narrow the function than to judge by the whole."""
MOST_NARROWED = 1000
"""The most functions of kinds and causes that a judge has."""


def function_of(rules: Sequence[Definition]) -> tuple[Says, Mapping[str, Memory]]:
    """The results of the rules for an event, as a function, and the memories that the function keeps, by their names.

    Raises SyntaxError for an operator under a quantifier.
    """
    program = _program(tuple(rules))
    memories: dict[str, Memory] = {name: defaultdict(initial.copy) for name, initial in program.memories.items()}
    return _Running(program, {**program.constants, **memories, MOMENT_OF: Moment.of}).say, memories


@dataclass(frozen=True, eq=False)
class _Program:
    """The code of the function for all events, and, by name, its constants and the initial values of its memories.

    Operators with the same keys have one memory: by source and key, the list of their values. `causes` are the texts
    with which rules compare the cause of an event.
    """

    rules: tuple[Definition, ...]
    code: CodeType
    causes: frozenset[str]
    constants: Mapping[str, Any]
    memories: Mapping[str, list[Any]]

    @cached_property
    def _body(self) -> list[ast.stmt]:
        """The steps, written out anew: few programs judge many events, and the trees of all would take much memory."""
        return _written_out(self.rules)[1]

    @cache  # noqa: B019 - a program is kept for as long as the process runs
    def narrowed(self, kind: str, cause: str | None) -> CodeType:
        """The code for events of this kind and this cause, or of a cause that is none of `causes`."""
        known = {**self.constants, _field("kind"): kind, _field("cause"): OTHER if cause is None else cause}
        return _compiled(_where_used(narrowed(self._body, known)))


class _Running:
    """Judges events by the function for all events, and by narrowed functions where many events are alike."""

    def __init__(self, program: _Program, scope: dict[str, Any]):
        self._program, self._scope = program, scope
        self._whole = self._function(program.code)
        self._narrowed: dict[tuple[str, str | None], Says] = {}
        self._seen: Counter[tuple[str, str | None]] = Counter()

    def say(self, event: Event) -> Verdicts:
        """The result of each rule for the event."""
        own = self._narrowed.get((event.kind, event.cause))
        if own is not None:
            return own(event)
        cause = event.cause or ""
        alike = str(event.kind), cause if cause in self._program.causes else None
        self._seen[alike] += 1
        if self._seen[alike] > OFTEN and len(self._narrowed) < MOST_NARROWED:
            self._narrowed[event.kind, event.cause] = self._function(self._program.narrowed(*alike))
        return self._whole(event)

    def _function(self, code: CodeType) -> Says:
        exec(code, self._scope)  # noqa: S102 - the tree is that of the rules
        made: Says = self._scope[FUNCTION]
        return made


@cache
def _program(rules: tuple[Definition, ...]) -> _Program:
    steps, body = _written_out(rules)
    causes = texts_compared(body, _field("cause"), steps.constants)
    return _Program(rules, _compiled(body), causes, steps.constants, steps.memories)


def _written_out(rules: tuple[Definition, ...]) -> "tuple[_Steps, list[ast.stmt]]":
    """The rules as steps, and the body of the function for all events."""
    steps = _Steps()
    said = [steps.of(rule, (EVENT,)) for rule in rules]
    return steps, _fields_first(_where_used([*steps.written, ast.Return(ast.Tuple(said, ast.Load()))]))


def _compiled(steps: list[ast.stmt]) -> CodeType:
    parameters = ast.arguments([], [ast.arg(EVENT)], kwonlyargs=[], kw_defaults=[], defaults=[])
    module = ast.Module([ast.FunctionDef(FUNCTION, parameters, steps, decorator_list=[])], type_ignores=[])
    return compile(ast.fix_missing_locations(module), "<trace rules>", "exec")


@dataclass
class _Steps:
    """Rules written out as steps. A name in the steps is its name in the rule and a number, so that no name has two
    meanings."""

    written: list[ast.stmt] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    memories: dict[str, list[Any]] = field(default_factory=dict)
    _shared: dict[Function, str] = field(default_factory=dict)
    _remembered: dict[str, tuple[str, list[Any]]] = field(default_factory=dict)
    """By the text of a key, the name of the list that is remembered for the key's present value, and its initial
    values."""
    _names: int = 0

    def of(self, definition: Definition, arguments: Sequence[str]) -> ast.expr:
        """Write the steps of a definition whose arguments have these names; the result is its value as an
        expression."""
        own = {name: self.new(name) for name in definition.local_names}
        own |= zip(definition.parameters, arguments, strict=True)
        reading = _WrittenOut(self, definition, own)
        given: list[ast.expr] = []
        said: ast.expr = ast.Constant(None)
        for statement in map(deepcopy, definition.body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.let(own[name], reading.visit(value))
                case ast.Expr(value=ast.Call(args=[condition])):
                    given.append(_name(self.let(self.new("given"), reading.visit(condition))))
                case ast.Return(value=ast.expr() as value):
                    said = reading.visit(value)
        for condition in given:
            said = ast.IfExp(condition, said, ast.Constant(None))
        return said

    def shared(self, definition: Definition) -> ast.expr:
        """The value of a rule over the event alone, from one step for all its calls."""
        if definition.function not in self._shared:
            said = self.of(definition, (EVENT,))
            self._shared[definition.function] = self.let(self.new(definition.name), said)
        return _name(self._shared[definition.function])

    def asked(self, primitive: Function, call: ast.Call) -> ast.expr:
        """The value of an operator at this place, from a step that also remembers it."""
        operator = OPERATORS[primitive]
        step = definition_of(operator.step)
        assert step is not None
        named = {str(part.arg): part.value for part in call.keywords}
        remembered, initial = self.remembered(named.pop("per"))
        own = ast.Constant(len(initial))
        initial.append(operator.initial)
        state = ast.Subscript(_name(remembered), own, ast.Load())
        said = self.let(self.new(primitive.__name__), self.inlined(step, [state, *call.args], named))
        self.written.append(ast.Assign([ast.Subscript(_name(remembered), own, ast.Store())], _name(said)))
        return _name(said)

    def remembered(self, per: ast.expr) -> tuple[str, list[Any]]:
        """The list that all operators with this key remember for its present value, looked up once, and its initial
        values."""
        assert isinstance(per, ast.Tuple)
        text = ast.unparse(per)
        if text not in self._remembered:
            memory, initial = self.new("memory"), list[Any]()
            self.memories[memory] = initial
            key = ast.Tuple([ast.Attribute(_name(EVENT), "source", ast.Load()), *per.elts], ast.Load())
            now = self.let(self.new("remembered"), ast.Subscript(_name(memory), key, ast.Load()))
            self._remembered[text] = now, initial
        return self._remembered[text]

    def inlined(self, definition: Definition, values: Sequence[ast.expr], named: Mapping[str, ast.expr]) -> ast.expr:
        """The value of a definition for these arguments at this place."""
        arguments = definition.bind(*values, **named)
        return self.of(definition, [self.argument(each, arguments[each]) for each in definition.parameters])

    def argument(self, name: str, value: ast.expr) -> str:
        """The name of an argument in the steps; the event is the same everywhere and keeps its name."""
        return EVENT if isinstance(value, ast.Name) and value.id == EVENT else self.let(self.new(name), value)

    def let(self, name: str, value: ast.expr) -> str:
        """Add a step that assigns the value to the name."""
        self.written.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return name

    def constant(self, name: str, value: Any) -> ast.expr:
        """A value that is the same at every event, under a name like its own."""
        taken = self.new(name)
        # Python compares two plain texts faster than a text and a member of an enumeration
        self.constants[taken] = str(value) if isinstance(value, StrEnum) else value
        return _name(taken)

    def new(self, name: str) -> str:
        """A new unique name."""
        self._names += 1
        return f"{name}_{self._names}"


class _WrittenOut(ast.NodeTransformer):
    """Turns an expression of a definition into one over the names of the steps; its calls become earlier steps."""

    def __init__(self, steps: _Steps, within: Definition, own: Mapping[str, str]):
        self._steps, self._within, self._own = steps, within, own

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._own:
            return ast.Name(self._own[node.id], node.ctx)
        if node.id in self._within.scope:
            return self._steps.constant(node.id, self._within.scope[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id not in self._own:
            return self._steps.constant(node.attr, getattr(self._within.scope[node.value.id], node.attr))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        called = self._within.scope.get(node.func.id)
        definition = definition_of(called)
        self.generic_visit(node)
        if called is not None and is_primitive(called):
            return self._steps.asked(called, node)
        if definition is not None and _is_of_the_event_alone(definition, node):
            return self._steps.shared(definition)
        if definition is not None and leads_to_an_operator(definition):
            named = {str(part.arg): part.value for part in node.keywords}
            return self._steps.inlined(definition, node.args, named)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._without_operators(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._without_operators(node)

    def _without_operators(self, node: ast.expr) -> ast.expr:
        if _calls_an_operator(node, self._within):
            raise SyntaxError(f"a rule over a trace has no past-time operator under a quantifier: {self._within.name}")
        self.generic_visit(node)
        return node


def _where_used(steps: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The steps with each value that is used once moved to its use: a value that is not needed is not computed.

    Values only read, and memory changes after the last of its reads, so the value is the same there.
    """
    uses = Counter(
        part.id for step in steps for part in ast.walk(step) if isinstance(part, ast.Name) and _is_read(part)
    )
    moved: dict[str, ast.expr] = {}

    class ToItsUse(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return moved.pop(node.id, node) if _is_read(node) else node

    left: list[ast.stmt] = []
    for step in map(ToItsUse().visit, steps):
        match step:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if uses[name] == 1:
                moved[name] = value
            case _:
                left.append(step)
    return left


def _fields_first(steps: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The steps with local names for the fields of the event, which are 0 or the empty text where the event has null.

    A rule that is called with the event itself gets it as a `Moment`.
    """
    before: dict[str, str] = {}

    class ByName(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            match node.value:
                case ast.Name(id=name) if name == EVENT:
                    own = _field(node.attr)
                    before[own] = f"{EVENT}.{node.attr} or {EMPTY[node.attr]!r}"
                    return _name(own)
            self.generic_visit(node)
            return node

        def visit_Name(self, node: ast.Name) -> ast.expr:
            if node.id != EVENT:
                return node
            before["moment"] = f"{MOMENT_OF}({EVENT})"
            return _name("moment")

    changed: list[ast.stmt] = list(map(ByName().visit, steps))
    return [*ast.parse("\n".join(f"{name} = {value}" for name, value in before.items())).body, *changed]


def _field(name: str) -> str:
    """The local name of a field of the event."""
    return f"{EVENT}_{name}"


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _is_of_the_event_alone(definition: Definition, call: ast.Call) -> bool:
    """Whether a call, already written out, is of a rule over events with the present event."""
    annotations = [each.annotation for each in inspect.signature(definition.function).parameters.values()]
    return annotations == [Moment] and [ast.unparse(each) for each in call.args] == [EVENT]


@cache
def leads_to_an_operator(definition: Definition) -> bool:
    """Whether a rule judges an event by earlier events, and not by its own fields alone."""
    return any(_calls_an_operator(statement, definition) for statement in definition.body)


def _calls_an_operator(node: ast.AST, within: Definition) -> bool:
    """Whether an operator, or a rule that leads to one, is called somewhere below the node."""
    called = [
        within.scope.get(part.func.id)
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    ]
    led_to = filter(None, map(definition_of, called))
    return any(each in OPERATORS for each in called) or any(map(leads_to_an_operator, led_to))
