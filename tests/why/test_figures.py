"""Limits in what brokers show besides their logs: JMX, health checks, command line, consoles and metrics."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

DISK_STATUS = [" {disk_free_limit,8000},", " {disk_free,7000},"]
FULL = [
    # lines, setting, words told of the level, words of the reason
    (["  StorePercentUsage = 104"], "storeUsage", "104% used", "the store"),
    (['{"request":{"mbean":"org.apache.activemq:type=Broker,brokerName=till","attribute":"TempPercentUsage",'
      '"type":"read"},"value":100,"timestamp":7,"status":200}'], "tempUsage", "100% used", ""),
    (['  "attribute": "StorePercentUsage",', '  "type": "read"', " },", ' "value": 103,'],
     "storeUsage", "103% used", ""),
    (['{"timestamp":7,"status":200,"value":{"MemoryPercentUsage":7,"TempPercentUsage":131,"StorePercentUsage":2}}'],
     "tempUsage", "131% used", ""),
    (["<tr><td>Store percent used</td><td><b>100</b></td></tr>"], "storeUsage", "100% used", ""),
    (['activemq_memory_percent{broker="till"} 100'], "memoryUsage", "100% used", ""),
    (["activemq.broker.temp_pct: 100"], "tempUsage", "100% used", ""),
    (['{"request":{"mbean":"org.apache.activemq.artemis:address=\\"shop\\"","attribute":"BlockedViaManagement",'
      '"type":"read"},"value":true}'], "the operation block()", "", ""),
    (["JobSchedulerStorePercentUsage: 100"], "jobSchedulerUsage", "100% used", "messages"),
    (['  "TempPercentUsage" : 131,'], "tempUsage", "131% used", "files"),
    (['org_apache_activemq_Broker_MemoryPercentUsage{brokerName="till",} 100.0'], "memoryUsage", "100% used", ""),
    (['org_apache_activemq_Broker_MemoryPercentUsage{brokerName="till",destinationName="shop",} 100.0'],
     "memoryLimit or memoryUsage", "100% used", "memory is full"),
    (["MemoryPercentUsage = 100"], "memoryLimit or memoryUsage", "100% used", "memory is full"),
    (["Memory percent used\t100"], "memoryUsage", "100% used", ""),
    (["Memory percent used | 12", "Store percent used | 100", "Temp percent used | 0"], "storeUsage", "100% used", ""),
    (['activemq_broker_temp_percent_usage{broker="till"} 102.0'], "tempUsage", "102% used", ""),
    (['activemq_broker_job_scheduler_store_percent_usage{broker="till"} 100'], "jobSchedulerUsage", "100% used", ""),
    (['activemq_store_usage_ratio{instance="till"} 1.0'], "storeUsage", "100% used", ""),
    (['activemq_memory_usage_ratio{instance="till"} 103'], "memoryUsage", "103% used", ""),
    (["Message Store size is within 101% of its limit"], "storeUsage", "101% used", ""),
    (["TempMessage Store size is within 100% of its limit"], "tempUsage", "100% used", ""),
    (["Usage(till:store) percentUsage=101%, usage=910, limit=900, percentUsageMinDelta=1%"], "storeUsage", "", ""),
    (["failure: The DiskStoreUsage 93 is less than 88"], "max-disk-usage", "93% used of 88% allowed", "disk"),
    (['"blockedViaManagement" : true'], "the operation block()", "", "by management"),
    (['{"status":"failed","reason":"resource alarm(s) in effect:[memory]"}'], "vm_memory_high_watermark", "", ""),
    (["Error: resource alarm(s) in effect:[disk]"], "disk_free_limit", "", ""),
    (["resource alarm(s) in effect:[disk,memory]"], "vm_memory_high_watermark or disk_free_limit", "", "or both"),
    (['{"status":"failed","reason":"There are alarms in effect in the cluster","alarms":[{"node":"rabbit@till",'
      '"resource":"disk"}]}'], "disk_free_limit", "", ""),
    (['  "alarms": [', "    {", '      "resource": "memory",', '      "node": "rabbit@till"'],
     "vm_memory_high_watermark", "", ""),
    (["There are alarms in effect in the cluster"], "vm_memory_high_watermark or disk_free_limit", "", ""),
    (["Node rabbit@till reported alarms"], "vm_memory_high_watermark or disk_free_limit", "", ""),
    (["Memory alarm in effect"], "vm_memory_high_watermark", "", ""),
    (['rabbitmq_node_disk_free_alarm{node="rabbit@till"} 1'], "disk_free_limit", "", ""),
    (["mem_alarm=1i"], "vm_memory_high_watermark", "", ""),
    (DISK_STATUS, "disk_free_limit", "7,000 bytes free, 8,000 bytes asked for; 1,000 bytes are missing", ""),
    (DISK_STATUS[::-1], "disk_free_limit", "7,000 bytes free, 8,000 bytes asked for; 1,000 bytes are missing", ""),
    (["Low free disk space watermark: 0.5 gb", "Free disk space: 0.2 gb"], "disk_free_limit",
     "200,000,000 bytes free, 500,000,000 bytes asked for; 300,000,000 bytes are missing", ""),
    (['"disk_free": 70, "disk_free_limit": 90'], "disk_free_limit",
     "70 bytes free, 90 bytes asked for; 20 bytes are missing", ""),
    (['"disk_free_limit" : 90,', '"disk_free" : 70,'], "disk_free_limit",
     "70 bytes free, 90 bytes asked for; 20 bytes are missing", ""),
    (["40 MiB", "48 MiB low watermark"], "disk_free_limit",
     "41,943,040 bytes free, 50,331,648 bytes asked for; 8,388,608 bytes are missing", ""),
    (["reason: 'low on disk'"], "disk_free_limit", "", ""),
    (["MESSAGE [Broker] [vh(/shop)/ms(DerbyMessageStore)] VHT-1006 : Filesystem is over 85 per cent full, enforcing "
      "flow control."], "store.filesystem.maxUsagePercent", "more than 85% full", "file system"),
    (["FlowOverfull = true"], "capacity", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "setting", "told", "words"), FULL, ids=lambda one: str(one)[:60])
def test_a_figure_or_check_tells_of_a_limit(lines: list[str], setting: str, told: str, words: str) -> None:
    assert ask(*lines).state is State.BLOCKED
    found = held(*lines)
    assert found.setting == setting
    assert found.told == told
    assert words in found.reason


MEMORY = [
    (['"mem_used": 900, "mem_limit": 800'], 900, 800),
    (['"mem_limit": 800,', '"mem_used": 900,'], 900, 800),
    (["1.5 kib", "1 kib high watermark"], 1536, 1024),
]


@pytest.mark.parametrize(("lines", "level", "limit"), MEMORY)
def test_two_figures_of_memory_tell_how_much_must_go(lines: list[str], level: int, limit: int) -> None:
    found = held(*lines)
    assert (found.setting, found.level, found.limit) == ("vm_memory_high_watermark", level, limit)


OPEN = [
    # lines, setting, words told of the level, words of the reason
    (['{"request":{"mbean":"org.apache.activemq.artemis:broker=\\"till\\"","attribute":"DiskStoreUsage",'
      '"type":"read"},"value":0.95,"status":200}'], "max-disk-usage", "95.0% used", ""),
    (['"attribute":"AddressLimitPercent","type":"read"},"value":100'], "max-size-bytes or max-size-messages",
     "100% used", ""),
    (["<rabbit@till.7.8.9>\tblocked"], "", "", "connection.blocked"),
    (["Listing connections ...", "till\t10.0.0.9\t40000\tblocking"], "", "", "connection.blocked"),
    (["till\t10.0.0.9\t40000\tblocked"], "", "", "connection.blocked"),
    (["till\t10.0.0.9\t40000\tflow"], "", "", "credit flow"),
    (["<rabbit@till.7.8.9>\ttill\tblocking"], "", "", "connection.blocked"),
    (["<rabbit@till.7.8.9>\tflow"], "", "", "credit flow"),
    (['"attribute":"AddressMemoryUsagePercentage","type":"read"},"value":100'], "global-max-size", "100% used", ""),
    (["DiskStoreUsage = 0.934"], "max-disk-usage", "93.4% used", "unless another is configured"),
    (['artemis_disk_store_usage{broker="till"} 0.95'], "max-disk-usage", "95.0% used", ""),
    (['"addressLimitPercent" : 104'], "max-size-bytes or max-size-messages", "104% used", "FAIL"),
    (["AddressLimitPercent\t100"], "max-size-bytes or max-size-messages", "100% used", "FAIL"),
    (["AddressMemoryUsagePercentage: 100"], "global-max-size", "100% used", "FAIL"),
    (['artemis_address_memory_usage_percentage{broker="till"} 100.0'], "global-max-size", "100.0% used", ""),
    (["ProducerBlocked = true"], "", "", "flow control blocks it"),
    (['"producerFlowBlocked" : true'], "", "", "ordered"),
    (["java.io.IOException: No space left on device"], "the disk itself", "", "no space left"),
    (["INFO | Ignoring no space left exception, java.io.IOException: No space left on device"], "the disk itself", "",
     ""),
    (["Resource alarm: connection blocked."], "", "", "connection.blocked"),
    (["10.0.0.9:40000 -> 10.0.0.2:5672      blocking"], "", "", "connection.blocked"),
    (["10.0.0.9:40000 -> 10.0.0.2:5672 | till | blocked"], "", "", "connection.blocked"),
    (["│ 10.0.0.9:40000 -> 10.0.0.2:5672 │ flow │"], "", "", "credit flow"),
    (["10.0.0.9:40000  till  blocked  ○  AMQP 0-9-1  2"], "", "", "connection.blocked"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "setting", "told", "words"), OPEN, ids=lambda one: str(one)[:60])
def test_where_a_figure_leaves_the_limit_open_that_is_said(
    lines: list[str], setting: str, told: str, words: str
) -> None:
    assert ask(*lines).state is State.LIMIT_UNKNOWN
    found = held(*lines)
    assert found.setting == setting
    assert found.told == told
    assert words in found.reason


BELOW = [
    ["StorePercentUsage = 99", "MemoryPercentUsage = 70"],
    ["Temp percent used 3"],
    ["AddressLimitPercent\t99"],
    ['org_apache_activemq_Broker_MemoryPercentUsage{brokerName="till",destinationName="shop",} 99.0'],
    ["<tr><td>Temp percent used</td><td>3</td></tr>"],
    ['{"request":{"attribute":"StorePercentUsage","type":"read"},"value":99}'],
    ['{"request":{"attribute":"DiskStoreUsage","type":"read"},"value":0.5}'],
    ['{"value":{"MemoryPercentUsage":7,"TempPercentUsage":13}}'],
    ["activemq_store_percent 99"],
    ["till\t10.0.0.9\t40000\trunning"],
    ["<rabbit@till.7.8.9>\trunning"],
    ['activemq_memory_usage_ratio{instance="till"} 0.99'],
    ["Message Store size is within 95% of its limit"],
    ["Usage(till:store) percentUsage=90%, usage=810, limit=900, percentUsageMinDelta=1%"],
    ["DiskStoreUsage = 0.9"],
    ["AddressLimitPercent = 99"],
    ["BlockedViaManagement = false"],
    ["ProducerBlocked = false"],
    ['{"status":"ok"}'],
    [" {disk_free_limit,8000},", " {disk_free,9000},"],
    ["Low free disk space watermark: 0.5 gb", "Free disk space: 0.7 gb"],
    ["1 mib", "2 mib high watermark"],
    ['rabbitmq_node_mem_alarm{node="rabbit@till"} 0'],
    ["capabilities: 'basic.nack': True, 'connection.blocked': True"],
    ['{<<"connection.blocked">>,bool,true}'],
    ["connection.blocked: true"],
    ["amqp:resource-limit-exceeded: local-idle-timeout expired"],
]


@pytest.mark.parametrize("lines", BELOW, ids=lambda one: str(one)[:60])
def test_figures_below_their_limits_tell_of_nobody(lines: list[str]) -> None:
    found = ask(*lines)
    assert found.state is State.UNKNOWN
    assert found.quoted is None


def test_the_full_one_of_several_figures_in_a_line_is_told() -> None:
    found = ask('{"level":{"MemoryPercentUsage":7,"TempPercentUsage":131,"StorePercentUsage":2}}')
    assert found.quoted is not None
    assert found.quoted.setting == "tempUsage"


def test_a_file_system_with_space_again_lets_all_go() -> None:
    host = "[vh(/shop)/ms(DerbyMessageStore)]"
    lines = (
        f"2026-11-25 10:00:00 {host} VHT-1006 : Filesystem is over 85 per cent full, enforcing flow control.",
        "2026-11-25 10:00:01 [con:3(till@/10.0.0.9:4000/shop)/ch:1] CHN-1005 : Flow Control Enforced "
        "(Queue ** All Queues **)",
    )
    assert held(*lines).setting == "store.filesystem.maxUsagePercent"
    over = ask(
        *lines,
        f"2026-11-25 10:00:09 {host} VHT-1007 : Filesystem is no longer over 85 per cent full.",
        "2026-11-25 10:00:09 [con:3(till@/10.0.0.9:4000/shop)/ch:1] CHN-1006 : Flow Control Removed",
    )
    assert over.state is State.NOT_BLOCKED


def test_a_channel_of_all_queues_alone_leaves_open_whether_store_or_file_system_is_full() -> None:
    line = "[con:3(till@/10.0.0.9:4000/shop)/ch:1] CHN-1005 : Flow Control Enforced (Queue ** All Queues **)"
    assert ask(line).state is State.LIMIT_UNKNOWN
    assert held(line).setting == "overfull-size or store.filesystem.maxUsagePercent"


@pytest.mark.parametrize("line", ["10.0.0.9 was blocked", "a flow of data", 'the "attribute" is set', "cpu_pct: 7"])
def test_a_word_of_many_programs_puts_no_line_aside(line: str) -> None:
    assert not ask(line).aside


ONE_LINE = [
    # line, setting
    ('{"mem_alarm": false, "disk_free_alarm": true}', "disk_free_limit"),
    ('[{"name":"rabbit@a","mem_alarm":false},{"name":"rabbit@b","applications":[],"mem_alarm":true}]',
     "vm_memory_high_watermark"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting"), ONE_LINE)
def test_an_answer_of_management_in_one_line_tells_by_its_fields(line: str, setting: str) -> None:
    assert ask(line).state is State.BLOCKED
    assert held(line).setting == setting


def test_an_alarm_behind_one_that_is_not_set_is_told() -> None:
    assert held("mem_alarm=false disk_free_alarm=true").setting == "disk_free_limit"


HEAD = "Name            Queue Size  Producer #  Consumer #   Enqueue #   Dequeue #   Forward #    Memory %"


@pytest.mark.parametrize(
    ("head", "rows", "place"),
    [
        (HEAD, [*["till   7   1   1   9   2   0   7"] * 9, "shop   54   4   0   61   6   0   100"], "destination shop"),
        (HEAD, ["shop   540   4   0   601   61   100   7"], None),
        (HEAD, ["a line", "shop   540   4   0   601   61   0   100"], None),
        (f"{HEAD}  Inflight #", ["till  7  1  1  9  2  0  7  100", "shop  540  4  0  601  61  0  103  7"],
         "destination shop"),
    ],
)  # fmt: skip
def test_a_table_of_destinations_names_the_one_that_is_full(head: str, rows: list[str], place: str | None) -> None:
    found = ask(head, *rows).held
    assert (found and found.place) == place


def test_a_record_within_brackets_over_several_lines_is_one() -> None:
    message = "AMQ222212: Disk Full! Blocking message production on address 'shop'. Clients will report blocked."
    told = held("[", "  {", '    "till": 7,', f'    "message": "{message}",', '    "b": 1, "c": 2,', '    "d": 3,',
                '    "e": 3,', '    "@timestamp": "2026-11-25T10:00:01Z"', "  }", "]")  # fmt: skip
    assert (told.place, told.since) == ("address shop", "2026-11-25T10:00:01Z")


ADVISORY = "ActiveMQMessage {commandId = 0, properties = {originBrokerName=till, usageName=shop:%s, usageCount=100}}"


@pytest.mark.parametrize(
    ("usage", "setting", "place"),
    [
        ("memory:queue://shop:memory", "memoryLimit or memoryUsage", "destination queue://shop"),
        ("store:topic://shop:store", "storeUsage", "destination topic://shop"),
        ("temp", "tempUsage", ""),
    ],
)
def test_an_advisory_of_a_full_destination_names_the_usage(usage: str, setting: str, place: str) -> None:
    found = ask(ADVISORY % usage)
    assert found.quoted is not None
    assert (found.quoted.setting, found.quoted.place) == (setting, place)


def test_the_size_of_an_entity_of_azure_is_told() -> None:
    told = held("The maximum entity size has been reached or exceeded for Topic: 'a:TOPIC:shop'. Size of entity in "
                "bytes:910, Max entity size in bytes: 900.  QuotaType: EntitySize")  # fmt: skip
    assert (told.place, told.level, told.limit) == ("entity shop", 910, 900)


def test_figures_within_a_record_of_another_program_never_tell_for_certain() -> None:
    assert ask('{"till": {"mem_alarm": true}}').state is State.UNKNOWN


def test_the_name_of_an_alarm_in_words_of_python_is_read() -> None:
    found = held("{'name': 'rabbit@a', 'mem_alarm': True}")
    assert (found.setting, found.place) == ("vm_memory_high_watermark", "node rabbit@a")


def test_the_labels_of_a_sample_tell_the_destination_from_the_whole_broker() -> None:
    labels = 'brokerName="till",destinationName="shop",destinationType="Queue"'
    assert held(f"org_apache_activemq_Broker_MemoryPercentUsage{{{labels}}} 100.0").place == "destination queue://shop"
    whole = held('activemq_memory_usage_ratio{broker="till"} 1.0')
    assert (whole.place, whole.place_is) == ("", "")


def test_a_level_of_an_address_without_its_name_holds_up_only_senders_to_that_address() -> None:
    assert held("AddressLimitPercent: 100").place_is == "address"
