"""Which release is taken for a file of which the user names none, and what is said of the others."""

import json
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host, virtual_hosts
from tidegate.explain import explaining
from tidegate.explain.versions import parse
from tidegate.explain.vocabulary import Explanation, Traffic

OPEN = artemis("<max-delivery-attempts>3</max-delivery-attempts>")


def explained(folder: Path, text: str, name: str = "file.xml", broker: str = "") -> Explanation:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, path.name)
    return explaining.explain(read, explaining.version_of(read, *parse(broker), path), Traffic())


def beside(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_without_a_release_the_newest_one_that_reads_the_file_is_taken(tmp_path: Path) -> None:
    found = explained(tmp_path, OPEN)
    assert found.broker == (
        "ActiveMQ Artemis, rules and defaults of 2.55.0 as built (no release is named here; the newest modelled one "
        "that reads the file is taken)"
    )
    assert found.destinations[0].verdict.startswith("PAGE: nobody waits; from the broker's half of the heap on")
    assert found.findings == ()


def test_what_differs_in_the_documents_is_one_line(tmp_path: Path) -> None:
    assert explained(tmp_path, OPEN).otherwise == (
        'With the rules of the documents: # would read "BLOCK: producers wait from 10,485,760 bytes (10 MiB) on".',
    )
    text = artemis("<max-size-bytes>1M</max-size-bytes>", "<address-full-policy>BLOCK</address-full-policy>")
    assert explained(tmp_path, text).otherwise == (
        "With the rules of the documents: # would have amqpCredits = 100 messages; "
        "# would have amqpLowCredits = 30 messages.",
    )


def test_releases_that_differ_alike_share_a_line(tmp_path: Path) -> None:
    found = explained(tmp_path, classic('<policyEntry topic=">"/>')).otherwise
    assert [each.partition(":")[0] for each in found] == ["With the rules of the documents", "With the rules of 5.3.1"]
    assert 'topic > would read "sends wait from 67,108,864 bytes (64 MiB) in memory on, ' in found[1]


def test_where_nothing_that_counts_is_a_default_nothing_is_otherwise(tmp_path: Path) -> None:
    text = artemis("<address-full-policy>PAGE</address-full-policy>", "<max-size-bytes>1M</max-size-bytes>")
    assert explained(tmp_path, text).otherwise == ()


def test_the_documents_are_had_by_name(tmp_path: Path) -> None:
    for name in ("documents", "document", "artemis:documents"):
        found = explained(tmp_path, OPEN, broker=name)
        assert found.broker == "ActiveMQ Artemis, rules and defaults of the documents"
        assert found.destinations[0].verdict == "BLOCK: producers wait from 10,485,760 bytes (10 MiB) on"
        assert found.otherwise == ()


BESIDE = {
    "an image": ("Dockerfile", "FROM x\nFROM apache/activemq-artemis:2.31.2-alpine", "2.31.2", "Dockerfile:2"),
    "a variable": ("Dockerfile", "ENV ARTEMIS_VERSION 2.31.2", "2.31.2", "Dockerfile:1"),
    "a chart": ("Chart.yaml", 'name: my-artemis\nversion: 0.1.0\nappVersion: "2.44.0"', "2.44.0", "Chart.yaml:3"),
    "values": ("values.yaml", "image:\n  repository: x/artemis\n  tag: 2.31.2\n", "2.31.2", "values.yaml:3"),
    "a compose": ("docker-compose.yml", "image: vromero/activemq-artemis:2.20.0", "2.20.0", "docker-compose.yml:1"),
    "a role": ("defaults/main.yml", 'artemis_version: "2.44.0"', "2.44.0", "defaults/main.yml:1"),
    "a build": (
        "pom.xml",
        "<artifactId>artemis-jms-server</artifactId>\n<version>2.31.2</version>",
        "2.31.2",
        "pom.xml:2",
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_release_that_is_named_beside_the_file_is_taken(tmp_path: Path, name: str) -> None:
    file, text, release, where = BESIDE[name]
    beside(tmp_path, file, text)
    found = explained(tmp_path, OPEN)
    assert found.broker == f"ActiveMQ Artemis {release} as built, as {where} names it"
    assert found.otherwise == ()


def test_a_resource_of_the_operator_names_its_release(tmp_path: Path) -> None:
    head = "apiVersion: broker.amq.io/v1beta1\nkind: ActiveMQArtemis\nmetadata: {name: till}"
    text = head + "\nspec:\n  deploymentPlan:\n    size: 1\n  version: {}\n"
    assert "2.44.0 as built, as" in explained(tmp_path, text.replace("{}", "2.44.0"), "till.yaml").broker
    assert "no release is named" in explained(tmp_path, text.replace("{}", "7.11.0"), "till.yaml").broker


def test_the_folder_above_counts_for_a_folder_of_configurations(tmp_path: Path) -> None:
    beside(tmp_path, "Dockerfile", "ENV ACTIVEMQ_VERSION=5.15.9\n")
    found = explained(tmp_path, classic(), "conf/activemq.xml").broker
    assert found.endswith("(Dockerfile:1 names 5.15.9, which is not modelled; the nearest release is taken)")
    assert "rules and defaults of 5.15.16 as built" in found
    assert "no release is named" in explained(tmp_path, classic(), "mine/activemq.xml").broker


@pytest.mark.parametrize(
    "text",
    [
        "FROM activemq-artemis:2.31.2\nFROM activemq-artemis:2.44.0",  # which one of them is not known
        "FROM amq7/amq-broker:7.6.0",  # counts otherwise
        "FROM rmohr/activemq:5.15.9",  # another broker
        "FROM x/artemis:2.31.2-SNAPSHOT",
        "# tested with version 2.31.2",
        "implementation 'org.springframework.boot:spring-boot-starter-artemis:2.7.5'",
        "implementation 'org.apache.activemq:artemis-jms-client:2.19.1'",
    ],
)
def test_what_names_no_release_for_sure_is_passed_over(tmp_path: Path, text: str) -> None:
    beside(tmp_path, "Dockerfile", text)
    assert "no release is named here" in explained(tmp_path, OPEN).broker


def test_a_file_may_name_its_release_itself(tmp_path: Path) -> None:
    text = host('{"name": "a"}', more='"type": "BDB", "modelVersion": "7.1"')
    assert "of 7.1.12 as built (vh.json:3 names 7.1" in explained(tmp_path, text, "vh.json").broker
    schema = 'xsi="http://activemq.apache.org/schema/core/activemq-core-5.8.0.xsd"'
    assert "of 5.9.1 as built (file.xml:1 names 5.8.0" in explained(tmp_path, classic(broker=schema)).broker


OLD_NAMES = '"queueFlowControlSizeBytes": 1000, "queueFlowResumeSizeBytes": 800'


def test_a_named_release_has_no_limits_by_its_older_names(tmp_path: Path) -> None:
    text = host(f'{{"name": "a", {OLD_NAMES}}}', more='"modelVersion": "7.0"')
    found = explained(tmp_path, text, "vh.json")
    assert "of 7.1.12 as built (vh.json:3 names 7.0" in found.broker
    assert found.destinations[0].verdict == "nobody waits: the queue has no limit"
    assert [each.sentence for each in found.findings] == [
        "queueFlowControlSizeBytes has no effect since 7.0: there it is maximumQueueDepthBytes, with overflowPolicy "
        "PRODUCER_FLOW_CONTROL.",
        "queueFlowResumeSizeBytes has no effect since 7.0: there it is queue.queueFlowResumeLimit in a context, in "
        "percent of the limit.",
    ]


def test_older_names_in_a_context_have_no_effect_either(tmp_path: Path) -> None:
    context = '{"queue.queueFlowControlSizeBytes": "1000"}'
    found = explained(tmp_path, host('{"name": "a"}', context=context, more='"modelVersion": "9.1"'), "vh.json")
    assert {each.verdict for each in found.destinations} == {"nobody waits: the queue has no limit"}
    (finding,) = found.findings
    assert finding.sentence.startswith("queue.queueFlowControlSizeBytes has no effect since 7.0")


def test_older_names_beside_newer_ones_are_leftovers(tmp_path: Path) -> None:
    text = host(f'{{"name": "a", {OLD_NAMES}}}, {{"name": "b", "maximumQueueDepthBytes": 5000}}')
    assert "of 10.1.0 as built" in explained(tmp_path, text, "vh.json").broker
    text = host(f'{{"name": "a", {OLD_NAMES}}}, {{"name": "b"}}')
    assert "of 6.1.7 as built" in explained(tmp_path, text, "vh.json").broker


def test_a_memory_limit_without_its_unit_is_told_where_the_release_counts_it(tmp_path: Path) -> None:
    text = classic('<policyEntry queue="a.b" memoryLimit="64"/>')
    for broker, rule in (("", "CLASSIC-MEMORY-1"), ("classic:documents", "CLASSIC-MEMORY-7")):
        assert [each.rule for each in explained(tmp_path, text, broker=broker).findings] == [rule]


def test_a_release_has_no_limits_by_its_newer_names(tmp_path: Path) -> None:
    limit = '"maximumQueueDepthBytes": 5000, "overflowPolicy": "PRODUCER_FLOW_CONTROL"'
    found = explained(tmp_path, host(f'{{"name": "a", {limit}}}'), "vh.json", "qpid:6.1.7")
    assert found.destinations[0].verdict == "nobody waits: the queue has no limit"
    (finding,) = found.findings
    assert finding.sentence.startswith("maximumQueueDepth and overflowPolicy have no effect before 7.0")


def test_a_file_in_the_current_folder_is_named_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = host('{"name": "a"}', more='"type": "BDB", "modelVersion": "7.1"')
    assert "(vh.json:3 names 7.1" in explained(Path(), text, "vh.json").broker


@pytest.mark.parametrize(
    ("text", "name", "release"),
    [
        (virtual_hosts("<capacity>1000</capacity>"), "vh.xml", "0.18"),
        (host('{"name": "a", "maximumQueueDepthBytes": 5000}'), "vh.json", "10.1.0"),
        (host('{"name": "a", "queueFlowControlSizeBytes": 5000}'), "vh.json", "6.1.7"),
        (classic(usage=["<systemUsage/>"]), "a.xml", "6.3.1"),
        (classic(usage=['<memoryManager><usageManager limit="20 mb"/></memoryManager>']), "a.xml", "4.1.2"),
    ],
)
def test_only_releases_that_can_read_the_form_count(tmp_path: Path, text: str, name: str, release: str) -> None:
    assert f"rules and defaults of {release} as built" in explained(tmp_path, text, name).broker


def test_every_option_takes_the_same_release(tmp_path: Path) -> None:
    beside(tmp_path, "Dockerfile", "FROM activemq-artemis:2.31.2")
    text = artemis("<max-size-bytes>1M</max-size-bytes>")
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    (data,) = json.loads(tidegate("explain", "--json", "broker.xml", folder=tmp_path).stdout)
    assert data["broker"] == "ActiveMQ Artemis 2.31.2 as built, as Dockerfile:1 names it"
    assert data["otherwise"] == []
    assert tidegate("explain", "--lint", "broker.xml", folder=tmp_path).returncode == 0
    linted = tidegate("explain", "--lint", "--broker", "documents", "broker.xml", folder=tmp_path)
    assert linted.returncode == 1
    assert linted.stdout.startswith("broker.xml:3: ARTEMIS-BLOCK-2: no address-full-policy is set for #")
    same = tidegate("explain", "--compare-with", "artemis:2.31.2", "--lint", "broker.xml", folder=tmp_path)
    assert same.returncode == 0
