"""`tidegate built`: the models of released versions, compared with observations of them and with the documents."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.groups import Group
from tidegate.cli.paths import REPORT_THERE, WRITTEN_FILE
from tidegate.cli.say import say
from tidegate.record.errors import BadInput, ExitCode, Unavailable

if TYPE_CHECKING:
    from tidegate.conformance.report.accept import Acceptance, Difference

REPORTS = Path("reports")


@click.group(cls=Group)
def built() -> None:
    """Show and check the models of released versions: the documents' model with a few rules replaced, by evidence."""


@built.command()
@click.argument("name")
@click.argument("report", type=REPORT_THERE, required=False)
@click.option("--only", "kinds", multiple=True, type=click.Choice(["scenario", "vector", "stateful"]),
              help="Only checks of this kind; may be repeated.")  # fmt: skip
def check(name: str, report: Path | None, kinds: tuple[str, ...]) -> None:
    """Compare a run on the model NAME with the REPORT of the real version, by default reports/NAME/report.json.

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
@click.argument("path", metavar="REPORT", type=REPORT_THERE)
def attribute(path: Path) -> None:
    """Say which replaced rule causes each violation in the REPORT of a run, and write report and pages anew.

    A check follows from the replaced rules of its version's profile if it has the same result on the documents' model
    with these replacements. A rule that fails only for this reason has the verdict `follows` instead of violated.
    """
    from dataclasses import replace

    from tidegate.adapters.resolver import resolve
    from tidegate.conformance.attribution import attributed
    from tidegate.conformance.report import verdicts
    from tidegate.conformance.report.files import render_all
    from tidegate.conformance.report.store import read_report
    from tidegate.record.verdict import Verdict

    report = read_report(path)
    implementations = tuple(attributed(each, folder=path.parent, resolve=resolve) for each in report.implementations)
    footer = verdicts.footer(implementations, harness_failed=report.footer.exit_code == ExitCode.HARNESS)
    ended = replace(report, implementations=implementations, footer=footer)
    render_all(ended, path.parent)
    for each in implementations:
        for verdict in each.verdicts:
            if verdict.verdict in (Verdict.VIOLATED, Verdict.FOLLOWS):
                click.echo(f"{each.implementation.profile}  {verdict.rule}  {verdicts.wording(verdict)}")


@built.command()
@click.argument("name")
def show(name: str) -> None:
    """Show what the profile NAME replaces: each rule as documented and as built, the smallest state for which both
    differ, found by the solver, and the evidence."""
    _require_solver()
    from tidegate.conformance.as_built_page import page

    for line in page(name):
        say(line, 4)


@built.command()
@click.argument("before")
@click.argument("after")
def diff(before: str, after: str) -> None:
    """Say which rules and defaults the models BEFORE and AFTER define differently, each rule with the smallest state
    that shows it."""
    _require_solver()
    from tidegate.conformance.as_built_page import differences

    for line in differences(before, after):
        say(line, 4)


@built.command()
@click.argument("report", type=REPORT_THERE)
@click.option("--profile", "name", metavar="NAME",
              help="The profile whose adapter is used, with none of its replacements; by default the profile of the "
              "report's version.")  # fmt: skip
@click.option("--most", type=click.IntRange(1), default=6, show_default=True,
              help="The most changes of rules and defaults in a proposal.")  # fmt: skip
@click.option("--seconds", type=click.IntRange(1), default=900, show_default=True,
              help="Seconds after which no further candidate is tried.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors",
              help="How many processes at once.")  # fmt: skip
@click.option(
    "--to",
    "target",
    type=WRITTEN_FILE,
    help="Write the proposal into this file as Python text, to be accepted by hand.",
)
def propose(report: Path, name: str | None, most: int, seconds: int, jobs: int, target: Path | None) -> None:
    """Search for replacements of rules and defaults that explain what fails in the REPORT of a run.

    The search begins with the documents' rules. A check is explained if it has the same result and figure on the
    changed model as on the real version. The search drops a change that contradicts another check. Exit code 0 if
    everything is explained, else 1.
    """
    from tidegate.adapters.resolver import resolve
    from tidegate.conformance.propose.page import page
    from tidegate.conformance.propose.run import propose as find
    from tidegate.conformance.propose.search import Limits
    from tidegate.conformance.propose.text import text_of

    if target is not None and not target.parent.is_dir():
        raise BadInput("expected a file in an existing folder", file=target)
    proposal = find(report, name, Limits(most, seconds, jobs), resolve)
    for line in page(proposal.found):
        click.echo(line)
    if proposal.found.replaced:
        text = text_of(proposal.found, proposal.folder, proposal.version)
        if target is None:
            click.echo(f"\n{text}", nl=False)
        else:
            target.write_text(text, encoding="utf-8")
            click.echo(f"written to {target}; nothing else was changed")
    sys.exit(ExitCode.VIOLATED if proposal.found.unexplained else ExitCode.OK)


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
