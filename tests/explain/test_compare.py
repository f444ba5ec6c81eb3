"""What an upgrade changes under a configuration: only what can be met there."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import tidegate
from tests.explain.planted import artemis, classic, virtual_hosts

BLOCK = "<address-full-policy>BLOCK</address-full-policy>"
VM = "<pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy></policyEntry>"


def compared(folder: Path, text: str, before: str, after: str) -> dict[str, Any]:
    (folder / "file.xml").write_text(text, encoding="utf-8")
    ended = tidegate(
        "explain", "file.xml", "--broker", before or "documents", "--compare-with", after, "--json", folder=folder
    )
    assert ended.returncode == 0, ended.stderr
    (found,) = json.loads(ended.stdout)
    return dict(found)


def rules(found: dict[str, Any]) -> list[str]:
    return [each["rule"] for each in found["met"]]


def test_a_queue_that_sets_both_levels_meets_the_rules_at_its_levels_only(tmp_path: Path) -> None:
    queue = "<queues><queue><name>q</name><q>{}</q></queue></queues>"
    both = virtual_hosts(queue.format("<capacity>1000</capacity><flowResumeCapacity>800</flowResumeCapacity>"))
    alone = virtual_hosts(queue.format("<capacity>1000</capacity>"))
    found = compared(tmp_path, both, "qpid:0.18", "qpid:10.1.0")
    assert found["changes"] == []
    assert "QPID-QUEUE-2" not in rules(found)  # both let go at the level that is set
    without = compared(tmp_path, alone, "qpid:0.18", "qpid:10.1.0")
    assert "QPID-QUEUE-2" in rules(without)  # 0.18 at an empty queue, 10.1.0 at 80 per cent
    assert any("resume level: before 0 bytes; after 80 % of the capacity" in each for each in without["changes"])


def test_from_the_documents_a_queue_lets_go_at_its_level_too(tmp_path: Path) -> None:
    text = virtual_hosts("<capacity>1000</capacity>", "<flowResumeCapacity>800</flowResumeCapacity>")
    found = compared(tmp_path, text, "", "qpid:0.18")
    (met,) = [each for each in found["met"] if each["rule"] == "QPID-QUEUE-2"]
    assert met["given"] == ["capacity = 1,000 bytes", "flowResumeCapacity = 800 bytes", "the queue holds 800 bytes"]
    assert met["before"] == "not underfull, so producers that it stopped stay so"
    assert met["after"] == "underfull, so producers that it stopped are released"


def test_a_default_counts_where_nothing_is_set(tmp_path: Path) -> None:
    open_file = artemis("<max-size-bytes>50000</max-size-bytes>")
    set_file = artemis(
        "<max-size-bytes>50000</max-size-bytes>", BLOCK, acceptor="amqpCredits=10;amqpLowCredits=3;protocols=AMQP"
    )
    found = compared(tmp_path, open_file, "artemis:documents", "artemis:2.44.0")
    assert any("address-full-policy: before BLOCK; after PAGE (nothing is set" in each for each in found["changes"])
    found = compared(tmp_path, set_file, "artemis:documents", "artemis:2.44.0")
    assert found["changes"] == []
    assert found["met"] == []
    # no reject threshold, no policy that refuses and no limit of pages is set, and no policy is changed
    assert found["not_met"] == ["ARTEMIS-AMQP-1", "ARTEMIS-AMQP-9", "GENERAL-34", "GENERAL-5"]


def test_a_reject_threshold_is_met_at_the_threshold_itself(tmp_path: Path) -> None:
    text = artemis(
        "<max-size-bytes>50000</max-size-bytes>" + BLOCK,
        "<max-size-bytes-reject-threshold>60000</max-size-bytes-reject-threshold>",
        acceptor="amqpCredits=10;amqpLowCredits=3;protocols=AMQP",
    )
    found = compared(tmp_path, text, "artemis:documents", "artemis:2.44.0")
    met, credit = found["met"]
    assert (met["rule"], credit["rule"]) == ("ARTEMIS-AMQP-9", "ARTEMIS-AMQP-1")
    assert "max-size-bytes-reject-threshold = 60,000 bytes" in met["given"]
    assert met["given"][-1] == "the address holds 60,000 bytes"
    assert (met["before"], met["after"]) == ("messages are rejected", "messages are accepted")
    assert any("worst case of AMQP producers" in each for each in found["changes"]) is False


def test_a_grant_differs_for_core_producers_only(tmp_path: Path) -> None:
    text = artemis("<max-size-bytes>50000</max-size-bytes>" + BLOCK, acceptor="protocols=CORE")
    found = compared(tmp_path, text, "artemis:documents", "artemis:2.44.0")
    assert "ARTEMIS-CORE-5" in rules(found)
    assert any("worst case of Core producers" in each for each in found["changes"])


def test_a_rule_that_differs_in_one_form_is_not_said_to_differ_never(tmp_path: Path) -> None:
    limit = "<max-size-bytes>9000000</max-size-bytes><address-full-policy>BLOCK</address-full-policy>"
    found = compared(tmp_path, artemis(limit), "artemis:2.44.0", "artemis:2.55.0")
    met = {each["rule"] for each in found["met"]}
    assert "ARTEMIS-CORE-3" in met
    assert not met & {*found["not_met"]}


@pytest.mark.parametrize(("time", "is_met"), [("", False), ('sendFailIfNoSpaceAfterTimeout="900"', True)])
def test_a_rule_about_a_time_is_met_only_where_one_is_set(tmp_path: Path, time: str, is_met: bool) -> None:
    text = classic(f'<policyEntry topic=">" memoryLimit="1mb" {time}/>')
    found = compared(tmp_path, text, "classic:5.9.1", "classic:6.3.1")
    assert ("CLASSIC-FAIL-3" in rules(found), "CLASSIC-FAIL-3" in found["not_met"]) == (is_met, not is_met)


def test_what_raises_another_exception_is_told(tmp_path: Path) -> None:
    text = classic('<policyEntry queue=">" memoryLimit="1mb">' + VM)
    found = compared(tmp_path, text, "classic:5.3.1", "classic:6.3.1")
    assert found["defaults"] == ["A send that fails raises the exception of Jakarta."]
    assert any("memoryUsage" in each for each in found["changes"])  # 64 MiB and 1 GiB by default


def test_a_state_that_differs_has_the_figures_of_the_configuration_beside_an_address_that_pages(tmp_path: Path) -> None:
    blocks = f'</address-setting><address-setting match="a.#"><max-size-bytes>10M</max-size-bytes>{BLOCK}'
    found = compared(tmp_path, artemis(BLOCK.replace("BLOCK", "PAGE"), blocks), "artemis:2.31.2", "artemis:2.50.0")
    (met,) = [each for each in found["met"] if each["rule"] == "GENERAL-3"]
    assert {"max-size-bytes = 10,485,760 bytes", "max-size-messages = -1 (no limit)"} <= set(met["given"])
    assert rules(found) == ["GENERAL-3"]


PAGES_ON = "an address writes messages to pages as long as its pages hold messages, even with room in memory"


@pytest.mark.parametrize(
    ("limit", "page", "is_met"),
    [("9999", "<page-size-bytes>10000</page-size-bytes>", True), ("9999", "", True)]
    + [(limit, "<page-size-bytes>10000</page-size-bytes>", False) for limit in ("10000", "50000")],
)
def test_an_address_pages_for_good_only_where_its_limit_is_below_a_page(
    tmp_path: Path, limit: str, page: str, is_met: bool
) -> None:
    pages = f"<page-limit-bytes>{limit}</page-limit-bytes>{page}<page-full-policy>FAIL</page-full-policy>"
    text = artemis("<max-size-bytes>50000</max-size-bytes>", BLOCK.replace("BLOCK", "PAGE"), pages)
    found = compared(tmp_path, text, "artemis:documents", "artemis:2.44.0")
    assert any(PAGES_ON in each["sentence"] for each in found["met"]) is is_met


def test_an_address_with_room_for_pages_settles_nothing_for_another_one(tmp_path: Path) -> None:
    limits = "<page-limit-bytes>{}</page-limit-bytes><page-size-bytes>10000</page-size-bytes>"
    pages = "<max-size-bytes>50000</max-size-bytes><page-full-policy>FAIL</page-full-policy>"
    other = (
        f'</address-setting><address-setting match="a.#">{pages}{BLOCK.replace("BLOCK", "PAGE")}{limits.format(50000)}'
    )
    text = artemis(pages, BLOCK.replace("BLOCK", "PAGE"), limits.format(9999), other)
    found = compared(tmp_path, text, "artemis:documents", "artemis:2.44.0")
    assert any(PAGES_ON in each["sentence"] for each in found["met"])
    given = next(each["given"] for each in found["met"] if "for pages of any size" in each["sentence"])
    assert "page-size-bytes = 10,000 bytes" in given


def test_two_releases_of_one_model_are_not_told_apart(tmp_path: Path) -> None:
    found = compared(tmp_path, artemis(BLOCK), "artemis:2.50.0", "artemis:2.51.0")
    assert found["same_model"] is True
    assert "2.51.0 is not modelled" in found["after"]
    ended = tidegate(
        "explain", "file.xml", "--broker", "artemis:2.50.0", "--compare-with", "artemis:2.51.0", folder=tmp_path
    )
    assert "so it shows no difference" in " ".join(ended.stdout.split())


def test_reports_of_both_releases_show_what_no_model_has(tmp_path: Path) -> None:
    reports = str(Path(__file__).parents[2] / "reports")
    options = ("--broker", "artemis:2.55.0", "--compare-with", "artemis:2.31.2", "--reports")
    (tmp_path / "file.xml").write_text(artemis(BLOCK), encoding="utf-8")
    ended = tidegate("explain", "file.xml", *options, reports, folder=tmp_path)
    said = " ".join(ended.stdout.split())
    assert "ARTEMIS-BLOCK-1 Full at the maximum size: before kept" in said
    assert "after violated; seen: third is issued 100 credits" in said
    (tmp_path / "file.xml").write_text(artemis(BLOCK.replace("BLOCK", "PAGE")), encoding="utf-8")
    ended = tidegate("explain", "file.xml", *options, reports, folder=tmp_path)
    assert "Full at the maximum size" not in ended.stdout  # under PAGE the configuration does not rely on it
    ended = tidegate("explain", "file.xml", *options, str(tmp_path), folder=tmp_path)
    assert ended.returncode == 2
    assert "expected the reports artemis-2.55.0 and artemis-2.31.2" in ended.stderr


def test_as_a_check_it_ends_with_1_where_anything_changes(tmp_path: Path) -> None:
    (tmp_path / "file.xml").write_text(artemis("<max-size-bytes>50000</max-size-bytes>"), encoding="utf-8")
    ended = tidegate(
        "explain", "file.xml", "--broker", "documents", "--compare-with", "artemis:2.44.0", "--lint", folder=tmp_path
    )
    assert ended.returncode == 1
    assert max(map(len, ended.stdout.splitlines())) <= 80
    ended = tidegate("explain", "file.xml", "--compare-with", "classic:6.3.1", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tidegate: file.xml: expected a configuration of classic")
