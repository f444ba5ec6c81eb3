"""`tidegate prove`: settles the claims about the rules and shows the outcome of each."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from tidegate.cli.completion import rules
from tidegate.record.errors import BadInput, ExitCode, Unavailable
from tidegate.record.hints import did_you_mean

if TYPE_CHECKING:
    from tidegate.conformance.proofs.claims import Claim
    from tidegate.conformance.proofs.solver import Result


WIDEST_TEXT = 90
"""The most characters of a sentence or counterexample; a narrower terminal breaks it earlier."""


@click.command()
@click.option("--only", metavar="ID", shell_complete=rules,
              help="Only the claim with this id, or all claims that serve this rule.")  # fmt: skip
def prove(only: str | None) -> None:
    """Prove every theorem and refute every claim that must be false, for all sizes and any number of clients.

    Exit code 1 if a theorem is not proved or a claim is not refuted.
    """
    if find_spec("z3") is None:
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"proofs need the solver z3: {how_to_install('proofs')}")
    from tidegate.conformance import proofs

    results = proofs.results(_chosen(proofs.claims(), only))
    _show(results)
    if not all(result.as_expected for result in results):
        sys.exit(ExitCode.VIOLATED)


def _chosen(claims: "Sequence[Claim]", only: str | None) -> "Sequence[Claim]":
    if only is None:
        return claims
    chosen = [claim for claim in claims if only.upper() in (claim.id, *claim.serves)]
    if not chosen:
        hint = did_you_mean(only, (name for claim in claims for name in (claim.id, *claim.serves)))
        raise BadInput(f"expected the id of a claim or of a rule that a claim serves, not {only!r}{hint}")
    return chosen


def _show(results: "Sequence[Result]") -> None:
    from rich.console import Console
    from rich.table import Table

    from tidegate.pages.tables import print_whole

    table = Table(box=None, pad_edge=False)
    table.add_column("claim", no_wrap=True)
    table.add_column("sentence and counterexample", max_width=WIDEST_TEXT)
    table.add_column("outcome", no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    for result in results:
        table.add_row(result.claim.id, _sentence(result), _outcome(result), f"{result.ms:.0f}")
    console = Console()
    print_whole(table, console)
    proved = sum(result.as_expected and result.claim.is_theorem for result in results)
    refuted = sum(result.as_expected and not result.claim.is_theorem for result in results)
    wrong = len(results) - proved - refuted
    ms = sum(result.ms for result in results)
    console.print(f"{proved} proved, {refuted} refuted as expected, {wrong} not as expected, in {ms:.0f} ms")


def _sentence(result: "Result") -> str:
    lines = [result.claim.sentence]
    if result.claim.because:
        lines.append(f"[dim]no: {result.claim.because}[/dim]")
    if result.shown:
        lines.append(f"[dim]{_escaped(result.shown)}[/dim]")
    return "\n".join(lines)


def _outcome(result: "Result") -> str:
    if result.as_expected:
        return f"[green]{result.outcome}[/green]" + ("" if result.claim.is_theorem else " as expected")
    expected = "a proof" if result.claim.is_theorem else "a refutation"
    return f"[bold red]{result.outcome}[/bold red], expected {expected}"


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
