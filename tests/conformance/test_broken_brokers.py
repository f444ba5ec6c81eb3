"""Each broken implementation is found out by the rule that it breaks, in few steps, and the right one by none.

The other way round no scenario may be one that nothing can make fail.
"""

from pathlib import Path

import pytest

from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import Level, catalogue
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind, CheckResult
from tests.conformance import broken, broken_classic, broken_messages, broken_release, broken_senders
from tests.conformance.broken_run import Found, needs_of, run_all

BROKEN_BY: dict[type, tuple[str, ...]] = {  # the rule that it breaks first of all, and others of which it is asked
    # on which side of a level, and by whom
    broken.StopsAtTheCapacity: ("QPID-QUEUE-1",),
    broken_messages.StopsOnlyOnAQueueThatHeldSomething: ("QPID-QUEUE-1",),
    broken_senders.StopsEverySender: ("QPID-QUEUE-1",),
    broken.ReleasesAtTheResumeLevel: ("QPID-QUEUE-2",),
    broken.ForgetsTheResumeLevel: ("QPID-QUEUE-10", "QPID-CLIENT-1"),
    broken.LimitsWhereThereIsNone: ("QPID-QUEUE-3",),
    broken_messages.TakesZeroForNothing: ("QPID-QUEUE-3",),
    broken.ForgetsItsVirtualHost: ("QPID-QUEUE-6",),
    broken.LetsTheSecondSenderPast: ("QPID-QUEUE-7",),
    broken.RefusesTheCrossingMessage: ("QPID-QUEUE-8",),
    broken.StopsEverybody: ("QPID-QUEUE-9",),
    broken.ReleasesWhenTheFirstCauseClears: ("QPID-QUEUE-11",),
    broken_senders.StopsNobodyEver: ("QPID-QUEUE-12",),
    broken.FullOnlyAboveTheMaximum: ("ARTEMIS-BLOCK-1",),
    broken.FullOneByteEarly: ("ARTEMIS-BLOCK-1",),
    broken.PagesByDefault: ("ARTEMIS-BLOCK-2",),
    broken.BlocksUnderEveryPolicy: ("ARTEMIS-BLOCK-3",),
    # credit
    broken.ChargesCreditByTheByte: ("ARTEMIS-AMQP-1", "ARTEMIS-AMQP-5"),
    broken.TakesNoCreditForSmallMessages: ("ARTEMIS-AMQP-1",),
    broken.IssuesAThousand: ("ARTEMIS-AMQP-2", "ARTEMIS-AMQP-3"),
    broken.RefillsOneCreditLate: ("ARTEMIS-AMQP-4",),
    broken.RefillsOneCreditEarly: ("ARTEMIS-AMQP-4",),
    broken.IssuesCreditWhileFull: ("ARTEMIS-AMQP-5",),
    broken.NeverIssuesAgain: ("ARTEMIS-AMQP-6",),
    broken.RejectsOneByteLate: ("ARTEMIS-AMQP-9",),
    broken.NeverRejects: ("ARTEMIS-AMQP-9",),
    broken.RejectsAlways: ("ARTEMIS-AMQP-11", "ARTEMIS-AMQP-10"),
    broken_messages.LosesACreditOnEachRefusal: ("GENERAL-8",),
    # messages, charges and logs
    broken.StoresWhatItRejects: ("GENERAL-1",),
    broken_messages.StoresWhatAStoppedProducerTried: ("GENERAL-1",),
    broken.DeliversTwice: ("GENERAL-2",),
    broken_messages.DropsAfterSayingYes: ("GENERAL-2",),
    broken_messages.DuplicatesOnRetry: ("GENERAL-1", "GENERAL-2"),
    broken_messages.ChargesOneByteTooMuch: ("GENERAL-8", "QPID-DISK-5"),
    broken_messages.GivesBackTooLittle: ("GENERAL-8",),
    broken_messages.ChargesTheWrongDestination: ("GENERAL-19",),
    broken.LogsStopsOnce: ("QPID-LOG-2",),
    broken_messages.LogsAStopForEveryMessage: ("QPID-LOG-1", "QPID-DISK-8"),
    broken_messages.LogsReleasesThatAreNone: ("QPID-LOG-3",),
    broken_messages.LogsNothing: ("QPID-LOG-1", "QPID-DISK-8"),
    # space that is freed, limits that change, clients that go, orders
    broken_release.ReleasesOneWaiterOnly: ("GENERAL-3",),
    broken_release.ReleasesNobodyOnAPurge: ("GENERAL-4",),
    broken_release.ChargesPurgedMessages: ("GENERAL-4",),
    broken_release.IgnoresARaisedLimit: ("GENERAL-5",),
    broken_release.IgnoresALoweredCapacity: ("GENERAL-6",),
    broken_release.IgnoresALoweredMaximum: ("GENERAL-6",),
    broken_release.ForgetsWhoWaitedBesideAClosedProducer: ("GENERAL-9",),
    broken_release.ReleasesEverybodyWithAClosedProducer: ("GENERAL-9",),
    broken_release.KeepsStateAfterAClose: ("GENERAL-9",),
    broken_release.ReleasesEverybodyWithABrokenConnection: ("GENERAL-10",),
    broken_release.FreesWhatAClosedConsumerWasHanded: ("GENERAL-11",),
    broken_release.LosesWhatABrokenConsumerWasHanded: ("GENERAL-12",),
    broken_release.LiftsAnOrderWithTheFirstFreeByte: ("GENERAL-17",),
    broken_release.IssuesCreditWithTheEndOfAnOrder: ("GENERAL-17",),
    broken_release.IgnoresOrders: ("GENERAL-17",),
    # to whom it matters who sends
    broken_senders.LetsLatecomersPast: ("GENERAL-7",),
    broken_senders.IssuesCreditToEveryNewcomer: ("GENERAL-7", "ARTEMIS-BLOCK-1", "ARTEMIS-BLOCK-3"),
    broken_senders.DoesNotLimitTopics: ("GENERAL-13",),
    broken_senders.NeverReleasesOnATopic: ("GENERAL-13",),
    broken_senders.NeverStopsAnonymousProducers: ("GENERAL-14",),
    broken_senders.NeverReleasesAnonymousProducers: ("GENERAL-14",),
    broken_senders.StopsOneProtocolOnly: ("GENERAL-15",),
    broken_senders.DoesNotCheckCommits: ("GENERAL-16",),
    broken_senders.ChargesWhatIsRolledBack: ("GENERAL-16",),
    broken_senders.LooksAtBytesOnly: ("GENERAL-18",),
    broken_senders.LooksAtMessagesOnly: ("GENERAL-18",),
    broken_senders.FullOneMessageEarly: ("GENERAL-18",),
    # sends that wait
    broken_classic.TimesOutLate: ("CLASSIC-FAIL-3",),
    broken_classic.TimesOutEarly: ("CLASSIC-FAIL-3",),
    broken_classic.WaitsWhereItShouldFail: ("CLASSIC-FAIL-1",),
    broken_classic.StoresWhatFailed: ("CLASSIC-FAIL-2",),
    broken_classic.NeverAnswersWhoWaited: ("CLASSIC-MEMORY-3",),
    broken_classic.ForgetsWhoWaitsOnAPurge: ("GENERAL-4",),
    broken_classic.NeverWaits: ("CLASSIC-MEMORY-2",),
    broken_classic.WaitsWhenHalfFull: ("CLASSIC-MEMORY-1", "CLASSIC-MEMORY-9"),
    broken_classic.ControlsEveryDestination: ("CLASSIC-MEMORY-6",),
    broken_classic.SendsNothingSynchronously: ("CLASSIC-SEND-1", "CLASSIC-SEND-3"),
    broken_classic.SendsEverythingSynchronously: ("CLASSIC-SEND-1", "CLASSIC-SEND-2", "CLASSIC-SEND-4"),
    broken_classic.IgnoresWindows: ("CLASSIC-WINDOW-1",),
    broken_classic.HalvesWindows: ("CLASSIC-WINDOW-1",),
    broken_classic.SwapsTheCursors: ("CLASSIC-USAGE-8", "CLASSIC-USAGE-9", "CLASSIC-CONNECTION-3"),
    broken_classic.HasOtherDefaults: ("CLASSIC-USAGE-5", "CLASSIC-USAGE-6", "CLASSIC-USAGE-7"),
    broken_classic.MixesUpStoreAndTemp: ("CLASSIC-USAGE-1", "CLASSIC-USAGE-2"),
    broken_senders.CountsEverySecondTwice: ("QPID-CLIENT-2", "QPID-CLIENT-9", "QPID-CLIENT-11"),
}
RIGHT = (QpidReference, ArtemisReference, ClassicReference)
CRUDE = (
    broken.RefusesTheCrossingMessage,
    broken.StopsEverybody,
    broken.IssuesCreditWhileFull,
    broken.RejectsWhatIsFull,
    broken_senders.StopsEverySender,
    broken_classic.SendsNothingSynchronously,
)
"""Those that break so much that they are asked every rule; any other is asked the rules that it is known to break."""
FOUND_BY_CHANCE: dict[type, tuple[str, str]] = {
    broken.DeliversTwice: ("GENERAL-2", "random_sends_and_removals_through_the_queue_gate"),
    broken_messages.StoresWhatAStoppedProducerTried: (
        "GENERAL-1",
        "random_sends_and_removals_through_the_queue_gate",
    ),
    broken.IssuesCreditWhileFull: ("ARTEMIS-AMQP-5", "random_sends_and_removals_on_amqp_credit"),
    broken.NeverIssuesAgain: ("ARTEMIS-AMQP-6", "random_sends_and_removals_on_amqp_credit"),
}
"""Those that random sequences find too: the rule, and the check that finds it."""
MOST_STEPS = 8
ENOUGH = 30


@pytest.fixture(scope="module")
def found() -> dict[type, Found]:
    """What the scenarios found out about each implementation."""
    everything = tuple(catalogue())
    return run_all({**BROKEN_BY, **dict.fromkeys((*RIGHT, *CRUDE), everything)})


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN_BY) >= ENOUGH


@pytest.mark.parametrize(
    ("cls", "rules"), BROKEN_BY.items(), ids=lambda value: getattr(value, "__name__", None) or value[0]
)
def test_a_broken_promise_is_found_in_few_steps_by_the_rule_that_makes_it(
    found: dict[type, Found], cls: type, rules: tuple[str, ...]
) -> None:
    scripts = [found[cls].shortest_script(rule) for rule in rules]
    assert None not in scripts
    assert scripts[0] is not None and len(scripts[0]) <= MOST_STEPS


@pytest.mark.parametrize("cls", RIGHT, ids=lambda cls: cls.__name__)
def test_the_right_one_violates_nothing(found: dict[type, Found], cls: type) -> None:
    assert found[cls].violations == ()


def test_every_rule_but_a_permission_is_broken_by_some_of_them(found: dict[type, Found]) -> None:
    owed = {rule for cls in RIGHT for check in found[cls].checks for rule in check.rules}
    broken_ones = {rule for each in found.values() for check in each.violations for rule in check.rules}
    assert {rule for rule in owed if catalogue()[rule].level is not Level.MAY} - broken_ones == set()


def test_every_scenario_but_of_a_permission_is_failed_by_some_of_them(found: dict[type, Found]) -> None:
    run = {
        check.check
        for cls in RIGHT
        for check in found[cls].checks
        if all(catalogue()[rule].level is not Level.MAY for rule in check.rules)
    }
    failed = {check.check for each in found.values() for check in each.violations}
    assert run - failed == set()


def test_a_permission_that_is_not_used_is_seen_as_such(tmp_path: Path) -> None:
    strict = {"strict": broken.RejectsWhatIsFull}
    permission = Selection(rules=("ARTEMIS-AMQP-7",), kinds=(CheckKind.SCENARIO,))
    checks = run_suite(strict, needs_of, tmp_path, selection=permission).subjects[0].checks
    assert [check.result for check in checks] == [CheckResult.NOT_TAKEN]


@pytest.mark.parametrize(
    ("cls", "rule", "check"),
    [(cls, *expected) for cls, expected in FOUND_BY_CHANCE.items()],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_random_sequences_find_it_too_and_shrink_it(cls: type, rule: str, check: str, tmp_path: Path) -> None:
    chance = Selection(checks=(check,), kinds=(CheckKind.STATEFUL,))
    conformance = run_suite({cls.__name__: cls}, needs_of, tmp_path, selection=chance, judge_traces=False)
    violations = [check for check in conformance.subjects[0].checks if check.result is CheckResult.VIOLATED]
    assert rule in violations[0].rules
    assert len(violations[0].done) <= MOST_STEPS


def test_a_broker_that_dies_leaves_what_was_not_judged_unknown_and_the_run_goes_on(tmp_path: Path) -> None:
    overfull = Selection(rules=("QPID-QUEUE-7",), kinds=(CheckKind.SCENARIO,))
    dying = {"dying": broken.DiesAtMessagesOf500Bytes}
    subject = run_suite(dying, needs_of, tmp_path, selection=overfull).subjects[0]
    results = {check.check: check for check in subject.checks if check.kind is CheckKind.SCENARIO}
    unjudged = [name for name, check in results.items() if check.result is CheckResult.UNKNOWN]
    assert unjudged == ["whoever_sends_to_an_overfull_queue_is_stopped_by_it[500]"]
    assert results[unjudged[0]].seen == "the broker is gone"
    assert len(subject.restarts) == 1
    assert {check.result for name, check in results.items() if name not in unjudged} == {CheckResult.KEPT}
