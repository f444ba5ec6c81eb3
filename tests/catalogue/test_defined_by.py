"""Which rule owns which function of the mechanisms: it stands in one `defined_by`, and in no other.

Primitives, of which several brokers are composed, and readings that are not scored belong to no rule. A rule that is a
primitive and nothing else names it all the same.
"""

import importlib
import pkgutil
from collections import defaultdict

from tidegate.catalogue import catalogue
from tidegate.model import mechanisms
from tidegate.model.language.rule import Definition, definitions

PACKAGE = mechanisms.__name__
for module in pkgutil.iter_modules(mechanisms.__path__):
    importlib.import_module(f"{PACKAGE}.{module.name}")

PRIMITIVES = ("gate", "credit", "wait", "rate")
"""Modules of functions that belong to whoever composes a mechanism of them."""
ALIKE = {
    "rate:counts": ("ARTEMIS-RATE-2", "ARTEMIS-RATE-8"),
    "rate:is_limited": ("ARTEMIS-RATE-4", "ARTEMIS-RATE-10"),
    "rate:may_pass": ("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"),
    "wait:after_notice": ("QPID-CLIENT-12", "ANDES-CLIENT-8"),
    "wait:notice_due": ("QPID-CLIENT-9", "ANDES-CLIENT-7"),
}
"""Functions of a primitive that say the same of producers and of consumers, or of two brokers, and the rules."""

CITES_ANOTHER = {
    "classic:stored": "what is not held back is stored, and so what failed is not",
    "general_address:after_closing_of": "closing and killing are one in the model, and the queue gate defines closing",
    "qpid942:stopped": "an order that stops, and one that lasts, is one state",
    "qpid_disk:quota_gate": "the gate has the two limits as they are configured, in bytes",
    "rate:may_pass": "the documented bound cites it, and owes no definition",
}
"""Functions whose docstring cites a rule other than those that they define, each with the reason."""


def short(qualified_name: str) -> str:
    return qualified_name.removeprefix(f"{PACKAGE}.")


def functions() -> dict[str, Definition]:
    return {short(each.qualified_name): each for each in definitions() if each.function.__module__.startswith(PACKAGE)}


def owners() -> dict[str, tuple[str, ...]]:
    """The rules in whose `defined_by` each function stands, for each that stands in one."""
    found = defaultdict[str, tuple[str, ...]](tuple)
    for rule in catalogue().values():
        for name in map(short, filter(None, (rule.defined_by, *rule.steps))):
            found[name] += (rule.id,)
    return {name: rules for name, rules in found.items() if name in functions()}


def is_another_reading(definition: Definition) -> bool:
    return definition.function.__module__.endswith("_readings") or "the other reading" in definition.sentence


def is_of_a_primitive(name: str) -> bool:
    return name.partition(":")[0] in PRIMITIVES


def test_a_function_stands_in_one_defined_by() -> None:
    named = owners()
    unnamed = {name for name, each in functions().items() if name not in named and not is_another_reading(each)}
    assert {name for name in unnamed if not is_of_a_primitive(name)} == set()
    assert {name: rules for name, rules in named.items() if len(rules) > 1} == ALIKE
    assert all(map(is_of_a_primitive, ALIKE))


def test_a_step_is_a_function_of_the_model() -> None:
    steps = {short(step): rule.id for rule in catalogue().values() for step in rule.steps}
    assert steps.keys() - functions().keys() == set()


def test_what_is_not_scored_defines_no_rule() -> None:
    known = functions()
    assert {name for name in owners() if is_another_reading(known[name])} == set()


def test_a_function_that_cites_a_rule_is_the_rules_definition_or_one_of_its_steps() -> None:
    """The docstring of a function and the chapters do not name different owners."""
    rules = catalogue()
    known = functions()
    elsewhere = {
        name for name, owned in owners().items() if (cited := known[name].rule_id) in rules and cited not in owned
    }
    assert elsewhere == CITES_ANOTHER.keys()
