"""Answers of a broker's management that were saved or pasted: the queue or address that they show as full."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.why.asking import ask, held
from tidegate.why import saved
from tidegate.why.answer import State
from tidegate.why.ask import qpid

DESTINATION = "org.apache.activemq:brokerName=till,destinationName=shop,destinationType=Queue,type=Broker"
ADDRESS = 'org.apache.activemq.artemis:broker="till",component=addresses,address="shop"'
QUEUE = {"name": "shop", "overflowPolicy": "PRODUCER_FLOW_CONTROL", "maximumQueueDepthBytes": 800}


def jolokia(mbean: str, **value: object) -> str:
    return json.dumps({"request": {"mbean": mbean, "type": "read"}, "value": value, "status": 200})


def test_a_destination_of_classic_is_named_with_its_limit() -> None:
    told = held(jolokia(DESTINATION, MemoryPercentUsage=103, MemoryLimit=800, MemoryUsageByteCount=824))
    assert (told.place, told.limit, told.level) == ("destination queue://shop", 800, 824)
    assert told.setting == "memoryLimit or memoryUsage"


def test_a_destination_of_classic_with_a_percentage_alone_is_named() -> None:
    told = held(jolokia(DESTINATION, MemoryPercentUsage=100, MemoryLimit=0))
    assert (told.place, told.told) == ("destination queue://shop", "100% used")


def test_a_destination_with_space_is_not_full() -> None:
    assert ask(jolokia(DESTINATION, MemoryPercentUsage=99, MemoryLimit=800)).held is None


def test_destinations_that_a_pattern_found_are_each_looked_at() -> None:
    beans = {
        DESTINATION.replace("shop", name): {"MemoryPercentUsage": percent, "MemoryLimit": 0}
        for name, percent in (("till", 7), ("shop", 100))
    }
    assert held(json.dumps({"value": beans})).place == "destination queue://shop"


def test_an_address_of_artemis_is_named() -> None:
    found = ask(jolokia(ADDRESS, Address="shop", AddressLimitPercent=100, Paging=False))
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.place == "address shop"
    assert "does not page" in found.held.reason
    assert "does not page" not in held(jolokia(ADDRESS, Address="shop", AddressLimitPercent=100)).reason


def test_an_address_that_pages_holds_nobody_up() -> None:
    found = ask(jolokia(ADDRESS, Address="shop", AddressLimitPercent=130, Paging=True))
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert (found.held.place, found.held.sends) == ("address shop", "go on")


def test_an_address_that_somebody_blocked_is_named() -> None:
    told = held(jolokia(ADDRESS, Address="shop", AddressLimitPercent=0, BlockedViaManagement=True))
    assert (told.place, told.setting) == ("address shop", "the operation block()")


def test_a_queue_of_broker_j_over_its_limit_is_named() -> None:
    told = held(*json.dumps([{**QUEUE, "statistics": {"queueDepthBytes": 801}}], indent=2).splitlines())
    assert (told.place, told.setting, told.limit, told.level) == ("queue shop", "maximumQueueDepthBytes", 800, 801)


def test_a_queue_of_broker_j_at_its_limit_is_not_over_it() -> None:
    assert ask(json.dumps({**QUEUE, "statistics": {"queueDepthBytes": 800}})).held is None


def test_what_the_broker_says_of_the_flow_counts_more_than_the_level() -> None:
    level = {"statistics": {"queueDepthBytes": 801}}
    assert ask(json.dumps({**QUEUE, **level, "queueFlowStopped": False})).held is None
    assert held(json.dumps({**QUEUE, "queueFlowStopped": True})).place == "queue shop"


def test_a_queue_that_refuses_at_its_limit_holds_nobody_up() -> None:
    level = {"statistics": {"queueDepthBytes": 801}}
    assert ask(json.dumps({**QUEUE, **level, "overflowPolicy": "REJECT"})).held is None


NODES = [{"name": "rabbit@a", "mem_alarm": False}, {"name": "rabbit@b", "disk_free_alarm": True, "disk_free": 70}]
CONNECTIONS = [{"name": "10.0.0.9:4000 -> 10.0.0.1:5672", "state": "blocked", "channels": 1, "user": "till"}]


def pretty(*answers: object) -> list[str]:
    return [line for each in answers for line in json.dumps(each, indent=2).splitlines()]


def test_the_node_of_rabbitmq_with_an_alarm_is_named() -> None:
    told = held(*pretty([*NODES[:1], {**NODES[1], "disk_free_limit": 90}]))
    assert (told.place, told.setting) == ("node rabbit@b", "disk_free_limit")
    assert "20 bytes are missing" in told.told


def test_a_connection_of_rabbitmq_that_is_blocked_is_named() -> None:
    found = ask(*pretty(CONNECTIONS))
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.clients == ("10.0.0.9:4000 -> 10.0.0.1:5672",)


def test_what_is_no_connection_has_a_state_of_its_own() -> None:
    assert ask(*pretty([{"name": "till", "state": "blocked"}])).held is None
    assert ask(*pretty([{**CONNECTIONS[0], "state": "running"}])).held is None


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
KEYS = sorted({*saved.FIGURES, *saved.OBJECTS, *saved.TEXTS, *saved.ALARMS, qpid.RESUME, "request", "value"})
KEYS += ["overflowPolicy", "queueFlowStopped", "Address", "Paging", "BlockedViaManagement", "mbean"]
SHAPED = st.recursive(
    st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=6),
    lambda inner: st.dictionaries(st.sampled_from(KEYS), ANYTHING | inner, max_size=6),
    max_leaves=5,
)


@given(SHAPED, st.sampled_from([True, "PRODUCER_FLOW_CONTROL"]))
def test_an_answer_with_anything_for_a_figure_is_no_error(answer: dict[str, Any], said: object) -> None:
    text = json.dumps({"mem_alarm": said, "overflowPolicy": said, "state": "flow", **answer})
    assert isinstance(saved.told(text), list)


def test_an_address_of_artemis_is_named_by_its_bean() -> None:
    assert held(jolokia(ADDRESS, AddressLimitPercent=100, Paging=False)).place == "address shop"
    one = json.loads(jolokia(ADDRESS)) | {"value": 100}
    one["request"]["attribute"] = "AddressLimitPercent"
    assert held(json.dumps(one)).place == "address shop"


def test_a_queue_of_artemis_is_not_taken_for_its_address() -> None:
    queue = f'{ADDRESS},subcomponent=queues,routing-type="anycast",queue="shop"'
    assert ask(jolokia(queue, Paging=True)).held is None


BROKER = 'org.apache.activemq.artemis:broker="till"'


def test_the_disk_of_artemis_is_judged_by_the_limit_in_the_answer() -> None:
    full = held(jolokia(BROKER, DiskStoreUsage=0.74, MaxDiskUsage=70))
    assert (full.setting, full.told) == ("max-disk-usage", "74.0% used of at most 70%")
    assert held(*json.dumps({"DiskStoreUsage": 0.74, "MaxDiskUsage": 70}, indent=2).splitlines()).told == full.told
    assert ask(jolokia(BROKER, DiskStoreUsage=0.94, MaxDiskUsage=95)).held is None
    assert ask(jolokia(BROKER, DiskStoreUsage=0.94, MaxDiskUsage=-1)).held is None
    assert held(jolokia(BROKER, DiskStoreUsage=0.94)).told == "94.0% used"


def test_the_memory_of_a_whole_broker_of_classic_is_not_that_of_a_destination() -> None:
    told = held(jolokia("org.apache.activemq:type=Broker,brokerName=till", MemoryPercentUsage=100, MemoryLimit=800))
    assert (told.setting, told.place, told.limit) == ("memoryUsage", "", 800)
    assert ask(jolokia("org.apache.activemq:type=Broker,brokerName=till", MemoryPercentUsage=99)).held is None


def test_a_percentage_and_a_limit_without_a_level_are_both_told() -> None:
    told = held(jolokia(DESTINATION, MemoryPercentUsage=102, MemoryLimit=800))
    assert (told.limit, told.level, told.told) == (800, None, "102% used")


def test_the_alarms_in_the_status_of_a_rabbitmq_node_are_told() -> None:
    told = held('{"alarms":[{"node":"rabbit@till","resource":"disk"}],"disk_free":7}')
    assert (told.setting, told.place) == ("disk_free_limit", "node rabbit@till")
    assert ask('{"alarms":[],"disk_free":7}').clear == ("no alarm is set (a.log:1)",)
    assert ask('{"alarms":["late"],"disk_free":7}').held is None
