"""Reads new lines of a log and judges them: the readers of ingest and the judge of the model, from a saved state on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from tidegate.catalogue import Rule
from tidegate.model.language.judge import Judge, Judgement
from tidegate.model.language.rule import Definition
from tidegate.pipeline.findings import evidence
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge.completing import completed
from tidegate.pipeline.judge.rules import rules_of
from tidegate.pipeline.read.careful import CarefulReader, decoded
from tidegate.pipeline.read.line_form import Unparsed
from tidegate.pipeline.schema import FIELDS
from tidegate.pipeline.stops.overdue import Patience, Stops, take
from tidegate.pipeline.stream.alerts import About, Alert, of_stops
from tidegate.pipeline.stream.growth import Range, located
from tidegate.pipeline.stream.state import Clock, Counted, LogState, from_saved, to_saved
from tidegate.record.errors import BadInput
from tidegate.record.events import Event

MOST_EVIDENCE = 5
"""Events kept for each trace rule that does not hold of them."""
PART_BITS = 40
"""The number of an event has the part's ordinal above so many bits, and below them where its line begins."""


@dataclass(frozen=True)
class Line:
    """A line of a part: its number, where it begins, and its text with odd bytes as lone surrogates."""

    number: int
    offset: int
    text: str


class LogReader:
    """Reads one log on from its state, which `saved` gives back."""

    def __init__(self, log: str, state: LogState, rules: Mapping[str, Rule], patience: Patience):
        self._log, self._state, self._rules, self._patience = log, state, rules, patience
        self._form = LOG_FORMS[state.form]
        self._begin_judging()

    def _begin_judging(self) -> None:
        self._told = frozenset(each.kind for each in self._form.statements)
        self._new: list[Event] = []
        self._past = from_saved(self._state.past)
        self._judge = Judge(rules_of(self._state.form), self._past)
        self._stopped = {(source, channel): by for source, channel, by in self._state.stopped}
        self._reader = CarefulReader(self._form)

    def read(self, new: Sequence[Range], wall: int) -> Iterator[Alert]:
        """What is to be said of these lines, and of the time that has passed, at `wall` ms of this machine."""
        for each in new:
            yield from self._read(each, wall)
        yield from self._overdue(self._state.clock.now(wall))

    def saved(self) -> LogState:
        """The state by now."""
        self._state.past = to_saved(self._past)
        self._state.stopped = [(*channel, by) for channel, by in self._stopped.items()]
        return self._state

    def _read(self, new: Range, wall: int) -> Iterator[Alert]:
        part, state = new.part, self._state
        path = located(Path(self._log), part)
        if part.after_gap and part.ordinal != state.ordinal:
            yield from self._forget("the log was truncated, or rotated away to where it is not found")
        if path is None:
            yield from self._forget(f"{new.end - new.start:,} bytes went with their file")
            return
        if part.ordinal != state.ordinal:
            state.ordinal, state.line = part.ordinal, 0
        begun = False
        told: list[tuple[int, Alert]] = []
        for line in _lines(path, new, state.line):
            state.line = line.number
            if self._form.begins.match(line.text):
                state.record, begun = line.text, True
            said = list(self._take(line, path, wall))
            told += ((state.clock.log, alert) for alert in said)
        last = self._form.time(state.record, UTC) if begun else None
        if isinstance(last, int):
            state.clock.reads(last, wall)
        told += ((alert.time or 0, alert) for alert in self._overdue(state.clock.log))
        # as the log tells it, whoever noticed it
        yield from (alert for _, alert in sorted(told, key=lambda each: each[0]))

    def _take(self, line: Line, path: Path, wall: int) -> Iterator[Alert]:
        seq = (self._state.ordinal << PART_BITS) | (line.offset + 1)
        said = self._reader.read(line.text, self._log, seq, self._first_of(line))
        if said is None:
            self._state.ignored += 1
        elif isinstance(said, Unparsed):
            if self._state.put_aside_first is None:
                self._state.put_aside_first = seq
            yield self._put_aside(said, line, path)
        else:
            self._state.events += 1
            self._state.clock.reads(said.time, wall)
            self._new.append(said)
            yield from self._judged(said, line, path)

    def _first_of(self, line: Line) -> str | None:
        """The first line of the record that the line is in, where that is another one and says when it was written."""
        return self._state.record if self._form.below_first and self._state.record != line.text else None

    def _judged(self, event: Event, line: Line, path: Path) -> Iterator[Alert]:
        for judgement in self._judge.judge(completed(event, self._stopped)):
            counted = self._state.counted.setdefault(judgement.rule.qualified_name, Counted())
            counted.judged += 1
            if not judgement.holds:
                counted.violated += 1
                told = {name: getattr(event, name) for name in FIELDS}
                if len(counted.evidence) < MOST_EVIDENCE:
                    counted.evidence.append(evidence(line.number, event.source, event.seq, told))
                yield self._violation(judgement, line, path)

    def _violation(self, judgement: Judgement, line: Line, path: Path) -> Alert:
        event, rule = judgement.event, self._rules[judgement.rule.rule_id]
        return Alert(
            About.VIOLATION, self._log, f"{rule.id} {rule.sentence}", event.time, event.channel, event.destination,
            rule=rule.id, file=str(path), line=line.number,
        )  # fmt: skip

    def _put_aside(self, problem: Unparsed, line: Line, path: Path) -> Alert:
        self._state.put_aside += 1
        words = str(BadInput(problem.expected, field=problem.field))
        return Alert(About.PUT_ASIDE, self._log, words, file=str(path), line=line.number)

    def _forget(self, why: str) -> Iterator[Alert]:
        """Lines are lost: what stood before them says nothing of what comes after, as at the beginning of a log."""
        self._state.past, self._state.stops, self._state.record, self._state.clock = [], Stops(), "", Clock()
        self._state.stopped = []
        self._begin_judging()
        yield Alert(About.GAP, self._log, f"lines may be lost: {why}")

    def _overdue(self, now: int) -> Iterator[Alert]:
        new, self._new = self._new, []
        overdue = take(self._state.stops, self._log, new, self._told, now, self._patience)
        yield from of_stops(overdue, self._log, self._patience)


def definitions() -> tuple[Definition, ...]:
    """The trace rules over logs of every form."""
    return tuple(dict.fromkeys(rule for form in LOG_FORMS for rule in rules_of(form)))


def _lines(path: Path, new: Range, before: int) -> Iterator[Line]:
    with path.open("rb") as file:
        offset = file.seek(new.start)
        number = before
        while offset < new.end:
            line = file.readline(new.end - offset)
            number += 1
            yield Line(number, offset, decoded(line))
            offset += len(line)
