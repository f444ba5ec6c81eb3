"""The trace of a run judged by the trace rules: each rule becomes one more check of the report."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path

from tidegate.model.judge import Judge, Judgement
from tidegate.model.language import Definition
from tidegate.model.run_rules import OF_RUNS
from tidegate.record.events import Event
from tidegate.record.report import Check, CheckKind, CheckResult
from tidegate.record.trace import read_trace


@dataclass
class _Tally:
    """How often a trace rule judged an event, and the first event that it does not hold of."""

    judged: int = 0
    first: Judgement | None = None
    violations: int = 0


def claimed_trace_rules(claims: Callable[[str], bool]) -> list[Definition]:
    """The trace rules of every rule that is claimed."""
    return [definition for definition in OF_RUNS if claims(definition.rule_id)]


def check_trace(path: Path, claims: Callable[[str], bool], *, without: Container[str] = ()) -> list[Check]:
    """One check for each trace rule of a claimed rule that judged at least one event of the trace.

    Events of the sources `without` are left out, because they were judged as they happened.
    """
    rules = claimed_trace_rules(claims)
    tallies = {definition: _Tally() for definition in rules}
    judge = Judge(rules)
    for event in read_trace(path):
        if event.source in without:
            continue
        for judgement in judge.judge(event):
            tally = tallies[judgement.rule]
            tally.judged += 1
            if not judgement.holds:
                tally.violations += 1
                tally.first = tally.first or judgement
    return [
        Check(
            check=f"trace:{definition.name}",
            kind=CheckKind.TRACE,
            result=CheckResult.VIOLATED if tally.first else CheckResult.KEPT,
            rules=(definition.rule_id,),
            done=(f"judged {tally.judged} events of {path.name}",),
            expected=f"{definition.sentence} (at each of {tally.judged} events)",
            seen=_seen(tally),
            replay=f"tidegate trace check {path.name}",
        )
        for definition, tally in tallies.items()
        if tally.judged
    ]


def _seen(tally: _Tally) -> str:
    if tally.first is None:
        return "so at each of them"
    return f"otherwise at {tally.violations} of them, first at {_in_words(tally.first.event)}"


def _in_words(event: Event) -> str:
    facts = [f"{event.source} event {event.seq}", str(event.kind)]
    facts += [
        f"{name} {value}" for name in ("outcome", "credit", "bytes") if (value := getattr(event, name)) is not None
    ]
    return ", ".join(facts)
