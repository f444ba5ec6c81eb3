"""Known deviations as a person declares them in YAML: a rule, why it deviates, and the figures by which it does.

    implementation: Artemis
    version: ">=2.40,<3"
    deviations:
    - rule: ARTEMIS-AMQP-2
      reason: the broker issues 1000 credits; the manual is out of date
      link: https://example.org/issue/1
      seen: 1000 issued

`seen` is what every violated check of the rule shows. Where the checks show different figures, `figures` has one for
each check instead. A file may also be a plain list, each entry of which names its implementation and version.
"""

import difflib
import re
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, field_validator, model_validator

from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.conformance.report.check_names import check_name
from tidegate.conformance.report.view import in_own_figures
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.report import Check, Implementation

TO_FILL_IN = "to be filled in"
"""Stands for a reason or a link that a person has yet to give."""
_COMPARISONS = ("<", ">", "=", "!", "~")
"""The signs with which a range of versions begins."""
FILE_WIDE = ("implementation", "version")
"""The fields that a file can give once for all its entries."""
_STRICT = ConfigDict(extra="forbid", frozen=True)


class Range(BaseModel):
    """A figure that varies between runs: every figure seen with this unit lies in the range, ends included.

    Without a unit, every figure that is seen lies in the range.
    """

    model_config = _STRICT
    lowest: int | float = Field(alias="from")
    highest: int | float = Field(alias="to")
    unit: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> "Range":
        if self.lowest > self.highest:
            raise ValueError("expected from <= to")
        return self

    def figures(self, seen: str) -> tuple[float, ...]:
        """The figures of the unit in the text."""
        return tuple(map(float, re.findall(rf"(-?\d+(?:\.\d+)?)\s*{re.escape(self.unit)}(?!\w)", seen)))

    def holds(self, seen: str) -> bool:
        """Whether the text has figures of the unit, and all of them lie in the range."""
        figures = self.figures(seen)
        return bool(figures) and all(self.lowest <= figure <= self.highest for figure in figures)

    def __str__(self) -> str:
        return f"{self.lowest:g} to {self.highest:g} {self.unit}".rstrip()


def _text_or_range(value: Any) -> Any:
    if isinstance(value, str | dict | Range):
        return value
    raise ValueError("expected the text that was seen (in quotes where YAML reads a number), or from, to and any unit")


Figure = Annotated[str | Range, BeforeValidator(_text_or_range)]


class Deviation(BaseModel):
    """One declared deviation of one implementation from one rule."""

    model_config = _STRICT
    implementation: str = Field(min_length=1)
    version: str = Field(min_length=1)
    """An exact version, in the implementation's own form, or a range such as `>=2.40,<3`."""
    rule: str
    reason: str = Field(min_length=1)
    link: str = Field(min_length=1)
    seen: Figure | None = None
    """What every violated check of the rule shows: the whole text of what was seen, or the range of its figures."""
    figures: dict[str, Figure] = Field(default_factory=dict)
    """The figure of each violated check, by its name; in place of `seen`. A name without conditions holds under all."""
    check: str | None = None
    """The one check that `seen` is about."""
    also: tuple[str, ...] = ()
    """The rules that are not kept because of this one alone. Empty: whichever these are."""
    expires: date | None = None
    """The last day on which the declaration excuses a violation."""
    racing: bool = False
    """Whether the deviation shows in some runs only, so that a run without it says nothing."""

    @field_validator("version")
    @classmethod
    def _specifies(cls, version: str) -> str:
        if version.startswith(_COMPARISONS):
            try:
                SpecifierSet(version)
            except InvalidSpecifier:
                raise ValueError("expected a version such as 2.44.0 or a range such as >=2.40,<3") from None
        return version

    @model_validator(mode="after")
    def _says_what_was_seen(self) -> "Deviation":
        if (self.seen is None) == (not self.figures):
            raise ValueError("expected either seen, or figures with what each check shows")
        if self.check is not None and self.seen is None:
            raise ValueError("expected seen beside check")
        return self

    @property
    def by_check(self) -> Mapping[str, str | Range]:
        """The figure of each named check; empty if the declaration covers all checks of the rule."""
        if self.check is not None:
            assert self.seen is not None
            return {self.check: self.seen}
        return self.figures

    def concerns(self, implementation: Implementation) -> bool:
        """Whether the deviation is declared for this implementation in this version."""
        if implementation.name != self.implementation:
            return False
        if implementation.version == self.version:
            return True
        exact = "" if self.version.startswith(_COMPARISONS) else "=="
        try:
            return SpecifierSet(exact + self.version).contains(Version(implementation.version), prereleases=True)
        except (InvalidSpecifier, InvalidVersion):
            return False  # a version that is no number, such as the version of a snapshot, is just a name

    def names(self, check: Check) -> bool:
        """Whether the declaration covers this check."""
        return bool(self.figures_of(check))

    def figures_of(self, check: Check) -> tuple[str | Range, ...]:
        """The declared figures for a check: the one under its name, else those under its name with fewer conditions."""
        if not self.by_check:
            assert self.seen is not None
            return (self.seen,)
        if check.check in self.by_check:
            return (self.by_check[check.check],)
        name = check_name(check.check)
        return tuple(figure for declared, figure in self.by_check.items() if check_name(declared).covers(name))

    def matches(self, check: Check) -> bool:
        """Whether this violated check deviates as declared. Figures are compared without the scale of the run."""
        return any(_shows(check, figure) for figure in self.figures_of(check))

    def expired(self, today: date) -> bool:
        """Whether the last day of the declaration is over."""
        return self.expires is not None and today > self.expires


def _shows(check: Check, figure: str | Range) -> bool:
    if isinstance(figure, Range):
        return figure.holds(check.seen)
    return in_own_figures(figure) == in_own_figures(check.seen)


class _File(BaseModel):
    """The file as a whole, which may give the implementation and version once for all its entries."""

    model_config = _STRICT
    implementation: str | None = None
    version: str | None = None
    deviations: tuple[Deviation, ...]

    @model_validator(mode="before")
    @classmethod
    def _hand_down(cls, said: Any) -> Any:
        if not isinstance(said, dict) or not isinstance(said.get("deviations"), list):
            return said
        common = {name: said[name] for name in FILE_WIDE if name in said}
        entries = [{**common, **entry} if isinstance(entry, dict) else entry for entry in said["deviations"]]
        return {**said, "deviations": entries}


class _List(RootModel[tuple[Deviation, ...]]):
    """The file as a plain list."""


def read_deviations(path: Path, rules: Collection[str]) -> tuple[Deviation, ...]:
    """The deviations of a YAML file. Raises BadInput for a malformed entry or a rule not in `rules`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected a file of known deviations, but {in_words(error)}", file=path) from error
    except UnicodeDecodeError as error:
        raise BadInput("expected UTF-8 text", file=path) from error
    yaml = read_yaml(text, str(path))
    deviations, prefix = _entries(yaml)
    for position, deviation in enumerate(deviations):
        if deviation.rule not in rules:
            near = difflib.get_close_matches(deviation.rule.upper(), rules, n=1, cutoff=0.0)
            hint = f"; did you mean {near[0]}?" if near else ""
            line = yaml.line_of((*prefix, position, "rule"))
            raise BadInput(
                f"expected the id of a rule, not {deviation.rule!r}{hint}", file=path, line=line, field="rule"
            )
    return deviations


def _entries(yaml: YamlText) -> tuple[tuple[Deviation, ...], tuple[str, ...]]:
    """The entries, and the path of their list in the file."""
    if isinstance(yaml.data, dict):
        return yaml.validated(_File).deviations, ("deviations",)
    return yaml.validated(_List).root, ()
