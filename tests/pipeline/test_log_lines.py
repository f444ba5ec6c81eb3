"""A line of a broker's log is an event, about something else, or put aside with the field that is wrong."""

from typing import Any

import pytest

from tidegate.pipeline.forms.artemis import FORM as ARTEMIS_LOG
from tidegate.pipeline.forms.qpid import FORM as QPID_LOG
from tidegate.pipeline.lines.careful import CarefulReader
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.record.events import Event, Kind

TIME = "2026-01-31 23:59:59,123"
MS = 1_769_903_999_123
QUEUE = "[vh(/test)/qu(MyQueue)] [vh(/test)/qu(MyQueue)]"
CHANNEL = "con:2(guest@anonymous(713889609)/test)/ch:1"
BOTH = f"[{CHANNEL}] [{CHANNEL}]"
FIGURES = (
    "size=10000 bytes (10 messages); maxSize=10000 bytes (-1 messages); "
    "globalSize=4297205 bytes (2615 messages); globalMaxSize=259489792 bytes (-1 messages);"
)
BLOCKING = f"{TIME} WARN  [o.a.a.a.core.server] AMQ222183: Blocking message production on address 'orders'; {FIGURES}"


CONNECTION = "con:2(guest@anonymous(713889609)/test)"
OF_CHANNEL = {"channel": CHANNEL, "connection": CONNECTION}
OTHER_CONNECTION = "con:1,243(a@/127.0.0.1:5/test)"
SESSION = "con:2(a@/127.0.0.1:5/test)/ch:0:a8cd1773-673d-4851-a171-558ed554e51f"
FULL = "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
OF_FULL = {"destination": "test/MyQueue", "bytes": 1200, "limit": 1000}
STOPPED = "CHN-1005 : Flow Control Enforced (Queue MyQueue)"
STORE = "[vh(/test)/ms(DerbyMessageStore)]"


@pytest.mark.parametrize(
    ("line", "kind", "cause", "fields"),
    [
        (f"MESSAGE {QUEUE} {FULL}\n", Kind.OVERFULL, "QUE-1003", OF_FULL),
        (f"INFO [IO Pool] (q.m.q.overfull) - [{CHANNEL}] [vh(/test)/qu(MyQueue)] {FULL}",
         Kind.OVERFULL, "QUE-1003", {**OF_FULL, **OF_CHANNEL}),
        (f"INFO [IoReceiver] [con:1(guest@/test)] {QUEUE} "
         "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800\r\n",
         Kind.UNDERFULL, "QUE-1004", {"destination": "test/MyQueue", "bytes": 600, "resume": 800}),
        (f"MESSAGE {BOTH} {STOPPED}", Kind.STOP, "CHN-1005", {"destination": "test/MyQueue", **OF_CHANNEL}),
        (f"MESSAGE [con:1(a@/[0:0:0:0:0:0:0:1]:5/test)/ch:9] [{CHANNEL}] CHN-1006 : Flow Control Removed",
         Kind.RELEASE, "CHN-1006", OF_CHANNEL),
        (f"INFO [{OTHER_CONNECTION}/ch:1] [{OTHER_CONNECTION}/ch:1] CHN-1006 : Flow Control Removed",
         Kind.RELEASE, "CHN-1006", {"channel": f"{OTHER_CONNECTION}/ch:1", "connection": OTHER_CONNECTION}),
        ("INFO [IoReceiver] (q.overfull) - [vh(/test)/qu(a] [b)] QUE-1003 : Overfull : Size : 2 bytes, Capacity : 1",
         Kind.OVERFULL, "QUE-1003", {"destination": "test/a] [b", "bytes": 2, "limit": 1}),
        (f"INFO [{SESSION}] {STOPPED}", Kind.STOP, "CHN-1005",
         {"destination": "test/MyQueue", "channel": SESSION, "connection": SESSION.partition("/ch")[0]}),
        (f"INFO {BOTH} CHN-1005 : Flow Control Enforced (Queue ** All Queues **)",
         Kind.STOP, "CHN-1005 by store", {"destination": "test", **OF_CHANNEL}),
        (f"INFO [Broker] {STORE} MST-1008 : Store overfull, flow control will be enforced",
         Kind.OVERFULL, "MST-1008", {"destination": "test"}),
        (f"INFO {STORE} MST-1009 : Store overfull condition cleared",
         Kind.UNDERFULL, "MST-1009", {"destination": "test"}),
        (f"INFO [IO Pool] [{CHANNEL}] CHN-1001 : Create", Kind.OPEN, "CHN-1001", OF_CHANNEL),
        (f"INFO [IO Pool] [{CHANNEL}] CHN-1003 : Close", Kind.CLOSE, "CHN-1003", OF_CHANNEL),
        (f"INFO {BOTH} CHN-1003 : Close : 404 - No such queue", Kind.CLOSE, "CHN-1003", OF_CHANNEL),
        (f"INFO [Broker] {STORE} MST-1004 : Recovery Start", Kind.START, "MST-1004", {"destination": "test"}),
    ],
    ids=["QUE-1003", "QUE-1003 by a channel", "QUE-1004", "CHN-1005", "CHN-1006 caused by another channel", "past 999",
         "one bracket", "a session",
         "by the store", "MST-1008", "MST-1009", "CHN-1001", "CHN-1003", "CHN-1003 with a reason", "MST-1004"],
)  # fmt: skip
def test_each_message_that_tells_who_is_stopped_is_an_event(
    line: str, kind: Kind, cause: str, fields: dict[str, Any]
) -> None:
    expected = Event(source="log", seq=7, time=MS, kind=kind, cause=cause, **fields)
    assert CarefulReader(QPID_LOG).read(f"{TIME} {line}", "log", 7) == expected


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (f"{TIME} MESSAGE {QUEUE} QUE-1003 : Overfull : Size : 1.20 bytes, Capacity : 1.000", "size"),
        (f"MESSAGE {QUEUE} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000", "time"),
        (f"2026-13-31 23:59:59,123 {QUEUE} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000", "time"),
        (f"1969-12-31 23:59:59,999 {QUEUE} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000", "time"),
        (f"{TIME} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000", "destination"),
        (f"{TIME} MESSAGE {BOTH} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000", "destination"),
        (f"{TIME} MESSAGE {QUEUE} CHN-1006 : Flow Control Removed", "channel"),
        (f"{TIME} MESSAGE {BOTH} CHN-1005 : Flow Control Enforced", None),
        (f"{TIME} MESSAGE {QUEUE} MST-1008 : Store overfull, flow control will be enforced", "destination"),
        (f"{TIME} MESSAGE [vh(/test)/ms(S)] MST-1009 : Store overfull condition", None),
    ],
)
def test_a_line_that_looks_relevant_and_is_not_in_its_form_names_the_field(line: str, field: str | None) -> None:
    said = CarefulReader(QPID_LOG).read(line, "log", 7)
    assert isinstance(said, Unparsed)
    assert said.field == field


def test_a_line_about_something_else_is_ignored() -> None:
    assert CarefulReader(QPID_LOG).read(f"{TIME} [con:1(guest@/test)] CON-1001 : Open", "log", 1) is None
    assert CarefulReader(QPID_LOG).read("\tat java.lang.Thread.run(Thread.java:840)", "log", 1) is None
    assert CarefulReader(ARTEMIS_LOG).read(f"{TIME} INFO [x] AMQ221007: Server is now active", "log", 1) is None


@pytest.mark.parametrize("words", ["live Message Broker", "Primary message broker"])
def test_a_broker_that_starts_is_an_event(words: str) -> None:
    line = f"{TIME} INFO [x] AMQ221000: {words} is starting with configuration Broker Configuration (clustered=false)"
    started = Event(source="log", seq=1, time=MS, kind=Kind.START, cause="AMQ221000")
    assert CarefulReader(ARTEMIS_LOG).read(line, "log", 1) == started


def test_an_address_that_is_blocked_is_an_event() -> None:
    assert CarefulReader(ARTEMIS_LOG).read(BLOCKING, "log", 3) == Event(
        source="log", seq=3, time=MS, kind=Kind.OVERFULL, destination="orders", bytes=10000, messages=10, limit=10000,
        cause="size",
    )  # fmt: skip


def test_an_address_that_is_unblocked_is_an_event() -> None:
    line = BLOCKING.replace("AMQ222183: Blocking", "AMQ221046: Unblocking").replace("size=10000", "size=9072")
    said = CarefulReader(ARTEMIS_LOG).read(line, "log", 3)
    assert isinstance(said, Event)
    assert (said.kind, said.bytes, said.limit) == (Kind.UNDERFULL, 9072, 10000)


@pytest.mark.parametrize(
    ("figures", "cause"),
    [
        (FIGURES, "size"),
        (FIGURES.replace("globalSize=4297205", "globalSize=259489792"), "global-size"),
        (FIGURES.replace("10000 bytes (-1", "10000 bytes (10"), "messages"),
        (FIGURES.replace("10000 bytes (-1", "10000 bytes (11"), "size"),
    ],
)
def test_the_cause_is_the_limit_that_the_figures_of_the_line_have_reached(figures: str, cause: str) -> None:
    said = CarefulReader(ARTEMIS_LOG).read(BLOCKING.replace(FIGURES, figures), "log", 3)
    assert isinstance(said, Event)
    assert said.cause == cause


OLD = "size is currently: {} bytes; max-size-bytes"
OLD_BLOCKING = (
    f"AMQ222183: Blocking message production on address 'orders'; {OLD} on address: {{}}, global-max-size is {{}}"
)


ORDERS: dict[str, Any] = {"destination": "orders"}
AT_LIMIT = {**ORDERS, "bytes": 10000, "messages": 10, "limit": 10000}


@pytest.mark.parametrize(
    ("text", "kind", "cause", "fields"),
    [
        (OLD_BLOCKING.format("12,400", "10,000", "12,400"),
         Kind.OVERFULL, "size", {**ORDERS, "bytes": 12400, "limit": 10000}),
        (OLD_BLOCKING.format("9.999", "10.000", "9.999"),
         Kind.OVERFULL, "global-size", {**ORDERS, "bytes": 9999, "limit": 10000}),
        (OLD_BLOCKING.format("10\u202f000", "10\u202f000", "10\u202f000"),
         Kind.OVERFULL, "size", {**ORDERS, "bytes": 10000, "limit": 10000}),
        (OLD_BLOCKING.format("5", "-1", "5"), Kind.OVERFULL, "global-size", {**ORDERS, "bytes": 5, "limit": -1}),
        (f"AMQ221046: Unblocking message production on address 'orders'; {OLD.format('9,920')}: 10,000",
         Kind.UNDERFULL, "size", {**ORDERS, "bytes": 9920, "limit": 10000}),
        (f"AMQ222038: Starting paging on address 'orders'; {FIGURES}", Kind.OVERFULL, "paging", AT_LIMIT),
        (f"AMQ224108: Stopped paging on address 'orders'; {OLD.format('0')}: 20 000; global-size-bytes: 0",
         Kind.UNDERFULL, "paging", {**ORDERS, "bytes": 0, "limit": 20000}),
        (f"AMQ222039: Messages sent to address 'orders' are being dropped; {FIGURES}",
         Kind.LEVEL, "dropping", AT_LIMIT),
        ("AMQ222210: Storage usage is beyond max-disk-usage. System will start blocking producers.",
         Kind.OVERFULL, "disk", {}),
        ("AMQ222211: Free storage space is at 80,8GB of 270,6GB total. Usage rate is 70,1% which is below the "
         "configured <max-disk-usage>. System will unblock producers.", Kind.UNDERFULL, "disk", {}),
        ("AMQ222212: Disk Full! Blocking message production on address 'orders'. Clients will report blocked.",
         Kind.OVERFULL, "disk", ORDERS),
        ("AMQ224114: Address control block, blocking message production on address 'orders'. "
         "Clients will not get further credit.", Kind.OVERFULL, "management", ORDERS),
        ("AMQ224115: Address control unblock of address 'orders'. Clients will be granted credit as normal.",
         Kind.UNDERFULL, "management", ORDERS),
    ],
    ids=["222183", "222183 below its own limit", "222183 in French", "222183 without a limit", "221046", "222038",
         "224108", "222039", "222210", "222211", "222212", "224114", "224115"],
)  # fmt: skip
def test_each_line_of_artemis_about_a_full_address_is_an_event(
    text: str, kind: Kind, cause: str, fields: dict[str, Any]
) -> None:
    said = CarefulReader(ARTEMIS_LOG).read(f"{TIME} WARN  [o.a.a.a.core.server] {text}", "log", 3)
    assert said == Event(source="log", seq=3, time=MS, kind=kind, cause=cause, **fields)


def test_grouped_figures_of_an_artemis_line_name_the_field() -> None:
    said = CarefulReader(ARTEMIS_LOG).read(BLOCKING.replace("size=10000 ", "size=10.000 "), "log", 3)
    assert said == Unparsed("expected a number of digits only, not '10.000'", "size")


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2026-01-31 23:59:59,123", MS),
        ("2026-01-31T23:59:59.123Z", MS),
        ("2026-02-01T00:59:59.123+0100", MS),
        ("2026-01-31T22:59:59.123-01:00", MS),
        ("1970-01-01 00:00:00,000", 0),
    ],
)
def test_a_time_without_a_zone_is_utc(time: str, expected: int) -> None:
    said = CarefulReader(ARTEMIS_LOG).read(BLOCKING.replace(TIME, time), "log", 3)
    assert isinstance(said, Event)
    assert said.time == expected
