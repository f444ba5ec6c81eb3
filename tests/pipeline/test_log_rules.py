"""What a broker's log must show: logs that agree with themselves are kept, and each way not to is told apart."""

import pytest

from tests.pipeline.cut import all_completed
from tests.pipeline.real_logs import read
from tidegate.model.language.judge import Judge
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.lines.careful import CarefulReader
from tidegate.record.events import Event

QUEUE = "2026-01-31 23:59:59,123 MESSAGE [vh(/test)/qu({0})] [vh(/test)/qu({0})] "
CHANNEL = "2026-01-31 23:59:59,123 MESSAGE [con:1(guest@{0}/test)/ch:1] [con:1(guest@{0}/test)/ch:1] "
OVERFULL = QUEUE.format("q") + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
FILLED = CHANNEL.format("a").partition("] ")[0] + "] [vh(/test)/qu(q)] " + OVERFULL.rpartition("] ")[2]
"""The same, with the channel whose message made the queue overfull."""
OF_MESSAGES = ", Messages : {}, Message Capacity : {}"
UNDERFULL = QUEUE.format("q") + "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"
STOPPED = CHANNEL.format("a") + "CHN-1005 : Flow Control Enforced (Queue q)"
RELEASED = CHANNEL.format("a") + "CHN-1006 : Flow Control Removed"
STOPPED_B = STOPPED.replace("guest@a", "guest@b")
RELEASED_B = RELEASED.replace("guest@a", "guest@b")
CLOSED_LATER = CHANNEL.format("a").replace("2026-01-31 23:59:59,123", "2026-02-01 00:00:00,123") + "CHN-1003 : Close"
CREATED = CHANNEL.format("a") + "CHN-1001 : Create"
CREATED_LATER = CREATED.replace("2026-01-31 23:59:59,123", "2026-02-01 00:00:01,123")
STOPPED_LATER = STOPPED.replace("2026-01-31 23:59:59,123", "2026-02-01 00:00:01,123")
OTHER_OVERFULL = OVERFULL.replace("qu(q)", "qu(other)")
STOPPED_BY_OTHER = STOPPED.replace("Queue q", "Queue other")
STOPPED_BY_STORE = STOPPED.replace("Queue q", "Queue ** All Queues **")
STORE_OVERFULL = (
    QUEUE.format("q").replace("qu(q)", "ms(S)") + "MST-1008 : Store overfull, flow control will be enforced"
)
STORE_CLEARED = QUEUE.format("q").replace("qu(q)", "ms(S)") + "MST-1009 : Store overfull condition cleared"
STORE_OPENED = QUEUE.format("q").replace("qu(q)", "ms(S)") + "MST-1004 : Recovery Start"
BROKER_STARTED = "2026-01-31 23:59:59,123 MESSAGE [Broker] BRK-1001 : Startup : Version: 10.1.0 Build: 1"
BROKER_STOPPED = "2026-01-31 23:59:59,123 MESSAGE [Broker] BRK-1005 : Stopped"
OTHER_STORE_OPENED = STORE_OPENED.replace("vh(/test)", "vh(/production)")
OTHER_STORE_CLEARED = STORE_CLEARED.replace("vh(/test)", "vh(/production)")
OTHER_HOST = OVERFULL.replace("vh(/test)", "vh(/production)")
FIGURES = (
    "on address 'orders'; size={} bytes (10 messages); maxSize=10000 bytes (-1 messages); "
    "globalSize=4297205 bytes (2615 messages); globalMaxSize=259489792 bytes (-1 messages);"
)
BLOCKED = "2026-01-31 23:59:59,123 WARN [x] AMQ222183: Blocking message production " + FIGURES.format(10000)
UNBLOCKED = "2026-01-31 23:59:59,123 INFO [x] AMQ221046: Unblocking message production " + FIGURES.format(9999)

DISK_FULL = (
    "2026-01-31 23:59:59,123 WARN [x] AMQ222212: Disk Full! Blocking message production on address 'orders'. "
    "Clients will report blocked."
)
HELD = (
    "2026-01-31 23:59:59,123 INFO [x] AMQ224114: Address control block, blocking message production on address "
    "'orders'. Clients will not get further credit."
)
LET_GO = (
    "2026-01-31 23:59:59,123 INFO [x] AMQ224115: Address control unblock of address 'orders'. "
    "Clients will be granted credit as normal."
)
STARTED = "2026-01-31 23:59:59,123 INFO [x] AMQ221000: live Message Broker is starting with configuration some"
PAGES = BLOCKED.replace("AMQ222183: Blocking message production", "AMQ222038: Starting paging")
PAGES_NO_MORE = UNBLOCKED.replace("AMQ221046: Unblocking message production", "AMQ224108: Stopped paging")

Verdicts = list[tuple[str, int, bool]]


def judged(form: str, lines: list[str]) -> Verdicts:
    """(rule id, number of the line, whether it holds) for everything that is judged."""
    reader = CarefulReader(LOG_FORMS[form])
    events = [reader.read(line, "log", number) for number, line in enumerate(lines, start=1)]
    assert all(isinstance(event, Event) for event in events)
    judge, read = Judge(rules_of(form)), [event for event in events if isinstance(event, Event)]
    judgements = [each for event in all_completed(read) for each in judge.judge(event)]
    return [(each.rule.rule_id, each.event.seq, each.holds) for each in judgements]


def violations(form: str, lines: list[str]) -> list[tuple[str, int]]:
    return [(rule, line) for rule, line, holds in judged(form, lines) if not holds]


def test_a_whole_episode_is_kept_by_every_rule_of_the_log() -> None:
    lines = [BROKER_STARTED, FILLED, STOPPED, STOPPED_B, UNDERFULL, RELEASED, RELEASED_B]
    of_lines, of_queue = {f"QPID-LOG-{n}" for n in (1, 2, 3, 4)}, {"QPID-QUEUE-2", "QPID-QUEUE-8"}
    assert {rule for rule, _, _ in judged("qpid log", lines)} == of_lines | of_queue
    assert violations("qpid log", lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        [STOPPED, UNDERFULL, RELEASED],
        [BROKER_STARTED, STOPPED, RELEASED],
        [BROKER_STARTED, FILLED, STOPPED_BY_STORE, UNDERFULL, RELEASED],
        [BROKER_STARTED, FILLED, STOPPED, UNDERFULL, BROKER_STARTED, FILLED, STOPPED_B, UNDERFULL],
        [STORE_OPENED, RELEASED],
        [CREATED, OVERFULL, CLOSED_LATER, CREATED_LATER, STOPPED_LATER],
        [OVERFULL, CLOSED_LATER, STOPPED_LATER],
        [OVERFULL.replace("1,000", "-1") + OF_MESSAGES.format(1, 0)],
        [BROKER_STARTED, FILLED, STOPPED, STOPPED_B, UNDERFULL, RELEASED, RELEASED_B],
    ],
    ids=["begins between", "nothing about queues", "stopped by the store", "started anew", "one host started",
         "closed, opened again and stopped", "closed, perhaps opened again, and stopped",
         "no message allowed", "the next sender is stopped too"],
)  # fmt: skip
def test_what_a_log_cannot_tell_is_not_held_against_it(lines: list[str]) -> None:
    assert violations("qpid log", lines) == []


def test_the_lines_of_a_real_store_past_its_quota_take_turns() -> None:
    outcomes = read("qpid-store/derby-10.1.0.log").outcomes()
    assert {rule for rule, holds in outcomes if holds} >= {"QPID-DISK-8"}
    assert [rule for rule, holds in outcomes if not holds] == []


@pytest.mark.parametrize(
    ("log", "blocked", "unblocked", "not_unblocked"),
    [
        ("artemis-2.6.4.log", 2, 2, 1),
        ("artemis-2.20.0-fr.log", 1, 3, 0),
        ("artemis-2.31.2.log", 1, 3, 0),
        ("artemis-2.44.0-de.log", 2, 4, 1),
        ("artemis-2.50.0.log", 1, 6, 0),
    ],
)
def test_artemis_unblocks_an_address_that_is_full_now_and_then(
    log: str, blocked: int, unblocked: int, not_unblocked: int
) -> None:
    outcomes = read(log).outcomes()
    assert outcomes.get(("ARTEMIS-BLOCK-1", True), 0) == blocked
    assert outcomes.get(("ARTEMIS-AMQP-6", True), 0) == unblocked
    assert outcomes.get(("ARTEMIS-AMQP-6", False), 0) == not_unblocked


def test_the_first_release_of_a_log_says_nothing_about_its_stop() -> None:
    assert judged("qpid log", [RELEASED]) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([OVERFULL.replace("1,200", "1,000")], [("QPID-LOG-1", 1)]),
        ([OVERFULL, UNDERFULL.replace("600", "800")], [("QPID-LOG-3", 2)]),
        ([OVERFULL, UNDERFULL, STOPPED], [("QPID-LOG-2", 3)]),
        ([OVERFULL, UNDERFULL, OTHER_HOST, STOPPED], [("QPID-LOG-2", 4)]),
        ([OVERFULL, STOPPED, UNDERFULL, RELEASED, RELEASED], [("QPID-LOG-4", 5)]),
        ([OVERFULL, STOPPED, OTHER_OVERFULL, STOPPED_BY_OTHER, UNDERFULL, RELEASED], [("QPID-QUEUE-2", 6)]),
        ([RELEASED, FILLED, UNDERFULL], [("QPID-QUEUE-8", 3)]),
        ([BROKER_STARTED, OVERFULL, STOPPED, UNDERFULL, CLOSED_LATER], [("QPID-QUEUE-11", 5)]),
        ([BROKER_STOPPED, BROKER_STARTED, OVERFULL, STOPPED, UNDERFULL, CLOSED_LATER], [("QPID-QUEUE-11", 6)]),
        ([STORE_OVERFULL, OTHER_STORE_CLEARED, STORE_OVERFULL], [("QPID-DISK-8", 3)]),
        ([STORE_OVERFULL, OTHER_STORE_OPENED, STORE_OVERFULL], [("QPID-DISK-8", 3)]),
        ([STORE_OVERFULL, STORE_CLEARED, STORE_CLEARED], [("QPID-DISK-9", 3)]),
        ([BROKER_STARTED, UNDERFULL], [("QPID-LOG-3", 2)]),
        ([BROKER_STARTED, STORE_CLEARED], [("QPID-DISK-9", 2)]),
        ([STOPPED, BROKER_STARTED, RELEASED], [("QPID-LOG-4", 3)]),
        ([RELEASED_B, BROKER_STARTED, OTHER_OVERFULL, STOPPED], [("QPID-LOG-2", 4)]),
        ([BROKER_STARTED, FILLED, STOPPED_B, UNDERFULL, RELEASED_B], [("QPID-QUEUE-8", 4)]),
        ([CREATED, OVERFULL, CLOSED_LATER, STOPPED_LATER], [("QPID-LOG-2", 4)]),
        ([OVERFULL.replace("1,000", "-1")], [("QPID-LOG-1", 1)]),
        ([OVERFULL.replace("1,000", "-1") + OF_MESSAGES.format(3, 3)], [("QPID-LOG-1", 1)]),
    ],
    ids=["not above capacity", "not below resume", "stopped by an underfull queue", "the other host's queue",
         "released twice", "released by one of two queues", "nobody stopped", "closed a second later, not released",
         "closed a second later, after the last line of a run",
         "the other store cleared", "the other store opened again", "a store cleared twice",
         "room at a queue that never was overfull", "a store cleared that never was overfull",
         "released after a start, stopped before", "stopped after a start by a queue that never was overfull",
         "stopped another channel than the one that filled the queue", "closed and stopped a second later",
         "full without a capacity",
         "full without a capacity, and not past its limit in messages"],
)  # fmt: skip
def test_lines_of_qpid_that_disagree_are_violations(lines: list[str], expected: list[tuple[str, int]]) -> None:
    assert violations("qpid log", lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([BLOCKED, UNBLOCKED, BLOCKED, UNBLOCKED], []),
        ([BLOCKED.replace("size=10000", "size=9999")], [("ARTEMIS-BLOCK-1", 1)]),
        ([BLOCKED.replace("size=10000", "size=9999").replace("globalSize=4297205", "globalSize=259489792")], []),
        ([BLOCKED, UNBLOCKED, UNBLOCKED], [("ARTEMIS-AMQP-6", 3)]),
        ([STARTED, BLOCKED, UNBLOCKED, UNBLOCKED.replace("size=", "size=1")], [("ARTEMIS-AMQP-6", 4)]),
        ([BLOCKED, HELD, LET_GO, UNBLOCKED], []),
        ([BLOCKED, PAGES, PAGES_NO_MORE, UNBLOCKED], []),
        ([STARTED, UNBLOCKED], [("ARTEMIS-AMQP-6", 2)]),
        ([STARTED, DISK_FULL, UNBLOCKED], []),
        ([BLOCKED, STARTED, UNBLOCKED], [("ARTEMIS-AMQP-6", 3)]),
    ],
    ids=["two episodes", "blocked below", "blocked by all addresses", "unblocked twice", "the second time while full",
         "by management as well",
         "paging as well", "unblocked, never blocked", "unblocked, blocked by the disk",
         "unblocked after a start, blocked before"],
)  # fmt: skip
def test_lines_of_artemis_that_disagree_are_violations(lines: list[str], expected: list[tuple[str, int]]) -> None:
    assert violations("artemis log", lines) == expected
