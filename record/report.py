"""Verdicts and reports: what a run found out about each rule of each implementation, with its evidence."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 2
"""2: a permission is `used` or `not used`; in 1 it was `kept` or `allowed`."""


class CheckKind(StrEnum):
    """Which form of a rule a check is."""

    SCENARIO = "scenario"
    """Gherkin with literal figures."""
    VECTOR = "vector"
    """The script of a boundary vector."""
    STATEFUL = "stateful"
    """Random sequences."""
    TRACE = "trace"
    """The trace of the run, judged by a trace rule."""


class CheckResult(StrEnum):
    """How one check ended."""

    KEPT = "kept"
    """The check found what the rule says."""
    VIOLATED = "violated"
    """Otherwise than the rule says."""
    USED = "used"
    """A permission that the implementation was seen to use."""
    NOT_USED = "not used"
    """A permission that the implementation was seen not to use."""
    UNKNOWN = "unknown"
    """The implementation could not be driven that far; `seen` says why."""


@dataclass(frozen=True)
class Recording:
    """The calls of a check that a script repeats, each with its recorded answer."""

    steps: tuple[str, ...] = ()
    """A line of the script for each call, or a loop where calls repeat each other with figures that grow evenly."""
    values: dict[str, Any] = field(default_factory=dict, hash=False)
    """What else the template fills in for this check, by name."""


@dataclass(frozen=True)
class Check:
    """One execution of one check: what was done, what the rule expects, and what was seen, with figures."""

    check: str
    kind: CheckKind
    result: CheckResult
    rules: tuple[str, ...]
    done: tuple[str, ...]
    expected: str
    seen: str
    replay: str
    """A command that repeats just this check."""
    conditions: tuple[str, ...] = ()
    """The conditions, as `condition: value`, that differ from how the scenario is written."""
    follows_from: tuple[str, ...] = ()
    """The rules that make it end so, by the profile of the version; empty where that does not explain it."""
    script: str | None = None
    """A reproducer that needs no tidegate, as a path below the report's folder."""
    recording: Recording | None = None
    """What the script is written from; null without a script, and in reports that name their scripts alone."""
    scenarios: tuple[str, ...] = ()
    """The scenarios in whose traces a trace rule fails; of any other check, and of a trace rule that is kept, none."""


@dataclass(frozen=True)
class RuleVerdict:
    """The verdict on one rule of one implementation, from all of its checks."""

    rule: str
    level: str
    title: str
    sentence: str
    verdict: Verdict
    reason: str
    """Why: the first violation's figure, what is not claimed, or why nothing is known."""
    times_violated: int = 0
    times_run: int = 0
    checks: tuple[Check, ...] = ()
    known_deviation: str | None = None
    """The reason of the declared deviation that this violation matches, or of which rule's deviation nothing more can
    be judged here."""
    scored: bool = True
    """False for a rule that the required set does not hold: it is shown and does not count for the exit code."""
    not_tried: tuple[str, ...] = ()
    """Values of conditions that its sentence leaves open and that are claimed, under which nothing was tried."""
    follows_from: tuple[str, ...] = ()
    """The violated rules because of which its checks fail, where it `follows`."""
    only_under: tuple[str, ...] = ()
    """The values of conditions that its violation needs; empty where it is violated as its checks are written."""


@dataclass(frozen=True)
class Implementation:
    """The implementation that was judged, as it said itself."""

    name: str
    version: str
    protocol: str
    profile: str
    capabilities: tuple[str, ...]
    parameters: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class ScriptTemplate:
    """What the scripts of an implementation have in common."""

    package: str
    """The package whose `reproduce.py.j2` they are written by."""
    values: dict[str, Any] = field(default_factory=dict)
    """What it fills in for all of them, by name."""


@dataclass(frozen=True)
class AdapterFinding:
    """Something about the adapter itself because of which the run cannot vouch for what it observed."""

    asked: str
    """The call, or what was looked at."""
    answered: str
    expected: str
    fix: str
    """What to do about it."""
    unknown: tuple[str, ...] = ()
    """The rules that were kept by what was observed, and are unknown because of this."""
    explained_by: tuple[str, ...] = ()
    """The violated rules that say why it was answered so; where there are any, nothing is unknown because of it."""


class DeviationState(StrEnum):
    """What a run says of a declared deviation."""

    HOLDS = "holds"
    """Every check that it is about deviates as declared."""
    CHANGED = "another figure"
    """The deviation shows another figure than declared, which fails the run."""
    GONE = "gone"
    """The deviation no longer shows, which fails the run."""
    EXPIRED = "expired"
    """Its last day is over; fails the run, and excuses nothing."""
    NOT_SEEN = "not seen"
    """This run cannot say: it is racing, was not part of the run, or its rule could not be judged."""


NOT_REACHED = "a Given was not reached: "
"""How what an unknown check saw begins where what it begins with did not come about."""
NO_TIME_LEFT = "no check under conditions begins after"
"""How the reason begins for which a check was not tried once the time for such checks was up."""
FAILING = (DeviationState.CHANGED, DeviationState.GONE, DeviationState.EXPIRED)
"""The states of a declared deviation that fail the run."""


@dataclass(frozen=True)
class DeclaredDeviation:
    """One declared deviation of the implementation that was judged, and what became of it."""

    rule: str
    reason: str
    link: str
    state: DeviationState
    why: str
    """What differs from what is declared; empty where nothing does."""
    expires: str | None = None
    """Its last day, ISO 8601."""
    expires_soon: bool = False
    """Whether that is at most 30 days after the run."""
    explained: bool = True
    """False while its reason or link is still to be filled in."""


@dataclass(frozen=True)
class ImplementationReport:
    """All verdicts on one implementation; `trace` and `log` are paths below the report's folder."""

    implementation: Implementation
    verdicts: tuple[RuleVerdict, ...]
    started: str
    """UTC, ISO 8601."""
    seconds: float
    trace: str | None = None
    log: str | None = None
    deviations_gone: tuple[str, ...] = ()
    """Known deviations that no longer deviate, do so by another figure, or expired; each fails the run."""
    left_out: tuple[str, ...] = ()
    """Claimed rules without a verdict, because the part of the suite that ran has no check of them."""
    declared: tuple[DeclaredDeviation, ...] = ()
    """Every known deviation that is declared for it in this version."""
    findings: tuple[AdapterFinding, ...] = ()
    """What was found of its adapter. One that no violated rule explains makes the run end with unknown."""
    not_tried: tuple[str, ...] = ()
    """Checks under conditions that the adapter could not establish together, each with its reason."""
    not_claimed: tuple[str, ...] = ()
    """Capabilities whose verbs the adapter has and does not claim, so that conditions that need them were not tried."""
    script_template: ScriptTemplate | None = None
    """What the scripts of its checks are written by; null where no check has a recording."""


@dataclass(frozen=True)
class Footer:
    """What a complete report counts; a report without it is incomplete."""

    verdicts: dict[str, int]
    checks: int
    exit_code: int


@dataclass(frozen=True)
class Report:
    """One run over one or more implementations."""

    tidegate: str
    spec: str
    command: str
    implementations: tuple[ImplementationReport, ...]
    footer: Footer
    schema: int = SCHEMA_VERSION
    requirements: str = ""
    """The frozen set of rules that counts; empty where every rule does."""
    subset: str | None = None
    """Which subset of the suite ran; null where the whole did, or what the command selects."""
    selected: str | None = None
    """The options that selected what ran, such as `--rule GENERAL-1`; null where they left nothing out."""

    declared_elsewhere: tuple[str, ...] = ()
    """Which known deviations are declared for no implementation of this run, and what may have been meant."""

    @property
    def part(self) -> str | None:
        """Which part of the suite ran, such as `the boundary subset`; None after a whole run."""
        subset = f"the {self.subset} subset" if self.subset else None
        return " of ".join(filter(None, [self.selected, subset])) or None
