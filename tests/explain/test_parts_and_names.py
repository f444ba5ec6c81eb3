"""Parts of a configuration in scripts, values with signs of XML, stores and disks, and long lists of names."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host
from tidegate.explain import explaining, show
from tidegate.explain.compose.artemis import why_unwatched
from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

PART = (
    '<address-setting match="{}"><max-size-bytes>{}</max-size-bytes><address-full-policy>DROP</address-full-policy>'
    "</address-setting>"
)
PAGE = "<address-full-policy>PAGE</address-full-policy>"
NEVER = "disk-scan-period is -1 (line 3), and the broker never checks the disk"


def all_of(path: Path, text: str, broker: str = "", **values: str) -> list[Explanation]:
    path.write_text(text, encoding="utf-8")
    return [
        explaining.explain(read, explaining.version_of(read, "", broker), Traffic())
        for _, read in explaining.read_files([path], values)
    ]


def only(path: Path, text: str, broker: str = "", **values: str) -> Explanation:
    (found,) = all_of(path, text, broker, **values)
    return found


def named(found: Explanation, name: str) -> dict[str, str]:
    (there,) = (each for each in found.destinations if each.name == name)
    return {each.name: each.shown for each in there.limits}


@pytest.mark.parametrize("between", ["\n", "\n  <!-- the grave -->\n"])
def test_parts_side_by_side_in_a_script_are_one_broker(tmp_path: Path, between: str) -> None:
    text = f"#!/bin/sh\ncat <<END\n{PART.format('till.#', '7M')}{between}{PART.format('grave', '3M')}\nEND\n"
    found = only(tmp_path / "make.sh", text)
    assert named(found, "till.#")["max-size-bytes"].startswith("7,340,032")
    assert named(found, "grave")["max-size-bytes"].startswith("3,145,728")
    assert any("what its other parts set is not known" in note for note in found.notes)
    assert named(found, "grave")["global-max-size"] == named(found, "grave")["max-disk-usage"] == "not known"
    says = "not known: the rest of the configuration may set the address-full-policy"
    assert found.destinations[-1].verdict == says


def test_parts_apart_in_a_script_stay_apart(tmp_path: Path) -> None:
    text = f"#!/bin/sh\necho '{PART.format('till.#', '7M')}' > a\necho '{PART.format('till.#', '3M')}' > b\n"
    assert len(all_of(tmp_path / "make.sh", text)) == 2


def test_a_whole_configuration_in_a_script_has_no_unknown_parts(tmp_path: Path) -> None:
    found = only(tmp_path / "make.sh", f"#!/bin/sh\ncat <<END\n{artemis(PAGE)}\nEND\n")
    assert not any("other parts" in note for note in found.notes)


@pytest.mark.parametrize(
    ("core", "says"),
    [
        ("<disk-scan-period>-1</disk-scan-period><max-disk-usage>70</max-disk-usage>", NEVER),
        ("<disk-scan-period>-1</disk-scan-period><max-disk-usage>0</max-disk-usage>", NEVER),
        ("<disk-scan-period>-1</disk-scan-period><min-disk-free>5M</min-disk-free>", NEVER),
        (
            "<persistence-enabled>false</persistence-enabled><max-disk-usage>0</max-disk-usage>",
            "persistence-enabled is false, and the broker does not check the disk",
        ),
    ],
)
def test_a_disk_that_is_never_checked_stops_nobody(tmp_path: Path, core: str, says: str) -> None:
    found = only(tmp_path / "broker.xml", artemis(PAGE, core=[core]))
    (sentence,) = (each.sentence for each in found.findings)
    assert sentence.endswith(f"has no effect: {says}.")
    assert "all producers wait" not in found.destinations[0].verdict


@pytest.mark.parametrize("period", ["5000", "1"])
def test_a_disk_that_is_checked_now_and_then_stops_producers(tmp_path: Path, period: str) -> None:
    core = [f"<disk-scan-period>{period}</disk-scan-period>"]
    assert "all producers wait" in only(tmp_path / "broker.xml", artemis(PAGE, core=core)).destinations[0].verdict


def test_a_broker_property_switches_the_check_of_the_disk_off(tmp_path: Path) -> None:
    (tmp_path / "broker.properties").write_text("diskScanPeriod=-1\n")
    (tmp_path / "broker.xml").write_text(artemis(PAGE))
    ((_, read),) = explaining.read_files([tmp_path / "broker.xml"])
    assert isinstance(read, ArtemisFile)
    assert "never checks the disk" in why_unwatched(read)


@pytest.mark.parametrize("store", ["levelDB", "replicatedLevelDB"])
def test_a_store_that_was_removed_later_names_its_last_release(tmp_path: Path, store: str) -> None:
    text = f"<broker><persistenceAdapter><{store}/></persistenceAdapter></broker>"
    assert "rules and defaults of 5.15.16" in only(tmp_path / "activemq.xml", text).broker
    (finding,) = only(tmp_path / "activemq.xml", text, "5.18.6").findings
    assert finding.sentence == f"{store} is not known since 5.17.0: a broker refuses to start with it."
    assert finding.stops_broker


@pytest.mark.parametrize(
    "argument",
    [
        '<constructor-arg value="till.properties"/>',
        '<constructor-arg index="0"><value>till.properties</value></constructor-arg>',
    ],
)
def test_properties_that_a_constructor_names_are_read(tmp_path: Path, argument: str) -> None:
    (tmp_path / "till.properties").write_text("till.limit=9 mb\ntill.uri=tcp://h:1?a=b&c=<d>\n")
    bean = f'<bean class="org.example.TillPlaceholderConfigurer">{argument}</bean>'
    text = classic(
        usage=['<systemUsage><memoryUsage limit="${till.limit}"/></systemUsage>'], broker='name="${till.uri}"'
    )
    found = only(tmp_path / "activemq.xml", text.replace("<beans>", f"<beans>{bean}"))
    assert named(found, "topic >")["memoryUsage"].startswith("9,437,184 bytes")


def test_a_value_of_the_command_line_may_have_signs_of_xml(tmp_path: Path) -> None:
    text = classic('<policyEntry queue="till" memoryLimit="5mb"/>', broker='brokerName="${till.uri}"')
    found = only(tmp_path / "activemq.xml", text, **{"till.uri": 'a&b<"c"'})
    assert named(found, "queue till")["memoryLimit"].startswith("5,242,880 bytes")


def test_a_verdict_has_the_part_of_the_store_at_which_sends_wait(tmp_path: Path) -> None:
    entry = '<policyEntry queue="till" storeUsageHighWaterMark="40"/>'
    found = only(
        tmp_path / "activemq.xml", classic(entry, usage=['<systemUsage><storeUsage limit="5 gb"/></systemUsage>'])
    )
    verdicts = {each.name: each.verdict for each in found.destinations}
    assert "storeUsage (2 GiB, its storeUsageHighWaterMark)" in verdicts["queue till"]
    assert "storeUsage (5 GiB)" in verdicts["queue >"]


def test_figures_that_are_not_known_are_told_in_whole_sentences(tmp_path: Path) -> None:
    disk = only(tmp_path / "broker.xml", artemis(PAGE, core=["<max-disk-usage>${x}</max-disk-usage>"]))
    assert (
        "once the disk is fuller than max-disk-usage, not known here, all producers wait"
        in disk.destinations[0].verdict
    )
    usage = ['<systemUsage><memoryUsage limit="${x}"/><storeUsage limit="${x}"/></systemUsage>']
    verdicts = [each.verdict for each in only(tmp_path / "activemq.xml", classic(usage=usage)).destinations]
    assert "persistent sends wait for memoryUsage (not known) or storeUsage (not known)" in verdicts[0]
    assert verdicts[1].startswith("sends wait at a limit of memory that is not known here")


def test_of_very_many_queues_alike_the_first_are_named(tmp_path: Path) -> None:
    found = only(tmp_path / "host.json", host(*(f'{{"name": "q{number}"}}' for number in range(40))))
    text = " ".join(" ".join(show.lines(found, Traffic(), {})).split())
    assert "q11 and 29 more with the same limits nobody waits: the queue has no limit" in text
    assert "q12" not in text
    assert len(show.data(found, {})["destinations"]) == 41


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("main.tf", 'resource "qpid_queue" "till" {\n  name = "till"\n}\n', "Terraform's resources of a Qpid broker"),
        (
            "bundle.yaml",
            "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nspec: {}\n",
            "definitions of kinds of resources",
        ),
    ],
)
def test_files_that_only_order_or_describe_brokers_are_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=says):
        explaining.read_file(tmp_path / name, name)


def test_a_policy_that_is_not_known_is_not_said_to_make_nobody_wait(tmp_path: Path) -> None:
    text = artemis("<address-full-policy>${x}</address-full-policy>", "<max-size-bytes>5M</max-size-bytes>")
    found = only(tmp_path / "broker.xml", text)
    does = {each.name: (each.does, each.rules) for each in found.destinations[0].limits}
    assert does["address-full-policy"] == ("Whether producers to a full address wait is not known here.", ())
    assert does["max-size-bytes"] == ("What happens there is not known.", ())


@pytest.mark.parametrize(("inserted", "shown"), [("@limit || 7", "7,340,032 bytes (7 MiB)"), ("@a || @b", "not known")])
def test_a_literal_behind_an_or_of_ruby_is_its_default(tmp_path: Path, inserted: str, shown: str) -> None:
    entry = f'<policyEntry queue="till" memoryLimit="<%= {inserted} %> mb"/>'
    limit = named(only(tmp_path / "activemq.xml.erb", classic(entry)), "queue till")["memoryLimit"]
    assert limit.startswith(shown)


@pytest.mark.parametrize(
    ("name", "text", "units"),
    [
        ("broker.xml", artemis("<max-size-bytes>5 tons</max-size-bytes>"), "K, M, G"),
        ("activemq.xml", classic('<policyEntry queue="till" memoryLimit="5 tons"/>'), "K, M, G"),
    ],
)
def test_the_units_of_a_size_are_named(tmp_path: Path, name: str, text: str, units: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=rf"such as 10485760 or 10M \(units {units}\), not '5 tons'"):
        explaining.read_file(tmp_path / name, name)


def test_parts_of_an_activemq_xml_leave_its_other_limits_unknown(tmp_path: Path) -> None:
    cursor = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy>"
    entry = f'<policyEntry queue="{{}}" memoryLimit="{{}}">{cursor}</policyEntry>'
    text = f"#!/bin/sh\ncat <<END\n{entry.format('till', '5mb')}\n{entry.format('shop', '6mb')}\nEND\n"
    found = only(tmp_path / "make.sh", text)
    verdicts = {each.name: each.verdict for each in found.destinations}
    assert verdicts["queue till"] == "sends wait from 5,242,880 bytes (5 MiB) in memory on"
    assert verdicts["queue shop"] == "sends wait from 6,291,456 bytes (6 MiB) in memory on"
    assert verdicts["queue >"].startswith("not known")
    assert named(found, "queue till")["memoryUsage"] == "a limit that does not stand here"


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("PAGE", "PAGE: nobody waits; from global-max-size, not known here, on messages go to disk"),
        ("BLOCK", "BLOCK: producers wait from global-max-size, not known here, on"),
        ("FAIL", "FAIL: from global-max-size, not known here, on messages are refused"),
    ],
)
def test_an_address_with_only_a_limit_that_is_not_known_is_not_said_to_have_none(
    tmp_path: Path, policy: str, says: str
) -> None:
    core = ["<global-max-size>${x}</global-max-size><max-disk-usage>-1</max-disk-usage>"]
    text = artemis(f"<address-full-policy>{policy}</address-full-policy>", core=core)
    assert only(tmp_path / "broker.xml", text).destinations[0].verdict == says


def test_a_policy_for_a_full_disk_that_is_never_checked_has_no_effect(tmp_path: Path) -> None:
    core = ["<disk-scan-period>-1</disk-scan-period>"]
    (finding,) = only(
        tmp_path / "broker.xml", artemis(PAGE, "<disk-full-policy>DROP</disk-full-policy>", core=core)
    ).findings
    assert finding.sentence == f"disk-full-policy has no effect: {NEVER}."


def test_a_name_of_a_resource_is_meant_in_the_spelling_of_resources(tmp_path: Path) -> None:
    text = (
        "apiVersion: broker.amq.io/v1beta1\nkind: ActiveMQArtemis\nspec:\n  addressSettings:\n    addressSetting:\n"
        '    - {match: "#", maxSizeByte: 5m}\n'
    )
    (finding,) = only(tmp_path / "till.yaml", text).findings
    assert finding.sentence == "maxSizeByte is no setting of an address-setting: is maxSizeBytes meant?"


def test_a_broker_property_is_meant_in_the_spelling_of_properties(tmp_path: Path) -> None:
    text = 'addressSettings."#".maxSizeBytes=5M\naddressSettings."#".addressFullMesagePolicy=BLOCK\n'
    (finding,) = only(tmp_path / "broker.properties", text).findings
    assert finding.sentence.endswith("is addressFullMessagePolicy meant?")


@pytest.mark.parametrize(("version", "found"), [("6.1.7", False), ("9.2.1", True)])
def test_a_policy_that_a_release_does_not_have_is_no_finding(tmp_path: Path, version: str, found: bool) -> None:
    queue = {
        "6.1.7": '{"name": "till", "queueFlowControlSizeBytes": 0}',
        "9.2.1": '{"name": "till", "overflowPolicy": "PRODUCER_FLOW_CONTROL"}',
    }[version]
    findings = only(tmp_path / "host.json", host(queue), version).findings
    assert [each.sentence for each in findings] == [
        "PRODUCER_FLOW_CONTROL has no effect: the queue has no limit."
    ] * found
