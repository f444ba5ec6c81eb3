"""The pytest plugin: runs each check on each implementation that claims its rules, and keeps what it found."""

import re
from collections.abc import Generator, Iterator

import pytest
from pytest_bdd.parser import Step

from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios import MODULES
from tidegate.conformance.session import Conformance, check_kind_of, rules_of
from tidegate.conformance.subject import Subject
from tidegate.record.report import CheckKind

CONFORMANCE = pytest.StashKey[Conformance]()
STEPS = pytest.StashKey[list[str]]()
LAB = pytest.StashKey[Lab]()
NOTED = pytest.StashKey[tuple[str, str]]()
"""What a check without a lab of its own expected and saw."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the steps known and register the marker that tags become."""
    config.addinivalue_line("markers", "rule(id): the rule of the spec that the check serves")
    for module in MODULES:
        config.pluginmanager.import_plugin(f"tidegate.conformance.scenarios.{module}")


@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: object) -> bool:
    """A tag of a scenario is the id of a rule."""
    pytest.mark.rule(tag)(function)
    return True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every check that asks for the lab runs on every implementation."""
    if "subject" in metafunc.fixturenames:
        conformance = metafunc.config.stash[CONFORMANCE]
        runs = [(subject, run) for subject in conformance.subjects for run in range(1, conformance.repeat + 1)]
        metafunc.parametrize(
            "subject", [subject for subject, _ in runs], ids=[f"{subject.name}#{run}" for subject, run in runs],
            scope="session",
        )  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the checks whose rules the implementation claims; what is not claimed is in the report as such."""
    conformance = config.stash[CONFORMANCE]
    items[:] = [
        item
        for item in items
        if conformance.selects(subject_of(item), rules_of(item), check_of(item), check_kind_of(item))
    ]


@pytest.fixture
def lab(subject: Subject, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A fresh scenario on the implementation under test."""
    opened = request.node.stash[LAB] = subject.open_lab(check_of(request.node))
    yield opened
    subject.close_lab(opened)


def pytest_bdd_after_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Note what was done."""
    request.node.stash.setdefault(STEPS, []).append(f"{step.keyword} {step.name}")


def pytest_bdd_step_error(request: pytest.FixtureRequest, step: Step) -> None:
    """Note where it ended."""
    request.node.stash.setdefault(STEPS, []).append(f"{step.keyword} {step.name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn how a check ended into a finding of the report."""
    report = yield
    if is_of_suite(item) and (call.when == "call" or call.excinfo is not None):
        steps: list[str] = item.stash.setdefault(STEPS, [])
        item.config.stash[CONFORMANCE].record(
            *_facts_of(item),
            done=steps,
            noted=_noted(item),
            error=call.excinfo.value if call.excinfo else None,
        )
    return report


def _facts_of(item: pytest.Item) -> tuple[Subject, tuple[str, ...], str, CheckKind]:
    return subject_of(item), rules_of(item), check_of(item), check_kind_of(item)


def _noted(item: pytest.Item) -> tuple[str, str]:
    lab = item.stash.get(LAB, None)
    return (lab.expected, lab.seen) if lab else item.stash.get(NOTED, ("", ""))


def check_of(item: pytest.Item) -> str:
    """The name of a check: stable between runs and the same for every implementation."""
    run = re.escape(subject_of(item).name) + r"#\d+"
    return re.sub(rf"\[{run}\]|(?<=\[){run}-", "", item.name).removeprefix("test_")


def is_of_suite(item: pytest.Item) -> bool:
    """Whether an item is a check on an implementation, and not a test of a project that the suite is a guest of."""
    return (
        isinstance(item, pytest.Function)
        and hasattr(item, "callspec")
        and isinstance(item.callspec.params.get("subject"), Subject)
    )


def subject_of(item: pytest.Item) -> Subject:
    """The implementation that a check runs on."""
    assert isinstance(item, pytest.Function)
    subject = item.callspec.params["subject"]
    assert isinstance(subject, Subject)
    return subject
