"""Hunts mutants with the scenarios: each runs on implementations that are made of the changed rule."""

import resource
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tidegate.adapters.base import Adapter
from tidegate.conformance.mutants.changes import Mutant
from tidegate.conformance.mutants.in_a_child import MOST_SECONDS, DidNotEnd, in_children
from tidegate.conformance.mutants.in_place import put_in_place, tell_of_calls
from tidegate.conformance.plugin import CONFORMANCE, SUITE, check_of, subject_of
from tidegate.conformance.runner import session_of
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance, Needs, rules_of
from tidegate.conformance.subject import Subject
from tidegate.model.language.rule import Definition
from tidegate.record.errors import TidegateError
from tidegate.record.report import CheckKind

NOBODY = ""
WITHOUT_A_CHANGE_SECONDS = 600
"""The processor time for all scenarios with unchanged rules, in seconds."""
Calls = dict[str, frozenset[str] | None]
"""For each scenario, the rules that it calls; None for one that fails."""


def _seconds_of_children() -> int:
    """The processor seconds of the ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(used.ru_utime + used.ru_stime)


def hunt(
    mutants: Sequence[Mutant],
    rules: Sequence[Definition],
    factories: Mapping[str, Callable[[], Adapter]],
    needs: Needs,
    at_once: int,
) -> "Hunt":
    """Run, for each mutant, the scenarios that call its rule; `rules` are the rules whose calls are recorded.

    Raises TidegateError if a scenario fails without a change.
    """
    with TemporaryDirectory() as folder:
        subjects = [Subject(name, Path(folder), make()) for name, make in factories.items()]
        hunting = Hunt(Conformance(subjects, needs, Selection(kinds=(CheckKind.SCENARIO,))), mutants, rules, at_once)
        try:
            for subject in subjects:
                subject.start()
            code = session_of((SUITE / "test_scenarios.py",), hunting)
        finally:
            for subject in subjects:
                subject.stop()
    if hunting.error is not None:
        raise hunting.error
    if code != pytest.ExitCode.OK:
        raise TidegateError(f"pytest ended with {pytest.ExitCode(code).name}")
    return hunting


class Hunt:
    """A pytest plugin that replaces the run of all scenarios by one run for each mutant, in its own child process."""

    def __init__(self, conformance: Conformance, mutants: Sequence[Mutant], rules: Sequence[Definition], at_once: int):
        self._conformance = conformance
        self._mutants = mutants
        self._rules = rules
        self._at_once = at_once
        self._failed = False
        self.called: Calls = {}
        self.noticed: dict[str, str] = {}
        """For each mutant, the scenario that fails; NOBODY if none does."""
        self.error: TidegateError | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        """Pass the state of the run to the suite."""
        config.stash[CONFORMANCE] = self._conformance

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hunt the mutants instead of running every scenario once."""
        try:
            self._hunt(session.items)
        except TidegateError as error:
            self.error = error
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure of the scenario that is running."""
        self._failed = self._failed or report.failed

    def _hunt(self, items: Sequence[pytest.Item]) -> None:
        began = _seconds_of_children()
        as_they_are = [("the rules as they are", partial(self._calls, items))]
        for name, called in in_children(as_they_are, 1, WITHOUT_A_CHANGE_SECONDS):
            if isinstance(called, DidNotEnd):
                raise TidegateError(f"with {name} the scenarios do not end")
            self.called = called
        if failing := [scenario for scenario, rules in self.called.items() if rules is None]:
            raise TidegateError(f"although no rule was changed, {len(failing)} scenarios fail, first {failing[0]}")
        tasks = [(mutant.name, partial(self._first_to_fail, mutant, items)) for mutant in self._mutants]
        # a mutant that nobody notices runs as long as unchanged rules do
        limit = MOST_SECONDS + 2 * (_seconds_of_children() - began)
        for name, failed in in_children(tasks, self._at_once, limit):
            self.noticed[name] = "a scenario that does not end" if isinstance(failed, DidNotEnd) else failed

    def _calls(self, items: Sequence[pytest.Item]) -> "Calls":
        """For each scenario, the rules that it calls; None if it fails. Runs in a child."""
        now: set[str] = set()
        tell_of_calls(self._rules, now.add)
        found: Calls = {}
        for item in items:
            now.clear()
            passes = self._passes(item)
            found[scenario_of(item)] = frozenset(now) if passes else None
        return found

    def _first_to_fail(self, mutant: Mutant, items: Sequence[pytest.Item]) -> str:
        """The first scenario that fails with the mutant in place; NOBODY if all pass. Runs in a child."""
        rule = mutant.original
        mine = [item for item in items if rule.qualified_name in (self.called[scenario_of(item)] or ())]
        put_in_place(mutant.changed)
        for item in sorted(mine, key=lambda item: rule.rule_id not in rules_of(item)):
            if not self._passes(item):
                return scenario_of(item)
        return NOBODY

    def _passes(self, item: pytest.Item) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self._failed


def scenario_of(item: pytest.Item) -> str:
    """The name of the check and of the implementation that it runs on."""
    return f"{check_of(item)} on {subject_of(item).name}"
