"""Rules written out as one loop over the events of a stream, in source that Python runs and numba compiles.

The work of an operator at an event is its step in the model, read as terms like the rules themselves. So a loop judges
as the rules do, and no rule or operator is written a second time.
"""

import ast
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import chain
from typing import Any

from tidegate.model.language.rule import Definition
from tidegate.model.language.tracing import trace_rules
from tidegate.pipeline.judge.lowering import SOURCE, STATE, LoweredRule, PastOperator, lower, names_in
from tidegate.pipeline.read.tables import FIELDS

NAME = "judge_events"
SEQ = "seq"
HOLDS, FAILS = 1, 2
"""The results of a rule for an event that it judges; 0 for other events."""
RuleNames = tuple[str, ...]
"""Trace rules as `module:function`, the form in which workers get them."""


@dataclass(frozen=True, eq=False)
class Loop:
    """The operators and rules of a loop, and the arguments of its function."""

    operators: tuple[PastOperator, ...]
    rules: tuple[LoweredRule, ...]

    @cached_property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The combinations of key fields by which operators keep values apart within a source, the empty one first."""
        return tuple(dict.fromkeys([(), *(each.keys for each in self.operators)]))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the steps and rules use, and the number of the event."""
        steps = (each.step for each in self.operators)
        looked_at = names_in(*steps, *chain.from_iterable((each.judged, each.holds) for each in self.rules))
        return tuple(name for name in FIELDS if name in looked_at | {SEQ})

    @property
    def columns(self) -> frozenset[str]:
        """The fields of an event that have to be read."""
        return frozenset(chain(self.fields, (SOURCE,), *self.keys))

    def initial(self, keys: tuple[str, ...]) -> list[int]:
        """The values of a new row of keys: of the empty keys the last number of the source, then of each operator."""
        return [*([0] if not keys else []), *(each.initial for each in self.operators if each.keys == keys)]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts that the rules compare fields with."""
        return tuple(self._written[1])

    @cached_property
    def source(self) -> str:
        """The source of the loop's function. Its parameters: the number of events, the least rise of their numbers, the
        codes of `texts`, the results by event and rule, the `fields`, each event's row of keys, and the memory by row
        and operator.

        It returns the number of judged events, fewer than all where the next event is out of order.
        """
        return self._written[0]

    @cached_property
    def digest(self) -> str:
        """Differs for loops that judge differently; a loop cannot use the memory of a loop with another digest."""
        rules, initial = [each.rule.qualified_name for each in self.rules], [each.initial for each in self.operators]
        said = repr((self.source, self.texts, rules, self.keys, initial))
        return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()

    @cached_property
    def _written(self) -> tuple[str, list[str]]:
        body = [f"{name} = {name}_of[event]" for name in self.fields]
        widths = [len(self.initial(keys)) for keys in self.keys]
        body += [f"row_{number} = keys_{number}[event] * {width}" for number, width in enumerate(widths)]
        body += [f"if {SEQ} - memory_0[row_0] < rise:", "    return event", f"memory_0[row_0] = {SEQ}"]
        places = [0 if keys else 1 for keys in self.keys]
        for each in self.operators:
            number = self.keys.index(each.keys)
            remembered = f"memory_{number}[row_{number} + {places[number]}]"
            places[number] += 1
            body += [f"{STATE} = {remembered}", f"{each.name} = {each.step.text}", f"{remembered} = {each.name}"]
        for number, rule in enumerate(self.rules):
            said = f"said[event * {len(self.rules)} + {number}]"
            body += [f"if {rule.judged.text}:", f"    {said} = {HOLDS} if {rule.holds.text} else {FAILS}"]
        arrays = [f"{name}_{number}" for name in ("keys", "memory") for number in range(len(self.keys))]
        parameters = ", ".join(["rows", "rise", "texts", "said", *(f"{name}_of" for name in self.fields), *arrays])
        lines = [f"def {NAME}({parameters}):", "    for event in range(rows):", *(f"        {step}" for step in body)]
        coding = _Coding()
        return ast.unparse(coding.visit(ast.parse("\n".join([*lines, "    return rows"])))), coding.texts


class _Coding(ast.NodeTransformer):
    """Replaces each text by its code, since fields hold codes of texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        if node.value not in self.texts:
            self.texts.append(node.value)
        return ast.Subscript(ast.Name("texts"), ast.Constant(self.texts.index(node.value)))


def names_of(rules: Sequence[Definition]) -> RuleNames:
    """The names of the rules."""
    return tuple(rule.qualified_name for rule in rules)


@lru_cache(maxsize=64)
def loop_of(names: RuleNames) -> Loop:
    """The loop over these rules, made once in each process. LookupError for an unknown name; TypeError from `lower`."""
    operators, rules = lower([_rule_named(name) for name in names])
    return Loop(tuple(operators), tuple(rules))


def interpreted(loop: Loop) -> Any:
    """The function of a loop, interpreted by Python, over lists."""
    scope: dict[str, Any] = {}
    exec(loop.source, scope)  # noqa: S102 - the source is that of the rules
    return scope[NAME]


def _rule_named(name: str) -> Definition:
    module = import_module(name.partition(":")[0])
    for rule in trace_rules():
        if rule.qualified_name == name:
            return rule
    raise LookupError(f"{name} is no trace rule of {module.__name__}")
