"""One run of the suite: the implementations under test, the selection of checks for each, and the findings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import pytest

from tidegate.adapters.base import AdapterError, TooLate, Unsupported
from tidegate.adapters.capabilities import FAULTS
from tidegate.adapters.groups import declined, reason_to_decline
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.weaving import with_named, woven_scenarios
from tidegate.conformance.findings import Deviation, NotReached, NotUsed, Varies
from tidegate.conformance.replaying import Replay
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.errors import Unavailable
from tidegate.record.report import NOT_REACHED, Check, CheckKind, CheckResult

KIND_OF_MODULE = {
    "test_scenarios": CheckKind.SCENARIO,
    "test_vectors": CheckKind.VECTOR,
    "test_stateful": CheckKind.STATEFUL,
}

HARNESS_FAILED = "tidegate failed: "
"""The prefix of what was seen if the check itself failed."""

Needs = Callable[[str], frozenset[str]]
"""From the id of a rule to the capabilities that it needs."""


@dataclass
class Conformance:
    """The state of a run that the pytest plugin fills."""

    subjects: list[Subject]
    needs: Needs
    selection: Selection
    repeat: int = 1
    strength: int = 0
    """The strength of covering arrays: each value (1), each pair (2), each triple (3) of values; 0 weaves nothing."""
    seed: str = ""
    """The seed of covering arrays."""
    progress: Callable[[Check], None] = lambda check: None
    replay: Replay = field(default_factory=Replay)
    errors: list[str] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    """The names of checks that an implementation claims and that the selection does not take."""
    _weaves: dict[str, Mapping[str, tuple[Weave, ...]]] = field(default_factory=dict)

    def claims(self, subject: Subject, rule: str) -> bool:
        """Whether the implementation has every capability that the rule needs, and does not decline it."""
        return self.needs(rule) <= subject.capabilities and not reason_to_decline(declined(subject.adapter), rule)

    def selects(
        self, subject: Subject, rules: Sequence[str], check: str, kind: CheckKind, needs: frozenset[str] = frozenset()
    ) -> bool:
        """Whether a check runs: the implementation claims all of its rules, and the selection takes it.

        `needs` are the capabilities that the check needs and its rules do not.
        """
        claimed, taken = self._claims_all(subject, rules, needs), self.selection.takes(rules, check, kind)
        if claimed and not taken:
            self.left_out.add(check)
        return claimed and taken

    def may_select(
        self, rules: Sequence[str], name: str, kind: CheckKind, needs: frozenset[str] = frozenset()
    ) -> list[Subject]:
        """The implementations on which a check of this name, with any figures and conditions, may run.

        With woven scenarios it is all of them: the example that runs under a weave depends on all checks that could
        run.
        """
        if self.multiplies:
            return self.subjects
        taken = self.selection.may_take(rules, name, kind)
        claiming = [subject for subject in self.subjects if self._claims_all(subject, rules, needs)]
        if claiming and not taken:
            self.left_out.add(name)
        return claiming if taken else []

    @property
    def multiplies(self) -> bool:
        """Whether checks run several times, or under conditions that nobody named."""
        return self.repeat > 1 or (self.strength > 0 and self.selection.weaves(self.selection.rules))

    def _claims_all(self, subject: Subject, rules: Sequence[str], needs: frozenset[str]) -> bool:
        if self.selection.faults == 0 and self.brings_faults(rules, needs):
            return False
        return needs <= subject.can_establish and all(self.claims(subject, rule) for rule in rules)

    def brings_faults(self, rules: Sequence[str], needs: frozenset[str] = frozenset(), weave: Weave = PLAIN) -> bool:
        """Whether a check causes a fault: by a rule, by its own needs, or by a condition."""
        return not FAULTS.isdisjoint(needs.union(weave.needs, *map(self.needs, rules)))

    def again(self, subject: Subject, checks: tuple[str, ...]) -> Self:
        """A run of these checks only, on one implementation; it adds its findings to the same subject and errors."""
        return replace(self, subjects=[subject], selection=Selection(checks=checks), repeat=1, strength=0, _weaves={})

    def weaves_of(self, subject: Subject) -> Mapping[str, tuple[Weave, ...]]:
        """By scenario, without the figures of an example, its weaves beside the plain one."""
        if subject.name not in self._weaves:

            def claims(rules: tuple[str, ...], needs: frozenset[str]) -> bool:
                return needs <= subject.can_establish and all(self.claims(subject, rule) for rule in rules)

            capabilities = subject.can_establish - (FAULTS if self.selection.faults == 0 else frozenset())
            woven = woven_scenarios(claims, capabilities, self.strength, self.seed, self.selection.weaves)
            self._weaves[subject.name] = with_named(woven, self.selection.checks, subject.can_establish)
        return self._weaves[subject.name]

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
        conditions: tuple[str, ...] = (),
        in_the_end: bool = False,
    ) -> Sequence[Check]:
        """Record and return the results of a check; `noted` is what it expected and saw if it ended well.

        A caller that calls twice for one run, after the steps and `in_the_end`, gets one result for each rule: a rule
        that the end violates, or calls not tried, is no longer kept by the steps.

        An error that is no finding about the implementation is a failure of tidegate. If a precondition of the check
        did not come about, its rules are unknown, and the rule that promises the precondition is violated. If a When
        builds on the precondition, the rules of the check are violated too. Noted as not tried are a check under
        conditions that the adapter cannot establish together, a scenario or vector that the implementation cannot be
        driven through, and a check with a precondition that a permission leaves open.
        """
        if isinstance(error, Unsupported) and kind in (CheckKind.SCENARIO, CheckKind.VECTOR):
            if not in_the_end or _take_back(subject.checks, check, rules):
                subject.not_tried.append(f"{check}: {error}")
                if not conditions:
                    replay = self.replay.of_checks(subject.name, check)
                    unknown = check, kind, CheckResult.UNKNOWN, rules, tuple(done)
                    subject.unsupported.append(Check(*unknown, expected="", seen=str(error), replay=replay))
            return ()
        if isinstance(error, NotReached) and error.is_permitted:
            subject.not_tried.append(f"{check}: the implementation may do otherwise than its Given needs")
            return ()
        expected, seen = noted
        replay = self.replay.of_checks(subject.name, check)
        found: list[Check] = []
        match error:
            case None:
                result = CheckResult.KEPT
            case Deviation():
                result, expected, seen = CheckResult.VIOLATED, error.expected, error.seen
                rules, done = error.rules or rules, error.done or done
                if error.also is not None and error.also not in rules and self.claims(subject, error.also):
                    broken = CheckResult.VIOLATED, (error.also,), tuple(done), expected, seen
                    found.append(Check(check, kind, *broken, replay, conditions))
                if in_the_end:
                    _take_back(subject.checks, check, rules)
            case NotReached():
                promised_by = error.promised_by
                if promised_by is not None and self.claims(subject, promised_by):
                    broken = CheckResult.VIOLATED, (promised_by,), tuple(done), error.expected, error.seen
                    found.append(Check(check, kind, *broken, replay, conditions))
                    rules = tuple(rule for rule in rules if rule != promised_by)
                result, seen = CheckResult.UNKNOWN, f"{NOT_REACHED}{error.seen}"
                expected = f"{error.given}: {error.expected}"
            case NotUsed():
                result, expected, seen = CheckResult.NOT_USED, error.expected, error.seen
            case TooLate() if in_the_end:
                _take_back(subject.checks, check, rules)
                result, seen = CheckResult.UNKNOWN, str(error)
            case AdapterError() | Unavailable():
                # a scenario that could not restart its broker is no failure of the suite
                result, seen = CheckResult.UNKNOWN, str(error)
            case Varies():
                result, expected, seen, done = CheckResult.UNKNOWN, error.expected, error.seen, error.done
            case _:
                result, seen = CheckResult.UNKNOWN, f"{HARNESS_FAILED}{type(error).__name__}: {error}"
                self.errors.append(f"{check}: {type(error).__name__}: {error}")
        if rules:
            found.append(Check(check, kind, result, rules, tuple(done), expected, seen, replay, conditions))
        if isinstance(error, TooLate):
            subject.late += found
        for one in found:
            subject.checks.append(one)
            self.progress(one)
        return found


def _take_back(checks: list[Check], check: str, rules: tuple[str, ...]) -> bool:
    """Whether the steps of this check, the last one, kept rules; these rules are removed from what the steps kept."""
    if not checks or checks[-1].check != check or checks[-1].result is not CheckResult.KEPT:
        return False
    steps = checks.pop()
    if kept := tuple(rule for rule in steps.rules if rule not in rules):
        checks.append(replace(steps, rules=kept))
    return True


def rules_of(item: pytest.Item) -> tuple[str, ...]:
    """The rules that a check serves, from its tags."""
    return tuple(dict.fromkeys(mark.args[0] for mark in item.iter_markers("rule")))


def needs_of(item: pytest.Item) -> frozenset[str]:
    """The capabilities that a check needs and its rules do not."""
    return frozenset(need for mark in item.iter_markers("needs") for need in mark.args)


def check_kind_of(item: pytest.Item) -> CheckKind:
    """The kind of a check, from its module."""
    return KIND_OF_MODULE[Path(item.path).stem]
