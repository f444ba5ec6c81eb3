"""`tidegate report`: render, check and describe reports."""

import json
from pathlib import Path

import click

from tidegate.cli.detail import detail_of, detail_options
from tidegate.cli.groups import Group
from tidegate.cli.paths import REPORT_FILE, WRITTEN_FILE, WRITTEN_FOLDER
from tidegate.cli.say import say


@click.group(cls=Group)
def report() -> None:
    """Show, render and check the report of a run."""


@report.command()
def schema() -> None:
    """Print the JSON schema of report.json."""
    from tidegate.conformance.report.store import report_schema

    click.echo(json.dumps(report_schema(), indent=2))


@report.command()
@click.argument("file", type=REPORT_FILE)
def check(file: Path) -> None:
    """Say whether FILE, a report.json or its folder, is complete; exit code 2 if it is not."""
    from tidegate.conformance.report.store import read_report
    from tidegate.conformance.report.view import outcome

    say(f"{file} is complete: {outcome(read_report(file))}")


@report.command()
@click.argument("file", type=REPORT_FILE)
@click.option("--to", "folder", type=WRITTEN_FOLDER,
              help="Folder for pages and scripts; by default the folder of FILE, where the links lead.")  # fmt: skip
@click.option("--site", default="", metavar="URL", envvar="TIDEGATE_SITE", show_envvar=True,
              help="Site of the documentation to which the page links.")  # fmt: skip
def render(file: Path, folder: Path | None, site: str) -> None:
    """Write the Markdown and the HTML of FILE, a report.json or its folder, and a script for each violation."""
    from tidegate.conformance.report.files import render as write
    from tidegate.conformance.report.scripts import without_recording
    from tidegate.conformance.report.store import read_report
    from tidegate.record.errors import BadInput

    found = read_report(file)
    try:
        for path in write(found, folder or file.parent, site):
            click.echo(path)
    except BadInput as error:
        raise BadInput(error.expected, file=file, field=error.field) from None
    if lacking := without_recording(found):
        sentence = f"{file} names {lacking} scripts without the calls that they repeat; a new run records these"
        click.echo(sentence, err=True)


@report.command()
@click.argument("file", type=REPORT_FILE)
@click.argument("badge", type=WRITTEN_FILE)
def badge(file: Path, badge: Path) -> None:
    """Write the badge of FILE, a report.json or its folder: a picture if BADGE ends with .svg, else for shields.io."""
    from tidegate.conformance.report.files import render_for_ci
    from tidegate.conformance.report.store import read_report

    render_for_ci(read_report(file), badge=badge, junit=None, summary=None)


@report.command()
@click.argument("file", type=REPORT_FILE)
@detail_options
def show(file: Path, verbose: bool, quiet: bool) -> None:
    """Print FILE, a report.json or its folder, as the run printed it."""
    from rich.console import Console

    from tidegate.conformance.report import terminal
    from tidegate.conformance.report.files import REPORT_HTML
    from tidegate.conformance.report.store import read_report

    page = file.parent / REPORT_HTML
    detail = detail_of(verbose=verbose, quiet=quiet)
    terminal.show(read_report(file), Console(), page if page.is_file() else None, detail)
