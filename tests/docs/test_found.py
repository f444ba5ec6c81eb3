"""The page of what the suite found says all that the committed reports found, and each with its reason and control."""

import json
import re
import sys
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from generate.found import REPORTS, found  # noqa: E402

from tests.browser.looks import Look, faults  # noqa: E402
from tests.docs.test_search import served  # noqa: E402
from tidegate.conformance.report.store import read_report  # noqa: E402
from tidegate.record.report import CheckResult  # noqa: E402


def rows(page: str) -> list[list[str]]:
    lines = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return [row for row in cells if row[0] != "version"]


def test_every_violated_check_of_every_committed_report_is_counted() -> None:
    reports = [read_report(path) for path in REPORTS.glob("*/report.json")]
    verdicts = [verdict for report in reports for each in report.implementations for verdict in each.verdicts]
    violated = sum(check.result is CheckResult.VIOLATED for verdict in verdicts for check in verdict.checks)
    assert sum(int(row[2]) for row in rows(found())) == violated > 0


def test_each_version_has_its_rules_in_front() -> None:
    page = found()
    front = page[: page.index("\n## ")]
    listed = {version: set(rules.split(", ")) for version, rules in re.findall(r"^- (.+?): (.+)$", front, re.MULTILINE)}
    told: dict[str, set[str]] = {}
    for rule, section in re.findall(r"^## ([A-Z0-9-]+) · (.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL):
        for row in rows(section):
            told.setdefault(row[0], set()).add(rule)
    assert listed == told


def test_each_has_a_reason_and_each_script_is_one_that_the_site_has() -> None:
    reports = {path.parent.name: read_report(path).implementations[0] for path in REPORTS.glob("*/report.json")}
    checks = [(name, check) for name, each in reports.items() for verdict in each.verdicts for check in verdict.checks]
    written = {f"../reports/{name}/{check.script}" for name, check in checks if check.recording is not None}
    for row in rows(found()):
        assert row[1] != "not declared", row
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
    [row] = rows(found(tmp_path))
    assert (row[1], row[2], row[4], row[5], row[6]) == ("not declared", "1", "topic", "none", f"`{kept['check']}`")


@pytest.mark.browser
def test_no_column_of_the_findings_is_too_narrow_to_be_read(site: Path, browser: Chrome) -> None:
    with served(site) as address:
        wrong = faults(browser, f"{address}/brokers/found.html", (Look("light", 400), Look("dark", 1280)), with_axe=())
    assert [one for one in wrong if "md-search" not in one] == []
