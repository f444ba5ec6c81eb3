"""A setting that a match inherits has its effect where its policy is, and the second limit of a paging address."""

from pathlib import Path

import pytest

from tests.explain.planted import artemis, host, virtual_hosts
from tests.explain.test_further_findings import BLOCK, NEXT, PAGE, SIZE, found
from tidegate.explain import explaining, versions
from tidegate.explain.machine import Machine
from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.vocabulary import Destination, Traffic

REJECT = "<max-size-bytes-reject-threshold>200000</max-size-bytes-reject-threshold>"
PAGES = "<page-limit-bytes>1G</page-limit-bytes>"
FAILS = "<page-full-policy>FAIL</page-full-policy>"


def _destinations(folder: Path, *settings: str) -> dict[str, Destination]:
    path = folder / "broker.xml"
    path.write_text(artemis(*settings, core=["<global-max-size>1G</global-max-size>"]), encoding="utf-8")
    (read,) = explaining.read_file(path, "broker.xml")
    version = explaining.version_of(read, *versions.parse("artemis:2.55.0"))
    said = explaining.explain(read, version, Traffic(), (), Machine())
    return {each.name: each for each in said.destinations}


@pytest.mark.parametrize(
    "settings",
    [
        [SIZE, PAGE, REJECT, NEXT.format("a.#"), BLOCK],
        [SIZE, BLOCK, REJECT, NEXT.format("a.#"), PAGE],
        [SIZE, PAGE, PAGES, FAILS, NEXT.format("a.#"), BLOCK],
        [SIZE, BLOCK, PAGES, FAILS, NEXT.format("a.#"), PAGE],
        [SIZE, PAGE, FAILS, NEXT.format("a.#"), PAGES],
        [SIZE + PAGE + REJECT + PAGES + FAILS, NEXT.format("a.#"), BLOCK],
    ],
)
def test_a_setting_with_an_effect_at_one_match_is_no_finding(tmp_path: Path, settings: list[str]) -> None:
    assert found(tmp_path, "broker.xml", artemis(*settings), "artemis:2.55.0") == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([SIZE, PAGE, REJECT, NEXT.format("a.#"), PAGE], "reject-threshold has no effect under PAGE"),
        ([SIZE, BLOCK, PAGES, NEXT.format("a.#"), BLOCK], "a page limit has no effect under BLOCK"),
        ([SIZE, PAGE, FAILS, NEXT.format("a.#"), BLOCK], "page-full-policy has no effect"),
    ],
)
def test_a_setting_without_an_effect_at_any_match_is_found(tmp_path: Path, settings: list[str], words: str) -> None:
    assert any(words in says for _, _, says in found(tmp_path, "broker.xml", artemis(*settings), "artemis:2.55.0"))


def test_the_second_limit_of_a_paging_address_stands_in_the_summary(tmp_path: Path) -> None:
    told = _destinations(tmp_path, SIZE, PAGE, PAGES, FAILS)["#"]
    assert "past 1,073,741,824 bytes (1 GiB) of pages they are refused (page-full-policy)" in told.verdict
    (policy,) = (each for each in told.limits if each.name == "page-full-policy")
    assert (policy.shown, policy.origin.line) == ("FAIL", 8)
    assert told.flows[0].bound.bytes is not None  # the page has its default size


def test_a_match_that_does_not_page_has_no_limit_of_pages(tmp_path: Path) -> None:
    told = _destinations(tmp_path, SIZE, PAGE, PAGES, FAILS, NEXT.format("a.#"), BLOCK)["a.#"]
    assert not any("page" in each.name for each in told.limits)


def test_a_reject_threshold_under_another_policy_rejects_nothing(tmp_path: Path) -> None:
    told = _destinations(tmp_path, SIZE, BLOCK, REJECT, NEXT.format("a.#"), PAGE)["a.#"]
    (limit,) = (each for each in told.limits if each.name.endswith("reject-threshold"))
    assert limit.does == "It rejects nothing under PAGE."


LIMIT_OF_ALL = '{"queue.defaultMaximumQueueDepthBytes": "90000"}'
POLICY_OF_ALL = '{"queue.defaultOverflowPolicy": "PRODUCER_FLOW_CONTROL"}'
BLOCKS = '"overflowPolicy": "PRODUCER_FLOW_CONTROL"'
RESUME_OF_ALL = "<queues><flowResumeCapacity>1</flowResumeCapacity><queue><name>a</name><a>{}</a></queue></queues>"


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("a.json", host(f'{{"name": "a", {BLOCKS}}}', '{"name": "b"}', context=LIMIT_OF_ALL), False),
        ("a.json", host('{"name": "a"}', '{"name": "b"}', context=LIMIT_OF_ALL), True),
        ("a.json", host('{"name": "a", "maximumQueueDepthBytes": 9000}', context=POLICY_OF_ALL), False),
        ("a.json", host('{"name": "a"}', context=POLICY_OF_ALL), True),
        ("a.json", host(f'{{"name": "a", {BLOCKS}}}', '{"name": "b", "maximumQueueDepthBytes": 9}'), True),
        ("a.xml", virtual_hosts(RESUME_OF_ALL.format("<capacity>9000</capacity>")), False),
        ("a.xml", virtual_hosts(RESUME_OF_ALL.format("")), True),
    ],
)
def test_a_setting_of_all_queues_is_found_if_no_queue_needs_it(
    tmp_path: Path, name: str, text: str, is_found: bool
) -> None:
    says = [says for _, _, says in found(tmp_path, name, text, "qpid") if "no effect" in says]
    assert bool(says) is is_found
    assert len(says) == len(set(says))


def test_a_usual_wildcard_is_a_plain_name_beside_another_one(tmp_path: Path) -> None:
    words = "<wildcard-addresses><any-words>~x</any-words></wildcard-addresses>"
    path = tmp_path / "broker.xml"
    path.write_text(artemis(SIZE, BLOCK, NEXT.format("a.~"), PAGE, core=[words]), encoding="utf-8")
    (read,) = explaining.read_file(path, "broker.xml")
    version = explaining.version_of(read, *versions.parse("artemis:2.55.0"))
    said = explaining.explain(read, version, Traffic(), (), Machine())
    verdicts = {each.name: each.verdict for each in said.destinations}
    assert verdicts["(number sign)"].startswith("BLOCK")
    assert verdicts["#"].startswith("PAGE")
    assert isinstance(read, ArtemisFile)
    assert any("# is a plain sign" in note for note in read.notes)
    assert any("only the first sign of any-words ~x" in note for note in read.notes)
    assert not [each for each in said.findings if "refuses to start" in each.sentence]
