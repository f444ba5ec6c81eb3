"""The README shows badges of committed reports, and each says what its report says."""

import re
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tidegate.conformance.report import badge
from tidegate.conformance.report.store import read_report

ROOT = Path(__file__).parents[2]
BADGES = sorted(ROOT.glob("reports/*/badge.svg"))


@pytest.mark.parametrize("file", BADGES, ids=lambda file: file.parent.name)
def test_a_committed_badge_is_up_to_date(file: Path) -> None:
    report = file.with_name("report.json")
    again = f"write it again: tidegate report badge {report.relative_to(ROOT)} {file.relative_to(ROOT)}"
    assert file.read_text(encoding="utf-8") == badge.picture(read_report(report)), again


def test_the_committed_badges_are_those_that_the_readme_shows_and_leads_on_to_their_reports() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"\[!\[[^\]]+\]\(reports/([^/]+)/badge\.svg\)\]\(reports/([^/]+)/\)", readme)
    assert len(shown) >= 4 and all(one == other for one, other in shown)
    assert {file.parent.name for file in BADGES} == {one for one, _ in shown}


def test_the_command_writes_a_picture_or_json(tmp_path: Path) -> None:
    for name, beginning in (("badge.svg", "<svg "), ("badge.json", "{")):
        ended = tidegate("report", "badge", str(ROOT / "reports/qpid-10.1.0/report.json"), name, folder=tmp_path)
        assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)
