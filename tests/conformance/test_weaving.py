"""Weaving: arrays meet every value, pair and triple of what scenarios leave open and implementations claim."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.adapters.base import Adapter
from tidegate.adapters.capabilities import CAPABILITIES, with_implied
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.catalogue import catalogue
from tidegate.conformance.conditions import CONDITIONS, PLAIN, Condition, Weave, weaving
from tidegate.conformance.conditions.condition import Value
from tidegate.conformance.conditions.known import ANY_FIGURE, NOT_TOGETHER, SHARED_BY_ALL, go_together
from tidegate.conformance.conditions.weaving import (
    Woven,
    as_woven,
    each_alone,
    open_conditions,
    rows,
    rows_of_each_value,
    values_of,
    weave_named,
    weaves,
    woven_scenarios,
)
from tidegate.conformance.feature_files import Scenario, scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subset import boundary
from tidegate.record.errors import BadInput
from tidegate.record.report import CheckKind

ALL = (CAPABILITIES | {ANY_FIGURE}) - SHARED_BY_ALL
"""Without the mechanisms in which one destination holds back all, since a value makes a difference there."""
REFERENCES = (QpidReference, ArtemisReference, ClassicReference, ArtemisCoreReference, Qpid942Reference)
FIRST = CONDITIONS[:9]
"""Conditions of which even triples are drawn within seconds."""


def claims_all(claimed: Collection[str], rules: Sequence[str], needs: Collection[str]) -> bool:
    return set(needs).union(*map(needs_of, rules)) <= set(claimed)


def choices(conditions: Sequence[Condition], strength: int) -> set[tuple[tuple[str, str], ...]]:
    """Every choice of `strength` values of different conditions that can be established together."""
    return {
        tuple((condition.name, value.name) for condition, value in zip(chosen, values, strict=True))
        for chosen in combinations(conditions, strength)
        for values in product(*(values_of(condition, ALL) for condition in chosen))
        if not any({first, second} <= {value.name for value in values} for first, second in NOT_TOGETHER)
    }


def met(conditions: Sequence[Condition], found: Sequence[Weave], strength: int) -> set[tuple[tuple[str, str], ...]]:
    whole = [
        [(condition.name, dict(weave.values).get(condition.name, condition.plain).name) for condition in conditions]
        for weave in found
    ]
    return {chosen for row in whole for chosen in combinations(row, strength)}


@pytest.mark.parametrize(
    ("conditions", "strength"),
    [
        (CONDITIONS, 1),
        (FIRST, 2),
        (FIRST, 3),
        pytest.param(CONDITIONS, 2, marks=pytest.mark.nightly),
        pytest.param(CONDITIONS, 3, marks=pytest.mark.nightly),
    ],
    ids=["values", "pairs of some", "triples of some", "pairs", "triples"],
)
def test_an_array_meets_every_choice_of_so_many_values(conditions: Sequence[Condition], strength: int) -> None:
    found = [*rows(conditions, ALL, strength, ""), PLAIN]
    assert choices(conditions, strength) - met(conditions, found, strength) == set()
    assert met(conditions, found, 2) <= choices(conditions, 2)


@pytest.mark.parametrize("seed", ["", "1", "another"])
def test_the_rows_of_a_scenario_meet_each_value_that_costs_little(seed: str) -> None:
    found = rows_of_each_value(CONDITIONS, ALL, seed)
    wanted = {(each.name, value.name) for each in CONDITIONS for value in values_of(each, ALL, costly=False)}
    reached = {one for (one,) in met(CONDITIONS, [*found, PLAIN], 1)}
    assert wanted == reached
    assert met(CONDITIONS, found, 2) <= choices(CONDITIONS, 2)
    assert found != rows_of_each_value(CONDITIONS, ALL, f"{seed} 2")
    assert rows_of_each_value((), ALL, seed) == []


@pytest.mark.parametrize("number", sampled(range(1, 13), 4))
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
    drawn = {tuple(weave.suffix for weave in rows(FIRST, ALL, 2, seed)) for seed in ("", "1", "2")}
    assert len(drawn) == 3


def test_rows_are_drawn_once_and_are_the_same_in_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    drawn: list[list[Weave]] = []
    with monkeypatch.context() as drawing:
        for strength in (1, 2):
            weaving._array.cache_clear()
            drawn.append(rows(FIRST, ALL, strength, ""))
        drawing.setattr("covertable.make", None)
        weaving._array.cache_clear()
        assert [rows(FIRST, ALL, strength, "") for strength in (1, 2)] == drawn
        with pytest.raises(TypeError):
            rows(FIRST, ALL, 2, "another seed")
    assert drawn[0] != drawn[1]


def test_a_value_whose_capability_is_not_claimed_is_not_tried() -> None:
    assert [value.name for value in values_of(CONDITIONS[0], ())] == ["queue"]
    assert rows(CONDITIONS[:8], (), 3, "") == []


def test_a_sentence_that_speaks_of_a_condition_is_not_varied_in_it() -> None:
    woven = woven_scenarios(lambda rules, needs: "GENERAL-13" in rules, CAPABILITIES, 2, "")
    topics = woven["a_full_topic_stops_its_producer_and_an_empty_one_lets_it_go"]
    assert topics
    assert not any(condition == "destination" for weave in topics for condition, _ in weave.values)


def test_a_sentence_about_synchronous_sends_is_not_tried_with_others() -> None:
    about = {rule.id: set(rule.speaks_of) for rule in catalogue().values() if "synchronous" in rule.sentence}
    assert "CLASSIC-MEMORY-2" in about
    assert [rule for rule, speaks_of in about.items() if not {"answers", "window"} <= speaks_of] == []


def test_a_producer_that_counted_sends_stop_has_the_usual_window() -> None:
    claimed = with_implied(ClassicReference.capabilities)
    of_classic = [each for each in scenarios() if claims_all(claimed, each.rules, each.needs)]
    left_open = [each for each in of_classic if "window" in open_conditions(each)]
    stopping = [each for each in left_open if any("is stopped" in step for step in each.steps)]
    assert stopping
    assert [each.check for each in stopping if not re.search("until|fill", " ".join(each.steps))] == []


def test_small_messages_are_to_use_up_no_window_but_a_narrow_one() -> None:
    small = [each for each in scenarios() if any("small messages until" in step for step in each.steps)]
    windows = [condition for each in small for condition in as_woven(each).open_ones if condition.name == "window"]
    assert windows
    for window in windows:
        assert [value.name for value in window.values] == ["usual window", "narrow window"]


def test_a_scenario_with_a_level_in_bytes_has_that_level() -> None:
    woven = woven_scenarios(lambda rules, needs: "GENERAL-6" in rules, CAPABILITIES, 2, "")
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


@pytest.mark.parametrize("cls", sampled(REFERENCES))
def test_the_scenarios_of_each_mechanism_together_meet_each_value_that_one_of_them_leaves_open(
    cls: type[Adapter],
) -> None:
    claimed = with_implied(cls.capabilities)
    claims = partial(claims_all, claimed)
    woven = woven_scenarios(claims, claimed, 1, "")
    is_open: dict[str, set[str]] = defaultdict(set)
    is_met: dict[str, set[str]] = defaultdict(set)
    for scenario in scenarios():
        if claims(scenario.rules, scenario.needs):
            costly = scenario.feature == "general"
            is_open[scenario.feature] |= {
                f"{condition.name}: {value.name}"
                for condition in as_woven(scenario).open_ones
                for value in values_of(condition, claimed, costly=costly)
                if value != condition.plain
            }
            is_met[scenario.feature] |= {name for weave in woven[scenario.check] for name in weave.names}
    assert {feature: names - is_met[feature] for feature, names in is_open.items() if names - is_met[feature]} == {}


def test_a_scenario_that_states_a_condition_is_not_woven_with_it() -> None:
    is_open = {each.check: open_conditions(each) for each in scenarios()}
    assert "persistence" not in is_open["persistent_messages_are_sent_synchronously_unless_configured_otherwise"]
    assert "limit" not in is_open["a_client_that_ignores_the_order_sends_on"], "its background names a capacity"


@pytest.mark.parametrize("cls", sampled(REFERENCES))
def test_each_general_rule_is_tried_with_each_kind_of_subject_that_a_scenario_of_it_leaves_open(
    cls: type[Adapter],
) -> None:
    claimed = with_implied(cls.capabilities)
    claims = partial(claims_all, claimed)
    woven = woven_scenarios(claims, claimed, 1, "")
    is_open, alone = set(), set()
    for scenario in scenarios():
        if scenario.feature == "general" and claims(scenario.rules, scenario.needs):
            kinds = {
                f"{condition.name}: {value.name}"
                for condition in as_woven(scenario).open_ones
                for value in values_of(condition, claimed)
                if value.kind
            }
            is_open |= {(rule, kind) for rule in scenario.rules for kind in kinds}
            single = {weave.names[0] for weave in woven[scenario.check] if len(weave.names) == 1}
            alone |= {(rule, name) for rule in scenario.rules for name in single}
    assert is_open
    assert is_open - alone == set(), "each kind alone"


@pytest.mark.parametrize("cls", sampled(REFERENCES))
def test_each_boundary_is_tried_with_all_its_figures_under_each_value_under_which_a_level_may_be_wrong(
    cls: type[Adapter],
) -> None:
    claimed = with_implied(cls.capabilities)
    woven = woven_scenarios(partial(claims_all, claimed), claimed, 1, "")
    boundaries = [each for each in scenarios() if as_woven(each).is_boundary and woven.get(each.check)]
    left_open = {
        (each.check, value.name)
        for each in boundaries
        for condition in as_woven(each).open_ones
        for value in values_of(condition, claimed, costly=False)
        if value.at_boundaries
    }
    alone = {(each.check, weave.suffix[2:-1]) for each in boundaries for weave in woven[each.check]}
    assert left_open
    assert left_open - alone == set()


def test_a_boundary_runs_with_each_of_its_figures_after_its_limit_was_raised(tmp_path: Path) -> None:
    (boundary,) = [each for each in scenarios() if each.check == "a_queue_is_overfull_only_above_its_capacity"]
    run = run_suite(
        {"reference": QpidReference}, needs_of, tmp_path, strength=1,
        selection=Selection(rules=boundary.rules, kinds=(CheckKind.SCENARIO,)),
    )  # fmt: skip
    raised = [each.check for each in run.subjects[0].checks if each.check.endswith("(raised)")]
    assert len([name for name in raised if name.startswith(boundary.check)]) == boundary.examples == 3


@pytest.mark.parametrize(
    "selection",
    [
        Selection(rules=("QPID-QUEUE-7",)),
        Selection(kinds=(CheckKind.VECTOR,)),
        Selection(checks=("a_queue_is_overfull_only_above_its_capacity",)),
        Selection(subset=boundary()),
    ],
    ids=["another rule", "another kind", "a named check", "a subset"],
)
def test_no_array_is_drawn_for_what_a_selection_leaves_out(selection: Selection) -> None:
    """Drawing an array takes seconds; without one, a taken scenario runs without conditions."""
    assert Selection().weaves(("GENERAL-1",))
    assert not selection.weaves(("GENERAL-1",))
    assert woven_scenarios(lambda rules, needs: "GENERAL-1" in rules, ALL, 1, "", selection.weaves) == {}


def test_lasting_values_are_tried_under_what_every_mechanism_owes_alone() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    lasting = {each.check for each in scenarios() if any("twenty" in weave.suffix for weave in woven[each.check])}
    assert {each.feature for each in scenarios() if each.check in lasting} == {"general", "rounds"}


def test_a_destination_in_use_is_tried_under_each_value_alone_that_it_leaves_open() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    (in_use,) = [each for each in scenarios() if each.feature == "rounds" and each.each_value_alone]
    alone = {weave.names[0] for weave in woven[in_use.check] if len(weave.names) == 1}
    left_open = {
        f"{condition.name}: {value.name}"
        for condition in as_woven(in_use).open_ones
        for value in values_of(condition, ALL)
        if value != condition.plain
    }
    assert alone == left_open
    assert {"history: drained three times", "persistence: persistent", "elsewhere: bystander"} <= alone


def test_every_value_has_a_name_of_its_own_and_a_given_line() -> None:
    names = [value.name for condition in CONDITIONS for value in condition.values]
    assert len(names) == len(set(names))
    varied = [value for condition in CONDITIONS for value in condition.values if value != condition.plain]
    assert [value.name for value in varied if not value.given] == []
    assert {capability for value in varied for capability in value.needs} <= ALL


def test_a_value_that_there_is_not_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"expected a value of a condition \(queue, topic, .*, not 'topics'"):
        weave_named(["topics"])


def test_a_value_that_a_scenarios_steps_rule_out_is_not_tried_and_the_others_are() -> None:
    scenario = next(each for each in scenarios() if each.check == "what_is_rolled_back_was_handed_to_nobody_before")
    full = next(each for each in as_woven(scenario).open_ones if each.name == "full")
    assert [value.name for value in full.values] == ["stops", "goes on"]
    found = rows([full], ALL, 1, "")
    assert sorted(weave.suffix for weave in found) == [" (goes on)"]


def test_no_bytes_that_are_held_are_asked_for_where_a_filter_has_a_broker_read_properties() -> None:
    asking = next(each for each in scenarios() if each.check == "a_lowered_limit_is_in_force_for_the_release_as_well")
    onlookers = next(each for each in as_woven(asking).open_ones if each.name == "onlookers")
    names = [value.name for value in onlookers.values]
    assert "filtering consumer" in names
    assert "filter on properties" not in names


def test_each_rule_runs_after_each_history_of_several_rounds_that_one_of_its_scenarios_leaves_open() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    all_alone = {weave for scenario in scenarios() for weave in each_alone(as_woven(scenario).open_ones, ALL)}
    in_rounds = {weave for weave in all_alone if _in_rounds(weave)}
    missing = {
        (rule, weave.suffix)
        for scenario in scenarios()
        for rule in scenario.rules
        for weave in in_rounds & set(each_alone(as_woven(scenario).open_ones, ALL))
        if not any(weave in woven[other.check] for other in scenarios() if rule in other.rules)
    }
    assert missing == set()
    assert sum(weave in in_rounds for weaves in woven.values() for weave in weaves) > len(catalogue())


def test_each_rule_meets_each_value_but_lasting_ones_that_one_of_its_scenarios_leaves_open() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")

    def of_each_rule(values: Callable[[Scenario], Iterable[Value]]) -> set[tuple[str, str]]:
        return {(rule, value.name) for each in scenarios() for rule in each.rules for value in values(each)}

    def left_open(scenario: Scenario) -> Iterator[Value]:
        for weave in each_alone(as_woven(scenario).open_ones, ALL):
            yield from (value for _, value in weave.values if not value.lasting)

    def tried(scenario: Scenario) -> Iterator[Value]:
        return (value for weave in woven[scenario.check] for _, value in weave.values)

    assert of_each_rule(left_open) - of_each_rule(tried) == set()
    assert len(of_each_rule(left_open)) > 10 * len(catalogue())


def test_costly_histories_of_a_rule_follow_each_other_in_few_runs_of_two_of_its_scenarios() -> None:
    steps = ("a destination with a limit of 1000 bytes",)
    alike = [Woven(f"scenario {each}", frozenset({"history"}), "one of many", ("RULE-1",), steps) for each in range(4)]
    found = weaves(alike, ALL, 1, "")
    together = {check: [each for each in its if _several_histories(each)] for check, its in found.items()}
    assert sorted(map(len, together.values())) == [0, 0, 1, 1]
    (first,) = [each[0].suffix for each in together.values() if each][:1]
    assert first == (
        " (recreated, refused by policy once, expired, listed once, browsed once, given up once, requeued once, "
        "moved once)"
    )


def test_values_that_exclude_each_other_are_in_no_run_together() -> None:
    woven = woven_scenarios(lambda rules, needs: True, ALL, 1, "")
    several = [weave for its in woven.values() for weave in its if len(weave.values) > 1]
    assert any(map(_several_histories, several))
    apart = {
        (one.name, other.name)
        for weave in several
        for (_, one), (_, other) in combinations(weave.values, 2)
        if not go_together(one.name, other.name)
    }
    assert apart == set()


def test_no_destination_is_full_elsewhere_where_that_stops_the_producers_of_all() -> None:
    (elsewhere,) = [each for each in CONDITIONS if each.name == "elsewhere"]
    assert "full elsewhere" in {value.name for value in values_of(elsewhere, {"stops-producers"})}
    assert "full elsewhere" not in {value.name for value in values_of(elsewhere, {"stops-producers", "memory-ratio"})}


def _several_histories(weave: Weave) -> bool:
    return [condition for condition, _ in weave.values].count("history") > 1


def _in_rounds(weave: Weave) -> bool:
    return len(weave.values) == 1 and weave.values[0][1].in_rounds
