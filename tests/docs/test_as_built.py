"""Each released version has a page with each difference, its evidence, and every rule that its run violates."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from generate.as_built import page, paths  # noqa: E402

from tidegate.conformance.report.store import read_report  # noqa: E402
from tidegate.model.built.profiles import PROFILES, profile_named  # noqa: E402
from tidegate.record.verdict import Verdict  # noqa: E402


def test_there_is_a_page_for_each_version() -> None:
    assert [Path(path).stem for path in paths()] == list(PROFILES)


@pytest.mark.parametrize("name", PROFILES)
def test_a_page_has_each_difference_with_its_evidence_and_each_rule_that_the_real_version_violates(name: str) -> None:
    profile = profile_named(name)
    text = page(profile)
    for replacement in profile.replacements:
        assert f"## {replacement.sentence[:1].upper()}{replacement.sentence[1:]}" in text
        for evidence in replacement.of_version(profile.version):
            assert f"- `{evidence.check}`: " in text
    (each,) = read_report(ROOT / "reports" / name / "report.json").implementations
    violated = [verdict.rule for verdict in each.verdicts if verdict.verdict is Verdict.VIOLATED]
    assert violated
    assert [rule for rule in violated if f"| {rule} | " not in text] == []


def test_a_page_sets_formula_beside_formula() -> None:
    row = next(line for line in page(profile_named("qpid-10.1.0")).splitlines() if line.startswith("| QPID-QUEUE-3 |"))
    assert "`capacity ≠ 0` | `capacity ≠ −1`" in row
