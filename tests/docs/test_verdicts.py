"""Beside each rule stands what every committed report says of it, with a link to the report."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.report_pages import files, pages, reports, reproducers
from generate.verdicts import of_rule

from tidegate.catalogue import catalogue
from tidegate.record.verdict import Verdict

LINK = re.compile(r"\[(?P<label>[^\]]+)\]\(/reports/(?P<name>[^/]+)/report\.html#(?P<anchor>[^)]+)\)")
NOBODY = "No released version that was run claims this rule."


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """The page of each committed report, by its path; rendered once, since all of them take seconds."""
    return dict(pages())


def judged(rule: str) -> dict[str, Verdict]:
    """Folder of a report to its verdict on a rule, where the rule is claimed."""
    return {
        name: verdict.verdict
        for name, report in reports().items()
        for each in report.implementations
        for verdict in each.verdicts
        if verdict.rule == rule and verdict.verdict is not Verdict.NOT_CLAIMED
    }


@pytest.mark.parametrize("rule", catalogue())
def test_every_version_that_was_judged_by_a_rule_stands_beside_it_once(rule: str) -> None:
    text = of_rule(catalogue()[rule])
    names = [found["name"] for found in LINK.finditer(text)]
    assert sorted(names) == sorted(judged(rule))
    assert (text == NOBODY) == (not names)
    for row in text.splitlines():
        verdicts = {str(judged(rule)[found["name"]]) for found in LINK.finditer(row)}
        assert len(verdicts) <= 1 and all(verdict.split()[0] in row for verdict in verdicts)


def test_a_rule_has_its_verdicts_with_what_was_seen() -> None:
    (row,) = (line for line in of_rule(catalogue()["QPID-QUEUE-2"]).splitlines() if "violated" in line)
    versions = [found["label"] for found in LINK.finditer(row)]
    assert [label.split()[-1] for label in versions] == ["0.18", "6.1.7", "7.1.12", "8.0.6", "9.2.1", "10.1.0"]
    assert "free at 800" in row
    assert row.count("as built") == 6
    assert "(/brokers/as-built/qpid-10.1.0.md)" in row


def test_versions_that_differ_only_in_the_number_of_untried_conditions_share_a_row_and_figures_stand_once() -> None:
    rows = [line for line in of_rule(catalogue()["GENERAL-23"]).splitlines() if "conditions not tried" in line]
    assert len(rows) == 1 and re.search(r"kept; \d+ to \d+ conditions not tried", rows[0])
    (seen,) = {line.rpartition(" | ")[2] for line in of_rule(catalogue()["QPID-QUEUE-1"]).splitlines() if "→" in line}
    assert seen.count("free at 1,000 → stopped at 1,001") == 1


def test_violations_come_first() -> None:
    rows = [line for line in of_rule(catalogue()["ARTEMIS-BLOCK-2"]).splitlines() if "<strong" in line]
    assert len(rows) >= 1 and "violated" in rows[0]


def test_a_link_leads_to_the_rule_in_the_page_of_the_report(written: dict[str, str]) -> None:
    assert set(written) == {f"reports/{name}/report.html" for name in reports()}
    for rule in ("QPID-QUEUE-2", "GENERAL-3", "ARTEMIS-CORE-3"):
        for found in LINK.finditer(of_rule(catalogue()[rule])):
            assert f'id="{found["anchor"]}"' in written[f"reports/{found['name']}/report.html"]


def test_what_the_page_of_a_report_links_to_is_there(written: dict[str, str]) -> None:
    linked = {target for path, page in written.items() for target in _targets(path, page)}
    there = {path for path, _ in (*files(), *reproducers())}
    assert linked <= there
    assert all(file.is_file() for _, file in files())


def _targets(path: str, page: str) -> list[str]:
    """The files beside a report that its page links to."""
    found = re.findall(r'href="([^"#:]+)"', page)
    return [f"{path.rpartition('/')[0]}/{target}" for target in found if not target.startswith((".", "data"))]
