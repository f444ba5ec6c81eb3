"""Compares a run on a real version with a run on its profile, check by check, to accept the profile.

Every check must have the same result, and each scenario and vector the same figure as well. What a trace check or a
random sequence shows depends on what was drawn, so only its result is compared. Each difference has a note.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tidegate.catalogue.yaml_text import read_yaml
from tidegate.conformance.report.store import read_report
from tidegate.model.built.profiles import profile_named
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult

WITH_FIGURES = (CheckKind.SCENARIO, CheckKind.VECTOR)
NOT_RUN = "not run"
"""Stands for the result of a check that the run does not have."""
NOTES = "as-built.yaml"
"""The notes beside a report.json."""


class Note(BaseModel):
    """The reason why a check differs, or the statement that nobody knows it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    check: str = Field(min_length=1)
    kind: Literal["varies", "drawn", "gone", "races", "lacks", "unexplained"]
    """`varies`: the same result, with a figure of the machine or of the client's wording. `drawn`: the random sequences
    that were drawn differ. `gone`: the suite no longer has the check, or a check of this name does or expects
    something else. `races`: the real version ends otherwise now and then, and ended as the profile when it was asked
    again. `lacks`: the profile lacks a verb or a limit that the check needs, so the check did not run or came to
    nothing. `unexplained`: anything else."""
    real: str = Field(min_length=1)
    """The result on the real version."""
    as_built: str = Field(min_length=1)
    """The result on the profile, or `not run`."""
    reason: str = Field(min_length=1)


class Notes(BaseModel):
    """The notes on a report of a real version."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Difference:
    """A check that ended otherwise on the profile; `as_built` is None where it was not run."""

    real: Check
    as_built: Check | None

    @property
    def results(self) -> tuple[str, str]:
        """The result on the real version, and the result on the profile."""
        if self.as_built is None:
            return self.real.result.value, NOT_RUN
        same = _same_result(self.real, self.as_built)
        return self.real.result.value, (self.real if same else self.as_built).result.value

    @property
    def is_another(self) -> bool:
        """Whether the suite now does or expects something else under the name of the check."""
        return self.as_built is not None and _is_another(self.real, self.as_built)

    def is_noted_by(self, note: Note) -> bool:
        """Whether the note is about this difference, in the way in which it differs now."""
        fits = {
            "varies": self.as_built is not None and _same_result(self.real, self.as_built),
            "drawn": self.real.kind is CheckKind.STATEFUL,
            "gone": self.as_built is None or self.is_another,
            "lacks": self.as_built is None or self.as_built.result is CheckResult.UNKNOWN,
        }
        return (note.check, note.real, note.as_built) == (self.real.check, *self.results) and fits.get(note.kind, True)


@dataclass(frozen=True)
class Acceptance:
    """The counts of checks that agree, and the checks that differ, with the note of each."""

    checks: int
    agree: int
    deviate_alike: int
    """The agreeing checks in which both deviate from the documents."""
    noted: tuple[tuple[Difference, Note], ...]
    not_noted: tuple[Difference, ...]
    stale: tuple[Note, ...]
    """Notes whose check agrees now, or differs in another way."""

    @property
    def accepted(self) -> bool:
        """Whether every difference has its note."""
        return not self.not_noted

    @property
    def unexplained(self) -> int:
        """Differences that nobody can explain, noted or not."""
        return len(self.not_noted) + sum(note.kind == "unexplained" for _, note in self.noted)


def accept(
    real: Iterable[Check], as_built: Iterable[Check], notes: Sequence[Note], kinds: Collection[CheckKind] = ()
) -> Acceptance:
    """Compare two runs; the last run of a repeated check counts.

    Only checks of these `kinds` are compared; all of them if `kinds` is empty.
    """
    every, found = by_name(real), by_name(as_built)
    wanted = {name: check for name, check in every.items() if not kinds or check.kind in kinds}
    differences = [
        Difference(check, found.get(name)) for name, check in wanted.items() if not agree(check, found.get(name))
    ]
    by_check = {note.check: note for note in notes}
    noted = [(each, by_check[each.real.check]) for each in differences if _has_note(each, by_check)]
    used = {note.check for _, note in noted}
    differing = {each.real.check for each in differences}
    return Acceptance(
        checks=len(wanted),
        agree=len(wanted) - len(differences),
        deviate_alike=sum(
            check.result is CheckResult.VIOLATED for name, check in wanted.items() if name not in differing
        ),
        noted=tuple(noted),
        not_noted=tuple(each for each in differences if each.real.check not in used),
        stale=tuple(
            note for note in notes if note.check not in used and (note.check in wanted or note.check not in every)
        ),
    )


def checks_in(path: Path) -> tuple[Check, ...]:
    """Every check of a committed report. BadInput if the file is no report, or covers several implementations."""
    report = read_report(path)
    if len(report.implementations) != 1:
        raise BadInput("expected the report of one implementation", file=path)
    return tuple(check for verdict in report.implementations[0].verdicts for check in verdict.checks)


def name_of(name: str) -> str:
    """The name of a profile without its prefix. BadInput if there is no such profile."""
    return profile_named(name).name


def read_notes(path: Path) -> tuple[Note, ...]:
    """The notes of a file; none if there is no file. BadInput if it is malformed or notes a check twice."""
    if not path.exists():
        return ()
    notes = read_yaml(path.read_text(encoding="utf-8"), str(path)).validated(Notes).notes
    seen: set[str] = set()
    for note in notes:
        if note.check in seen:
            raise BadInput(f"expected one note on {note.check}", file=path)
        seen.add(note.check)
    return notes


def _has_note(difference: Difference, notes: Mapping[str, Note]) -> bool:
    note = notes.get(difference.real.check)
    return note is not None and difference.is_noted_by(note)


def agree(real: Check, as_built: Check | None) -> bool:
    """Whether a check ended alike in both runs, scenarios and vectors with the same figure if the real run has one."""
    if as_built is None or not _same_result(real, as_built):
        return False
    return real.kind not in WITH_FIGURES or not real.seen or real.seen == as_built.seen


def _is_another(real: Check, as_built: Check) -> bool:
    """Whether two checks of one name differ in their steps or, if both ran to the same end, in their expectations.

    One of the two may have ended earlier; then the steps of the shorter run must be the first steps of the longer one.
    What is owed after the last step has its own expectation, so expectations are compared only between like results.
    """
    another_step = any(one != other for one, other in zip(real.done, as_built.done, strict=False))
    alike = real.done == as_built.done and _same_result(real, as_built)
    return another_step or (alike and _words(real.expected) != _words(as_built.expected))


def _words(expected: str) -> str:
    """The expected text without figures, which may depend on what was seen on the way."""
    return re.sub(r"[\d,]+", "", expected)


def _same_result(real: Check, as_built: Check) -> bool:
    """Whether both ended alike; the check of a permission is `kept` while it runs and `used` in its report."""
    alike = {CheckResult.USED: CheckResult.KEPT}
    return alike.get(real.result, real.result) is alike.get(as_built.result, as_built.result)


def by_name(checks: Iterable[Check]) -> dict[str, Check]:
    """One check of each name: the first violated one, else the last; a scenario may violate what it presupposes."""
    found: dict[str, Check] = {}
    for check in checks:
        if check.check not in found or found[check.check].result is not CheckResult.VIOLATED:
            found[check.check] = check
    return found
