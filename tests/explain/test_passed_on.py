"""Destinations that pass messages on: virtual destinations of Classic, and diverts and rings of Artemis."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Destination, Explanation, Traffic

MB = 1 << 20
ENTRIES = (
    '<policyEntry queue="IN.>" memoryLimit="9 mb"/>',
    '<policyEntry queue="A" memoryLimit="2 mb"/>',
    '<policyEntry queue="B" memoryLimit="1 mb" producerFlowControl="false"/>',
    '<policyEntry topic="T" memoryLimit="1 mb"/>',
    '<policyEntry queue="Consumer.x.VT.>" memoryLimit="3 mb"/>',
)
VIRTUAL = """<destinationInterceptors><virtualDestinationInterceptor><virtualDestinations>
{}
</virtualDestinations></virtualDestinationInterceptor></destinationInterceptors>"""
TO_ALL = '<forwardTo><queue physicalName="A"/><queue physicalName="B"/><topic physicalName="T?x=1"/></forwardTo>'
FILTERED = '<forwardTo><filteredDestination queue="A" selector="a = 1"/></forwardTo>'
BLOCK = "<address-full-policy>BLOCK</address-full-policy>"


def explained(tmp_path: Path, name: str, text: str, *wanted: str) -> Explanation:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    ((there, read),) = explaining.read_files([path])
    return explaining.explain(read, explaining.version_of(read, "", "", there), Traffic(), wanted)


def of_classic(tmp_path: Path, virtual: str, wanted: str, broker: str = "") -> Explanation:
    inner = VIRTUAL.format(virtual) if virtual else ""
    text = classic(*ENTRIES, broker=broker).replace("</amq:broker>", f"{inner}</amq:broker>")
    return explained(tmp_path, "activemq.xml", text, wanted)


@pytest.mark.parametrize(
    ("virtual", "wanted", "first", "bytes_"),
    [
        (f'<compositeQueue name="IN.>">{TO_ALL}</compositeQueue>', "IN.x", "memoryLimit of topic T", 0),
        (
            f'<compositeQueue name="IN.>"><forwardTo><queue physicalName="HUB"/></forwardTo></compositeQueue>'
            f'<compositeQueue name="HUB">{TO_ALL}</compositeQueue>',
            "IN.x",
            "memoryLimit of topic T",
            0,
        ),
        (f'<compositeQueue name="IN.>" forwardOnly="false">{TO_ALL}</compositeQueue>', "IN.x",
         "memoryLimit of topic T", 9 * MB),
        (f'<compositeQueue name="IN.>" forwardOnly="false">{FILTERED}</compositeQueue>', "IN.x",
         "memoryLimit; memoryLimit of queue A, for messages that its selector chooses", 9 * MB),
        (f'<compositeQueue name="IN.>" sendWhenNotMatched="true">{FILTERED}</compositeQueue>', "IN.x",
         "memoryLimit; memoryLimit of queue A, for messages that its selector chooses", 9 * MB),
        ('<virtualTopic name="VT.>"/>', "topic:VT.a", "memoryLimit of queue Consumer.x.VT.a", 1 << 30),
        ('<compositeQueue name="IN.>"><forwardTo><queue physicalName="IN.x"/></forwardTo></compositeQueue>', "IN.x",
         "none", 0),
    ],
)  # fmt: skip
def test_a_send_to_a_virtual_destination_meets_the_limits_of_those_behind_it(
    tmp_path: Path, virtual: str, wanted: str, first: str, bytes_: int
) -> None:
    found = of_classic(tmp_path, virtual, wanted).destinations[0]
    flow = found.flows[0]
    assert (flow.first, flow.bound.bytes) == (first, bytes_)
    assert ("keeps nothing" in found.verdict) == (not bytes_)


def test_a_message_that_no_selector_chooses_is_lost(tmp_path: Path) -> None:
    virtual = f'<compositeQueue name="IN.>">{FILTERED}</compositeQueue>'
    found = of_classic(tmp_path, virtual, "IN.x").destinations[0]
    assert found.verdict.endswith("a message that no selector chooses is lost without a word")
    assert found.flows[0].first == "memoryLimit of queue A, for messages that its selector chooses"


def test_a_limit_of_a_destination_that_keeps_nothing_has_no_effect(tmp_path: Path) -> None:
    found = of_classic(tmp_path, f'<compositeQueue name="IN.>">{TO_ALL}</compositeQueue>', "IN.x")
    assert [each.origin.line for each in found.findings if "keeps none" in each.sentence] == [3]


@pytest.mark.parametrize(
    ("broker", "virtual", "first"),
    [
        ("", "", "memoryLimit of queue Consumer.*.VirtualTopic.a"),
        ('useVirtualTopics="false"', "", "memoryUsage; storeUsage once other destinations hold 106,300,440,576 bytes "
         "(99 GiB)"),
        ("", '<virtualTopic name="VT.>"/>', "memoryUsage; storeUsage once other destinations hold 106,300,440,576 "
         "bytes (99 GiB)"),
    ],
)  # fmt: skip
def test_topics_pass_messages_on_by_default(tmp_path: Path, broker: str, virtual: str, first: str) -> None:
    entry = '<policyEntry queue=">" memoryLimit="1 mb"/>'
    inner = VIRTUAL.format(virtual) if virtual else ""
    text = classic(entry, broker=broker).replace("</amq:broker>", f"{inner}</amq:broker>")
    found = explained(tmp_path, "activemq.xml", text, "topic:VirtualTopic.a")
    assert found.destinations[0].flows[0].first == first
    assert any("VirtualTopic.>" in each for each in found.notes) == (not broker and not virtual)


def test_a_mirrored_queue_is_told(tmp_path: Path) -> None:
    (note,) = of_classic(tmp_path, "", "A", 'useMirroredQueues="true" useVirtualTopics="false"').notes
    assert "the topic VirtualTopic.Mirror.QUEUE" in note


def test_the_limit_of_messages_for_later_is_told(tmp_path: Path) -> None:
    usage = ["<systemUsage>", '<jobSchedulerUsage limit="1 mb"/></systemUsage>']
    text = classic(usage=usage, broker='schedulerSupport="true" useVirtualTopics="false"')
    (note,) = explained(tmp_path, "activemq.xml", text).notes
    assert note.endswith("waits for room in the store of the scheduler (jobSchedulerUsage 1 mb)")


def by_name(found: Explanation) -> dict[str, Destination]:
    return {each.name: each for each in found.destinations}


@pytest.mark.parametrize(
    ("exclusive", "policy", "source", "target"),
    [
        ("true", "BLOCK", "keeps nothing", "come past the limit"),
        ("false", "BLOCK", "whose limit stops no producer", "come past the limit"),
        ("true", "FAIL", "are refused, and with them the send", "FAIL"),
    ],
)
def test_a_divert_passes_a_limit_that_blocks(
    tmp_path: Path, exclusive: str, policy: str, source: str, target: str
) -> None:
    divert = (
        '<diverts><divert name="d"><address>src</address><forwarding-address>big</forwarding-address>'
        f"<exclusive>{exclusive}</exclusive></divert></diverts>"
    )
    settings = ("<max-size-bytes>1M</max-size-bytes>", BLOCK.replace("BLOCK", policy))
    found = by_name(explained(tmp_path, "broker.xml", artemis(*settings, core=[divert])))
    assert source in found["src"].verdict
    assert target in found["big"].verdict
    assert (found["src"].flows[0].bound.bytes == 0) == (exclusive == "true")
    assert (found["big"].flows[-1].first == "no limit of this address") == (policy == "BLOCK")


WILDFLY = """<server xmlns="urn:jboss:domain:20.0"><subsystem xmlns="urn:jboss:domain:messaging-activemq:16.0">
<server name="default"><address-setting name="#" max-size-bytes="1048576" address-full-policy="BLOCK"/>
<divert name="d" divert-address="src" forwarding-address="big" exclusive="true"/></server></subsystem></server>"""
PROPERTIES = """addressSettings."#".maxSizeBytes=1M
addressSettings."#".addressFullMessagePolicy=BLOCK
divertConfigurations.d.address=src
divertConfigurations.d.forwardingAddress=big
divertConfigurations.d.exclusive=true
addressConfigurations.big.queueConfigs.q.ringSize=5
"""


@pytest.mark.parametrize(("name", "text"), [("standalone.xml", WILDFLY), ("broker.properties", PROPERTIES)])
def test_a_divert_may_stand_in_a_server_or_in_properties(tmp_path: Path, name: str, text: str) -> None:
    found = by_name(explained(tmp_path, name, text))
    assert found["src"].verdict.startswith("keeps nothing")
    assert "messages diverted from src come past the limit" in found["big"].verdict
    assert ("ring-size of q is 5 messages" in found["big"].verdict) == (name == "broker.properties")


def test_a_ring_keeps_the_newest_messages(tmp_path: Path) -> None:
    queue = '<addresses><address name="a"><anycast><queue name="q" ring-size="5"/></anycast></address></addresses>'
    text = artemis("<default-ring-size>7</default-ring-size>", BLOCK, core=[queue])
    found = by_name(explained(tmp_path, "broker.xml", text))
    assert "ring-size of q is 5 messages: older ones are lost" in found["a"].verdict
    assert "default-ring-size is 7 messages" in found["#"].verdict


@pytest.mark.parametrize(
    ("policy", "does"),
    [("FAIL", "messages are refused"), ("DROP", "messages are lost without a word"), ("BLOCK", "all producers wait")],
)
def test_a_policy_for_a_full_disk_counts(tmp_path: Path, policy: str, does: str) -> None:
    text = artemis(f"<disk-full-policy>{policy}</disk-full-policy>")
    (found,) = explained(tmp_path, "broker.xml", text).destinations
    assert f"once the disk is fuller than 90 % (max-disk-usage), {does}" in found.verdict
