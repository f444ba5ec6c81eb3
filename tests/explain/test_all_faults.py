"""All faults of a file are told at once, and first of all that a broker refuses to start with it."""

import json
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host, virtual_hosts
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
BESIDE = {
    "broker.xml": (
        artemis(
            "<max-size-bytes>many</max-size-bytes>",
            "<max-size-message>7</max-size-message>",
            core=["<max-disk-usage>130</max-disk-usage>"],
            acceptor="protocols=AMQP;amqpCredits=20;amqpLowCredits=40",
        ),
        [
            "broker.xml:3: GENERAL-37: max-disk-usage 130 is no percentage from 0 to 100",
            "broker.xml:4: ARTEMIS-AMQP-4: amqpLowCredits (40) is not below amqpCredits (20)",
            "broker.xml:7: ARTEMIS-BLOCK-1: max-size-message is no setting of an address-setting",
        ],
        "broker.xml:6: field 'max-size-bytes'",
    ),
    "activemq.xml": (
        classic(
            '<policyEntry queue="till" memoryLimit="many"/>',
            '<policyEntry queue="shop" memoryLimt="2mb"/>',
            '<policyEntry topic="bell" producerFlowControl="false" memoryLimit="3mb"/>',
        ),
        [
            "activemq.xml:4: CLASSIC-MEMORY-1: memoryLimt is no setting of a policyEntry: is memoryLimit meant?",
            "activemq.xml:5: CLASSIC-MEMORY-6: memoryLimit stops nobody",
        ],
        "activemq.xml:3: field 'memoryLimit'",
    ),
    "virtualhosts.xml": (
        virtual_hosts(
            "<queues><queue><name>till</name><till><capacity>many</capacity></till></queue>",
            "<queue><name>shop</name><shop><capacity>70000</capacity><flowResumeCapacity>90000</flowResumeCapacity></shop>",
            "</queue></queues>",
        ),
        ["virtualhosts.xml:4: QPID-QUEUE-2: the resume level (90,000) is above the capacity of shop (70,000)"],
        "virtualhosts.xml:3: field 'capacity'",
    ),
}
"""By file: its text, the beginnings of its findings, and of the sentence about a value that cannot be read."""


def explained(folder: Path, name: str, text: str) -> Explanation:
    (folder / name).write_text(text, encoding="utf-8")
    ((_, read),) = explaining.read_files([folder / name], faults=[])
    return explaining.explain(read, explaining.version_of(read, "", ""), Traffic())


@pytest.mark.parametrize("name", BESIDE)
def test_a_value_that_cannot_be_read_hides_no_other_fault(tmp_path: Path, name: str) -> None:
    text, findings, value = BESIDE[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    ended = tidegate("explain", "--lint", name, folder=tmp_path)
    assert ended.returncode == 2
    for line, says in zip(ended.stdout.splitlines(), findings, strict=True):
        assert line.startswith(says)
    (only,) = ended.stderr.splitlines()
    assert only.startswith(f"tidegate: {value}")


def test_a_value_that_cannot_be_read_is_not_taken_for_a_missing_one(tmp_path: Path) -> None:
    found = explained(tmp_path, "broker.xml", artemis(BLOCK, "<max-size-bytes>many</max-size-bytes>"))
    assert found.destinations == ()
    assert found.findings == ()  # without a limit, BLOCK would have no effect


def test_without_one_limit_in_force_the_lines_are_told_first(tmp_path: Path) -> None:
    text, _, _ = BESIDE["broker.xml"]
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    paragraphs = tidegate("explain", "broker.xml", folder=tmp_path).stdout.split("\n\n")
    assert " ".join(paragraphs[1].split()) == (
        "A broker refuses to start with this file, because of lines 3, 6, 7. No limit of it is in force."
    )


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("broker.xml", artemis(BLOCK, "<max-size-byte>5000</max-size-byte>"), 5),
        ("broker.xml", artemis(BLOCK, core=["<global-max-messages>0</global-max-messages>"]), 3),
        ("broker.xml", artemis(BLOCK, core=["<disk-scan-period>0</disk-scan-period>"]), 3),
        ("broker.xml", artemis("<page-limit-bytes>0</page-limit-bytes>"), 4),
        ("activemq.xml", classic('<policyEntry queue="till" memoryLimt="2mb"/>'), 3),
        ("activemq.xml", classic(usage=['<memoryUsage limit="5 mb"/>']), 4),
    ],
)
def test_a_fault_that_stops_a_broker_comes_before_what_holds_once_it_is_mended(
    tmp_path: Path, name: str, text: str, line: int
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    ended = tidegate("explain", name, folder=tmp_path)
    paragraphs = ended.stdout.split("\n\n")
    assert " ".join(paragraphs[1].split()) == (
        f"A broker refuses to start with this file, because of line {line}. What follows holds once that is mended."
    )
    (found,) = json.loads(tidegate("explain", "--json", name, folder=tmp_path).stdout)
    assert found["refused_at"] == [f"{name}:{line}"]
    assert found["destinations"]


def test_a_file_with_which_a_broker_starts_is_not_said_to_be_refused(tmp_path: Path) -> None:
    found = explained(tmp_path, "broker.xml", artemis(BLOCK, core=["<max-disk-usage>0</max-disk-usage>"]))
    assert found.findings
    assert found.refused_at == ()


TWO_PARTS = """apiVersion: v1
kind: ConfigMap
data:
  one.xml: |
    <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
    <global-max-size>5M</global-max-size
    </core></configuration>
  two.xml: |
    <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
    <max-disk-usage>0</max-disk-usage>
    </core></configuration>
"""


def test_a_part_that_is_no_xml_hides_no_other_part(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(TWO_PARTS)
    ended = tidegate("explain", "all.yaml", folder=tmp_path)
    assert ended.returncode == 2
    assert "all.yaml:10  max-disk-usage 0 stops every producer" in ended.stdout
    (only,) = ended.stderr.splitlines()
    assert only.startswith("tidegate: all.yaml:7: expected XML")


def test_a_file_that_cannot_be_read_hides_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "cut.xml").write_text("<configuration><core>")
    (tmp_path / "broker.xml").write_text(artemis(BLOCK, "<max-size-bytes>5M</max-size-bytes>"))
    ended = tidegate("explain", "cut.xml", "broker.xml", folder=tmp_path)
    assert ended.returncode == 2
    assert "BLOCK: producers wait from 5,242,880 bytes (5 MiB) on" in ended.stdout
    (only,) = ended.stderr.splitlines()
    assert only.startswith("tidegate: cut.xml:1: expected XML")
    found = json.loads(tidegate("explain", "--json", "cut.xml", "broker.xml", folder=tmp_path).stdout)
    assert [each["file"] for each in found] == ["broker.xml"]
    assert tidegate("explain", "--json", "cut.xml", folder=tmp_path).stdout == ""


def test_an_included_file_that_is_no_xml_hides_no_other_fault(tmp_path: Path) -> None:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="more.xml"/>'
    whole = artemis(BLOCK, core=["<global-max-size>many</global-max-size>", include])
    (tmp_path / "broker.xml").write_text(whole)
    (tmp_path / "more.xml").write_text("<addresses>\n<address>\n</addresses>")
    ended = tidegate("explain", "--lint", "broker.xml", folder=tmp_path)
    assert [line.partition(" expected")[0] for line in ended.stderr.splitlines()] == [
        "tidegate: broker.xml:3: field 'global-max-size':",
        "tidegate: more.xml:3:",
    ]


def test_a_virtual_host_that_cannot_be_opened_hides_no_fault_of_its_queues(tmp_path: Path) -> None:
    queues = [
        '{"name": "till", "maximumQueueDepthBytes": "many"}',
        '{"name": "shop", "maximumQueueDepthMessage": 7}',
    ]
    (tmp_path / "host.json").write_text(host(*queues, more='"storeOverfullSize": "much"'), encoding="utf-8")
    ended = tidegate("explain", "host.json", folder=tmp_path)
    assert ended.returncode == 2
    assert [line.partition(": expected")[0] for line in ended.stderr.splitlines()] == [
        "tidegate: host.json:3: field 'storeOverfullSize'",
        "tidegate: host.json:5: field 'maximumQueueDepthBytes'",
    ]
    assert "host.json:6  maximumQueueDepthMessage is no setting of a queue" in ended.stdout
    assert "Nothing found" not in ended.stdout
    assert "shop  " not in ended.stdout
