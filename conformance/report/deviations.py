"""Known deviations: declared violations with their figures. They change the exit code, never a verdict."""

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator, model_validator

from tidegate.catalogue.yaml_text import read_yaml
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult, Implementation, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

_STRICT = ConfigDict(extra="forbid", frozen=True)


class Range(BaseModel):
    """A figure that differs from run to run: all that were seen in this unit lie in it, ends included."""

    model_config = _STRICT
    lowest: int | float = Field(alias="from")
    highest: int | float = Field(alias="to")
    unit: str = Field(min_length=1)

    @model_validator(mode="after")
    def _ordered(self) -> "Range":
        if self.lowest > self.highest:
            raise ValueError("expected from <= to")
        return self

    def holds(self, seen: str) -> bool:
        """Whether the text has figures of the unit, and all of them lie in the range."""
        figures = re.findall(rf"(-?\d+(?:\.\d+)?)\s*{re.escape(self.unit)}(?!\w)", seen)
        return bool(figures) and all(self.lowest <= float(figure) <= self.highest for figure in figures)

    def __str__(self) -> str:
        return f"{self.lowest:g} to {self.highest:g} {self.unit}"


class Deviation(BaseModel):
    """One declared deviation of one implementation from one rule."""

    model_config = _STRICT
    implementation: str = Field(min_length=1)
    version: str
    """Exact, or a range such as `>=2.40,<3`."""
    rule: str
    check: str | None = None
    """The one check that it speaks about; without it any check of the rule that was violated."""
    reason: str = Field(min_length=1)
    link: str = Field(min_length=1)
    seen: str | Range
    """The whole text of what was seen, or the range of its figures."""
    racing: bool = False
    """It shows in some runs only, so that a run in which it does not says nothing."""

    @field_validator("version")
    @classmethod
    def _specifies(cls, version: str) -> str:
        try:
            _specifier(version)
        except InvalidSpecifier:
            raise ValueError("expected a version such as 2.44.0 or a range such as >=2.40,<3") from None
        return version

    def concerns(self, implementation: Implementation) -> bool:
        """Whether it is declared for this implementation in this version."""
        if implementation.name != self.implementation:
            return False
        try:
            return _specifier(self.version).contains(implementation.version, prereleases=True)
        except InvalidVersion:
            return implementation.version == self.version

    def names(self, check: Check) -> bool:
        """Whether it speaks about this check."""
        return self.check in (None, check.check)

    def matches(self, check: Check) -> bool:
        """Whether this violated check deviates as declared."""
        if not self.names(check):
            return False
        return self.seen.holds(check.seen) if isinstance(self.seen, Range) else self.seen == check.seen

    @property
    def title(self) -> str:
        """How messages name it."""
        return self.rule if self.check is None else f"{self.rule} in {self.check}"


class _File(RootModel[tuple[Deviation, ...]]):
    """The file as a whole: a list."""


def read_deviations(path: Path, rules: Container[str]) -> tuple[Deviation, ...]:
    """The deviations of a YAML file. Raises BadInput for a malformed entry or a rule not in `rules`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected a list of known deviations, but {error.strerror}", file=path) from error
    yaml = read_yaml(text, str(path))
    deviations = yaml.validated(_File).root
    for position, deviation in enumerate(deviations):
        if deviation.rule not in rules:
            place = (position, "rule")
            raise BadInput(
                f"expected the id of a rule, not {deviation.rule!r}",
                file=path,
                line=yaml.line_of(place),
                field="rule",
            )
    return deviations


def applied(
    deviations: Sequence[Deviation], report: ImplementationReport, *, whole_run: bool = True
) -> ImplementationReport:
    """The report with its declared violations marked, and with the declarations that no longer hold.

    A violation is marked once every check that was violated deviates as declared. After a run of selected
    checks (`whole_run` false) a declaration whose check was not selected says nothing.
    """
    concerning = [deviation for deviation in deviations if deviation.concerns(report.implementation)]
    verdicts = {verdict.rule: verdict for verdict in report.verdicts}
    gone = []
    for deviation in concerning:
        verdict = verdicts.get(deviation.rule)
        why = _missing(deviation, whole_run) if verdict is None else _why_gone(deviation, verdict, whole_run)
        if why is not None:
            gone.append(f"{deviation.title}: {why}")
    marked = tuple(_marked(verdict, concerning) for verdict in report.verdicts)
    return replace(report, verdicts=marked, deviations_gone=tuple(gone))


def _missing(deviation: Deviation, whole_run: bool) -> str | None:
    return f"{deviation.rule} was not judged" if whole_run else None


def _why_gone(deviation: Deviation, verdict: RuleVerdict, whole_run: bool) -> str | None:
    """Why the declaration no longer holds; None if it does, or if nothing is known."""
    if verdict.verdict is Verdict.UNKNOWN:
        return None
    named = [check for check in verdict.checks if deviation.names(check)]
    if deviation.check is not None and not named:
        return f"no check {deviation.check!r} ran" if whole_run else None
    violated = [check for check in named if check.result is CheckResult.VIOLATED]
    if deviation.racing and not violated:
        return None
    if not whole_run and not violated and all(check.kind is CheckKind.TRACE for check in named):
        return None  # the trace of a part need not hold the scenario in which it shows
    if verdict.verdict is not Verdict.VIOLATED:
        return f"no longer deviates: {verdict.verdict}"
    if not violated:
        return "no longer deviates: kept"
    if not any(deviation.matches(check) for check in violated):
        return f"deviates by another figure: declared {str(deviation.seen)!r}, seen {violated[0].seen!r}"
    return None


def _marked(verdict: RuleVerdict, deviations: Sequence[Deviation]) -> RuleVerdict:
    if verdict.verdict is not Verdict.VIOLATED:
        return verdict
    reasons: dict[str, None] = {}
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED:
            matching = [one for one in deviations if one.rule == verdict.rule and one.matches(check)]
            if not matching:
                return verdict
            reasons.update({f"{one.reason} ({one.link})": None for one in matching})
    return replace(verdict, known_deviation="; ".join(reasons))


def _specifier(version: str) -> SpecifierSet:
    try:
        Version(version)
    except InvalidVersion:
        return SpecifierSet(version)
    return SpecifierSet(f"=={version}")
