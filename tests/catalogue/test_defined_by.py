"""Which rule owns which function of the mechanisms: one `defined_by` names it, or it is known why not.

A function that no `defined_by` names is a step of one that is named, or a reading that is not scored. One that several
rules name has several sides, and it is said here which.
"""

import ast
import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator

from tidegate.catalogue import catalogue
from tidegate.model import mechanisms
from tidegate.model.language.rule import Definition, definition_of, definitions

PACKAGE = mechanisms.__name__
for module in pkgutil.iter_modules(mechanisms.__path__):
    importlib.import_module(f"{PACKAGE}.{module.name}")

ALIKE = "the same is promised of consumers and of producers, or by two brokers that share a primitive"
SIDES = "one comparison, of which each rule states a side"
SEVERAL = {
    "andes:after_check": "one look at the memory and at the counts, of which each has a rule",
    "andes:publisher_stopped": "a publisher is stopped by either cause, of which each has a rule",
    "artemis:full": SIDES,
    "artemis:granted": SIDES,
    "artemis:rejecting": SIDES,
    "artemis_consumer:has_room": SIDES,
    "artemis_consumer:is_next": "whose window has room, and whose turn it is, are one question",
    "artemis_producer:granted": "the size of a grant, its limit, and where there is none, have a rule each",
    "classic:failed": "at once and after a time are two settings of one failure",
    "classic:holds_back": "queues and topics are held back alike",
    "classic:may_transmit": SIDES,
    "classic:waits": SIDES,
    "classic:waits_for_answers": "one table of settings, of which each row has a rule",
    "qpid:after_send": "one message that is stored, of which each rule says whom it stops",
    "rate:counts": ALIKE,
    "rate:may_pass": ALIKE,
    "wait:after_notice": ALIKE,
    "wait:notice_due": ALIKE,
}
"""Functions that more than one `defined_by` names, each with the reason."""

OF_A_MECHANISM = "a step of the mechanism that no rule promises by itself"
OF_GENERAL = "a general rule is defined by its trace rule; this is what the proofs step"
OF_PERMISSION = "what a MAY permits: a permission owes no definition"
OF_VERSIONS = "what the documents leave as it comes; released versions replace it"
NO_RULE = {
    "artemis_producer:after_request": OF_A_MECHANISM,
    "artemis_producer:asked_for": "how much is asked for is bounded by a rule, and a bound owes no definition",
    "wait:gives_up": OF_A_MECHANISM,
    "classic_usage:kept_in_memory": OF_VERSIONS,
    "general_paging:pages_full": OF_VERSIONS,
    "general_transactions:freed_by_rollback": OF_VERSIONS,
    "qpid:heeds_queues": OF_VERSIONS,
    "rate:counts_from": OF_VERSIONS,
    "rate:used_at_first": OF_VERSIONS,
    "andes:after_publish": OF_A_MECHANISM,
    "andes:after_removal": OF_A_MECHANISM,
    "andes:configured": "puts the two defaults in force, of which each is a value with a rule of its own",
    "artemis:after_removal": OF_A_MECHANISM,
    "artemis:may_send": OF_A_MECHANISM,
    "classic_connection:after_admission": OF_A_MECHANISM,
    "classic_connection:stalls_connection": OF_PERMISSION,
    "classic_connection:stuck": OF_PERMISSION,
    "general_address:after_change_of": OF_GENERAL,
    "general_address:after_consuming_from": OF_GENERAL,
    "general_address:after_purge_of": OF_GENERAL,
    "general_address:with_limits_of": OF_GENERAL,
    "general_queue_gate:after_change": OF_GENERAL,
    "general_queue_gate:after_consuming": OF_GENERAL,
    "general_queue_gate:after_purge": OF_GENERAL,
    "general_queue_gate:closed_to_a_message": OF_GENERAL,
    "general_queue_gate:with_limits": OF_GENERAL,
    "qpid_client:after_rollback": OF_PERMISSION,
    "qpid_disk:after_writing": OF_PERMISSION,
    "wait:after_time": OF_A_MECHANISM,
}
"""Functions that no `defined_by` leads to, each with the reason."""

CITES_ANOTHER = {
    "classic:stored": "what is not held back is stored, and so what failed is not",
    "general_address:after_closing_of": "closing and killing are one in the model, and the queue gate defines closing",
    "general_address:after_issuing_unless_closed": "whoever is not held back is issued credit, the latecomer alike",
    "qpid942:stopped": "an order that stops, and one that lasts, is one state",
    "qpid_disk:quota_gate": "the gate has the two limits as they are configured, in bytes",
    "rate:may_pass": "the documented bound cites it, and owes no definition",
}
"""Functions whose docstring cites a rule other than those that they define, each with the reason."""


def short(qualified_name: str) -> str:
    return qualified_name.removeprefix(f"{PACKAGE}.")


def functions() -> dict[str, Definition]:
    return {short(each.qualified_name): each for each in definitions() if each.function.__module__.startswith(PACKAGE)}


def owners() -> dict[str, list[str]]:
    """The rules whose `defined_by` names it, for each function that one names."""
    found = defaultdict(list)
    for rule in catalogue().values():
        if rule.defined_by and short(rule.defined_by) in functions():
            found[short(rule.defined_by)].append(rule.id)
    return dict(found)


def called_by(definition: Definition) -> Iterator[str]:
    """The functions that it calls, and those that these call."""
    for node in (each for statement in definition.body for each in ast.walk(statement)):
        called = definition_of(definition.scope.get(node.id)) if isinstance(node, ast.Name) else None
        if called is not None:
            yield short(called.qualified_name)
            yield from called_by(called)


def is_another_reading(definition: Definition) -> bool:
    return definition.function.__module__.endswith("_readings") or "the other reading" in definition.sentence


def test_a_function_stands_in_one_defined_by_or_it_is_said_why_not() -> None:
    named = owners()
    known = functions()
    steps = {step for name in named for step in called_by(known[name])}
    ownerless = {
        name
        for name, definition in known.items()
        if name not in named and name not in steps and not is_another_reading(definition)
    }
    assert ownerless == NO_RULE.keys()
    assert {name for name, rules in named.items() if len(rules) > 1} == SEVERAL.keys()


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
