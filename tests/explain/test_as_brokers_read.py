"""What brokers make of a file where its words alone do not say it, and what is said of files that no broker reads."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
NEXT = '</address-setting><address-setting match="#">'
GROUP = '</address-setting></address-settings><address-settings><address-setting match="later">'
NOT_PERSISTENT = 'persistent="false"'
LIMITED = '<policyEntry queue="q" memoryLimit="5000"{}>{}</policyEntry>'
OPERATOR = "apiVersion: broker.amq.io/v1beta1\nkind: {}\nspec:\n  {}\n"


def explained(folder: Path, name: str, text: str, release: str = "") -> Explanation:
    """The only configuration of a file, by a release or by the newest one that reads it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, name)
    return explaining.explain(read, explaining.version_of(read, "", release), Traffic(size=1000))


def verdict(found: Explanation, name: str) -> str:
    """What is said first of a destination."""
    return next(each.verdict for each in found.destinations if each.name == name)


def lines(found: Explanation) -> list[int]:
    """The lines of what is found."""
    return [each.origin.line for each in found.findings]


@pytest.mark.parametrize(
    ("release", "counts", "line"), [("", "10,000", 5), ("2.18.0", "10,000", 5), ("2.17.0", "20,000", 3)]
)
def test_of_two_settings_of_a_match_the_release_tells_which_counts(
    tmp_path: Path, release: str, counts: str, line: int
) -> None:
    size = "<max-size-bytes>{}</max-size-bytes>"
    text = artemis(BLOCK + size.format(10000), NEXT, BLOCK + size.format(20000))
    found = explained(tmp_path, "broker.xml", text.replace("\n" + NEXT, NEXT + "\n"), release)
    assert verdict(found, "#").startswith(f"BLOCK: producers wait from {counts} bytes")
    assert lines(found) == [line - 1 if line == 5 else line]


def test_a_broker_refuses_a_second_group_of_settings(tmp_path: Path) -> None:
    found = explained(tmp_path, "broker.xml", artemis(BLOCK, GROUP, "<max-size-bytes>20000</max-size-bytes>"))
    assert [each.name for each in found.destinations] == ["#"]
    assert lines(found) == [5]
    assert found.findings[0].sentence == (
        "address-settings stands twice in core (line 3 too), and a broker refuses to start."
    )


def test_a_broker_without_a_store_keeps_what_waits_in_memory(tmp_path: Path) -> None:
    for cursor, waits in (
        ("", "sends wait from 5,000 bytes (4.883 KiB) in memory on"),
        (
            "<pendingQueuePolicy><storeCursor/></pendingQueuePolicy>",
            "sends wait from 5,000 bytes (4.883 KiB) in memory on",
        ),
        (
            "<pendingQueuePolicy><fileQueueCursor/></pendingQueuePolicy>",
            "sends wait from 5,000 bytes (4.883 KiB) in memory on",
        ),
    ):
        text = classic(LIMITED.format("", cursor), broker=NOT_PERSISTENT)
        assert verdict(explained(tmp_path, "activemq.xml", text), "queue q").startswith(waits)
    # runs of 5.3.1 and 6.1.8: whatever the cursor, the tenth message of 100,000 bytes was the last below 1,000,000
    files = LIMITED.format("", "<pendingQueuePolicy><fileQueueCursor/></pendingQueuePolicy>")
    found = explained(tmp_path, "activemq.xml", classic(files, broker=NOT_PERSISTENT))
    assert [each.sentence for each in found.findings] == [
        "a cursor with files has no effect: the broker is not persistent and keeps everything in memory."
    ]
    usage = '<systemUsage><tempUsage limit="1 gb"/></systemUsage>'
    found = explained(tmp_path, "activemq.xml", classic(LIMITED.format("", ""), usage=[usage], broker=NOT_PERSISTENT))
    assert [each.rule for each in found.findings] == ["CLASSIC-USAGE-1", "CLASSIC-USAGE-2"]
    hidden = explained(tmp_path, "activemq.xml", classic(LIMITED.format("", ""), broker='persistent="${stored}"'))
    assert any("if persistent is false, what waits in queues is kept in memory" in note for note in hidden.notes)


def test_without_flow_control_the_disk_still_holds_producers_back(tmp_path: Path) -> None:
    off = ' producerFlowControl="false"'
    found = explained(tmp_path, "activemq.xml", classic(LIMITED.format(off, "")))
    assert verdict(found, "queue q") == (
        "producers are not held back by memory; persistent sends wait for storeUsage (100 GiB); other sends wait for "
        "tempUsage (50 GiB)"
    )
    memory = LIMITED.format(off, "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy>")
    found = explained(tmp_path, "activemq.xml", classic(memory))
    assert (
        verdict(found, "queue q")
        == "producers are not held back by memory; persistent sends wait for storeUsage (100 GiB)"
    )
    found = explained(tmp_path, "activemq.xml", classic(memory, broker=NOT_PERSISTENT))
    assert verdict(found, "queue q") == "producers are not held back by memory"


def test_resources_of_the_operator_are_known_by_what_they_hold(tmp_path: Path) -> None:
    found = explained(tmp_path, "broker.cr", OPERATOR.format("ActiveMQArtemis", "deploymentPlan: {size: 1}"))
    assert [each.name for each in found.destinations] == ["#"]
    found = explained(tmp_path, "broker.yaml", OPERATOR.format("ActiveMQArtemisAddress", "addressName: orders"))
    assert [each.name for each in found.destinations] == ["orders", "#"]
    with pytest.raises(BadInput, match="expected a broker's configuration in this YAML"):
        explained(tmp_path, "pod.yaml", "apiVersion: v1\nkind: Broker\nspec:\n  size: 1\n")


def test_a_virtual_host_may_set_limits_for_all_queues_in_its_context(tmp_path: Path) -> None:
    host = (
        '{{"modelVersion": "9.1", "type": "BDB", "storeOverfullSize": 0, "storeUnderfullSize": 5,\n"context": {{{}}}}}'
    )
    depth = '"queue.defaultMaximumQueueDepthBytes": 5000'
    found = explained(tmp_path, "default.json", host.format(depth))
    assert verdict(found, "every other queue") == "nobody waits: overflowPolicy NONE does nothing at a limit"
    assert [(each.origin.line, each.rule) for each in found.findings] == [(2, "")]
    assert not any("full" in limit.name for limit in found.destinations[0].limits)  # a quota of 0 is none
    stops = depth + ', "queue.defaultOverflowPolicy": "PRODUCER_FLOW_CONTROL"'
    found = explained(tmp_path, "default.json", host.format(stops))
    assert verdict(found, "every other queue").startswith("producers that send are stopped above 5,000 bytes")


def test_a_blueprint_has_defaults_of_its_own(tmp_path: Path) -> None:
    text = (
        '<blueprint><ext:property-placeholder placeholder-prefix="$[" placeholder-suffix="]"/><cm:property-placeholder>'
        '<cm:default-properties><cm:property name="most" value="7000"/></cm:default-properties>'
        '</cm:property-placeholder><broker><systemUsage><memoryUsage limit="${most}"/><storeUsage limit="$[disk]"/>'
        "</systemUsage></broker></blueprint>"
    )
    named = text.replace("<blueprint>", '<blueprint xmlns:ext="e" xmlns:cm="c">')
    limits = {each.name: each.shown for each in explained(tmp_path, "broker.xml", named).destinations[0].limits}
    assert limits["memoryUsage"] == "7,000 bytes (6.836 KiB)"
    assert limits["storeUsage"] == "not known (a placeholder)"


def test_a_mark_of_credits_that_no_release_reads_is_told(tmp_path: Path) -> None:
    def found(mark: str) -> list[str]:
        text = artemis(BLOCK, acceptor=f"protocols=AMQP;amqpMinCredits={mark}")
        return [each.sentence for each in explained(tmp_path, "broker.xml", text).findings]

    assert found("300") == []  # what is in force without it
    assert found("100") == ["amqpMinCredits has no effect: no release reads it; is amqpLowCredits meant?"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("Config.java", "class Config {}", "source code"),
        ("setup.cli", "/subsystem=messaging-activemq/server=default:read-resource", "the command line of WildFly"),
        ("Dockerfile", "FROM alpine", "how an image is made"),
        ("rabbitmq.conf", "listeners.tcp.default = 5672", "one of RabbitMQ"),
        ("application.properties", "a=b\nspring.artemis.port=61616", "how an application reaches a broker"),
        ("application.yml", "spring:\n  activemq:\n    broker-url: tcp://h:1", "how an application reaches a broker"),
        ("resources.xml", "<resources>BrokerXmlConfig =</resources>", "resources of TomEE"),
        ("compose.yaml", "services:\n  b:\n    image: apache/activemq-artemis:2.31.2\n", "how the container of one"),
        ("standalone.xml", '<server xmlns="urn:jboss:domain:20.0"/>', "a server of WildFly without an address-setting"),
        ("broker.xml", "<broker><flowControl>1</flowControl></broker>", "the broker.xml of WSO2"),
        ("definitions.json", '{"rabbit_version": "3.9"}', "one of RabbitMQ"),
        ("topology.json", '{"rabbit_version": "3.9", "queues": [{"name": "a", "vhost": "/"}]}', "one of RabbitMQ"),
        ("broken.json", '{{"queues": [{"name": "a", "vhost": "/"},]}', "one of RabbitMQ"),
        ("rabbitmq.config", "[\n  {\n    rabbit,\n [{loopback_users, []}]}].", "one of RabbitMQ"),
        ("cluster.yaml", "apiVersion: rabbitmq.com/v1beta1\nkind: RabbitmqCluster\n", "one of RabbitMQ"),
        ("kafka.yaml", "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\n", "one of Kafka"),
        ("qpidd.conf", "default-queue-limit=1000\n", "one of the C[+][+] broker of Qpid"),
        ("broker.conf", "backlogQuotaDefaultLimitGB=10\n", "one of Pulsar"),
        (
            "b.xml",
            '<beans><bean class="org.hornetq.jms.server.embedded.EmbeddedJMS"/></beans>',
            "beans of an application",
        ),
        ("other.xml", "<other/>", "expected a broker.xml of Artemis"),
    ],
)
def test_of_a_file_that_no_broker_reads_it_is_said_what_it_is(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=says):
        explaining.read_file(tmp_path / name, name)


def test_a_long_script_is_looked_through_in_one_pass(tmp_path: Path) -> None:
    text = "#!/bin/sh\n" + " \n# a comment\n\n" * 2000 + "cat <<EOF\n" + artemis(BLOCK) + "\nEOF\n"
    assert verdict(explained(tmp_path, "setup.sh", text), "#").startswith("BLOCK")
