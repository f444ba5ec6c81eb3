"""Faults that lie between settings: each of them is sound, and together they are not."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, classic, host
from tidegate.explain import explaining
from tidegate.explain.machine import Machine
from tidegate.explain.versions import parse
from tidegate.explain.vocabulary import Traffic

BLOCK, PAGE, DROP = (f"<address-full-policy>{each}</address-full-policy>" for each in ("BLOCK", "PAGE", "DROP"))
SIZE = "<max-size-bytes>5M</max-size-bytes>"
NEXT = '</address-setting><address-setting match="{}">'
VM = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>"
MANAGED = "<management-address>activemq.management</management-address>"
OF_HEAP = "<global-max-size-percent-of-jvm-max-memory>{}</global-max-size-percent-of-jvm-max-memory>"
DECLARED = "<destinations>{}</destinations>"
MIB = 1024 * 1024


def usage(memory: str, temp: str = "10 gb") -> list[str]:
    return [
        f'<systemUsage><memoryUsage><memoryUsage limit="{memory}"/></memoryUsage>',
        f'<tempUsage><tempUsage limit="{temp}"/></tempUsage></systemUsage>',
    ]


def found(folder: Path, text: str, broker: str = "") -> list[tuple[int, str]]:
    path = folder / ("vh.json" if text.startswith("{") else "file.xml")
    path.write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(path, "f")
    taken = explaining.version_of(read, *parse(broker))
    return [(each.origin.line, each.rule) for each in explaining.explain(read, taken, Traffic()).findings]


PLANTED = {
    "dead letters are dropped": (
        artemis(SIZE, DROP, "<dead-letter-address>DLQ</dead-letter-address>"),
        [(6, "GENERAL-33")],
    ),
    "expired messages are refused": (
        artemis(SIZE, "<address-full-policy>FAIL</address-full-policy>", "<expiry-address>E</expiry-address>"),
        [(6, "GENERAL-31")],
    ),
    "management is blocked with #": (artemis(SIZE + BLOCK, core=[MANAGED]), [(3, "ARTEMIS-BLOCK-1")]),
    "a share of the heap beside a figure": (
        artemis(PAGE, core=["<global-max-size>1G</global-max-size>", OF_HEAP.format(30)]),
        [(4, "")],
    ),
    "a page larger than the address": (
        artemis(SIZE, "<page-size-bytes>10M</page-size-bytes>", PAGE),
        [(5, "")],
    ),
    "limits that are more than memory together": (
        classic(
            f'<policyEntry queue="a" memoryLimit="60 mb">{VM}',
            f'<policyEntry queue="b" memoryLimit="60 mb">{VM}',
            usage=usage("64 mb"),
        ),
        [(4, "CLASSIC-MEMORY-9")],
    ),
    "temporary space of less than a file": (classic(usage=usage("64 mb", "16 mb")), [(5, "CLASSIC-USAGE-2")]),
    "a wider limit that is not merged": (
        classic(f'<policyEntry queue="orders.>" memoryLimit="10 mb">{VM}', '<policyEntry queue="orders.eu"/>'),
        [(4, "CLASSIC-MEMORY-1")],
    ),
    "an entry for a topic that is a queue": (
        classic(
            '<policyEntry topic="orders" memoryLimit="1 mb"/>',
            usage=[DECLARED.format('<queue physicalName="orders"/>')],
        ),
        [(3, "CLASSIC-MEMORY-1")],
    ),
    "names in capital letters": (
        classic(
            f'<policyEntry queue="ORDERS.>" memoryLimit="1 mb">{VM}',
            usage=[DECLARED.format('<queue physicalName="orders.eu"/>')],
        ),
        [(3, "CLASSIC-MEMORY-1")],
    ),
    "a time in seconds": (
        classic(usage=['<systemUsage sendFailIfNoSpaceAfterTimeout="3"/>']),
        [(4, "CLASSIC-FAIL-3")],
    ),
    "an old limit beside a new one": (
        host(
            '{"name": "a", "queueFlowControlSizeBytes": 900000,\n"maximumQueueDepthBytes": 500000, '
            '"overflowPolicy": "PRODUCER_FLOW_CONTROL"}'
        ),
        [(5, "QPID-QUEUE-1")],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_between_settings_is_found_with_its_line_and_rule(tmp_path: Path, name: str) -> None:
    text, expected = PLANTED[name]
    assert found(tmp_path, text) == expected


SOUND = {
    "dead letters that are dropped elsewhere": artemis(
        SIZE, DROP, "<dead-letter-address>DLQ</dead-letter-address>",
        NEXT.format("DLQ"), SIZE + PAGE,
    ),
    "management with settings of its own": artemis(
        SIZE + BLOCK, NEXT.format("activemq.management#"), "<max-size-bytes>-1</max-size-bytes>" + PAGE, core=[MANAGED]
    ),
    "a page as large as the address": artemis(SIZE, "<page-size-bytes>5M</page-size-bytes>", PAGE),
    "limits that fit into memory together": classic(
        f'<policyEntry queue="a" memoryLimit="32 mb">{VM}', f'<policyEntry queue="b" memoryLimit="32 mb">{VM}',
        usage=usage("64 mb"),
    ),
    "temporary space of one file": classic(usage=usage("20 mb", "32 mb")),
    "an entry that says itself that nobody is held back": classic(
        f'<policyEntry queue="orders.>" memoryLimit="10 mb">{VM}',
        '<policyEntry queue="orders.eu" producerFlowControl="false"/>',
    ),
    "a time of a tenth of a second": classic(usage=['<systemUsage sendFailIfNoSpaceAfterTimeout="100"/>']),
    "a global limit of -1, which is half of the heap": artemis(
        "<max-size-bytes>-1</max-size-bytes>", BLOCK, core=["<global-max-size>-1</global-max-size>"]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_found_where_settings_fit(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, SOUND[name]) == []


def test_a_page_as_large_as_the_address_is_refused_by_old_releases_only(tmp_path: Path) -> None:
    text = SOUND["a page as large as the address"]
    assert found(tmp_path, text, "artemis:2.19.1") == [(5, "")]
    assert found(tmp_path, text, "artemis:2.20.0") == []


def test_a_share_of_the_heap_is_the_limit_of_all_addresses(tmp_path: Path) -> None:
    (tmp_path / "f.xml").write_text(artemis(BLOCK, core=[OF_HEAP.format(30)]), encoding="utf-8")
    (read,) = explaining.read_file(tmp_path / "f.xml", "f")
    taken = explaining.version_of(read, "", "")
    without = explaining.explain(read, taken, Traffic()).destinations[0]
    assert without.verdict == "BLOCK: producers wait from the broker's 30 % of the heap on"
    known = explaining.explain(read, taken, Traffic(), machine=Machine(heap=100 * MIB)).destinations[0]
    assert known.verdict == "BLOCK: producers wait from 31,457,280 bytes (30 MiB) on"
