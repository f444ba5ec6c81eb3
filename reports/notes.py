"""Updates the notes on a profile for a renewed report.

    python reports/notes.py qpid-10.1.0

The profile is run, and each check that ends otherwise than in reports/PROFILE/report.json gets a note in
`as-built.yaml`. A note that no longer fits is dropped. A new note has the reason of an earlier note on the same
scenario, or the reason of another version whose note says the same of the scenario, or a reason to be filled in.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from ruamel.yaml import YAML

from tidegate.adapters.resolver import resolve
from tidegate.conformance.profile_run import checks_of
from tidegate.conformance.report.accept import NOT_RUN, NOTES, Difference, Note, accept, checks_in, name_of, read_notes
from tidegate.conformance.report.check_names import scenario_named
from tidegate.conformance.report.deviations import TO_FILL_IN
from tidegate.conformance.report.files import REPORT_JSON
from tidegate.record.errors import TidegateError
from tidegate.record.report import CheckKind, CheckResult

REPORTS = Path(__file__).parent
HEAD = "# What the profile built:{profile} does not have in common with this report.\n"


@click.command()
@click.argument("name")
def notes(name: str) -> None:
    """Bring the notes on the profile NAME up to date."""
    profile = name_of(name)
    path = REPORTS / profile / REPORT_JSON
    real, before = checks_in(path), read_notes(path.with_name(NOTES))
    adapter = f"built:{profile}"
    as_built = checks_of(adapter, resolve(adapter)[adapter], (), [check.check for check in real])
    found = accept(real, as_built, before)
    reasons = {scenario_named(note.check): note.reason for note in before}
    elsewhere = _of_other_versions(path.parent)
    kept = [note for _, note in found.noted]
    new = [_note(each, reasons, elsewhere) for each in found.not_noted]
    _write(path.with_name(NOTES), profile, [*kept, *new])
    click.echo(f"{len(kept)} notes kept, {len(new)} new, {len(found.stale)} dropped")


def _of_other_versions(folder: Path) -> dict[tuple[str, str, str, str], str]:
    """The reasons in the notes on other versions of the implementation, by what each note says of its scenario."""
    implementation = folder.name.rpartition("-")[0]
    others = (file for file in REPORTS.glob(f"*/{NOTES}") if file.parent.name.rpartition("-")[0] == implementation)
    return {
        _said(note): note.reason
        for file in sorted(others)
        if file.parent != folder
        for note in read_notes(file)
        if note.reason != TO_FILL_IN
    }


def _said(note: Note) -> tuple[str, str, str, str]:
    """The scenario of a note, and what the note says of it."""
    return scenario_named(note.check), note.kind, note.real, note.as_built


def _note(
    difference: Difference, reasons: Mapping[str, str], elsewhere: Mapping[tuple[str, str, str, str], str]
) -> Note:
    real, as_built = difference.results
    blank = Note(check=difference.real.check, kind=_kind(difference), real=real, as_built=as_built, reason=TO_FILL_IN)
    reason = reasons.get(scenario_named(blank.check)) or elsewhere.get(_said(blank), TO_FILL_IN)
    return blank.model_copy(update={"reason": reason})


def _kind(difference: Difference) -> str:
    real, as_built = difference.results
    if difference.real.kind is CheckKind.STATEFUL:
        return "drawn"
    if as_built == NOT_RUN or as_built == CheckResult.UNKNOWN.value:
        return "lacks"
    if difference.is_another:
        return "gone"
    return "varies" if real == as_built else "unexplained"


def _write(path: Path, profile: str, found: Sequence[Note]) -> None:
    yaml = YAML()
    yaml.width = 10_000
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD.format(profile=profile))
        yaml.dump({"notes": [note.model_dump() for note in found]}, file)


def main() -> None:
    """Write the notes; an error that a user can fix is one sentence."""
    try:
        notes()
    except TidegateError as error:
        click.echo(f"notes: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
