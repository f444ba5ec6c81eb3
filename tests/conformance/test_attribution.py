"""Violations that follow from a replaced rule are reported with that rule; unexplained ones stay violated."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.command import tidegate
from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.conformance import attribution, bench
from tidegate.conformance.attribution import attributed, profile_for
from tidegate.conformance.causes import Replacements, causes, rules_of
from tidegate.conformance.mutants.in_a_child import DidNotEnd
from tidegate.conformance.report import html, markdown, terminal, verdicts
from tidegate.conformance.report.following import following
from tidegate.conformance.report.store import read_report
from tidegate.model.built.profile import Replacement
from tidegate.model.built.profiles import PROFILES
from tidegate.model.mechanisms import gate
from tidegate.record.errors import ExitCode, TidegateError
from tidegate.record.report import (
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    Report,
    RuleVerdict,
)
from tidegate.record.verdict import Verdict

ONE, TWO, THREE = (Replacement(gate.past_high, gate.past_high, each, each, ()) for each in "123")
ALL = (ONE, TWO, THREE)
NOT_RANDOM = (CheckKind.SCENARIO, CheckKind.VECTOR)
"""The kinds for tests about scenarios: a random sequence takes seconds for each replacement."""


def ending(*needed: Replacements) -> object:
    """The `end_alike` of a check that ends as on the real version once all replacements of one group are made."""

    def end_alike(some: Replacements, names: Sequence[str]) -> frozenset[str]:
        return frozenset(names) if any(all(each in some for each in together) for together in needed) else frozenset()

    return end_alike


@pytest.mark.parametrize(
    ("needed", "expected"),
    [
        ([(TWO,)], {"check": (TWO,)}),
        ([(ONE,), (THREE,)], {"check": (ONE, THREE)}),
        ([(ONE, THREE)], {"check": (ONE, THREE)}),
        ([(ONE, TWO), (TWO, THREE)], {"check": (TWO, THREE)}),
        ([], {}),
    ],
    ids=["one suffices", "either suffices", "two together", "either pair", "not even all"],
)
def test_the_causes_are_what_suffices(needed: list[Replacements], expected: dict[str, Replacements]) -> None:
    assert causes(ALL, ["check"], ending(*needed)) == expected  # type: ignore[arg-type]


def violated(rule: str, *checks: str, also: CheckResult = CheckResult.KEPT) -> RuleVerdict:
    evidence = [Check(name, CheckKind.SCENARIO, CheckResult.VIOLATED, (rule,), (), "", name, "") for name in checks]
    beside = Check("beside", CheckKind.SCENARIO, also, (rule,), (), "", "", "")
    return RuleVerdict(rule, "MUST", "", "", Verdict.VIOLATED, "", checks=(*evidence, beside))


def report_of(*found: RuleVerdict) -> ImplementationReport:
    return ImplementationReport(Implementation("Qpid", "0.18", "", "qpid:0.18", ()), found, "", 0)


def said(report: ImplementationReport) -> dict[str, str]:
    return {verdict.rule: verdicts.wording(verdict) for verdict in report.verdicts}


def test_a_rule_all_of_whose_failing_checks_follow_from_another_rule_follows() -> None:
    found = following(report_of(violated("A-1", "a"), violated("A-2", "b")), {"a": ("A-1",), "b": ("A-1",)})
    assert said(found) == {"A-1": "violated", "A-2": "follows from A-1"}
    assert verdicts.exit_code([found]) is ExitCode.VIOLATED
    assert verdicts.exit_code([replace(found, verdicts=found.verdicts[1:])]) is ExitCode.VIOLATED


def test_a_rule_follows_from_the_first_cause_by_way_of_one_that_follows_itself() -> None:
    known = {"a": ("A-1",), "b": ("A-1",), "c": ("A-2",)}
    found = following(report_of(violated("A-1", "a"), violated("A-2", "b"), violated("A-3", "c")), known)
    assert said(found) == {"A-1": "violated", "A-2": "follows from A-1", "A-3": "follows from A-1"}


@pytest.mark.parametrize(
    "known",
    [{"a": ("A-1",), "b": ("A-1",)}, {"a": ("A-1",), "b": ("A-1",), "c": ("A-2", "A-1")}, {"b": ("A-1",)}],
    ids=["nothing explains a check", "its own definition is replaced", "the other one is not violated by itself"],
)
def test_otherwise_it_is_violated(known: dict[str, tuple[str, ...]]) -> None:
    first = violated("A-1", "a") if "a" in known else replace(violated("A-1"), verdict=Verdict.KEPT)
    found = following(report_of(first, violated("A-2", "b", *["c"] * ("a" in known))), known)
    assert said(found)["A-2"] == "violated"


def test_said_again_it_is_the_same() -> None:
    known = {"a": ("A-1",), "b": ("A-1",)}
    once = following(report_of(violated("A-1", "a"), violated("A-2", "b")), known)
    assert following(once, known) == once
    assert said(following(once, {})) == {"A-1": "violated", "A-2": "violated"}


def test_what_is_declared_for_the_cause_excuses_what_follows() -> None:
    found = following(report_of(violated("A-1", "a"), violated("A-2", "b")), {"a": ("A-1",), "b": ("A-1",)})
    declared = replace(found, verdicts=(replace(found.verdicts[0], known_deviation="so it is"), found.verdicts[1]))
    assert verdicts.exit_code([declared]) is ExitCode.OK


@pytest.mark.parametrize(
    ("profile", "version", "expected"),
    [
        ("qpid:0.18", "0.18", "qpid-0.18"),
        ("qpid:9.2.0", "9.2.0", "qpid-9.2.1"),
        ("qpid:11.0", "11.0", "qpid-10.1.0"),
        ("artemis:2.32.0", "2.32.0", "artemis-2.44.0"),
        ("artemis-core:2.32.0", "2.32.0", "artemis-core-2.44.0"),
        ("classic:5.16.3", "5.16.3", "classic-5.18.6"),
        ("built:qpid-0.18", "qpid-0.18", "qpid-0.18"),
        ("mybroker", "1.2.0", None),
        ("qpid:snapshot", "snapshot", None),
    ],
)
def test_a_version_without_a_profile_has_that_of_the_next_one(profile: str, version: str, expected: str | None) -> None:
    found = profile_for(Implementation("", version, "", profile, ()))
    assert (found and found.name) == expected


@pytest.mark.parametrize("name", PROFILES)
def test_every_replacement_changes_a_rule_of_the_catalogue(name: str) -> None:
    for replacement in PROFILES[name].replacements:
        assert rules_of(replacement, catalogue()), replacement.name
        assert set(rules_of(replacement, catalogue())) <= catalogue().keys()


TAKES_ONE_MORE = """
from tidegate.adapters.reference.built import BuiltQpid018

class TakesOneMore(BuiltQpid018):
    def send(self, producer, message_id, size_bytes):
        return super().send(producer, message_id, size_bytes - 1 if size_bytes == 1001 else size_bytes)
"""
"""A fault that no replacement has: stops no producer at 1,001 bytes."""


def judged(adapter: str, folder: Path, *rules: str, kinds: Sequence[CheckKind] = ()) -> Report:
    """The report of a run of these rules, with only these kinds of checks if some are given."""
    chosen = (*(f"--rule={rule}" for rule in rules), *(f"--only={kind}" for kind in kinds))
    ended = tidegate("run", "--adapter", adapter, *chosen, "--report", "out", folder=folder)
    assert ended.returncode == ExitCode.VIOLATED, ended.stderr
    return read_report(folder / "out" / "report.json")


def test_a_run_on_a_version_says_what_follows_from_what(tmp_path: Path) -> None:
    report = judged(
        "built:qpid-0.18", tmp_path, "QPID-QUEUE-2", "QPID-QUEUE-5", "QPID-QUEUE-6", "QPID-QUEUE-10", kinds=NOT_RANDOM
    )
    (each,) = report.implementations
    assert said(each) == {
        "QPID-QUEUE-2": "violated",
        "QPID-QUEUE-5": "follows from QPID-QUEUE-6, QPID-QUEUE-2",  # from the latter where limits are set by default
        "QPID-QUEUE-6": "violated, level SHOULD",
        "QPID-QUEUE-10": "follows from QPID-QUEUE-2",
    }
    assert "Not kept because of these" in html.render(report)
    page = markdown.render(report)
    assert "These rules are not kept for this reason alone: QPID-QUEUE-5." in page
    assert "| QPID-QUEUE-10 | QPID-QUEUE-2 |" in page
    out = StringIO()
    terminal.show(report, Console(file=out, width=100))
    assert "so also" in out.getvalue()
    assert "↳ follows from QPID-QUEUE-6" in out.getvalue()


def test_what_fails_by_how_limits_are_set_follows_from_the_scenarios_own_rule(tmp_path: Path) -> None:
    """In Broker-J the virtual host sets the resume level as a share of each capacity; no replacement has that."""
    (each,) = judged("built:qpid-10.1.0", tmp_path, "QPID-QUEUE-6", "QPID-QUEUE-11", kinds=NOT_RANDOM).implementations
    assert verdict_of(each, "QPID-QUEUE-6").verdict is Verdict.VIOLATED
    follows = verdict_of(each, "QPID-QUEUE-11")
    assert (follows.verdict, "QPID-QUEUE-6" in follows.follows_from) == (Verdict.FOLLOWS, True)


@pytest.mark.nightly
def test_what_no_replacement_says_stays_violated(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(TAKES_ONE_MORE, encoding="utf-8")
    report = judged(
        "odd:TakesOneMore", tmp_path, "QPID-QUEUE-1", "QPID-QUEUE-2", "QPID-QUEUE-5", "QPID-QUEUE-6", kinds=NOT_RANDOM
    )
    (each,) = report.implementations
    own = replace(each.implementation, profile="built:qpid-0.18")
    found = attributed(replace(each, implementation=own), folder=tmp_path / "out", resolve=resolve)
    assert said(found)["QPID-QUEUE-1"] == "violated"
    followed = {check.check: check.follows_from for check in verdict_of(found, "QPID-QUEUE-5").checks}
    assert {rules for name, rules in followed.items() if "[201-999-free]" in name and rules} == {("QPID-QUEUE-6",)}
    assert followed["a_resume_level_that_is_not_set_equals_the_capacity[199-1001-stopped] (default)"] == ()
    first = verdict_of(found, "QPID-QUEUE-1")
    assert first.reason == "the producer free at 1,000 bytes"


def verdict_of(report: ImplementationReport, rule: str) -> RuleVerdict:
    return next(verdict for verdict in report.verdicts if verdict.rule == rule)


def tally(seen: str) -> int:
    """The number of events at which a trace rule fails, from `otherwise at 6 of them, ...`."""
    return int(seen.split()[2])


@pytest.mark.nightly
def test_a_trace_rule_that_the_model_keeps_in_a_scenario_is_not_explained_by_it(
    tmp_path: Path,
) -> None:
    """The scenario fails on the model, too, by the rule about inherited limits; the trace rule does not."""
    report = judged("built:qpid-0.18", tmp_path, "QPID-QUEUE-1", "QPID-QUEUE-5", "QPID-QUEUE-6", kinds=NOT_RANDOM)
    (each,) = report.implementations
    assert said(each)["QPID-QUEUE-1"] == "follows from QPID-QUEUE-6"
    assert each.trace is not None
    trace = tmp_path / "out" / each.trace
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    first = next(
        line
        for line in lines
        if "a_resume_level_that_is_not_set_equals_the_capacity[201-999-free]" in line.get("source", "")
        and line.get("outcome") == "stopped"
    )
    first["outcome"] = "free"
    trace.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = attributed(each, folder=tmp_path / "out", resolve=resolve)
    assert said(found)["QPID-QUEUE-1"] == "violated"
    assert tally(verdict_of(found, "QPID-QUEUE-1").reason) == 1


def test_a_run_whose_violations_cannot_be_attributed_has_its_report_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise TidegateError("the checks do not end")

    monkeypatch.setattr(attribution, "at_the_bench", fails)
    report = report_of(violated("QPID-QUEUE-2", "a"))
    found = attributed(report, folder=tmp_path, resolve=resolve)
    assert found == replace(report, not_tried=("what violations follow from: the checks do not end",))


def test_a_model_that_takes_too_long_explains_nothing_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_ends(tasks: Iterable[tuple[str, object]], *_: int) -> Iterator[tuple[str, DidNotEnd[object]]]:
        return ((name, DidNotEnd[object]()) for name, _ in tasks)

    monkeypatch.setattr(bench, "in_children", none_ends)
    at_the_level = "a_stopped_producer_waits_until_the_queue_is_below_its_resume_level[400-800-stopped]"
    report = report_of(violated("QPID-QUEUE-2", at_the_level))
    found = attributed(report, folder=tmp_path, resolve=resolve)
    assert found == replace(report, not_tried=("what violations follow from: the checks do not end",))
