"""Weaving: arrays meet every value, pair and triple, and what is broken under one condition only is found by it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import broken_elsewhere, broken_faults
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Standing
from tidegate.adapters.capabilities import CAPABILITIES, with_implied
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.conformance.conditions import CONDITIONS, PLAIN, Weave
from tidegate.conformance.conditions.known import ANY_FIGURE, NOT_TOGETHER
from tidegate.conformance.conditions.trying import could_claim, not_tried, only_under
from tidegate.conformance.conditions.weaving import (
    Woven,
    open_conditions,
    rows,
    values_of,
    weave_named,
    weaves,
    woven_scenarios,
)
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult

ALL = CAPABILITIES | {ANY_FIGURE}
GENERAL = Selection(rules=tuple(f"GENERAL-{number}" for number in range(3, 20)), kinds=(CheckKind.SCENARIO,))
REFERENCES = (QpidReference, ArtemisReference, ClassicReference, ArtemisCoreReference, Qpid942Reference)
VALUES = [(condition, value) for condition in CONDITIONS for value in condition.values if value != condition.plain]
FOUND_UNDER = {
    broken_elsewhere.NeverStopsOnATopic: "topic",
    broken_elsewhere.StopsNobodyWhoNamesItsDestination: "anonymous",
    broken_elsewhere.ForgetsTransactedSenders: "transacted",
    broken_elsewhere.ChargesPersistentMessagesForEver: "persistent",
    broken_elsewhere.LooksAtMessagesOnlyBesideBytes: "messages",
    broken_elsewhere.ReleasesNobodyOnceALimitWasChanged: "raised",
    broken_elsewhere.KeepsTheDefaultsOfTheFirstQueue: "default",
    broken_elsewhere.KnowsNoPatterns: "pattern",
    broken_elsewhere.PassesOverItsFile: "file",
    broken_elsewhere.StopsNobodyTogether: "together",
    broken_elsewhere.NeverWakesThoseWhoShare: "together",
    broken_elsewhere.LeaksAfterAPurge: "purged",
    broken_elsewhere.WakesNobodyInTheThirdRound: "three times",
    broken_elsewhere.ChargesGivenBackMessagesTwice: "given back",
    broken_elsewhere.HoldsWhoeverComesAfterAKilledOne: "killed",
    broken_elsewhere.HoldsWhoeverComesAfterATimeout: "timed out",
    broken_elsewhere.StopsNobodyOnceItRefused: "refused once",
    broken_elsewhere.LetsNobodyGoOnceItLoweredWhatItHadRaised: "raised and lowered once",
    broken_elsewhere.ChargesAsynchronousMessagesForEver: "asynchronous",
    broken_elsewhere.NeverAnswersWhatItHeld: "windowed",
    broken_elsewhere.GrantsNoMoreThanAWindow: "narrow window",
    broken_faults.ForgetsLimitsAtARestart: "restarted",
}


def checks_of(cls: type, folder: Path, strength: int, selection: Selection = GENERAL) -> list[Check]:
    conformance = run_suite(
        {cls.__name__: cls}, needs_of, folder, selection=selection, strength=strength, judge_traces=False
    )
    assert conformance.errors == []
    return conformance.subjects[0].checks


def claims_all(claimed: Collection[str], rules: Sequence[str], needs: Collection[str]) -> bool:
    return set(needs).union(*map(needs_of, rules)) <= set(claimed)


def choices(strength: int) -> set[tuple[tuple[str, str], ...]]:
    """Every choice of so many values of different conditions that can be established together."""
    return {
        tuple((condition.name, value.name) for condition, value in zip(chosen, values, strict=True))
        for chosen in combinations(CONDITIONS, strength)
        for values in product(*(condition.values for condition in chosen))
        if not any({first, second} <= {value.name for value in values} for first, second in NOT_TOGETHER)
    }


def met(found: Sequence[Weave], strength: int) -> set[tuple[tuple[str, str], ...]]:
    whole = [
        [(condition.name, dict(weave.values).get(condition.name, condition.plain).name) for condition in CONDITIONS]
        for weave in found
    ]
    return {chosen for row in whole for chosen in combinations(row, strength)}


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_an_array_meets_every_choice_of_so_many_values(strength: int) -> None:
    found = [*rows(CONDITIONS, ALL, strength, ""), PLAIN]
    assert choices(strength) - met(found, strength) == set()
    assert met(found, 2) <= choices(2)


@pytest.mark.parametrize("number", range(1, 13))
def test_scenarios_meet_every_value_together_however_many_they_are(number: int) -> None:
    left_open = frozenset({"history", "road", "destination"})
    alike = [Woven(f"scenario {each}", left_open, "one of many") for each in range(number)]
    found = weaves(alike, ALL, 1, "0")
    met = {value.name for each in found.values() for weave in each for _, value in weave.values}
    open_ones = [condition for condition in CONDITIONS if condition.name in left_open]
    wanted = {value.name for each in open_ones for value in values_of(each, ALL, costly=False) if value != each.plain}
    assert met == wanted
    assert all(len(set(each)) == len(each) for each in found.values())


def test_another_seed_draws_other_combinations() -> None:
    drawn = {tuple(weave.suffix for weave in rows(CONDITIONS, ALL, 2, seed)) for seed in ("", "1", "2")}
    assert len(drawn) == 3


def test_a_value_whose_capability_is_not_claimed_is_not_tried() -> None:
    assert [value.name for value in values_of(CONDITIONS[0], ())] == ["queue"]
    assert rows(CONDITIONS[:8], (), 3, "") == []


def test_a_sentence_that_speaks_of_a_condition_is_not_varied_in_it() -> None:
    woven = woven_scenarios(lambda rules, needs: True, CAPABILITIES, 2, "")
    topics = woven["a_full_topic_stops_its_producer_and_an_empty_one_lets_it_go"]
    assert topics
    assert not any(condition == "destination" for weave in topics for condition, _ in weave.values)


def test_a_scenario_with_a_level_in_bytes_has_that_level() -> None:
    woven = woven_scenarios(lambda rules, needs: True, CAPABILITIES, 2, "")
    lowered = woven["a_lowered_limit_is_in_force_for_the_release_as_well"]
    assert lowered
    assert not any(condition == "limit" for weave in lowered for condition, _ in weave.values)


def test_the_scenarios_of_each_mechanism_meet_what_its_documents_leave_open() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    feature_of = {each.check: each.feature for each in scenarios()}
    for feature in ("qpid_queue", "artemis_block", "classic_memory", "classic_fail"):
        met_here = {
            name for check in woven if feature_of[check] == feature for weave in woven[check] for name in weave.names
        }
        assert {"destination: topic", "consumption: last first", "history: purged once"} <= met_here


@pytest.mark.parametrize("cls", REFERENCES)
def test_the_scenarios_of_each_mechanism_together_meet_each_value_that_one_of_them_leaves_open(cls: type) -> None:
    claimed = with_implied(cls.capabilities)  # type: ignore[attr-defined]
    claims = partial(claims_all, claimed)
    woven = woven_scenarios(claims, claimed, 1, "")
    is_open, is_met = defaultdict(set), defaultdict(set)
    for scenario in scenarios():
        if claims(scenario.rules, scenario.needs):
            costly = scenario.feature == "general"
            is_open[scenario.feature] |= {
                f"{condition.name}: {value.name}"
                for condition in CONDITIONS
                if condition.name in open_conditions(scenario)
                for value in values_of(condition, claimed, costly=costly)
                if value != condition.plain
            }
            is_met[scenario.feature] |= {name for weave in woven[scenario.check] for name in weave.names}
    assert {feature: names - is_met[feature] for feature, names in is_open.items() if names - is_met[feature]} == {}


def test_a_scenario_that_states_a_condition_is_not_woven_with_it() -> None:
    is_open = {each.check: open_conditions(each) for each in scenarios()}
    assert "persistence" not in is_open["persistent_messages_are_sent_synchronously_unless_configured_otherwise"]
    assert "limit" not in is_open["a_client_that_ignores_the_order_sends_on"], "its background names a capacity"


def test_costly_values_are_tried_under_what_every_mechanism_owes_alone() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    costly = {each.check for each in scenarios() if any("twenty" in weave.suffix for weave in woven[each.check])}
    assert {each.feature for each in scenarios() if each.check in costly} == {"general"}


def test_every_value_has_a_name_of_its_own_and_a_given_line() -> None:
    names = [value.name for condition in CONDITIONS for value in condition.values]
    assert len(names) == len(set(names))
    assert [value.name for _, value in VALUES if not value.given] == []
    assert {capability for _, value in VALUES for capability in value.needs} <= ALL


def test_a_value_that_there_is_not_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"expected a value of a condition \(queue, topic, .*, not 'topics'"):
        weave_named(["topics"])


@pytest.mark.parametrize("cls", REFERENCES)
def test_the_right_ones_keep_every_rule_under_every_pair(cls: type, tmp_path: Path) -> None:
    checks = checks_of(cls, tmp_path, strength=2)
    assert [(check.check, check.expected, check.seen) for check in checks if check.result is not CheckResult.KEPT] == []
    tried = {name for check in checks for name in check.conditions}
    claimed = {f"{condition.name}: {value.name}" for condition, value in VALUES if value.needs <= cls.capabilities}  # type: ignore[attr-defined]
    assert claimed - tried == set()


@pytest.mark.parametrize(("cls", "value"), FOUND_UNDER.items(), ids=lambda each: getattr(each, "__name__", each))
def test_what_is_broken_under_one_condition_is_found_by_it(cls: type, value: str, tmp_path: Path) -> None:
    checks = checks_of(cls, tmp_path, strength=1)
    # a Given that was not reached is a violation of the rule that promises it, beside a check that is unknown
    results = {check.check: check for check in checks}
    violated = [check for check in checks if check.result is CheckResult.VIOLATED and check.conditions]
    assert any(value in condition for check in violated for condition in check.conditions)
    controls = [results[check.check.rpartition(" (")[0]] for check in violated]
    assert CheckResult.KEPT in {control.result for control in controls}


@pytest.mark.parametrize(
    ("cls", "scenario", "value"),
    [
        (broken_elsewhere.ChargesWhatItPagedForEver, "once_everything_is_consumed_nothing_is_charged[400]", "pages"),
        (
            broken_elsewhere.LosesWhatItDoesNotControl,
            "every_message_accepted_below_the_limit_is_delivered_once",
            "goes on",
        ),
    ],
)
def test_what_is_broken_past_a_limit_that_stops_nobody_is_found_there(
    cls: type, scenario: str, value: str, tmp_path: Path
) -> None:
    checks = (scenario, f"{scenario} ({value})")
    found = checks_of(cls, tmp_path, 0, selection=Selection(checks=checks))
    assert [check.result for check in found] == [CheckResult.KEPT, CheckResult.VIOLATED]


def test_what_is_broken_where_two_conditions_meet_is_found_by_a_check_of_both(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[1]"
    checks = tuple(f"{name}{weave}" for weave in ("", " (messages)", " (default)", " (messages, default)"))
    found = checks_of(broken_elsewhere.KnowsNoDefaultInMessages, tmp_path, 0, selection=Selection(checks=checks))
    violated = {check.check for check in found if check.result is CheckResult.VIOLATED}
    assert violated == {f"{name} (messages, default)"}
    assert len({check.check for check in found}) == len(checks)


def test_a_check_is_repeated_by_its_name_with_what_was_woven_in_as_given_lines(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[2] (topic, purged once)"
    (check,) = checks_of(QpidReference, tmp_path, strength=0, selection=Selection(checks=(name,)))
    assert check.check == name
    assert check.conditions == ("destination: topic", "history: purged once")
    assert check.done[:3] == (
        "Given every destination is a topic with one subscription",
        "Given the destination was filled once before, each time ended with a purge",
        "Given a destination that 2 producers fill until none may send",
    )


def found(result: CheckResult, *conditions: str, name: str = "check") -> Check:
    return Check(name, CheckKind.SCENARIO, result, ("GENERAL-3",), (), "", "", "", conditions)


def test_a_violation_names_what_it_needs() -> None:
    kept = found(CheckResult.KEPT), found(CheckResult.KEPT, "history: purged once")
    first = found(CheckResult.VIOLATED, "destination: topic", "history: purged once")
    second = found(CheckResult.VIOLATED, "destination: topic", "road: raised")
    assert only_under([*kept, first, second]) == ("topic",)
    assert only_under([*kept, first]) == ("topic",)
    assert only_under([*kept, first, found(CheckResult.VIOLATED)]) == ()
    assert only_under(kept) == ()


def test_what_was_not_tried_is_what_no_scenario_of_the_mechanism_ran_under() -> None:
    name = "consumption_releases_every_producer_that_waits"
    plain = found(CheckResult.KEPT, name=f"{name}[2]")
    topic = found(CheckResult.KEPT, "destination: topic", name=f"{name}[2] (topic)")
    assert "topic" in not_tried([plain], {"topics"})["GENERAL-3"]
    assert "topic" not in not_tried([plain, topic], {"topics"})["GENERAL-3"]
    assert "topic" not in not_tried([plain], set())["GENERAL-3"]


def test_what_an_adapter_could_claim_is_named() -> None:
    assert "topics" in could_claim(QpidReference(), frozenset())
    assert "topics" not in could_claim(QpidReference(), {"topics"})


class StopsTheBystanderToo(QpidReference):
    """A full queue stops everybody."""

    opened: tuple[str, ...] = ()

    def open_producer(self, producer: str, *how: Any) -> None:
        super().open_producer(producer, *how)
        self.opened = (*self.opened, producer)

    def standing(self, producer: str) -> Standing:
        return max(map(super().standing, self.opened or (producer,)), key=lambda each: each.stopped)

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self.opened = tuple(each for each in self.opened if each != producer)

    def kill(self, connection: str) -> None:
        super().kill(connection)
        self.opened = ()

    def end_scenario(self) -> None:
        super().end_scenario()
        self.opened = ()


def test_a_bystander_that_is_stopped_violates_the_rule_that_says_so(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[1] (bystander)"
    checks = checks_of(StopsTheBystanderToo, tmp_path, strength=0, selection=Selection(checks=(name,)))
    assert [check.rules for check in checks if check.result is CheckResult.VIOLATED] == [("GENERAL-19",)]
