"""Runs the suite on brokers with a fault, and collects the violated rules in the order of the report."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue
from tidegate.conformance.assembly import assemble
from tidegate.conformance.mutants.in_a_child import DidNotEnd, in_children
from tidegate.conformance.report.view import unlike_kept
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.strength.broker import as_it_is
from tidegate.conformance.strength.faults import Fault
from tidegate.conformance.strength.mechanisms import Mechanism
from tidegate.record.errors import BadInput, TidegateError
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.verdict import Verdict

OF_EVERY_MECHANISM = "GENERAL-"
WITHOUT_CHANCE = (CheckKind.SCENARIO, CheckKind.VECTOR)
MOST_SECONDS = 900
"""The processor seconds for one broker, after which a run counts as endless."""


@dataclass(frozen=True)
class Told:
    """The violated rules in the report of one broker, in its order, and the check behind the first."""

    violated: tuple[str, ...]
    first_check: str
    seconds: float
    """The seconds from the start of the suite to the report."""
    ended: bool = True
    """Whether the suite ended; if not, nothing is known of the violated rules."""


@dataclass(frozen=True)
class Row:
    """The result of the suite on one fault."""

    fault: str
    mechanism: str
    words: str
    rules: tuple[str, ...]
    """The rules whose own sentence the fault contradicts, the most direct first."""
    told: Told

    @property
    def found(self) -> bool:
        """Whether some rule is violated."""
        return self.told.violated != ()

    @property
    def right(self) -> bool:
        """Whether a rule is violated whose own sentence the fault contradicts."""
        return not set(self.rules).isdisjoint(self.told.violated)

    @property
    def right_first(self) -> bool:
        """Whether the first violated rule in the report is one of these."""
        return self.told.violated[:1] != () and self.told.violated[0] in self.rules


def rows(chosen: Sequence[Fault], classes: Mapping[str, type], at_once: int, strength: int) -> Iterator[Row]:
    """A row for each fault, in order of completion; `at_once` brokers run in parallel.

    A fault on which the suite does not end counts as missed. Raises TidegateError if tidegate fails on one.
    """
    tasks = [(fault, partial(_told_of, fault, classes[fault.mechanism.adapter], strength)) for fault in chosen]
    _warm_up(classes)
    for fault, told in in_children(tasks, at_once, MOST_SECONDS):
        if isinstance(told, DidNotEnd):
            told = Told((), "", MOST_SECONDS, ended=False)
        yield Row(fault.name, fault.mechanism.name, fault.words, fault.rules, told)


def flags(classes: Mapping[str, type], at_once: int, strength: int) -> Mapping[str, tuple[str, ...]]:
    """The control: for each right adapter, the rules that the suite calls violated.

    Each adapter runs in the layer of broken brokers without a fault: the layer alone must violate nothing. Raises
    TidegateError if the suite does not end on one, or if tidegate fails.
    """
    tasks = [(name, partial(_told, partial(as_it_is, cls), (), strength)) for name, cls in classes.items()]
    found: dict[str, tuple[str, ...]] = {}
    for name, told in in_children(tasks, at_once, MOST_SECONDS):
        if isinstance(told, DidNotEnd):
            raise TidegateError(f"the suite does not end on {name}")
        found[name] = told.violated
    return {name: found[name] for name in classes}


def _warm_up(classes: Mapping[str, type]) -> None:
    """Run one check in this process, so that the children find the common modules loaded."""
    _told(next(iter(classes.values())), ("GENERAL-2",), 0)


def rules_of(mechanism: Mechanism) -> tuple[str, ...]:
    """The rules of a mechanism, the rules that its aspects name, and the rules of every mechanism."""
    named = {rule for rules in mechanism.rules.values() for rule in rules}
    return tuple(
        rule.id
        for rule in catalogue().values()
        if mechanism.capability in rule.needs or rule.id in named or rule.id.startswith(OF_EVERY_MECHANISM)
    )


def _told_of(fault: Fault, cls: type, strength: int) -> Told:
    return _told(partial(fault.make, cls), rules_of(fault.mechanism), strength, fault.rules)


def _told(make: Callable[[], Adapter], rules: tuple[str, ...], strength: int, right: Sequence[str] = ()) -> Told:
    """The violations of scenarios and vectors and, if these violate none of the `right` rules, of random sequences too.

    A report tells violations of scenarios and vectors before violations of random sequences.
    """
    began = time.monotonic()
    violated, first = _violated(make, Selection(rules=rules, kinds=WITHOUT_CHANCE), strength)
    if set(right).isdisjoint(violated):
        by_chance, first_by_chance = _violated(make, Selection(rules=rules, kinds=(CheckKind.STATEFUL,)), strength)
        violated, first = tuple(dict.fromkeys((*violated, *by_chance))), first or first_by_chance
    return Told(violated, first, round(time.monotonic() - began, 1))


def _violated(make: Callable[[], Adapter], selection: Selection, strength: int) -> tuple[tuple[str, ...], str]:
    """The violated rules of a report, in its order, and the check that violates the first one."""
    with TemporaryDirectory() as folder:
        try:
            conformance = run_suite(
                {"broken": make}, lambda rule: frozenset(catalogue()[rule].needs), Path(folder),
                selection=selection, strength=strength,
            )  # fmt: skip
        except BadInput:  # the mechanism has no check of this kind
            return (), ""
        if conformance.errors:
            raise TidegateError(conformance.errors[0])
        report = assemble(conformance, (), "", whole=True, today=datetime.now(UTC).date())
    verdicts = [verdict for _, verdict in unlike_kept(report) if verdict.verdict is Verdict.VIOLATED]
    checks = [one.check for verdict in verdicts[:1] for one in verdict.checks if one.result is CheckResult.VIOLATED]
    return tuple(verdict.rule for verdict in verdicts), checks[0] if checks else ""
