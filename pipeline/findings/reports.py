"""The findings of a check of traces and logs: an account of all lines, and a verdict on each rule with its evidence."""

from dataclasses import dataclass, replace
from typing import Any

from tidegate.pipeline.findings.measures import Measures
from tidegate.record.errors import ExitCode, TidegateError
from tidegate.record.verdict import Verdict


@dataclass(frozen=True)
class Account:
    """The account of the lines of one input: `lines` = `events` + `ignored` + `quarantined`."""

    lines: int
    events: int
    ignored: int
    quarantined: int

    def __add__(self, other: "Account") -> "Account":
        return Account(
            self.lines + other.lines,
            self.events + other.events,
            self.ignored + other.ignored,
            self.quarantined + other.quarantined,
        )

    def settled(self, whose: str) -> "Account":
        """The account itself; raises TidegateError, which names `whose`, where a line is not accounted for."""
        if self.lines != self.events + self.ignored + self.quarantined:
            raise TidegateError(f"{whose}: not every line is accounted for: {self}")
        return self


NO_LINES = Account(0, 0, 0, 0)


SCHEMA_VERSION = 2
"""The version of the form of trace-report.json."""


@dataclass(frozen=True)
class Evidence:
    """An event that violates a rule: where it was read, and its fields that are not null."""

    line: int
    source: str
    seq: int
    event: dict[str, str | int]


MOST_EVIDENCE = 5
"""The most events shown for each trace rule of an input."""


@dataclass(frozen=True)
class Counted:
    """How many events of an input a trace rule judges, how many of them violate it, and the first violating events."""

    judged: int = 0
    violated: int = 0
    evidence: tuple[Evidence, ...] = ()
    """The first events that violate the rule, by source and number."""

    def plus(self, more: "Counted", most: int = MOST_EVIDENCE) -> "Counted":
        """Both counts together, with the first `most` events that violate the rule."""
        both = sorted((*self.evidence, *more.evidence), key=lambda event: (event.source, event.seq))
        return Counted(self.judged + more.judged, self.violated + more.violated, tuple(both[:most]))


NO_EVENTS = Counted()
Counts = dict[str, dict[str, Counted]]
"""What was counted, by the name of an input and the name of a trace rule that judges it."""


@dataclass(frozen=True)
class TraceVerdict:
    """The verdict on one rule of one input: how many events the rule judged, and how many of them violate it."""

    rule: str
    level: str
    sentence: str
    verdict: Verdict
    reason: str
    judged: int
    violated: int
    evidence: tuple[Evidence, ...] = ()
    """The first events that violate the rule, by source and seq."""


@dataclass(frozen=True)
class InputReport:
    """All verdicts on one input; name and version are the implementation's, empty for a log."""

    input: str
    form: str
    name: str
    version: str
    account: Account
    verdicts: tuple[TraceVerdict, ...]


@dataclass(frozen=True)
class TraceReport:
    """The account of all inputs, the first quarantined lines (the table `quarantine` has all), and all verdicts."""

    tidegate: str
    inputs: tuple[InputReport, ...]
    quarantined: tuple[str, ...]
    """One sentence for each of the first quarantined lines, naming file, line and field."""
    compared: int | None = None
    """How many verdicts were compared with the report of the run; null if none was given."""
    disagreements: tuple[str, ...] = ()
    """One sentence for each verdict that differs from the report of the run."""
    exit_code: int = 0
    engine: str = ""
    """The engine, plain or spark; the verdicts are the same."""
    engine_because: str = ""
    left_out: tuple[str, ...] = ()
    """One sentence for each input that could not be read; it has no verdicts."""
    notes: tuple[str, ...] = ()
    """Further sentences: files that changed or are gone, splits that were read again."""
    measures: Measures | None = None
    """The measures; null where nothing was measured."""

    def ended(self) -> "TraceReport":
        """The report with its exit code."""
        return replace(self, exit_code=int(exit_code(self)))


def evidence(line: int, source: str, seq: int, event: dict[str, Any]) -> Evidence:
    """An event as evidence: its fields that are not null, except source and seq, which stand beside them."""
    told = {name: value for name, value in event.items() if value is not None and name not in ("source", "seq")}
    return Evidence(line, source, seq, told)


def exit_code(report: TraceReport) -> ExitCode:
    """The exit code of the check. Unknown verdicts, comparing nothing and having no verdicts are never OK."""
    said = {verdict.verdict for each in report.inputs for verdict in each.verdicts}
    alone = report.compared is None
    unjudged = bool(report.inputs) and not said
    codes = set()
    if report.quarantined or report.compared == 0 or (alone and (unjudged or Verdict.UNKNOWN in said)):
        codes.add(ExitCode.UNKNOWN)
    if report.disagreements or (alone and Verdict.VIOLATED in said):
        codes.add(ExitCode.VIOLATED)
    if report.left_out:
        codes |= {ExitCode.BAD_INPUT, *({ExitCode.OK} if report.inputs else ())}
    return ExitCode.of_all(codes)
