"""The README shows badges of committed reports, and each says what its report says."""

import re
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tidegate.conformance.report import badge
from tidegate.conformance.report.store import read_report

ROOT = Path(__file__).parents[2]
REPORTS = sorted(ROOT.glob("reports/*/report.json"))


@pytest.mark.parametrize("file", REPORTS, ids=lambda file: file.parent.name)
def test_the_badge_of_a_committed_report_is_up_to_date(file: Path) -> None:
    again = f"write it again: tidegate report badge {file.relative_to(ROOT)} {file.parent.relative_to(ROOT)}/badge.svg"
    assert file.with_name("badge.svg").read_text(encoding="utf-8") == badge.picture(read_report(file)), again


def test_the_readme_shows_badges_that_lead_to_their_reports() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"\[!\[[^\]]+\]\(reports/([^/]+)/badge\.svg\)\]\(reports/([^/]+)/report\.md\)", readme)
    assert len(shown) >= 4 and all(one == other for one, other in shown)


def test_the_command_writes_a_picture_or_json(tmp_path: Path) -> None:
    for name, beginning in (("badge.svg", "<svg "), ("badge.json", "{")):
        ended = tidegate("report", "badge", str(REPORTS[0]), name, folder=tmp_path)
        assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)
