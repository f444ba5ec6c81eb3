"""Which trace rules judge an input of each form."""

import ast
from collections.abc import Sequence
from functools import cache

from tidegate.model.language.past import OPERATORS
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.traces.log_rules import IF_TOLD
from tidegate.pipeline.forms import LOG_FORMS, TRACE


def rules_of(form: str) -> tuple[Definition, ...]:
    """The trace rules that judge an input of this form."""
    if form != TRACE:
        return LOG_FORMS[form].rules
    # imported here, for a log is judged without these many rules
    from tidegate.model.traces.run_rules import OF_RUNS

    return OF_RUNS


def not_shown(form: str) -> str:
    """Why a rule has judged nothing of an input of this form."""
    return "no event of the trace is one that the rule judges" if form == TRACE else LOG_FORMS[form].not_shown


@cache
def looks_back(definition: Definition) -> bool:
    """Whether a trace rule says something of an event by those before it, and not by its own fields alone."""
    for node in (node for statement in definition.body for node in ast.walk(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = definition.scope.get(node.func.id)
            if called in OPERATORS:
                return True
            known = definition_of(called) if callable(called) else None
            if known is not None and looks_back(known):
                return True
    return False


def if_told(definitions: Sequence[Definition]) -> bool:
    """Whether these are about what a broker need not have, so that a log which tells nothing of it leaves none open."""
    return bool(definitions) and all(definition in IF_TOLD for definition in definitions)
