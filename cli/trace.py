"""`headgate trace`: traces and broker logs of any size, judged on Spark."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headgate.record.errors import Unavailable

if TYPE_CHECKING:
    from rich.console import Console

    from headgate.pipeline.engine import Stage

DEFAULT_REPORT = Path("headgate-trace-report")
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def trace() -> None:
    """Check traces and broker logs with Spark."""


@trace.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--report", "folder", type=FOLDER, default=DEFAULT_REPORT, show_default=True,
              help="Folder for the tables and the report.")  # fmt: skip
@click.option("--master", help="Where Spark runs; by default on this machine, local[*].")
@click.option("--against", type=FILE, help="The report.json of the run that wrote the traces; they must agree.")
@click.option("--quiet", is_flag=True, help="Only the exit code and the report's files.")
def check(paths: tuple[Path, ...], folder: Path, master: str | None, against: Path | None, quiet: bool) -> None:
    """Judge traces and broker logs by the rules that they can show.

    PATH is a trace, the log of a Qpid or Artemis broker, or a folder with traces and logs, such as the report
    of a run. With --against, what counts is whether trace and run agree; what both found violated fails only
    the run.
    """
    from rich.console import Console

    from headgate.catalogue import catalogue
    from headgate.conformance.report.store import read_report

    require_pipeline()
    from headgate.pipeline import engine, terminal

    run = read_report(against) if against else None
    with _stages(Console(stderr=True, quiet=quiet)) as stage:
        report = engine.check_files(paths, folder, catalogue(), master=master, stage=stage)
    if run is not None and against is not None:
        report = engine.compare(report, run, catalogue(), against)
    engine.write_report(report, folder)
    terminal.show(report, Console(quiet=quiet))
    sys.exit(report.exit_code)


@trace.command()
def schema() -> None:
    """Print the JSON schema of an event, as every line of a trace has it."""
    import json

    from headgate.record.trace import EVENT

    click.echo(json.dumps(EVENT.json_schema(), indent=2))


def require_pipeline() -> None:
    """Raises Unavailable, in one sentence, where the extra `pipeline` is not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("pyspark", "pyarrow") if find_spec(name) is None]
    if missing:
        raise Unavailable(f"{' and '.join(missing)} not found; install headgate[pipeline]")


@contextmanager
def _stages(console: "Console") -> Iterator["Stage"]:
    """One line that says what is being done, on a terminal; one line for each stage elsewhere."""
    with console.status("") as status:

        def stage(doing: str) -> None:
            status.update(f"{doing} …")
            if not console.is_terminal:
                console.print(doing, highlight=False)

        yield stage
