"""`tidegate bisect`: between which two versions of a broker the verdict on a rule changes."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

import click

from tidegate.cli.completion import rules
from tidegate.cli.paths import WRITTEN_FOLDER
from tidegate.record.errors import BadInput, ExitCode

if TYPE_CHECKING:
    from tidegate.cli.sources import Ended
    from tidegate.record.report import Report


@click.command()
@click.argument("names", metavar="[RULE] BROKER", nargs=-1, shell_complete=rules)
@click.option("--check", help="The result of this check, in place of the verdict on a rule.")
@click.option("--from", "oldest", metavar="VERSION", help="The oldest version to run; by default the oldest tried.")
@click.option("--to", "newest", metavar="VERSION", help="The newest version to run; by default the newest tried.")
@click.option("--report", "folder", type=WRITTEN_FOLDER, help="Keep the report of each run in this folder.")
def bisect(
    names: tuple[str, ...], check: str | None, oldest: str | None, newest: str | None, folder: Path | None
) -> None:
    """Find the two versions of a broker between which the verdict on RULE changes.

    BROKER is artemis, artemis-core, artemis-openwire, artemis-stomp, qpid or classic. The command halves the list of
    tried versions, and runs only the checks of the rule. It skips and names a version that does not start or has an
    unknown verdict. Exit code 0 if the newer named version keeps the rule, 1 if it violates it, 2 if no version could
    be run, 3 if fewer than two have a verdict, 4 if tidegate failed in a run.
    """
    from tidegate.adapters.resolver import tried_versions
    from tidegate.catalogue import catalogue, rule_named
    from tidegate.conformance.bisecting import bisect as find

    rule, broker = _asked(names, check)
    about = check or rule_named(rule, catalogue()).id
    versions = between(tried_versions(broker), oldest, newest)
    with TemporaryDirectory(prefix="tidegate-bisect-") as unkept:
        runs = Runs(broker, about, is_check=check is not None, folder=folder or Path(unkept))
        found = find(versions, runs.verdict)
    for version in found.between:
        click.echo(f"{broker}:{version} stands between the two, and has no verdict")
    if found.before is None:
        click.echo(f"{about}: no version of {broker} has a verdict")
    elif found.after is None:
        click.echo(f"{about}: no change, {runs.seen[found.before]} in every version that ran")
    else:
        before, after = (f"{runs.seen[each]} in {broker}:{each}" for each in (found.before, found.after))
        click.echo(f"{about}: {before}, {after}")
    sys.exit(exit_code(runs, found.after or found.before))


@dataclass
class Runs:
    """Runs of the versions of one broker, about one rule or check."""

    broker: str
    about: str
    is_check: bool
    folder: Path
    """The folder with the report of each run."""
    seen: dict[str, str] = field(default_factory=dict)
    """The verdict of each version that has one."""
    codes: set[ExitCode] = field(default_factory=set)
    """The exit codes of the runs."""

    def verdict(self, version: str) -> str | None:
        """Run a version, print a line about it, and return its verdict; None where it is unknown."""
        from tidegate.cli.sources import file_stem, run

        name, begun = f"{self.broker}:{version}", monotonic()
        options = ["--check" if self.is_check else "--rule", self.about]
        ended = run(name, self.folder / file_stem(name), options)
        self.codes.add(ended.exit_code)
        verdict, reason = self._read(ended)
        told = f"{name}: {verdict or 'passed over'}{f' ({reason})' if reason else ''}, {monotonic() - begun:.0f} s"
        click.echo(told)
        if verdict is not None:
            self.seen[version] = verdict
        return verdict

    def _read(self, ended: "Ended") -> tuple[str | None, str]:
        if ended.report is None:
            return None, ended.why
        verdict, reason = (result_of if self.is_check else verdict_of)(ended.report, self.about)
        return (None, f"unknown: {reason}") if verdict == "unknown" else (verdict, reason)


def verdict_of(report: "Report", rule: str) -> tuple[str, str]:
    """The verdict of a run on a rule, and its reason; unknown where there is none."""
    for each in report.implementations[0].verdicts:
        if each.rule == rule:
            return str(each.verdict), "" if each.verdict == "kept" else each.reason
    return "unknown", "the run has no verdict on it"


def result_of(report: "Report", check: str) -> tuple[str, str]:
    """The result of a check in a run, and the observation; unknown where the check did not run."""
    checks = [one for each in report.implementations[0].verdicts for one in each.checks if one.check == check]
    if not checks:
        return "unknown", "the check did not run"
    worst = next((one for one in checks if one.result == "violated"), checks[0])
    return str(worst.result), worst.seen


def between(tried: Sequence[str], oldest: str | None, newest: str | None) -> list[str]:
    """The tried versions from `oldest` to `newest`, oldest first. `BadInput` for a version that was not tried."""
    from packaging.version import Version

    versions = sorted(tried, key=Version)
    for option, version in (("--from", oldest), ("--to", newest)):
        if version is not None and version not in versions:
            raise BadInput(f"{option} {version}: expected a version that was tried: {', '.join(versions)}")
    first, last = versions.index(oldest or versions[0]), versions.index(newest or versions[-1])
    if first >= last:
        raise BadInput(f"expected a version for --to that is newer than {versions[first]}, not {versions[last]}")
    return versions[first : last + 1]


def exit_code(runs: Runs, latest: str | None) -> ExitCode:
    """The exit code of the command, by the verdict on the later of the two versions that it names."""
    if ExitCode.HARNESS in runs.codes:
        return ExitCode.HARNESS
    if runs.codes == {ExitCode.BAD_INPUT}:
        return ExitCode.BAD_INPUT
    if latest is None or len(runs.seen) <= 1:
        return ExitCode.UNKNOWN
    return ExitCode.VIOLATED if runs.seen[latest] == "violated" else ExitCode.OK


def _asked(names: tuple[str, ...], check: str | None) -> tuple[str, str]:
    """The rule, or nothing with a check, and the broker."""
    expected = "the name of a broker beside --check" if check else "a rule and the name of a broker"
    if len(names) != (1 if check else 2):
        raise BadInput(f"expected {expected}, not {' '.join(names) or 'nothing'}")
    return ("" if check else names[0]), names[-1]
