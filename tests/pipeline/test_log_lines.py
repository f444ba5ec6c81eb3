"""A line of a broker's log is an event, about something else, or put aside with the field that is wrong."""

import pytest

from headgate.pipeline.ingest.artemis_log import ARTEMIS_LOG
from headgate.pipeline.ingest.careful import read_line
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.qpid_log import QPID_LOG
from headgate.record.events import Event, Kind

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


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (
            f"{TIME} MESSAGE {QUEUE} QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000\n",
            Event(source="log", seq=7, time=MS, kind=Kind.OVERFULL, destination="test/MyQueue", bytes=1200,
                  limit=1000, cause="QUE-1003"),
        ),
        (
            f"{TIME} INFO [IoReceiver] [con:1(guest@/test)] {QUEUE} "
            "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800\r\n",
            Event(source="log", seq=7, time=MS, kind=Kind.UNDERFULL, destination="test/MyQueue", bytes=600,
                  resume=800, cause="QUE-1004"),
        ),
        (
            f"{TIME} MESSAGE {BOTH} CHN-1005 : Flow Control Enforced (Queue MyQueue)",
            Event(source="log", seq=7, time=MS, kind=Kind.STOP, destination="test/MyQueue", channel=CHANNEL,
                  connection="con:2(guest@anonymous(713889609)/test)", cause="CHN-1005"),
        ),
        (
            f"{TIME} MESSAGE [con:1(a@/[0:0:0:0:0:0:0:1]:5/test)/ch:9] {BOTH[len(CHANNEL) + 3:]} "
            "CHN-1006 : Flow Control Removed",
            Event(source="log", seq=7, time=MS, kind=Kind.RELEASE, channel=CHANNEL,
                  connection="con:2(guest@anonymous(713889609)/test)", cause="CHN-1006"),
        ),
    ],
    ids=["QUE-1003", "QUE-1004", "CHN-1005", "CHN-1006 caused by another channel"],
)  # fmt: skip
def test_each_message_of_the_queue_gate_is_an_event(line: str, event: Event) -> None:
    assert read_line(QPID_LOG, line, "log", 7) == event


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
    ],
)
def test_a_line_that_looks_relevant_and_is_not_in_its_form_names_the_field(line: str, field: str | None) -> None:
    said = read_line(QPID_LOG, line, "log", 7)
    assert isinstance(said, Unparsed)
    assert said.field == field


def test_a_line_about_something_else_is_ignored() -> None:
    assert read_line(QPID_LOG, f"{TIME} [con:1(guest@/test)] CON-1001 : Open", "log", 1) is None
    assert read_line(QPID_LOG, "\tat java.lang.Thread.run(Thread.java:840)", "log", 1) is None
    assert read_line(ARTEMIS_LOG, f"{TIME} INFO [x] AMQ221007: Server is now active", "log", 1) is None


def test_an_address_that_is_blocked_is_an_event() -> None:
    assert read_line(ARTEMIS_LOG, BLOCKING, "log", 3) == Event(
        source="log", seq=3, time=MS, kind=Kind.OVERFULL, destination="orders", bytes=10000, messages=10, limit=10000,
        cause="size",
    )  # fmt: skip


def test_an_address_that_is_unblocked_is_an_event() -> None:
    line = BLOCKING.replace("AMQ222183: Blocking", "AMQ221046: Unblocking").replace("size=10000", "size=9072")
    said = read_line(ARTEMIS_LOG, line, "log", 3)
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
    said = read_line(ARTEMIS_LOG, BLOCKING.replace(FIGURES, figures), "log", 3)
    assert isinstance(said, Event)
    assert said.cause == cause


def test_grouped_figures_of_an_artemis_line_name_the_field() -> None:
    said = read_line(ARTEMIS_LOG, BLOCKING.replace("size=10000 ", "size=10.000 "), "log", 3)
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
    said = read_line(ARTEMIS_LOG, BLOCKING.replace(TIME, time), "log", 3)
    assert isinstance(said, Event)
    assert said.time == expected
