"""A run does not collect the checks that it leaves out, and collects all others as a whole run does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.adapters.base import Adapter
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.plugin import CONFORMANCE, SUITE, check_of
from tidegate.conformance.runner import OPTIONS, run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance
from tidegate.conformance.subject import Subject
from tidegate.conformance.subset import boundary
from tidegate.record.report import CheckKind

OVERFULL = "whoever_sends_to_an_overfull_queue_is_stopped_by_it"
SELECTIONS = {
    "a rule": Selection(rules=("QPID-QUEUE-7",), kinds=(CheckKind.SCENARIO, CheckKind.STATEFUL)),
    "the scenarios of a rule": Selection(rules=("ARTEMIS-AMQP-5",), kinds=(CheckKind.SCENARIO,)),
    "the vectors of a rule": Selection(rules=("QPID-QUEUE-1",), kinds=(CheckKind.VECTOR,)),
    "the random sequences of a rule": Selection(rules=("ANDES-MEMORY-3", "QPID-QUEUE-11"), kinds=(CheckKind.STATEFUL,)),
    "a check with a figure": Selection(checks=(f"{OVERFULL}[500]",)),
    "a check with a figure and a condition": Selection(checks=(f"{OVERFULL}[500] (topic)", f"{OVERFULL}[500]")),
    "a rule of a subset": Selection(rules=("QPID-QUEUE-1",), subset=boundary()),
    "no faults": Selection(rules=("GENERAL-10", "GENERAL-11"), kinds=(CheckKind.SCENARIO,), faults=0),
}


@pytest.mark.parametrize("name", sampled(SELECTIONS, 2))
def test_what_is_selected_is_what_is_selected_of_everything(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    selection = SELECTIONS[name]
    asked: list[str] = []
    selects = Conformance.selects

    def noting(self, subject, rules, check, *others):
        asked.append(check)
        return selects(self, subject, rules, check, *others)

    monkeypatch.setattr(Conformance, "selects", noting)
    few = found(selection, tmp_path)
    collected = len(asked)
    monkeypatch.setattr(Conformance, "may_select", lambda self, *_: self.subjects)
    assert found(selection, tmp_path) == few != []
    assert 2 * collected < len(asked) - collected


def test_what_runs_of_a_rule_under_conditions_runs_of_the_whole_too(tmp_path: Path) -> None:
    whole = collected(Selection(), tmp_path)
    part = collected(Selection(rules=("QPID-QUEUE-7",)), tmp_path)
    assert any(name.endswith("(topic)") for name in part)
    assert set(part) < set(whole)


class CollectsOnly:
    """A plugin that notes the checks of a run instead of running them."""

    def __init__(self, conformance: Conformance):
        self._conformance = conformance
        self.checks: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[CONFORMANCE] = self._conformance

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.checks = [check_of(item) for item in session.items]
        return True


def collected(selection: Selection, folder: Path) -> list[str]:
    """The checks of a run on Qpid, with each value of a condition once."""
    subject = Subject("one", folder, QpidReference())
    collecting = CollectsOnly(Conformance([subject], needs_of, selection, strength=1))
    pytest.main([str(SUITE), *OPTIONS, "--rootdir", str(SUITE), "--confcutdir", str(SUITE)], plugins=[collecting])
    subject.stop()
    return collecting.checks


def found(selection: Selection, folder: Path) -> list[tuple[str, str, str]]:
    """The checks that ran, in order: implementation, check, result."""
    both: dict[str, Callable[[], Adapter]] = {"one": QpidReference, "other": ArtemisReference}
    run = run_suite(both, needs_of, folder, selection=selection, judge_traces=False)
    return [(subject.name, each.check, str(each.result)) for subject in run.subjects for each in subject.checks]
