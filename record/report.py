"""Verdicts and reports: what a run found out about each rule of each implementation, with its evidence."""

from dataclasses import dataclass, field
from enum import StrEnum

from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 1


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
    """As the rule says."""
    VIOLATED = "violated"
    """Otherwise than the rule says."""
    NOT_TAKEN = "not taken"
    """A permission that the implementation was seen not to use."""
    UNKNOWN = "unknown"
    """The implementation could not be driven that far; `seen` says why."""


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
    script: str | None = None
    """A reproducer that needs no tidegate, as a path below the report's folder."""


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
    """The reason of the declared deviation that this violation matches."""
    scored: bool = True
    """False for a rule that the required set does not hold: it is shown and does not count for the exit code."""


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
    """Known deviations that no longer deviate, or do so by another figure; each fails the run."""
    left_out: tuple[str, ...] = ()
    """Claimed rules without a verdict, because the subset that ran has no check of them."""


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
    """Which part of the suite ran; null where the whole did, or what the command selects."""
