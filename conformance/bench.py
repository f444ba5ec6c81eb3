"""The bench: runs checks repeatedly on one implementation, each time with another model.

The suite is collected once. Each run is a child of this process, so that a candidate that does not end, or leaves
something behind, harms no other.
"""

import gc
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pytest

from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue, rule_named
from tidegate.conformance.mutants.in_a_child import DidNotEnd, in_children
from tidegate.conformance.mutants.in_place import tell_of_arguments
from tidegate.conformance.plugin import CONFORMANCE, SUITE, check_of
from tidegate.conformance.profile_run import WOVEN
from tidegate.conformance.report.accept import agree, by_name
from tidegate.conformance.runner import session_of
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import Breach, places
from tidegate.model.language.linker import DOCUMENTED, Linker, Rule
from tidegate.model.language.rule import Definition, definitions
from tidegate.record.errors import TidegateError
from tidegate.record.report import Check, CheckKind

MOST_SECONDS = 3
"""The processor seconds of one candidate, beside the time of its checks."""
SECONDS_OF_A_CHECK = 0.5
KNOWN_MODEL_SECONDS = 600
"""The processor seconds for a model of a released version, which is known to end."""
Make = Callable[[Linker], Adapter]
Result = TypeVar("Result")
Calls = dict[str, dict[str, list[tuple[Any, ...]]]]
"""The different arguments of each rule, by check and by the `module:name` of the rule."""


class Bench:
    """The checks of a report that the implementation has too."""

    def __init__(self, conformance: Conformance, items: Sequence[pytest.Item], make: Make, real: Iterable[Check]):
        self._conformance = conformance
        self._make = make
        self._items = {check_of(item): item for item in items}
        self._real = by_name(check for check in real if check.check in self._items)
        self._against = Counter[str]()
        """The number of models that each check disagreed with."""
        make(DOCUMENTED)
        for definition in definitions():  # read here, so that not every child reads them
            definition.body  # noqa: B018
        gc.freeze()

    @property
    def real(self) -> Mapping[str, Check]:
        """The last run of each check on the real version."""
        return self._real

    def watched(self, model: Linker, rules: Collection[Rule], names: Collection[str]) -> tuple[dict[str, Check], Calls]:
        """The result of each named check on a model, and the arguments with which it calls the given rules.

        Raises TidegateError if the checks do not end.
        """
        return _ended(partial(self._watched, model, rules, names), _most_seconds(len(names)))

    def agreeing(
        self,
        models: Iterable[tuple[Result, Linker]],
        names: Callable[[Result], Sequence[str]],
        at_once: int,
        most_against: int | None = None,
    ) -> Iterator[tuple[Result, frozenset[str]]]:
        """For each model, the named checks that end as in the report; none if the model takes too long.

        Checks that disagreed most often so far run first. After `most_against` disagreements the remaining checks do
        not run, and count as disagreeing.
        """
        tasks = (
            (key, partial(self._agreeing, model, sorted(names(key), key=self._seldom_against), most_against))
            for key, model in models
        )
        for key, answer in in_children(tasks, at_once, _most_seconds(len(self._items) // 10)):
            agreed, against = (frozenset[str](), ()) if isinstance(answer, DidNotEnd) else answer
            self._against.update(against)
            yield key, agreed

    def ending_alike(self, model: Linker, names: Sequence[str]) -> frozenset[str]:
        """The named checks that end on a model as in the report. Raises TidegateError if the checks do not end."""
        agreed, _ = _ended(partial(self._agreeing, model, names, None))
        return agreed

    def _seldom_against(self, name: str) -> int:
        return -self._against[name]

    def breaking(self, model: Linker, names: Collection[str], rules: Sequence[Definition]) -> frozenset[Breach]:
        """The trace rules that fail on a model, each with the named check in whose trace it fails.

        Raises TidegateError if the checks do not end.
        """
        return _ended(partial(self._breaking, model, names, rules))

    def _breaking(self, model: Linker, names: Collection[str], rules: Sequence[Definition]) -> frozenset[Breach]:
        (subject,) = self._conformance.subjects
        trace = subject.folder / f"trace-of-process-{os.getpid()}.jsonl"
        adapter = self._begin(model, trace)
        for name in names:
            self._run(name)
        adapter.stop()
        subject.stop()
        return frozenset(place.breach for place in places(trace, rules))

    def _watched(
        self, model: Linker, rules: Collection[Rule], names: Collection[str]
    ) -> tuple[dict[str, Check], Calls]:
        now: dict[str, dict[str, tuple[Any, ...]]] = {}

        def note(rule: str, *arguments: Any) -> None:
            now.setdefault(rule, {}).setdefault(repr(arguments), arguments)

        tell_of_arguments(rules, note)
        adapter = self._begin(model)
        found: dict[str, Check] = {}
        calls: Calls = {}
        for name in names:
            now.clear()
            ended = self._run(name)
            calls[name] = {rule: list(different.values()) for rule, different in now.items()}
            if ended is not None:
                found[name] = ended
        adapter.stop()
        return found, calls

    def _agreeing(
        self, model: Linker, names: Collection[str], most_against: int | None
    ) -> tuple[frozenset[str], Sequence[str]]:
        """The checks that end as in the report, and the checks that ended otherwise."""
        adapter = self._begin(model)
        agreed, against = set[str](), list[str]()
        for name in names:
            if len(against) == most_against:
                break
            if self._agrees(name):
                agreed.add(name)
            else:
                against.append(name)
        adapter.stop()
        return frozenset(agreed), against

    def _begin(self, model: Linker, trace: Path = Path(os.devnull)) -> Adapter:
        """In a child: make the implementation of this model, and write its trace to this path."""
        adapter = self._make(model)
        adapter.start()
        (subject,) = self._conformance.subjects
        subject.become(adapter, trace)
        return adapter

    def _agrees(self, name: str) -> bool:
        return agree(self._real[name], self._run(name))

    def _run(self, name: str) -> Check | None:
        """The result of a check; None if it has none."""
        (subject,) = self._conformance.subjects
        item, before = self._items[name], len(subject.checks)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return by_name(subject.checks[before:]).get(name)


def _ended(work: Callable[[], Result], most_seconds: int = KNOWN_MODEL_SECONDS) -> Result:
    """The result of the work in a child. Raises TidegateError if it takes more processor time than `most_seconds`."""
    ((_, answer),) = in_children([("the checks", work)], 1, most_seconds)
    if isinstance(answer, DidNotEnd):
        raise TidegateError("the checks do not end")
    return answer


def _most_seconds(checks: int) -> int:
    return MOST_SECONDS + ceil(checks * SECONDS_OF_A_CHECK)


class _AtTheBench:
    """A pytest plugin that gives the collected checks to `work` instead of running them once."""

    def __init__(self, conformance: Conformance, work: Callable[[Sequence[pytest.Item]], None]):
        self._conformance = conformance
        self._work = work
        self.error: TidegateError | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[CONFORMANCE] = self._conformance
        config.option.tbstyle = "native"  # nobody reads tracebacks here, and their sources take most of the time

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        try:
            self._work(session.items)
        except TidegateError as error:
            self.error = error
        return True


MODULES = {
    CheckKind.SCENARIO: "test_scenarios.py",
    CheckKind.VECTOR: "test_vectors.py",
    CheckKind.STATEFUL: "test_stateful.py",
}
"""The suite's module for each kind of check."""


def at_the_bench(name: str, make: Make, real: Sequence[Check], work: Callable[[Bench], Result]) -> Result:
    """The result of `work` at a bench with the given checks of a report that the named implementation has.

    Raises Unavailable if the implementation is not available, and any TidegateError of the work.
    """
    found: list[Result] = []
    modules = [SUITE / module for kind, module in MODULES.items() if any(check.kind is kind for check in real)]
    with TemporaryDirectory(prefix="tidegate-bench-") as folder:
        subject = Subject(name, Path(folder), make(DOCUMENTED))
        selection = Selection(checks=tuple(check.check for check in real))
        rules = catalogue()
        conformance = Conformance(
            [subject], lambda rule: frozenset(rule_named(rule, rules).needs), selection, strength=WOVEN
        )
        plugin = _AtTheBench(conformance, lambda items: found.append(work(Bench(conformance, items, make, real))))
        try:
            subject.start()
            code = session_of(modules, plugin)
        finally:
            subject.stop()
    if plugin.error is not None:
        raise plugin.error
    if not found:
        raise TidegateError(f"pytest ended with {pytest.ExitCode(code).name}")
    return found[0]
