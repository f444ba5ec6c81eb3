"""Chooses scenarios of a trace so that the trimmed trace still shows all findings of the trace rules."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from tidegate.catalogue import Form, catalogue
from tidegate.catalogue.obligations import owed
from tidegate.conformance.subset import boundary
from tidegate.conformance.trace_checks import claimed_trace_rules
from tidegate.model.language.judge import Judge
from tidegate.record.report import CheckKind, CheckResult, ImplementationReport
from tidegate.record.trace import read_trace

MOST_EVENTS = 200
"""Scenarios with more events are kept only if nothing else shows the same."""
PREFIX = re.compile(r"^(s\d+\.)(.*)$")


def scenes_to_keep(trace: Path, each: ImplementationReport) -> frozenset[str]:
    """The sources of short scenarios at boundaries and about logs, and the shortest sources that show anything else.

    A source shows which trace rules judge it, and which of them it violates. For each rule that only random sequences
    violate, the shortest of these is kept.
    """
    judge = Judge(claimed_trace_rules(lambda rule: True))
    events: Counter[str] = Counter()
    shows: dict[str, set[tuple[str, bool]]] = defaultdict(set)
    violates: dict[str, set[str]] = defaultdict(set)
    for event in read_trace(trace):
        events[event.source] += 1
        found = judge.judge(event)
        shows[event.source] |= {(one.rule.name, one.holds) for one in found}
        violates[event.source] |= {one.rule.rule_id for one in found if not one.holds}
    shortest_first = sorted(events, key=lambda one: (events[one], one))
    random = [source for source in shortest_first if source in random_sequences(each, events)]
    sources = [source for source in shortest_first if source not in random]
    of_logs = _checks_of_logs(each)
    kept = {
        source
        for source in sources
        if events[source] <= MOST_EVENTS
        and (_check(source) in of_logs or boundary().takes((), _check(source), CheckKind.SCENARIO))
    }
    missing = set().union(*(shows[source] for source in sources)) - set().union(*(shows[source] for source in kept))
    for source in sources:
        if shows[source] & missing:
            kept.add(source)
            missing -= shows[source]
    unseen = _violated_at_random(each) - set().union(*(violates[source] for source in kept))
    for source in random:
        if violates[source] & unseen:
            kept.add(source)
            unseen -= violates[source]
    return frozenset(kept)


def random_sequences(each: ImplementationReport, sources: Iterable[str]) -> frozenset[str]:
    """The sources of random sequences, which a run judges as they happen."""
    checks = {check.check for verdict in each.verdicts for check in verdict.checks if check.kind is CheckKind.STATEFUL}
    return frozenset(source for source in sources if _check(source) in checks)


def prefix(source: str) -> str:
    """The prefix of the names of all destinations and clients of a scenario."""
    found = PREFIX.match(source)
    return found[1] if found else source


def _check(source: str) -> str:
    found = PREFIX.match(source)
    return found[2] if found else source


def _violated_at_random(each: ImplementationReport) -> set[str]:
    return {
        verdict.rule
        for verdict in each.verdicts
        for check in verdict.checks
        if check.kind is CheckKind.STATEFUL and check.result is CheckResult.VIOLATED
    }


def _checks_of_logs(each: ImplementationReport) -> set[str]:
    rules = catalogue()
    return {
        check.check
        for verdict in each.verdicts
        if verdict.rule in rules and Form.LOG in owed(rules[verdict.rule])
        for check in verdict.checks
    }
