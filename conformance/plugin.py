"""The pytest plugin: runs each check on each implementation that claims its rules, and records the results."""

import re
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from pytest_bdd.parser import Step

from tidegate.adapters.base import TooLate
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.weaving import as_woven
from tidegate.conformance.feature_files import is_rule, need_in, scenarios
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import not_reached, promised
from tidegate.conformance.scenarios import MODULES
from tidegate.conformance.session import KIND_OF_MODULE, Conformance, check_kind_of, needs_of, rules_of
from tidegate.conformance.subject import Subject
from tidegate.record.report import NO_TIME_LEFT, Check, CheckKind, CheckResult

SUITE = Path(str(files("tidegate.conformance"))) / "suite"
CONFORMANCE = pytest.StashKey[Conformance]()
GIVEN = pytest.StashKey[str]()
"""The text of the Given that was not reached."""
IN_WHEN = pytest.StashKey[bool]()
"""Whether a When failed."""
STEPS = pytest.StashKey[list[str]]()
LAB = pytest.StashKey[Lab]()
CAME_TOO_LATE = pytest.StashKey[bool]()
"""Whether the steps of this run of a check deviated on a machine that was too slow."""
VIOLATED = "violated"
"""The property of an item's report that names a violated rule."""
MOST_FAULTS_IN_REAL_TIME = 20
"""The most checks that kill, pause or cut something in real time without `--faults`; each may take ten seconds."""
MOST_MINUTES_IN_REAL_TIME = 10
"""The minutes for checks under conditions in real time without `--minutes`."""
NOTED = pytest.StashKey[tuple[str, str]]()
"""The expectation and observation of a check that has no lab of its own."""
CONDITIONS_MET = pytest.StashKey[tuple[str, ...]]()
"""The conditions of a finding of a check that has no lab of its own."""


def pytest_configure(config: pytest.Config) -> None:
    """Import the steps, and register the markers for tags."""
    if not hasattr(config.option, "tbstyle"):
        # without a terminal nobody reads lines of source, which take long to find in a run with many failures
        config.option.tbstyle = "native"
    config.addinivalue_line("markers", "rule(id): the rule of the spec that the check serves")
    config.addinivalue_line("markers", "needs(capability): what the check needs beside what its rules need")
    for module in MODULES:
        config.pluginmanager.import_plugin(f"tidegate.conformance.scenarios.{module}")


@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: object) -> bool:
    """Mark a scenario by a tag that is the id of a rule, or `needs:` and a capability that its rules do not need."""
    if needed := need_in(tag):
        pytest.mark.needs(needed)(function)
    elif is_rule(tag):
        pytest.mark.rule(tag)(function)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Item] | None:
    """Make no items of a check that nobody claims or that is not selected, which are most checks of a short run."""
    if collector.path.parent != SUITE or not name.startswith("test_"):
        return None
    marks = getattr(obj, "pytestmark", ())
    rules = tuple(dict.fromkeys(mark.args[0] for mark in marks if mark.name == "rule"))
    needs = frozenset(need for mark in marks if mark.name == "needs" for need in mark.args)
    return None if _may_run(collector, name, rules, needs) else []


def _may_run(
    node: pytest.Item | pytest.Collector, name: str, rules: tuple[str, ...], needs: frozenset[str]
) -> list[Subject]:
    """The implementations on which a check of the suite may run, by its name and its rules."""
    conformance = node.config.stash[CONFORMANCE]
    return conformance.may_select(rules, name.removeprefix("test_"), KIND_OF_MODULE[node.path.stem], needs)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize every check that uses the lab with each implementation that may take it.

    If these differ between checks, pytest must not group items by the number of a parameter.
    """
    if "subject" in metafunc.fixturenames:
        check = metafunc.definition
        conformance = metafunc.config.stash[CONFORMANCE]
        scenario = check.originalname.removeprefix("test_")
        runs = [
            (subject, weave, f"{subject.name}#{run}{weave.suffix}")
            for subject in _may_run(check, check.originalname, rules_of(check), needs_of(check))
            for run in range(1, conformance.repeat + 1)
            for weave in (PLAIN, *conformance.weaves_of(subject).get(scenario, ()))
        ]
        scope: Literal["session"] | None = "session" if conformance.multiplies else None
        if "weave" in metafunc.fixturenames:
            metafunc.parametrize(
                ("subject", "weave"),
                [(subject, weave) for subject, weave, _ in runs],
                ids=[name for _, _, name in runs],
                scope=scope,
            )
        else:
            plain = [(subject, name) for subject, weave, name in runs if weave == PLAIN]
            metafunc.parametrize(
                "subject", [subject for subject, _ in plain], ids=[name for _, name in plain], scope=scope
            )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the checks whose rules the implementation claims; the report lists the others as not claimed.

    Checks that cause a fault come last, up to the limit of the run.
    """
    conformance = config.stash[CONFORMANCE]
    if not conformance.multiplies:
        turns = {subject.name: turn for turn, subject in enumerate(conformance.subjects)}
        items.sort(key=lambda item: turns[subject_of(item).name])
    kept = [
        item
        for item in (items if conformance.selection.checks else _with_an_example_for_each_weave(items))
        if conformance.selects(subject_of(item), rules_of(item), check_of(item), check_kind_of(item), needs_of(item))
    ]
    faults = [item for item in kept if conformance.brings_faults(rules_of(item), needs_of(item), weave_of(item))]
    others = _plain_first([item for item in kept if item not in faults])
    items[:] = [*others, *_within_budget(faults, conformance.selection.faults)]


def _plain_first(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The checks as written, then each scenario under its first weave, then each under its next one.

    When time runs out, every scenario has run under about the same number of weaves.
    """
    turns: dict[pytest.Item, int] = {}
    number: Counter[tuple[str, str]] = Counter()
    for item in items:
        if weave_of(item) != PLAIN:
            scenario = subject_of(item).name, getattr(item, "originalname", item.name)
            number[scenario] += 1
            turns[item] = number[scenario]
    return sorted(items, key=lambda item: turns.get(item, 0))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a check under conditions once the time for these is over, and note it as not tried."""
    if not is_of_suite(item) or weave_of(item) == PLAIN:
        return
    subject, selection = subject_of(item), item.config.stash[CONFORMANCE].selection
    usual = None if subject.adapter.parameters.has_virtual_clock or selection.checks else MOST_MINUTES_IN_REAL_TIME
    minutes = usual if selection.minutes is None or usual is None else selection.minutes
    if minutes is not None and subject.spent_s >= minutes * 60:
        subject.not_tried.append(f"{check_of(item)}: {NO_TIME_LEFT} {minutes} minutes (--minutes)")
        pytest.skip("the time is up")


def _within_budget(faults: Sequence[pytest.Item], asked_for: int | None) -> Iterator[pytest.Item]:
    """The faults that fit the limit for each implementation (all on a virtual clock without one); the rest is noted as
    not tried.

    One check of each rule comes first, then the next of each, and last the checks under conditions.
    """
    number: dict[str, int] = defaultdict(int)
    turns: dict[pytest.Item, int] = {}
    for item in faults:
        asked = f"{subject_of(item).name} {rules_of(item)}"
        turns[item] = number[asked]
        number[asked] += 1
    for item in sorted(faults, key=lambda item: (weave_of(item) != PLAIN, turns[item])):
        subject = subject_of(item)
        number[subject.name] += 1
        in_real_time = not subject.adapter.parameters.has_virtual_clock
        most = MOST_FAULTS_IN_REAL_TIME if asked_for is None and in_real_time else asked_for
        if most is None or number[subject.name] <= most:
            yield item
        else:
            subject.not_tried.append(
                f"{check_of(item)}: only {most} checks may kill, pause or cut something (--faults)"
            )


def _with_an_example_for_each_weave(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """All plain items and boundaries; an outline's last example under a kind, and its next one under other weaves."""
    examples: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    kinds: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    numbers: dict[tuple[str, str], int] = {}
    for item in items:
        weave, scenario = weave_of(item), f"{subject_of(item).name} {getattr(item, 'originalname', item.name)}"
        if weave == PLAIN or (weave.is_at_boundaries and is_boundary(item)):
            yield item
        elif weave.is_a_kind:
            kinds[scenario, weave.suffix].append(item)
        else:
            numbers.setdefault((scenario, weave.suffix), sum(known == scenario for known, _ in numbers))
            examples[scenario, weave.suffix].append(item)
    for alike in kinds.values():
        yield alike[-1]
    for key, alike in examples.items():
        yield alike[numbers[key] % len(alike)]


@pytest.fixture
def weave() -> Weave:
    """The weave of a check that weaves nothing: it runs as written."""
    return PLAIN


@pytest.fixture
def lab(subject: Subject, weave: Weave, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A fresh scenario on the implementation under test, under the conditions of its weave."""
    opened = request.node.stash[LAB] = subject.open_lab(check_of(request.node), weave)
    yield opened
    subject.close_lab(opened)
    subject.not_tried += [f"{check_of(request.node)}: {part}" for part in opened.left_out]


def pytest_bdd_after_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Note the step."""
    request.node.stash.setdefault(STEPS, []).append(f"{step.keyword} {step.name}")


def pytest_bdd_step_error(request: pytest.FixtureRequest, step: Step) -> None:
    """Note the step that failed, and whether it is a Given or a When."""
    if step.type == "given":
        request.node.stash[GIVEN] = f"Given {step.name}"
    request.node.stash[IN_WHEN] = step.type == "when"
    request.node.stash.setdefault(STEPS, []).append(f"{step.keyword} {step.name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the end of a check into a finding of the report."""
    report = yield
    if is_of_suite(item):
        subject_of(item).spent_s += call.duration
    error = call.excinfo.value if call.excinfo else None
    if is_of_suite(item) and not report.skipped and (call.when == "call" or error) and not _is_told(item, call, error):
        steps: list[str] = item.stash.setdefault(STEPS, [])
        for found in item.config.stash[CONFORMANCE].record(
            *_facts_of(item),
            done=[*weave_of(item).givens, *steps],
            noted=_noted(item),
            error=_error(item, error),
            conditions=item.stash.get(CONDITIONS_MET, weave_of(item).names),
            in_the_end=call.when == "teardown",
        ):
            name_violated(item, report, found)
    return report


def _is_told(item: pytest.Item, call: pytest.CallInfo[None], error: BaseException | None) -> bool:
    """Whether the end of a scenario tells nothing new: its steps came too late, or were seen to violate its rules."""
    if call.when != "teardown" or not isinstance(error, Deviation):
        return False
    told = {rule for name, rule in item.user_properties if name == VIOLATED}
    return item.stash.get(CAME_TOO_LATE, False) or (bool(error.rules) and told >= set(error.rules))


def _error(item: pytest.Item, error: BaseException | None) -> BaseException | None:
    """The error of a check. A Deviation in a Given becomes NotReached, which makes the rules unknown.

    A Deviation in a When also names the rule that promises what the step builds on. A Deviation is TooLate if the
    machine was so slow that a message expired too early.
    """
    given = item.stash.get(GIVEN, None)
    if not isinstance(error, Deviation):
        return error
    lab = item.stash.get(LAB, None)
    if lab is not None and lab.is_late:
        item.stash[CAME_TOO_LATE] = True
        return TooLate(f"this machine was too slow: a message expired before its time was over here; {error}")
    needs = needs_of(item).union(*map(item.config.stash[CONFORMANCE].needs, rules_of(item)))
    if given is not None:
        return not_reached(error, given, needs)
    if item.stash.get(IN_WHEN, False) and not error.rules:
        error.also = promised(error, needs)
    return error


def name_violated(item: pytest.Item, report: pytest.TestReport, check: Check) -> None:
    """Record the violated rules of a check as properties of its item and of this report."""
    report.user_properties += keep_violated(item, check)


def keep_violated(item: pytest.Item, check: Check) -> list[tuple[str, object]]:
    """Record the violated rules of a check as properties of its item, for reports still to come; the properties."""
    named: list[tuple[str, object]] = [(VIOLATED, rule) for rule in check.rules]
    if check.result is not CheckResult.VIOLATED:
        return []
    item.user_properties += named
    return named


def _facts_of(item: pytest.Item) -> tuple[Subject, tuple[str, ...], str, CheckKind]:
    return subject_of(item), rules_of(item), check_of(item), check_kind_of(item)


def _noted(item: pytest.Item) -> tuple[str, str]:
    lab = item.stash.get(LAB, None)
    return (lab.expected, lab.seen) if lab else item.stash.get(NOTED, ("", ""))


def check_of(item: pytest.Item) -> str:
    """The name of a check: stable between runs and the same for every implementation."""
    weave = weave_of(item)
    run = re.escape(subject_of(item).name) + r"#\d+" + re.escape(weave.suffix)
    return re.sub(rf"\[{run}\]|(?<=\[){run}-", "", item.name).removeprefix("test_") + weave.suffix


def weave_of(item: pytest.Item) -> Weave:
    """The conditions under which a check runs."""
    weave = item.callspec.params.get("weave", PLAIN) if hasattr(item, "callspec") else PLAIN
    assert isinstance(weave, Weave)
    return weave


def is_of_suite(item: pytest.Item) -> bool:
    """Whether an item is a check on an implementation, and not a test of a project that hosts the suite."""
    return (
        isinstance(item, pytest.Function)
        and hasattr(item, "callspec")
        and isinstance(item.callspec.params.get("subject"), Subject)
    )


def is_boundary(item: pytest.Item) -> bool:
    """Whether an item is an example at a level of a mechanism."""
    return getattr(item, "originalname", item.name).removeprefix("test_") in _boundaries()


@cache
def _boundaries() -> frozenset[str]:
    return frozenset(each.check for each in map(as_woven, scenarios()) if each.is_boundary)


def subject_of(item: pytest.Item) -> Subject:
    """The implementation on which a check runs."""
    assert isinstance(item, pytest.Function)
    subject = item.callspec.params["subject"]
    assert isinstance(subject, Subject)
    return subject
