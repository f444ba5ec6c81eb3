"""Each released version has a page with each difference, its evidence, and every rule that its run violates."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from generate.as_built import page, paths  # noqa: E402

from tidegate.catalogue import catalogue  # noqa: E402
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
    lines = page(profile_named("qpid-10.1.0")).splitlines()
    head = lines.index("| QPID-QUEUE-3 |  |")
    assert lines[head + 2 : head + 4] == ["| as documented | `capacity ≠ 0` |", "| as built | `capacity ≠ −1` |"]


def test_a_default_without_a_formula_has_the_sentences_that_it_breaks_and_each_figure_once() -> None:
    text = page(profile_named("artemis-2.44.0"))
    (part,) = [each for each in text.split("\n## ") if each.startswith("An AMQP producer is issued 1000 credits")]
    assert f"- ARTEMIS-AMQP-2: {catalogue()['ARTEMIS-AMQP-2'].sentence}" in part
    bullets = [line for line in text.splitlines() if line.startswith("- `an_address_for_which_nothing_is_conf")]
    assert len(bullets) == len(set(bullets)) == 2
