"""What a check of traces and logs finds: a verdict on each rule of each input, with its evidence."""

from dataclasses import dataclass
from typing import Any

from tidegate.pipeline.accounts import Account
from tidegate.pipeline.measure.findings import Measures
from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Evidence:
    """An event of which a rule does not hold: where it was read, and its fields that are not null."""

    line: int
    source: str
    seq: int
    event: dict[str, str | int]


@dataclass(frozen=True)
class TraceVerdict:
    """The verdict on one rule of one input: how many events it judged, and of how many it does not hold."""

    rule: str
    level: str
    sentence: str
    verdict: Verdict
    reason: str
    judged: int
    violated: int
    evidence: tuple[Evidence, ...] = ()
    """The first events of which it does not hold, by source and seq."""


@dataclass(frozen=True)
class InputReport:
    """All verdicts on one input; name and version are those of the implementation, empty for a log."""

    input: str
    form: str
    name: str
    version: str
    account: Account
    verdicts: tuple[TraceVerdict, ...]


@dataclass(frozen=True)
class TraceReport:
    """trace-report.json: what was read, what was put aside (all in the table `quarantine`), all verdicts."""

    tidegate: str
    inputs: tuple[InputReport, ...]
    quarantined: tuple[str, ...]
    """One sentence for each of the first lines put aside, naming file, line and field."""
    compared: int | None
    """How many verdicts were held against the report of the run; null if none was given."""
    disagreements: tuple[str, ...]
    """Where that report says otherwise."""
    exit_code: int
    engine: str
    """Who did the work, plain or spark; the verdicts are the same."""
    engine_because: str
    left_out: tuple[str, ...]
    """One sentence for each input that could not be read; it has no verdicts."""
    notes: tuple[str, ...]
    """What else is to be said: files that changed or are gone, splits that were read again."""
    measures: Measures | None = None
    """Null where nothing was measured; without its timelines in trace-report.json."""
    schema: int = SCHEMA_VERSION


def evidence(line: int, source: str, seq: int, event: dict[str, Any]) -> Evidence:
    """An event as evidence; what it does not carry is left out, and so is what is said beside it."""
    told = {name: value for name, value in event.items() if value is not None and name not in ("source", "seq")}
    return Evidence(line, source, seq, told)
