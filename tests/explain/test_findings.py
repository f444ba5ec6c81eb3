"""Planted faults: each is found, with its line and its rule, and nothing else is."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host, virtual_hosts
from tidegate.explain import explaining, versions
from tidegate.explain.vocabulary import Traffic

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
PAGE = "<address-full-policy>PAGE</address-full-policy>"
SIZE = "<max-size-bytes>100k</max-size-bytes>"
PFC = '"overflowPolicy": "PRODUCER_FLOW_CONTROL"'
VM = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>"


def found(folder: Path, text: str, broker: str = "", size: int = 1024) -> list[tuple[int, str]]:
    """Line and rule of everything that is found in a file."""
    path = folder / ("vh.json" if text.startswith("{") else "file.xml")
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, path.name)
    taken = explaining.version_of(read, *versions.parse(broker or "documents"))
    explained = explaining.explain(read, taken, Traffic(size=size))
    return [(each.origin.line, each.rule) for each in explained.findings]


ARTEMIS = {
    "a reject threshold below the limit": (
        artemis(SIZE, BLOCK, "<max-size-bytes-reject-threshold>51200</max-size-bytes-reject-threshold>"),
        [(6, "ARTEMIS-AMQP-9")],
    ),
    "a reject threshold under PAGE": (
        artemis(SIZE, PAGE, "<max-size-bytes-reject-threshold>512000</max-size-bytes-reject-threshold>"),
        [(6, "ARTEMIS-AMQP-9")],
    ),
    "a reject threshold of 0": (
        artemis(SIZE, BLOCK, "<max-size-bytes-reject-threshold>0</max-size-bytes-reject-threshold>"),
        [(6, "ARTEMIS-AMQP-9"), (6, "ARTEMIS-AMQP-9")],
    ),
    "a limit of 0": (artemis("<max-size-bytes>0</max-size-bytes>", BLOCK), [(4, "ARTEMIS-BLOCK-1")]),
    "BLOCK without any limit": (
        artemis(BLOCK, "<max-size-bytes>-1</max-size-bytes>", core=["<global-max-size>-1</global-max-size>"]),
        [(5, "ARTEMIS-BLOCK-1")],
    ),
    "a limit above that of the broker": (
        artemis(SIZE, BLOCK, core=["<global-max-size>10k</global-max-size>"]),
        [(5, "ARTEMIS-BLOCK-1")],
    ),
    "a page limit under BLOCK": (
        artemis(SIZE, BLOCK, "<page-limit-bytes>1M</page-limit-bytes>"),
        [(6, "GENERAL-34")],
    ),
    "a page limit in messages under DROP": (
        artemis(SIZE, BLOCK.replace("BLOCK", "DROP"), "<page-limit-messages>10</page-limit-messages>"),
        [(6, "GENERAL-34")],
    ),
    "page-full-policy under FAIL": (
        artemis(SIZE, BLOCK.replace("BLOCK", "FAIL"), "<page-full-policy>DROP</page-full-policy>"),
        [(6, "GENERAL-34")],
    ),
    "page-full-policy without a page limit": (
        artemis(SIZE, PAGE, "<page-full-policy>DROP</page-full-policy>"),
        [(6, "GENERAL-34")],
    ),
    "a page limit without page-full-policy": (
        artemis(SIZE, PAGE, "<page-limit-bytes>1M</page-limit-bytes>"),
        [(6, "GENERAL-34")],
    ),
    "a limit in messages that bytes always reach first": (
        artemis("<max-size-bytes>10000</max-size-bytes>", BLOCK, "<max-size-messages>10000</max-size-messages>"),
        [(6, "GENERAL-18")],
    ),
    "no messages at all": (artemis(SIZE, BLOCK, "<max-size-messages>0</max-size-messages>"), [(6, "GENERAL-18")]),
    "a low mark at the credits": (
        artemis(SIZE, BLOCK, acceptor="amqpCredits=10;amqpLowCredits=10"),
        [(3, "ARTEMIS-AMQP-4")],
    ),
    "a low mark above the usual credits": (
        artemis("<max-size-bytes>1G</max-size-bytes>", BLOCK, acceptor="amqpLowCredits=300"),
        [(3, "ARTEMIS-AMQP-4")],
    ),
    "no credits": (artemis(SIZE, BLOCK, acceptor="amqpCredits=0;amqpLowCredits=0"), [(3, "ARTEMIS-AMQP-1")]),
    "a low mark that is never reached": (
        artemis(SIZE, BLOCK, acceptor="amqpCredits=10;amqpLowCredits=-1"),
        [(3, "ARTEMIS-AMQP-4")],
    ),
    "credits of an acceptor without AMQP": (
        artemis(SIZE, BLOCK, acceptor="protocols=CORE,MQTT;amqpCredits=10;amqpLowCredits=3"),
        [(3, "ARTEMIS-AMQP-2"), (3, "ARTEMIS-AMQP-2")],
    ),
    "more credit than the address": (
        artemis(SIZE, BLOCK, acceptor="amqpCredits=1000;amqpLowCredits=300"),
        [(3, "ARTEMIS-AMQP-8")],
    ),
    "a Core window larger than the address": (
        artemis(
            SIZE,
            BLOCK,
            core=[
                '<connectors><connector name="c">tcp://h:1?producerWindowSize=1048576</connector></connectors>',
            ],
        ),
        [(3, "ARTEMIS-CORE-6")],
    ),
    "a disk that may never be used": (
        artemis(SIZE, BLOCK, core=["<max-disk-usage>0</max-disk-usage>"]),
        [(3, "GENERAL-37")],
    ),
    "no guard of the disk": (artemis(SIZE, BLOCK, core=["<max-disk-usage>100</max-disk-usage>"]), [(3, "GENERAL-37")]),
}
CLASSIC = {
    "a memoryLimit under the file cursor": (
        classic('<policyEntry queue=">" memoryLimit="1mb"/>'),
        [(3, "CLASSIC-MEMORY-7")],
    ),
    "a memoryLimit without flow control": (
        classic('<policyEntry topic=">" memoryLimit="1mb"', ' producerFlowControl="false"/>'),
        [(3, "CLASSIC-MEMORY-6")],
    ),
    "a memoryLimit above that of all": (
        classic(
            '<policyEntry queue=">" memoryLimit="65mb">' + VM,
            usage=['<systemUsage><memoryUsage limit="64 mb"/></systemUsage>'],
        ),
        [(3, "CLASSIC-MEMORY-9")],
    ),
    "a memoryLimit of 0": (classic('<policyEntry queue=">" memoryLimit="0">' + VM), [(3, "CLASSIC-MEMORY-1")]),
    "an entry that another one overrides": (
        classic('<policyEntry topic="a.>"/>', '<policyEntry topic="a.>"/>'),
        [(3, "CLASSIC-MEMORY-1")],
    ),
    "nothing that stops producers": (
        classic('<policyEntry queue=">"', ' producerFlowControl="false">' + VM),
        [(4, "CLASSIC-MEMORY-6")],
    ),
    "failing at once beside failing after a time": (
        classic(usage=['<systemUsage sendFailIfNoSpace="true"', ' sendFailIfNoSpaceAfterTimeout="3000"/>']),
        [(4 + 0, "CLASSIC-SEND-2"), (5, "CLASSIC-FAIL-5")],
    ),
    "failing at once where nobody waits": (
        classic(
            '<policyEntry topic=">" producerFlowControl="false"/>', usage=['<systemUsage sendFailIfNoSpace="true"/>']
        ),
        [(3, "CLASSIC-MEMORY-6"), (5, "CLASSIC-FAIL-1")],
    ),
    "a limit in bytes and in percent": (
        classic(usage=['<systemUsage><memoryUsage limit="1mb" percentOfJvmHeap="70"/></systemUsage>']),
        [(4, "CLASSIC-MEMORY-1")],
    ),
    "a store that stores nothing": (
        classic(usage=['<systemUsage><storeUsage limit="1 gb"/></systemUsage>'], broker='persistent="false"'),
        [(4, "CLASSIC-USAGE-1"), (4, "CLASSIC-USAGE-2")],
    ),
    "less in files than in memory": (
        classic(usage=['<systemUsage><memoryUsage limit="1 gb"/>', '<tempUsage limit="1 mb"/></systemUsage>']),
        [(5, "CLASSIC-USAGE-2")],
    ),
}
JSON = {
    "a limit that does nothing": (
        host('{"name": "a", "maximumQueueDepthBytes": 10}'),
        [(5, "")],
    ),
    "a limit in messages under NONE": (
        host('{"name": "a", "maximumQueueDepthMessages": 10, "overflowPolicy": "NONE"}'),
        [(5, "")],
    ),
    "flow control without a limit": (host('{"name": "a", ' + PFC + "}"), [(5, "QPID-QUEUE-3")]),
    "rejecting without a limit": (host('{"name": "a", "overflowPolicy": "REJECT"}'), [(5, "QPID-QUEUE-3")]),
    "a resume level above the capacity": (
        host(
            '{"name": "a", "maximumQueueDepthBytes": 1000, ' + PFC + "}", context='{"queue.queueFlowResumeLimit": 110}'
        ),
        [(2, "QPID-QUEUE-2")],
    ),
    "a resume level of 0": (
        host(
            '{"name": "a", "maximumQueueDepthBytes": 1000, ' + PFC + ', "context": {"queue.queueFlowResumeLimit": "0"}}'
        ),
        [(5, "QPID-QUEUE-2")],
    ),
    "a resume level that nothing meets": (
        host(
            '{"name": "a", "maximumQueueDepthBytes": 1000, ' + PFC + "}", context='{"queue.queueFlowResumeLimit": -10}'
        ),
        [(2, "QPID-QUEUE-2")],
    ),
    "a resume level where nobody is stopped": (
        host(
            '{"name": "a", "maximumQueueDepthBytes": 1000, "overflowPolicy": "RING",'
            '\n"context": {"queue.queueFlowResumeLimit": 70}}'
        ),
        [(6, "QPID-QUEUE-2")],
    ),
    "a capacity of 0": (host('{"name": "a", "maximumQueueDepthBytes": 0, ' + PFC + "}"), [(5, "QPID-QUEUE-3")]),
    "a limit in messages that bytes reach first": (
        host('{"name": "a", "maximumQueueDepthBytes": 10000, "maximumQueueDepthMessages": 10000, ' + PFC + "}"),
        [(5, "GENERAL-18")],
    ),
    "a quota upside down": (
        host(more='"type": "BDB", "storeOverfullSize": 10, "storeUnderfullSize": 20'),
        [(3, "QPID-DISK-2")],
    ),
    "a quota of a store that has none": (
        host(more='"type": "Memory", "storeOverfullSize": 20, "storeUnderfullSize": 10'),
        [(3, "QPID-DISK-6")],
    ),
}
XML = {
    "a resume level above the capacity": (
        virtual_hosts("<capacity>10000</capacity>", "<flowResumeCapacity>20000</flowResumeCapacity>"),
        [(4, "QPID-QUEUE-2")],
    ),
    "a resume level without a capacity": (
        virtual_hosts("<flowResumeCapacity>20000</flowResumeCapacity>"),
        [(3, "QPID-QUEUE-3")],
    ),
    "a resume level of 0": (
        virtual_hosts("<capacity>10000</capacity>", "<flowResumeCapacity>0</flowResumeCapacity>"),
        [(4, "QPID-QUEUE-2")],
    ),
    "a capacity below the resume level of the virtual host": (
        virtual_hosts(
            "<capacity>100000</capacity><flowResumeCapacity>80000</flowResumeCapacity>",
            "<queues><queue><name>q</name><q>",
            "<capacity>10000</capacity>",
            "</q></queue></queues>",
        ),
        [(5, "QPID-QUEUE-6")],
    ),
    "a store upside down": (
        virtual_hosts("<store><overfull-size>10</overfull-size>", "<underfull-size>20</underfull-size></store>"),
        [(4, "QPID-DISK-2")],
    ),
    "a store that never lets go": (
        virtual_hosts("<store><overfull-size>10</overfull-size>", "<underfull-size>0</underfull-size></store>"),
        [(4, "QPID-DISK-4")],
    ),
    "a store with one limit": (
        virtual_hosts("<store>", "<overfull-size>10</overfull-size></store>"),
        [(4, "QPID-DISK-2")],
    ),
    "a store with the lower limit only": (
        virtual_hosts("<store>", "<underfull-size>10</underfull-size></store>"),
        [(4, "QPID-DISK-2")],
    ),
    "a quota of a store in memory": (
        virtual_hosts(
            "<store><class>org.apache.qpid.server.store.MemoryMessageStore</class>",
            "<overfull-size>10</overfull-size><underfull-size>5</underfull-size></store>",
        ),
        [(4, "QPID-DISK-6")],
    ),
}
PLANTED = {
    f"{sort}: {name}": case
    for sort, cases in (("Artemis", ARTEMIS), ("Classic", CLASSIC), ("JSON", JSON), ("XML", XML))
    for name, case in cases.items()
}
SOUND = {
    "Artemis": artemis(
        SIZE,
        BLOCK,
        "<max-size-bytes-reject-threshold>204800</max-size-bytes-reject-threshold>",
        core=["<global-max-size>10M</global-max-size><max-disk-usage>90</max-disk-usage>"],
        acceptor="protocols=AMQP;amqpCredits=50;amqpLowCredits=10",
    ),
    "Artemis that pages": artemis(
        SIZE, PAGE, "<page-limit-bytes>1M</page-limit-bytes>", "<page-full-policy>FAIL</page-full-policy>"
    ),
    "Classic": classic(
        '<policyEntry queue=">" memoryLimit="1mb">' + VM,
        '<policyEntry topic=">" memoryLimit="1mb"/>',
        usage=['<systemUsage sendFailIfNoSpaceAfterTimeout="3000"><memoryUsage limit="64 mb"/></systemUsage>'],
    ),
    "JSON": host('{"name": "a", "maximumQueueDepthBytes": 1000, "maximumQueueDepthMessages": 10, ' + PFC + "}"),
    "XML": virtual_hosts("<capacity>10485760</capacity>", "<flowResumeCapacity>8388608</flowResumeCapacity>"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found_with_its_line_and_rule(tmp_path: Path, name: str) -> None:
    text, expected = PLANTED[name]
    assert found(tmp_path, text) == expected


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, SOUND[name]) == []


def test_a_policy_that_is_not_set_is_another_in_the_documents_and_in_a_release(tmp_path: Path) -> None:
    assert found(tmp_path, artemis(SIZE)) == [(3, "ARTEMIS-BLOCK-2")]  # BLOCK
    assert found(tmp_path, artemis(SIZE), "artemis:2.44.0") == []  # PAGE, as every release has it


def test_a_capacity_alone_releases_in_0_18_only_at_an_empty_queue(tmp_path: Path) -> None:
    text = virtual_hosts("<queues><queue><name>q</name><q>", "<capacity>10000</capacity>", "</q></queue></queues>")
    assert found(tmp_path, text) == []
    assert found(tmp_path, text, "qpid:0.18") == [(4, "QPID-QUEUE-5")]


def test_a_timeout_is_not_known_to_releases_before_5_3_1(tmp_path: Path) -> None:
    text = classic(usage=['<systemUsage sendFailIfNoSpaceAfterTimeout="3000"/>'])
    assert found(tmp_path, text, "classic:5.3.0") == [(4, "CLASSIC-FAIL-3")]
    assert found(tmp_path, text, "classic:5.15.0") == []


def test_a_time_that_sends_may_wait_has_no_effect_on_topics_of_6_3_1(tmp_path: Path) -> None:
    usage = ['<systemUsage sendFailIfNoSpaceAfterTimeout="3000"/>']
    of_topics = classic('<policyEntry topic="t" memoryLimit="1mb"/>', usage=usage)
    assert found(tmp_path, of_topics) == []
    assert found(tmp_path, of_topics, "classic:6.3.1") == [(5, "CLASSIC-FAIL-3")]
    of_queues = classic('<policyEntry queue="q" memoryLimit="1mb">' + VM, usage=usage)
    assert found(tmp_path, of_queues, "classic:6.3.1") == []
    (read,) = explaining.read_file(tmp_path / "file.xml", "file.xml")
    each = explaining.explain(read, explaining.version_of(read, "classic", "6.3.1"), Traffic()).destinations
    does = {limit.does for destination in each for limit in destination.limits if limit.name == "memoryUsage"}
    assert {"on topics" in says for says in does} == {False, True}


def test_a_memory_limit_under_the_file_cursor_stops_nobody_in_the_documents_only(tmp_path: Path) -> None:
    text = classic('<policyEntry queue="q" memoryLimit="1mb"/>')
    assert found(tmp_path, text) == [(3, "CLASSIC-MEMORY-7")]
    assert found(tmp_path, text, "classic:5.18.6") == []
    (read,) = explaining.read_file(tmp_path / "file.xml", "file.xml")
    documented, built = (
        explaining.explain(read, explaining.version_of(read, *versions.parse(named or "documents")), Traffic())
        .destinations[0]
        .verdict
        for named in ("", "classic:5.18.6")
    )
    assert documented.endswith("other sends wait for tempUsage (10 GiB); the memoryLimit stops nobody")
    assert "persistent sends wait for memoryLimit (1 MiB) or memoryUsage" in built and "stops nobody" not in built


def test_credit_is_too_much_for_large_messages_only(tmp_path: Path) -> None:
    text = artemis(SIZE, BLOCK, acceptor="amqpCredits=100;amqpLowCredits=30")
    assert found(tmp_path, text, size=1024) == []
    assert found(tmp_path, text, size=1025) == [(3, "ARTEMIS-AMQP-8")]
