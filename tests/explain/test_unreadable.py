"""Values that cannot be read: each is named, and the rest is explained where the broker goes on."""

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host, unread, virtual_hosts

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
REFUSED = {
    "broker.xml": (
        artemis("<max-size-bytes>ten</max-size-bytes>", "<address-full-policy>block</address-full-policy>"),
        ["4: field 'max-size-bytes': expected a size", "5: field 'address-full-policy': expected one of BLOCK"],
    ),
    "activemq.xml": (
        classic('<policyEntry queue=">" memoryLimit="ten"', 'producerFlowControl="maybe"/>'),
        ["3: field 'memoryLimit': expected a size", "4: field 'producerFlowControl': expected true or false"],
    ),
    "virtualhosts.xml": (
        virtual_hosts("<capacity>ten</capacity>", "<flowResumeCapacity>few</flowResumeCapacity>"),
        ["3: field 'capacity': expected a whole", "4: field 'flowResumeCapacity': expected a whole"],
    ),
}
"""By file, the text and the beginnings of its sentences; runs of Artemis 2.44.0 and Classic 6.1.8 ended."""
REST_OF_HOST = [
    '{"name": "q1", "maximumQueueDepthBytes": "abc", "overflowPolicy": "REJECT"}',
    '{"name": "q2", "maximumQueueDepthBytes": 1000, "overflowPolicy": "REJECT"}',
    '{"name": "q3", "maximumQueueDepthBytes": 1000}',
]


@pytest.mark.parametrize("name", REFUSED)
def test_every_value_is_named_where_the_broker_refuses_to_start(tmp_path: Path, name: str) -> None:
    text, sentences = REFUSED[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    ended = tidegate("explain", name, folder=tmp_path)
    assert ended.returncode == 2
    assert "No limit of it is in force." in " ".join(ended.stdout.split())
    assert "Worst case" not in ended.stdout
    for said, sentence in zip(ended.stderr.splitlines(), sentences, strict=True):
        assert said.startswith(f"tidegate: {name}:{sentence}")
        assert said.endswith("; the broker refuses to start with it")


def test_every_file_with_such_a_value_is_named(tmp_path: Path) -> None:
    for name, (text, _) in REFUSED.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ended = tidegate("explain", *REFUSED, folder=tmp_path)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 6


def test_a_queue_that_a_broker_cannot_open_is_left_out_and_the_others_are_explained(tmp_path: Path) -> None:
    (tmp_path / "host.json").write_text(host(*REST_OF_HOST), encoding="utf-8")
    ended = tidegate("explain", "host.json", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        "tidegate: host.json:5: field 'maximumQueueDepthBytes': expected a whole number, not 'abc'; the broker puts "
        "queue q1 into the state ERRORED, so that nobody can use it"
    ]
    assert "q1  " not in ended.stdout
    assert "q2  REJECT: messages past 1,000 bytes are refused" in ended.stdout
    (found,) = json.loads(tidegate("explain", "--json", "host.json", folder=tmp_path).stdout)
    assert [each["name"] for each in found["destinations"]] == ["q2", "q3", "every other queue"]
    assert found["notes"] == [
        "host.json:5: maximumQueueDepthBytes cannot be read: the broker puts queue q1 into the state ERRORED, so that "
        "nobody can use it"
    ]


def test_a_value_that_queues_inherit_concerns_each_queue_that_takes_it(tmp_path: Path) -> None:
    text = host(*REST_OF_HOST[1:], context='{"queue.defaultOverflowPolicy": "BLOCK"}')
    (tmp_path / "host.json").write_text(text, encoding="utf-8")
    ended = tidegate("explain", "--json", "host.json", folder=tmp_path)
    (found,) = json.loads(ended.stdout)
    assert [each["name"] for each in found["destinations"]] == ["q2"]  # the only one with a policy of its own
    assert ended.stderr.count("each queue that takes it into the state ERRORED") == 1


def test_a_virtual_host_that_a_broker_cannot_open_has_no_queue(tmp_path: Path) -> None:
    text = host(*REST_OF_HOST[1:], more='"type": "DERBY", "storeOverfullSize": "much"')
    (tmp_path / "host.json").write_text(text, encoding="utf-8")
    (sentence,) = unread(tmp_path / "host.json")
    assert "state ERRORED: none of its queues can be used" in sentence


PROPERTIES = [
    'addressSettings."#".maxSizeBytes=ten',
    'addressSettings."a.b".addressFullMessagePolicy=block',
    'addressSettings."a.b".maxSizeMessages=1k',
    "maxDiskUsage=80%",
    "acceptorConfigurations.a.params.amqpCredits=many",
    "addressSettings.a.c.maxSizeBytes=1",
    "persistenceEnabled=no",
]


def test_broker_properties_go_before_a_broker_xml_only_where_they_can_be_read(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>50000</max-size-bytes>", BLOCK, acceptor="protocols=AMQP")
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    (tmp_path / "broker.properties").write_text("\n".join(PROPERTIES), encoding="utf-8")
    ended = tidegate("explain", "--json", "broker.xml", folder=tmp_path)
    assert ended.returncode == 2
    goes_on = "the broker goes on without it"
    ends = [(said.split(":")[2], said.rpartition("; ")[2]) for said in ended.stderr.splitlines()]
    assert ends == [("1", goes_on), ("2", goes_on), ("4", "the broker takes it for 0"),
                    ("5", "the broker takes it for 0"), ("6", goes_on)]  # fmt: skip
    (found,) = json.loads(ended.stdout)
    shown = {
        each["name"]: {limit["name"]: limit["shown"] for limit in each["limits"]} for each in found["destinations"]
    }
    assert shown["#"]["max-size-bytes"] == "50,000 bytes (48.83 KiB)"
    assert shown["a.b"]["max-size-messages"] == "1,024 messages"
    assert shown["#"]["max-disk-usage"] == "0 % of the disk"
    assert shown["#"]["amqpCredits of acceptor a"] == "0 messages"
    assert "GENERAL-37" in {each["rule"] for each in found["findings"]}


def test_a_linted_file_with_such_a_value_ends_with_2_and_names_it(tmp_path: Path) -> None:
    (tmp_path / "host.json").write_text(host(*REST_OF_HOST), encoding="utf-8")
    ended = tidegate("explain", "--lint", "host.json", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tidegate: host.json:5: field 'maximumQueueDepthBytes'")
    assert ended.stdout.startswith("host.json:7: ") or not ended.stdout


@pytest.mark.parametrize(
    ("setting", "text", "shown"),
    [
        # as the parser of Artemis 2.44.0 reads them
        ("max-size-bytes", "+5000", "5,000 bytes (4.883 KiB)"),
        ("max-size-bytes", "-2", "no limit"),
        ("max-size-messages", "-2", "no limit"),
        ("max-size-messages", "+5", "5 messages"),
    ],
)
def test_a_figure_is_read_as_artemis_reads_it(tmp_path: Path, setting: str, text: str, shown: str) -> None:
    (tmp_path / "broker.xml").write_text(artemis(f"<{setting}>{text}</{setting}>", BLOCK), encoding="utf-8")
    (found,) = json.loads(tidegate("explain", "--json", "broker.xml", folder=tmp_path).stdout)
    assert {each["name"]: each["shown"] for each in found["destinations"][0]["limits"]}[setting] == shown


def test_a_total_of_a_store_is_read_without_a_share(tmp_path: Path) -> None:
    text = classic(usage=['<systemUsage><storeUsage limit="1 gb" total="10MiB"/></systemUsage>'])
    (tmp_path / "activemq.xml").write_text(text, encoding="utf-8")
    (sentence,) = unread(tmp_path / "activemq.xml")
    assert "field 'total': expected a size" in sentence


@pytest.mark.parametrize("name", ["broker.xml", "host.json", "broker.yaml", "broker.conf"])
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_refused_in_words(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    ended = tidegate("explain", name, folder=tmp_path)
    expected = f"tidegate: {name}:1: expected a broker's configuration, but the file is empty\n"
    assert (ended.returncode, ended.stderr) == (2, expected)


def test_a_packed_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_bytes(gzip.compress(artemis(BLOCK).encode()))
    ended = tidegate("explain", "broker.xml", folder=tmp_path)
    assert (ended.returncode, "not a packed file: unpack it first" in ended.stderr) == (2, True)
