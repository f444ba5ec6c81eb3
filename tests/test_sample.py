"""Checks the draw of variants: some of each kind, the same in every run; the rest run nightly."""

import pytest
from _pytest.mark import ParameterSet

from tests.sample import Share, drawn, nightly, sampled
from tests.together import scope
from tidegate.record.report import CheckKind

NAMES = [f"{letter}{number}" for letter in "abc" for number in range(20)]


def letter(name: str) -> str:
    return name[0]


def test_some_of_each_kind_are_drawn_in_their_order() -> None:
    found = drawn(NAMES, 2, kind=letter)
    assert [letter(name) for name in found] == ["a", "a", "b", "b", "c", "c"]
    assert found == sorted(found, key=NAMES.index)
    assert drawn(NAMES, 100) == NAMES


def test_the_order_of_variants_changes_nothing_and_a_further_one_takes_the_place_of_one_at_most() -> None:
    found = set(drawn(NAMES, 5))
    assert set(drawn(reversed(NAMES), 5)) == found
    for number in range(20):
        assert len(found - set(drawn([*NAMES, f"d{number}"], 5))) <= 1
    assert any(set(drawn([*NAMES, f"d{number}"], 5)) != found for number in range(20)), "none is left out for good"


def test_what_is_not_drawn_is_nightly_and_nothing_is_lost() -> None:
    found = sampled(NAMES, 3)
    night = [each for each in found if isinstance(each, ParameterSet)]
    assert len(found) == len(NAMES) and len(night) == len(NAMES) - 3
    assert {mark.name for each in night for mark in each.marks} == {"nightly"}
    assert [each.values[0] if isinstance(each, ParameterSet) else each for each in found] == NAMES


def test_a_parameter_keeps_its_id_and_its_marks_by_night() -> None:
    found = nightly(pytest.param(1, 2, id="one", marks=pytest.mark.browser))
    assert (found.values, found.id) == ((1, 2), "one")
    assert [mark.name for mark in found.marks] == ["browser", "nightly"]


def test_a_share_of_checks_is_about_as_large_as_is_asked_for() -> None:
    checks = [f"check[{number}]" for number in range(800)]
    taken = [check for check in checks if Share(one_in=8).takes((), check, CheckKind.SCENARIO)]
    assert 70 < len(taken) < 130
    assert [check for check in checks if Share().takes((), check, CheckKind.SCENARIO)] == checks
    assert not Share(kinds=(CheckKind.VECTOR,)).takes((), taken[0], CheckKind.SCENARIO)


def test_files_that_share_what_a_session_starts_go_to_one_process() -> None:
    assert scope("tests/browser/test_pages.py") == scope("tests/docs/test_site.py") == "Chromium"
    assert scope("tests/pipeline/test_engines.py") == "Spark"
    assert scope("tests/test_name.py") == "tests/test_name.py"
