"""Lines that lost a part, lines that another text quotes, and what tools say in place of a broker's line."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.show import shown

USAGE = (
    "Usage(default:memory:queue://A:memory) percentUsage=99%, usage=1200, limit=1000, percentUsageMinDelta=1%;"
    "Parent:Usage(default:memory) percentUsage=1%, usage=1200, limit=90000, percentUsageMinDelta=1%: "
)
ANY_OF_QPID = "capacity, maximumQueueDepthBytes or maximumQueueDepthMessages"
CUT = [
    # line, setting, place, clients
    ("AMQ222212: Disk Fu", "max-disk-usage", "", ()),
    ("AMQ222212: Disk Full! Blocking mess", "max-disk-usage", "", ()),
    ("AMQ222210: Free storage space is at 9.1MB of 3", "max-disk-usage", "", ()),
    ("AMQ222210: Stor", "max-disk-usage", "", ()),
    ("vm_memory_high_watermark set. Memory us", "vm_memory_high_watermark", "", ()),
    ("Free disk space is insufficient. Free by", "disk_free_limit", "", ()),
    ("Usage Manager Memory Limit reached. Stopping producer (ID:a-1:1) to pre", "memoryLimit or memoryUsage", "",
     ("ID:a-1:1",)),
    (USAGE + "Usage Manager Memory Limit reached. Prod", "memoryLimit", "destination queue://A", ()),
    ("[vh(/test)/qu(orders)] QUE-1003 : Overfull : Si", ANY_OF_QPID, "queue test/orders", ()),
    ("QUE-1003 : Overfull : Si", ANY_OF_QPID, "queue that the line does not name", ()),
    ("CHN-1005 : Flow Control Enforced (Que", "", "", ("a channel",)),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place", "clients"), CUT)
def test_what_is_left_of_a_line_tells_as_much_as_it_has(
    line: str, setting: str | None, place: str, clients: tuple[str, ...]
) -> None:
    found = ask(line)
    if setting is None:
        assert found.state is State.UNKNOWN
        return
    assert found.held is not None
    assert (found.held.setting, found.held.place, found.held.clients) == (setting, place, clients)


@pytest.mark.parametrize(
    ("line", "word", "state"),
    [
        ("AMQ222183: Blocking message production on address 'orders'; si", "missing", State.LIMIT_UNKNOWN),
        ("AMQ212054: Destination address=orders is bl", "no credit", State.LIMIT_UNKNOWN),
        ("AMQ222038: Starting paging on address 'orders'; size is curr", "pages", State.NOT_BLOCKED),
        ("AMQ222039: Messages sent to address 'orders' are be", "drops", State.NOT_BLOCKED),
    ],
)
def test_the_beginning_of_a_line_of_artemis_names_its_address(line: str, word: str, state: State) -> None:
    found = ask(line)
    assert found.state is state
    assert found.held is not None
    assert found.held.place == "address orders"
    assert word in found.held.reason


def test_a_full_disk_is_known_without_the_code_of_its_line() -> None:
    line = "Free storage space is at 1.1GB of 9.0GB total. Usage rate is 87.7% which is {} the configured <{}>. System"
    assert held(line.format("beyond", "max-disk-usage")).setting == "max-disk-usage"
    assert held(line.format("below", "min-disk-free")).setting == "min-disk-free"
    assert ask(line.format("below", "max-disk-usage")).held is None


BEGUN = [
    # the end of a text, setting, state
    ("=INFO REPORT==== 25-Nov-2026::10:00:01 ===\nFree disk space is ins", "disk_free_limit", State.BLOCKED),
    ("2026-11-25 10:00:01.1 [warning] <0.1.0> memory resource limit al...", "vm_memory_high_watermark", State.BLOCKED),
    ("10:00:01,123 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking mess", "", State.LIMIT_UNKNOWN),
    ("AMQ212054: Destina", "", State.LIMIT_UNKNOWN),
    ("10:00:01 INFO | Usage Manager Memory Lim", "memoryLimit or memoryUsage", State.BLOCKED),
    ("WARN Message send dela", "", State.LIMIT_UNKNOWN),
    ("Cannot create producer on topic with backlog quo\n```\n", "backlog quota", State.BLOCKED),
]


@pytest.mark.parametrize(("text", "setting", "state"), BEGUN)
def test_the_last_line_may_end_in_the_middle_of_a_word(text: str, setting: str, state: State) -> None:
    found = ask(*text.split("\n"))
    assert found.state is state
    assert found.held is not None
    assert found.held.setting == setting


@pytest.mark.parametrize(
    "text", ["Usage Manager Mem", "Free disk space", "I wrote memory resource limit al", "Usage Manager "]
)
def test_a_beginning_that_is_short_or_quoted_tells_nothing(text: str) -> None:
    assert (ask(text).held is None) is (text != "Usage Manager Mem")
    assert ask("memory resource limit al", "2026-11-25 10:00:01 another line").held is None


QUOTES = [
    "Test OrderTest timed out (AMQ219014: Timed out after waiting 30,000 ms for response when sending packet 71)",
    "> I see this in my log, why? AMQ222212: Disk Full! Blocking message production on address 'o'. Clients will",
    "it says memory resource limit alarm set on node rabbit@a. and then it hangs",
]


@pytest.mark.parametrize("line", QUOTES)
def test_a_line_in_another_text_is_answered_with_an_if_where_nothing_else_is(line: str) -> None:
    found = ask(line)
    assert (found.state, found.held) == (State.UNKNOWN, None)
    assert found.quoted is not None
    text = shown(found)
    assert "for certain: a.log:1 quotes a line of a broker" in text.splitlines()[0]
    assert text.splitlines()[1].startswith("if so    ")


def test_a_quoted_line_gives_way_to_a_broker_s_own() -> None:
    own = "disk resource limit alarm set on node rabbit@b."
    assert ask(QUOTES[2], own).quoted is None
    assert held(QUOTES[2], own).setting == "disk_free_limit"


def test_a_quoted_line_is_added_where_the_client_s_own_names_no_limit() -> None:
    found = ask("AMQ212054: Destination address=o is blocked. If the system is configured", QUOTES[1])
    assert found.state is State.LIMIT_UNKNOWN
    assert found.quoted is not None
    assert "perhaps  a.log:2 quotes a line of a broker: max-disk-usage" in shown(found)


SAID = [
    # what a tool says, setting, place
    ("Memory alarm on node 'rabbit@a'", "vm_memory_high_watermark", "node rabbit@a"),
    ("| `disk alarm on node rabbit@a` |", "disk_free_limit", "node rabbit@a"),
    ("Connection blocked: LOW on memory", "vm_memory_high_watermark", ""),
    ("The connection was blocked by RabbitMQ broker: low on memory & disk",
     "vm_memory_high_watermark or disk_free_limit", ""),
    ("ConnectionBlockedEvent [reason=low on disk, channel=3]", "disk_free_limit", ""),
    (" {alarms,[disk,memory]},", "disk_free_limit", ""),
    ('{"status":"failed","alarms":[{"node":"rabbit@a","resource":"memory"}]}', "vm_memory_high_watermark",
     "node rabbit@a"),
    ('{"node":"rabbit@a","resource":"memory"}', "vm_memory_high_watermark", "node rabbit@a"),
    ("mem_alarm: true", "vm_memory_high_watermark", ""),
    ('  "disk_free_alarm" : true,', "disk_free_limit", ""),
    ("rabbitmq_alarms_memory_used_watermark 1", "vm_memory_high_watermark", ""),
    ('rabbitmq_alarms_free_disk_space_watermark{node="a"} 1', "disk_free_limit", ""),
    ('We have identified that the issue fits into the category "RABBITMQ_DISK_ALARM".', "disk_free_limit", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place"), SAID)
def test_what_tools_say_of_an_alarm_of_rabbitmq_is_read(line: str, setting: str | None, place: str) -> None:
    found = ask(line)
    told = found.held if setting else found.quoted
    assert told is not None
    assert (told.setting, told.place) == (setting or "vm_memory_high_watermark", place or told.place)


@pytest.mark.parametrize(
    "line", ['{"node":"worker-1","resource":"memory"}', "Disk alarm on node 3", "producer send queue is full"]
)
def test_what_other_products_say_in_like_words_is_put_aside(line: str) -> None:
    found = ask(line)
    assert (found.held, found.quoted) == (None, None)


@pytest.mark.parametrize("line", ["mem_alarm: false", "rabbitmq_alarms_memory_used_watermark 0", "{alarms,[]},"])
def test_an_alarm_that_is_not_set_is_none(line: str) -> None:
    assert ask(line).held is None


def test_the_reason_of_a_lost_connection_is_read() -> None:
    line = "AMQ212037: Connection failure to mq1/10.0.0.1:61616 has been detected: AMQ219014: Timed out after waiting "
    told = held(line + "30,000 ms for response when sending packet 71 [code=CONNECTION_TIMEDOUT]")
    assert told.told == "no answer to packet 71"


def test_who_is_blocked_is_said_of_those_alone_that_are() -> None:
    def first(line: str) -> str:
        return shown(ask(line)).splitlines()[0].split(": ", 1)[1]

    assert first("memory resource limit alarm set on node rabbit@a.") == (
        "every producer of the cluster (alarm on node rabbit@a)."
    )
    assert first("rabbitmq_alarms_memory_used_watermark 1") == "every producer of the cluster."
    assert first("AMQ222210: Stor") == "every producer of the broker."
    assert first("Usage Manager Store is Full") == "every producer of persistent messages."
    assert (
        first("MemoryPercentUsage: 100") == "every producer that sends to a destination that these lines do not name."
    )
    assert first("AMQ222039: Messages are being dropped on address orders") == (
        "sends to address orders go on, and their messages are lost."
    )


def test_a_terminal_of_80_columns_gets_lines_that_fit_and_a_file_gets_whole_ones() -> None:
    found = ask(
        "Usage Manager Store is Full, 100% of 1000. Stopping producer (ID:a-1:1:2:1) to prevent flooding queue://A. x"
    )
    lines = shown(found, 80).splitlines()
    assert max(map(len, lines)) <= 80
    assert [line[:9].strip() for line in lines if line[:9].strip()] == [
        line[:9].strip() for line in shown(found).splitlines()
    ]
    assert " ".join(" ".join(lines).split()) == " ".join(shown(found).split())


@pytest.mark.parametrize(
    "line",
    [
        "AMQP connection <0.24.0> (blocked), channel 0 - error:",
        "Error on AMQP connection <0.24.0> (10.0.0.1:1 -> 10.0.0.2:5672, vhost: '/', user: 'u', state: blocking):",
    ],
)
def test_a_connection_that_ended_while_it_was_blocked_is_named(line: str) -> None:
    found = ask(line)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.clients == ("connection <0.24.0>",)
    assert ask(line.replace("blocked", "running").replace("blocking", "running")).held is None


@pytest.mark.parametrize(
    ("end", "word"), [("message credit", "no credit"), ("sync: complete = 3, point = 4", "overfull")]
)
def test_a_client_of_amqp_0_10_waited_for_credit_or_an_answer(end: str, word: str) -> None:
    line = "org.apache.camel.X - Exchange[Id: 1, CaughtExceptionMessage: Uncategorized; nested exception is "
    found = ask(f"{line}javax.jms.JMSException: Exception when sending message:timed out waiting for {end}")
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert word in found.held.reason


def test_a_full_percentage_is_a_limit_that_is_reached_and_a_lower_one_is_not() -> None:
    assert held("StorePercentUsage = 100").setting == "storeUsage"
    assert held("MemoryPercentUsage\t103").told == "103% used"
    assert ask("TempPercentUsage: 99").held is None
    assert held('  "queueFlowStopped" : true,').setting == "maximumQueueDepthBytes"
    assert ask('"queueFlowStopped" : false').held is None


@pytest.mark.parametrize(
    ("line", "setting"),
    [
        ("AMQ222210: Free storage space is at 1GB of 9GB total. Usage rate is 95% which is beyond the configured "
         "&lt;max-disk-usage&gt;. System", "max-disk-usage"),
        ("vm\\_memory\\_high\\_watermark set. Memory used:5 allowed:3", "vm_memory_high_watermark"),
        ("AMQ222212: Disk Full! Blocking message production on address ‘o’. Clients", "max-disk-usage"),
        ("QUE-1003 : Overfull : Size : 1\u00a0200 bytes, Capacity : 1\u00a0000", "capacity"),
    ],
)  # fmt: skip
def test_what_a_page_makes_of_characters_is_undone(line: str, setting: str) -> None:
    assert held(line).setting == setting
