"""Judges new lines of a log by the judge of the model, from a saved state on."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tidegate.catalogue import Rule
from tidegate.model.language.judge import Judge, Judgement
from tidegate.model.language.rule import Definition
from tidegate.pipeline.findings.reports import evidence
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge.completing import completed
from tidegate.pipeline.judge.rules import rules_of
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.read.tables import FIELDS
from tidegate.pipeline.stops.overdue import Patience, Stops, take
from tidegate.pipeline.stream.alerts import About, Alert, of_stops
from tidegate.pipeline.stream.following import Lost, New, new_lines
from tidegate.pipeline.stream.pieces import LineReader
from tidegate.pipeline.stream.state import Clock, Counted, LogState, from_saved, to_saved
from tidegate.record.errors import BadInput
from tidegate.record.events import Event

MOST_EVIDENCE = 5
"""Events kept for each trace rule that does not hold of them."""


class LogReader:
    """Reads one log on from its state, which `saved` gives back."""

    def __init__(self, log: str, state: LogState, rules: Mapping[str, Rule], patience: Patience):
        self._log, self._state, self._rules, self._patience = log, state, rules, patience
        form = LOG_FORMS[state.form]
        self._told = frozenset(each.kind for each in form.statements)
        self._reader = LineReader(state.form, log, state.record)
        self._begin_judging()

    def _begin_judging(self) -> None:
        self._past = from_saved(self._state.past)
        self._judge = Judge(rules_of(self._state.form), self._past)
        self._stopped = {(source, channel): by for source, channel, by in self._state.stopped}

    def look(self, path: Path, wall: int) -> Iterator[Alert]:
        """What is to be said of what came to the log, and of the time that has passed, at `wall` ms of this machine."""
        reason = None
        try:
            for new in new_lines(path, self._state.reached, self._reader):
                yield from self._forget(new) if isinstance(new, Lost) else self._read(new, wall)
        except OSError as error:
            reason = f"the log cannot be read now: {error.strerror}"
        yield from self._overdue([], self._state.clock.now(wall))
        if reason is not None and reason != self._state.unreadable:
            yield Alert(About.UNREADABLE, self._log, reason)
        self._state.unreadable = reason

    def saved(self) -> LogState:
        """The state by now."""
        self._state.past, self._state.record = to_saved(self._past), self._reader.record
        self._state.stopped = [(*channel, by) for channel, by in self._stopped.items()]
        return self._state

    def _read(self, new: New, wall: int) -> Iterator[Alert]:
        state, lines = self._state, new.lines
        state.ignored += lines.count - len(lines.said)
        told: list[tuple[int, Alert]] = []
        for number, seq, said in lines.said:
            line = new.before + number
            if isinstance(said, Unparsed):
                if state.put_aside_first is None:
                    state.put_aside_first = seq
                state.put_aside += 1
                words = str(BadInput(said.expected, field=said.field))
                told.append((state.clock.log, Alert(About.PUT_ASIDE, self._log, words, file=new.path, line=line)))
            else:
                state.events += 1
                state.clock.reads(said.time, wall)
                told += ((state.clock.log, alert) for alert in self._judged(said, line, new.path))
        if lines.last_ms is not None:
            state.clock.reads(lines.last_ms, wall)
        overdue = self._overdue([event for _, event in lines.events], state.clock.log)
        told += ((alert.time or 0, alert) for alert in overdue)
        # as the log tells it, whoever noticed it
        yield from (alert for _, alert in sorted(told, key=lambda each: each[0]))

    def _judged(self, event: Event, line: int, path: str) -> Iterator[Alert]:
        for judgement in self._judge.judge(completed(event, self._stopped)):
            counted = self._state.counted.setdefault(judgement.rule.qualified_name, Counted())
            counted.judged += 1
            if not judgement.holds:
                counted.violated += 1
                told = {name: getattr(event, name) for name in FIELDS}
                if len(counted.evidence) < MOST_EVIDENCE:
                    counted.evidence.append(evidence(line, event.source, event.seq, told))
                yield self._violation(judgement, line, path)

    def _violation(self, judgement: Judgement, line: int, path: str) -> Alert:
        event, rule = judgement.event, self._rules[judgement.rule.rule_id]
        return Alert(
            About.VIOLATION, self._log, f"{rule.id} {rule.sentence}", event.time, event.channel, event.destination,
            rule=rule.id, file=path, line=line,
        )  # fmt: skip

    def _forget(self, lost: Lost) -> Iterator[Alert]:
        """What stood before lost lines says nothing of what comes after, as at the beginning of a log."""
        self._state.past, self._state.stopped, self._state.stops, self._state.clock = [], [], Stops(), Clock()
        self._reader.record = ""
        self._begin_judging()
        yield Alert(About.GAP, self._log, f"lines may be lost: {lost.why}")

    def _overdue(self, events: list[Event], now: int) -> Iterator[Alert]:
        overdue = take(self._state.stops, self._log, events, self._told, now, self._patience)
        yield from of_stops(overdue, self._log, self._patience)


def definitions() -> tuple[Definition, ...]:
    """The trace rules over logs of every form."""
    return tuple(dict.fromkeys(rule for form in LOG_FORMS for rule in rules_of(form)))
