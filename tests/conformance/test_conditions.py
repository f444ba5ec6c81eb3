"""Right brokers keep every rule under all pairs of conditions; a fault under one condition is found under it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import (
    broken_batches,
    broken_bindings,
    broken_changes,
    broken_elsewhere,
    broken_faults,
    broken_figures,
    broken_later,
    broken_logs,
    broken_neighbours,
    broken_overflow,
    broken_priority,
    broken_ways_out,
)
from tests.conformance.broken_run import needs_of
from tests.sample import Share, nightly, sampled
from tidegate.adapters.base import Adapter, AdapterError, Limits, Standing, Unsupported
from tidegate.adapters.capabilities import CAPABILITIES
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.conformance.assembly import assemble
from tidegate.conformance.conditions import CONDITIONS
from tidegate.conformance.conditions.known import ANY_FIGURE, SHARED_BY_ALL
from tidegate.conformance.conditions.trying import could_claim, not_tried, only_under
from tidegate.conformance.report.verdicts import wording
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import Check, CheckKind, CheckResult
from tidegate.record.verdict import Verdict

ALL = (CAPABILITIES | {ANY_FIGURE}) - SHARED_BY_ALL
GENERAL = Selection(rules=tuple(f"GENERAL-{number}" for number in range(3, 20)), kinds=(CheckKind.SCENARIO,))
REFERENCES = (ArtemisCoreReference, QpidReference, ArtemisReference, ClassicReference, Qpid942Reference)
FIRST, *OTHERS = REFERENCES
VALUES = [(condition, value) for condition in CONDITIONS for value in condition.values if value != condition.plain]
FOUND_UNDER = {
    broken_elsewhere.NeverStopsOnATopic: "topic",
    broken_elsewhere.StopsNobodyWhoNamesItsDestination: "anonymous",
    broken_elsewhere.ForgetsTransactedSenders: "transacted",
    broken_elsewhere.ChargesPersistentMessagesForEver: "persistent",
    broken_elsewhere.LooksAtMessagesOnlyBesideBytes: "messages",
    broken_changes.OverlooksMoreMessages: "messages",
    broken_elsewhere.ReleasesNobodyOnceALimitWasChanged: "raised",
    broken_elsewhere.KeepsALimitInMessages: "removed",
    broken_elsewhere.KeepsTheDefaultsOfTheFirstQueue: "default",
    broken_elsewhere.KnowsNoPatterns: "pattern",
    broken_elsewhere.KeepsWhatAPatternWasFirst: "raised pattern",
    broken_elsewhere.PassesOverItsFile: "file",
    broken_elsewhere.StopsNobodyTogether: "together",
    broken_elsewhere.NeverWakesThoseWhoShare: "together",
    broken_elsewhere.LeaksAfterAPurge: "purged",
    broken_elsewhere.WakesNobodyInTheThirdRound: "three times",
    broken_elsewhere.ChargesGivenBackMessagesTwice: "given back",
    broken_elsewhere.HoldsWhoeverComesAfterAKilledOne: "killed",
    broken_elsewhere.HoldsWhoeverComesAfterATimeout: "timed out",
    broken_elsewhere.StopsNobodyOnceItRefused: "refused once",
    broken_elsewhere.ReleasesNobodyOnceItsPolicyRefused: "refused by policy once",
    broken_elsewhere.LetsNobodyGoOnceItLoweredWhatItHadRaised: "raised and lowered once",
    broken_elsewhere.ChargesAsynchronousMessagesForEver: "asynchronous",
    broken_elsewhere.NeverAnswersWhatItHeld: "windowed",
    broken_elsewhere.GrantsNoMoreThanAWindow: "narrow window",
    broken_elsewhere.FreesAgainWhatIsAcknowledgedAgain: "acknowledged twice",
    broken_elsewhere.ChargesWhatHadToWaitForEver: "paced",
    broken_faults.ForgetsLimitsAtARestart: "restarted",
    broken_elsewhere.ReleasesNobodyOnceItWasHalted: "halted",
    broken_elsewhere.ReleasesNobodyWhoWaitsWithoutEnd: "without end",
    **broken_batches.UNDER,
    **broken_figures.UNDER,
    **broken_later.UNDER,
    **broken_priority.UNDER,
    broken_bindings.LooksAtTheFirstQueueOnly: "beside",
    broken_bindings.ChargesWhatSeveralQueuesDelivered: "beside",
    broken_ways_out.ChargesWhatExpired: "expired",
    broken_ways_out.ChargesWhatWasListed: "listed once",
    broken_ways_out.ChargesWhatWasBrowsed: "browsed once",
    broken_ways_out.ChargesWhatWasGivenUp: "given up once",
    broken_ways_out.ChargesWhatWasMoved: "moved once",
    broken_ways_out.ChargesADeletedDestination: "recreated",
    broken_ways_out.LetsNobodyGoBesideAFilter: "filtering consumer",
    broken_ways_out.ChargesPropertiesThatAFilterRead: "filter on properties",
    broken_neighbours.ChargesBesideAFullQueue: "full elsewhere",
    broken_overflow.ChargesWhatItRefuses: "refuses",
    broken_overflow.ChargesWhatItDrops: "drops",
    broken_overflow.ChargesWhatItsPagesRefuse: "refuses pages",
}


@dataclass(frozen=True)
class Under(Selection):
    """The checks under a value, alone or also together with other values."""

    value: str = ""
    alone: bool = False

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        weave = check.rpartition(" (")[2]
        is_under = self.value in weave and not (self.alone and ", " in weave)
        return is_under and super().takes(rules, check, kind)


def checks_of(cls: type, folder: Path, strength: int, selection: Selection = GENERAL) -> list[Check]:
    conformance = run_suite(
        {cls.__name__: cls}, needs_of, folder, selection=selection, strength=strength, judge_traces=False
    )
    assert conformance.errors == []
    return conformance.subjects[0].checks


@pytest.mark.parametrize("cls", [FIRST, *(pytest.param(cls, marks=pytest.mark.nightly) for cls in OTHERS)])
@pytest.mark.parametrize("one_in", [8, nightly(1)])
def test_the_right_ones_keep_every_rule_under_every_pair(cls: type[Adapter], one_in: int, tmp_path: Path) -> None:
    checks = checks_of(cls, tmp_path, 2, Share(GENERAL.rules, kinds=GENERAL.kinds, one_in=one_in))
    assert [(check.check, check.expected, check.seen) for check in checks if check.result is not CheckResult.KEPT] == []
    tried = {name for check in checks for name in check.conditions}
    claimed = {f"{condition.name}: {value.name}" for condition, value in VALUES if value.fits(cls.capabilities)}
    assert tried and (claimed - tried == set() or one_in > 1)


@pytest.mark.parametrize("cls", sampled(FOUND_UNDER, kind=lambda cls: cls.__module__), ids=lambda cls: cls.__name__)
def test_a_broker_that_is_broken_under_one_condition_is_found_under_it(cls: type, tmp_path: Path) -> None:
    """Under the condition alone, or together with others if no check under it alone shows the fault."""
    rules = (*GENERAL.rules, *broken_batches.ALSO_ASKED_UNDER.get(cls, ()))
    under = Under(rules, kinds=GENERAL.kinds, value=FOUND_UNDER[cls])
    assert is_found(cls, replace(under, alone=True), tmp_path / "alone") or is_found(cls, under, tmp_path / "woven")


def is_found(cls: type, under: Under, folder: Path) -> bool:
    """Whether a check under a value is violated, and one of these is kept without any condition."""
    checks = checks_of(cls, folder / "checks", strength=1, selection=under)
    violated = [check for check in checks if check.result is CheckResult.VIOLATED]
    if not any(under.value in condition for check in violated for condition in check.conditions):
        return False
    # a Given that was not reached is a violation of the rule that promises it, beside a check that is unknown
    named = Selection(checks=tuple({check.check.rpartition(" (")[0] for check in violated}))
    controls = checks_of(cls, folder / "controls", strength=0, selection=named)
    return CheckResult.KEPT in {control.result for control in controls}


def test_a_line_of_the_log_that_names_a_figure_is_tried_with_large_ones(tmp_path: Path) -> None:
    selection = Selection(rules=("QPID-LOG-1", "QPID-LOG-3"), kinds=(CheckKind.SCENARIO,))
    checks = checks_of(broken_logs.WritesOneComma, tmp_path, strength=1, selection=selection)
    violated = [check for check in checks if check.result is CheckResult.VIOLATED]
    assert {rule for check in violated for rule in check.rules} == {"QPID-LOG-1", "QPID-LOG-3"}
    alone = {rule for check in violated if check.conditions == ("figures: past 32 bits",) for rule in check.rules}
    assert alone == {"QPID-LOG-1", "QPID-LOG-3"}
    assert all("figures: past 32 bits" in check.conditions for check in violated)


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


def test_what_is_broken_where_two_kinds_meet_is_found_by_a_scenario_that_runs_under_both(tmp_path: Path) -> None:
    under = Under(GENERAL.rules, kinds=GENERAL.kinds, value="topic, messages")
    found = checks_of(broken_elsewhere.CountsNoMessagesOnTopics, tmp_path, 1, selection=under)
    assert CheckResult.VIOLATED in {check.result for check in found}


@pytest.mark.parametrize(
    "scenario",
    ["a_purge_releases_every_producer_that_waits[1]", "a_full_destination_stops_nobody_who_sends_elsewhere"],
)
def test_what_a_history_leaves_behind_breaks_the_rule_of_empty_destinations_and_no_other(
    scenario: str, tmp_path: Path
) -> None:
    selection = Selection(checks=(scenario, f"{scenario} (given back once)"))
    found = checks_of(broken_elsewhere.ShowsGivenBackMessagesTwice, tmp_path, 0, selection=selection)
    rules = {
        result: {rule for check in found if check.result is result for rule in check.rules} for result in CheckResult
    }
    own = rules[CheckResult.KEPT]
    assert own, "the control without the history"
    assert rules[CheckResult.VIOLATED] == {"GENERAL-8"}
    assert rules[CheckResult.UNKNOWN] == own


def test_a_history_breaks_no_connection_of_a_producer_of_an_earlier_destination(tmp_path: Path) -> None:
    name = "a_full_destination_stops_nobody_who_sends_elsewhere (one session, killed once)"
    (check,) = checks_of(ArtemisReference, tmp_path, strength=0, selection=Selection(checks=(name,)))
    assert check.result is CheckResult.KEPT


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


def test_what_the_trace_violates_needs_the_conditions_of_its_scenarios() -> None:
    kept = found(CheckResult.KEPT)
    on_topics = replace(found(CheckResult.VIOLATED, "destination: topic"), kind=CheckKind.TRACE, scenarios=("check",))
    anywhere = replace(on_topics, conditions=())
    nowhere = replace(found(CheckResult.KEPT), kind=CheckKind.TRACE)
    assert only_under([kept, on_topics]) == ("topic",)
    assert only_under([kept, nowhere, on_topics]) == ("topic",)
    assert only_under([kept, anywhere]) == ()


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


class SendsNoTransactionsToTopics(QpidReference):
    """Transactions are claimed, and not for topics."""

    def open_producer(self, producer: str, connection: str, destinations: tuple[str, ...], *options: Any) -> None:
        if any(one.transacted for one in options) and not self._topics.isdisjoint(destinations):
            raise Unsupported("no transactions to topics")
        super().open_producer(producer, connection, destinations, *options)


def test_a_kind_of_producer_that_a_scenario_leaves_out_is_told(tmp_path: Path) -> None:
    name = "producers_of_each_kind_that_are_stopped_stay_stopped_for_as_long_as_nothing_is_consumed"
    selection = Selection(checks=(name,))
    conformance = run_suite(
        {"incomplete": SendsNoTransactionsToTopics}, needs_of, tmp_path, selection=selection, strength=0
    )
    told = [each for each in conformance.subjects[0].not_tried if "producer of a" in each]
    assert told == [f"{name}: the transacted producer of a topic cannot be opened: no transactions to topics"]


class PurgesForOneProducer(QpidReference):
    """Purges are claimed, and none can be made once a destination has several producers."""

    most = 1
    opened = 0

    def open_producer(self, producer: str, *how: Any) -> None:
        self.opened += 1
        super().open_producer(producer, *how)

    def purge(self, destination: str) -> None:
        if self.opened > self.most:
            raise Unsupported("no such purge can be made")
        super().purge(destination)

    def end_scenario(self) -> None:
        self.opened = 0
        super().end_scenario()


class PurgesForNobody(PurgesForOneProducer):
    """Purges are claimed, and none can be made."""

    most = 0


@pytest.mark.parametrize(
    ("adapter", "verdict", "untried"),
    [
        pytest.param(QpidReference, Verdict.KEPT, (), id="each check can be tried"),
        pytest.param(PurgesForOneProducer, Verdict.KEPT, (2,), id="one check can be tried"),
        pytest.param(PurgesForNobody, Verdict.UNKNOWN, (1, 2), id="no check can be tried"),
    ],
)
def test_a_scenario_that_the_adapter_cannot_drive_is_not_tried_and_a_rule_without_another_is_unknown(
    adapter: type[Adapter], verdict: Verdict, untried: tuple[int, ...], tmp_path: Path
) -> None:
    examples = tuple(f"a_purge_releases_every_producer_that_waits[{number}]" for number in (1, 2))
    conformance = run_suite({"partly": adapter}, needs_of, tmp_path, selection=Selection(checks=examples), strength=0)
    [implementation] = assemble(conformance, (), "", whole=False, today=date(2026, 11, 20)).implementations
    reason = "no such purge can be made"
    assert implementation.not_tried == tuple(f"{examples[number - 1]}: {reason}" for number in untried)
    [purged] = [each for each in implementation.verdicts if each.rule == "GENERAL-4"]
    assert purged.verdict is verdict
    assert purged.scenarios_not_tried == tuple(examples[number - 1] for number in untried)
    if verdict is Verdict.UNKNOWN:
        assert [check.seen for check in purged.checks if check.kind is CheckKind.SCENARIO] == [reason]
    else:
        assert wording(purged).endswith("; 1 scenario not tried") is bool(untried)


class StopsTheBystanderToo(QpidReference):
    """A full queue stops every producer."""

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


@pytest.mark.parametrize(
    ("cls", "rule"),
    [
        (broken_neighbours.LetsItsNeighboursGo, "GENERAL-20"),
        (broken_neighbours.LosesWhatIsElsewhere, "GENERAL-2"),
        (broken_neighbours.ReversesWhatIsElsewhere, "GENERAL-52"),
        (broken_neighbours.NeverReleasesWhoCameFirst, "GENERAL-3"),
    ],
)
def test_a_destination_that_is_full_elsewhere_is_owed_what_any_other_is(cls: type, rule: str, tmp_path: Path) -> None:
    name = "once_everything_is_consumed_nothing_is_charged[400]"
    checks = checks_of(cls, tmp_path, strength=0, selection=Selection(checks=(name, f"{name} (full elsewhere)")))
    assert [(check.check, check.rules) for check in checks if check.result is CheckResult.VIOLATED] == [
        (f"{name} (full elsewhere)", (rule,))
    ]


def test_a_neighbour_that_nothing_stops_leaves_the_rule_of_its_scenario_unknown(tmp_path: Path) -> None:
    name = "once_everything_is_consumed_nothing_is_charged[400] (full elsewhere)"
    checks = checks_of(NeverStops, tmp_path, strength=0, selection=Selection(checks=(name,)))
    assert {(check.result, check.rules) for check in checks} == {
        (CheckResult.UNKNOWN, ("GENERAL-8",)),
        (CheckResult.VIOLATED, ("GENERAL-20",)),
    }


class NeverStops(QpidReference):
    """No queue stops a producer."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, Limits(limit_bytes=0, resume_bytes=0))


def test_a_move_that_loses_a_message_breaks_the_rule_of_moves_and_no_other(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[2]"
    selection = Selection(checks=(name, f"{name} (moved once)"))
    checks = checks_of(broken_ways_out.LosesWhatIsMoved, tmp_path, 0, selection=selection)
    assert {(check.result, check.rules) for check in checks} == {
        (CheckResult.KEPT, ("GENERAL-3",)),
        (CheckResult.UNKNOWN, ("GENERAL-3",)),
        (CheckResult.VIOLATED, ("GENERAL-41",)),
    }


def test_messages_expire_also_beside_a_send_that_waits_elsewhere(tmp_path: Path) -> None:
    """The wait of that send has begun before, and the time that it has waited does not count for the messages."""
    name = "a_move_releases_every_producer_that_waits[1] (expired)"
    (check,) = checks_of(ArtemisCoreReference, tmp_path, strength=0, selection=Selection(checks=(name,)))
    assert check.result is CheckResult.KEPT


def test_histories_that_follow_each_other_have_clients_of_different_names(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[2] (listed once, browsed once)"
    conformance = run_suite(
        {"reference": ArtemisReference}, needs_of, tmp_path, selection=Selection(checks=(name,)), strength=0
    )
    (subject,) = conformance.subjects
    opened = [call.arguments[0] for calls in subject.calls.values() for call in calls if call.verb == "open_producer"]
    assert len(opened) == len(set(opened)) == 4


class ShowsNothingWhileFull(QpidReference):
    """A queue that is full shows none of its messages to who lists them."""

    def list_messages(self, destination: str) -> int:
        return 0 if self._storage.queues[destination].depth().bytes >= 1000 else super().list_messages(destination)


def test_messages_that_a_full_destination_does_not_show_are_no_verdict_and_hide_no_other_history(
    tmp_path: Path,
) -> None:
    name = "consumption_releases_every_producer_that_waits[2]"
    selection = Selection(checks=(f"{name} (listed once)", f"{name} (listed once, browsed once)"))
    conformance = run_suite({"hides": ShowsNothingWhileFull}, needs_of, tmp_path, selection=selection, strength=0)
    (subject,) = conformance.subjects
    kept = [check.check for check in subject.checks if check.result is CheckResult.KEPT and check.conditions]
    assert f"{name} (listed once, browsed once)" in kept
    assert f"{name} (listed once)" not in kept
    assert [each.partition(": ")[2] for each in subject.not_tried] == [
        "list_messages saw none of 3 messages that wait at destination"
    ] * 2


class FailsToList(QpidReference):
    """A broker whose management cannot be asked for a list."""

    def list_messages(self, destination: str) -> int:
        raise AdapterError("management is gone")


def test_a_list_that_cannot_be_asked_for_is_unknown_and_no_history_that_is_left_out(tmp_path: Path) -> None:
    name = "consumption_releases_every_producer_that_waits[2] (listed once, browsed once)"
    conformance = run_suite(
        {"fails": FailsToList}, needs_of, tmp_path, selection=Selection(checks=(name,)), strength=0, judge_traces=False
    )
    (subject,) = conformance.subjects
    assert [(check.result, check.seen) for check in subject.checks] == [(CheckResult.UNKNOWN, "management is gone")]
