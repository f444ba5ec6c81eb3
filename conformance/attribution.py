"""Attributes the violations of a version to the replaced rules and promises from which they follow.

A released version is the documents' model with a few rules replaced. A check that fails on it, and fails in the same
way on the model with some of these replacements, follows from the rules that they change. A check that fails only under
a condition that the version does not keep follows from the rule that promises the condition. A scenario may fail with
no rule replaced, by the way in which the version's adapter sets limits; trace failures in it follow from its own rules.
"""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from packaging.version import Version

from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue
from tidegate.conformance.bench import MODULES, Bench, Make, at_the_bench
from tidegate.conformance.causes import Replacements, causes, rules_of
from tidegate.conformance.conditions.promised import broken_conditions
from tidegate.conformance.replaying import Replay
from tidegate.conformance.report.following import Causes, following
from tidegate.conformance.trace_checks import HERE, Breach, Place, check_of, check_trace, places
from tidegate.model.built.profile import Profile
from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.linker import Linker
from tidegate.model.language.rule import Definition
from tidegate.model.traces.run_rules import OF_RUNS
from tidegate.record.errors import BadInput, TidegateError
from tidegate.record.releases import release
from tidegate.record.report import Check, CheckResult, Implementation, ImplementationReport

Name = TypeVar("Name")
Resolve = Callable[[str], dict[str, Callable[[], Adapter]]]
BUILT = "built:"


def attributed(
    report: ImplementationReport,
    without: Container[str] = (),
    *,
    folder: Path,
    resolve: Resolve,
    replay: Replay = HERE,
) -> ImplementationReport:
    """The report with the causes of each violation; unchanged if no version of its adapter has a profile.

    The trace of the run is in `folder`; events of the sources `without` were not judged. `resolve` gives the adapters
    of a name.
    """
    profile = profile_for(report.implementation)
    failing = _violated(report)
    of_conditions = broken_conditions(report)
    if profile is None or not failing:
        return following(report, of_conditions) if of_conditions else report
    rules = [rule for rule in OF_RUNS if any(check.check == check_of(rule) for check in failing)]
    trace = folder / report.trace if report.trace is not None and rules else None
    failed = places(trace, rules, without) if trace is not None and trace.is_file() else frozenset[Place]()
    try:
        of_checks, of_breaches = _at_the_bench(report, profile, {place.breach for place in failed}, rules, resolve)
    except TidegateError as error:
        return replace(report, not_tried=(*report.not_tried, f"what violations follow from: {error}"))
    of_checks = {**of_conditions, **of_checks}
    if trace is None or not failed:
        return following(report, of_checks)
    explained = {place for place in failed if place.breach in of_breaches}
    names = [check_of(rule) for rule in rules]
    left = check_trace(
        trace, lambda rule: False, report.implementation.profile, replay,
        named=names, without=without, explained=explained,
    )  # fmt: skip
    unexplained = {check.check: check for check in left if check.result is CheckResult.VIOLATED}
    of_traces = {
        name: tuple(dict.fromkeys(rule for each, found in of_breaches.items() if each.check == name for rule in found))
        for name in names
        if name not in unexplained
    }
    return following(report, {**of_checks, **of_traces}, unexplained)


def _violated(report: ImplementationReport) -> list[Check]:
    return [check for verdict in report.verdicts for check in verdict.checks if check.result is CheckResult.VIOLATED]


def profile_for(implementation: Implementation) -> Profile | None:
    """The profile of a version, else of the next later version of its adapter that has one, else of the latest."""
    family, _, version = implementation.profile.removeprefix(BUILT).partition(":")
    exact = PROFILES.get(implementation.profile.removeprefix(BUILT)) or PROFILES.get(f"{family}-{version}")
    if exact is not None:
        return exact
    of_family = {
        found: profile
        for name, profile in PROFILES.items()
        if name.rpartition("-")[0] == family and (found := _version(name.rpartition("-")[2])) is not None
    }
    own = _version(implementation.version)
    if own is None or not of_family:
        return None
    later = [each for each in sorted(of_family) if each >= own]
    return of_family[later[0] if later else max(of_family)]


def _version(text: str) -> Version | None:
    try:
        return release(text)
    except BadInput:
        return None


def _at_the_bench(
    report: ImplementationReport,
    profile: Profile,
    breaches: Collection[Breach],
    rules: Sequence[Definition],
    resolve: Resolve,
) -> tuple[Causes, Mapping[Breach, tuple[str, ...]]]:
    """The rules from which failing checks and the failures of trace rules in scenarios follow.

    A trace rule fails alike if it also fails in the trace of the same scenario on the model.
    """
    name = f"{BUILT}{profile.name}"
    make: Make = resolve(name)[name]  # type: ignore[assignment]
    failing = {check.check for check in _violated(report) if check.kind in MODULES}
    scenarios = {breach.scenario for breach in breaches}
    wanted = [
        check
        for verdict in report.verdicts
        for check in verdict.checks
        if check.kind in MODULES and check.check in failing | scenarios
    ]

    def work(bench: Bench) -> tuple[Causes, Mapping[Breach, tuple[str, ...]]]:
        def end_alike(some: Replacements, names: Sequence[str]) -> frozenset[str]:
            return bench.ending_alike(_model(profile, some), names)

        def fail_alike(some: Replacements, some_breaches: Sequence[Breach]) -> frozenset[Breach]:
            names = sorted({breach.scenario for breach in some_breaches} & bench.real.keys())
            return bench.breaking(_model(profile, some), names, rules) & frozenset(some_breaches)

        ended = sorted(failing & bench.real.keys())
        of_checks = _in_rules(causes(profile.replacements, ended, end_alike))
        of_breaches = _in_rules(causes(profile.replacements, sorted(breaches), fail_alike))
        by_settings = end_alike((), ended)
        within = [breach for breach in sorted(breaches) if breach.scenario in by_settings]
        of_settings = {
            breach: bench.real[breach.scenario].rules for breach in (fail_alike((), within) if within else ())
        }
        return of_checks, {**of_settings, **of_breaches}

    return at_the_bench(name, make, wanted, work) if wanted else ({}, {})


def _model(profile: Profile, some: Replacements) -> Linker:
    return replace(profile, replacements=some).linker


def _in_rules(found: Mapping[Name, Replacements]) -> dict[Name, tuple[str, ...]]:
    rules = catalogue()
    return {
        name: tuple(dict.fromkeys(rule for each in replacements for rule in rules_of(each, rules)))
        for name, replacements in found.items()
    }
