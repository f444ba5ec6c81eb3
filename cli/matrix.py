"""`tidegate matrix`: many implementations in many versions, and one matrix of them."""

import json
import os
import sys
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from pydantic import RootModel

from tidegate.cli.completion import adapters
from tidegate.cli.paths import FILE_THERE, WRITTEN_FOLDER
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.version import VERSION

if TYPE_CHECKING:
    from tidegate.cli.sources import Ended
    from tidegate.record.report import Report

DEFAULT_FOLDER = Path("tidegate-matrix")


class _Names(RootModel[tuple[str, ...]]):
    """The file of `--list`."""


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1, shell_complete=adapters)
@click.option("--list", "listed", type=FILE_THERE,
              help="YAML file with a list of further names.")  # fmt: skip
@click.option("--to", "folder", type=WRITTEN_FOLDER, default=DEFAULT_FOLDER,
              show_default=True, help="Folder for the matrix, and for the report of each run below it.")  # fmt: skip
@click.option("--subset", type=click.Choice(["boundary"]), help="Run only this part of the suite.")
@click.option("--known-deviations", "known", multiple=True,
              type=FILE_THERE,
              help="YAML file of deviations that do not fail a run; may be repeated.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="How many implementations run at once.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="No result on the terminal; the exit code and the files remain.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of matrix.json instead.")
def matrix(
    names: tuple[str, ...], listed: Path | None, folder: Path, subset: str | None, known: tuple[Path, ...],
    jobs: int, quiet: bool, schema: bool,
) -> None:  # fmt: skip
    """Show rule by implementation and version, with the figure seen at each boundary.

    A NAME is an adapter, which is run (artemis:2.44.0, qpid:0.18, reference, ...), or the folder or report.json
    of an earlier run. An implementation that is not available has a column without verdicts, and counts as unknown. The
    exit code is 1 if a column has a violation, else 3 if anything is unknown, and 2 if no implementation is available.
    """
    from rich.console import Console

    from tidegate.cli.sources import Ended, check_names, file_stem, read, report_path, run
    from tidegate.conformance.report import matrix_terminal
    from tidegate.conformance.report.matrix import matrix_schema
    from tidegate.conformance.report.matrix_building import Source, matrix_of
    from tidegate.conformance.report.matrix_files import render_all

    if schema:
        click.echo(json.dumps(matrix_schema(), indent=2))
        return
    every = list(dict.fromkeys([*names, *(_names_of(listed) if listed else ())]))
    if not every:
        raise BadInput("expected the name of an adapter or the folder of a report")
    check_names(every)
    options = [*(["--subset", subset] if subset else []), *(f"--known-deviations={file.resolve()}" for file in known)]
    earlier = {name: read(name, path) for name in every if (path := report_path(name)) is not None}
    left = [name for name in every if name not in earlier]
    with Console(stderr=True, quiet=quiet).status("") as status, ThreadPoolExecutor(jobs) as at_once:

        def run_next(number: int, name: str) -> Ended:
            status.update(f"{name} ({number} of {len(left)})")
            return run(name, folder / file_stem(name), options)

        running = {name: at_once.submit(run_next, number, name) for number, name in enumerate(left, 1)}
        try:
            wait(running.values(), return_when=FIRST_EXCEPTION)
        finally:
            # an interrupted command begins no further run
            at_once.shutdown(wait=False, cancel_futures=True)
    ends = [earlier.get(name) or running[name].result() for name in every]
    sources = [
        Source(
            end.name,
            end.report,
            _page_of(end, folder),
            end.why,
        )
        for end in ends
    ]
    code = ExitCode.of_all(end.exit_code for end in ends)
    shown = matrix_of(sources, VERSION, code)
    for file in render_all(shown, folder):
        click.echo(file, err=True)
    matrix_terminal.show(shown, Console(quiet=quiet))
    sys.exit(code)


def _page_of(end: "Ended", folder: Path) -> str | None:
    """The page of a report as a path from the matrix; where there is none beside the report, it is written below the
    matrix."""
    from tidegate.cli.sources import file_stem
    from tidegate.conformance.report.files import REPORT_HTML, REPORT_MD, render

    pages = [end.folder / name for name in (REPORT_HTML, REPORT_MD)]
    page = next((page for page in pages if page.is_file()), None)
    if page is None and end.report is not None:
        own = folder / file_stem(end.name.strip("/"))
        render(_seen_from(end.report, end.folder, own), own)
        page = own / REPORT_HTML
    return None if page is None else os.path.relpath(page, folder)


def _seen_from(report: "Report", folder: Path, other: Path) -> "Report":
    """A report with paths of traces and logs relative to another folder."""

    def path(name: str | None) -> str | None:
        return None if name is None else os.path.relpath(folder / name, other)

    every = (replace(each, trace=path(each.trace), log=path(each.log)) for each in report.implementations)
    return replace(report, implementations=tuple(every))


def _names_of(path: Path) -> tuple[str, ...]:
    from tidegate.catalogue.yaml_text import read_yaml

    return read_yaml(path.read_text(encoding="utf-8"), str(path)).validated(_Names).root
