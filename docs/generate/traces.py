"""Trace rules, past-time operators and the templates of log messages."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from itertools import groupby

from generate.evidence import module_of
from generate.markup import code, paragraphs, table
from tidegate.model.language.message_text import PLACEHOLDER, Field, Message
from tidegate.model.language.past import OPERATORS
from tidegate.model.language.rule import definition_of
from tidegate.model.mechanisms import qpid_log
from tidegate.model.traces.log_rules import OF_LOGS
from tidegate.model.traces.run_rules import OF_RUNS

EXAMPLE: Mapping[str, Field] = {"number": 1200, "name": "orders"}


def rules_by_module() -> str:
    """Every trace rule with the rule that it checks, and its sentence."""
    wanted = (*OF_RUNS, *OF_LOGS)
    parts = []
    for module, rules in groupby(sorted(wanted, key=module_of), key=module_of):
        about = inspect.getdoc(import_module(f"tidegate.model.traces.{module}")) or ""
        rows = [(rule.rule_id, rule.name.replace("_", " "), rule.sentence) for rule in rules]
        parts.append(paragraphs(f"### {code(module)}", about, table(["rule", "trace rule", "sentence"], rows)))
    return paragraphs(*parts)


def past_operators() -> str:
    """The past-time operators and their folds."""
    rows = []
    for operator, fold in OPERATORS.items():
        step = definition_of(fold.step)
        assert step is not None
        rows.append((code(operator.__name__), inspect.getdoc(operator) or "", step.sentence, code(repr(fold.initial))))
    return table(["operator", "meaning", "its value after each event", "before the first"], rows)


def log_templates() -> str:
    """The messages of the logs, each as a template and as an example."""
    rows = []
    for message in vars(qpid_log).values():
        if isinstance(message, Message):
            fields = {found["field"]: EXAMPLE[found["type"]] for found in PLACEHOLDER.finditer(message.text)}
            rows.append((code(message.code), f"{code(message.text)}<br>{code(message.render(fields))}"))
    return table(["code", "template, and an example"], rows)
