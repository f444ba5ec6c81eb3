"""Memory that a broker of Classic splits, stores that a mKahaDB keeps apart, and times that are none."""

from pathlib import Path

import pytest

from tests.explain.planted import classic
from tidegate.explain import explaining
from tidegate.explain.machine import Machine
from tidegate.explain.vocabulary import Explanation, Traffic

MIB = 1 << 20
MEMORY = "<systemUsage><systemUsage><memoryUsage {}/></systemUsage></systemUsage>"
SPLIT = 'splitSystemUsageForProducersConsumers="{}"'
IN_MEMORY = '<policyEntry queue=">"><pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>'
FILTERED = (
    "<persistenceAdapter><mKahaDB><filteredPersistenceAdapters>{}</filteredPersistenceAdapters></mKahaDB>"
    "</persistenceAdapter>"
)
STORE = (
    "<filteredKahaDB {}><usage><storeUsage {}/></usage>"
    '<persistenceAdapter><kahaDB journalMaxFileLength="1mb"/></persistenceAdapter></filteredKahaDB>'
)


def explained(folder: Path, text: str, machine: Machine | None = None, release: str = "6.3.1") -> Explanation:
    (folder / "activemq.xml").write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / "activemq.xml", "activemq.xml")
    taken = explaining.version_of(read, "classic", release)
    return explaining.explain(read, taken, Traffic(size=1000), (), machine or Machine())


def verdict(found: Explanation, name: str) -> str:
    return next(each.verdict for each in found.destinations if each.name == name)


def bound(found: Explanation, name: str) -> int | None:
    return next(each.flows[0].bound.bytes for each in found.destinations if each.name == name)


@pytest.mark.parametrize(
    ("broker", "limit"),
    [
        (SPLIT.format("false"), 10_000_000),
        (SPLIT.format("true"), 6_000_000),
        (f'{SPLIT.format("true")} producerSystemUsagePortion="25"', 2_500_000),
        (f'{SPLIT.format("true")} producerSystemUsagePortion="0"', 10_000_000),
        (f'{SPLIT.format("true")} producerSystemUsagePortion="160"', 10_000_000),
        ('producerSystemUsagePortion="25"', 10_000_000),
    ],
)
def test_producers_of_a_split_broker_fill_their_share_of_the_memory(tmp_path: Path, broker: str, limit: int) -> None:
    text = classic(IN_MEMORY, usage=[MEMORY.format('limit="10000000"')], broker=broker)
    found = explained(tmp_path, text)
    assert verdict(found, "queue >").startswith(f"sends wait from {limit:,} bytes")
    assert bound(found, "queue >") == limit


def test_the_share_of_producers_names_its_line_and_is_a_share_of_the_heap_too(tmp_path: Path) -> None:
    text = classic(IN_MEMORY, usage=[MEMORY.format('percentOfJvmHeap="50"')], broker=SPLIT.format("true"))
    assert "60 % of 50 % of the heap" in verdict(explained(tmp_path, text), "queue >")
    on_heap = explained(tmp_path, text, Machine(heap=1000 * MIB))
    assert bound(on_heap, "queue >") == 314_573_000  # 300 MiB and the rest of the last message
    (memory,) = [each for each in on_heap.destinations[0].limits if each.name == "memoryUsage"]
    assert "of which producers have 60 % (activemq.xml:1)" in memory.origin.part


def test_a_share_beyond_the_whole_is_found(tmp_path: Path) -> None:
    text = classic(IN_MEMORY, broker=f'{SPLIT.format("true")} producerSystemUsagePortion="160"')
    assert [each.sentence for each in explained(tmp_path, text).findings] == [
        "producerSystemUsagePortion is 160 %: it is more than the whole memory."
    ]


def test_a_store_of_its_own_limits_the_queues_of_its_pattern_only(tmp_path: Path) -> None:
    store = FILTERED.format(STORE.format('queue="a.>"', 'limit="5000000"') + STORE.format("", 'limit="0"'))
    text = classic(store, usage=[MEMORY.format('limit="9000000"')])
    found = explained(tmp_path, text)
    assert "memoryUsage (8.583 MiB) or filteredKahaDB (4.768 MiB) or storeUsage (100 GiB)" in verdict(
        found, "queue a.>"
    )
    assert "filteredKahaDB" not in verdict(found, "queue >")
    assert (bound(found, "queue a.>"), bound(found, "queue >")) == (5_000_000, 9_000_000)
    assert [each.sentence for each in found.findings] == ["a limit of 0 of a store is no limit."]


def test_a_limit_of_one_store_is_none_of_the_whole_broker(tmp_path: Path) -> None:
    store = FILTERED.format(STORE.format('perDestination="true"', 'percentLimit="10" total="500 mb"'))
    found = explained(tmp_path, classic(store))
    limits = {each.name: each.shown for each in found.destinations[0].limits}
    assert limits["filteredKahaDB"].startswith("52,428,800 bytes")
    assert limits["storeUsage"].startswith("107,374,182,400 bytes")
    topics = next(each for each in found.destinations if each.name == "topic >")
    assert "filteredKahaDB" not in [each.name for each in topics.limits]


@pytest.mark.parametrize(
    ("limit", "release", "says"),
    [
        ('limit="200 gb"', "6.3.1", "has no effect: all stores together may have 1,073,741,824 bytes"),
        ('limit="100 kb"', "6.3.1", "is less than one file of its journal (1,048,576 bytes"),
        ('limit="5 mb"', "5.9.1", "is not known before 5.15.0"),
    ],
)
def test_a_limit_of_a_store_that_is_no_use_is_found(tmp_path: Path, limit: str, release: str, says: str) -> None:
    whole = '<systemUsage><systemUsage><storeUsage limit="1 gb"/></systemUsage></systemUsage>'
    text = classic(FILTERED.format(STORE.format('queue="a"', limit)), usage=[whole])
    (finding,) = explained(tmp_path, text, release=release).findings
    assert says in finding.sentence


@pytest.mark.parametrize(("others", "is_found"), [("1mb", False), ("40mb", True)])
def test_the_files_of_each_store_count_for_the_limit_of_all(tmp_path: Path, others: str, is_found: bool) -> None:
    own, other = STORE.format('queue="a"', 'limit="5 mb"'), STORE.format("", 'limit="6 mb"').replace("1mb", others)
    other = other.replace("<usage>", "<!--").replace("</usage>", "-->")  # a store without a limit
    whole = '<systemUsage><systemUsage><storeUsage limit="8 mb"/></systemUsage></systemUsage>'
    found = explained(tmp_path, classic(FILTERED.format(own + other), usage=[whole]))
    assert ["less than one file of the journal" in each.sentence for each in found.findings] == [True] * is_found


def test_a_time_below_0_is_none(tmp_path: Path) -> None:
    entry = '<policyEntry queue="a" sendFailIfNoSpaceAfterTimeout="-100"/>'
    found = explained(tmp_path, classic(entry))
    assert ["-100 ms is no time" in each.sentence for each in found.findings] == [True]
    does = [each.does for each in found.destinations[0].limits if each.name == "memoryUsage"]
    assert "It waits for ever if nobody consumes." in does[0]


def test_files_of_a_broker_that_keeps_all_in_memory_stop_nobody(tmp_path: Path) -> None:
    usage = '<systemUsage><systemUsage><storeUsage limit="1 gb"/></systemUsage></systemUsage>'
    found = explained(tmp_path, classic(usage=[usage], broker='persistent="false"'))
    does = {each.name: each.does for each in found.destinations[0].limits}
    assert does["storeUsage"] == does["tempUsage"]
    assert does["storeUsage"].startswith("It stops nobody: the broker is not persistent")
