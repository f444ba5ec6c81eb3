"""Faults planted in every form of a configuration: each is found, with its line and its rule, and nothing else."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host, virtual_hosts
from tidegate.explain import explaining, versions
from tidegate.explain.machine import Machine
from tidegate.explain.vocabulary import Traffic

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
PAGE = "<address-full-policy>PAGE</address-full-policy>"
SIZE = "<max-size-bytes>100k</max-size-bytes>"
NEXT = '</address-setting><address-setting match="{}">'
VM = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>"
PFC = '"overflowPolicy": "PRODUCER_FLOW_CONTROL"'


def found(
    folder: Path, name: str, text: str, broker: str = "", machine: Machine | None = None
) -> list[tuple[int, str, str]]:
    """Line, rule and sentence of everything that is found in a file of a name."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    findings = []
    for read in explaining.read_file(path, name):
        taken = explaining.version_of(read, *versions.parse(broker or "documents"))
        said = explaining.explain(read, taken, Traffic(), (), machine or Machine())
        findings += [(each.origin.line, each.rule, each.sentence) for each in said.findings]
    return findings


PROPERTIES = "\n".join(
    ["# limits", "globalMaxSize=1G", 'addressSettings."#".maxSizeBytes=10M', 'addressSettings."#".{}={}', "{}"]
)
OPERATOR = "\n".join(
    [
        "kind: ActiveMQArtemis",
        "spec:",
        "  addressSettings:",
        "    addressSetting:",
        '      - match: "#"',
        "        maxSizeBytes: 10M",
        "        addressFullPolicy: BLOCK",
        "        maxSizeBytesRejectThreshold: 1048576",
    ]
)
WRAPPED = "\n".join(
    [
        "kind: ConfigMap",
        "data:",
        "  broker.xml: |",
        '    <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">',
        "    <max-disk-usage>0</max-disk-usage>",
        '    <address-settings><address-setting match="#">',
        f"    {SIZE}{BLOCK}",
        "    </address-setting></address-settings></core></configuration>",
    ]
)
CHART = "\n".join(
    [
        "{{- if .Values.enabled }}",
        "data:",
        "  broker.xml: |-",
        "    <configuration><core>",
        '    <address-settings><address-setting match="{{ .Values.match | quote }}">',
        '    <max-size-bytes>{{ .Values.size | default "100k" }}</max-size-bytes>',
        "    <address-full-policy>BLOCK</address-full-policy><page-limit-bytes>1M</page-limit-bytes>",
        "    </address-setting></address-settings></core></configuration>",
        "{{- end }}",
    ]
)
STOMP = (
    '<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core"><acceptors>\n'
    '<acceptor name="all">tcp://h:1?protocols=CORE,{}</acceptor>\n'
    '<acceptor name="stomp">tcp://h:2?protocols={}</acceptor></acceptors>\n'
    f'<address-settings><address-setting match="#">{SIZE}{{}}</address-setting></address-settings>'
    "</core></configuration>"
)
PLANTED = {
    "acceptors of STOMP beside an address under BLOCK": (
        "broker.xml",
        STOMP.format("STOMP", "STOMP", BLOCK),
        [(2, "GENERAL-15", "the acceptor all takes STOMP: with STOMP, # may grow")],
    ),
    "no acceptor of STOMP": ("broker.xml", STOMP.format("AMQP", "OPENWIRE", BLOCK), []),
    "acceptors of STOMP beside an address that pages": ("broker.xml", STOMP.format("STOMP", "STOMP", PAGE), []),
    "properties: a reject threshold below the limit": (
        "broker.properties",
        PROPERTIES.format("maxSizeBytesRejectThreshold", "1M", 'addressSettings."#".addressFullMessagePolicy=BLOCK'),
        [(4, "ARTEMIS-AMQP-9", "before the address is full")],
    ),
    "properties: page limit under BLOCK": (
        "broker.properties",
        PROPERTIES.format("pageLimitBytes", "1M", "addressSettings.#.addressFullMessagePolicy=BLOCK"),
        [(4, "GENERAL-34", "under BLOCK")],
    ),
    "properties: a global limit below that of an address": (
        "broker.properties",
        PROPERTIES.format("addressFullMessagePolicy", "PAGE", "broker-0.globalMaxSize=1M"),
        [(3, "ARTEMIS-BLOCK-1", "global-max-size (1,048,576)")],
    ),
    "properties: a low mark above the credits": (
        "broker.properties",
        PROPERTIES.format("addressFullMessagePolicy", "BLOCK", "acceptorConfigurations.amqp.params.amqpCredits=10\n"),
        [(5, "ARTEMIS-AMQP-4", "amqpLowCredits (30) is not below amqpCredits (10)")],
    ),
    "JSON of broker properties: a disk that may never be used": (
        "broker.json",
        '{"maxDiskUsage": 0,\n"addressSettings": {"#": {"maxSizeBytes": "10M",\n"addressFullMessagePolicy": "PAGE"}}}',
        [(1, "GENERAL-37", "stops every producer")],
    ),
    "operator: a reject threshold below the limit": (
        "cr.yaml",
        OPERATOR,
        [(8, "ARTEMIS-AMQP-9", "before the address")],
    ),
    "operator: properties in a resource": (
        "cr.yml",
        'spec:\n  brokerProperties:\n  - addressSettings."a.#".maxSizeBytes=12\n'
        '  - addressSettings."a.#".addressFullMessagePolicy=FAIL',
        [(3, "ARTEMIS-BLOCK-1", "Is a unit missing?")],
    ),
    "YAML around a broker.xml": ("map.yaml", WRAPPED, [(5, "GENERAL-37", "stops every producer")]),
    "a template of a chart": ("map.yaml", CHART, [(7, "GENERAL-34", "page limit has no effect")]),
    "YAML around an activemq.xml": (
        "map.yaml",
        "a: |\n  <broker>\n  <policyEntry queue='>' memoryLimit='1mb'/>\n  </broker>\n",
        [(3, "CLASSIC-MEMORY-7", "file cursor")],
    ),
    "YAML around a JSON of Qpid": (
        "map.yaml",
        'a: |\n  {\n  "queues": [{"name": "q",\n  "maximumQueueDepthBytes": 5000}]}\n',
        [(4, "", "overflowPolicy is NONE")],
    ),
    "a script around a broker.xml": (
        "Dockerfile",
        f'RUN cat > etc/broker.xml <<E\n<address-settings><address-setting match="#">\n{SIZE}{PAGE}\n'
        "<page-full-policy>DROP</page-full-policy></address-setting></address-settings>\nE\n",
        [(4, "GENERAL-34", "without page-limit-bytes")],
    ),
    "Artemis: settings of one match twice": (
        "broker.xml",
        artemis(BLOCK + SIZE, NEXT.format("#"), BLOCK + SIZE),
        [(5, "ARTEMIS-BLOCK-1", "line 3 sets others")],
    ),
    "Artemis: the wildcard of ActiveMQ Classic": (
        "broker.xml",
        artemis(BLOCK + SIZE, NEXT.format("orders.>"), BLOCK + SIZE),
        [(5, "ARTEMIS-BLOCK-1", "> stands for nothing")],
    ),
    "Artemis: a pattern that more specific ones hide": (
        "broker.xml",
        artemis(
            BLOCK + SIZE,
            NEXT.format("orders.#") + SIZE,
            NEXT.format("orders.*") + "<max-size-bytes>1k</max-size-bytes>",
            core=['<addresses><address name="orders.eu"/><address name="orders.us"/></addresses>'],
        ),
        [(6, "ARTEMIS-BLOCK-1", "in force at no address of the file")],
    ),
    "Artemis: a limit without its unit": (
        "broker.xml",
        artemis("<max-size-bytes>10</max-size-bytes>", BLOCK),
        [(4, "ARTEMIS-BLOCK-1", "Is a unit missing?")],
    ),
    "Artemis: a global limit without its unit": (
        "broker.xml",
        artemis(PAGE, "<max-size-bytes>-1</max-size-bytes>", core=["<global-max-size>512</global-max-size>"]),
        [(3, "", "of all addresses together")],
    ),
    "Artemis: a global limit in messages below that of an address": (
        "broker.xml",
        artemis(
            BLOCK + SIZE,
            "<max-size-messages>500</max-size-messages>",
            core=["<global-max-messages>100</global-max-messages>"],
        ),
        [(6, "GENERAL-18", "global-max-messages (100) is less")],
    ),
    "Artemis: a page as large as the address": (
        "broker.xml",
        artemis(PAGE + SIZE, "<page-size-bytes>10M</page-size-bytes>"),
        [(5, "", "is no less than max-size-bytes")],
    ),
    "Artemis: a limit of less than one page": (
        "broker.xml",
        artemis(
            PAGE + SIZE,
            "<page-size-bytes>50k</page-size-bytes>",
            "<page-limit-bytes>40k</page-limit-bytes><page-full-policy>FAIL</page-full-policy>",
        ),
        [(6, "GENERAL-34", "less than one page")],
    ),
    "Artemis: a limit of the disk without persistence": (
        "broker.xml",
        artemis(
            PAGE + SIZE,
            core=["<persistence-enabled>false</persistence-enabled>", "<max-disk-usage>90</max-disk-usage>"],
        ),
        [(4, "GENERAL-37", "persistence-enabled is false")],
    ),
    "Artemis: no window at all": (
        "broker.xml",
        artemis(
            BLOCK + SIZE,
            core=['<connectors><connector name="c">tcp://h:1?producerWindowSize=-1</connector></connectors>'],
        ),
        [(3, "ARTEMIS-CORE-6", "below 0 is no window")],
    ),
    "WildFly: a reject threshold below the limit": (
        "standalone.xml",
        '<server xmlns="urn:jboss:domain:20.0"><profile><subsystem xmlns="urn:jboss:domain:messaging-activemq:13.0">\n'
        '<server name="default">\n<address-setting name="#" address-full-policy="BLOCK" max-size-bytes="102400"\n'
        'max-size-bytes-reject-threshold="51200"/></server></subsystem></profile></server>',
        [(4, "ARTEMIS-AMQP-9", "before the address is full")],
    ),
    "Classic: some senders fail": (
        "activemq.xml",
        classic('<policyEntry topic="a.>" sendFailIfNoSpace="true"/>', '<policyEntry topic=">"/>'),
        [(3, "CLASSIC-FAIL-1", "every other destination wait")],
    ),
    "Classic: the wildcard of Artemis": (
        "activemq.xml",
        classic('<policyEntry topic="a.#"/>'),
        [(3, "CLASSIC-MEMORY-1", "# stands for nothing")],
    ),
    "Classic: a part of a word": (
        "activemq.xml",
        classic('<policyEntry queue="ORDERS*"/>'),
        [(3, "CLASSIC-MEMORY-1", "whole words only")],
    ),
    "Classic: an entry without a destination": (
        "activemq.xml",
        classic('<policyEntry memoryLimit="1mb"/>'),
        [(3, "CLASSIC-MEMORY-1", "names no queue and no topic")],
    ),
    "Classic: an entry that a more specific one hides": (
        "activemq.xml",
        classic(
            '<policyEntry topic="a.>" memoryLimit="2mb"/>',
            '<policyEntry topic="a.b" memoryLimit="1mb"/>',
            usage=['<destinations><topic physicalName="a.b"/></destinations>'],
        ),
        [(3, "CLASSIC-MEMORY-1", "in force at no topic that the file names")],
    ),
    "Classic: a memoryLimit without its unit": (
        "activemq.xml",
        classic('<policyEntry queue=">" memoryLimit="64">' + VM),
        [(3, "CLASSIC-MEMORY-1", "Is a unit missing?")],
    ),
    "Classic: a limit of a scheduler that does not run": (
        "activemq.xml",
        classic(usage=["<systemUsage>", '<jobSchedulerUsage limit="1 mb"/></systemUsage>']),
        [(5, "CLASSIC-MEMORY-1", "jobSchedulerUsage has no effect: without schedulerSupport")],
    ),
    "properties: a disk limit above the whole": (
        "broker.properties",
        "maxDiskUsage=150",
        [(1, "GENERAL-37", "no disk is that full, so it stops nobody")],
    ),
    "Classic: bits": (
        "activemq.xml",
        classic('<policyEntry queue=">" memoryLimit="10Mb">' + VM),
        [(3, "CLASSIC-MEMORY-1", "not for bits")],
    ),
    "Classic: a store of less than one file": (
        "activemq.xml",
        classic(usage=["<systemUsage>", '<storeUsage limit="20 mb"/></systemUsage>']),
        [(5, "CLASSIC-USAGE-1", "less than one file of the journal")],
    ),
    "Classic: a limit of 0": (
        "activemq.xml",
        classic(usage=['<systemUsage><tempUsage limit="0"/></systemUsage>']),
        [(4, "CLASSIC-USAGE-2", "0 is no limit")],
    ),
    "Classic: more than the whole": (
        "activemq.xml",
        classic(usage=['<systemUsage><memoryUsage percentOfJvmHeap="700"/></systemUsage>']),
        [(4, "CLASSIC-MEMORY-9", "700 %")],
    ),
    "Classic: two brokers, the second at fault": (
        "activemq.xml",
        '<beans><broker brokerName="one"><policyEntry topic=">"/></broker>\n'
        '<broker brokerName="two"><policyEntry topic=">" producerFlowControl="false"\n'
        ' memoryLimit="1mb"/></broker></beans>',
        [(3, "CLASSIC-MEMORY-6", "producerFlowControl is false")],
    ),
    "Classic: beans by class": (
        "spring.xml",
        '<beans><bean class="org.apache.camel.spring.Main"/>\n'
        '<bean class="org.apache.activemq.broker.region.policy.PolicyEntry">\n'
        '<property name="queue" value=">"/>\n<property name="memoryLimit" value="1mb"/></bean></beans>',
        [(4, "CLASSIC-MEMORY-7", "file cursor")],
    ),
    "Classic: policies beside the broker": (
        "activemq.xml",
        '<beans><broker destinationPolicy="#p"/>\n<policyMap id="p"><policyEntries><policyEntry topic="x.#"/>'
        "</policyEntries></policyMap></beans>",
        [(2, "CLASSIC-MEMORY-1", "# stands for nothing")],
    ),
    "Qpid: a percentage as a fraction": (
        "vh.json",
        host(
            '{"name": "a", "maximumQueueDepthBytes": 10000, ' + PFC + "}",
            context='{"queue.queueFlowResumeLimit": "0.8"}',
        ),
        [(2, "QPID-QUEUE-2", "0.8 percent of the capacity")],
    ),
    "Qpid: a capacity without its unit": (
        "vh.json",
        host('{"name": "a", "maximumQueueDepthBytes": 10, ' + PFC + "}"),
        [(5, "QPID-QUEUE-1", "less than one message")],
    ),
    "Qpid: a limit in messages that lets nobody go": (
        "vh.json",
        host(
            '{"name": "a", "maximumQueueDepthMessages": 10, ' + PFC + "}", context='{"queue.queueFlowResumeLimit": "0"}'
        ),
        [(2, "QPID-QUEUE-2", "released only when the queue is empty")],
    ),
    "Qpid: a resume level above the limit in messages": (
        "vh.json",
        host(
            '{"name": "a", "maximumQueueDepthMessages": 10,'
            + PFC
            + ',\n"context": {"queue.queueFlowResumeLimit": 150}}'
        ),
        [(6, "QPID-QUEUE-2", "(15 messages) is above the limit of a (10)")],
    ),
    "Qpid: an underfull size above the overfull size": (
        "vh.json",
        host('{"name": "a"}', more='"type": "BDB", "storeOverfullSize": 10,\n"storeUnderfullSize": 20'),
        [(4, "QPID-DISK-2", "takes no underfull size of 20")],
    ),
    "Qpid: queues that are created by a pattern": (
        "vh.json",
        host(
            '{"name": "a"}',
            more='"nodeAutoCreationPolicies": [{"pattern": "b.*", "nodeType": "queue",'
            '\n"attributes": {"maximumQueueDepthMessages": 5}}]',
        ),
        [(4, "", "maximumQueueDepthMessages has no effect")],
    ),
    "Qpid: queues as management lists them": (
        "queues.json",
        '# exported\n[{"name": "a", "overflowPolicy": "NONE",\n"maximumQueueDepthBytes": 5000}]',
        [(3, "", "overflowPolicy is NONE")],
    ),
    "Qpid: an old file of virtual hosts within another one": (
        "config.xml",
        "<broker><virtualhosts>" + virtual_hosts("<flowResumeCapacity>2000</flowResumeCapacity>")[14:] + "</broker>",
        [(3, "QPID-QUEUE-3", "without a capacity")],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_is_found_with_its_line_and_rule_in_every_form(tmp_path: Path, name: str) -> None:
    file, text, expected = PLANTED[name]
    seen = found(tmp_path, file, text)
    assert [(line, rule) for line, rule, _ in seen] == [(line, rule) for line, rule, _ in expected]
    for (_, _, sentence), (_, _, words) in zip(seen, expected, strict=True):
        assert words in sentence


@pytest.mark.parametrize(
    ("protocol", "policy", "kinds"),
    [
        ("stomp", BLOCK, {"STOMP producers"}),
        ("", BLOCK, {"Core producers (window 65,536 bytes)", "STOMP producers"}),
        ("core", BLOCK, {"Core producers (window 65,536 bytes)"}),
        ("stomp", PAGE, {"all producers"}),
    ],
)
def test_stomp_producers_have_no_worst_case_under_block(
    tmp_path: Path, protocol: str, policy: str, kinds: set[str]
) -> None:
    path = tmp_path / "broker.xml"
    path.write_text(STOMP.format("STOMP", "STOMP", policy), encoding="utf-8")
    (read,) = explaining.read_file(path, "broker.xml")
    taken = explaining.version_of(read, *versions.parse("artemis:2.44.0"))
    said = explaining.explain(read, taken, Traffic(2, 1000, protocol=protocol), (), Machine())
    flows = {flow.producers: flow.bound for each in said.destinations for flow in each.flows}
    assert flows.keys() == kinds
    assert [kind for kind, worst in flows.items() if worst.bytes is None] == [
        kind for kind in flows if not kind.startswith("Core")
    ]


def test_a_capacity_by_its_old_name_has_no_effect_since_7(tmp_path: Path) -> None:
    text = host('{"name": "a", "queueFlowControlSizeBytes": 10000}')
    # the name is right in 6.1.7, where a resume level that is not set is 0
    assert [rule for _, rule, _ in found(tmp_path, "vh.json", text, "qpid:6.1.7")] == ["QPID-QUEUE-5"]
    assert [rule for _, rule, _ in found(tmp_path, "vh.json", text, "qpid:9.2.1")] == ["QPID-QUEUE-1"]


def test_a_limit_may_be_more_than_the_machine(tmp_path: Path) -> None:
    text = artemis(PAGE + SIZE, core=["<global-max-size>2G</global-max-size>"])
    assert found(tmp_path, "broker.xml", text) == []
    assert found(tmp_path, "broker.xml", text, machine=Machine(heap=1 << 31)) == []
    seen = found(tmp_path, "broker.xml", text, machine=Machine(heap=(1 << 31) - 1))
    assert [(line, rule) for line, rule, _ in seen] == [(3, "")]
    others = '<memoryUsage limit="64 mb"/><tempUsage percentLimit="1"/>'
    usage = classic(usage=[f'<systemUsage>{others}<storeUsage limit="100 gb"/></systemUsage>'])
    assert found(tmp_path, "activemq.xml", usage, machine=Machine(disk=100 << 30)) == []
    assert len(found(tmp_path, "activemq.xml", usage, machine=Machine(disk=50 << 30))) == 1


OF_HEAP = "<global-max-size-percent-of-jvm-max-memory>{}</global-max-size-percent-of-jvm-max-memory>"
MEMORY = "<systemUsage><memoryUsage><memoryUsage {}/></memoryUsage></systemUsage>"


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("activemq.xml", classic(usage=[MEMORY.format('percentOfJvmHeap="70"')]), []),
        (
            "activemq.xml",
            classic(usage=[MEMORY.format('percentOfJvmHeap="70" limit="1 gb"')]),
            ["percentOfJvmHeap counts"],
        ),
        ("activemq.xml", classic(usage=[MEMORY.format('percentOfJvmHeap="170"')]), ["is 170 %"]),
        ("broker.xml", artemis(PAGE + SIZE, core=[OF_HEAP.format(30)]), []),
        (
            "broker.xml",
            artemis(PAGE + SIZE, core=[OF_HEAP.format(30), "<global-max-size>1G</global-max-size>"]),
            ["has no effect"],
        ),
    ],
)
def test_how_large_the_heap_is_does_not_change_what_is_found(
    tmp_path: Path, file: str, text: str, expected: list[str]
) -> None:
    for machine in (Machine(), Machine(heap=4 << 30)):
        seen = [sentence for _, _, sentence in found(tmp_path, file, text, machine=machine)]
        assert [words in sentence for words, sentence in zip(expected, seen, strict=True)] == [True] * len(expected)
