"""Replacements are found from checks alone: those of which a reference is made are found again, none if none fails."""

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.cli.command import tidegate
from tidegate.adapters.base import Adapter
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.catalogue import catalogue
from tidegate.conformance.bench import at_the_bench
from tidegate.conformance.propose.figures import figures_of
from tidegate.conformance.propose.grammar import of_default, of_rule
from tidegate.conformance.propose.page import page
from tidegate.conformance.propose.run import adapter_for
from tidegate.conformance.propose.search import Found, Limits, linker_of, search
from tidegate.conformance.report.store import write_report
from tidegate.conformance.report.verdicts import footer, judge
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.model.built.profile import as_built
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, gate, qpid
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import Window
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult, Implementation, ImplementationReport, Report

REFERENCE = "reference:artemis"
REPORTS = Path(__file__).parent.parent.parent / "reports"
OTHER_WINDOW = Window(size=1000, low=30)
CHECKS = (
    "without_configuration_a_producer_is_issued_100_credits",
    "without_configuration_credit_is_refilled_when_30_credits_are_left[69-31]",
    "without_configuration_credit_is_refilled_when_30_credits_are_left[70-100]",
    "without_configuration_credit_is_refilled_when_30_credits_are_left[71-99]",
    "messages_are_rejected_once_the_address_holds_its_reject_threshold[1999-accepted-2009]",
    "messages_are_rejected_once_the_address_holds_its_reject_threshold[2000-rejected-2000]",
    "messages_are_rejected_once_the_address_holds_its_reject_threshold[2001-rejected-2001]",
    "an_address_is_full_once_its_bytes_reach_its_maximum_size[999-100]",
    "an_address_is_full_once_its_bytes_reach_its_maximum_size[1000-0]",
)
REJECTED = {CHECKS[5]}
WINDOW = set(CHECKS[:4])


@as_built
def rejecting_above(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-AMQP-9: messages are rejected once the address holds more than the reject threshold."""
    return limits.blocks and limits.reject_threshold != NO_LIMIT and level > limits.reject_threshold


COMPARISON = Linker({artemis.rejecting: rejecting_above})
DEFAULT = Linker({}, {(artemis, "DEFAULT_WINDOW"): OTHER_WINDOW})
BOTH = Linker({artemis.rejecting: rejecting_above}, {(artemis, "DEFAULT_WINDOW"): OTHER_WINDOW})
MADE = {"documented": DOCUMENTED, "comparison": COMPARISON, "default": DEFAULT, "both": BOTH}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Check]]:
    """The results of the checks on some implementations, by the name of the replacement of each."""
    rules = catalogue()

    def factory(model: Linker) -> Callable[[], Adapter]:
        return lambda: ArtemisReference(model)

    conformance = run_suite(
        {name: factory(model) for name, model in MADE.items()},
        lambda rule: frozenset(rules[rule].needs),
        tmp_path_factory.mktemp("seen"),
        selection=Selection(checks=CHECKS),
        judge_traces=False,
    )
    assert conformance.errors == []
    return {subject.name: subject.checks for subject in conformance.subjects}


def proposed(real: list[Check], limits: Limits | None = None) -> Found:
    return at_the_bench(REFERENCE, ArtemisReference, real, lambda bench: search(bench, (), limits or Limits()))


def test_a_report_in_which_nothing_fails_leads_to_no_replacement(seen: dict[str, list[Check]]) -> None:
    found = proposed(seen["documented"])
    assert (found.checks, found.failing, found.steps, found.replaced, found.tried) == (len(CHECKS), {}, [], {}, 0)


def test_a_comparison_that_was_turned_around_is_found(seen: dict[str, list[Check]]) -> None:
    found = proposed(seen["comparison"])
    ((change,),) = (step.changes for step in found.steps)
    assert (change.target, change.was) == (artemis.rejecting, "level >= limits.reject_threshold")
    assert change.now == "level > limits.reject_threshold"
    assert set(found.explained) == REJECTED
    assert found.unexplained == ()


def test_a_default_that_is_another_is_found(seen: dict[str, list[Check]]) -> None:
    found = proposed(seen["default"])
    assert found.replaced == {(artemis, "DEFAULT_WINDOW"): OTHER_WINDOW}
    assert set(found.explained) == WINDOW


def test_what_nothing_in_the_grammar_explains_is_unexplained(seen: dict[str, list[Check]]) -> None:
    other = [replace(check, seen="a colour") if check.check == CHECKS[-1] else check for check in seen["comparison"]]
    found = proposed(other)
    assert set(found.explained) == REJECTED
    assert found.unexplained == (CHECKS[-1],)
    assert f"- {CHECKS[-1]} (a colour)" in list(page(found))


@pytest.mark.nightly
def test_a_report_is_read_and_the_proposal_written_as_a_module_that_says_the_same(
    seen: dict[str, list[Check]], tmp_path: Path
) -> None:
    write_report(report_of(seen["both"]), tmp_path / "report.json")
    ended = tidegate("built", "propose", str(tmp_path), "--jobs", "1", "--to", "proposed.py", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "5 of 9 checks end otherwise than by the documents; explained: 5, changes: 2" in ended.stdout
    assert "artemis:rejecting: level >= limits.reject_threshold → level > limits.reject_threshold" in ended.stdout
    assert "artemis:DEFAULT_WINDOW: size=100 → size=1000" in ended.stdout
    profile = module_at(tmp_path / "proposed.py").PROPOSED
    assert {each.name.partition(":")[2] for each in profile.replacements} == {"rejecting", "DEFAULT_WINDOW"}
    assert profile.linker.default(artemis, "DEFAULT_WINDOW") == OTHER_WINDOW
    for level in (1999, 2000, 2001):
        limits = AddressLimits(max_size=5000, reject_threshold=2000, blocks=True)
        assert profile.linker.linked(artemis.rejecting)(limits, level) == rejecting_above(limits, level)


def test_what_there_was_no_time_for_is_said(seen: dict[str, list[Check]]) -> None:
    found = proposed(seen["comparison"], Limits(seconds=0))
    assert found.steps == []
    assert found.unexplained == tuple(REJECTED)
    assert any("candidates after 0 replacements" in sentence for sentence in found.not_tried)


@pytest.mark.nightly
def test_more_changes_than_are_allowed_are_said(seen: dict[str, list[Check]]) -> None:
    found = proposed(seen["both"], Limits(most=1))
    assert [change.name.partition(":")[2] for change in found.changes] == ["DEFAULT_WINDOW"]
    assert set(found.unexplained) == REJECTED
    assert found.not_tried == ["more than 1 changes"]


def test_figures_are_taken_from_what_was_seen_and_not_from_what_was_expected() -> None:
    figures = figures_of([check("one", "free at 80,000 bytes"), check("two", "QUE-1004 of 80000, -1"), check("three")])
    assert figures.seen == {80000: {"one", "two"}, -1: {"two"}}
    shares = [replace(check(name), done=("a capacity of 1000 and a level of 800",)) for name in ("one", "two")]
    assert figures_of(shares).percent == {80: {"one", "two"}}
    assert figures_of(shares[:1]).percent == {}, "one check alone supplies no share"


def test_the_grammar_has_each_kind_of_change() -> None:
    figures = figures_of([replace(check(name, "7"), done=("800 of 1000",)) for name in ("one", "two")])
    changes = {(each.was, each.now) for each in of_rule(gate.below_low, gate.below_low, figures)}
    assert ("level < gate.low", "level <= gate.low") in changes
    assert ("gate.low", "gate.high") in changes
    assert ("gate.low", "gate.high * 80 // 100") in changes
    changes = {(each.was, each.now) for each in of_rule(qpid.limited, qpid.limited, figures)}
    assert {("NO_LIMIT", "7"), ("NO_LIMIT", "queue.resume")} <= changes
    changes = {(each.was, each.now) for each in of_rule(qpid.holds_sender, qpid.holds_sender, figures)}
    assert ("limited(queue) and settled(gate_of(queue), held, queue.bytes)", "limited(queue)") in changes
    values = [each.instead for each in of_default((artemis, "DEFAULT_LIMITS"), artemis.DEFAULT_LIMITS, figures)]
    assert replace(artemis.DEFAULT_LIMITS, blocks=False) in values
    assert replace(artemis.DEFAULT_LIMITS, max_size=7) in values
    assert len(values) == 3


def test_a_change_leaves_the_rule_of_the_documents_as_it_is() -> None:
    for each in of_rule(gate.below_low, gate.below_low, figures_of([])):
        linker_of({gate.below_low: each.instead}).linked(qpid.underfull)
    assert gate.below_low(gate.Gate(high=10, low=5), 5) is False
    assert qpid.underfull(qpid.Queue(capacity=10, resume=5, bytes=5)) is False


@pytest.mark.parametrize(
    ("profile", "stands_for"),
    [("qpid:10.1.0", "built:qpid-10.1.0"), (REFERENCE, REFERENCE), ("built:qpid-0.18", "built:qpid-0.18")],
)
def test_a_report_belongs_to_the_profile_of_its_version(profile: str, stands_for: str) -> None:
    judged = Implementation("broker", "1", "", profile, ())
    assert adapter_for(judged, None, Path("report.json")) == stands_for
    assert adapter_for(judged, "artemis-2.44.0", Path("report.json")) == "built:artemis-2.44.0"


def test_a_version_without_a_profile_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"not 'qpid-99'\. There are: .*; name one by --profile"):
        adapter_for(Implementation("qpid", "99", "", "qpid:99", ()), None, Path("report.json"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere",), "nowhere: expected a file or folder that can be read, but there is no such file or folder"),
        (("empty",), "empty/report.json: expected a report.json"),
        (("empty", "--to", "nowhere/proposed.py"), "nowhere/proposed.py: expected a file in an existing folder"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = tidegate("built", "propose", *arguments, folder=tmp_path)
    assert ended.returncode == 2
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("artemis-2.44.0", ("artemis:DEFAULT_WINDOW: size=100 → size=1000", "→ level > limits.reject_threshold")),
        ("qpid-0.18", ("gate:below_low: level < gate.low → level <= gate.low", "qpid:effective_resume")),
        ("qpid-10.1.0", ("gate:below_low: level < gate.low → level <= gate.low", "qpid:NO_LIMIT: 0 → -1")),
    ],
)
def test_what_committed_reports_lead_to(name: str, found: tuple[str, ...], tmp_path: Path) -> None:
    ended = tidegate("built", "propose", str(REPORTS / name), "--seconds", "3000", folder=tmp_path)
    for each in found:
        assert each in ended.stdout


def check(name: str, seen: str = "", expected: str = "") -> Check:
    return Check(name, CheckKind.SCENARIO, CheckResult.VIOLATED, ("GENERAL-1",), (), expected, seen, "")


def report_of(checks: list[Check]) -> Report:
    adapter = ArtemisReference()
    rules = {rule for check in checks for rule in check.rules}
    verdicts = tuple(
        judge(rule, [check for check in checks if rule.id in check.rules], adapter.capabilities)
        for rule in catalogue().values()
        if rule.id in rules
    )
    judged = ImplementationReport(
        Implementation("broker", "1", "", REFERENCE, tuple(sorted(adapter.capabilities))),
        verdicts,
        started="2026-01-01T00:00:00Z",
        seconds=1,
    )
    return Report("0", "0", "", (judged,), footer([judged]))


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("proposed", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
