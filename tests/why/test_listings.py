"""Attributes of management that a tool lists one a line are judged together, by the bean that the list names."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

QUEUE = "#mbean = org.apache.activemq:type=Broker,brokerName=b,destinationType=Queue,destinationName=claims:"
ADDRESS = '#mbean = org.apache.activemq.artemis:broker="b",component=addresses,address="claims":'
BROKER = '#mbean = org.apache.activemq.artemis:broker="b":'
OF_CLASSIC = "#mbean = org.apache.activemq:type=Broker,brokerName=b:"


def jmxterm(bean: str, *attributes: str) -> list[str]:
    return [bean, *(line for attribute in attributes for line in (f"{attribute};", ""))]


def test_jmxterm_names_the_destination_in_front_of_its_attributes() -> None:
    told = held(*jmxterm(QUEUE, "MemoryPercentUsage = 100", "QueueSize = 431", "MemoryLimit = 1048576"))
    assert (told.place, told.limit) == ("destination queue://claims", 1_048_576)
    assert told.setting == "memoryLimit or memoryUsage"


def test_a_query_names_the_destination_among_its_attributes() -> None:
    full = ["MemoryPercentUsage = 100", "destinationName = claims", "QueueSize = 3", "destinationType = Queue"]
    empty = ["MemoryPercentUsage = 2", "destinationName = mails", "destinationType = Queue", "brokerName = b"]
    found = ask(*full, "brokerName = b", "type = Broker", "", *empty)
    assert found.held is not None
    assert (found.held.place, found.others) == ("destination queue://claims", 0)


def test_an_address_that_is_full_is_named_by_its_bean() -> None:
    told = held(*jmxterm(ADDRESS, "AddressLimitPercent = 100", "Paging = false"))
    assert told.place == "address claims"


@pytest.mark.parametrize(
    ("lines", "setting"),
    [
        (jmxterm(OF_CLASSIC, "StorePercentUsage = 100", "TempPercentUsage = 0"), "storeUsage"),
        (jmxterm(BROKER, "DiskStoreUsage = 0.97", "MaxDiskUsage = 95"), "max-disk-usage"),
        (["StorePercentUsage = 100", "TempPercentUsage = 0"], "storeUsage"),
        (["2026-11-20 10:00:00 state of the broker", "TempPercentUsage: 100"], "tempUsage"),
    ],
)
def test_a_limit_of_all_is_told_with_and_without_a_bean(lines: list[str], setting: str) -> None:
    assert held(*lines).setting == setting


@pytest.mark.parametrize(
    "lines",
    [
        jmxterm(BROKER, "DiskStoreUsage = 0.93", "MaxDiskUsage = 95"),
        ["DiskStoreUsage = 0.93", "MaxDiskUsage = 95"],
        jmxterm(QUEUE, "MemoryPercentUsage = 99", "MemoryLimit = 1048576"),
        jmxterm(ADDRESS, "AddressLimitPercent = 60", "Paging = false"),
    ],
)
def test_a_level_below_the_limit_of_its_list_blocks_nobody(lines: list[str]) -> None:
    assert ask(*lines).state is State.UNKNOWN


def test_an_attribute_behind_another_line_does_not_belong_to_the_bean() -> None:
    told = held(*jmxterm(QUEUE, "MemoryPercentUsage = 3"), "$>get of the next broker", "StorePercentUsage = 100")
    assert (told.setting, told.place) == ("storeUsage", "")


def test_the_time_in_front_of_a_list_is_its_time() -> None:
    told = held("2026-11-20 10:00:00 get", *jmxterm(QUEUE, "MemoryPercentUsage = 100"))
    assert told.since == "2026-11-20 10:00:00"


OF_QPID = '#mbean = org.apache.qpid:VirtualHost="shop",name="till",type=VirtualHost.Queue:'


def test_a_queue_of_qpid_that_is_overfull_is_named_with_its_capacity() -> None:
    level = "QueueDepth = 1200"
    told = held(*jmxterm(OF_QPID, "FlowOverfull = true", "Capacity = 1000", "FlowResumeCapacity = 800", level))
    assert (told.place, told.level, told.limit) == ("queue shop/till", 1_200, 1_000)
    assert told.setting == "capacity"
    told = held(*jmxterm(OF_QPID, "FlowOverfull = true"))
    assert (told.place, told.limit) == ("queue shop/till", None)
    assert ask(*jmxterm(OF_QPID, "FlowOverfull = false", "Capacity = 1000", level)).state is State.UNKNOWN


def test_an_attribute_without_a_list_is_told_once_with_its_time() -> None:
    found = ask("2026-11-20 10:00:00 INFO broker", "StorePercentUsage = 100", "2026-11-20 11:00:00 INFO broker")
    assert found.held is not None
    assert (found.held.since, found.held.line, found.others) == ("2026-11-20 10:00:00", 2, 0)
