"""What each rule owes, and what counts as missing."""

from dataclasses import replace

import pytest

from tidegate.catalogue import Category, Form, catalogue
from tidegate.catalogue.matrix import matrix, waived
from tidegate.catalogue.obligations import OWED, owed
from tidegate.record.errors import BadInput

RULE = catalogue()["QPID-QUEUE-1"]


def test_every_category_owes_something() -> None:
    assert set(OWED) == set(Category)
    assert all(OWED.values())


def test_what_a_rule_owes_and_lacks_is_missing() -> None:
    (row,) = matrix({RULE.id: RULE}, {"proof": {RULE.id: 2}, "scenario": {RULE.id: 0}})
    assert row.counts[Form.PROOF] == 2
    assert row.missing == (Form.DEFINITION, Form.SCENARIO, Form.THREE_POINTS, Form.VECTORS, Form.TRACE)


def test_a_rule_that_stands_in_all_its_forms_lacks_nothing() -> None:
    (row,) = matrix({RULE.id: RULE}, {form: {RULE.id: 1} for form in OWED[RULE.category]})
    assert row.missing == ()


def test_a_waived_form_is_not_owed_and_is_listed_with_its_reason() -> None:
    excused = replace(RULE, waives={Form.PROOF: "no model"})
    assert Form.PROOF not in owed(excused)
    assert waived([excused]) == ((excused, Form.PROOF, "no model"),)


@pytest.mark.parametrize("forms", [{"prof": {}}, {"proof": {"QPID-QUEUE-99": 1}}])
def test_a_misspelt_form_or_id_is_refused(forms: dict[str, dict[str, int]]) -> None:
    with pytest.raises(BadInput, match=r"of the specification, not|in the form proof"):
        matrix({RULE.id: RULE}, forms)
