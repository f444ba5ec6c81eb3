"""Rules written out as one loop over the events of a split, in source text that a compiler takes.

What an operator does at an event is its step in the model, read as terms like the rules themselves. So a loop says
what the rules say, and no rule or operator is written a second time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tidegate.model.language.past import OPERATORS
from tidegate.model.language.reading import Reader
from tidegate.pipeline.lowering import ColumnWorld
from tidegate.pipeline.schema import FIELDS
from tidegate.pipeline.splits.operators import state_column
from tidegate.pipeline.splits.plan import Plan
from tidegate.pipeline.terms import Sign, Sort, Term, column, columns_of, term

NAME = "judge_events"
PARAMETERS = ("rows", "literals", "inputs", "counts", "fails")
"""How many events; the codes of `Loop.literals`; of each event which input it is from; by input and rule how many
events are judged and how many of them violate it; by rule whether an event violates it."""
JOINING: Mapping[Sign, str] = {
    Sign.AND: "and",
    Sign.OR: "or",
    Sign.EQUAL: "==",
    Sign.BELOW: "<",
    Sign.AT_MOST: "<=",
    Sign.ABOVE: ">",
    Sign.AT_LEAST: ">=",
    Sign.PLUS: "+",
    Sign.LESS: "-",
    Sign.TIMES: "*",
}


class NoLoop(Exception):
    """Rules need what a loop over numbers has not: texts that are compared with each other, or keys of operators."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A function of PARAMETERS, then of the fields, the keys of each event, and what is remembered by key.

    `fields` and `keyed` name the arrays of the events, `literals` are the texts that fields are compared with. By
    keys, `operators` are the columns of the memory in their order.
    """

    source: str
    fields: tuple[str, ...]
    literals: tuple[tuple[str, str], ...]
    operators: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=16)
def loop_of(plan: Plan) -> Loop:
    """The loop over the rules of a plan. Raises NoLoop."""
    looked_at = columns_of(*plan.terms, *(each for group in plan.groups for each in group.arguments))
    fields = sorted(looked_at & frozenset(FIELDS))
    operators: dict[str, list[str]] = {}
    writing = _Writing({name: f"field_{number}" for number, name in enumerate(fields)})
    steps: list[str] = []
    for group in plan.groups:
        if not columns_of(*group.keys) <= frozenset(FIELDS):
            raise NoLoop(f"keys of operators: {group.keyed}")
        known = operators.setdefault(group.keyed, [])
        keys = list(operators).index(group.keyed)
        for name, found in group.operators.items():
            memory = f"memory_{keys}[keys_{keys}[event], {len(known)}]"
            known.append(name)
            number = len(writing.names)
            writing.names |= {state_column(name): f"state_{number}", name: f"now_{number}"}
            state = column(state_column(name), Sort.NUMBER)
            now = Reader(ColumnWorld()).call(OPERATORS[found.operator].step, state, **found.arguments)
            steps += [f"state_{number} = {memory}", f"now_{number} = {writing.text(term(now))}"]
            steps += [f"{memory} = now_{number}"]
    for number, lowered in enumerate(plan.rules):
        steps += [
            f"if {writing.text(lowered.judged)}:",
            f"    counts[inputs[event], {number}, 0] += 1",
            f"    if not {writing.text(lowered.holds)}:",
            f"        counts[inputs[event], {number}, 1] += 1",
            f"        fails[{number}, event] = True",
        ]
    columns = [f"field_{number}" for number in range(len(fields))]
    arrays = [f"{name}_{number}" for name in ("keys", "memory") for number in range(len(operators))]
    signature = ", ".join([*PARAMETERS, *(f"{name}s" for name in columns), *arrays])
    steps = [*(f"{name} = {name}s[event]" for name in columns), *steps]
    body = "".join(f"        {step}\n" for step in steps)
    return Loop(
        f"def {NAME}({signature}):\n    for event in range(rows):\n{body}",
        tuple(fields),
        tuple(writing.literals),
        {keyed: tuple(names) for keyed, names in operators.items()},
    )


class _Writing:
    """Writes terms as source; `names` says which variable holds a column."""

    def __init__(self, names: Mapping[str, str]):
        self.names = dict(names)
        self.literals: list[tuple[str, str]] = []

    def text(self, of: Term) -> str:
        """A term that is a number or a truth value."""
        if of.sort is Sort.TEXT:
            raise NoLoop(f"a text: {of.sql}")
        match of.sign, of.operands:
            case Sign.COLUMN, [str() as name]:
                return self.names[name]
            case Sign.LITERAL, [value]:
                return repr(value)
            case Sign.CASE, [Term() as test, Term() as then, Term() as otherwise]:
                return f"({self.text(then)} if {self.text(test)} else {self.text(otherwise)})"
            case Sign.NOT, [Term() as operand]:
                return f"(not {self.text(operand)})"
            case Sign.MINUS, [Term() as operand]:
                return f"(-{self.text(operand)})"
            case Sign.EQUAL, [Term(sort=Sort.TEXT) as left, Term() as right]:
                return self._is_text(left, right) if right.sign is Sign.LITERAL else self._is_text(right, left)
            case _, [Term() as left, Term() as right]:
                return f"({self.text(left)} {JOINING[of.sign]} {self.text(right)})"
        raise NoLoop(f"{of.sign.value}: {of.sql}")

    def _is_text(self, field: Term, literal: Term) -> str:
        if field.sign is not Sign.COLUMN or literal.sign is not Sign.LITERAL:
            raise NoLoop(f"texts that are compared with each other: {field.sql}, {literal.sql}")
        (name,), (value,) = field.operands, literal.operands
        place = str(name), str(value)
        if place not in self.literals:
            self.literals.append(place)
        return f"({self.names[place[0]]} == literals[{self.literals.index(place)}])"
