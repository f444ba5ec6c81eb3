"""What a broker passes over or refuses to read: namespaces, encodings, empty matches and values of another kind."""

import re
from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host, unread
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

LIMIT = "<max-size-bytes>5M</max-size-bytes>"
CORE = '<core xmlns="urn:activemq:core">'
OF_CLASSIC = "http://activemq.apache.org/schema/core"


def explained(path: Path, text: str | bytes, release: str = "") -> Explanation:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (read,) = explaining.read_file(path, path.name)
    return explaining.explain(read, explaining.version_of(read, "", release), Traffic(size=100))


def said(path: Path, text: str | bytes) -> list[str]:
    return [f"{each.origin.line}: {each.sentence}" for each in explained(path, text).findings]


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        (CORE, "<core>", "2: core has the namespace urn:activemq where a broker expects urn:activemq:core"),
        (CORE, '<core xmlns="urn:activemq:kern">', "2: core has the namespace urn:activemq:kern where"),
        ("<address-settings>", '<address-settings xmlns="">', "3: address-settings has no namespace where"),
        (
            "<max-size-bytes>5M</",
            "<a:max-size-bytes>5M</a:",
            "4: max-size-bytes has the prefix a, which no xmlns:a declares, where a broker",
        ),
        (CORE, f"<c:core xmlns:c={CORE[12:-1]}>", "2: c:core has a prefix, so a broker passes it over"),
    ],
)
def test_a_name_of_another_namespace_is_found(tmp_path: Path, was: str, now: str, says: str) -> None:
    text = artemis(LIMIT)
    assert said(tmp_path / "broker.xml", text) == []
    planted = text.replace(was, now)
    planted = planted.replace("</core>", "</c:core>") if "c:core" in now else planted
    (finding,) = said(tmp_path / "broker.xml", planted)
    assert finding.startswith(says)


def test_a_part_of_a_broker_xml_needs_no_namespace(tmp_path: Path) -> None:
    part = f'<address-settings><address-setting match="#">{LIMIT}</address-setting></address-settings>'
    assert said(tmp_path / "part.xml", part) == []
    assert said(tmp_path / "core.xml", f"<core>{part}</core>") == []


def test_an_included_part_needs_the_namespace(tmp_path: Path) -> None:
    part = f'<address-settings {{}}><address-setting match="#">{LIMIT}</address-setting></address-settings>'
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="part.xml"/>'
    whole = f"<configuration>{CORE}{include}</core></configuration>"
    (tmp_path / "part.xml").write_text(part.format('xmlns="urn:activemq:core"'), encoding="utf-8")
    assert said(tmp_path / "broker.xml", whole) == []
    (tmp_path / "part.xml").write_text(part.format(""), encoding="utf-8")
    (finding,) = explained(tmp_path / "broker.xml", whole).findings
    assert str(finding).startswith("part.xml:1: ARTEMIS-BLOCK-1: address-settings has no namespace")


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (f"{OF_CLASSIC}/5.4", f"1: broker has the namespace {OF_CLASSIC}/5.4 where ActiveMQ expects {OF_CLASSIC}"),
        ("http://activemq.org/config/1.0", ""),
    ],
)
def test_a_broker_of_another_namespace_is_found(tmp_path: Path, now: str, says: str) -> None:
    found = said(tmp_path / "activemq.xml", classic().replace(OF_CLASSIC, now))
    assert [each[: len(says)] for each in found] == ([says] if says else [])


def test_a_bean_that_names_its_class_has_the_namespace_of_beans(tmp_path: Path) -> None:
    bean = '<bean class="org.apache.activemq.broker.BrokerService"><property name="persistent" value="false"/></bean>'
    beans = '<beans xmlns="http://www.springframework.org/schema/beans">'
    assert said(tmp_path / "spring.xml", f"{beans}{bean}</beans>") == []
    (finding,) = said(tmp_path / "spring.xml", f'{beans}<broker persistent="false"/></beans>')
    assert "broker has the namespace http://www.springframework.org/schema/beans" in finding


@pytest.mark.parametrize(
    ("encoding", "says"),
    [("utf-8", ""), ("utf-8-sig", "begins with a byte-order mark"), ("utf-16", "is UTF-16")],
)
def test_an_encoding_that_artemis_does_not_read_is_found(tmp_path: Path, encoding: str, says: str) -> None:
    found = said(tmp_path / "broker.xml", artemis(LIMIT).encode(encoding))
    expected = [f"1: the file {says}: a broker refuses to start with it; save it as UTF-8."]
    assert found == (expected if says else [])
    assert said(tmp_path / "activemq.xml", classic().encode(encoding)) == []  # its parser reads them


def test_an_empty_match_is_no_address(tmp_path: Path) -> None:
    text = artemis(LIMIT).replace('match="#"', 'match=""')
    found = explained(tmp_path / "broker.xml", text)
    assert [each.name for each in found.destinations] == ["#"]
    assert "5,242,880" not in found.destinations[0].verdict
    assert [each.origin.line for each in found.findings] == [3]


@pytest.mark.parametrize(
    ("core", "release", "shown"),
    [
        ([], "2.55.0", "90 % of the disk"),
        ([], "2.6.2", ""),
        (["<persistence-enabled>false</persistence-enabled>"], "2.55.0", ""),
        (["<min-disk-free>1G</min-disk-free>"], "2.55.0", ""),
        (["<max-disk-usage>-1</max-disk-usage>"], "2.55.0", "no limit"),
        (["<max-disk-usage>80</max-disk-usage>"], "2.55.0", "80 % of the disk"),
    ],
)
def test_the_limit_of_the_disk_in_force_is_shown(tmp_path: Path, core: list[str], release: str, shown: str) -> None:
    found = explained(tmp_path / "broker.xml", artemis(LIMIT, core=core), release)
    limits = [each.shown for each in found.destinations[0].limits if each.name == "max-disk-usage"]
    assert limits == ([shown] if shown else [])


def test_an_application_server_has_no_limit_of_the_disk_by_default(tmp_path: Path) -> None:
    subsystem = (
        '<subsystem xmlns="urn:jboss:domain:messaging-activemq:15.0"><server name="default">{}'
        '<address-setting name="#" max-size-bytes="9000"/></server></subsystem>'
    )
    whole = f"<server><profile>{subsystem}</profile></server>"
    for text in (subsystem, whole):
        limits = explained(tmp_path / "standalone.xml", text.format("")).destinations[0].limits
        assert "max-disk-usage" not in [each.name for each in limits]
        set_there = explained(tmp_path / "standalone.xml", text.format('<journal global-max-disk-usage="70"/>'))
        assert "70 % of the disk" in [each.shown for each in set_there.destinations[0].limits]


@pytest.mark.parametrize(
    ("value", "taken"), [("1000000", 1_000_000), ("1e6", 1_000_000), ("1000000.7", 1_000_000), ('"70"', 70)]
)
def test_a_number_of_json_is_taken_as_a_broker_takes_it(tmp_path: Path, value: str, taken: int) -> None:
    queue = f'{{"name": "q", "overflowPolicy": "REJECT", "maximumQueueDepthBytes": {value}}}'
    found = explained(tmp_path / "host.json", host(queue))
    (capacity,) = [each.shown for each in found.destinations[0].limits if each.name == "maximumQueueDepthBytes"]
    assert capacity.startswith(f"{taken:,} bytes")


@pytest.mark.parametrize(
    ("attribute", "says"),
    [
        (
            '"maximumQueueDepthBytes": {"a": 1}',
            "field 'maximumQueueDepthBytes': expected a whole number, not an object",
        ),
        ('"maximumQueueDepthMessages": [1]', "field 'maximumQueueDepthMessages': expected a whole number, not a list"),
        ('"maximumQueueDepthBytes": ""', "expected a whole number, not ''"),
        (f'"maximumQueueDepthBytes": {1 << 63}', "expected at most .*takes it for -9,223,372,036,854,775,808"),
        ('"maximumQueueDepthBytes": "1e6"', "expected a whole number, not '1e6'"),
        ('"maximumQueueDepthBytes": 1e999', "expected a whole number, not '1e999'"),
        ('"overflowPolicy": ["RING"]', "field 'overflowPolicy': expected one of NONE, RING, .*, not a list"),
    ],
)
def test_a_value_of_another_kind_is_refused_with_its_line(tmp_path: Path, attribute: str, says: str) -> None:
    (tmp_path / "host.json").write_text(host(f'{{"name": "q", {attribute}}}'), encoding="utf-8")
    (sentence,) = unread(tmp_path / "host.json")
    assert re.search(rf"host\.json:5: .*{says}", sentence)


def test_json_that_is_nested_too_deeply_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "host.json").write_text("[" * 3000 + "]" * 3000, encoding="utf-8")
    with pytest.raises(BadInput, match=r"host\.json:1: expected JSON that is nested less deeply"):
        explaining.read_file(tmp_path / "host.json", "host.json")


@pytest.mark.parametrize(
    ("head", "encoding", "says"),
    [
        ("", "utf-8", ""),
        ("", "utf-16", ""),
        ("", "latin-1", "3: this line has bytes that are no UTF-8"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1", ""),
        ('<?xml version="1.0" encoding="ISO-8859-99"?>', "latin-1", "1: the encoding ISO-8859-99 is not known"),
    ],
)
def test_bytes_that_the_encoding_of_an_activemq_xml_lacks_are_found(
    tmp_path: Path, head: str, encoding: str, says: str
) -> None:
    text = head + classic('<policyEntry queue="k\u00e4se" memoryLimit="5mb"/>')
    path = tmp_path / "activemq.xml"
    path.write_bytes(text.encode(encoding))
    ((_, read),) = explaining.read_files([path])
    found = explaining.explain(read, explaining.version_of(read, "", ""), Traffic())
    assert [f"{each.origin.line}: {each.sentence}".startswith(says) for each in found.findings] == [True] * bool(says)
    assert bool(found.refused_at) is bool(says)


@pytest.mark.parametrize("declares", ["", ' xmlns:k="http://activemq.apache.org/schema/core"'])
def test_a_prefix_in_a_broker_of_classic_must_be_declared(tmp_path: Path, declares: str) -> None:
    memory = '<k:memoryUsage><k:memoryUsage limit="5 mb"/></k:memoryUsage>'
    usage = f"<k:systemUsage><k:systemUsage>{memory}</k:systemUsage></k:systemUsage>"
    text = f'<broker xmlns="{OF_CLASSIC}"{declares}>{usage}</broker>'
    found = explained(tmp_path / "activemq.xml", text)
    says = "k:systemUsage has the prefix k, which no xmlns:k declares: a broker refuses to start with it."
    assert [each.sentence for each in found.findings if each.stops_broker] == [says] * (not declares)
