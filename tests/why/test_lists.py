"""The tables of RabbitMQ's list commands are read by their heads."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

CONNECTIONS = [
    "Listing connections ...",
    "user\tpeer_host\tpeer_port\tstate",
    "till\t10.0.0.9\t40000\trunning",
    "shop\t10.0.0.8\t40001\tblocked",
    "shop\t10.0.0.8\t40002\tblocked",
    "mail\t10.0.0.7\t40003\tblocking",
]
LONG = '[{"x-max-length",50},{"x-overflow","reject-publish"},{"x-queue-type","quorum"}]'


def test_each_blocked_connection_of_a_table_is_named() -> None:
    found = ask(*CONNECTIONS)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.clients == ("shop at 10.0.0.8:40001", "shop at 10.0.0.8:40002")


def test_a_connection_that_sent_nothing_yet_is_told_apart() -> None:
    found = held(*CONNECTIONS[:3], CONNECTIONS[-1])
    assert found.clients == ("mail at 10.0.0.7:40003",)
    assert "next message" in found.reason


@pytest.mark.parametrize(
    "lines",
    [
        ["name\tstate\tmessages", "sales\tflow\t9"],
        ["state\tname", "flow\tsales"],
        ["+-------+-------+", "| name  | state |", "+-------+-------+", "| mails | idle  |", "| sales | flow  |"],
        ["┌───────┬───────┐", "│ name  │ state │", "├───────┼───────┤", "│ sales │ flow  │"],
        ['"name","state"', '"sales","flow"'],
        ["$ rabbitmqctl list_queues -p shop name state", "Timeout: 60.0 seconds ...", "sales\tflow"],
        ['[{"name":"mails","state":"running"},{"name":"sales","state":"flow"}]'],
    ],
)
def test_a_queue_in_flow_slows_its_publishers_down(lines: list[str]) -> None:
    assert ask(*lines).state is State.LIMIT_UNKNOWN
    found = held(*lines)
    assert found.place == "queue sales"
    assert "credit flow" in found.reason


@pytest.mark.parametrize(
    "lines",
    [
        ["name\tmessages\targuments", f"sales\t50\t{LONG}"],
        [
            '[{"name":"sales","vhost":"/","state":"running","messages":70,"messages_ready":50,'
            '"effective_policy_definition":{"max-length":50,"overflow":"reject-publish"}}]'
        ],
    ],
)
def test_a_queue_that_is_as_long_as_it_may_be_refuses_messages(lines: list[str]) -> None:
    found = ask(*lines)
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert (found.held.place, found.held.level, found.held.limit) == ("queue sales", 50, 50)
    assert found.held.missing == 1


@pytest.mark.parametrize(
    "lines",
    [
        ["name\tmessages\targuments", f"sales\t49\t{LONG}"],
        ["name\tmessages\targuments", "sales\t50\t" + LONG.replace("reject-publish", "drop-head")],
        ["name\tstate", "sales\trunning"],
        ["name\tstate", "one cell", "sales\tflow"],
        ["sales\tflow"],
    ],
)
def test_other_rows_tell_of_no_stop(lines: list[str]) -> None:
    assert ask(*lines).state is State.UNKNOWN


@pytest.mark.parametrize(
    "lines",
    [
        ["+----+", "| name | mem_alarm | mem_used | mem_limit |", "+----+", "| mq1 | False | 1 | 9 |",
         "| mq2 | True | 12 | 9 |"],
        ["name,mem_alarm,mem_used,mem_limit", "mq1,false,1,9", "mq2,true,12,9"],
        ["name;mem_limit;mem_used;mem_alarm", '"mq2";9;12;true'],
        ["name  mem_used  mem_limit  mem_alarm", "mq2   12        9          true"],
        ["| name | mem_alarm | mem_used | mem_limit |", "|---|---|---|---|", "| mq2 | true | 12 | 9 |"],
    ],
)  # fmt: skip
def test_a_table_of_nodes_tells_the_alarm_and_its_figures(lines: list[str]) -> None:
    found = held(*lines)
    assert (found.place, found.setting, found.level, found.limit) == ("node mq2", "vm_memory_high_watermark", 12, 9)
    assert found.missing == 3


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["Name;QueueSize;MemoryPercentUsage", "mails;0;3", "sales;9;101"], "destination queue://sales"),
        (["Address   AddressLimitPercent   Paging", "sales   104   false"], "address sales"),
    ],
)
def test_a_table_of_attributes_is_read_like_the_attributes(lines: list[str], place: str) -> None:
    assert held(*lines).place == place
    assert ask(lines[0], lines[-1].replace("10", "9")).state is State.UNKNOWN


MQ2 = "node mq2@host"


@pytest.mark.parametrize(
    "lines",
    [
        ["- name: mq1@host", "  mem_alarm: false", "  mem_used: 1", "- name: mq2@host", "  mem_alarm: true",
         "  mem_limit: 9", "  mem_used: 12"],
        ["name      : mq2@host", "mem_used  : 12", "mem_limit : 9", "mem_alarm : True"],
        ["[{'name': 'mq2@host', 'mem_alarm': True, 'mem_used': 12, 'mem_limit': 9, 'partitions': []}]"],
        ["nodes: [{Name:mq1@host MemAlarm:false} {Name:mq2@host MemAlarm:true MemUsed:12 MemLimit:9 Plugins:[a b]}]"],
    ],
)  # fmt: skip
def test_an_object_in_any_notation_is_read_like_json(lines: list[str]) -> None:
    found = held(*lines)
    assert (found.place, found.level, found.limit) == (MQ2, 12, 9)


@pytest.mark.parametrize(
    "text", ["{'mem_alarm': True", "{'mem_alarm': open('x')}", "{MemAlarm:true", "{'mem_used': 1}"]
)
def test_what_only_looks_like_an_object_is_left_as_it_is(text: str) -> None:
    assert ask(text).state is State.UNKNOWN
    assert ask(text).held is None


def test_a_disk_whose_free_space_is_not_told_is_not_called_empty() -> None:
    found = held('{"name": "mq2@host", "disk_free_alarm": true, "disk_free_limit": 50000000}')
    assert (found.setting, found.told) == ("disk_free_limit", "")


@pytest.mark.parametrize(
    "text",
    [
        '=> [{"name"=>"mq2@host", "mem_alarm"=>true, "mem_used"=>12, "mem_limit"=>9, "type"=>nil}]',
        "{:name => 'mq2@host', :mem_alarm => true}".replace("'", '"'),
    ],
)
def test_a_hash_of_ruby_is_read_like_json(text: str) -> None:
    assert held(text).place == MQ2


def test_figures_in_elixir_complete_the_alarm() -> None:
    found = held("alarms: [{{:resource_limit, :disk, :mq2@host}, []}],", "disk_free_limit: 50,", "disk_free: 36")
    assert (found.place, found.told) == (MQ2, "36 bytes free, 50 bytes asked for; 14 bytes are missing")
    assert ask("disk_free_limit: 36,", "disk_free: 50").held is None
