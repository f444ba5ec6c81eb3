"""Which trace rules judge an input of each form."""

from collections.abc import Sequence

from tidegate.model.language.rule import Definition
from tidegate.model.traces.log_rules import IF_TOLD
from tidegate.pipeline.forms import LOG_FORMS, TRACE


def rules_of(form: str) -> tuple[Definition, ...]:
    """The trace rules that judge an input of this form."""
    if form != TRACE:
        return LOG_FORMS[form].rules
    # imported here, for a log is judged without these many rules
    from tidegate.model.traces.run_rules import OF_RUNS

    return OF_RUNS


def every_rule() -> tuple[Definition, ...]:
    """The trace rules of all forms."""
    return tuple(dict.fromkeys(rule for form in (TRACE, *LOG_FORMS) for rule in rules_of(form)))


def not_shown(form: str) -> str:
    """Why a rule has judged nothing of an input of this form."""
    return "no event of the trace is one that the rule judges" if form == TRACE else LOG_FORMS[form].not_shown


def if_told(definitions: Sequence[Definition]) -> bool:
    """Whether these are about what a broker need not have, so that a log which tells nothing of it leaves none open."""
    return bool(definitions) and all(definition in IF_TOLD for definition in definitions)
