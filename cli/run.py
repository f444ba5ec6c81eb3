"""`tidegate run`: the suite on one or more implementations, with its report."""

import os
import shlex
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from tidegate.cli.completion import adapters
from tidegate.cli.completion import rules as rule_ids
from tidegate.cli.detail import detail_of, detail_options
from tidegate.cli.paths import FILE_THERE, WRITTEN_FILE, WRITTEN_FOLDER

DEFAULT_REPORT = Path("tidegate-report")
ENVIRONMENT = ParameterSource.ENVIRONMENT


@click.command()
@click.option("--adapter", default="reference", show_default=True, envvar="TIDEGATE_ADAPTER", show_envvar=True,
              shell_complete=adapters,
              help="NAME, NAME:VERSION, module:Class or cmd:PROGRAM; `tidegate matrix` runs several.")  # fmt: skip
@click.option("--report", "folder", type=WRITTEN_FOLDER, default=DEFAULT_REPORT,
              show_default=True, envvar="TIDEGATE_REPORT", show_envvar=True, help="Folder for the report.")  # fmt: skip
@click.option("--rule", "rules", multiple=True, shell_complete=rule_ids,
              help="Only checks of this rule; may be repeated.")  # fmt: skip
@click.option("--check", "checks", multiple=True, help="Only this check; may be repeated.")
@click.option("--only", "kinds", multiple=True, type=click.Choice(["scenario", "vector", "stateful"]),
              help="Only checks of this kind; may be repeated.")  # fmt: skip
@click.option("--subset", type=click.Choice(["boundary"]),
              help="Only the checks with figures at, below and above a threshold.")  # fmt: skip
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, help="How often each check runs.")
@click.option("--strength", type=click.IntRange(0, 3), default=1, show_default=True,
              help="Combine conditions such as topic or transacted: each one (1), each pair (2), each triple "
                   "(3), none (0).")  # fmt: skip
@click.option("--faults", type=click.IntRange(0), default=None, show_default="20, or all on a virtual clock",
              help="The most checks that kill the broker, pause it or cut a connection; these checks run "
                   "last.")  # fmt: skip
@click.option("--minutes", type=click.IntRange(0), default=None, show_default="10, or no end on a virtual clock",
              help="The minutes after which checks under conditions (see --strength) are left out; other "
                   "checks still run.")  # fmt: skip
@click.option("--seed", default="",
              help="Any text; another text draws other combinations of conditions and random sequences.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors",
              help="How many implementations of a group, such as reference, run at once.")  # fmt: skip
@click.option("--known-deviations", "known", multiple=True,
              type=FILE_THERE,
              envvar="TIDEGATE_KNOWN_DEVIATIONS", show_envvar=True,
              help="YAML file of deviations that do not fail the run; may be repeated.")  # fmt: skip
@click.option("--write-deviations", "write", type=WRITTEN_FILE, envvar="TIDEGATE_WRITE_DEVIATIONS", show_envvar=True,
              help="Write each violation into this file as a known deviation; reasons, links and dates "
                   "already there stay.")  # fmt: skip
@click.option("--requirements", metavar="SET", envvar="TIDEGATE_REQUIREMENTS", show_envvar=True,
              help="Only the rules of this frozen set count for the exit code; later rules are shown and do "
                   "not count.")  # fmt: skip
@click.option("--badge", type=WRITTEN_FILE,
              help="Write a badge to this file: a picture if it ends with .svg, else JSON for shields.io.")  # fmt: skip
@click.option("--site", default="", metavar="URL", envvar="TIDEGATE_SITE", show_envvar=True,
              help="Site of the documentation to which the report's page links.")  # fmt: skip
@click.option("--junit", type=WRITTEN_FILE, help="Write JUnit XML with a test case for each rule to this file.")
@click.option("--summary", type=WRITTEN_FILE, envvar="GITHUB_STEP_SUMMARY", show_envvar=True,
              help="Append the report as Markdown to this file.")  # fmt: skip
@detail_options
def run(
    adapter: str, folder: Path, rules: tuple[str, ...], checks: tuple[str, ...], kinds: tuple[str, ...],
    subset: str | None, repeat: int, strength: int, faults: int | None, minutes: int | None, seed: str,
    jobs: int, known: tuple[Path, ...], write: Path | None, requirements: str | None,
    badge: Path | None, site: str, junit: Path | None, summary: Path | None, verbose: bool, quiet: bool,
) -> None:  # fmt: skip
    """Run the suite on an implementation and report.

    The adapter is built in (reference, reference:qpid-0.18, artemis, artemis-core, artemis-openwire, artemis-stomp,
    qpid, andes-client, classic), an entry point of an installed package, module:Class, or cmd:PROGRAM for a program in
    any language.

    Exit codes: 0 every claimed rule is kept or deviates as declared, 1 a rule is violated, 2 bad input or something
    missing, 3 a claimed rule could not be judged, 4 tidegate failed.
    """
    from rich.console import Console

    from tidegate.adapters.resolver import resolve
    from tidegate.catalogue import catalogue, rule_named
    from tidegate.catalogue.requirements import requirement_set
    from tidegate.conformance.assembly import put_together, reports_of
    from tidegate.conformance.attribution import attributed
    from tidegate.conformance.progress import showing_progress
    from tidegate.conformance.replaying import Replay
    from tidegate.conformance.report import terminal
    from tidegate.conformance.report.deviations import read_deviations
    from tidegate.conformance.report.files import REPORT_HTML, remove_all, render_all, render_for_ci
    from tidegate.conformance.report.scoring import scored_by
    from tidegate.conformance.runner import run_suite
    from tidegate.conformance.selection import Selection
    from tidegate.conformance.side_by_side import outcome_of
    from tidegate.conformance.subset import SUBSETS
    from tidegate.record.report import CheckKind

    remove_all(folder, badge=badge, junit=junit)
    factories = resolve(adapter)
    wanted = tuple(rule_named(rule, catalogue()).id for rule in rules)
    selection = Selection(
        wanted, checks, tuple(map(CheckKind, kinds)), SUBSETS[subset]() if subset else None,
        None if checks else faults, minutes,
    )  # fmt: skip
    deviations = tuple(one for file in known for one in read_deviations(file, catalogue()))
    if write is not None and write.exists():
        read_deviations(write, catalogue())  # a file that cannot be brought up to date is reported before anything runs
    required = requirement_set(requirements) if requirements else None
    detail = detail_of(verbose=verbose, quiet=quiet)
    replay = Replay.here(known, requirements, repeat, strength, seed)
    needs = catalogue()
    command = " ".join(["tidegate run", *sys.argv[2:], *_from_environment()])
    with showing_progress(Console(stderr=True, quiet=quiet)) as progress:
        outcome = outcome_of(
            factories, folder, selection,
            partial(
                run_suite, needs=lambda rule: frozenset(rule_named(rule, needs).needs), folder=folder,
                selection=selection, repeat=repeat, strength=strength, seed=seed, progress=progress,
                narrows=not checks, replay=replay,
            ),
            partial(
                reports_of, known=deviations, whole=selection.is_whole, today=datetime.now(UTC).date(),
                attribute=partial(attributed, folder=folder, resolve=resolve, replay=replay),
            ),
            jobs,
        )  # fmt: skip
    report = put_together(outcome.reports, deviations, command, selection, harness_failed=bool(outcome.errors))
    if required is not None:
        report = scored_by(report, required.name, required.rules)
    render_all(report, folder, site)
    render_for_ci(report, badge=badge, junit=junit, summary=summary)
    terminal.show(report, Console(), folder / REPORT_HTML, detail)
    if write is not None:
        from tidegate.conformance.report.declaring import declare

        changes = declare(report, write, catalogue(), whole_run=selection.is_whole)
        for change in changes or ("nothing to change",):
            click.echo(f"{write}: {change}", err=True)
    for error in outcome.errors:
        click.echo(f"tidegate failed at {error}", err=True)
    sys.exit(report.footer.exit_code)


def _from_environment() -> Iterator[str]:
    """The options that environment variables gave, as they would be typed, so that the report names the whole
    command."""
    context = click.get_current_context()
    for option in context.command.params:
        value = context.params[option.name or ""]
        if option.name != "summary" and context.get_parameter_source(option.name or "") is ENVIRONMENT:
            for each in value if option.multiple else [value]:
                yield f"{option.opts[0]} {shlex.quote(str(each))}"
