"""Rules written out as one loop over the events of a stream, in source of Python.

The work of an operator at an event is its step in the model, read as terms like the rules themselves. So a loop judges
as the rules do, and no rule or operator is written a second time.
"""

import ast
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import chain
from textwrap import dedent, indent
from typing import Any

from tidegate.model.language.rule import Definition
from tidegate.model.language.tracing import trace_rules
from tidegate.pipeline.judge.lowering import SOURCE, STATE, LoweredRule, PastOperator, lower, names_in
from tidegate.pipeline.read.tables import FIELDS

NAME = "judge_events"
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
        """The combinations of key fields by which operators keep values apart within a source."""
        return tuple(dict.fromkeys(each.keys for each in self.operators))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the steps and rules use."""
        steps = (each.step for each in self.operators)
        looked_at = names_in(*steps, *chain.from_iterable((each.judged, each.holds) for each in self.rules))
        return tuple(name for name in FIELDS if name in looked_at)

    @property
    def columns(self) -> frozenset[str]:
        """The fields of an event that have to be read."""
        return frozenset(chain(self.fields, (SOURCE,), *self.keys))

    def initial(self, keys: tuple[str, ...]) -> list[int]:
        """The values of a new row of keys, one for each operator with these keys."""
        return [each.initial for each in self.operators if each.keys == keys]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts that the rules compare fields with."""
        return tuple(self._written[1])

    @cached_property
    def source(self) -> str:
        """The source of the loop's function. Its parameters are lists: the codes of `texts`; by event the `fields` and
        the row of the event's keys; by event the results of each rule; and by row the memory of each operator.
        """
        return self._written[0]

    @cached_property
    def function(self) -> Callable[..., None]:
        """The function of the loop; it changes the lists of results and of memory."""
        scope: dict[str, Any] = {}
        exec(self.source, scope)  # noqa: S102 - the source is that of the rules
        function: Callable[..., None] = scope[NAME]
        return function

    @cached_property
    def digest(self) -> str:
        """Differs for loops that judge differently; a loop cannot use the memory of a loop with another digest."""
        rules, initial = [each.rule.qualified_name for each in self.rules], [each.initial for each in self.operators]
        said = repr((self.source, self.texts, rules, self.keys, initial))
        return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()

    @cached_property
    def _written(self) -> tuple[str, list[str]]:
        body = []
        for each in self.operators:
            remembered = f"{each.name}_of[row_{self.keys.index(each.keys)}]"
            body += [f"{STATE} = {remembered}", f"{each.name} = {each.step.text}", f"{remembered} = {each.name}"]
        for number, rule in enumerate(self.rules):
            holds = f"{HOLDS} if {rule.holds.text} else {FAILS}"
            body += [f"if {rule.judged.text}:", f"    result_{number}[event] = {holds}"]
        coding = _Coding()
        steps = ast.unparse(coding.visit(ast.parse("\n".join(body))))
        codes = [f"text_{number}" for number in range(len(coding.texts))]
        of_event = [*self.fields, *(f"row_{number}" for number in range(len(self.keys)))]
        results = [f"result_{number}" for number in range(len(self.rules))]
        memory = [f"{each.name}_of" for keys in self.keys for each in self.operators if each.keys == keys]
        lists = [f"{name}_of" for name in of_event]
        head = f"""
            def {NAME}({", ".join(["texts", *lists, *results, *memory])}):
                [{", ".join(codes)}] = texts
                for event, [{", ".join(of_event)}] in enumerate(zip({", ".join(lists)})):
        """
        return dedent(head).strip() + "\n" + indent(steps or "pass", 8 * " "), coding.texts


class _Coding(ast.NodeTransformer):
    """Replaces each text by its code, since fields hold codes of texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        if node.value not in self.texts:
            self.texts.append(node.value)
        return ast.Name(f"text_{self.texts.index(node.value)}")


def names_of(rules: Sequence[Definition]) -> RuleNames:
    """The names of the rules."""
    return tuple(rule.qualified_name for rule in rules)


@lru_cache(maxsize=64)
def loop_of(names: RuleNames) -> Loop:
    """The loop over these rules, made once in each process. LookupError for an unknown name; TypeError from `lower`."""
    operators, rules = lower([_rule_named(name) for name in names])
    return Loop(tuple(operators), tuple(rules))


def _rule_named(name: str) -> Definition:
    module = import_module(name.partition(":")[0])
    for rule in trace_rules():
        if rule.qualified_name == name:
            return rule
    raise LookupError(f"{name} is no trace rule of {module.__name__}")
