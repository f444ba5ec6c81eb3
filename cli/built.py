"""`tidegate built`: released versions as they are built, against what was seen of them and against the documents."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.paths import FILE_THERE
from tidegate.record.errors import ExitCode, Unavailable

if TYPE_CHECKING:
    from tidegate.conformance.report.accept import Acceptance, Difference

REPORTS = Path("reports")


@click.group()
def built() -> None:
    """Released versions as they are built: the documents' model with a few rules replaced, by evidence."""


@built.command()
@click.argument("name")
@click.argument("report", type=FILE_THERE, required=False)
@click.option("--only", "kinds", multiple=True, type=click.Choice(["scenario", "vector", "stateful"]),
              help="Only checks of this kind; may be repeated.")  # fmt: skip
def check(name: str, report: Path | None, kinds: tuple[str, ...]) -> None:
    """Hold a run on the profile NAME against the REPORT of the real version, reports/NAME/report.json by default.

    Every check must have the same result, and each scenario and vector the same figure, or a note in the as-built.yaml
    beside the report. Exit code 0 when every difference is noted, 1 otherwise.
    """
    from tidegate.adapters.resolver import resolve
    from tidegate.conformance.profile_run import checks_of
    from tidegate.conformance.report.accept import NOTES, accept, checks_in, name_of, read_notes
    from tidegate.record.report import CheckKind

    profile = name_of(name)
    path = report or REPORTS / profile / "report.json"
    real, notes = checks_in(path), read_notes(path.with_name(NOTES))
    adapter = f"built:{profile}"
    only = tuple(map(CheckKind, kinds))
    as_built = checks_of(adapter, resolve(adapter)[adapter], only, [check.check for check in real])
    found = accept(real, as_built, notes, only)
    _show(profile, path, found)
    sys.exit(ExitCode.OK if found.accepted and not found.stale else ExitCode.VIOLATED)


@built.command()
@click.argument("name")
def show(name: str) -> None:
    """Show what the profile NAME replaces: each rule as documented and as built, the smallest state for which both
    differ, found by the solver, and the evidence."""
    _require_solver()
    from tidegate.conformance.as_built_page import page

    for line in page(name):
        click.echo(line)


@built.command()
@click.argument("before")
@click.argument("after")
def diff(before: str, after: str) -> None:
    """Say which rules the profiles BEFORE and AFTER define otherwise, and the smallest state for which they differ."""
    _require_solver()
    from tidegate.conformance.as_built_page import differences

    for line in differences(before, after):
        click.echo(line)


def _require_solver() -> None:
    from importlib.util import find_spec

    if find_spec("z3") is None:
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"examples need the solver z3: {how_to_install('proofs')}")


def _show(profile: str, path: Path, found: "Acceptance") -> None:
    click.echo(f"built:{profile} against {path}")
    click.echo(
        f"{found.agree} of {found.checks} checks agree; of these {found.deviate_alike} deviate from the documents, "
        "as the replacements say"
    )
    share = 100 * found.unexplained / found.checks if found.checks else 0
    click.echo(f"{found.unexplained} differences are unexplained, {share:.1f} % of the checks")
    for difference, note in found.noted:
        click.echo(f"- {note.kind}: {_line(difference)}\n  {note.reason}")
    for difference in found.not_noted:
        click.echo(f"- NOT NOTED: {_line(difference)}")
    for note in found.stale:
        click.echo(f"- STALE NOTE: {note.check} does not differ as the note says: {note.reason}")


def _line(difference: "Difference") -> str:
    real, as_built = difference.results
    figures = f" ({difference.real.seen})"
    if difference.as_built is not None:
        figures = f" ({difference.real.seen}; as built {difference.as_built.seen})"
    return f"{difference.real.check}: {real}, as built {as_built}{figures}"
