"""`tidegate explain` as an operator runs it: what it says, how wide, what it loads, and what it says of bad files."""

import json
from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host, unread, virtual_hosts
from tidegate.explain import explaining, show
from tidegate.explain.versions import parse
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"


class Senders(TypedDict, total=False):
    """What a test may say of the traffic."""

    size: int


def explained(folder: Path, text: str, *wanted: str, broker: str = "", **traffic: Unpack[Senders]) -> Explanation:
    path = folder / ("vh.json" if text[:1] in ("{", "/") else "file.xml")
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, path.name)
    return explaining.explain(
        read, explaining.version_of(read, *parse(broker or "documents")), Traffic(**traffic), wanted
    )


def bound(folder: Path, text: str, *wanted: str, broker: str = "", **traffic: Unpack[Senders]) -> int | None:
    return explained(folder, text, *wanted, broker=broker, **traffic).destinations[0].flows[0].bound.bytes


def test_the_command_says_limits_worst_case_and_faults(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>50000</max-size-bytes>", BLOCK, acceptor="amqpCredits=100;amqpLowCredits=100")
    (tmp_path / "broker.xml").write_text(text, encoding="utf-8")
    ended = tidegate("explain", "broker.xml", "--producers", "3", "--message-size", "1000", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "BLOCK: producers wait from 50,000 bytes" in ended.stdout
    assert "(broker.xml:5, match #)" in ended.stdout
    assert "349,000 bytes" in ended.stdout  # 49,000 below the limit, and 300 credits of 1,000 bytes
    assert "[ARTEMIS-AMQP-4]" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80
    linted = tidegate("explain", "--lint", "broker.xml", folder=tmp_path)
    assert linted.returncode == 1
    assert [line.split(": ")[:2] for line in linted.stdout.splitlines()] == [
        ["broker.xml:3", "ARTEMIS-AMQP-4"],
        ["broker.xml:3", "ARTEMIS-AMQP-8"],
    ]


def test_neither_the_solver_nor_spark_is_loaded() -> None:
    import subprocess
    import sys

    program = (
        "import sys, tidegate.explain.explaining, tidegate.explain.show, tidegate.cli.explain;"
        "print(sorted({'z3', 'pyspark', 'polars', 'numpy', 'pydantic'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_sound_files_end_with_0_and_data_is_json(tmp_path: Path) -> None:
    (tmp_path / "vh.xml").write_text(virtual_hosts("<capacity>1000</capacity>"), encoding="utf-8")
    assert tidegate("explain", "--lint", "vh.xml", folder=tmp_path).returncode == 0
    ended = tidegate("explain", "--json", "--target", "1MiB", "vh.xml", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    (data,) = json.loads(ended.stdout)
    assert data["destinations"][0]["name"] == "test/every other queue"
    assert data["destinations"][0]["flows"][0]["bound"]["bytes"] == 1024
    assert "1,048,575 bytes" in data["targets"][0]["says"]


BAD = {
    "no XML": ("<configuration><core>", "file.xml:1: expected XML"),
    "an entity": (
        '<!DOCTYPE a [<!ENTITY x SYSTEM "y.xml">]><configuration>&x;</configuration>',
        "file.xml:1: expected XML without entities of its own: replace the entities by their texts",
    ),
    "no JSON": ('{"queues": [\n}', "vh.json:2: expected JSON"),
    "a size that is none": (
        artemis("<max-size-bytes>10 apples</max-size-bytes>"),
        "file.xml:4: field 'max-size-bytes': expected a size",
    ),
    "a policy that is none": (
        artemis("<address-full-policy>STOP</address-full-policy>"),
        "file.xml:4: field 'address-full-policy': expected one of BLOCK",
    ),
    "a memoryLimit that is none": (
        classic('<policyEntry queue=">"', ' memoryLimit="big"/>'),
        "file.xml:4: field 'memoryLimit': expected a size",
    ),
    "a switch that is none": (
        classic('<policyEntry queue=">" producerFlowControl="maybe"/>'),
        "file.xml:3: field 'producerFlowControl': expected true or false",
    ),
    "a capacity below 0": (
        virtual_hosts("<capacity>-5</capacity>"),
        "file.xml:3: field 'capacity': expected a whole number from 0 on",
    ),
    "a configuration of something else": (
        "<configuration><system/></configuration>",
        "file.xml:1: expected a broker.xml",
    ),
    "another file": ("<project/>", "file.xml:1: expected a broker.xml"),
    "nothing": ("", "file.xml:1: expected a broker's configuration, but the file is empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_sentence_with_its_line(tmp_path: Path, name: str) -> None:
    text, sentence = BAD[name]
    with pytest.raises(BadInput) as raised:
        explained(tmp_path, text)
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)


def test_what_is_said_of_several_destinations_is_said_once(tmp_path: Path) -> None:
    more = '<addresses><address name="a"/><address name="b"/></addresses></core>'
    text = artemis("<max-size-bytes>50000</max-size-bytes>", BLOCK).replace("</core>", more)
    lines = list(
        show.lines(explained(tmp_path, text, broker="artemis:2.55.0"), Traffic(), {("a", "AMQP producers"): "less"})
    )
    assert [line for line in lines if line.startswith("#, a, b  BLOCK")]
    assert [line for line in lines if line in ("#, b", "a")] == ["#, b", "a"]  # a has an aim of its own
    assert sum("address-full-policy" in line for line in lines) == 2


def test_a_limit_that_is_none_does_nothing(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>-1</max-size-bytes>", "<max-size-messages>-1</max-size-messages>", BLOCK)
    does = {each.name: each.does for each in explained(tmp_path, text).destinations[0].limits}
    assert does["max-size-bytes"] == "The address has no limit in bytes of its own."
    assert does["max-size-messages"] == "The address has no limit in messages of its own."


def test_a_bad_file_ends_the_command_with_2(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text("<configuration>", encoding="utf-8")
    ended = tidegate("explain", "--lint", "broker.xml", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tidegate: broker.xml:1: expected XML")
    assert len(ended.stderr.splitlines()) == 1


def test_settings_come_from_the_most_specific_match_that_sets_them(tmp_path: Path) -> None:
    text = artemis(
        "<max-size-bytes>10000</max-size-bytes>" + BLOCK,
        '</address-setting><address-setting match="a.*">',
        "<max-size-bytes>1000</max-size-bytes>",
        '</address-setting><address-setting match="a.b">',
        "<max-size-messages>3</max-size-messages>",
        acceptor="protocols=AMQP;amqpCredits=1;amqpLowCredits=0",
    )
    assert bound(tmp_path, text, "x", size=10) == 9990 + 10
    assert bound(tmp_path, text, "a.c", size=10) == 990 + 10
    assert bound(tmp_path, text, "a.b", size=10) == (2 + 1) * 10
    assert bound(tmp_path, text, "a.c.d", size=10) == 9990 + 10


def test_a_classic_entry_counts_whole_and_the_most_specific_one_does(tmp_path: Path) -> None:
    text = classic(
        '<policyEntry topic=">" memoryLimit="1mb"/>',
        '<policyEntry topic="a.>"/>',
        '<policyEntry topic="a.*" memoryLimit="1k"/>',
        usage=['<systemUsage><memoryUsage limit="2 mb"/></systemUsage>'],
    )
    assert bound(tmp_path, text, "topic:b", size=1024) == 1024 * 1024
    assert bound(tmp_path, text, "topic:a.b", size=1024) == 1024
    # the entry a.> sets no limit, and none is inherited from the entry above it
    assert bound(tmp_path, text, "topic:a.b.c", size=1024) == 2 * 1024 * 1024


def test_placeholders_are_said_and_their_defaults_taken(tmp_path: Path) -> None:
    found = explained(tmp_path, artemis("<max-size-bytes>${size:10k}</max-size-bytes>", BLOCK))
    assert found.destinations[0].verdict.startswith("BLOCK: producers wait from 10,240 bytes")
    assert found.notes == ("file.xml:4: max-size-bytes is a placeholder (size); its default is taken: 10k",)
    hidden = explained(tmp_path, artemis("<max-size-bytes>${size}</max-size-bytes>", BLOCK))
    assert hidden.destinations[0].flows[0].bound.because.startswith("not known")
    of_a_template = explained(tmp_path, artemis(BLOCK, core=["<global-max-size>@SIZE@</global-max-size>"]))
    assert "global-max-size is a placeholder (SIZE)" in of_a_template.notes[0]


def test_what_is_included_is_said_to_be_unread(tmp_path: Path) -> None:
    found = explained(tmp_path, artemis(BLOCK, core=['<xi:include xmlns:xi="urn:x" href="more.xml"/>']))
    assert found.notes == ("file.xml:3: more.xml is included here and was not read: its settings are not known",)


def test_without_a_limit_of_its_own_an_address_has_half_of_a_heap_that_is_not_known(tmp_path: Path) -> None:
    found = explained(tmp_path, artemis("<max-size-bytes>-1</max-size-bytes>", BLOCK)).destinations[0]
    assert found.verdict == "BLOCK: producers wait from the broker's half of the heap on"
    assert found.flows[0].bound.bytes is None
    assert found.flows[0].bound.witness == ()


def test_which_limit_is_first_depends_on_the_size_of_messages(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>1000</max-size-bytes>", BLOCK, "<max-size-messages>10</max-size-messages>")
    small = explained(tmp_path, text, size=50).destinations[0].flows[0].first
    large = explained(tmp_path, text, size=500).destinations[0].flows[0].first
    assert small.startswith("max-size-messages for 50 bytes")
    assert large.startswith("max-size-bytes for 500 bytes")


@pytest.mark.parametrize(
    ("own", "of_all", "first"),
    [
        (100, 50, "global-max-messages for"),
        (100, 100, "max-size-messages for"),
        (100, 1_000, "max-size-messages for"),
        (-1, 50, "global-max-messages for"),
    ],
)
def test_the_lower_limit_in_messages_has_its_own_name(own: int, of_all: int, first: str, tmp_path: Path) -> None:
    core = [f"<global-max-size>1G</global-max-size><global-max-messages>{of_all}</global-max-messages>"]
    text = artemis(BLOCK, f"<max-size-messages>{own}</max-size-messages>", core=core)
    found = explained(tmp_path, text).destinations[0]
    assert found.flows[0].first.startswith(first)
    assert ("once other destinations hold 900 messages" in found.flows[0].first) is (of_all == 1_000)


def test_a_limit_in_messages_may_be_reached_before_a_heap_of_unknown_size(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>-1</max-size-bytes>", BLOCK, "<max-size-messages>10</max-size-messages>")
    flows = explained(tmp_path, text).destinations[0].flows
    assert {flow.first for flow in flows} == {"global-max-size or max-size-messages"}


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ("", "disk is fuller than 90 %"),
        ("<max-disk-usage>70</max-disk-usage>", "disk is fuller than 70 %"),
        ("<max-disk-usage>-1</max-disk-usage>", ""),
        ("<min-disk-free>1G</min-disk-free>", "less than 1,073,741,824 bytes"),
    ],
)
def test_an_address_that_pages_names_the_disk_that_stops_its_producers(usage: str, told: str, tmp_path: Path) -> None:
    page = "<address-full-policy>PAGE</address-full-policy>"
    found = explained(tmp_path, artemis(page, core=[usage]), broker="artemis:2.55.0").destinations[0].verdict
    assert told in found
    assert ("all producers wait" in found) is bool(told)


@pytest.mark.parametrize("policy", ["NONE", "PRODUCER_FLOW_CONTROL"])
@pytest.mark.parametrize("size", [0, 1_000_000])
def test_a_queue_names_the_store_that_stops_its_producers(policy: str, size: int, tmp_path: Path) -> None:
    text = host(f'{{"name": "q", "overflowPolicy": "{policy}"}}').replace("{", f'{{"storeOverfullSize": {size}, ', 1)
    found = explained(tmp_path, text, broker="qpid:9.2.1").destinations[0].verdict
    assert ("stops all producers of the virtual host (storeOverfullSize)" in found) is (size > 0)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('"type": "BDB"', "; a file system that is more than 75 % full stops all producers of the virtual host ("),
        ('"type": "DERBY", "storeOverfullSize": 9', "; a file system that is more than 75 % full stops them too ("),
        ('"type": "Memory"', ""),
        ('"type": "JDBC"', ""),
    ],
)
def test_a_queue_names_the_file_system_that_stops_its_producers(more: str, told: str, tmp_path: Path) -> None:
    text = host('{"name": "q"}', context='{"store.filesystem.maxUsagePercent": "75"}', more=more)
    found = explained(tmp_path, text, broker="qpid:9.2.1").destinations[0]
    assert told in found.verdict
    limits = [
        (each.shown, each.origin.line) for each in found.limits if each.name == "store.filesystem.maxUsagePercent"
    ]
    assert limits == ([("75 % of the file system", 2)] if told else [])


def test_a_misspelt_limit_of_the_file_system_is_found(tmp_path: Path) -> None:
    text = host('{"name": "q"}', context='{"store.filesystem.maxUsagePercentage": "75"}')
    found = explained(tmp_path, text, broker="qpid:9.2.1").findings
    assert any("store.filesystem.maxUsagePercent" in each.sentence for each in found)


LIMITS_OF_ARTEMIS = (
    "max-size-bytes", "max-size-messages", "max-size-bytes-reject-threshold", "global-max-size", "global-max-messages",
)  # fmt: skip


@pytest.mark.parametrize("key", LIMITS_OF_ARTEMIS)
def test_the_answer_shows_each_limit_that_a_file_sets(key: str, tmp_path: Path) -> None:
    element = f"<{key}>1000</{key}>"
    of_all = key.startswith("global")
    text = artemis(BLOCK, "" if of_all else element, core=[element] if of_all else [])
    limits = {limit.name: limit for limit in explained(tmp_path, text).destinations[0].limits}
    assert limits[key].shown.startswith("1,000 ")
    assert limits[key].origin.line


def test_versions_have_their_own_rules_and_defaults(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>1000</max-size-bytes>", BLOCK)
    assert bound(tmp_path, text, size=10) == 990 + 100 * 10
    assert bound(tmp_path, text, broker="artemis:2.44.0", size=10) == 990 + 1000 * 10
    near = explained(tmp_path, text, broker="artemis:2.49.0")
    assert "2.49.0 is not modelled" in near.broker
    with pytest.raises(BadInput, match="expected a configuration of classic, not of artemis"):
        explained(tmp_path, text, broker="classic")


def test_a_virtual_host_may_stand_as_a_text_in_the_json_of_a_broker(tmp_path: Path) -> None:
    inner = json.dumps({"type": "BDB", "queues": [{"name": "q", "maximumQueueDepthBytes": 5}]})
    text = json.dumps({"virtualhostnodes": [{"name": "n", "virtualHostInitialConfiguration": inner}]}, indent=1)
    found = explained(tmp_path, f"// a comment\n{text}")
    assert [each.name for each in found.destinations] == ["n/q", "n/every other queue"]
    assert [each.rule for each in found.findings] == [""]


def test_the_initial_configuration_of_a_host_that_exists_is_no_second_host(tmp_path: Path) -> None:
    there = [{"name": "n", "type": "BDB", "queues": [{"name": "q", "maximumQueueDepthBytes": 5}]}]
    node = {"name": "n", "virtualHostInitialConfiguration": "{}", "virtualhosts": there}
    found = explained(tmp_path, json.dumps({"virtualhostnodes": [node]}, indent=1))
    assert [each.name for each in found.destinations] == ["n/q", "n/every other queue"]


def test_a_virtual_host_may_leave_its_name_to_another_file(tmp_path: Path) -> None:
    text = "<virtualhosts><virtualhost><test><capacity>1000</capacity></test></virtualhost></virtualhosts>"
    found = explained(tmp_path, text).destinations
    assert [each.name for each in found] == ["test/every other queue"]
    assert found[0].flows[0].bound.bytes == 1024


def test_a_limit_of_minus_1_is_none_by_the_rules_of_every_release(tmp_path: Path) -> None:
    text = host('{"name": "a", "maximumQueueDepthBytes": -1, "overflowPolicy": "PRODUCER_FLOW_CONTROL"}')
    for broker in ("", "qpid:0.18"):
        found = explained(tmp_path, text, broker=broker).destinations[0]
        assert found.verdict == "nobody waits: the queue has no limit"


def test_a_resume_level_may_be_a_part_of_a_percent(tmp_path: Path) -> None:
    text = host(
        '{"name": "a", "maximumQueueDepthBytes": 10000, "overflowPolicy": "PRODUCER_FLOW_CONTROL"}',
        context='{"queue.queueFlowResumeLimit": "66.67"}',
    )
    limits = explained(tmp_path, text).destinations[0].limits
    assert [each.shown for each in limits if each.name == "resume level"] == ["6,667 bytes (6.511 KiB)"]
    (tmp_path / "vh.json").write_text(text.replace("66.67", "most"), encoding="utf-8")
    assert "expected a percentage" in unread(tmp_path / "vh.json")[0]


def test_no_line_is_wider_than_a_terminal(tmp_path: Path) -> None:
    name = "orders." * 30 + "x"
    found = explained(tmp_path, artemis(BLOCK), name)
    assert max(map(len, show.lines(found, Traffic(), {}))) <= 80
