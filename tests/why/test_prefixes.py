"""What logs put in front of a message, crossed with messages of every broker; and texts that only quote one."""

import json

import pytest

from tests.why.asking import ask
from tests.why.test_lines import CHANNEL, OWN, QUEUE
from tidegate.why.answer import State
from tidegate.why.prefixes import is_prefix
from tidegate.why.reading import QUOTED, SHOWN
from tidegate.why.wrappings import WRAPPINGS, Wrapping

LINES = [
    OWN,
    "AMQ222212: Disk Full! Blocking message production on address 'o'. Clients will report blocked.",
    QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000",
    CHANNEL + "CHN-1005 : Flow Control Enforced (Queue orders)",
    "memory resource limit alarm set on node rabbit@a.",
    "Usage Manager Store is Full. Stopping producer (ID:a-1:1:2:1) to prevent flooding queue://A. See http://x",
]
PREFIXES = {
    "{}": None,
    "10:00:01,123 WARN  [org.apache.activemq.artemis.core.server] {}": "10:00:01,123",
    "2026-11-25 10:00:01,123 WARN  [org.apache.activemq.artemis.core.server] {}": "2026-11-25 10:00:01,123",
    "2026-11-25T10:00:01.123Z  WARN 1 --- [main] o.a.activemq.artemis.core.server : {}": "2026-11-25T10:00:01.123Z",
    "2026-11-25 10:00:01,123 | WARN  | {}": "2026-11-25 10:00:01,123",
    "2013-04-08 21:39:48,177 | WARN  | eMQ Broker: root | ? ? | 114 - org.x - 5.8 | {}": "2013-04-08 21:39:48,177",
    "broker-1  | 2026-11-25 10:00:01,123 WARN  {}": "2026-11-25 10:00:01,123",
    "Nov 25 10:00:01 mq1.example.com broker[812]: {}": "Nov 25 10:00:01",
    "2026-11-25T10:00:01+0000 mq1.example.com broker[812]: {}": "2026-11-25T10:00:01+0000",
    "logs/broker.log:12:2026-11-25 10:00:01,123 WARN {}": "2026-11-25 10:00:01,123",
    "broker.log:2026-11-25 10:00:01,123 WARN {}": "2026-11-25 10:00:01,123",
    "2026-11-25 10:00:01.123+00:00 [warning] <0.190.0> {}": "2026-11-25 10:00:01.123+00:00",
    "2026-11-25T10:00:01.123456789Z stdout F WARN {}": "2026-11-25T10:00:01.123456789Z",
    "\x1b[33m2026-11-25 10:00:01,123 WARN \x1b[0m{}": "2026-11-25 10:00:01,123",
    "WARNUNG: {}": None,
    " INFO | {}": None,
    "Nov 25, 2026 10:00:01 AM org.apache.activemq.artemis.core.server warn\nWARNING: {}": "Nov 25, 2026 10:00:01 AM",
    "=WARNING REPORT==== 25-Nov-2026::10:00:01 ===\n{}": "25-Nov-2026::10:00:01",
    "25-Nov-2026 10:00:01.123 WARNING [main] {}": "25-Nov-2026 10:00:01.123",
    "2026-11-25 10:00:01,123 INFO  [main] (q.m.queue) - {}": "2026-11-25 10:00:01,123",
}


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("line", LINES)
def test_what_stands_in_front_of_a_line_changes_nothing_but_its_time(prefix: str, line: str) -> None:
    found = ask(*prefix.format(line).split("\n"))
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert found.held.since == PREFIXES[prefix]


@pytest.mark.parametrize("wrapping", WRAPPINGS, ids=lambda wrapping: wrapping.whose)
@pytest.mark.parametrize("line", LINES)
def test_each_form_of_wrapping_is_read_as_its_tool_writes_it(wrapping: Wrapping, line: str) -> None:
    assert ask(wrapping.example.replace("{}", line)).state is State.BLOCKED
    front = wrapping.example.removesuffix("{}")
    assert wrapping.compiled.search(front) or wrapping.compiled.search(front + line)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    "record",
    [
        {
            "@timestamp": "2026-11-25T10:00:01.123Z",
            "log.level": "WARN",
            "message": "{}",
            "log.logger": "org.apache.x.y",
        },
        {
            "instant": {"epochSecond": 1795600801, "nanoOfSecond": 123000000},
            "loggerName": "org.apache.x",
            "message": "{}",
        },
        {"log": "2026-11-25T10:00:01.123Z WARN [x] {}\n", "stream": "stdout", "time": "2026-11-25T10:00:01.123Z"},
        {"timeMillis": 1795600801123, "message": "{}"},
    ],
)
def test_a_record_of_json_is_read_as_its_text(record: dict[str, object], line: str) -> None:
    text = json.dumps(
        {key: value.replace("{}", line) if isinstance(value, str) else value for key, value in record.items()}
    )
    found = ask(text)
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert str(found.held.since).startswith("2026-11-25T10:00:01.123")


def test_a_page_that_marks_a_line_as_one_is_read_and_one_that_names_it_only_is_not() -> None:
    assert ask(f"**Hata:** `{LINES[1]}`").state is State.BLOCKED
    assert ask(f"`x` received body: {LINES[1]}").state is State.UNKNOWN


def test_alarms_in_json_are_read() -> None:
    told = ask(
        '{"global":[],"local":["Memory alarm on node rabbit@a"],"message":"Node x reported alarms","result":"ok"}'
    )
    assert told.held is not None
    assert told.held.setting == "vm_memory_high_watermark"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    "prefix",
    [
        "2026-11-25 10:00:01,123 INFO [org.apache.x] received body: ",
        "2026-11-25 10:00:01,123 INFO [com.example.Listener] ",
        "2026-11-25 10:00:01,123 INFO com.example.mail.Listener - ",
        'the broker said "',
        "> I see this in my log, why? ",
        '{"message": "text ',
    ],
)
def test_a_text_that_quotes_a_line_gives_no_answer(prefix: str, line: str) -> None:
    found = ask(prefix + line)
    assert (found.state, found.aside) == (State.UNKNOWN, {QUOTED: 1})
    assert found.samples[0].line == 1


def test_a_sample_that_is_cut_ends_with_a_mark() -> None:
    quoted = "received body: " + LINES[4]
    (whole,) = ask(quoted.ljust(SHOWN, "x")).samples
    (cut,) = ask(quoted.ljust(SHOWN + 1, "x")).samples
    assert whole.text == quoted.ljust(SHOWN, "x")
    assert cut.text == f"{whole.text} …"


def test_other_fields_of_logfmt_stand_in_front_of_a_message() -> None:
    assert is_prefix('ts=2026-11-20T10:00:00Z caller=pub.go:88 level=warn active=true msg="')
    assert not is_prefix('they wrote x="')
