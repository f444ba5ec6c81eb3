"""The other readings of each scored reading's words, and the checks that tell them apart.

Another reading is the reference with a small change. The check that tells the two apart is violated by the other
reading and kept by the scored one, under the rule whose words are read. `python -m tests.conformance.readings` writes
the table of these checks anew.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType

from tests.conformance import broken, broken_classic, broken_clients
from tests.conformance import broken_readings as read
from tests.conformance import broken_readings_artemis as artemis_read
from tests.conformance import broken_readings_qpid as qpid_read
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Adapter
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.catalogue import catalogue
from tidegate.catalogue.rules import Level
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.model.language.linker import Linker, Rule
from tidegate.model.mechanisms import (
    andes,
    andes_readings,
    artemis,
    artemis_consumer,
    artemis_producer,
    classic,
    classic_usage,
    credit,
    qpid,
    qpid942,
    qpid_disk,
    wait,
)
from tidegate.record.errors import BadInput
from tidegate.record.report import CheckKind, CheckResult

TABLE = Path(__file__).with_name("told_apart.json")
KINDS = (CheckKind.SCENARIO, CheckKind.VECTOR)
JUDGED = (*KINDS, CheckKind.TRACE)


@dataclass(frozen=True)
class OtherReading:
    """A reading that is not scored, with a broker that follows it."""

    rule: str
    """The rule whose words have this reading."""
    says: str
    """The meaning of the words in this reading."""
    cls: type
    """The broker, or the reference in which the rules `replaced` and the `defaults` are exchanged."""
    replaced: Mapping[Rule, Rule] = field(default_factory=dict)
    defaults: Mapping[tuple[ModuleType, str], object] = field(default_factory=dict)
    decides: tuple[str, ...] = ()
    """Questions and headings of the chapters that this reading also answers."""

    @property
    def name(self) -> str:
        """The name of the reading in the table."""
        return f"{self.rule}: {self.says}"

    def make(self) -> Adapter:
        """The broker that follows the reading."""
        changes = (Linker(self.replaced, self.defaults),) if self.replaced or self.defaults else ()
        made: Adapter = self.cls(*changes)
        return made

    @property
    def reference(self) -> type:
        """The reference, which follows the scored reading."""
        return next(each for each in REFERENCES if issubclass(self.cls, each))


REFERENCES = (
    *(
        AndesReference,
        artemis_read.SharesConnections,
        ArtemisReference,
        ArtemisCoreReference,
        ClassicReference,
        Classic4Reference,
    ),
    *(QpidReference, Qpid942Reference),
)

_Q, _P, _A, _C = QpidReference, Qpid942Reference, ArtemisReference, ArtemisCoreReference
_SMALLER_ADDRESS = replace(artemis.DEFAULT_LIMITS, max_size=10_000_000)

OTHER_READINGS: tuple[OtherReading, ...] = (
    OtherReading("QPID-QUEUE-2", "released as soon as the limit is no longer violated", _Q,
                 {qpid.underfull: qpid_read.underfull_at_the_capacity}, decides=("Where is a producer released?",)),
    OtherReading("QPID-QUEUE-6", "a queue's own levels go as a pair", _Q,
                 {qpid.effective_limits: qpid_read.limits_as_a_pair}),
    OtherReading("QPID-QUEUE-6", "limits are not inherited from the virtual host", _Q,
                 {qpid.effective_limits: qpid_read.own_limits_only}, decides=("From whom does a queue inherit?",)),
    OtherReading("QPID-QUEUE-8", "the crossing message is not stored", broken.RefusesTheCrossingMessage,
                 decides=("Is the crossing message stored?",)),
    OtherReading("QPID-QUEUE-8", "its sender is stopped by the next message", _Q,
                 {qpid.after_send: qpid_read.after_send_looked_at_before},
                 decides=("Is its sender stopped by it?",)),
    OtherReading("QPID-QUEUE-9", "a queue stops every producer, as a quota does", broken.StopsEverybody,
                 decides=("Who is stopped?",)),
    OtherReading("QPID-QUEUE-10", "a queue stays overfull until it is underfull",
                 qpid_read.StaysOverfullUntilUnderfull),
    OtherReading("QPID-QUEUE-13", "released when all are underfull at once", _Q,
                 {qpid.after_removal: qpid_read.after_removal_until_all_at_once},
                 decides=("After several queues?",)),
    OtherReading("QPID-QUEUE-11", "released by each queue by itself", broken.ReleasesWhenTheFirstCauseClears,
                 decides=("After several queues?",)),
    OtherReading("QPID-QUEUE-12", "N messages after the crossing one", _Q,
                 {qpid.after_send: qpid_read.after_send_looked_at_before}, decides=("How far past the limit?",)),
    OtherReading("QPID-DISK-1", "overfull once the limit is reached", _Q,
                 {qpid_disk.quota_gate: qpid_read.quota_gate_when_reached},
                 decides=("Overfull above or at the limit?",)),
    OtherReading("QPID-DISK-1", "messages that are not persistent count", qpid_read.StoresEveryMessageOnDisk),
    OtherReading("QPID-DISK-3", "a store stops who sends to it, as a queue does",
                 qpid_read.StopsOnlySendersOfAnOverfullStore, decides=("Who is stopped?",)),
    OtherReading("QPID-CLIENT-1", "a stopped send fails by default", qpid_read.FailsStoppedSendsAtOnce,
                 decides=("What does a stopped send do?",)),
    OtherReading("QPID-CLIENT-6", "nothing is left after a failure", qpid_read.EndsTheConnectionOfAFailedSend,
                 decides=("What is left after a send has failed?",)),
    OtherReading("QPID-CLIENT-11", "the two times are in seconds", qpid_read.TakesTimesForSeconds,
                 decides=("In which unit are the two properties?",)),
    OtherReading("QPID-OLD-1", "the connection of an old client may be closed",
                 qpid_read.ClosesTheConnectionOfOldClients),
    OtherReading("QPID-OLD-2", "the broker's end alone is enough", qpid_read.HoldsOldClientsBack,
                 decides=("Are both ends needed?",)),
    OtherReading("QPID-SEND-1", "a stopped send waits by default", _P,
                 {qpid942.wait_of: qpid_read.waits_unless_told_otherwise},
                 decides=("What does a stopped send do?",)),
    OtherReading("QPID-SEND-1", "a stopped send neither throws nor blocks", qpid_read.NeitherThrowsNorBlocks,
                 decides=("What may a stopped send do?",)),
    OtherReading("QPID-POLICY-2", "a message counts until it is delivered", qpid_read.CountsUntilDelivered,
                 decides=("Until when does a message count?",)),
    OtherReading("QPID-POLICY-3", "the point itself violates the policy", _P,
                 {qpid942.too_deep: qpid_read.too_deep_at_the_point}),
    OtherReading("QPID-POLICY-4", "the point itself violates the policy", _P,
                 {qpid942.too_many: qpid_read.too_many_at_the_point}),
    OtherReading("QPID-POLICY-4", "only bytes are limited", _P, {qpid942.too_many: qpid_read.too_many_never},
                 decides=("What is limited?",)),
    OtherReading("QPID-POLICY-5", "inherited level by level", _P,
                 {qpid942.policy_in_force: qpid942.policy_level_by_level}),
    OtherReading("QPID-POLICY-5", "nothing is inherited from the exchange", _P,
                 {qpid942.policy_in_force: qpid_read.no_policy_inherited},
                 decides=("From whom does a queue inherit?",)),
    OtherReading("GENERAL-5", "a wider policy lets go with the next delivery", _P,
                 {qpid942.with_policy: qpid_read.with_policy_from_the_next_delivery_on}),
    OtherReading("QPID-POLICY-7", "a policy that is removed lets go with the next delivery", _P,
                 {qpid942.with_policy: qpid_read.with_policy_from_the_next_delivery_on}),
    OtherReading("QPID-POLICY-8", "N messages on top of the crossing one", _P,
                 {qpid942.after_enqueueing: qpid_read.after_enqueueing_looked_at_before},
                 decides=("How many messages past the policy?",)),
    OtherReading("QPID-ORDER-3", "consumption ends an order", _P,
                 {qpid942.after_delivery: qpid_read.delivery_ends_an_order}),
    OtherReading("QPID-ORDER-3", "another policy ends an order", _P,
                 {qpid942.with_policy: qpid_read.another_policy_ends_an_order}),
    OtherReading("QPID-ORDER-2", "only the order is lifted", _P, {qpid942.after_start_all: qpid942.after_lifting},
                 decides=("Whom does a start release?",)),
    OtherReading("GENERAL-2", "a message of several queues is delivered once in all", qpid_read.DeliversOneCopyOnly),
    OtherReading("ARTEMIS-BLOCK-1", "full once the level is exceeded", _A,
                 {artemis.full: artemis_read.full_when_exceeded}, decides=("Full at or above the level?",)),
    OtherReading("ARTEMIS-BLOCK-2", "a MiB has a million bytes", _A,
                 defaults={(artemis, "DEFAULT_LIMITS"): _SMALLER_ADDRESS}),
    OtherReading("ARTEMIS-AMQP-1", "a rejected message costs nothing", broken.TakesNoCreditForRejectedMessages),
    OtherReading("ARTEMIS-AMQP-2", "the credits are a connection's", artemis_read.IssuesCreditToAClient),
    OtherReading("ARTEMIS-AMQP-4", "by the window", _A, {credit.refill: credit.refill_by_window},
                 decides=("How much credit is a refresh?",)),
    OtherReading("ARTEMIS-AMQP-4", "below the low mark", _A, {credit.at_low_mark: artemis_read.below_low_mark}),
    OtherReading("ARTEMIS-AMQP-8", "by the window", _A, {credit.refill: credit.refill_by_window}),
    OtherReading("ARTEMIS-AMQP-9", "the arriving message counts", artemis_read.CountsTheArrivingMessage),
    OtherReading("ARTEMIS-AMQP-9", "rejected at the maximum size", _A,
                 {artemis.rejecting: artemis_read.rejecting_at_the_maximum_size},
                 decides=("When are messages rejected?",)),
    OtherReading("ARTEMIS-CORE-3", "a whole window on top of what is left", _C,
                 {artemis_producer.asked_for: artemis_producer.asked_for_whole},
                 decides=("How much does a producer ask for?", "How much do Core producers ask for?")),
    OtherReading("ARTEMIS-CORE-3", "a producer asks for a window as soon as it has less than one", _C,
                 {artemis_producer.asked_for: artemis_read.asked_for_early}),
    OtherReading("ARTEMIS-CORE-5", "the new credit alone must fit", _C,
                 {artemis_producer.granted: artemis_read.granted_by_itself},
                 decides=("What must fit the address?",)),
    OtherReading("ARTEMIS-CORE-5", "even a single one is issued more than there is room for", _C,
                 {artemis_producer.granted: artemis_read.granted_more_than_there_is},
                 decides=("ARTEMIS-CORE-12", "Can a Core producer get more credit than there is room?")),
    OtherReading("ARTEMIS-CORE-6", "a producer may have almost two windows", _C,
                 {artemis_producer.asked_for: artemis_read.asked_for_early,
                  artemis_producer.granted: artemis_read.granted_by_itself},
                 decides=("How far past its size can Core producers take an address?",)),
    OtherReading("ARTEMIS-CONSUMER-1", "up to where the window is used up", _C,
                 {artemis_consumer.has_room: artemis_read.fits_below_window}),
    OtherReading("ARTEMIS-CONSUMER-6", "a message leaves the buffer when it is acknowledged",
                 artemis_read.LeavesTheBufferWhenAcknowledged),
    OtherReading("ARTEMIS-RATE-1", "even steps", artemis_read.ConsumersPassInSteps, decides=("In which second?",)),
    OtherReading("ARTEMIS-RATE-1", "the clock's second", artemis_read.ConsumersPassByTheClock,
                 decides=("In which second?",)),
    OtherReading("ARTEMIS-RATE-7", "even steps", artemis_read.ProducersPassInSteps, decides=("In which second?",)),
    OtherReading("ARTEMIS-RATE-7", "the clock's second", artemis_read.ProducersPassByTheClock,
                 decides=("In which second?",)),
    OtherReading("ARTEMIS-RATE-7", "the rate of what is consumed", artemis_read.CountsWhatIsConsumed,
                 decides=("What is a producer's rate a rate of?",)),
    OtherReading("CLASSIC-MEMORY-1", "full once the limit is exceeded", ClassicReference,
                 {classic.full: read.full_when_exceeded}, decides=("Full at or above the limit?",)),
    OtherReading("CLASSIC-MEMORY-6", "switched off by cursors alone", broken_classic.ControlsEveryDestination,
                 decides=("How is flow control switched off?",)),
    OtherReading("CLASSIC-FAIL-5", "the time wins", ClassicReference,
                 {classic.failed: classic.failed_by_timeout_first}),
    OtherReading("CLASSIC-FAIL-8", "another exception after a time", read.FailsAfterATimeWithAnotherException),
    OtherReading("CLASSIC-WINDOW-1", "a message goes as long as the window is not used up", ClassicReference,
                 {classic.may_transmit: classic.may_transmit_until_used_up}),
    OtherReading("CLASSIC-WINDOW-2", "asynchronous messages are not answered", broken_clients.KeepsWindowsClosed,
                 decides=("Which messages get a ProducerAck?",)),
    OtherReading("CLASSIC-WINDOW-4", "each producer adds a message less one byte to its window", ClassicReference,
                 {classic.may_transmit: classic.may_transmit_until_used_up}),
    OtherReading("CLASSIC-USAGE-1", "under the memory cursor nothing counts against the store", ClassicReference,
                 {classic_usage.takes_store: read.takes_store_unless_in_memory},
                 decides=("What do persistent messages count against?",)),
    OtherReading("CLASSIC-USAGE-2", "temporary messages are those on temporary destinations", ClassicReference,
                 {classic_usage.takes_temp: read.never_takes_temp}),
    OtherReading("CLASSIC-USAGE-5", "a mb has a million bytes", ClassicReference,
                 defaults={(classic_usage, "DEFAULT_MEMORY"): 64_000_000}),
    OtherReading("CLASSIC-CONNECTION-1", "the connections of consumers are suspended", read.SuspendsConsumers,
                 decides=("Whose connection does 4.x suspend?",)),
    OtherReading("ANDES-MEMORY-1", "of used memory", AndesReference,
                 {andes.closes: andes_readings.stops_by_used, andes.recovered: andes_readings.lets_go_by_used},
                 decides=("What is it a ratio of?",)),
    OtherReading("ANDES-MEMORY-2", "of used memory, by the letter", AndesReference,
                 {andes.closes: andes_readings.stops_by_used, andes.recovered: andes_readings.lets_go_by_more_used},
                 decides=("What is it a ratio of?",)),
    OtherReading("ANDES-MEMORY-1", "of what the process has taken so far", AndesReference,
                 {andes.closes: read.closes_by_free_of_half, andes.recovered: read.recovered_by_free_of_half},
                 decides=("What is it a ratio of?",)),
    OtherReading("ANDES-MEMORY-1", "of used memory, with the two figures exchanged", AndesReference,
                 {andes.closes: read.closes_past_the_larger_figure,
                  andes.recovered: read.recovered_below_the_smaller_figure}, decides=("What is it a ratio of?",)),
    OtherReading("ANDES-MEMORY-1", "reached is enough to stop", AndesReference,
                 {andes.closes: read.closes_when_reached}),
    OtherReading("ANDES-MEMORY-2", "reached is enough to let go", AndesReference,
                 {andes.recovered: read.recovered_when_reached}),
    OtherReading("ANDES-COUNT-3", "all messages that ever came count", AndesReference,
                 {andes.after_removal: read.every_message_counts}),
    OtherReading("ANDES-CLIENT-8", "notices begin once the timeout is over", AndesReference,
                 {wait.notice_due: read.notice_due_after_the_timeout}),
    OtherReading("ANDES-CLIENT-3", "the session may be active after a failure", read.KeepsTheConnectionOfAFailedSend,
                 decides=("What is left after a send has failed?",)),
)  # fmt: skip

LESS_THAN_A_SHOULD: tuple[OtherReading, ...] = (
    OtherReading("ARTEMIS-CONSUMER-1", "half of the window is filled", _C,
                 {artemis_consumer.has_room: artemis_read.fits_half_the_window}),
    OtherReading("ARTEMIS-CONSUMER-6", "room is given back by halves", _C,
                 {artemis_consumer.after_handing_out: artemis_read.given_back_by_halves}),
    OtherReading("ARTEMIS-CONSUMER-8", "messages go to the first with room", _C,
                 {artemis_consumer.is_next: artemis_read.is_any_with_room}),
    OtherReading("ARTEMIS-CORE-3", "a producer asks for what it needs", _C,
                 {artemis_producer.asked_for: artemis_read.asked_for_what_is_needed}),
    OtherReading("QPID-CLIENT-9", "one more warning with the failure", _Q,
                 {wait.notice_due: read.notice_due_with_the_failure}),
    OtherReading("ANDES-CLIENT-7", "one more notice with the failure", AndesReference,
                 {wait.notice_due: read.notice_due_with_the_failure}),
)  # fmt: skip
"""Brokers that do less, or more, than a rule asks that says SHOULD."""

NOT_TOLD: Mapping[str, str] = {
    "What must happen for a release?": "nothing is chosen: when a delivered message leaves is the broker's to report",
    "Is the overfull limit a bound?": "QPID-DISK-5 allows both",
    "Can an address exceed `max-size-bytes`?": "ARTEMIS-AMQP-7 allows both, and ARTEMIS-AMQP-8 bounds it",
    "Does a rate of 0 hold messages back?": "ARTEMIS-RATE-11 allows both",
    "ARTEMIS-RATE-11": "it allows both",
    "Is a deadlock allowed?": "CLASSIC-CONNECTION-2 allows both",
    "Where does flow control apply?": "an address with one queue, as adapters have, is the same thing as its queue",
    "CLASSIC-SEND-3": "a producer of the contract has one of the two settings, so none has both",
    "ARTEMIS-AMQP-10": "it says where the value comes from, and not what words mean",
    "Clients of the Qpid Java broker that wait": "nothing is scored on the period",
    "QPID-LOG-1": "either number of lines is kept, and the wording has no other reading",
    "QPID-LOG-2": "either number of lines is kept, and the first has no other reading",
    "QPID-LOG-4": "a line for a channel that is closed is kept, and none as well",
}
"""The statements of chapters about readings that no check can tell apart, with the reasons."""


AGAINST: Mapping[str, tuple[str, str]] = {
    "QPID-QUEUE-6: limits are not inherited from the virtual host": ("a default for all queues", "QPID-QUEUE-14"),
    "QPID-POLICY-4: only bytes are limited": ("the plan names counts too", "QPID-POLICY-1 QPID-POLICY-5"),
    "QPID-POLICY-8: N messages on top of the crossing one": (
        "the plan checks after it has enqueued a message, so the crossing one stops its sender",
        "QPID-POLICY-1 QPID-POLICY-5 QPID-POLICY-6 QPID-SEND-1 QPID-SEND-2",
    ),
    "GENERAL-2: a message of several queues is delivered once in all": ("each queue holds it", "QPID-QUEUE-11"),
    "ARTEMIS-AMQP-4: below the low mark": (
        "credit is refreshed when it reaches 30",
        "ARTEMIS-AMQP-3 ARTEMIS-AMQP-5 ARTEMIS-AMQP-6 ARTEMIS-BLOCK-1",
    ),
    "ARTEMIS-CORE-5: even a single one is issued more than there is room for": (
        "a producer is never sent more credit than there is room for",
        "ARTEMIS-CORE-1 ARTEMIS-CORE-12",
    ),
    "ARTEMIS-CORE-6: a producer may have almost two windows": (
        "a check sees only all the credit that a producer has, not each grant",
        "ARTEMIS-CORE-1 ARTEMIS-CORE-12",
    ),
    "ARTEMIS-CONSUMER-1: up to where the window is used up": ("the window is a maximum", "ARTEMIS-CONSUMER-11"),
    "ARTEMIS-RATE-7: the clock's second": ("a producer is never faster than its rate", "ARTEMIS-RATE-13"),
    "ARTEMIS-RATE-7: the rate of what is consumed": ("the rate is one of sending", "ARTEMIS-RATE-13"),
    "CLASSIC-WINDOW-4: each producer adds a message less one byte to its window": (
        "the window is a maximum",
        "CLASSIC-WINDOW-1",
    ),
    "ANDES-MEMORY-2: of used memory, by the letter": (
        "publishers are released once the memory has recovered",
        "ANDES-CLIENT-1 ANDES-MEMORY-6",
    ),
    "ANDES-CLIENT-8: notices begin once the timeout is over": (
        "no client would ever write a notice, and the default period would show nowhere",
        "ANDES-CLIENT-5",
    ),
}
"""The readings of a SHOULD that contradict a MUST, each with what the document says and the rules that say it."""


def musts_violated(reading: OtherReading) -> frozenset[str]:
    """The rules that say MUST and that a broker with this reading violates."""
    musts = tuple(rule.id for rule in catalogue().values() if rule.level is Level.MUST)
    try:
        with tempfile.TemporaryDirectory() as folder:
            run = run_suite(
                {"it": reading.make}, needs_of, Path(folder), selection=Selection(rules=musts, kinds=JUDGED)
            )
    except BadInput:
        return frozenset()  # it claims no rule that says MUST
    if run.errors:
        raise AssertionError(run.errors)
    checks = run.subjects[0].checks
    return frozenset(musts) & {rule for each in checks if each.result is CheckResult.VIOLATED for rule in each.rules}


def told_apart(readings: Iterable[OtherReading]) -> dict[str, list[str]]:
    """For each reading, the checks of its rule that it violates and the scored reading keeps."""
    asked = list(readings)
    violated = _results({one.name: (one.make, (one.rule,)) for one in asked}, CheckResult.VIOLATED)
    rules = {cls: tuple({one.rule for one in asked if one.reference is cls}) for cls in REFERENCES}
    kept = _results({cls.__name__: (cls, rules[cls]) for cls in REFERENCES if rules[cls]}, CheckResult.KEPT)
    return {
        one.name: sorted((violated[one.name] & kept[one.reference.__name__]), key=lambda check: (len(check), check))
        for one in asked
    }


def _results(
    asked: Mapping[str, tuple[Callable[[], Adapter], Sequence[str]]], wanted: CheckResult
) -> dict[str, set[str]]:
    """For each broker, the checks of its asked rules that ended with this result."""
    factories = {f"broker {number}": partial(_asked, *each) for number, each in enumerate(asked.values())}
    everything = tuple({rule for _, rules in asked.values() for rule in rules})
    with tempfile.TemporaryDirectory() as folder:
        conformance = run_suite(
            factories,
            lambda rule: needs_of(rule) | {_question(rule)},
            Path(folder),
            selection=Selection(rules=everything, kinds=KINDS),
            judge_traces=False,
        )
    if conformance.errors:
        raise AssertionError(conformance.errors)
    return {
        name: {
            check.check for check in subject.checks if check.result is wanted and set(check.rules) & set(asked[name][1])
        }
        for name, subject in zip(asked, conformance.subjects, strict=True)
    }


def _asked(make: Callable[[], Adapter], rules: Sequence[str]) -> Adapter:
    adapter = make()
    adapter.capabilities |= {_question(rule) for rule in rules}
    return adapter


def _question(rule: str) -> str:
    return f"is-asked-{rule}"


def main() -> None:
    """Write the table of the checks that tell readings apart."""
    found = told_apart(OTHER_READINGS)
    TABLE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name in (name for name, checks in found.items() if not checks):
        print(f"no check tells it apart: {name}", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
