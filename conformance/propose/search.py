"""Searches replacements one after another: each explains most of the unexplained checks and contradicts nothing."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from typing import Any

from tidegate.catalogue import catalogue
from tidegate.catalogue.formula import resolve
from tidegate.conformance.bench import Bench, Calls
from tidegate.conformance.mutants.used import with_what_they_use
from tidegate.conformance.propose.figures import figures_of
from tidegate.conformance.propose.grammar import Candidate, Target, defaults_named_in, of_default, of_rule
from tidegate.conformance.report.accept import agree
from tidegate.model.language.linker import DOCUMENTED, Default, Linker, Rule
from tidegate.model.language.rule import Definition, definition_of
from tidegate.record.report import Check, CheckResult

WEIGHED = 160
"""The number of best candidates that are compared with the checks that agreed."""
PAIRED = 24
"""The number of these that are tried in pairs."""
MOST_AGAINST = 8
"""The most contradicted checks that are looked for: another change can explain a few of them, hardly more."""
HELD_AGAINST = 4
"""The number of pairs that are compared at once with the checks that agreed, the best first."""


@dataclass(frozen=True)
class Limits:
    """The limits of the search."""

    most: int = 6
    """The most changes of rules and defaults."""
    seconds: float = 600
    jobs: int = 1
    """The number of parallel processes."""


Combination = tuple[Candidate, ...]
"""Changes that are tried together: one, or two if each alone contradicts a check that agrees."""


@dataclass(frozen=True)
class Step:
    """Changes that are proposed together, and the checks that they are the first to explain."""

    changes: Combination
    explains: tuple[str, ...]
    as_good: tuple[Combination, ...] = ()
    """Other combinations that explain the same checks and contradict none."""


def rests_on(change: Candidate) -> str:
    """The only check that showed the constant of a change; empty if there are more, or if it has no constant."""
    shown_by = change.shown_by or ()
    return next(iter(shown_by)) if len(shown_by) == 1 else ""


@dataclass
class Found:
    """The result of the search."""

    checks: int
    """The number of checks with a result both in the report and on the implementation."""
    failing: Mapping[str, Check]
    """The checks that end differently on the documents' model, with their results on the real version."""
    not_run: tuple[str, ...]
    """Checks of the report that the implementation does not have, or that one of both has no result of."""
    steps: list[Step] = field(default_factory=list)
    replaced: dict[Target, object] = field(default_factory=dict)
    """The replacement of each rule and default, with all its changes."""
    not_tried: list[str] = field(default_factory=list)
    """The parts of the search that were left out, with the reasons, in sentences."""
    tried: int = 0
    seconds: float = 0.0

    @property
    def changes(self) -> Combination:
        """All proposed changes, in order."""
        return tuple(change for step in self.steps for change in step.changes)

    @property
    def explained(self) -> frozenset[str]:
        """The failing checks that the proposal explains."""
        return frozenset(name for step in self.steps for name in step.explains)

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The failing checks that the proposal does not explain."""
        return tuple(name for name in self.failing if name not in self.explained)


def search(bench: Bench, missing: Sequence[str], limits: Limits) -> Found:
    """Find replacements for the failing checks at a bench; `missing` are checks of the report that it does not have."""
    began = time.monotonic()
    ended, _ = bench.watched(DOCUMENTED, (), bench.real)
    judged = {name: real for name, real in bench.real.items() if _has_result(real) and _has_result(ended.get(name))}
    failing = {name: real for name, real in judged.items() if not agree(real, ended.get(name))}
    without = tuple(name for name in bench.real if name not in judged)
    found = Found(len(judged), failing, (*missing, *without))
    if failing:
        _Search(bench, found, frozenset(judged) - failing.keys(), limits, began + limits.seconds).grow()
    found.seconds = time.monotonic() - began
    return found


def linker_of(replaced: Mapping[Target, object]) -> Linker:
    """The model with these replacements."""
    rules = {target: instead for target, instead in replaced.items() if not isinstance(target, tuple)}
    defaults = {target: value for target, value in replaced.items() if isinstance(target, tuple)}
    return Linker(rules, defaults)  # type: ignore[arg-type]


Ranked = tuple[Combination, frozenset[str]]
"""Changes, and the checks that they explain."""


@dataclass(frozen=True)
class Weighed:
    """Changes, the checks that they explain, and the checks that they contradict."""

    changes: Combination
    explains: frozenset[str]
    against: frozenset[str]


class _Search:
    def __init__(self, bench: Bench, found: Found, agreeing: frozenset[str], limits: Limits, until: float):
        self._bench = bench
        self._found = found
        self._calls: Calls = {}
        self._rules: list[Definition] = []
        self._alike: dict[int, list[Candidate]] = {}
        """Candidates that no check tells apart from another, by the identity of that other one."""
        self._agreeing = agreeing
        self._limits = limits
        self._until = until

    def grow(self) -> None:
        """Add changes as long as they explain more, the limits allow more, and there is time."""
        while self._found.unexplained:
            left = self._limits.most - len(self._found.changes)
            if not left:
                self._found.not_tried.append(f"more than {self._limits.most} changes")
                return
            step = self._next(left)
            if step is None:
                return
            self._found.steps.append(step)
            self._found.replaced.update({change.target: change.instead for change in step.changes})

    def _next(self, left: int) -> Step | None:
        """The best step: one change, or two if they explain more than any one; `left` changes are still allowed."""
        self._watch()
        weighed = self._weighed(self._ranked())
        single = self._step([each for each in weighed if not each.against])
        if left == 1:
            return single
        pairs = self._pairs(weighed, len(single.explains) if single else 0)
        return self._step(self._first_standing(pairs)) or single

    def _step(self, standing: Sequence[Weighed]) -> Step | None:
        """The step of the best of these, which contradict nothing and are sorted; None if there are none."""
        if not standing:
            return None
        best, *others = standing
        explains = tuple(name for name in self._found.failing if name in best.explains)
        alike = [(other,) for other in self._alike.get(id(best.changes[0]), ())] if len(best.changes) == 1 else []
        as_good = [each.changes for each in others if each.explains == best.explains]
        return Step(best.changes, explains, (*alike, *as_good))

    def _weighed(self, ranked: Sequence[Ranked]) -> list[Weighed]:
        """The best of these, each with the checks that it contradicts among the agreeing and already explained ones."""
        to_keep = sorted(self._agreeing | self._found.explained)
        tried = ranked[:WEIGHED]
        touched = [self._touched(changes, to_keep) for changes, _ in tried]
        models = ((number, self._with(changes)) for number, (changes, _) in enumerate(tried) if not self._is_over())
        kept = dict(self._bench.agreeing(models, touched.__getitem__, self._limits.jobs, MOST_AGAINST))
        if len(kept) < len(ranked):
            left = len(ranked) - len(kept)
            self._found.not_tried.append(f"whether {left} more that explain something contradict other checks")
        return [
            Weighed(*ranked[number], frozenset(touched[number]) - agreeing) for number, agreeing in sorted(kept.items())
        ]

    def _first_standing(self, ranked: Sequence[Ranked]) -> list[Weighed]:
        """The combinations that contradict nothing, from the first batch that has any; empty if none has."""
        for start in range(0, len(ranked), HELD_AGAINST):
            if self._is_over():
                self._found.not_tried.append(f"whether {len(ranked) - start} pairs of changes contradict other checks")
                break
            weighed = self._weighed(ranked[start : start + HELD_AGAINST])
            if standing := [each for each in weighed if not each.against]:
                return standing
        return []

    def _pairs(self, weighed: Sequence[Weighed], most: int) -> list[Ranked]:
        """Pairs of changes that each contradict something alone and together explain more than `most` checks.

        Of changes of one rule that explain the same checks, only the change that contradicts fewest is used.
        """
        alike: dict[tuple[Target, frozenset[str]], Weighed] = {}
        for each in (each for each in weighed if each.against):
            key = each.changes[0].target, each.explains
            if key not in alike or len(each.against) < len(alike[key].against):
                alike[key] = each
        best = sorted(alike.values(), key=lambda each: len(each.against) - len(each.explains))[:PAIRED]
        pairs = [
            (*one.changes, *other.changes)
            for one, other in combinations(best, 2)
            if one.changes[0].target != other.changes[0].target and len(one.explains | other.explains) > most
        ]
        unexplained = self._found.unexplained
        models = ((number, self._with(changes)) for number, changes in enumerate(pairs) if not self._is_over())
        explained = dict(self._bench.agreeing(models, lambda number: unexplained, self._limits.jobs))
        self._found.tried += len(explained)
        if len(explained) < len(pairs):
            self._found.not_tried.append(f"{len(pairs) - len(explained)} of {len(pairs)} pairs of changes")
        gaining = [(pairs[number], gain) for number, gain in sorted(explained.items()) if len(gain) > most]
        return sorted(gaining, key=_rank)

    def _watch(self) -> None:
        """Record the arguments with which every check calls the rules that may change, with the replacements so far."""
        cited = _cited(self._found.failing[name] for name in self._found.unexplained)
        self._rules = sorted(with_what_they_use(_definitions(cited)), key=lambda each: each.qualified_name)
        names = (*self._found.failing, *sorted(self._agreeing))
        standing: list[Any] = [each for target, each in self._found.replaced.items() if not isinstance(target, tuple)]
        watched: list[Rule] = [*(each.function for each in self._rules), *standing]
        _, self._calls = self._bench.watched(linker_of(self._found.replaced), watched, names)

    def _ranked(self) -> list[Ranked]:
        """The candidates that explain anything more, the best first; the simplest are tried first."""
        candidates = self._different(sorted(self._candidates(), key=lambda each: each.cost))
        unexplained = self._found.unexplained
        waiting = iter(list(enumerate(candidates)))
        touched: dict[int, Sequence[str]] = {}

        def models() -> Iterator[tuple[int, Linker]]:
            while not self._is_over() and (following := next(waiting, None)) is not None:
                number, candidate = following
                self._found.tried += 1
                touched[number] = self._touched((candidate,), unexplained)
                if touched[number]:
                    yield number, self._with((candidate,))

        explained = dict(self._bench.agreeing(models(), touched.__getitem__, self._limits.jobs))
        if left := len(list(waiting)):
            so_far = f"after {len(self._found.replaced)} replacements"
            self._found.not_tried.append(f"{left} of {len(candidates)} candidates {so_far}")
        gaining: list[Ranked] = [((candidates[number],), gain) for number, gain in sorted(explained.items()) if gain]
        return sorted(gaining, key=_rank)

    def _different(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates, without any that answers all recorded calls as the model or an earlier candidate does."""
        so_far, calls = linker_of(self._found.replaced), self._different_calls()
        first: dict[tuple[str, str], Candidate] = {}
        different: list[Candidate] = []
        self._alike = {}
        for candidate in candidates:
            if isinstance(candidate.target, tuple):
                different.append(candidate)
                continue
            model = self._with((candidate,))
            before, after = so_far.linked(candidate.target), model.linked(candidate.target)
            answers = repr([_answer(after, values) for values in calls.get(candidate.name, ())])
            if answers == repr([_answer(before, values) for values in calls.get(candidate.name, ())]):
                continue
            stands_for_all = first.setdefault((candidate.name, answers), candidate)
            if stands_for_all is candidate:
                different.append(candidate)
            else:
                self._alike.setdefault(id(stands_for_all), []).append(candidate)
        return different

    def _different_calls(self) -> dict[str, list[tuple[Any, ...]]]:
        """The different arguments with which the checks call each rule."""
        found: dict[str, dict[str, tuple[Any, ...]]] = {}
        for calls in self._calls.values():
            for rule, every in calls.items():
                found.setdefault(rule, {}).update((repr(values), values) for values in every)
        return {rule: list(different.values()) for rule, different in found.items()}

    def _with(self, changes: Combination) -> Linker:
        return linker_of({**self._found.replaced, **{change.target: change.instead for change in changes}})

    def _touched(self, changes: Combination, names: Iterable[str]) -> Sequence[str]:
        """The checks that changes can affect: each calls a rule with arguments to which its answer changes.

        An adapter may read a default unseen, so a change of a default can affect every check.
        """
        if any(isinstance(change.target, tuple) for change in changes):
            return list(names)
        model, so_far = self._with(changes), linker_of(self._found.replaced)
        forms = [
            (change.name, so_far.linked(change.target), model.linked(change.target))
            for change in changes
            if not isinstance(change.target, tuple)
        ]
        return [
            name
            for name in names
            if any(
                _differ(before, after, values)
                for rule, before, after in forms
                for values in self._calls[name].get(rule, ())
            )
        ]

    def _candidates(self) -> Iterator[Candidate]:
        """Changes of the rules and defaults that define failing checks' rules, and of the rules that these call."""
        checks = [self._found.failing[name] for name in self._found.unexplained]
        for definition in self._rules:
            rule = definition.function
            form: Any = self._found.replaced.get(rule, rule)
            calling = [check for check in checks if definition.qualified_name in self._calls[check.check]]
            yield from of_rule(rule, form, figures_of(calling))
        for default in dict.fromkeys((*_defaults(_cited(checks)), *defaults_named_in(self._rules))):
            module, name = default
            now = self._found.replaced.get(default, getattr(module, name))
            yield from of_default(default, now, figures_of(checks))

    def _is_over(self) -> bool:
        return time.monotonic() > self._until


def _answer(rule: Rule, values: tuple[Any, ...]) -> object:
    """The answer of a form of a rule; the name of the error if it fails."""
    try:
        return rule(*values)
    except Exception as error:  # whatever a change of a rule may run into
        return type(error).__name__


def _differ(before: Rule, after: Rule, values: tuple[Any, ...]) -> bool:
    """Whether two forms of a rule answer differently; a failing form counts as different."""
    try:
        return bool(before(*values) != after(*values))
    except Exception:  # whatever a change of a rule may run into
        return True


def _rank(ranked: Ranked) -> tuple[int, int, int]:
    """The sort key: more explained checks first, then simpler changes, then constants that more checks showed."""
    changes, gain = ranked
    return -len(gain), sum(change.cost for change in changes), -sum(len(change.shown_by or ()) for change in changes)


def _has_result(check: Check | None) -> bool:
    return check is not None and check.result is not CheckResult.UNKNOWN


def _cited(checks: Iterable[Check]) -> tuple[str, ...]:
    """The definitions, `module:name`, of the rules that checks judge."""
    rules = catalogue()
    ids = dict.fromkeys(rule for check in checks for rule in check.rules if rule in rules)
    return tuple(dict.fromkeys(cited for each in ids if (cited := rules[each].defined_by)))


def _definitions(cited: Iterable[str]) -> Iterator[Definition]:
    for each in cited:
        if (definition := definition_of(resolve(each))) is not None:
            yield definition


def _defaults(cited: Iterable[str]) -> Iterator[Default]:
    for each in cited:
        if not callable(resolve(each)):
            module, _, name = each.partition(":")
            yield import_module(module), name
