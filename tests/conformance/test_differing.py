"""The smallest state for which two rules differ, found by the solver and confirmed by Python."""

import pytest

from tidegate.conformance.as_built_page import page
from tidegate.conformance.proofs.as_built import between, replaced
from tidegate.conformance.proofs.differing import differing, in_words
from tidegate.model.built.profile import Profile
from tidegate.model.built.profiles import PROFILES
from tidegate.model.built.qpid import underfull_at_its_level
from tidegate.model.language.linker import Linker
from tidegate.model.mechanisms import gate, qpid
from tidegate.model.mechanisms.qpid import Queue


def test_two_rules_differ_at_the_level_and_nowhere_smaller() -> None:
    found = differing(qpid.underfull, underfull_at_its_level)
    assert found.case is not None
    assert found.case.arguments == {"queue": Queue(capacity=1, resume=0, bytes=0)}
    assert (found.before, found.after, found.known) == (False, True, True)
    assert in_words(found.case.arguments["queue"]) == "(capacity 1, resume 0, bytes 0)"


def test_a_rule_does_not_differ_from_itself_for_any_state() -> None:
    for rule in (gate.settled, qpid.after_send, qpid.underfull):
        found = differing(rule, rule)
        assert (found.case, found.known) == (None, True)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_each_replaced_rule_differs_from_the_documented_one_for_some_state(profile: Profile) -> None:
    for replacement, changed in replaced(profile):
        assert changed or not callable(replacement.stands_for)
        for each in changed:
            assert each.found.case is not None, replacement.name
            assert each.found.known, replacement.name


def test_between_two_versions_are_the_rules_that_differ_and_those_only_written_otherwise() -> None:
    old, new = PROFILES["qpid-0.18"].linker, PROFILES["qpid-10.1.0"].linker
    names = {each.rule.name: each.found.case for each in between(old, new) if each.rule.function in vars(qpid).values()}
    assert {"limited", "underfull", "effective_limits"} <= names.keys()
    assert not list(between(Linker({}), Linker({})))


def test_the_page_shows_both_formulas_the_example_and_the_evidence() -> None:
    text = "\n".join(page("qpid-10.1.0"))
    for line in (
        "as documented: capacity ≠ 0",
        "as built:      capacity ≠ −1",
        "smallest difference: queue (capacity 0, resume 0, bytes 0): no and yes",
        "evidence: a_capacity_of_0_is_no_limit[1] in reports/qpid-10.1.0: the producer stopped at 1 bytes (really 200)",
    ):
        assert line in text
