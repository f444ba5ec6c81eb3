"""Released versions as they are built: each replacement has evidence and predicts figures it was not made from."""

import json
from pathlib import Path

import pytest

from tests.sample import sampled
from tidegate.catalogue.as_built import formula_as_built
from tidegate.catalogue.formula import formula
from tidegate.model.built.profile import Profile, Replacement
from tidegate.model.built.profiles import PROFILES, profile_named
from tidegate.model.language.rule import definition_of, definitions
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.queue_gate import queue_gate
from tidegate.record.errors import BadInput

ROOT = Path(__file__).parent.parent.parent
NONE = qpid.Limits()


def name_of(profile: Profile) -> str:
    """The version whose profile it is."""
    return profile.name


@pytest.mark.parametrize("profile", sampled(PROFILES.values(), 5, name=name_of), ids=name_of)
def test_the_evidence_of_a_replacement_stands_in_a_committed_report(profile: Profile) -> None:
    for replacement in profile.replacements:
        assert replacement.of_version(profile.version), replacement.name
        assert replacement.holds_in(profile.version)
        for evidence in replacement.evidence:
            assert evidence.seen in figures(evidence.report)[evidence.check], (replacement.name, evidence)


@pytest.mark.parametrize("profile", sampled(PROFILES.values(), 5, name=name_of), ids=name_of)
def test_a_replacement_says_what_is_so_and_is_none_of_the_documents_rules(profile: Profile) -> None:
    for replacement in profile.replacements:
        assert replacement.sentence
        assert definition_of(replacement.instead) not in definitions()
        assert callable(replacement.stands_for) == callable(replacement.instead)


def test_an_unknown_profile_is_bad_input_that_names_the_known_profiles() -> None:
    assert profile_named("built:qpid-0.18") is PROFILES["qpid-0.18"]
    assert profile_named("artemis-core:2.44.0") is PROFILES["artemis-core-2.44.0"]
    with pytest.raises(
        BadInput, match=r"not 'qpid-9'; did you mean qpid-9.2.1\? There are: qpid-0.18, qpid-6.1.7, qpid-7.1.12"
    ):
        profile_named("qpid-9")


@pytest.mark.parametrize(
    ("version", "own", "host", "first", "second", "left", "stopped"),
    [
        ("qpid-10.1.0", qpid.Limits(100_000), NONE, 30_000, 80_000, 80_000, False),
        ("qpid-10.1.0", qpid.Limits(100_000), NONE, 30_000, 80_001, 80_001, True),
        ("qpid-10.1.0", qpid.Limits(100_001), NONE, 30_000, 80_001, 80_001, False),
        ("qpid-10.1.0", qpid.Limits(100_001), NONE, 30_000, 80_002, 80_002, True),
        ("qpid-10.1.0", qpid.Limits(3000), NONE, 3000, 2400, 2400, False),
        ("qpid-10.1.0", qpid.Limits(3000), NONE, 3000, 2401, 2401, True),
        ("qpid-10.1.0", qpid.Limits(100_000, 0), NONE, 60_000, 60_000, 60_000, True),
        ("qpid-10.1.0", qpid.Limits(100_000, 100_000), NONE, 60_000, 100_001, 100_001, True),
        ("qpid-0.18", qpid.Limits(1000), NONE, 300, 800, 800, True),
        ("qpid-0.18", qpid.Limits(1000), qpid.Limits(5000, 600), 600, 600, 600, False),
        ("qpid-0.18", qpid.Limits(1000), qpid.Limits(5000, 600), 600, 601, 601, True),
        ("qpid-0.18", qpid.Limits(1000), qpid.Limits(5000), 999, 900, 900, False),
        ("qpid-0.18", qpid.Limits(1000, 2000), NONE, 999, 1001, 1001, False),
        ("qpid-0.18", qpid.Limits(1000, 1000), NONE, 600, 1000, 1000, False),
    ],
)
def test_a_profile_predicts_what_the_real_broker_did_with_other_figures(
    version: str, own: qpid.Limits, host: qpid.Limits, first: int, second: int, left: int, stopped: bool
) -> None:
    """Two messages, of which the first is consumed; each row was seen on the real version, and is in no report."""
    linker = PROFILES[version].linker
    in_force = linker.linked(qpid.effective_limits)(own, host)
    gate = queue_gate(linker)
    state = gate.after_attach(gate.empty(in_force), "producer")
    for size in (first, second):
        state = gate.after_send(state, "producer", size)
    state = gate.after_removal(state, "producer", first)
    assert gate.level(state) == left
    assert gate.may_send(state, "producer", 1) is not stopped


def test_the_replacements_are_told_apart_by_the_figures_of_the_documents() -> None:
    documented = queue_gate()
    state = documented.after_attach(documented.empty(qpid.Limits(1000, 800)), "producer")
    state = documented.after_send(documented.after_send(state, "producer", 400), "producer", 800)
    assert not documented.may_send(documented.after_removal(state, "producer", 400), "producer", 1)


def test_a_default_and_a_rule_are_named_as_the_chapters_cite_them() -> None:
    names = [each.name for each in PROFILES["qpid-10.1.0"].replacements]
    assert names[:2] == ["tidegate.model.mechanisms.qpid:NO_LIMIT", "tidegate.model.mechanisms.qpid:underfull"]
    assert isinstance(PROFILES["qpid-10.1.0"].replacements[0], Replacement)


def test_the_formula_of_a_rule_is_shown_as_built() -> None:
    lines = formula_as_built("tidegate.model.mechanisms.qpid:overfull", "qpid-10.1.0")
    assert [str(line) for line in lines] == ["capacity ≠ −1 ∧ bytes > capacity"]
    assert formula_as_built("tidegate.model.mechanisms.qpid:stopped", "qpid-0.18") == formula(
        "tidegate.model.mechanisms.qpid:stopped"
    )


def figures(report: str) -> dict[str, str]:
    """What a committed report saw in each check."""
    (found,) = json.loads((ROOT / "reports" / report / "report.json").read_text())["implementations"]
    return {check["check"]: check["seen"] for verdict in found["verdicts"] for check in verdict["checks"]}
