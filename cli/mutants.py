"""`tidegate mutants`: changes every rule in each small way, and says which proof or scenario notices."""

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from tidegate.cli.completion import rules
from tidegate.record.errors import BadInput, ExitCode, Unavailable

if TYPE_CHECKING:
    from rich.table import Table

    from tidegate.conformance.mutants.gate import Fate

IMPLEMENTATION = "reference"
"""The implementation that runs the scenarios: the only one that executes the rules themselves."""
WIDEST_RULE = 36
"""The most characters of a rule; the names of trace rules are whole sentences."""
WIDEST_TEXT = 60
"""The most characters of other texts; a narrower terminal breaks them earlier."""


@click.command()
@click.option("--rule", "wanted", metavar="ID", shell_complete=rules,
              help="Only the rules with this id or of this name, module:function.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors",
              help="How many processes at once.")  # fmt: skip
def mutants(wanted: str | None, jobs: int) -> None:
    """Change each rule in each small way, and say which check notices: a proof, a scenario, or a written-down trace.

    A scenario must notice a change of a threshold. A literal trace must notice a change of a trace rule. No check need
    notice a change without effect, as the solver shows. Exit code 1 if no check notices a change.
    """
    if find_spec("z3") is None:
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"the proofs that judge a change need the solver z3: {how_to_install('proofs')}")
    from tidegate.adapters.resolver import resolve
    from tidegate.catalogue import catalogue, rule_named
    from tidegate.conformance.mutants import gate

    rules, over_traces = gate.rules(wanted), gate.rules_over_traces(wanted)
    if not rules and not over_traces:
        raise BadInput(f"expected the id of a rule that model/ defines, or module:function, not {wanted!r}")
    fates: list[gate.Fate] = []
    if rules:
        needs = catalogue()
        fates += gate.fates(rules, resolve(IMPLEMENTATION), lambda rule: frozenset(rule_named(rule, needs).needs), jobs)
    fates += gate.fates_over_traces(over_traces, jobs)
    _show(fates)
    if any(fate.survives for fate in fates):
        sys.exit(ExitCode.VIOLATED)


def _show(fates: "Sequence[Fate]") -> None:
    from rich.console import Console

    from tidegate.pages.tables import print_whole

    console = Console()
    survivors = [fate for fate in fates if fate.survives]
    print_whole(_table(fates), console)
    if survivors:
        console.print("\n[bold red]nobody notices[/bold red]")
        print_whole(_table(survivors), console)
    rules = {fate.rule for fate in fates}
    console.print(
        f"{len(fates)} mutants of {len(rules)} rules: "
        f"{sum(bool(fate.claim) for fate in fates)} noticed by a proof, "
        f"{sum(bool(fate.scenario) for fate in fates)} by a scenario, "
        f"{sum(bool(fate.trace) for fate in fates)} by a literal trace, "
        f"{sum(fate.same for fate in fates)} the same rule, {len(survivors)} by nobody who should"
    )


def _table(fates: "Sequence[Fate]") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("rule", max_width=WIDEST_RULE)
    table.add_column("kind", no_wrap=True)
    table.add_column("change", max_width=WIDEST_TEXT)
    table.add_column("noticed by", max_width=WIDEST_TEXT)
    for fate in fates:
        mutant = fate.mutant
        table.add_row(fate.rule, mutant.kind, escape(f"{mutant.was} → {mutant.now}"), escape(_who(fate)))
    return table


def _who(fate: "Fate") -> str:
    if fate.same:
        return "the same rule"
    lacking = "no scenario" if fate.needs_scenario else "nobody"
    return ", ".join(filter(None, (fate.claim, fate.trace, fate.scenario or (lacking if fate.survives else ""))))
