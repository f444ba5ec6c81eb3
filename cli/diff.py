"""`tidegate diff`: the changes between two runs."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tidegate.cli.completion import adapters
from tidegate.record.errors import ExitCode


@click.command()
@click.argument("before", shell_complete=adapters)
@click.argument("after", shell_complete=adapters)
@click.option("--subset", type=click.Choice(["boundary"]), help="Run only this part of the suite on a named adapter.")
@click.option("-v", "--verbose", is_flag=True, help="Name each check that only one of the runs has.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a comment on a change request.")
def diff(before: str, after: str, subset: str | None, verbose: bool, markdown: bool) -> None:
    """Say what changed from BEFORE to AFTER.

    BEFORE and AFTER are each the folder or report.json of a run, or the name of an adapter, which is run. Exit code 0
    if nothing got worse, 1 if something got worse, 4 if tidegate failed in one of the runs.

    Worse means one of these: a verdict becomes violated or unknown; a rule is not judged any more, unless only the
    subset leaves it out; a rule stays violated or unknown, and one of its checks was kept before and is not kept now;
    the report AFTER lacks an implementation.
    """
    from rich.console import Console

    from tidegate.cli.sources import NotHad, check_names, file_stem, read, report_path, run
    from tidegate.conformance.report import diff_markdown, diff_terminal
    from tidegate.conformance.report.diff import difference

    check_names((before, after))
    reports, codes = [], []
    with TemporaryDirectory(prefix="tidegate-diff-") as folder, Console(stderr=True).status("") as status:
        for name in (before, after):
            status.update(name)
            path = report_path(name)
            options = ["--subset", subset] if subset else []
            end = read(name, path) if path else run(name, Path(folder) / file_stem(name), options)
            if end.report is None:
                raise NotHad(end)
            reports.append(end.report)
            codes.append(end.exit_code)
    found = difference(*reports)
    if markdown:
        click.echo(diff_markdown.render(found), nl=False)
    else:
        diff_terminal.show(found, Console(), every_check=verbose)
    failed = {ExitCode.HARNESS}.intersection(codes)
    sys.exit(ExitCode.of_all({ExitCode.VIOLATED if found.worse else ExitCode.OK, *failed}))
