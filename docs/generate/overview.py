"""The indexes of all rules: the place of each, and its forms."""

from collections.abc import Mapping
from functools import cache

from generate import proof
from generate.markup import code, table
from tidegate.catalogue import Form, catalogue
from tidegate.catalogue.matrix import Row, matrix, waived
from tidegate.catalogue.obligations import OWED, owed
from tidegate.conformance.forms import forms
from tidegate.record.counts import counted


def places() -> Mapping[str, str]:
    """The page and anchor of each rule and claim, by its id."""
    rules = {rule.id: f"/spec/{rule.chapter}#{rule.id}" for rule in catalogue().values()}
    return {**rules, **proof.places()}


def rule_index() -> str:
    """Every rule with its level, category and needs."""
    rows = [
        (rule.id, rule.title, rule.level, rule.category, ", ".join(map(code, rule.needs)))
        for rule in catalogue().values()
    ]
    return table(["rule", "title", "level", "category", "needs"], rows)


@cache
def rules_by_form() -> str:
    """The number of instances of each rule in each form, with the owed, waived and missing forms marked."""
    rows = matrix(catalogue(), forms())
    cells = [(row.rule.id, *(_cell(row, form) for form in Form)) for row in rows]
    missing = [f"{row.rule.id} ({', '.join(row.missing)})" for row in rows if row.missing]
    exceptions = [f"- {rule.id} does without {form}: {reason}." for rule, form, reason in waived(catalogue().values())]
    lines = [
        table(["rule", *Form], cells),
        f"Missing: {', '.join(missing)}." if missing else f"All {len(rows)} rules have every form that they owe.",
        f"{counted(len(exceptions), 'exceptions')}:" if exceptions else "",
        "\n".join(exceptions),
    ]
    return "\n\n".join(line for line in lines if line)


def what_is_owed() -> str:
    """The forms that each category owes."""
    return table(["category", "owes"], [(category, ", ".join(OWED[category])) for category in OWED])


def _cell(row: Row, form: Form) -> str:
    count = row.counts[form]
    if form in row.missing:
        return "**missing**"
    if not count:
        return "waived" if form in row.rule.waives else ""
    return f"**{count}**" if form in owed(row.rule) else str(count)
