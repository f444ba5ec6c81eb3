"""Settings that are misspelt, misplaced or of another broker are told with their line and the right name."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host, virtual_hosts
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Traffic

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
SIZE = "<max-size-bytes>1M</max-size-bytes>"
STOPS = '"overflowPolicy": "PRODUCER_FLOW_CONTROL"'
LIMITED = f'"maximumQueueDepthBytes": 1000000, {STOPS}'


def found(folder: Path, text: str) -> list[str]:
    path = folder / ("vh.json" if text.startswith("{") else "file.xml")
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, "f")
    return [str(each) for each in explaining.explain(read, explaining.version_of(read, "", ""), Traffic()).findings]


PLANTED = {
    "a limit of an address": (
        artemis("<max-size-byte>1M</max-size-byte>" + BLOCK),
        "f:4: ARTEMIS-BLOCK-1: max-size-byte is no setting of an address-setting: is max-size-bytes meant? "
        "A broker refuses to start with it.",
    ),
    "a limit of an address in core": (
        artemis(BLOCK, core=["<max-size-bytes>1M</max-size-bytes>"]),
        "f:3: ARTEMIS-BLOCK-1: max-size-bytes may not stand in core: it belongs in an address-setting. "
        "A broker refuses to start with it.",
    ),
    "a limit of the broker in an address-setting": (
        artemis("<global-max-size>1G</global-max-size>"),
        "f:4: ARTEMIS-BLOCK-1: global-max-size may not stand in an address-setting: it belongs in core. "
        "A broker refuses to start with it.",
    ),
    "a policy at an address": (
        artemis(SIZE, core=[f'<addresses><address name="a">\n{BLOCK}</address></addresses>']),
        "f:4: ARTEMIS-BLOCK-1: address-full-policy may not stand in an address: it belongs in an address-setting. "
        "A broker refuses to start with it.",
    ),
    "a setting of Classic in Artemis": (
        artemis("<memoryLimit>1mb</memoryLimit>"),
        "f:4: ARTEMIS-BLOCK-1: memoryLimit may not stand in an address-setting: it is a setting of ActiveMQ Classic; "
        "here it is max-size-bytes. A broker refuses to start with it.",
    ),
    "credits of an acceptor": (
        artemis(SIZE + BLOCK, acceptor="amqpCredit=50"),
        "f:3: ARTEMIS-BLOCK-1: amqpCredit is no setting of an acceptor: is amqpCredits meant?",
    ),
    "settings outside core": (
        '<configuration>\n<address-settings><address-setting match="#"/></address-settings></configuration>',
        "f:2: ARTEMIS-BLOCK-1: address-settings has no effect outside the element core.",
    ),
    "a limit of Classic": (
        classic('<policyEntry queue=">" memorylimit="10 mb"/>'),
        "f:3: CLASSIC-MEMORY-1: memorylimit is no setting of a policyEntry: is memoryLimit meant? "
        "A broker refuses to start with it.",
    ),
    "flow control of Classic in systemUsage": (
        classic(usage=['<systemUsage producerFlowControl="true"/>']),
        "f:4: CLASSIC-MEMORY-1: producerFlowControl may not stand in systemUsage: it belongs in a policyEntry. "
        "A broker refuses to start with it.",
    ),
    "what a send does at the broker": (
        classic('<policyEntry queue=">"/>', broker='sendFailIfNoSpace="true"'),
        "f:1: CLASSIC-MEMORY-1: sendFailIfNoSpace may not stand in broker: it belongs in systemUsage. "
        "A broker refuses to start with it.",
    ),
    "a share of the disk for memory": (
        classic(usage=['<systemUsage><memoryUsage><memoryUsage percentLimit="70"/></memoryUsage></systemUsage>']),
        "f:4: CLASSIC-MEMORY-1: percentLimit may not stand in memoryUsage: it belongs in storeUsage. "
        "A broker refuses to start with it.",
    ),
    "usage outside systemUsage": (
        classic(usage=['<memoryUsage limit="10 mb"/>']),
        "f:4: CLASSIC-MEMORY-1: memoryUsage may not stand in broker: it belongs in systemUsage. "
        "A broker refuses to start with it.",
    ),
    "the cursor of a topic on a queue": (
        classic(
            '<policyEntry queue=">">', "<pendingSubscriberPolicy><vmCursor/></pendingSubscriberPolicy></policyEntry>"
        ),
        "f:4: CLASSIC-MEMORY-1: pendingSubscriberPolicy has no effect on a queue: pendingQueuePolicy is what a queue "
        "has.",
    ),
    "a context variable": (
        host(f'{{"name": "a", {LIMITED}}}', context='{"queue.queueFlowResumeLimt": "50"}'),
        "f:2: QPID-QUEUE-1: queue.queueFlowResumeLimt is no setting of a context: is queue.queueFlowResumeLimit meant?",
    ),
    "a context variable at a queue": (
        host(f'{{"name": "a", {LIMITED}, "queue.queueFlowResumeLimit": "50"}}'),
        "f:5: QPID-QUEUE-1: queue.queueFlowResumeLimit has no effect in a queue: it belongs in a context.",
    ),
    "a limit of queues at their virtual host": (
        host('{"name":"a"}', more='"type": "BDB", "maximumQueueDepthBytes": 100000'),
        "f:3: QPID-QUEUE-1: maximumQueueDepthBytes has no effect in a virtual host: it belongs in a queue.",
    ),
    "a limit of Qpid": (
        virtual_hosts("<queues>", "<capasity>10000</capasity>", "</queues>"),
        "f:4: QPID-QUEUE-1: capasity is no setting of a queue or the queues of a virtual host: is capacity meant?",
    ),
    "a limit of Broker-J in a virtualhosts.xml": (
        virtual_hosts("<queues>", "<maximumQueueDepthBytes>10000</maximumQueueDepthBytes>", "</queues>"),
        "f:4: QPID-QUEUE-1: maximumQueueDepthBytes has no effect in a queue or the queues of a virtual host: it is a "
        "setting of Broker-J; here it is capacity.",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_name_without_effect_is_told_with_its_line_and_the_right_one(tmp_path: Path, name: str) -> None:
    text, sentence = PLANTED[name]
    assert found(tmp_path, text) == [sentence]


SOUND = {
    "what an address-setting may have": artemis(
        SIZE + BLOCK,
        "<max-read-page-bytes>20M</max-read-page-bytes><prefetch-page-bytes>2M</prefetch-page-bytes>",
        "<id-cache-size>5</id-cache-size><max-redelivery-delay>9</max-redelivery-delay>",
        core=["<page-sync-timeout>5</page-sync-timeout><journal-file-size>10M</journal-file-size>"],
        acceptor="amqpMinLargeMessageSize=102400;protocols=AMQP",
    ),
    "what no release knows and is near to nothing": artemis(SIZE + BLOCK, "<colour>red</colour>"),
    "what an entry may have": classic(
        '<policyEntry topic=">" maxPageSize="5" queuePrefetch="3" cursorMemoryHighWaterMark="60"/>',
        usage=['<networkConnectors><networkConnector name="n" uri="static:(tcp://h:1)"/></networkConnectors>'],
    ),
    "what a queue may have": host(
        f'{{"name": "a", {LIMITED}, "alertThresholdQueueDepthBytes": 5, "maximumMessageTtl": 9}}'
    ),
    "alerts of a queue": virtual_hosts(
        "<queues><capacity>10000</capacity><flowResumeCapacity>8000</flowResumeCapacity>",
        "<maximumQueueDepth>50000</maximumQueueDepth><maximumMessageCount>5</maximumMessageCount></queues>",
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_a_name_that_may_stand_there_is_not_told(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, SOUND[name]) == []
