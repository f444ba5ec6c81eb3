"""The steps of random sequences, their findings with the rules, and the shrinking of a sequence that fails."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from pytest import param as case

from tests.conformance import (
    broken,
    broken_changes,
    broken_classic,
    broken_crossed,
    broken_faults,
    broken_later,
    broken_meetings,
    broken_neighbours,
    broken_release,
    broken_returned,
    broken_senders,
    broken_transactions,
    broken_ways_out,
)
from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.built import BuiltArtemis2440, BuiltArtemisCore2440
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.stateful import exploring
from tidegate.conformance.stateful.actions import Action, Verb, offered_by
from tidegate.conformance.stateful.choosing import Chooser
from tidegate.conformance.stateful.exploring import Budget
from tidegate.conformance.stateful.ledger import Ledger
from tidegate.conformance.stateful.machine import Machine
from tidegate.conformance.stateful.observing import COMMITTER
from tidegate.conformance.stateful.setup import DOCUMENTED_WINDOW, POLICY, QUEUE_GATE, SMALL_WINDOW
from tidegate.conformance.stateful.shrinking import shrunk
from tidegate.conformance.stateful.tally import Deed
from tidegate.model.language.judge import Judge
from tidegate.record.events import Event, Kind
from tidegate.record.report import Check, CheckKind, CheckResult

THROUGH_THE_GATE = "random_sends_and_removals_through_the_queue_gate"
ON_CREDIT = "random_sends_and_removals_on_amqp_credit"
UNDER_A_MEMORY_LIMIT = "random_sends_and_removals_under_a_memory_limit"
MESSAGES = "random_messages_at_an_address"
FAREWELLS = "random_farewells_on_a_queue"
MOST_LINES = 10
MOST_LINES_OF_TWO = 20
"""Both destinations are declared, and get their producers and messages."""


def most_lines_of(check: Check) -> int:
    """The most lines of a short script, by the number of its destinations."""
    return MOST_LINES_OF_TWO if any("other destination: " in line for line in check.done) else MOST_LINES


@cache
def found(cls: type, *checks: str) -> tuple[Check, ...]:
    """The checks of random sequences on an implementation."""
    chance = Selection(checks=checks, kinds=(CheckKind.STATEFUL,))
    with TemporaryDirectory() as folder:
        run = run_suite({"broker": cls}, needs_of, Path(folder), selection=chance, judge_traces=False)
    assert run.errors == []
    return tuple(run.subjects[0].checks)


@pytest.mark.parametrize(
    ("cls", "rule", "check"),
    sampled(
        [
            case(broken_release.ReleasesNobodyOnAPurge, "GENERAL-4", "random_purges_of_a_queue"),
            case(broken_release.IgnoresARaisedLimit, "GENERAL-5", "random_changes_of_a_queues_limits"),
            case(broken_release.ReleasesEverybodyWithAClosedProducer, "GENERAL-9", FAREWELLS),
            case(broken_release.FreesWhatAClosedConsumerWasHanded, "GENERAL-11", FAREWELLS),
            case(
                broken_release.ReleasesEverybodyWithABrokenConnection,
                "GENERAL-10",
                "random_breaks_of_connections_to_a_queue",
            ),
            case(
                broken_release.LosesWhatABrokenConsumerWasHanded,
                "GENERAL-12",
                "random_breaks_of_connections_to_an_address",
            ),
            case(broken_senders.ChargesWhatIsRolledBack, "GENERAL-16", "random_transactions_on_a_queue"),
            case(
                broken_transactions.ChargesAnAddressForWhatIsRolledBack,
                "GENERAL-16",
                "random_transactions_on_an_address",
            ),
            case(broken_release.IssuesCreditWithTheEndOfAnOrder, "ARTEMIS-AMQP-5", "random_orders_about_an_address"),
            case(broken.DeliversTwice, "GENERAL-2", THROUGH_THE_GATE),
            case(broken_returned.ChargesWhatGoesBackAgain, "GENERAL-8", THROUGH_THE_GATE),
            case(broken_returned.FreesWhatGoesBack, "ARTEMIS-AMQP-5", ON_CREDIT),
            case(broken_ways_out.ChargesWhatWasGivenUp, "GENERAL-8", ON_CREDIT),
            case(broken_ways_out.HandsOutWhatWasGivenUp, "GENERAL-43", THROUGH_THE_GATE),
            case(broken_ways_out.LosesWhatIsMoved, "GENERAL-41", UNDER_A_MEMORY_LIMIT),
            case(broken_ways_out.ChargesWhatWasListed, "GENERAL-8", ON_CREDIT),
            case(broken_ways_out.ChargesManyThatAreBrowsed, "GENERAL-8", ON_CREDIT),
            case(broken_later.FreesTheFirstOfAllAcknowledged, "GENERAL-8", ON_CREDIT),
            case(broken_transactions.DropsWhatFollowsTheCrossingMessage, "QPID-QUEUE-7", THROUGH_THE_GATE),
            case(broken_meetings.CommitsWithAClose, "GENERAL-16", "random_transactions_on_a_queue"),
            case(broken_ways_out.ChargesWhatExpired, "GENERAL-40", ON_CREDIT),
            case(broken_ways_out.ChargesADeletedDestination, "GENERAL-8", ON_CREDIT),
            case(broken_ways_out.DeliversWhatExpired, "GENERAL-40", THROUGH_THE_GATE),
            case(broken_faults.ReleasesEverybodyAfterAPause, "GENERAL-26", THROUGH_THE_GATE),
            case(broken_faults.ChargesNothingAfterARestart, "GENERAL-24", ON_CREDIT),
            case(broken_senders.LooksAtBytesOnly, "GENERAL-18", MESSAGES),
            case(broken_changes.OverlooksMoreMessages, "GENERAL-18", MESSAGES),
            case(broken_senders.LooksAtMessagesOnly, "ARTEMIS-AMQP-5", ON_CREDIT),
            case(broken_classic.ForgetsWhoWaitsOnAPurge, "CLASSIC-MEMORY-3", UNDER_A_MEMORY_LIMIT),
        ],
        4,
    ),
    ids=lambda value: getattr(value, "__name__", value),
)
def test_each_check_finds_what_it_is_about_by_its_own_rule_in_a_short_script(cls: type, rule: str, check: str) -> None:
    violated = [each for each in found(cls, check) if each.result is CheckResult.VIOLATED and rule in each.rules]
    assert violated
    assert any(len(each.done) <= most_lines_of(each) for each in violated)


@pytest.mark.parametrize(
    ("cls", "rule", "check"),
    sampled(
        [
            case(broken_crossed.StopsItsWholeConnection, "GENERAL-19", "random_actions_beside_another_queue"),
            case(broken_crossed.KeepsAConsumerBesideAProducer, "GENERAL-46", THROUGH_THE_GATE),
            case(broken_crossed.IsReleasedByTheFirstQueue, "QPID-QUEUE-11", "random_sends_to_several_queues"),
            case(broken_crossed.IsStoppedByTheFirstNamed, "QPID-QUEUE-7", "random_sends_that_name_a_queue"),
            case(broken_crossed.IssuesCreditElsewhere, "ARTEMIS-AMQP-5", ON_CREDIT),
            case(broken_neighbours.LosesWhatIsElsewhere, "GENERAL-42", THROUGH_THE_GATE),
        ],
        2,
    ),
    ids=lambda value: getattr(value, "__name__", value),
)
def test_two_destinations_and_shared_connections_find_what_one_destination_does_not_show(
    cls: type, rule: str, check: str
) -> None:
    violated = [each for each in found(cls, check) if each.result is CheckResult.VIOLATED and rule in each.rules]
    assert violated
    assert any(len(each.done) <= most_lines_of(each) for each in violated)


def test_an_open_transaction_that_waits_for_its_own_room_ends_with_its_producer() -> None:
    checks = found(BuiltArtemisCore2440, "random_deliveries_on_a_producer_window")
    assert [
        (check.result, check.expected, check.seen) for check in checks if check.result is not CheckResult.KEPT
    ] == []
    assert checks


@pytest.mark.parametrize("cls", sampled([QpidReference, ArtemisReference]), ids=lambda cls: cls.__name__)
def test_the_right_one_keeps_every_check_and_each_says_what_it_did(cls: type) -> None:
    checks = found(cls)
    assert {check.result for check in checks} == {CheckResult.KEPT}
    assert all(" times " in check.seen and "(seed 0)" in check.seen for check in checks)
    in_messages = () if "message-limit" in cls().capabilities else (Verb.RAISE_MESSAGES, Verb.LOWER_MESSAGES)
    offered = [verb for verb in offered_by(cls()) if verb not in (Verb.ORDER, Verb.LIFT, *in_messages)]
    assert [verb for verb in offered if verb not in checks[0].seen] == []


def test_a_check_whose_sequences_never_did_what_it_is_about_is_unknown_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    idle = Budget(sequences=1, actions=0, seconds=60, runs=1)
    monkeypatch.setattr(exploring, "ON_A_VIRTUAL_CLOCK", idle)
    (check,) = found.__wrapped__(QpidReference, FAREWELLS)
    assert check.result is CheckResult.UNKNOWN
    assert "a stopped producer was closed beside another one" in check.expected
    assert "not once in 1 sequences" in check.seen


@pytest.mark.parametrize("deed", [Deed.GAVE_BACK, Deed.GAVE_BACK_BROKEN, Deed.CLOSED, Deed.LIFTED])
def test_sequences_that_go_on_for_a_missing_deed_do_it_in_every_second_sequence(deed: Deed) -> None:
    times = {missing: sum(map(partial(does, deed, missing), range(30))) for missing in ((), (deed,))}
    assert times[deed,] >= 15, times
    assert times[deed,] > 2 * times[()], times


def does(deed: Deed, missing: tuple[Deed, ...], seed: int) -> bool:
    """Whether a sequence of ten actions does a deed, if it goes on for the missing ones."""
    lab = Lab(ArtemisReference(), Recorder("check"), "s1.")
    machine = Machine(lab, SMALL_WINDOW, offered_by(lab.adapter), Judge(()), lambda rule: True)
    machine.declare()
    chooser = Chooser(Random(seed))
    chooser.missing = missing
    for action in chooser.opening(machine):
        machine.take(action)
    for _ in range(10):
        machine.take(chooser.next(machine))
    return bool(machine.tally.deeds[deed])


def test_who_offers_no_group_is_asked_for_none_of_its_verbs() -> None:
    class Bare(QpidReference):
        capabilities = frozenset({"queue-gate"})

    offered = set(offered_by(Bare()))
    assert offered == {
        *(Verb.ATTACH, Verb.SEND, Verb.FILL, Verb.ROUNDS, Verb.CONSUME, Verb.DRAIN, Verb.TAKE, Verb.ACKNOWLEDGE),
    }


def test_credit_that_a_rollback_does_not_give_back_is_predicted() -> None:
    lab = Lab(BuiltArtemis2440(), Recorder("check"), "s1.")
    machine = Machine(lab, DOCUMENTED_WINDOW, offered_by(lab.adapter), Judge(()), lambda rule: True)
    machine.declare()
    for verb in (Verb.ATTACH, Verb.ROLL_BACK, Verb.COMMIT, Verb.ROLL_BACK):
        machine.take(Action(verb))
    seen = lab.standing(COMMITTER)
    assert seen.credit_left == 94
    assert machine.here.prediction.agrees(COMMITTER, seen)


@dataclass(frozen=True)
class Failing:
    """A script that fails."""

    script: tuple[Action, ...]


NEEDED = (Action(Verb.FILL), Action(Verb.CLOSE_PRODUCER))
LONG = tuple(Action(Verb.SEND, amount=size) for size in range(10))


def fails(script: tuple[Action, ...]) -> Failing | None:
    return Failing(tuple(script)) if set(NEEDED) <= set(script) else None


def test_what_is_not_needed_is_left_out() -> None:
    script = (*LONG, NEEDED[0], *LONG, NEEDED[1], *LONG)
    assert shrunk(Failing(script), lambda actions: fails(tuple(actions)), 100).script == NEEDED


def test_no_more_runs_are_made_than_allowed() -> None:
    runs: list[int] = []

    def again(actions: object) -> None:
        runs.append(len(runs))

    assert shrunk(Failing(LONG), again, 5).script == LONG
    assert len(runs) == 5


def event(seq: int, kind: Kind, message_id: str | None = None, outcome: str | None = None) -> Event:
    return Event(
        source="s1.check", seq=seq, time=0, kind=kind, destination="queue", message_id=message_id, outcome=outcome
    )


def test_a_message_is_lost_if_it_was_accepted_and_nobody_ever_settled_it() -> None:
    ledger = Ledger()
    for seq, (kind, name, outcome) in enumerate(
        [
            (Kind.SEND, "settled", "accepted"),
            (Kind.SEND, "refused", "rejected"),
            (Kind.SEND, "late", "unsettled"),
            (Kind.SEND, "purged", "accepted"),
            (Kind.SEND, "in hand", "accepted"),
        ]
    ):
        ledger.note(event(seq, kind, name, outcome))
    assert ledger.handed_out("in hand", "consumer")
    assert not ledger.handed_out("in hand", "another consumer")
    assert ledger.lost() == ["settled", "purged", "in hand"]
    assert list(ledger.unanswered) == ["late"]
    ledger.note(event(5, Kind.PURGE))
    assert ledger.lost() == []
    ledger.gives_back("another consumer")
    assert ledger.given_back == {"in hand"}
    ledger.note(event(6, Kind.SETTLED, "late", "accepted"))
    assert not ledger.unanswered
    ledger.note(event(7, Kind.SEND, "after", "accepted"))
    assert ledger.lost() == ["after"]
    ledger.note(event(9, Kind.ACKNOWLEDGE, "after"))
    assert ledger.lost() == []


def test_levels_follow_the_limits_in_force_and_no_limit_is_the_highest() -> None:
    limits = QUEUE_GATE.with_limit(QUEUE_GATE.limits, 500)
    assert QUEUE_GATE.levels(limits) == (400, 500)
    assert QUEUE_GATE.lowered_from(limits) == (400,)
    assert POLICY.raised_from(POLICY.with_limit(POLICY.limits, 5000)) == (-1,)
    unlimited = POLICY.with_limit(POLICY.limits, -1)
    assert POLICY.levels(unlimited) == ()
    assert POLICY.raised_from(unlimited) == ()
