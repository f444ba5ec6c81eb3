"""The forms that a rule owes, by its category."""

from collections.abc import Mapping

from tidegate.catalogue.rules import Category, Form, Rule

OWED: Mapping[Category, tuple[Form, ...]] = {
    Category.BOUNDARY: (
        *(Form.DEFINITION, Form.PROOF, Form.SCENARIO),
        *(Form.THREE_POINTS, Form.VECTORS, Form.TRACE),
    ),
    Category.DEFAULT: (Form.DEFINITION, Form.SCENARIO),
    Category.REACTION: (Form.DEFINITION, Form.PROOF, Form.SCENARIO, Form.STATEFUL, Form.TRACE),
    Category.EXEMPTION: (Form.DEFINITION, Form.PROOF, Form.SCENARIO),
    Category.BOUND: (Form.PROOF, Form.SCENARIO),
    Category.UNIT: (Form.DEFINITION, Form.PROOF, Form.SCENARIO),
    Category.MESSAGE: (Form.DEFINITION, Form.SCENARIO, Form.LOG),
    Category.TIMING: (Form.DEFINITION, Form.PROOF, Form.SCENARIO, Form.THREE_POINTS),
    Category.ERROR: (Form.DEFINITION, Form.SCENARIO),
    Category.PERMISSION: (Form.SCENARIO,),
}
"""The forms that each rule of a category owes, unless the rule waives one with a reason."""


def owed(rule: Rule) -> tuple[Form, ...]:
    """The forms that this rule must have, in the order of the table, without the forms that it waives."""
    return tuple(form for form in OWED[rule.category] if form not in rule.waives)
