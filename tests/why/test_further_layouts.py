"""Layouts that lists 10 to 14 of `benchmarks/public_logs` showed: servers, differences of logs, arrays, consoles."""

import json

import pytest

from tests.why.asking import ask, held
from tests.why.test_metrics_and_status import STATUS
from tidegate.why.answer import Asked, State
from tidegate.why.show import shown
from tidegate.why.times import stamp

BLOCKED = "AMQ212054: Destination address=till is blocked. If the system is configured to block make sure you consume."
STOP = (
    "{} WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on address 'till'; "
    "size=1100 bytes (1 messages); maxSize=1000 bytes (-1 messages)"
)
END = "{} INFO  [org.apache.activemq.artemis.core.server] AMQ221046: Unblocking message production on address 'till'"
DISK = (
    "{} WARN  [org.apache.activemq.artemis.core.server] AMQ222210: Free storage space is at 1.1GB of 20.0GB total. "
    "Usage rate is 94.5% which is beyond the configured <max-disk-usage>. System will start blocking producers."
)
DISK_OF_ADDRESS = (
    "{} WARN  [org.apache.activemq.artemis.core.server] AMQ222212: Disk Full! Blocking message production on address "
    "'till'. Clients will report blocked."
)
DISK_END = (
    "{} INFO  [org.apache.activemq.artemis.core.server] AMQ222211: Free storage space is at 9.9GB of 20.0GB total. "
    "Usage rate is 50.5% which is below the configured <max-disk-usage>."
)
STORE = (
    "{} | INFO  | Usage(b:store:queue://till:store) percentUsage=99%, usage=1100, limit=1000, percentUsageMinDelta=1%;"
    "Parent:Usage(b:store) percentUsage=110%, usage=1100, limit=1000, percentUsageMinDelta=1%: Persistent store is "
    "Full, 100% of 1000. Stopping producer (ID:a-1:1:1:1) to prevent flooding queue://till. See http://x for more "
    "info (blocking for: 0s)"
)


def test_fields_of_weblogic_may_be_empty_nested_or_name_a_queue_of_threads() -> None:
    front = (
        "####<Nov 26, 2026 10:00:01,345 AM CET> <Warning> <org.apache.activemq.artemis.core.client> <wls-1> "
        "<[ACTIVE] ExecuteThread: '4' for queue: 'weblogic.kernel.Default (self-tuning)'> <<WLS Kernel>> <> <a-7> "
        "<1795683601345> <[severity-value: 16] [rid: 0] > <BEA-000000> <"
    )
    assert held(f"{front}{BLOCKED}> ").place == "address till"


def test_a_class_of_another_program_still_makes_a_quotation() -> None:
    front = "<Nov 26, 2026 10:00:01,345 AM CET> <Warning> <com.shop.till.Sender> <BEA-000000> <"
    assert ask(f"{front}{BLOCKED}> ").state is State.UNKNOWN


@pytest.mark.parametrize(
    ("end", "shuts_down"),
    [
        ("Apache ActiveMQ 5.17.6 (b, ID:mq-1-0:1) is shutting down", True),
        ("ActiveMQ JMS Message Broker (b, ID:mq-1-0:1) stopped", True),
        ("ActiveMQ Transport: tcp:///10.0.0.9:50122@61616: Producer (ID:a-1:1:1:1) stopped to rest", False),
        ("Connector tcp://mq:61616 (b) stopped", False),
    ],
)
def test_a_broker_that_shuts_down_holds_nobody_up(end: str, *, shuts_down: bool) -> None:
    found = ask(STORE.format("2026-01-08 02:11:00,001"), f"2026-01-08 02:40:10,700 | INFO  | {end}")
    assert found.state is (State.NOT_BLOCKED if shuts_down else State.BLOCKED)


def test_a_wait_in_vain_has_its_beginning_and_its_end() -> None:
    lines = (
        "2026-11-26 10:00:15,000 WARN AMQSession - Message send delayed by 15s due to broker enforced flow control",
        "2026-11-26 10:02:00,000 ERROR AMQSession - Message send failed due to timeout waiting on broker enforced flow "
        "control",
    )
    assert "Waited in vain from 2026-11-26 10:00:00 until 2026-11-26 10:02:00,000 (" in shown(ask(*lines))
    assert "Waited in vain at 2026-11-26 10:02:00,000 (" in shown(ask(lines[1]))
    assert ask(lines[0]).state is State.LIMIT_UNKNOWN


@pytest.mark.parametrize(
    ("time", "millis"),
    [
        ('<log4j:event logger="org.apache.activemq.artemis.core.server" timestamp="{}345" level="WARN">', "345"),
        ('<Event xmlns="http://logging.apache.org/log4j/2.0/events" timeMillis="{}345" level="WARN">', "345"),
        ('<Instant epochSecond="{}" nanoOfSecond="345000000"/>', ""),
        ('<Instant epochSecond="{}"/>', ""),
    ],
)
def test_a_message_in_xml_has_the_time_of_its_event(time: str, millis: str) -> None:
    message = DISK.format("").partition("] ")[2]
    lines = time.format(1795683601), f"<log4j:message><![CDATA[{message}]]></log4j:message>", "</log4j:event>"
    later = time.format(1795683701), f"<log4j:message><![CDATA[{DISK_END.format('').partition('] ')[2]}]]>"
    assert held(*lines).since == f"1795683601{millis}"
    assert held(*lines, *later).until == f"1795683701{millis}"


def test_nanoseconds_are_a_part_of_a_second() -> None:
    stamped = stamp('epochSecond="1795683601" nanoOfSecond="45000000"')
    assert stamped is not None
    assert stamped[0].moment.microsecond == 45_000


def array(*lines: str, name: str = "alarms.stdout_lines") -> list[str]:
    return ["ok: [mq] => {", f'    "{name}": [', *(f"        {json.dumps(line)}," for line in lines), "    ]", "}"]


def test_strings_of_an_array_are_the_lines_of_a_command() -> None:
    plain, shown_by_ansible = held(*STATUS), held(*array(*STATUS))
    assert (shown_by_ansible.limit, shown_by_ansible.level) == (plain.limit, plain.level) == (1.25e9, 1.5e9)
    assert held(*array("\n".join(STATUS))).limit == plain.limit


def test_a_string_with_an_unknown_escape_stays_as_it_is() -> None:
    assert ask(*array("x")[:2], r'  "Memory alarm on node rabbit@till \q",').state is not State.UNKNOWN


def test_a_status_may_lack_the_line_about_its_strategy() -> None:
    assert held(*(line for line in STATUS if "strategy" not in line)).limit == 1.25e9


PROPERTIES = (
    "Overflow Policy\tPRODUCER_FLOW_CONTROL",
    "Maximum Queue Depth Bytes\t1000",
    "Queue Depth Bytes\t1100",
    "Producer flow stopped\ttrue",
)


@pytest.mark.parametrize("head", ["Queue: till", "Queue = 'till'", "# Queue: till"])
def test_a_line_in_front_of_a_list_names_its_queue(head: str) -> None:
    assert held(head, *PROPERTIES).place == "queue till"


def test_a_line_further_in_front_of_a_list_names_nothing() -> None:
    assert held("Queue: till", "and something else", *PROPERTIES).place == ""


@pytest.mark.parametrize("mark", ["+", "-"])
def test_lines_of_a_difference_keep_their_day(mark: str) -> None:
    found = held(
        f"{mark}{STOP.format('2026-03-01 10:31:40,118')}",
        f"{mark}{END.format('2026-03-01 10:52:11,006')}",
    )
    assert (found.since, found.until) == ("2026-03-01 10:31:40,118", "2026-03-01 10:52:11,006")


@pytest.mark.parametrize(("other", "state"), [("mq-b", State.BLOCKED), ("mq-a", State.NOT_BLOCKED)])
def test_a_free_disk_of_another_broker_ends_no_stop(other: str, state: State) -> None:
    lines = DISK.format("2026-04-04 01:00:00,001"), DISK_END.format("2026-04-04 01:05:00,001")
    assert ask(f"mq-a  | {lines[0]}", f"{other}  | {lines[1]}").state is state


def test_the_stop_of_all_producers_comes_before_the_stop_of_one_address_by_the_same_limit() -> None:
    lines = DISK.format("2026-04-04 01:00:00,001"), DISK_OF_ADDRESS.format("2026-04-04 01:00:01,001")
    found = ask(*lines)
    assert found.held is not None
    assert (found.held.place, found.beside) == ("", ("till since 2026-04-04 01:00:01,001",))
    of_one = ask(*lines, asked=Asked(queue="till")).held
    assert of_one is not None
    assert of_one.place == "address till"


def test_a_record_without_a_time_has_the_time_in_front_of_it() -> None:
    record = json.dumps({"message": BLOCKED})
    told = held("[2026-11-26T08:59:00,000][INFO ][x] up", f"[2026-11-26T09:00:01,345][WARN ][x] lost {record}")
    assert told.since == "2026-11-26T09:00:01,345"


OVERFULL = "{}[vh(/{})/qu(till)] QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
ENFORCED = "{}CHN-1005 : Flow Control Enforced (Queue till)"
TIME = "[2026-01-05T10:00:00.000000+01:00][10.0.0.9]"


def test_a_channel_without_its_virtual_host_belongs_to_the_queue_in_front() -> None:
    found = ask(OVERFULL.format(TIME, "shop"), ENFORCED.format(TIME))
    assert found.held is not None
    assert (found.held.place, found.held.limit, found.others) == ("queue shop/till", 1000, 0)


def test_a_channel_without_its_virtual_host_belongs_to_neither_of_two_queues() -> None:
    found = ask(OVERFULL.format(TIME, "shop"), OVERFULL.format(TIME, "bank"), ENFORCED.format(TIME))
    assert found.others == 2


def test_a_class_without_its_package_may_stand_in_front_of_the_thread() -> None:
    front = "2026-11-26 10:00:01,345+0100 [] WARN  {} [Camel (shop) thread #9 - timer://poll] "
    assert held(f"{front.format('ClientProducerCreditsImpl')}{BLOCKED}").place == "address till"
    assert ask(f"{front.format('Sender')}{BLOCKED}").held is None
