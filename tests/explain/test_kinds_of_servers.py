"""What the settings of application servers, clouds and clients do to producers."""

from pathlib import Path

import pytest

from tests.explain.planted import classic, host
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic

SERVER = """<server xmlns="urn:jboss:domain:20.0"><profile><subsystem xmlns="urn:jboss:domain:messaging-activemq:16.0">
<server name="default">
<address-setting name="jms.queue.orders" address-full-policy="BLOCK" max-size-bytes="5242880"/>
{}
</server></subsystem></profile></server>"""
FACTORY = '<connection-factory name="f" connectors="c" producer-window-size="{}"/>'


def explained(path: Path, text: str) -> Explanation:
    path.write_text(text, encoding="utf-8")
    ((there, read),) = explaining.read_files([path])
    return explaining.explain(read, explaining.version_of(read, "", "", there), Traffic())


@pytest.mark.parametrize(
    ("inner", "producers"),
    [
        ('<http-acceptor name="h" http-listener="default"/>', ["Core producers (window 65,536 bytes)"]),
        (
            '<in-vm-acceptor name="v" server-id="0"/>' + FACTORY.format(1048576),
            ["Core producers (window 1,048,576 bytes)"],
        ),
        (
            '<remote-acceptor name="r" socket-binding="s"><param name="protocols" value="AMQP"/></remote-acceptor>',
            ["AMQP producers (acceptor r)"],
        ),
    ],
)
def test_an_application_server_has_producers_of_its_acceptors_and_their_window(
    tmp_path: Path, inner: str, producers: list[str]
) -> None:
    found = explained(tmp_path / "standalone.xml", SERVER.format(inner))
    assert [flow.producers for flow in found.destinations[0].flows] == producers


def test_a_misspelt_parameter_of_an_acceptor_of_a_server_is_told(tmp_path: Path) -> None:
    inner = '<remote-acceptor name="r" socket-binding="s"><param name="amqp-credits" value="5"/></remote-acceptor>'
    (finding,) = explained(tmp_path / "standalone.xml", SERVER.format(inner)).findings
    assert (finding.origin.line, finding.sentence) == (
        4,
        "amqp-credits is no setting of an acceptor: is amqpCredits meant?",
    )


def test_hornetq_refuses_a_page_as_large_as_the_limit(tmp_path: Path) -> None:
    figures = "<max-size-bytes>1000000</max-size-bytes><page-size-bytes>2000000</page-size-bytes>"
    text = f"""<configuration xmlns="urn:hornetq"><address-settings><address-setting match="#">
{figures}</address-setting></address-settings></configuration>"""
    (finding,) = explained(tmp_path / "hornetq-configuration.xml", text).findings
    assert finding.sentence.endswith("the broker refuses to page so.")


def test_the_release_of_amazon_mq_stands_in_terraform(tmp_path: Path) -> None:
    xml = '<broker xmlns="http://activemq.apache.org/schema/core"><destinations/></broker>'
    text = f'resource "aws_mq_broker" "b" {{\n  engine_version = "5.18.6"\n  data = <<DATA\n{xml}\nDATA\n}}\n'
    assert "ActiveMQ Classic 5.18.6 as built, as main.tf:2" in explained(tmp_path / "main.tf", text).broker


def test_a_verdict_says_how_sends_end_that_find_no_space(tmp_path: Path) -> None:
    entries = [
        '<policyEntry queue="a" memoryLimit="1 mb" sendFailIfNoSpaceAfterTimeout="5000"/>',
        '<policyEntry queue="b" memoryLimit="1 mb" sendFailIfNoSpace="true"/>',
        '<policyEntry queue="c" memoryLimit="1 mb"/>',
    ]
    found = explained(tmp_path / "activemq.xml", classic(*entries, broker='persistent="false"'))
    whole = "sends wait from 1,048,576 bytes (1 MiB) in memory on"
    assert [each.verdict for each in found.destinations[:3]] == [
        f"{whole}; they fail after 5,000 ms",
        f"{whole}; they fail at once instead",
        whole,
    ]


@pytest.mark.parametrize(
    ("strategy", "shown"),
    [
        ('<constantPendingMessageLimitStrategy limit="1"/>', "1 message"),
        ('<constantPendingMessageLimitStrategy limit="-1"/>', "no limit"),
        ('<prefetchRatePendingMessageLimitStrategy multiplier="2.5"/>', "not known (a multiple of the prefetch)"),
    ],
)
def test_what_a_topic_keeps_for_a_slow_subscriber_is_a_limit(tmp_path: Path, strategy: str, shown: str) -> None:
    entry = (
        f'<policyEntry topic=">"><pendingMessageLimitStrategy>{strategy}</pendingMessageLimitStrategy></policyEntry>'
    )
    limits = explained(tmp_path / "activemq.xml", classic(entry)).destinations[0].limits
    assert {each.name: each.shown for each in limits}["pendingMessageLimitStrategy"] == shown


def test_an_entry_of_temporary_destinations_is_named(tmp_path: Path) -> None:
    found = explained(tmp_path / "activemq.xml", classic('<policyEntry tempQueue="true" memoryLimit="1 mb"/>'))
    says = "temporary queues have the settings of this entry: memoryLimit 1 mb; no other entry stands for them"
    assert found.notes == (f"{tmp_path / 'activemq.xml'}:3: {says}",)


def test_an_option_of_clients_has_no_effect_in_a_connector_of_the_broker(tmp_path: Path) -> None:
    connector = '<transportConnectors><transportConnector uri="tcp://0:1?jms.useAsyncSend=true"/></transportConnectors>'
    text = classic('<policyEntry queue=">"/>').replace("</amq:broker>", f"{connector}</amq:broker>")
    (finding,) = explained(tmp_path / "activemq.xml", text).findings
    assert finding.sentence.startswith("jms.useAsyncSend has no effect in a transportConnector")


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        # a run of 6.1.8 starts with the first one, and refuses the others
        (
            '<systemUsage><systemUsage><memoryUsage sendFailIfNoSpace="true"><memoryUsage limit="64 mb"/></memoryUsage>'
            "</systemUsage></systemUsage>",
            "sendFailIfNoSpace has no effect in memoryUsage",
        ),
        (
            '<systemUsage><systemUsage><memoryUsage><memoryUsage limit="64 mb" sendFailIfNoSpace="true"/></memoryUsage>'
            "</systemUsage></systemUsage>",
            "A broker refuses to start with it.",
        ),
        (
            '<networkConnectors><networkConnector uri="static:(tcp://h:1)" producerFlowControl="false"/>'
            "</networkConnectors>",
            "producerFlowControl may not stand in networkConnector: it belongs in a policyEntry. A broker refuses",
        ),
    ],
)
def test_a_name_that_a_bean_lacks_keeps_classic_from_starting(tmp_path: Path, usage: str, says: str) -> None:
    text = classic('<policyEntry queue=">"/>').replace("</amq:broker>", f"{usage}</amq:broker>")
    assert any(says in each.sentence for each in explained(tmp_path / "activemq.xml", text).findings)


def test_the_resume_level_of_a_host_counts_for_queues_with_its_default_limit(tmp_path: Path) -> None:
    context = '{"queue.defaultMaximumQueueDepthBytes": "1000", "queue.queueFlowResumeLimit": "50"}'
    context = context.replace("}", ', "queue.defaultOverflowPolicy": "PRODUCER_FLOW_CONTROL"}')
    found = explained(tmp_path / "host.json", host('{"name": "a"}', context=context))
    shown = [{each.name: each.shown for each in there.limits}["resume level"] for there in found.destinations]
    assert shown == ["500 bytes", "500 bytes"]


@pytest.mark.parametrize(
    ("usage", "shown", "sentence"),
    [
        # runs of 6.1.8: what a systemUsage leaves out has a limit of 0, which is none
        ("", ["1,073,741,824 bytes (1 GiB)", "107,374,182,400 bytes (100 GiB)", "53,687,091,200 bytes (50 GiB)"], ""),
        (
            '<storeUsage><storeUsage limit="5 gb"/></storeUsage>',
            ["no limit", "5,368,709,120 bytes (5 GiB)", "no limit"],
            "this systemUsage has no memoryUsage and no tempUsage",
        ),
        (
            '<memoryUsage><memoryUsage percentOfJvmHeap="0"/></memoryUsage>',
            ["no limit", "no limit", "no limit"],
            "this systemUsage has no memoryUsage and no storeUsage and no tempUsage",
        ),
    ],
)
def test_what_a_system_usage_leaves_out_has_no_limit(
    tmp_path: Path, usage: str, shown: list[str], sentence: str
) -> None:
    whole = f"<systemUsage><systemUsage>{usage}</systemUsage></systemUsage>" if usage else ""
    found = explained(tmp_path / "activemq.xml", f"<broker>{whole}<destinations/></broker>")
    limits = {each.name: each.shown for each in found.destinations[0].limits}
    assert [limits[key] for key in ("memoryUsage", "storeUsage", "tempUsage")] == shown
    assert any(sentence in each.sentence for each in found.findings) is bool(sentence)


def test_a_limit_of_a_destination_counts_without_one_of_all(tmp_path: Path) -> None:
    entry = '<policyEntry topic="a" memoryLimit="1 mb"/>'
    usage = '<systemUsage><systemUsage><storeUsage><storeUsage limit="5 gb"/></storeUsage></systemUsage></systemUsage>'
    text = (
        f"<broker><destinationPolicy><policyMap><policyEntries>{entry}</policyEntries></policyMap></destinationPolicy>"
    )
    found = explained(tmp_path / "activemq.xml", f"{text}{usage}</broker>")
    assert {each.name: each.verdict for each in found.destinations} == {
        "topic a": "sends wait from 1,048,576 bytes (1 MiB) in memory on",
        "queue >": "messages wait in files: persistent sends wait for storeUsage (5 GiB)",
        "topic >": "no limit of memory holds a send back; persistent sends wait for storeUsage (5 GiB)",
    }


def test_a_literal_match_stands_for_one_address(tmp_path: Path) -> None:
    markers = "<literal-match-markers>()</literal-match-markers>"
    wide = '<address-setting match="#"><max-size-bytes>20M</max-size-bytes></address-setting>'
    literal = '<address-setting match="(orders.#)"><address-full-policy>BLOCK</address-full-policy></address-setting>'
    settings = f"<address-settings>{wide}{literal}</address-settings>"
    addresses = '<addresses><address name="orders.eu"/></addresses>'
    text = f"<configuration><core>{markers}{settings}{addresses}</core></configuration>"
    found = explained(tmp_path / "broker.xml", text)
    verdicts = {each.name: each.verdict.partition(":")[0] for each in found.destinations}
    assert verdicts == {"#": "PAGE", "orders.(number sign)": "BLOCK", "orders.eu": "PAGE"}
    assert not any("at the end of a match only" in each.sentence for each in found.findings)


def test_beans_of_another_server_beside_those_of_a_broker_are_passed_over(tmp_path: Path) -> None:
    jetty = '<beans><bean id="a" class="org.eclipse.jetty.server.Server"/></beans>'
    broker = '<beans><broker xmlns="http://activemq.apache.org/schema/core"/></beans>'
    text = f"kind: ConfigMap\ndata:\n  activemq.xml: |\n    {broker}\n  jetty.xml: |\n    {jetty}\n"
    assert [each.name for each in explained(tmp_path / "map.yaml", text).destinations] == ["queue >", "topic >"]


@pytest.mark.parametrize("key", ["global-max-size", "global-max-messages"])
def test_a_limit_of_all_addresses_of_0_keeps_artemis_from_starting(tmp_path: Path, key: str) -> None:
    text = f"<configuration><core><{key}>0</{key}><acceptors/></core></configuration>"
    assert any(
        "0 keeps a broker from starting" in each.sentence for each in explained(tmp_path / "broker.xml", text).findings
    )


def test_old_context_variables_are_those_of_every_queue(tmp_path: Path) -> None:
    context = '{"queue.queueFlowControlSizeBytes": "2000", "queue.queueFlowResumeSizeBytes": "1500"}'
    text = host('{"name": "a"}', context=context, more='"modelVersion": "6.1"')
    found = explained(tmp_path / "host.json", text)
    assert [each.verdict for each in found.destinations] == [
        "producers that send are stopped above 2,000 bytes (1.953 KiB)"
    ] * 2
    shown = [{each.name: each.shown for each in there.limits}["resume level"] for there in found.destinations]
    assert shown == ["1,500 bytes (1.465 KiB)"] * 2
    assert not found.findings


def test_a_store_that_later_releases_lack_tells_which_release_reads_the_file(tmp_path: Path) -> None:
    store = "<persistenceAdapter><amqPersistenceAdapter/></persistenceAdapter>"
    path = tmp_path / "activemq.xml"
    assert "rules and defaults of 5.3.1" in explained(path, f"<broker>{store}</broker>").broker
    ((_, read),) = explaining.read_files([path])
    (finding,) = explaining.explain(read, explaining.version_of(read, "", "6.3.1"), Traffic()).findings
    assert finding.sentence == "amqPersistenceAdapter is not known since 5.9.0: a broker refuses to start with it."
