"""The smallest state for which two rules differ, found by the solver and confirmed by Python."""

from itertools import pairwise

import pytest

from tests.sample import sampled
from tidegate.conformance.as_built_page import page
from tidegate.conformance.proofs import facts, words
from tidegate.conformance.proofs.as_built import between, replaced
from tidegate.conformance.proofs.differing import differing
from tidegate.model.built.profile import Profile
from tidegate.model.built.profiles import PROFILES
from tidegate.model.built.qpid import underfull_at_its_level
from tidegate.model.language.linker import Linker
from tidegate.model.mechanisms import artemis, gate, qpid
from tidegate.model.mechanisms.qpid import Queue


def test_two_rules_differ_at_the_level_and_nowhere_smaller() -> None:
    found = differing(qpid.underfull, underfull_at_its_level)
    assert found.case is not None
    assert found.case.arguments == {"queue": Queue(capacity=1, resume=0, bytes=0)}
    assert (found.before, found.after, found.known) == (False, True, True)


def test_a_rule_does_not_differ_from_itself_for_any_state() -> None:
    for rule in (gate.settled, qpid.after_send, qpid.underfull):
        found = differing(rule, rule)
        assert (found.case, found.known) == (None, True)


def name_of(profile: Profile) -> str:
    """The name of the version of a profile."""
    return profile.name


@pytest.mark.parametrize("profile", sampled(PROFILES.values(), 5, name=name_of), ids=name_of)
def test_each_replaced_rule_differs_from_the_documented_one_for_some_state(profile: Profile) -> None:
    for replacement, changed in replaced(profile):
        assert changed or not callable(replacement.stands_for)
        for each in changed:
            assert each.found.case is not None, replacement.name
            assert each.found.known, replacement.name


def test_two_versions_have_rules_that_differ_and_rules_that_are_only_written_differently() -> None:
    old, new = PROFILES["qpid-0.18"].linker, PROFILES["qpid-10.1.0"].linker
    names = {each.rule.name: each.found.case for each in between(old, new) if each.rule.function in vars(qpid).values()}
    assert {"limited", "underfull", "effective_limits"} <= names.keys()
    assert not list(between(Linker({}), Linker({})))


def test_the_page_shows_both_formulas_the_example_and_the_evidence() -> None:
    text = "\n".join(page("qpid-10.1.0"))
    for line in (
        "as documented: capacity ≠ 0",
        "as built:      capacity ≠ −1",
        "smallest difference:\n      capacity = 0 bytes\n      flowResumeCapacity = 0 bytes\n"
        "      the queue holds 0 bytes\n"
        "      as documented: the queue has no limit\n      as built: the queue has a limit",
        "evidence: a_capacity_of_0_is_no_limit[1] in reports/qpid-10.1.0: the producer stopped at 1 bytes (really 200)",
    ):
        assert line in text


def test_every_figure_and_answer_of_a_difference_has_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compares each release with the documents and with the release before it: no name of a field is printed."""

    def without_words(value: object) -> str:
        raise AssertionError(f"expected words for {value!r}")

    monkeypatch.setattr(facts, "in_words", without_words)
    linkers = [Linker({}), *(profile.linker for profile in PROFILES.values())]
    pairs = [*((linkers[0], each) for each in linkers[1:]), *pairwise(linkers[1:])]
    told = [each.facts for pair in pairs for each in between(*pair) if each.facts is not None]
    assert len(told) > 100
    for each in told:
        assert each.given and each.before != each.after
        assert not any("_" in said.replace("flow_control", "") for said in (*each.given, each.before, each.after))


def test_a_difference_is_told_by_the_names_of_the_file() -> None:
    found = differing(qpid.underfull, underfull_at_its_level)
    told = facts.facts("underfull", found, {"capacity": "maximumQueueDepthBytes"})
    assert told.given == ("maximumQueueDepthBytes = 1 byte", "flowResumeCapacity = 0 bytes", "the queue holds 0 bytes")
    assert told.lines("0.18", "10.1.0")[-1] == "10.1.0: underfull, so producers that it stopped are released"


def test_of_two_states_what_differs_is_told() -> None:
    old, new = PROFILES["qpid-0.18"].linker, PROFILES["qpid-10.1.0"].linker
    (told,) = [each.facts for each in between(old, new) if each.rule.function is qpid.after_send]
    assert told is not None
    assert "the message goes to queue1" in told.given
    assert (told.before, told.after) == ("queue1 does not stop channel1", "queue1 stops channel1")


def test_a_producer_without_credit_is_said_to_be_stopped() -> None:
    say = words.FIELDS[artemis.Address, "credits"]
    assert say(1, "p") == "p has credit for 1 message"
    assert say(0, "p") == "p has no credit, so it is stopped"
    assert say(-2, "p") == "p is 2 messages past its credit, so it is stopped"
