"""The forms that a configuration has: what is read of each, from which line, and what is said of one that is none."""

import random
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, host, unread, virtual_hosts
from tests.explain.test_further_findings import CHART, OPERATOR, PLANTED, WRAPPED
from tidegate.explain import explaining
from tidegate.explain.machine import Machine
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
ONE_CREDIT = "protocols=AMQP;amqpCredits=1;amqpLowCredits=0"


def explained(
    folder: Path, name: str, text: str | bytes, *wanted: str, machine: Machine | None = None, **values: str
) -> list[Explanation]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [
        explaining.explain(
            read, explaining.version_of(read, "", "documents"), Traffic(size=1000), wanted, machine or Machine()
        )
        for read in explaining.read_file(path, name, values)
    ]


def limit(folder: Path, name: str, text: str | bytes, **values: str) -> str:
    """The first limit in bytes of the only configuration, with its line."""
    (only,) = explained(folder, name, text, machine=None, **values)
    found = next(
        each for each in only.destinations[0].limits if "size-bytes" in each.name or each.name == "memoryUsage"
    )
    return f"{found.shown} from {found.origin}"


def test_values_of_placeholders_are_given_or_taken_from_the_file_itself(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>${size:10k}</max-size-bytes>", BLOCK)
    assert limit(tmp_path, "broker.xml", text) == "10,240 bytes (10 KiB) from broker.xml:4, match #"
    assert limit(tmp_path, "broker.xml", text, size="20k") == "20,480 bytes (20 KiB) from broker.xml:4, match #"
    shell = artemis("<max-size-bytes>${SIZE:-30k}</max-size-bytes>", BLOCK)
    assert limit(tmp_path, "broker.xml", shell).startswith("30,720 bytes")
    none = artemis("<max-size-bytes>${SIZE:-1}</max-size-bytes>", BLOCK)
    assert limit(tmp_path, "broker.xml", none).startswith("no limit")
    spring = (
        '<beans><bean><property name="properties"><props><prop key="memory">3 mb</prop></props></property></bean>\n'
        '<broker><systemUsage><memoryUsage limit="${memory}"/></systemUsage></broker></beans>'
    )
    assert limit(tmp_path, "activemq.xml", spring) == "3,145,728 bytes (3 MiB) from activemq.xml:2, memoryUsage"


def test_bits_are_said_to_be_bytes(tmp_path: Path) -> None:
    (only,) = explained(tmp_path, "broker.xml", artemis("<max-size-bytes>10Mb</max-size-bytes>", BLOCK))
    assert only.notes == ("broker.xml:4: 10Mb is 10,485,760 bytes (10 MiB), not bits",)
    assert only.findings == ()


def test_the_command_takes_values_and_the_machine(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text(artemis("<max-size-bytes>${size}</max-size-bytes>", BLOCK), encoding="utf-8")
    ended = tidegate("explain", "broker.xml", "--set", "size=10k", "--heap", "1GiB", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "producers wait from 10,240 bytes" in ended.stdout
    assert "536,870,912 bytes" in ended.stdout
    ended = tidegate("explain", "broker.xml", "--set", "size", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == "tidegate: field '--set': expected NAME=VALUE, not 'size'\n"


def test_included_files_are_read_with_their_own_lines(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "settings.xml").write_text(
        f'<address-settings xmlns="urn:activemq:core">\n<address-setting match="#">{BLOCK}\n'
        "<max-size-bytes>7k</max-size-bytes></address-setting></address-settings>",
        encoding="utf-8",
    )
    text = (
        '<configuration xmlns:xi="http://www.w3.org/2001/XInclude"><core>\n<xi:include href="more/settings.xml"/>\n'
        '<xi:include href="../outside.xml"/></core></configuration>'
    )
    (tmp_path.parent / "outside.xml").write_text("<acceptors/>", encoding="utf-8")
    assert limit(tmp_path, "broker.xml", text) == "7,168 bytes (7 KiB) from more/settings.xml:3, match #"
    (only,) = explained(tmp_path, "broker.xml", text)
    assert only.notes == ("broker.xml:3: ../outside.xml is included here and was not read: its settings are not known",)
    (tmp_path / "broken.xml").write_text("<a>", encoding="utf-8")
    with pytest.raises(BadInput, match=r"^broken.xml:1: expected XML"):
        explained(tmp_path, "broker.xml", text.replace("../outside.xml", "broken.xml"))
    with pytest.raises(BadInput, match=r"is included here|expected"):
        explained(tmp_path, "broker.xml", '<configuration><xi:include href="broker.xml"/></configuration>')


SETTINGS = (
    '<address-settings xmlns="urn:activemq:core"><address-setting match="#">%s</address-setting></address-settings>'
)


def including(name: str) -> str:
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{name}"/>'
    core = f'<core xmlns="urn:activemq:core">{include}</core>'
    return f'<configuration xmlns="urn:activemq">{core}</configuration>'


def test_an_included_file_whose_folder_is_a_placeholder_is_taken_from_beside(tmp_path: Path) -> None:
    (tmp_path / "settings.xml").write_text(SETTINGS % f"{BLOCK}<max-size-bytes>7k</max-size-bytes>", encoding="utf-8")
    text = including("${artemis.etc}/settings.xml")
    assert limit(tmp_path, "broker.xml", text) == "7,168 bytes (7 KiB) from settings.xml:1, match #"
    (only,) = explained(tmp_path, "broker.xml", text)
    assert only.notes[0].endswith(
        "the folder ${artemis.etc} is a placeholder: included files are read from the folder of this file"
    )


@pytest.mark.parametrize("name", ["settings.xml", "${artemis.etc}/more.xml", "../etc/address-settings.xml"])
def test_what_a_file_that_was_not_read_may_set_is_not_known(tmp_path: Path, name: str) -> None:
    (only,) = explained(tmp_path, "broker.xml", including(name))
    assert only.destinations[0].verdict == "not known: a file that was not read may set the address-full-policy"


@pytest.mark.parametrize("name", ["security-settings.xml", "acceptors.xml", "${etc}/cluster-connections.xml"])
def test_a_file_of_another_part_of_the_broker_hides_no_settings(tmp_path: Path, name: str) -> None:
    (only,) = explained(tmp_path, "broker.xml", including(name))
    assert only.destinations[0].verdict.startswith("BLOCK: producers wait from")


def test_settings_for_every_address_hide_nothing_beside_a_file_that_was_not_read(tmp_path: Path) -> None:
    inside = SETTINGS % f"{BLOCK}<max-size-bytes>7k</max-size-bytes>"
    (only,) = explained(tmp_path, "broker.xml", including("settings.xml").replace("</core>", f"{inside}</core>"))
    assert only.destinations[0].verdict.startswith("BLOCK: producers wait from 7,168 bytes")
    assert only.findings == ()


def test_the_limits_of_all_addresses_of_wildfly_stand_at_its_journal(tmp_path: Path) -> None:
    text = (
        '<server><profile><subsystem xmlns="urn:jboss:domain:messaging-activemq:15.0"><server name="default">'
        '<journal global-max-memory-size="5000" global-max-disk-usage="70"/>'
        '<address-setting name="#" address-full-policy="BLOCK" max-size-bytes="9000"/></server></subsystem></profile>'
        "</server>"
    )
    (only,) = explained(tmp_path, "standalone.xml", text)
    assert only.destinations[0].verdict.startswith("BLOCK: producers wait from 5,000 bytes")
    assert "70 % of the disk" in {each.shown for each in only.destinations[0].limits}


def test_a_resource_without_a_specification_is_a_broker_with_the_defaults(tmp_path: Path) -> None:
    text = "apiVersion: broker.arkmq.org/v1beta2\nkind: Broker\nmetadata:\n  name: till\n"
    (only,) = explained(tmp_path, "broker.yaml", text)
    assert only.destinations[0].verdict.startswith("BLOCK: producers wait from")


def test_a_policy_that_makes_queues_needs_no_pattern_to_be_named(tmp_path: Path) -> None:
    policy = '{"createdOnPublish": "true", "nodeType": "queue", "attributes": {"maximumQueueDepthBytes": 8}}'
    text = f'{{"name": "till", "type": "Memory", "nodeAutoCreationPolicies": [{policy}]}}'
    (only,) = explained(tmp_path, "host.json", text)
    assert only.destinations[0].name == "till/created by a policy"


def test_an_imported_file_of_spring_is_read(tmp_path: Path) -> None:
    (tmp_path / "usage.xml").write_text(
        '<beans><broker><systemUsage><memoryUsage limit="5 mb"/></systemUsage></broker></beans>', encoding="utf-8"
    )
    text = '<beans><import resource="classpath:usage.xml"/></beans>'
    assert limit(tmp_path, "activemq.xml", text) == "5,242,880 bytes (5 MiB) from usage.xml:1, memoryUsage"


def test_an_older_qpid_names_the_file_of_its_virtual_hosts(tmp_path: Path) -> None:
    (tmp_path / "virtualhosts.xml").write_text(virtual_hosts("<capacity>5000</capacity>"), encoding="utf-8")
    text = "<broker><virtualhosts>${conf}/virtualhosts.xml</virtualhosts></broker>"
    (only,) = explained(tmp_path, "config.xml", text)
    assert only.destinations[0].verdict.startswith("producers that send are stopped above 5,000 bytes")


def test_several_brokers_of_a_file_are_explained_each_by_itself(tmp_path: Path) -> None:
    text = (
        '<beans><broker brokerName="one"><systemUsage><memoryUsage limit="1 mb"/></systemUsage></broker>\n'
        '<broker><systemUsage><memoryUsage limit="2 mb"/></systemUsage></broker></beans>'
    )
    one, other = explained(tmp_path, "activemq.xml", text)
    assert [one.file, other.file] == ["activemq.xml (one)", "activemq.xml (line 2)"]
    assert "1,048,576" in one.destinations[0].limits[2].shown
    assert "2,097,152" in other.destinations[0].limits[2].shown
    maps = "\n---\n".join([WRAPPED, OPERATOR, "a: |\n  " + host('{"name": "q"}').replace("\n", "\n  ")])
    found = explained(tmp_path, "all.yaml", maps)
    assert [each.broker.split(",")[0] for each in found] == [
        "ActiveMQ Artemis",
        "ActiveMQ Artemis",
        "Qpid Java broker",
    ]


def test_a_chart_is_read_with_its_defaults(tmp_path: Path) -> None:
    (only,) = explained(tmp_path, "map.yaml", CHART)
    assert only.destinations[0].limits[1].shown == "102,400 bytes (100 KiB)"
    assert str(only.destinations[0].limits[1].origin).startswith("map.yaml:6, match ")


def test_properties_are_read_as_java_reads_them(tmp_path: Path) -> None:
    text = (
        '! a comment\naddressSettings."a.b.*".maxSizeBytes : 10\\\n    k\n'
        "addressSettings.\\#.addressFullMessagePolicy BLOCK\n"
    )
    (only,) = explained(tmp_path, "broker.properties", text, "a.b.c")
    shown = {each.name: f"{each.shown} from {each.origin}" for each in only.destinations[0].limits}
    assert shown["max-size-bytes"] == "10,240 bytes (10 KiB) from broker.properties:2, match a.b.*"
    assert shown["address-full-policy"] == "BLOCK from broker.properties:4, match #"


def test_wildcards_are_those_of_the_file(tmp_path: Path) -> None:
    text = artemis(
        "<max-size-bytes>10k</max-size-bytes>" + BLOCK,
        '</address-setting><address-setting match="a/+">',
        "<max-size-bytes>1k</max-size-bytes>",
        core=["<wildcard-addresses><delimiter>/</delimiter><single-word>+</single-word></wildcard-addresses>"],
        acceptor=ONE_CREDIT,
    )
    (only,) = explained(tmp_path, "broker.xml", text, "a/b", "a.b")
    levels = ("1,024 bytes (1 KiB)", "10,240 bytes (10 KiB)")  # a.b is one word, for which only # stands
    assert [each.verdict for each in only.destinations] == [f"BLOCK: producers wait from {each} on" for each in levels]
    assert [each.name for each in only.destinations] == ["a.b", "a(dot)b"]
    says = "names are shown with . * and # here; --destination takes a name as the broker has it"
    assert only.notes == (f"broker.xml:3: {says}",)


def test_a_star_may_be_a_part_of_a_word_with_artemis_only(tmp_path: Path) -> None:
    text = artemis(
        "<max-size-bytes>10k</max-size-bytes>" + BLOCK,
        '</address-setting><address-setting match="eu*">',
        "<max-size-bytes>1k</max-size-bytes>",
    )
    verdicts = [explained(tmp_path, "b.xml", text, name)[0].destinations[0].verdict for name in ("eu1", "eu", "eu1.x")]
    assert ["1,024" in verdict for verdict in verdicts] == [True, False, False]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_files_are_read_in_the_encoding_that_they_name(tmp_path: Path, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<!-- ä -->\n' + artemis("<max-size-bytes>9k</max-size-bytes>")
    assert limit(tmp_path, "broker.xml", text.encode(encoding)) == "9,216 bytes (9 KiB) from broker.xml:6, match #"


def test_what_an_entry_says_of_failing_goes_before_what_the_broker_says(tmp_path: Path) -> None:
    text = classic(
        '<policyEntry topic="a" sendFailIfNoSpace="true"/>',
        '<policyEntry topic="b"/>',
        usage=['<systemUsage sendFailIfNoSpaceAfterTimeout="3000"/>'],
    )
    (found,) = explained(tmp_path, "activemq.xml", text, "topic:a", "topic:b")
    said = [each.does for one in found.destinations for each in one.limits if each.name == "memoryUsage"]
    assert ["fails at once" in does for does in said] == [True, False]
    assert "After 3,000 ms it fails" in said[1]


def test_a_part_of_the_heap_is_a_figure_once_the_heap_is_known(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>-1</max-size-bytes>", BLOCK, acceptor=ONE_CREDIT)
    (unknown,) = explained(tmp_path, "broker.xml", text)
    bound = unknown.destinations[0].flows[0].bound
    assert bound.bytes is None
    assert "half of the heap, and past that: credit" in bound.because
    (known,) = explained(tmp_path, "broker.xml", text, machine=Machine(heap=2_000_000))
    assert known.destinations[0].flows[0].bound.bytes == 1_000_000  # 999 messages below the half, and one on credit
    usage = '<systemUsage><memoryUsage percentOfJvmHeap="70"/><storeUsage percentLimit="10"/></systemUsage>'
    entry = '<policyEntry topic=">"/>'
    (unknown,) = explained(tmp_path, "activemq.xml", classic(entry, usage=[usage]), "topic:a")
    assert "70 % of the heap and one message past it; --heap SIZE" in unknown.destinations[0].flows[1].bound.because
    machine = Machine(heap=100_000, disk=1_000_000_000)
    (known,) = explained(tmp_path, "activemq.xml", classic(entry, usage=[usage]), "topic:a", machine=machine)
    assert known.destinations[0].flows[1].bound.bytes == 70_000
    more = '<systemUsage><memoryUsage limit="1 gb"/></systemUsage>'
    (reset,) = explained(tmp_path, "activemq.xml", classic(entry, usage=[more]), "topic:a", machine=machine)
    assert reset.destinations[0].flows[1].bound.bytes == 70_000
    assert "The broker takes 70 % of it instead" in reset.findings[0].sentence
    total = '<systemUsage><storeUsage percentLimit="10" total="50 gb"/></systemUsage>'
    (known,) = explained(tmp_path, "activemq.xml", classic(usage=[total]))
    assert [each.shown for each in known.destinations[0].limits if each.name == "storeUsage"] == [
        "5,368,709,120 bytes (5 GiB)"
    ]


BAD = {
    "YAML of something else": ("a.yaml", "a: 1\n", "a.yaml:1: expected a broker's configuration in this YAML"),
    "properties of something else": ("a.properties", "a=1\n", "a.properties:1: expected a property of an Artemis"),
    "properties without a value": ("a.properties", "globalMaxSize\n", "a.properties:1: expected KEY=VALUE"),
    "a property that is no size": (
        "b.properties",
        'globalMaxSize=1G\naddressSettings."#".maxSizeBytes=10 apples\n',
        "b.properties:2: field 'maxSizeBytes': expected a size in bytes",
    ),
    "nodes without their hosts": (
        "a.json",
        '{"virtualhostnodes": [{"name": "x"}]}',
        "a.json:1: expected a virtual host: the hosts of the",
    ),
    "JSON of something else": ("a.json", '{"name": "x"}', "a.json:1: expected a virtual host or queues"),
    "a size with a unit where none is read": (
        "vh.json",
        host('{"name": "a", "maximumQueueDepthBytes": "10MB"}'),
        "vh.json:5: field 'maximumQueueDepthBytes': expected a whole number without a unit (perhaps 10485760)",
    ),
    "a unit that ActiveMQ Classic does not know": (
        "activemq.xml",
        classic('<policyEntry queue=">" memoryLimit="10 MiB"/>'),
        "activemq.xml:3: field 'memoryLimit': expected a size",
    ),
    "a unit that Artemis does not know": (
        "broker.xml",
        artemis("<max-size-bytes>1T</max-size-bytes>"),
        "broker.xml:4: field 'max-size-bytes': expected a size",
    ),
    "a part of a percentage": (
        "broker.xml",
        artemis(core=["<max-disk-usage>90%</max-disk-usage>"]),
        "broker.xml:3: field 'max-disk-usage': expected a whole number from -1 on, not '90%'",
    ),
    "YAML whose XML is broken": (
        "a.yaml",
        "a: |\n  <?xml version='1.0'?>\n  <configuration>\n  <core>\n",
        "a.yaml:",
    ),
    "deep XML": ("b.xml", "<a>" * 500 + "</a>" * 500, "b.xml:1: expected XML that is nested"),
    "deep JSON": ("b.json", "[" * 5000 + "]" * 5000, "b.json:1: expected JSON that is nested less"),
    "signs that are none": ("b.xml", "\x00\x01\x02", "b.xml:1: expected XML"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_of_any_form_is_one_sentence(tmp_path: Path, name: str) -> None:
    file, text, sentence = BAD[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    (found,) = unread(tmp_path / file)
    assert found.removeprefix(f"{tmp_path}/").startswith(sentence)
    assert "\n" not in found


def test_whatever_a_file_holds_it_is_explained_or_refused(tmp_path: Path) -> None:
    choice = random.Random(7)
    texts = [(file, text) for file, text, _ in PLANTED.values()]
    for number in range(600):
        file, text = texts[number % len(texts)]
        for _ in range(choice.choice((1, 1, 3, 10))):
            at = choice.randrange(len(text))
            cut = choice.randrange(1, 12)
            other = choice.choice(texts)[1]
            put = choice.choice(
                ("", "<", ">", '"', "{", "}", "-", "9" * 30, ":", "\n", "é", "${", "{{", other[at : at + 20])
            )
            text = text[:at] + put + text[at + cut :]
            text = text or " "
        folder = tmp_path / file.replace(".", "-")  # of its own: properties beside a broker.xml are read with it
        folder.mkdir(exist_ok=True)
        try:
            explained(folder, file, text)
        except BadInput as error:
            assert all(file in sentence and "\n" not in sentence for sentence in error.sentences)


def test_of_a_tag_that_does_not_fit_it_is_said_which_element_is_open(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text("<core>\n<addresses>\n<address>\n</addresses>\n</core>\n")
    with pytest.raises(BadInput, match=r"^f:4: expected XML \(mismatched tag; <address> of line 3 is open there\)$"):
        explaining.read_file(tmp_path / "broker.xml", "f")


def test_a_queue_whose_store_is_a_database_has_no_empty_place_among_its_limits(tmp_path: Path) -> None:
    entry = '<policyEntry queue=">" memoryLimit="1mb"/>'
    policy = f"<destinationPolicy><policyMap><policyEntries>{entry}</policyEntries></policyMap></destinationPolicy>"
    store = '<persistenceAdapter><jdbcPersistenceAdapter dataSource="#x"/></persistenceAdapter>'
    (tmp_path / "activemq.xml").write_text(f"<broker>{policy}{store}</broker>")
    (read,) = explaining.read_file(tmp_path / "activemq.xml", "f")
    for asked in ("", "documents", "6.3.1", "5.3.1"):
        found = explaining.explain(read, explaining.version_of(read, "", asked), Traffic())
        told = " ".join(" ".join([*(each.verdict for each in found.destinations), *found.otherwise]).split())
        assert "wait for or " not in told
        assert "for ;" not in told
