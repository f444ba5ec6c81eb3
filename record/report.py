"""Verdicts and reports: the findings of a run about each rule of each implementation, with evidence."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tidegate.record.counts import in_singular
from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 2
"""2: a permission is `used` or `not used`; in version 1 it was `kept` or `allowed`."""


class CheckKind(StrEnum):
    """The form of a rule that a check uses."""

    SCENARIO = "scenario"
    """Gherkin with literal figures."""
    VECTOR = "vector"
    """The script of a boundary vector."""
    STATEFUL = "stateful"
    """Random sequences."""
    TRACE = "trace"
    """The trace of the run, judged by a trace rule."""


class CheckResult(StrEnum):
    """The result of one check."""

    KEPT = "kept"
    """The check found what the rule says."""
    VIOLATED = "violated"
    """The check found something else than the rule says."""
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
    """A line of the script for each call, or a loop where calls repeat with figures that grow evenly."""
    values: dict[str, Any] = field(default_factory=dict, hash=False)
    """Further values that the template fills in for this check, by name."""


@dataclass(frozen=True)
class Check:
    """One execution of one check: the steps, the expectation of the rule, and the observation, with figures."""

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
    """The conditions, as `condition: value`, in which the check differs from its scenario as written."""
    follows_from: tuple[str, ...] = ()
    """The rules that explain the result, by the profile of the version; empty where they do not explain it."""
    script: str | None = None
    """A reproducer that needs no tidegate, as a path below the report's folder."""
    recording: Recording | None = None
    """The source of the script; null without a script, and in reports that only name their scripts."""
    scenarios: tuple[str, ...] = ()
    """The scenarios in whose traces a trace rule fails; empty for a trace rule that is kept and for any other check."""

    def __post_init__(self) -> None:
        # `seen` stays as it is, because known deviations are compared with its text
        object.__setattr__(self, "expected", in_singular(self.expected))
        object.__setattr__(self, "done", tuple(map(in_singular, self.done)))


@dataclass(frozen=True)
class RuleVerdict:
    """The verdict on one rule of one implementation, from all of its checks."""

    rule: str
    level: str
    title: str
    sentence: str
    verdict: Verdict
    reason: str
    """The reason: the figure of the first violation, the missing claim, or the cause of an unknown verdict."""
    times_violated: int = 0
    times_run: int = 0
    checks: tuple[Check, ...] = ()
    known_deviation: str | None = None
    """The reason of the declared deviation that this violation matches, or that makes the rest of the rule
    impossible to judge here."""
    scored: bool = True
    """False for a rule outside the required set: it is shown and does not count for the exit code."""
    not_tried: tuple[str, ...] = ()
    """Claimed values of conditions that the rule's sentence leaves open, under which nothing was tried."""
    scenarios_not_tried: tuple[str, ...] = ()
    """The scenarios of the rule, as written, that the adapter cannot be driven through."""
    follows_from: tuple[str, ...] = ()
    """The violated rules that make its checks fail, where it `follows`."""
    only_under: tuple[str, ...] = ()
    """The values of conditions that its violation needs; empty where it is violated under the checks as written."""


@dataclass(frozen=True)
class Implementation:
    """The judged implementation, as it describes itself."""

    name: str
    version: str
    protocol: str
    profile: str
    capabilities: tuple[str, ...]
    parameters: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class ScriptTemplate:
    """The common parts of the scripts of an implementation."""

    package: str
    """The package whose template `reproduce.py.j2` makes the scripts."""
    values: dict[str, Any] = field(default_factory=dict)
    """The values that the template fills in for all of them, by name."""


@dataclass(frozen=True)
class AdapterFinding:
    """A finding about the adapter itself, which casts doubt on the observations of the run."""

    asked: str
    """The call, or the object of the observation."""
    answered: str
    expected: str
    fix: str
    """The proposed fix."""
    unknown: tuple[str, ...] = ()
    """The rules that the observations kept, and that are unknown because of this finding."""
    explained_by: tuple[str, ...] = ()
    """The violated rules that explain the answer; where there are any, nothing is unknown because of it."""


class DeviationState(StrEnum):
    """The state of a declared deviation after a run."""

    HOLDS = "holds"
    """Every check of the deviation deviates as declared."""
    CHANGED = "another figure"
    """The deviation shows another figure than declared, which fails the run."""
    GONE = "gone"
    """The deviation no longer shows, which fails the run."""
    EXPIRED = "expired"
    """Its last day is over; this fails the run, and the deviation excuses nothing."""
    NOT_SEEN = "not seen"
    """This run cannot say: the deviation is racing, was not part of the run, or its rule could not be judged."""


NOT_REACHED = "a Given was not reached: "
"""The begin of the observation of an unknown check whose Given was not reached."""
NO_TIME_LEFT = "no check under conditions begins after"
"""The begin of the reason of a check that was not tried once the time for checks under conditions was up."""
FAILING = (DeviationState.CHANGED, DeviationState.GONE, DeviationState.EXPIRED)
"""The states of a declared deviation that fail the run."""


@dataclass(frozen=True)
class DeclaredDeviation:
    """One declared deviation of the judged implementation, and its state after the run."""

    rule: str
    reason: str
    link: str
    state: DeviationState
    why: str
    """The difference from the declaration; empty where there is none."""
    expires: str | None = None
    """Its last day, in ISO 8601."""
    expires_soon: bool = False
    """Whether the last day is at most 30 days after the run."""
    explained: bool = True
    """False while its reason or link is still to be filled in."""


@dataclass(frozen=True)
class ImplementationReport:
    """All verdicts on one implementation; `trace` and `log` are paths below the report's folder."""

    implementation: Implementation
    verdicts: tuple[RuleVerdict, ...]
    started: str
    """The time of the begin, in UTC, ISO 8601."""
    seconds: float
    trace: str | None = None
    log: str | None = None
    deviations_gone: tuple[str, ...] = ()
    """Known deviations that no longer deviate, deviate by another figure, or expired; each fails the run."""
    left_out: tuple[str, ...] = ()
    """Claimed rules without a verdict, because the chosen part of the suite has no check of them."""
    declared: tuple[DeclaredDeviation, ...] = ()
    """Every known deviation declared for this version."""
    findings: tuple[AdapterFinding, ...] = ()
    """Findings about its adapter. A finding that no violated rule explains makes the run end with unknown."""
    not_tried: tuple[str, ...] = ()
    """Checks under conditions that the adapter could not establish together, each with its reason."""
    not_claimed: tuple[str, ...] = ()
    """Capabilities that the adapter has verbs for and does not claim, so that conditions that need them were not
    tried."""
    script_template: ScriptTemplate | None = None
    """The template of the scripts of its checks; null where no check has a recording."""


@dataclass(frozen=True)
class Footer:
    """The counts of a complete report; a report without it is incomplete."""

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
    """The frozen set of rules that counts; empty where every rule counts."""
    subset: str | None = None
    """The subset of the suite that ran; null where the whole suite ran, or where the command selects checks."""
    selected: str | None = None
    """The options that selected checks, such as `--rule GENERAL-1`; null where they left nothing out."""

    declared_elsewhere: tuple[str, ...] = ()
    """Known deviations that are declared for no implementation of this run, and what may have been meant."""

    @property
    def part(self) -> str | None:
        """The part of the suite that ran, such as `the boundary subset`; None after a whole run."""
        subset = f"the {self.subset} subset" if self.subset else None
        return " of ".join(filter(None, [self.selected, subset])) or None
