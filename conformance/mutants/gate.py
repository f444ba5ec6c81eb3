"""The gate of mutants: which of them nobody notices, and who notices the others."""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from headgate import model
from headgate.adapters.base import Adapter
from headgate.conformance.mutants import by_proof, by_scenario
from headgate.conformance.mutants.by_proof import Proved
from headgate.conformance.mutants.changes import Kind, Mutant, is_over_states, mutants_of
from headgate.conformance.mutants.used import rules_used_by
from headgate.conformance.session import Needs
from headgate.model.language import Definition, definitions


@dataclass(frozen=True)
class Fate:
    """What became of a mutant."""

    mutant: Mutant
    claim: str
    """The id of the claim that notices it; empty where none does."""
    scenario: str
    """The scenario that notices it; empty where none does, or none was asked."""
    same: bool
    """Whether the solver shows that it is the same rule."""
    needs_scenario: bool
    """Whether a proof alone is not enough."""

    @property
    def rule(self) -> str:
        """The rule that was changed, as `module:function` within the model."""
        return _short_name(self.mutant.original)

    @property
    def survives(self) -> bool:
        """Whether nobody notices it who should."""
        return not (self.same or self.scenario or (self.claim and not self.needs_scenario))


def rules(wanted: str | None = None) -> list[Definition]:
    """Every rule of the model about states, in the order of definition; or those with this id or `module:function`."""
    for module in pkgutil.iter_modules(model.__path__):
        import_module(f"{model.__name__}.{module.name}")
    found = [rule for rule in definitions() if is_over_states(rule)]
    return [
        rule
        for rule in found
        if wanted is None or wanted in (_short_name(rule), rule.qualified_name) or wanted.upper() == rule.rule_id
    ]


def fates(
    chosen: Sequence[Definition], factories: Mapping[str, Callable[[], Adapter]], needs: Needs, at_once: int
) -> list[Fate]:
    """What becomes of every mutant of the chosen rules.

    A mutant at a threshold needs a scenario, if an implementation is made of its rule at all. Any other needs one
    only where no claim notices it.
    """
    proved = by_proof.hunt(list(chosen), at_once)
    used = rules_used_by(factories.values())
    mutants = [mutant for rule in chosen for mutant in mutants_of(rule)]
    asked = [mutant for mutant in mutants if not proved[mutant.name].same and _asks(mutant, proved[mutant.name], used)]
    noticed = by_scenario.hunt(asked, chosen, factories, needs, at_once).noticed
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


def _asks(mutant: Mutant, proved: Proved, used: frozenset[str]) -> bool:
    return not proved.claim or _is_threshold_in(mutant, used)


def _is_threshold_in(mutant: Mutant, used: frozenset[str]) -> bool:
    return mutant.kind is Kind.THRESHOLD and mutant.original.qualified_name in used


def _short_name(rule: Definition) -> str:
    return rule.qualified_name.removeprefix(f"{model.__name__}.")
