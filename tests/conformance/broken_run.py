"""Runs broken implementations through scenarios, in several processes, and collects the checks that each violates.

Each implementation is asked only some rules, because all scenarios on all of them would take minutes: it gets a
capability of its own for each of these rules, and every rule needs the capability that bears its name.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import Check, CheckKind, CheckResult

PROCESSES = 2
SCENARIOS = Selection(kinds=(CheckKind.SCENARIO,))


@dataclass(frozen=True)
class NotYetFailed(Selection):
    """The checks that are not yet violated under each of their rules."""

    failed: frozenset[tuple[str, str]] = frozenset()
    """Each violated check, with a rule under which it was violated."""

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        return super().takes(rules, check, kind) and not {(check, rule) for rule in rules} <= self.failed


@dataclass(frozen=True)
class Found:
    """The results of the scenarios on one implementation."""

    checks: tuple[Check, ...]

    @property
    def violations(self) -> tuple[Check, ...]:
        """The violated checks."""
        return tuple(check for check in self.checks if check.result is CheckResult.VIOLATED)

    def shortest_script(self, rule: str) -> tuple[str, ...] | None:
        """The steps of the shortest scenario that violates the rule; None if no scenario does."""
        scripts = [check.done for check in self.violations if rule in check.rules]
        return min(scripts, key=len, default=None)


def needs_of(rule: str) -> frozenset[str]:
    """The capabilities that a rule needs."""
    return frozenset(catalogue()[rule].needs)


def run_all(asked: Mapping[type, Sequence[str]], selection: Selection = SCENARIOS) -> dict[type, Found]:
    """For each implementation, the results of the scenarios of its rules; AssertionError if tidegate fails."""
    classes = list(asked)
    shares = [{cls: asked[cls] for cls in some} for share in range(PROCESSES) if (some := classes[share::PROCESSES])]
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        return {
            cls: found for share in pool.map(partial(_run, selection=selection), shares) for cls, found in share.items()
        }


def not_failed_by(found: Iterable[Found]) -> NotYetFailed:
    """The scenarios that were not violated by any of these implementations under each of their rules."""
    failed = {(check.check, rule) for each in found for check in each.violations for rule in check.rules}
    return NotYetFailed(kinds=SCENARIOS.kinds, failed=frozenset(failed))


def _run(asked: Mapping[type, Sequence[str]], selection: Selection = SCENARIOS) -> dict[type, Found]:
    with tempfile.TemporaryDirectory() as folder:
        factories = {cls.__name__: _asked(cls, rules) for cls, rules in asked.items()}
        conformance = run_suite(
            factories,
            lambda rule: needs_of(rule) | {_question(rule)},
            Path(folder),
            selection=selection,
            judge_traces=False,
        )
    if conformance.errors:
        raise AssertionError(conformance.errors)
    return {cls: Found(tuple(subject.checks)) for cls, subject in zip(asked, conformance.subjects, strict=True)}


def _asked(cls: type, rules: Sequence[str]) -> Callable[[], Adapter]:
    def make() -> Adapter:
        adapter: Adapter = cls()
        adapter.capabilities |= {_question(rule) for rule in rules}
        return adapter

    return make


def _question(rule: str) -> str:
    return f"is-asked-{rule}"
