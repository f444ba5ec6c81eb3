"""Rule by form: how often each rule has each form, and which owed forms are missing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tidegate.catalogue.obligations import OWED, owed
from tidegate.catalogue.rules import Form, Rule
from tidegate.record.errors import BadInput


@dataclass(frozen=True)
class Row:
    """One rule and, for each form, how many it has (theorems, scenarios, vectors, …)."""

    rule: Rule
    counts: Mapping[Form, int]

    @property
    def missing(self) -> tuple[Form, ...]:
        """The forms that the rule owes and lacks."""
        return tuple(form for form in owed(self.rule) if not self.counts[form])


def matrix(rules: Mapping[str, Rule], forms: Mapping[str, Mapping[str, int]]) -> tuple[Row, ...]:
    """One row per rule, in the order of rules. `forms` maps a form to the number of times that each rule id has it.

    Raises BadInput for an unknown form or rule id: a misspelt tag is never ignored.
    """
    for form, counts in forms.items():
        _require(form, [known.value for known in Form], "a form")
        for rule_id in counts:
            _require(rule_id, rules, f"a rule id in the form {form}")
    return tuple(Row(rule, {form: forms.get(form, {}).get(rule.id, 0) for form in Form}) for rule in rules.values())


def waived(rules: Iterable[Rule]) -> tuple[tuple[Rule, Form, str], ...]:
    """Every exception: the rule, the form that its category owes, and why the rule does without it."""
    return tuple(
        (rule, form, rule.waives[form]) for rule in rules for form in OWED[rule.category] if form in rule.waives
    )


def _require(name: str, known: Iterable[str], what: str) -> None:
    if name not in known:
        raise BadInput(f"expected {what} of the specification, not {name!r}")
