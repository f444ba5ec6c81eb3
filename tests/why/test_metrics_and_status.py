"""Metrics below their comments, and the output of a status command, show a level beside its limit."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

COMMENTED = [
    "# HELP artemis_disk_store_usage Percentage of the disk store used",
    "# TYPE artemis_disk_store_usage gauge",
    'artemis_disk_store_usage{broker="till",} 0.4',
    "# HELP artemis_limit_percent How full an address is",
    "# TYPE artemis_limit_percent gauge",
    'artemis_limit_percent{address="sales",broker="till",} 100.0',
    'artemis_limit_percent{address="mails",broker="till",} 3.0',
]
DISK_METRICS = [
    "# TYPE rabbitmq_alarms_free_disk_space_watermark untyped",
    "rabbitmq_alarms_free_disk_space_watermark 1",
    "# TYPE rabbitmq_disk_space_available_bytes gauge",
    "rabbitmq_disk_space_available_bytes 7000",
    "# TYPE rabbitmq_disk_space_available_limit_bytes gauge",
    "# HELP rabbitmq_disk_space_available_limit_bytes Free disk space low watermark in bytes",
    "rabbitmq_disk_space_available_limit_bytes 8.0e3",
]
STATUS = [
    "Alarms",
    "",
    "Memory alarm on node rabbit@till",
    "",
    "Memory",
    "",
    "Total memory used: 1.5 gb",
    "Calculation strategy: rss",
    "Memory high watermark setting: 0.4 of available memory, computed to: 1.25 gb",
]


def test_comments_above_metrics_are_no_headings_of_a_page() -> None:
    assert held(*COMMENTED).place == "address sales"


def test_metrics_of_the_disk_complete_its_alarm() -> None:
    found = ask(*DISK_METRICS)
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert found.held.told == "7,000 bytes free, 8,000 bytes asked for; 1,000 bytes are missing"
    assert found.others == 0


def test_the_status_tells_level_and_watermark_behind_the_alarm() -> None:
    found = ask(*STATUS)
    assert found.held is not None
    assert (found.held.place, found.held.level, found.held.limit) == ("node rabbit@till", 1_500_000_000, 1_250_000_000)
    assert not found.aside


@pytest.mark.parametrize(
    "lines",
    [
        [line.replace("1.5 gb", "1.2 gb") for line in STATUS[4:]],
        [line.replace(" 7000", " 9000") for line in DISK_METRICS[2:]],
        COMMENTED[:5],
    ],
)
def test_figures_below_the_limit_block_nobody(lines: list[str]) -> None:
    assert ask(*lines).state is State.UNKNOWN


@pytest.mark.parametrize(
    ("counts", "setting", "level", "unit"),
    [
        ("current=[count: 7, size: 90], max=[count: 7, size: -1]", "maximumQueueDepthMessages", 7, "messages"),
        ("current=[count: 7, size: 90], max=[count: 9, size: 90]", "maximumQueueDepthBytes", 90, "bytes"),
        ("current=[count: 7, size: 90], max=[count: 9, size: 99]", "overflowPolicy", None, "bytes"),
        ("current=", "overflowPolicy", None, "bytes"),
    ],
)
def test_a_refusal_tells_the_limit_that_is_reached(counts: str, setting: str, level: int | None, unit: str) -> None:
    found = ask(f"org.apache.qpid.AMQException: Error: Maximum depth exceeded on 'sales' : {counts}")
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert (found.held.setting, found.held.level, found.held.unit) == (setting, level, unit)


def test_the_statistics_of_queues_name_the_broker() -> None:
    head = "|NAME |ADDRESS |CONSUMER_COUNT |MESSAGE_COUNT |MESSAGES_ADDED |"
    (hint,) = ask(head, "|sales |sales |0 |9 |9 |").hints
    assert hint.startswith("artemis: ")


@pytest.mark.parametrize(
    "text",
    [
        "the sender has no credit",
        "Link had no link credit",
        "producer has no more credits",
        "sender blocked, waiting for link credit",
        "producer is paused: waiting for credits",
    ],
)
def test_a_client_that_says_it_has_no_credit_waits(text: str) -> None:
    assert "no credit" in held(f"2026-11-20 10:00:00,000 ERROR {text}").reason


@pytest.mark.parametrize(
    "name",
    [
        "org_apache_activemq_artemis_AddressLimitPercent",
        "org_apache_activemq_artemis_addresslimitpercent",
        "artemis_address_limit_percent",
    ],
)
def test_the_exporter_of_jmx_names_the_full_address(name: str) -> None:
    full = f'{name}{{broker="till",component="addresses",address="sales",}} 101.0'
    assert held(full).place == "address sales"
    assert ask(full.replace("101.0", "99.0")).state is State.UNKNOWN


@pytest.mark.parametrize("prompt", ["$ ", "# ", "bash-5.1$ ", "root@till:~# "])
def test_a_command_is_no_part_of_its_answer(prompt: str) -> None:
    command = f"{prompt}rabbitmqctl eval 'rabbit_alarm:get_alarms().'"
    first = "[{{resource_limit,memory,'rabbit@till'},[]},"  # as wide as the command, as if this were one wrapped line
    found = ask(
        command, first.replace("till", "t" * (len(command) - len(first) + 4)), " {{resource_limit,disk,'rabbit@b'},[]}]"
    )
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert (found.held.place, found.others) == ("node rabbit@b", 1)


@pytest.mark.parametrize("label", ["rabbitmq_node", "node"])
def test_the_label_of_an_alarm_names_its_node(label: str) -> None:
    told = held(f'rabbitmq_alarms_free_disk_space_watermark{{cluster="a",{label}="rabbit@till"}} 1')
    assert told.place == "node rabbit@till"


def test_figures_of_a_status_belong_to_the_alarm_of_its_node() -> None:
    lines = (
        "Free disk space alarm on node rabbit@till",
        "",
        "Low free disk space watermark: 0.05 gb",
        "Free disk space: 0.0412 gb",
    )
    for given in (lines, lines[2:] + lines[:1]):
        found = ask(*given)
        assert found.others == 0
        assert found.held is not None
        assert found.held.place == "node rabbit@till"
        assert "8,800,000 bytes are missing" in found.held.told


@pytest.mark.parametrize("end", ["Stopping RabbitMQ", "RabbitMQ is asked to stop..."])
def test_an_alarm_ends_with_its_node(end: str) -> None:
    found = ask(
        "2026-11-25 10:00:01 memory resource limit alarm set on node rabbit@till.", f"2026-11-25 10:00:02 {end}"
    )
    assert found.state is State.NOT_BLOCKED


def test_qpid_tool_names_the_queue_in_another_line_than_its_state() -> None:
    lines = ["    name                till", "    msgDepth            801", "    flowStopped         {}"]
    assert held(*(line.format("True") for line in lines)).place == "queue till"
    assert ask(*(line.format("False") for line in lines)).state is State.UNKNOWN


def test_words_of_a_console_are_attributes() -> None:
    lines = ["Address\tsales", "Address limit percent\t100", "Number of messages\t7", "Paging\tfalse"]
    told = held(*lines)
    assert told.place == "address sales"
    assert "does not page" in told.reason
    lines = ["Name\tsales", "Queue size\t7", "Memory limit\t70000", "Memory percent usage\t{}"]
    assert held(*(line.format(100) for line in lines)).place == "destination queue://sales"
    assert ask(*(line.format(99) for line in lines)).state is State.UNKNOWN


def test_the_words_of_a_monitor_may_stand_between_a_name_and_its_figure() -> None:
    for words in ("is", "is now at", "value:", "= "):
        assert ask(f"StorePercentUsage {words} 99").state is State.UNKNOWN
        assert held(f"StorePercentUsage {words} 100").setting == "storeUsage"


def test_an_old_status_has_memory_and_its_limit_far_from_each_other() -> None:
    lines = [" {memory,[{total,1700},{queue_procs,7}]},", " {alarms,[memory]},", " {vm_memory_limit,1600},"]
    told = held(*lines)
    assert (told.level, told.limit) == (1700, 1600)
    assert ask(lines[0], " {alarms,[]},", " {vm_memory_limit,1800},").state is State.UNKNOWN


def test_the_output_of_a_health_check_is_read_in_a_field_of_a_line() -> None:
    log = '"Log": [{{"ExitCode": 69, "Output": "Error:\\nresource alarm(s) in effect:[{}]\\n"}}]'
    assert held(log.format("memory")).setting == "vm_memory_high_watermark"
    assert ask(log.format("")).state is State.UNKNOWN


def test_a_queue_without_a_depth_in_its_answer_has_no_level() -> None:
    queue = '{{"name": "sales", "maximumQueueDepthBytes": 700, "queueFlowStopped": true{}}}'
    assert held(queue.format("")).level is None
    assert held(queue.format(', "queueDepthBytes": 800')).level == 800


def test_figures_of_a_term_that_erlang_broke_complete_the_alarm() -> None:
    told = held(
        " {memory,", "     [{total,1142332144},", " {alarms,[{resource_limit,memory,'rabbit@mq1'}]},",
        " {vm_memory_limit,836829184},",
    )  # fmt: skip
    assert (told.place, told.level, told.limit) == ("node rabbit@mq1", 1142332144, 836829184)


@pytest.mark.parametrize(
    "text",
    [
        '{"BrokerName": "shop", "ActionsRequired": [{"ActionRequiredCode": "RABBITMQ_MEMORY_ALARM"}]}',
        "    ActionRequiredCode: RABBITMQ_MEMORY_ALARM",
        "||  ActionRequiredCode  |  RABBITMQ_MEMORY_ALARM  ||",
    ],
)
def test_the_action_that_a_cloud_requires_tells_the_alarm(text: str) -> None:
    assert held(text).setting == "vm_memory_high_watermark"


ZABBIX = "{}: RabbitMQ node: {} alarm ({} threshold has been reached)"


def test_a_problem_of_zabbix_tells_the_alarm_until_it_is_resolved() -> None:
    problem = ZABBIX.format("Problem", "Memory", "Memory usage")
    assert held(problem).setting == "vm_memory_high_watermark"
    assert held(ZABBIX.format("Problem", "Free disk space", "Free space")).setting == "disk_free_limit"
    ended = ask(problem, ZABBIX.format("Resolved in 5m 0s", "Memory", "Memory usage"))
    assert ended.state is State.NOT_BLOCKED
    body = ("Problem has been resolved at 10:05:12", ZABBIX.format("Problem name", "Memory", "Memory usage"))
    assert ask(*body).held is None


def test_a_point_of_influx_tells_the_figures_beside_its_alarm() -> None:
    told = held("rabbitmq_node,host=a,node=rabbit@mq1 disk_free=36i,disk_free_limit=50i,disk_free_alarm=1i 1795168800")
    assert "14 bytes are missing" in told.told


def test_the_alarm_of_a_disk_in_the_words_of_datadog() -> None:
    assert held("rabbitmq.node.disk_alarm{rabbitmq_node:rabbit@mq1} 1").setting == "disk_free_limit"


@pytest.mark.parametrize("unit", ["i", "k", "Gi", "gib", "TB", "x", "ib"])
def test_an_amount_with_any_unit_is_read_or_left(unit: str) -> None:
    text = f"Low free disk space watermark: 50{unit} Free disk space: 20{unit}"
    assert ask(text, f"disk_free_limit=50{unit}", f"vm_memory_high_watermark=1{unit}").state in State
    assert (ask(text).held is None) == (unit in ("i", "x", "ib"))
