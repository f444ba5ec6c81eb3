"""Slips of operators: figures that a broker refuses, names nearly right, and what stands twice or elsewhere."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host
from tidegate.explain import explaining
from tidegate.explain.machine import Machine
from tidegate.explain.vocabulary import Traffic
from tidegate.record.errors import BadInput

GB = 1 << 30
BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
OF_HEAP = "global-max-size-percent-of-jvm-max-memory"
ORDERS = '<addresses><address name="Orders"/></addresses>'
ENTRY = '<policyEntry queue="{}" memoryLimit="1mb"{}/>'
USAGE = "<systemUsage><systemUsage><{} {}/></systemUsage></systemUsage>"
POLICIES = "</policyEntries></policyMap></destinationPolicy><destinationPolicy><policyMap><policyEntries>"


def near(match: str) -> str:
    """A setting beside the one of all addresses, on line 7."""
    return artemis(
        "<max-size-bytes>-1</max-size-bytes>",
        f'</address-setting>\n<address-setting match="{match}">',
        "<max-size-bytes>5M</max-size-bytes>",
        core=[ORDERS],
    )


FOUND = {
    "a disk of 900 %": (
        "broker.xml",
        artemis(BLOCK, core=["<max-disk-usage>900</max-disk-usage>"]),
        3,
        "no percentage",
    ),
    "a disk of 1 %": (
        "broker.xml",
        artemis(BLOCK, core=["<max-disk-usage>1</max-disk-usage>"]),
        3,
        "nearly every disk",
    ),
    "the whole heap": ("broker.xml", artemis(BLOCK, core=[f"<{OF_HEAP}>100</{OF_HEAP}>"]), 3, "runs out of memory"),
    "no heap": ("broker.xml", artemis(BLOCK, core=[f"<{OF_HEAP}>0</{OF_HEAP}>"]), 3, "refuses to start"),
    "a page limit of 0": (
        "broker.xml",
        artemis("<page-full-policy>FAIL</page-full-policy>", "<page-limit-bytes>0</page-limit-bytes>"),
        5,
        "page-limit-bytes 0 is refused",
    ),
    "pages of -1 byte": (
        "broker.xml",
        artemis("<page-size-bytes>-1</page-size-bytes>"),
        4,
        "page-size-bytes -1 is refused",
    ),
    "a match in other letters": ("broker.xml", near("orders"), 7, "'orders' does not stand for the address 'Orders'"),
    "a match with a blank": ("broker.xml", near("Orders "), 7, "blanks and prefixes"),
    "a match with an old prefix": ("broker.xml", near("jms.queue.Orders"), 7, "blanks and prefixes"),
    "a setting beside its address": (
        "broker.yaml",
        "apiVersion: broker.amq.io/v1beta1\nkind: ActiveMQArtemis\nspec:\n  deploymentPlan:\n    maxSizeBytes: 10m\n",
        5,
        "maxSizeBytes has no effect in core: it belongs in an address-setting",
    ),
    "a property that is misspelt": (
        "broker.properties",
        "globalMaxSize=1G\nglobalMaxMessage=5",
        2,
        "globalMaxMessage is no setting of core: is globalMaxMessages meant?",
    ),
    "memory of the whole heap": (
        "activemq.xml",
        classic(usage=[USAGE.format("memoryUsage", 'percentOfJvmHeap="100"')]),
        4,
        "runs out of memory",
    ),
    "a name with its kind": ("activemq.xml", classic(ENTRY.format("queue://a", "")), 3, "the text before ://"),
    "a mark of 0": (
        "activemq.xml",
        classic(ENTRY.format("a", ' storeUsageHighWaterMark="0"')),
        3,
        "every persistent send",
    ),
    "a mark of 700": (
        "activemq.xml",
        classic(ENTRY.format("a", ' storeUsageHighWaterMark="700"')),
        3,
        "past its limit",
    ),
    "two sets of policies": (
        "activemq.xml",
        classic(ENTRY.format("a", ""), POLICIES, ENTRY.format("b", "")),
        2,
        "this destinationPolicy has no effect: the last one counts (line 4)",
    ),
    "two limits of the system": (
        "activemq.xml",
        classic(usage=[USAGE.format("memoryUsage", 'limit="1 gb"'), USAGE.format("memoryUsage", 'limit="2 gb"')]),
        4,
        "this systemUsage has no effect: the last one counts (line 5)",
    ),
    "a policy outside of its entries": (
        "activemq.xml",
        classic("</policyEntries>", ENTRY.format("a", ""), "<policyEntries>"),
        4,
        "policyEntry has no effect in policyMap",
    ),
    "a resume level as an attribute": (
        "host.json",
        host('{"name": "q", "queueFlowResumeLimit": 50}'),
        5,
        "as queue.queueFlowResumeLimit it belongs in a context",
    ),
    "a limit below -1": (
        "host.json",
        host('{"name": "q", "overflowPolicy": "PRODUCER_FLOW_CONTROL", "maximumQueueDepthBytes": -2}'),
        5,
        "the queue has no limit",
    ),
}
REFUSED = {
    "a policy in small letters": ("broker.xml", artemis(BLOCK.lower()), "BLOCK, PAGE, FAIL, DROP in capital letters"),
    "pages that block when full": (
        "broker.xml",
        artemis("<page-full-policy>BLOCK</page-full-policy>"),
        "expected one of FAIL, DROP",
    ),
    "a unit where WildFly takes none": (
        "standalone.xml",
        '<server><address-setting name="#" max-size-bytes="10m"/></server>',
        r"without a unit \(perhaps 10485760\)",
    ),
    "a match with dots": (
        "broker.properties",
        "addressSettings.orders.eu.maxSizeBytes=5",
        r'expected quotation marks around a match that has dots: addressSettings."orders.eu".maxSizeBytes',
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_slip_is_found_on_its_line_and_nowhere_else(tmp_path: Path, name: str) -> None:
    file, text, line, says = FOUND[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(tmp_path / file, file)
    findings = explaining.explain(read, explaining.version_of(read, "", ""), Traffic()).findings
    assert [each.origin.line for each in findings if says in each.sentence] == [line], findings


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_broker_takes_is_refused(tmp_path: Path, name: str) -> None:
    file, text, says = REFUSED[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=says):
        explaining.read_file(tmp_path / file, file)


def explained(folder: Path, text: str, machine: Machine) -> tuple[list[str], dict[str, str], dict[str, int | None]]:
    """What is found in an activemq.xml, and by destination what is said and the worst case of persistent messages."""
    (folder / "activemq.xml").write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / "activemq.xml", "activemq.xml")
    found = explaining.explain(read, explaining.version_of(read, "", ""), Traffic(size=1000), (), machine)
    bounds = {each.name: each.flows[0].bound.bytes for each in found.destinations}
    return [each.sentence for each in found.findings], {each.name: each.verdict for each in found.destinations}, bounds


def test_a_store_and_temporary_files_share_the_disk(tmp_path: Path) -> None:
    both = "".join(USAGE.format(key, 'limit="30 gb"') for key in ("storeUsage", "tempUsage"))
    text = classic(usage=[both.replace("</systemUsage></systemUsage><systemUsage><systemUsage>", "")])
    said, _, _ = explained(tmp_path, text, Machine(disk=50 * GB))
    assert [sentence for sentence in said if "60 GiB) together, more than the whole disk" in sentence]
    assert explained(tmp_path, text, Machine(disk=70 * GB))[0] == []


def test_an_entry_may_leave_a_part_of_the_store_to_others(tmp_path: Path) -> None:
    usage = USAGE.format("storeUsage", 'limit="100000000"')
    off = ENTRY.format("a", ' producerFlowControl="false" storeUsageHighWaterMark="70"').replace(
        ' memoryLimit="1mb"', ""
    )
    _, _, bounds = explained(tmp_path, classic(off, usage=[usage]), Machine())
    assert bounds["queue a"] == 70_000_000


def test_destinations_without_an_entry_have_the_one_of_all_others(tmp_path: Path) -> None:
    usual = '<defaultEntry><policyEntry memoryLimit="9000"/></defaultEntry>'
    text = classic(ENTRY.format("a", ""), "</policyEntries>", usual, "<policyEntries>")
    said, verdicts, _ = explained(tmp_path, text, Machine())
    assert verdicts["topic >"].startswith("sends wait from 9,000 bytes")
    assert "memoryLimit (8.789 KiB)" in verdicts["queue >"]
    assert not [sentence for sentence in said if "names no queue" in sentence or "names a topic" in sentence]


def test_the_entry_of_all_others_is_blamed_once(tmp_path: Path) -> None:
    usual = '<defaultEntry><policyEntry memoryLimit="9000" producerFlowControl="false"/></defaultEntry>'
    text = classic(ENTRY.format("a", ""), "</policyEntries>", usual, "<policyEntries>")
    said, _, _ = explained(tmp_path, text, Machine())
    assert len([sentence for sentence in said if "producerFlowControl is false" in sentence]) == 1
