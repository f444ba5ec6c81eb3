"""The page of what the suite found says all that the committed reports found, and each with its reason and control."""

import json
import re
import sys
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from generate.found import REPORTS, Finding, findings, found, grouped, pages  # noqa: E402

from tests.browser.looks import Look, faults  # noqa: E402
from tests.docs.test_search import served  # noqa: E402
from tidegate.conformance.report.store import read_report  # noqa: E402
from tidegate.record.report import CheckResult  # noqa: E402


def rows(page: str) -> list[list[str]]:
    lines = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return [row for row in cells if row[0] != "what it does"]


def of_every_page() -> list[list[str]]:
    return [row for _, text in pages() for row in rows(text)]


def test_every_violated_check_of_every_committed_report_is_counted() -> None:
    reports = [read_report(path) for path in REPORTS.glob("*/report.json")]
    verdicts = [verdict for report in reports for each in report.implementations for verdict in each.verdicts]
    violated = sum(check.result is CheckResult.VIOLATED for verdict in verdicts for check in verdict.checks)
    assert sum(len(each.checks) for each in findings()) == violated > 0


def test_each_finding_stands_in_one_row_of_its_implementation_or_follows_from_one() -> None:
    by_name: dict[str, list[Finding]] = {}
    for each in findings():
        by_name.setdefault(each.implementation.name, []).append(each)
    assert sum(len(group.findings) for own in by_name.values() for group in grouped(own)) == len(findings())
    causes = [
        group for own in by_name.values() for group in grouped(own) if group.findings[0].verdict.verdict == "violated"
    ]
    assert sorted(list(group.row()) for group in causes) == sorted(of_every_page())


def test_versions_share_a_row_only_if_reason_and_conditions_are_alike_and_the_newest_one_comes_first() -> None:
    [text] = [text for path, text in pages() if path == "brokers/found/qpid.md"]
    versions = [row[1].split(", ") for row in rows(text)]
    assert ["10.1.0", "9.2.1", "8.0.6", "7.1.12"] in versions
    groups = grouped([each for each in findings() if each.implementation.name == "Qpid"])
    assert all(len({(one.reason, one.conditions) for one in group.findings}) == 1 for group in groups)


def test_each_version_has_its_rules_in_front_each_with_a_link_to_what_was_seen() -> None:
    listed = {
        (page, rule if anchor == rule else f"{rule} follows", version)
        for version, line in re.findall(r"^- (\S+): (.+)$", found(), re.MULTILINE)
        for rule, page, anchor in re.findall(r"\[([A-Z0-9-]+)\]\(([^)#]+)#([^)]+)\)", line)
    }
    told = set()
    for path, text in pages():
        page = path.removeprefix("brokers/")
        for rule, section in re.findall(r"^## ([A-Z0-9-]+) · (.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
            told |= {(page, rule, version) for row in rows(section) for version in row[1].split(", ")}
        for rule, versions in re.findall(r"^- ([A-Z0-9-]+): .+ \(([^()]+)\)$", text, re.MULTILINE):
            told |= {(page, f"{rule} follows", version) for version in versions.split(", ")}
    assert listed == told


def test_each_has_a_reason_and_each_script_is_one_that_the_site_has() -> None:
    reports = {path.parent.name: read_report(path).implementations[0] for path in REPORTS.glob("*/report.json")}
    checks = [(name, check) for name, each in reports.items() for verdict in each.verdicts for check in verdict.checks]
    written = {f"../../reports/{name}/{check.script}" for name, check in checks if check.recording is not None}
    for row in of_every_page():
        assert row[0] != "not declared", row
        assert row[5] == "none" or row[5].partition("](")[2].rstrip(")") in written, row


def test_a_violation_under_conditions_alone_says_them_and_its_control(tmp_path: Path) -> None:
    (tmp_path / "artemis-2.44.0").mkdir()
    content = json.loads((REPORTS / "artemis-2.44.0" / "report.json").read_text(encoding="utf-8"))
    [verdict] = [each for each in content["implementations"][0]["verdicts"] if each["rule"] == "GENERAL-7"]
    kept = next(check for check in verdict["checks"] if check["kind"] == "scenario" and check["result"] == "kept")
    woven = {**kept, "check": f"{kept['check']} (topic)", "result": "violated", "conditions": ["destination: topic"]}
    verdict |= {"verdict": "violated", "checks": [kept, woven], "only_under": ["topic"]}
    content["implementations"][0]["verdicts"] = [verdict]
    words = dict.fromkeys(content["footer"]["verdicts"], 0) | {"violated": 1}
    content["footer"] |= {"verdicts": words, "checks": 2}
    (tmp_path / "artemis-2.44.0" / "report.json").write_text(json.dumps(content), encoding="utf-8")
    [finding] = findings(tmp_path)
    [group] = grouped([finding])
    reason, _, _, conditions, checks, script, control = group.row()
    assert (reason, conditions, checks) == ("not declared", "topic", "1")
    assert (script, control) == ("none", f"`{kept['check']}`")


@pytest.mark.browser
@pytest.mark.parametrize("page", ["found", "found/qpid", "found/artemis-core"])
def test_no_column_of_the_findings_is_too_narrow_to_be_read(page: str, site: Path, browser: Chrome) -> None:
    with served(site) as address:
        wrong = faults(browser, f"{address}/brokers/{page}.html", (Look("light", 400), Look("dark", 1280)), with_axe=())
    assert [one for one in wrong if "md-search" not in one] == []
