"""Settings that do not stand where they count: fallbacks of includes, entities, beans named by an id, and totals."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
SPACES = 'xmlns="http://www.springframework.org/schema/beans" xmlns:amq="http://activemq.apache.org/schema/core"'
LIMITS = '<amq:memoryUsage><amq:memoryUsage limit="16 mb"/></amq:memoryUsage>'
POLICIES = '<amq:policyEntries><amq:policyEntry queue="a" memoryLimit="2 mb"/></amq:policyEntries>'
FALLBACK = (
    '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{}"><xi:fallback><address-settings>'
    f'<address-setting match="a"><max-size-bytes>1M</max-size-bytes>{BLOCK}</address-setting>'
    "</address-settings></xi:fallback></xi:include>"
)


def explained(tmp_path: Path, name: str, text: str, *wanted: str) -> Explanation:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    ((there, read),) = explaining.read_files([path])
    return explaining.explain(read, explaining.version_of(read, "", "", there), Traffic(), wanted)


@pytest.mark.parametrize(("included", "is_read"), [("missing.xml", True), ("there.xml", False)])
def test_a_fallback_counts_only_without_the_file(tmp_path: Path, included: str, is_read: bool) -> None:
    (tmp_path / "there.xml").write_text('<addresses xmlns="urn:activemq:core"/>', encoding="utf-8")
    core = FALLBACK.format(included)
    text = f'<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">{core}</core></configuration>'
    found = explained(tmp_path, "broker.xml", text, "a")
    assert found.destinations[0].verdict.startswith("BLOCK") == is_read
    assert any("its fallback is taken" in each for each in found.notes) == is_read
    assert not found.findings


def test_an_entity_of_the_file_is_replaced_and_lines_stay(tmp_path: Path) -> None:
    kind = f"<!DOCTYPE configuration [\n<!ENTITY size '5M'>\n<!ENTITY policy '{BLOCK}'>\n]>\n"
    found = explained(tmp_path, "broker.xml", kind + artemis("<max-size-bytes>&size;</max-size-bytes>", "&policy;"))
    assert found.destinations[0].verdict == "BLOCK: producers wait from 5,242,880 bytes (5 MiB) on"
    assert found.destinations[0].limits[1].origin.line == 8


@pytest.mark.parametrize(
    ("properties", "inner", "beside", "memory"),
    [
        (
            'systemUsage="#u" destinationPolicy="#p"',
            "",
            f'<amq:systemUsage id="u" sendFailIfNoSpace="true">{LIMITS}</amq:systemUsage>'
            f'<amq:policyMap id="p">{POLICIES}</amq:policyMap>',
            "16,777,216 bytes (16 MiB)",
        ),
        (
            'destinationPolicy="#p"',
            '<amq:systemUsage><amq:systemUsage memoryUsage="#m" sendFailIfNoSpace="true"/></amq:systemUsage>',
            f'<amq:memoryUsage id="m" limit="16 mb"/><amq:policyMap id="p">{POLICIES}</amq:policyMap>',
            "16,777,216 bytes (16 MiB)",
        ),
        (
            'systemUsage="#elsewhere" destinationPolicy="#p"',
            "",
            f'<amq:policyMap id="p">{POLICIES}</amq:policyMap>',
            "a limit in another file",
        ),
    ],
)
def test_a_bean_counts_where_a_property_names_its_id(
    tmp_path: Path, properties: str, inner: str, beside: str, memory: str
) -> None:
    text = f"<beans {SPACES}>\n<amq:broker {properties}>{inner}</amq:broker>\n{beside}</beans>"
    found = explained(tmp_path, "activemq.xml", text, "a")
    assert {each.name: each.shown for each in found.destinations[0].limits}["memoryUsage"] == memory
    assert found.destinations[0].limits[0].shown == "2,097,152 bytes (2 MiB)"
    assert not [each for each in found.findings if "refuses to start" in each.sentence]


def test_a_policy_in_another_file_is_not_known(tmp_path: Path) -> None:
    text = f'<beans {SPACES}><amq:broker destinationPolicy="#elsewhere"/></beans>'
    found = explained(tmp_path, "activemq.xml", text, "a")
    assert found.destinations[0].verdict.startswith("not known")


def test_a_share_of_a_total_that_is_not_known_is_not_one_of_the_disk(tmp_path: Path) -> None:
    usage = '<storeUsage><storeUsage percentLimit="50" total="${size}"/></storeUsage>'
    text = f"<broker><systemUsage><systemUsage>{usage}</systemUsage></systemUsage></broker>"
    found = explained(tmp_path, "activemq.xml", text, "a").destinations[0]
    assert {each.name: each.shown for each in found.limits}["storeUsage"] == "50 % of a total that is not known"
    assert "--disk" not in found.flows[0].bound.because


def test_a_file_of_hornetq_that_sets_nothing_has_its_defaults(tmp_path: Path) -> None:
    text = '<configuration xmlns="urn:hornetq"><queues><queue name="q"><address>a</address></queue></queues>'
    found = explained(tmp_path, "hornetq-configuration.xml", f"{text}</configuration>")
    assert {each.name: each.verdict for each in found.destinations} == dict.fromkeys(
        ("a", "#"), "PAGE, but without a limit: it never counts as full"
    )


@pytest.mark.parametrize(("store", "place"), [("jdbc", "in a database"), ("memory", "in a store in memory")])
def test_a_store_whose_size_the_broker_takes_for_0_has_no_limit(tmp_path: Path, store: str, place: str) -> None:
    usage = '<storeUsage><storeUsage limit="1 gb"/></storeUsage><memoryUsage><memoryUsage limit="1 mb"/></memoryUsage>'
    text = (
        f"<broker><persistenceAdapter><{store}PersistenceAdapter/></persistenceAdapter>"
        f"<systemUsage><systemUsage>{usage}</systemUsage></systemUsage></broker>"
    )
    found = explained(tmp_path, "activemq.xml", text, "a")
    assert "storeUsage" not in found.destinations[0].flows[0].first
    assert any(f"messages are stored {place}" in each.sentence for each in found.findings)


CONFIG_MAP = """kind: ConfigMap
data:
  broker.xml: |
    <configuration xmlns="urn:activemq" xmlns:xi="http://www.w3.org/2001/XInclude"><core xmlns="urn:activemq:core">
    <xi:include href="../etc-override/{}"/></core></configuration>
  settings.xml: |
    <address-settings xmlns="urn:activemq:core"><address-setting match="#">
    <max-size-bytes>3M</max-size-bytes><address-full-policy>BLOCK</address-full-policy>
    </address-setting></address-settings>
"""


@pytest.mark.parametrize(("named", "brokers"), [("settings.xml", 1), ("other.xml", 2)])
def test_a_part_of_a_config_map_that_another_part_includes_is_no_broker_of_its_own(
    tmp_path: Path, named: str, brokers: int
) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(CONFIG_MAP.format(named), encoding="utf-8")
    found = [read for _, read in explaining.read_files([path])]
    assert len(found) == brokers
    said = explaining.explain(found[0], explaining.version_of(found[0], "", ""), Traffic())
    assert said.destinations[0].verdict.startswith("BLOCK") == (named == "settings.xml")
    assert said.destinations[0].limits[1].origin.line == (8 if named == "settings.xml" else 5)


OF_CLASS = "org.apache.activemq"
BEANS = f"""<beans xmlns="http://www.springframework.org/schema/beans">
<bean id="q" class="{OF_CLASS}.command.ActiveMQQueue"><constructor-arg value="OUT"/></bean>
<bean class="{OF_CLASS}.broker.BrokerService">
<property name="destinationPolicy"><bean class="{OF_CLASS}.broker.region.policy.PolicyMap">
<property name="policyEntries"><list><bean class="{OF_CLASS}.broker.region.policy.PolicyEntry">
<property name="queue" value="OUT"/><property name="memoryLimit" value="1048576"/></bean></list></property>
</bean></property>
<property name="destinationInterceptors"><list>
<bean class="{OF_CLASS}.broker.region.virtual.VirtualDestinationInterceptor">
<property name="virtualDestinations"><list><bean class="{OF_CLASS}.broker.region.virtual.CompositeQueue">
<property name="name" value="IN"/><property name="forwardTo"><list><ref bean="q"/>
<bean class="{OF_CLASS}.command.ActiveMQTopic"><constructor-arg value="T"/></bean></list></property>
</bean></list></property></bean></list></property></bean></beans>"""


def test_a_virtual_destination_may_be_beans_by_their_classes(tmp_path: Path) -> None:
    (found,) = explained(tmp_path, "broker.xml", BEANS, "IN").destinations
    assert {each.name: each.shown for each in found.limits}["compositeQueue"] == "topic T, queue OUT"
    assert found.flows[0].first == "memoryLimit of queue OUT"
