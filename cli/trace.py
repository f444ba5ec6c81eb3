"""`tidegate trace`: traces and broker logs of any size, judged here or on Spark."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.extras import require_logs
from tidegate.cli.groups import Group
from tidegate.cli.metrics import dashboard
from tidegate.cli.paths import PLACE, REPORT_FILE
from tidegate.cli.watch import watch

if TYPE_CHECKING:
    from tidegate.pipeline.files.storage import Place
    from tidegate.pipeline.findings.reports import TraceReport
    from tidegate.pipeline.work.engines import Progress
    from tidegate.record.report import Report

DEFAULT_REPORT = Path("tidegate-trace-report")
ENGINES = ("auto", "spark", "plain")


@click.group(cls=Group)
def trace() -> None:
    """Check broker logs and traces, once or as they grow."""


trace.add_command(watch)
trace.add_command(dashboard)


@trace.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PLACE)
@click.option("--report", "folder", metavar="DIRECTORY", type=PLACE, default=DEFAULT_REPORT, show_default=True,
              help="Folder for the tables and the report.")  # fmt: skip
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="The engine: plain works on this machine; auto uses Spark with --master or under spark-submit.",
)
@click.option(
    "--host",
    "hosts",
    metavar="NAME=PATH",
    multiple=True,
    help="The logs in PATH come from the host NAME; by default, logs of one name in one folder come from one host.",
)
@click.option("--timezone", default="UTC", show_default=True, help="Time zone of log times that name no zone.")
@click.option("--master", help="Where Spark runs; by default on this machine, local[*].")
@click.option("--against", type=REPORT_FILE,
              help="The report of the run that wrote the traces. The exit code says whether its verdicts agree "
                   "with the verdicts on the traces; a rule that both find violated does not count.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Write the report's files, and print nothing.")
def check(
    paths: tuple[str, ...],
    folder: str,
    engine: str,
    hosts: tuple[str, ...],
    timezone: str,
    master: str | None,
    against: Path | None,
    quiet: bool,
) -> None:
    """Judge traces and broker logs by the rules that they can show.

    PATH is a trace, the log of a broker or of a program with a broker's client, or a folder with traces and logs,
    such as the report of a run. PATH and the folder of the report may also be URIs of storage: s3://, gs://, hdfs://
    or abfss://.

    A second check into the same folder reads only new lines. If a PATH cannot be read, the command judges the rest.

    Exit codes: 0 every line was read and no rule is violated, 1 a rule is violated, 2 bad input or something missing,
    3 a file or line could not be read or a rule could not be judged, 4 tidegate failed.
    """
    require_logs(engine, master)
    from tidegate.catalogue import catalogue
    from tidegate.pipeline.check import engine as pipeline
    from tidegate.pipeline.files.durable import writable
    from tidegate.pipeline.files.storage import place_of
    from tidegate.pipeline.read.files import host_path
    from tidegate.pipeline.read.inputs import ReadOptions
    from tidegate.pipeline.report.page import write_html
    from tidegate.pipeline.report.written import MOST, SENTENCES, write_report
    from tidegate.pipeline.work.engines import Engine

    place = place_of(folder)
    run = run_of(against) if against else None
    options = ReadOptions(tuple(map(host_path, hosts)), timezone)
    with writable(place), progress_shown(quiet=quiet) as progress:
        report = pipeline.check_files(
            [place_of(path) for path in paths],
            place,
            catalogue(),
            engine=Engine(engine),
            master=master,
            options=options,
            progress=progress,
        )
    if run is not None and against is not None:
        # imported here, since most checks are not compared with a run
        from tidegate.pipeline.check.comparison import compared

        report = compared(report, run, catalogue(), against)
    assert report.measures is not None
    measures = report.measures
    with writable(place):
        write_report(report, place)
        page = write_html(report, measures, place, timezone)
    from tidegate.record.errors import ExitCode

    # where nothing could be read, nothing is known: "nobody was blocked" would look like an answer
    if not quiet and report.exit_code != ExitCode.BAD_INPUT:
        show(report, page, timezone)
    for sentence in report.left_out[:MOST]:
        click.echo(f"tidegate: {sentence}", err=True)
    if more := len(report.left_out[MOST:]):
        click.echo(f"tidegate: {more:,} more are left out; the table {SENTENCES} has a sentence for each", err=True)
    sys.exit(report.exit_code)


def progress_shown(*, quiet: bool) -> AbstractContextManager["Progress"]:
    """Show progress on stderr while the block runs; the drawing library is loaded only where something is shown."""
    if quiet:
        from tidegate.pipeline.work.engines import NO_PROGRESS

        return nullcontext(NO_PROGRESS)
    from rich.console import Console

    from tidegate.cli.progress import on_console

    return on_console(Console(stderr=True))


def show(report: "TraceReport", page: "Place", timezone: str) -> None:
    """Print who was blocked, the verdicts, and the place of the page, with all times in this time zone."""
    from rich.console import Console
    from rich.text import Text

    from tidegate.pages.lines import print_line
    from tidegate.pipeline.lines.times import zone_of
    from tidegate.pipeline.report import terminal
    from tidegate.pipeline.report.terminal import show_measures

    console, zone = Console(), zone_of(timezone)
    assert report.measures is not None
    aside = sum(each.account.quarantined for each in report.inputs)
    show_measures(report.measures, console, zone, put_aside=aside)
    terminal.show(report, console, zone)
    print_line(Text(f"the whole report: {page}"), console)


def run_of(path: Path) -> "Report":
    """The report of a run. Raises BadInput where the file holds none."""
    from tidegate.conformance.report.store import read_report

    return read_report(path)


@trace.command()
def schema() -> None:
    """Print the JSON schema of an event, as every line of a trace has it."""
    import json

    from tidegate.record.events import Event
    from tidegate.record.values import checks

    click.echo(json.dumps(checks(Event).json_schema(), indent=2))
