"""The gate of mutants: which mutants nobody notices, and which claim, scenario or trace notices the others."""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from tidegate.adapters.base import Adapter
from tidegate.conformance.mutants import by_proof, by_scenario, by_trace
from tidegate.conformance.mutants.by_proof import Proved
from tidegate.conformance.mutants.changes import Kind, Mutant, is_over_states, mutants_of
from tidegate.conformance.mutants.same_over_traces import change_of, declared
from tidegate.conformance.mutants.used import rules_used_by
from tidegate.conformance.session import Needs
from tidegate.conformance.traces import literal_traces
from tidegate.model import mechanisms, traces
from tidegate.model.language.rule import Definition, definitions
from tidegate.model.language.tracing import trace_rules
from tidegate.record.errors import TidegateError

ROOMS = (mechanisms, traces)
"""The packages of the documents' rules."""


@dataclass(frozen=True)
class Fate:
    """The result of the hunt for a mutant."""

    mutant: Mutant
    claim: str
    """The id of the claim that notices it; empty if none does."""
    scenario: str
    """The scenario that notices it; empty if none does, or none was run."""
    same: bool
    """Whether it is the same rule: shown by the solver, or declared for a rule over traces."""
    needs_scenario: bool
    """Whether a proof alone does not suffice."""
    trace: str = ""
    """The literal trace that notices it; empty if none does, or none was run."""

    @property
    def rule(self) -> str:
        """The changed rule, as `module:function` within the model."""
        return _short_name(self.mutant.original)

    @property
    def survives(self) -> bool:
        """Whether no claim, scenario or trace that should notice the mutant does."""
        return not (self.same or self.trace or self.scenario or (self.claim and not self.needs_scenario))


def rules(wanted: str | None = None) -> list[Definition]:
    """Every rule of the model about states, in the order of definition; or only rules of this id or
    `module:function`."""
    return [rule for rule in _every_rule() if is_over_states(rule) and _is(rule, wanted)]


def rules_over_traces(wanted: str | None = None) -> list[Definition]:
    """Every rule over the events of a trace; or only the rules with this id or name."""
    return [rule for rule in _every_rule() if not is_over_states(rule) and _is(rule, wanted)]


def _every_rule() -> list[Definition]:
    for room in ROOMS:
        for module in pkgutil.iter_modules(room.__path__):
            import_module(f"{room.__name__}.{module.name}")
    # a user of the rule language may have rules too
    documented = tuple(f"{room.__name__}." for room in ROOMS)
    return [rule for rule in (*definitions(), *trace_rules()) if rule.qualified_name.startswith(documented)]


def _is(rule: Definition, wanted: str | None) -> bool:
    return wanted is None or wanted in (_short_name(rule), rule.qualified_name) or wanted.upper() == rule.rule_id


def fates(
    chosen: Sequence[Definition], factories: Mapping[str, Callable[[], Adapter]], needs: Needs, at_once: int
) -> list[Fate]:
    """The fate of every mutant of the chosen rules.

    A mutant at a threshold needs a scenario if an implementation uses its rule at all. Any other mutant needs one only
    if no claim notices it.
    """
    proved = by_proof.hunt(list(chosen), at_once)
    used = rules_used_by(factories.values())
    mutants = [mutant for rule in chosen for mutant in mutants_of(rule)]
    asked = [mutant for mutant in mutants if not proved[mutant.name].same and _asks(mutant, proved[mutant.name], used)]
    # all scenarios run once before the first mutant runs
    noticed = by_scenario.hunt(asked, chosen, factories, needs, at_once).noticed if asked else {}
    return [
        Fate(
            mutant,
            claim=proved[mutant.name].claim,
            scenario=noticed.get(mutant.name, by_scenario.NOBODY),
            same=proved[mutant.name].same,
            needs_scenario=_is_threshold_in(mutant, used),
        )
        for mutant in mutants
    ]


def fates_over_traces(chosen: Sequence[Definition], at_once: int) -> list[Fate]:
    """The fate of every mutant of the chosen rules over traces: a literal trace must notice it.

    Raises TidegateError if a change of these rules that is declared to be none is noticed, or is no mutant.
    """
    mutants = [mutant for rule in chosen for mutant in mutants_of(rule)]
    noticed = by_trace.hunt(mutants, trace_rules(), literal_traces(), at_once)
    names = {_short_name(rule) for rule in chosen}
    same = {change for change in declared() if change.rule in names}
    if stale := same - {change_of(mutant) for mutant in mutants if not noticed[mutant.name]}:
        first = min(stale, key=str)
        said = f"{first.rule}: {first.was} -> {first.now}"
        raise TidegateError(f"{said} is declared as a change without effect, but is none")
    return [
        Fate(
            mutant,
            claim="",
            scenario="",
            same=not noticed[mutant.name] and change_of(mutant) in same,
            needs_scenario=False,
            trace=noticed[mutant.name],
        )
        for mutant in mutants
    ]


def _asks(mutant: Mutant, proved: Proved, used: frozenset[str]) -> bool:
    return not proved.claim or _is_threshold_in(mutant, used)


def _is_threshold_in(mutant: Mutant, used: frozenset[str]) -> bool:
    return mutant.kind is Kind.THRESHOLD and mutant.original.qualified_name in used


def _short_name(rule: Definition) -> str:
    return rule.qualified_name.rpartition(".")[2]
