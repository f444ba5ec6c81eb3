"""One run of the suite: the implementations under test, which checks each gets, and what was found."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis.errors import Flaky

from tidegate.adapters.base import AdapterError
from tidegate.adapters.groups import declined
from tidegate.conformance.findings import Deviation, NotTaken
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.report import Check, CheckKind, CheckResult

KIND_OF_MODULE = {
    "test_scenarios": CheckKind.SCENARIO,
    "test_vectors": CheckKind.VECTOR,
    "test_stateful": CheckKind.STATEFUL,
}

HARNESS_FAILED = "tidegate failed: "
"""How what was seen begins where the check itself is at fault."""

Needs = Callable[[str], frozenset[str]]
"""From the id of a rule to the capabilities that it needs."""


@dataclass
class Conformance:
    """The state of a run that the pytest plugin fills."""

    subjects: list[Subject]
    needs: Needs
    selection: Selection
    repeat: int = 1
    progress: Callable[[Check], None] = lambda check: None
    errors: list[str] = field(default_factory=list)

    def claims(self, subject: Subject, rule: str) -> bool:
        """Whether the implementation has every capability that the rule needs, and does not decline it."""
        return self.needs(rule) <= subject.adapter.capabilities and rule not in declined(subject.adapter)

    def selects(self, subject: Subject, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        """Whether a check is run: the implementation claims all of its rules, and the selection takes it."""
        return all(self.claims(subject, rule) for rule in rules) and self.selection.takes(rules, check, kind)

    def record(
        self,
        subject: Subject,
        rules: tuple[str, ...],
        check: str,
        kind: CheckKind,
        *,
        done: Sequence[str],
        noted: tuple[str, str],
        error: BaseException | None,
    ) -> None:
        """Keep how a check ended; `noted` is what it expected and saw if it ended well.

        An error that is not a finding about the implementation is a failure of tidegate.
        """
        expected, seen = noted
        match error:
            case None:
                result = CheckResult.KEPT
            case Deviation():
                result, expected, seen = CheckResult.VIOLATED, error.expected, error.seen
                rules, done = error.rules or rules, error.done or done
            case NotTaken():
                result, expected, seen = CheckResult.NOT_TAKEN, error.expected, error.seen
            case AdapterError():
                result, seen = CheckResult.UNKNOWN, str(error)
            case Flaky():
                result, seen = CheckResult.UNKNOWN, f"not the same when repeated: {error}"
            case _:
                result, seen = CheckResult.UNKNOWN, f"{HARNESS_FAILED}{type(error).__name__}: {error}"
                self.errors.append(f"{check}: {type(error).__name__}: {error}")
        replay = f"tidegate run --adapter {shlex.quote(subject.name)} --check {shlex.quote(check)}"
        found = Check(check, kind, result, rules, tuple(done), expected, seen, replay)
        subject.checks.append(found)
        self.progress(found)


def rules_of(item: pytest.Item) -> tuple[str, ...]:
    """The rules that a check serves, from its tags."""
    return tuple(dict.fromkeys(mark.args[0] for mark in item.iter_markers("rule")))


def check_kind_of(item: pytest.Item) -> CheckKind:
    """Which form of a rule a check is, from the module it stands in."""
    return KIND_OF_MODULE[Path(item.path).stem]
