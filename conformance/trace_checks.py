"""Judges the trace of a run by the trace rules: each rule becomes one more check of the report."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tidegate.conformance.replaying import Replay
from tidegate.conformance.story import last_in_words, story
from tidegate.model.language.judge import Judge, Judgement
from tidegate.model.language.rule import Definition
from tidegate.model.traces.run_rules import OF_RUNS
from tidegate.record.events import Event
from tidegate.record.report import Check, CheckKind, CheckResult
from tidegate.record.trace import read_trace

HERE = Replay()
PREFIX = "trace:"
"""The prefix of the check of a trace rule."""
NOTHING: Mapping[str, tuple[str, ...]] = {}


@dataclass
class _Tally:
    """The number of events that a trace rule judged, and by source the violation with the fewest events before it."""

    judged: int = 0
    violations: int = 0
    shortest: dict[str, Judgement] = field(default_factory=dict)

    def add(self, judgement: Judgement) -> None:
        """Count one more judgement."""
        self.judged += 1
        if not judgement.holds:
            self.violations += 1
            event = judgement.event
            known = self.shortest.get(event.source)
            if known is None or event.seq < known.event.seq:
                self.shortest[event.source] = judgement

    def clearest(self, conditions: Mapping[str, tuple[str, ...]]) -> Judgement | None:
        """The violation under the fewest conditions, and among these the one with the fewest events before it."""
        found = self.shortest.values()
        return min(found, key=lambda one: (len(_conditions(one, conditions)), one.event.seq), default=None)

    def shared(self, clearest: Judgement, conditions: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """The conditions that all failing scenarios share; if they share none, the conditions of the clearest
        violation."""
        of_each = [_conditions(one, conditions) for one in self.shortest.values()]
        own = _conditions(clearest, conditions)
        return tuple(one for one in own if all(one in each for each in of_each)) or own


@dataclass(frozen=True, order=True)
class Place:
    """A check of a trace rule, and an event at which it fails."""

    check: str
    source: str
    seq: int

    @property
    def breach(self) -> "Breach":
        """The breach without its place in the scenario."""
        return Breach(self.check, _scenario(self.source))


@dataclass(frozen=True, order=True)
class Breach:
    """A check of a trace rule, and a scenario in whose trace it fails."""

    check: str
    scenario: str


def places(path: Path, rules: Sequence[Definition], without: Container[str] = ()) -> frozenset[Place]:
    """The places at which trace rules fail in a trace, outside the sources `without`."""
    judge = Judge(list(rules))
    return frozenset(
        Place(check_of(judgement.rule), event.source, event.seq)
        for event in read_trace(path)
        if event.source not in without
        for judgement in judge.judge(event)
        if not judgement.holds
    )


def claimed_trace_rules(claims: Callable[[str], bool]) -> list[Definition]:
    """The trace rules of every rule that is claimed."""
    return [definition for definition in OF_RUNS if claims(definition.rule_id)]


def check_trace(
    path: Path,
    claims: Callable[[str], bool],
    adapter: str = "",
    replay: Replay = HERE,
    *,
    named: Container[str] = (),
    without: Container[str] = (),
    explained: Container["Place"] = (),
    conditions: Mapping[str, tuple[str, ...]] = NOTHING,
) -> list[Check]:
    """One check for each trace rule of a claimed rule, or `named` as a check, that judged at least one event.

    Its replay runs the scenario of the clearest violation on the `adapter` and judges the trace. Left out are events of
    the sources `without`, which were judged as they happened, and the `explained` failures. `conditions` are those of
    each scenario; a violation has the conditions that its scenarios share.
    """
    rules = [rule for rule in OF_RUNS if claims(rule.rule_id) or check_of(rule) in named]
    tallies = {definition: _Tally() for definition in rules}
    judge = Judge(rules)
    for event in read_trace(path):
        if event.source not in without:
            for judgement in judge.judge(event):
                if judgement.holds or Place(check_of(judgement.rule), event.source, event.seq) not in explained:
                    tallies[judgement.rule].add(judgement)
    clearest = {rule: tally.clearest(conditions) for rule, tally in tallies.items()}
    events = _events_of({one.event.source for one in clearest.values() if one is not None}, path)
    return [
        _check(rule, tally, clearest[rule], path, events, conditions, adapter, replay)
        for rule, tally in tallies.items()
        if tally.judged
    ]


def _scenario(source: str) -> str:
    """The scenario of an event source, which stands behind the prefix."""
    return source.partition(".")[2]


def _conditions(judgement: Judgement, conditions: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return conditions.get(_scenario(judgement.event.source), ())


def check_of(rule: Definition) -> str:
    """The name of a trace rule's check."""
    return f"{PREFIX}{rule.name}"


def _events_of(sources: Collection[str], path: Path) -> Mapping[str, Sequence[Event]]:
    """The events of these sources, from a second pass through the trace."""
    found: dict[str, list[Event]] = {source: [] for source in sources}
    for event in read_trace(path) if sources else ():
        if event.source in found:
            found[event.source].append(event)
    return found


def _check(
    rule: Definition,
    tally: _Tally,
    clearest: Judgement | None,
    path: Path,
    events: Mapping[str, Sequence[Event]],
    conditions: Mapping[str, tuple[str, ...]],
    adapter: str,
    replay: Replay,
) -> Check:
    expected = f"{rule.sentence.rstrip('.')} (at each of {tally.judged} events)"
    under: tuple[str, ...] = ()
    if clearest is None:
        done: tuple[str, ...] = (f"judged {tally.judged} events of {path.name}",)
        seen = "so at each of them"
        again = replay.of_rule(adapter, rule.rule_id)
    else:
        last = clearest.event
        led_to = [event for event in events[last.source] if event.seq <= last.seq]
        scenario = _scenario(last.source)
        under = tally.shared(clearest, conditions)
        done = (f"in {scenario}:", *story(led_to))
        seen = f"otherwise at {tally.violations} of them, such as at the end of this: {last_in_words(led_to)}"
        again = replay.of_checks(adapter, scenario, check_of(rule))
    return Check(
        check=check_of(rule),
        kind=CheckKind.TRACE,
        result=CheckResult.VIOLATED if clearest else CheckResult.KEPT,
        rules=(rule.rule_id,),
        done=done,
        expected=expected,
        seen=seen,
        replay=again,
        conditions=under,
        scenarios=tuple(sorted(map(_scenario, tally.shortest))),
    )
