"""Makes a committed report from the folder of a run.

    python reports/renew.py RUN [--to FOLDER]

The report is copied, and its badge is drawn if the folder has one. Trace and log are trimmed to scenarios that still
show all findings of the trace rules; it is checked that the trimmed trace gets the same judgement as the whole one.
`known-deviations.yaml` is updated with the violated checks: an earlier reason is kept, a new one is taken from the
report of another version with the same figure, or is to be filled in. Pages and scripts are not committed: `tidegate
report render` writes them. Notes on a profile (`as-built.yaml`) are kept as they are.
"""

import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from packaging.version import Version
from scenes import random_sequences, scenes_to_keep
from trim_log import trim_log
from trim_trace import trim

from tidegate.catalogue import catalogue
from tidegate.conformance.report.declaring import declare
from tidegate.conformance.report.files import REPORT_JSON, render_for_ci
from tidegate.conformance.report.store import read_report, write_report
from tidegate.conformance.trace_checks import check_trace
from tidegate.record.errors import BadInput, TidegateError
from tidegate.record.report import CheckKind, ImplementationReport, Report, RuleVerdict

REPORTS = Path(__file__).parent
BADGE = "badge.svg"
KNOWN = "known-deviations.yaml"
AS_BUILT = "as-built.yaml"
RACING = "racing-deviations.yaml"
NEWER = "newer-deviations.yaml"
PROGRAM = re.compile(r"\S+/tidegate run\b")
"""The path of a tidegate outside PATH in a replay line."""
WRITTEN_BY_HAND = (KNOWN, RACING, NEWER, AS_BUILT)
"""The files beside a report that no run makes."""


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--to", "folder", type=click.Path(path_type=Path, file_okay=False),
              help="The committed report; by default reports/ADAPTER-VERSION.")  # fmt: skip
def renew(run: Path, folder: Path | None) -> None:
    """Make a committed report from the folder RUN."""
    report = read_report(run / REPORT_JSON)
    if report.subset is not None or len(report.implementations) != 1:
        raise BadInput("expected the whole suite on one implementation", file=run / REPORT_JSON)
    each = report.implementations[0]
    name = f"{each.implementation.profile.partition(':')[0]}-{each.implementation.version}"
    folder = folder or REPORTS / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as parent:  # so that nothing is renewed by half
        fresh = Path(parent) / folder.name
        fresh.mkdir()
        if each.trace is not None:
            _trim(each, run, fresh)
        write_report(_from_anywhere(report, f"reports/{name}"), fresh / REPORT_JSON)
        if (folder / BADGE).is_file():
            render_for_ci(report, badge=fresh / BADGE, junit=None, summary=None)
        for name_by_hand in WRITTEN_BY_HAND:
            if (folder / name_by_hand).is_file():
                shutil.copyfile(folder / name_by_hand, fresh / name_by_hand)
        place = f"reports/{name}"
        declared = declare(
            report, fresh / KNOWN, catalogue(), whole_run=True, link=f"{place}/{REPORT_JSON}", file=f"{place}/{KNOWN}",
            elsewhere=[*_beside(folder), *_of_other_versions(each, folder)],
        )  # fmt: skip
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    for change in declared:
        click.echo(f"{folder / KNOWN}: {change}")


def _beside(folder: Path) -> list[Path]:
    """The declarations beside the report before it is renewed: for newer checks, and for some runs only."""
    return [folder / name for name in (NEWER, RACING) if (folder / name).is_file()]


def _of_other_versions(each: ImplementationReport, folder: Path) -> list[Path]:
    """The declarations beside the committed reports of the same implementation, the nearest version first."""
    own = Version(each.implementation.version)
    found = {
        Version(known.implementation.version): file.with_name(KNOWN)
        for file in REPORTS.glob(f"*/{REPORT_JSON}")
        if file.parent != folder and file.with_name(KNOWN).is_file()
        for known in read_report(file).implementations
        if known.implementation.name == each.implementation.name
    }
    newer, older = sorted(v for v in found if v >= own), sorted((v for v in found if v < own), reverse=True)
    files = (found[version].with_name(name) for version in (*newer, *older) for name in (KNOWN, NEWER))
    return [file for file in files if file.is_file()]


def _trim(each: ImplementationReport, run: Path, folder: Path) -> None:
    """Trim trace and log. TidegateError if the trimmed trace gets another judgement than the whole one."""
    assert each.trace is not None
    kept = scenes_to_keep(run / each.trace, each)
    events = trim(run / each.trace, folder / each.trace, kept.__contains__)
    click.echo(f"{each.trace}: {events} events of {len(kept)} scenarios")
    checks = check_trace(folder / each.trace, lambda rule: True, without=random_sequences(each, kept))
    found = {check.check: check.result for check in checks}
    for verdict in each.verdicts:
        for check in verdict.checks:
            if check.kind is CheckKind.TRACE and found.get(check.check) is not check.result:
                raise TidegateError(f"{check.check} was {check.result}, and is {found.get(check.check)} once trimmed")
    if each.log is not None and (run / each.log).is_file():
        lines = trim_log(run / each.log, folder / each.log, kept)
        click.echo(f"{each.log}: {lines} lines")


def _from_anywhere(report: Report, folder: str) -> Report:
    """The report with commands that repeat it wherever the run was written and tidegate is installed."""
    command = re.sub(r" --report[ =]\S+", "", report.command)
    return replace(
        report,
        command=f"{command} --report {folder}",
        implementations=tuple(
            replace(each, verdicts=tuple(map(_replayed_from_anywhere, each.verdicts)))
            for each in report.implementations
        ),
    )


def _replayed_from_anywhere(verdict: RuleVerdict) -> RuleVerdict:
    checks = (replace(check, replay=PROGRAM.sub("tidegate run", check.replay)) for check in verdict.checks)
    return replace(verdict, checks=tuple(checks))


def main() -> None:
    """Renew; an error that a user can fix is one sentence."""
    try:
        renew()
    except TidegateError as error:
        click.echo(f"renew: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
