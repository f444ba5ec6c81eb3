"""A watch over logs, look by look: judges new lines, saves the state, and reports alerts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tidegate.catalogue import Rule
from tidegate.model.language.running import leads_to_an_operator
from tidegate.pipeline.findings.reports import NO_EVENTS, Account, InputReport, TraceReport
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge.folding import Folding, Row
from tidegate.pipeline.judge.rules import digest_of_rules, rules_named
from tidegate.pipeline.judge.streams import Tally
from tidegate.pipeline.judge.verdicts import PutAside, claims, shown_claims, verdict
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.read.doubts import NOTES, Doubt
from tidegate.pipeline.read.peeking import MOST_BYTES, peek
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.read.tables import VALUES
from tidegate.pipeline.report.written import write_report
from tidegate.pipeline.stream.following import GONE, Follower, Lines, Lost
from tidegate.pipeline.stream.keeping import Keeping, LogState, Saved, judged_by
from tidegate.pipeline.stream.overdue import About, Alert, Patience, Stops, take
from tidegate.pipeline.work.engines import Engine
from tidegate.record.errors import BadInput
from tidegate.record.events import Event
from tidegate.record.version import VERSION


class LogReader:
    """Reads on in one log from its state, which `saved` returns."""

    def __init__(self, log: str, state: LogState, rules: Mapping[str, Rule], patience: Patience):
        self._log, self._state, self._rules, self._patience = log, state, rules, patience
        self._follower = Follower(log, state)
        self._names = judged_by(state.form)
        self._may_release = LOG_FORMS[state.form].may_release
        self._folding = Folding(self._names, state.judged)

    def look(self, path: Path, wall: int) -> Iterator[Alert]:
        """Alerts about the new lines of the log, and about the time that has passed, at `wall` ms of this machine."""
        before = self._state.unreadable
        for new in self._follower.look(path, wall):
            yield from self._forget(new) if isinstance(new, Lost) else self._read(new)
        yield from self._overdue([], self._state.clock.now(wall))
        # a missing log is being rotated
        if (reason := self._state.unreadable) not in (None, GONE, before):
            yield Alert(About.UNREADABLE, self._log, reason)

    def saved(self) -> LogState:
        """The present state."""
        self._state.rules, self._state.judged = digest_of_rules(self._names), self._folding.states()
        return self._state

    def _read(self, new: Lines) -> Iterator[Alert]:
        state, now = self._state, self._state.clock.log
        violations = self._judged(new)
        told: list[tuple[int, Alert]] = []
        for each in new.said:
            said = each.what
            if isinstance(said, Unparsed):
                if state.put_aside_first is None:
                    state.put_aside_first = each.seq
                words = str(BadInput(said.expected, field=said.field))
                told.append((now, Alert(About.PUT_ASIDE, self._log, words, file=new.path, line=each.line)))
            elif said is not None:
                now = max(now, said.time)
                told += ((now, alert) for alert in violations.get(each.line, ()))
        overdue = self._overdue([event for _, event in new.events], max(now, new.last_ms or 0))
        told += ((alert.time or 0, alert) for alert in overdue)
        # in the order of the log's times, whatever part found the alert
        yield from (alert for _, alert in sorted(told, key=lambda each: each[0]))

    def _judged(self, new: Lines) -> dict[int, list[Alert]]:
        """Judge the events; the result is the alerts about violated rules, by the number of the event's line."""
        tally, found = Tally(self._names), dict[int, list[Alert]]()
        for line, event in new.events:
            row = Row._make((line, *VALUES(event)))
            completed = self._folding.completed(row)
            for place in tally.add(self._folding.verdicts(completed), row, line):
                definition = rules_named(self._names)[place]
                if self._state.doubt and leads_to_an_operator(definition):
                    # the violation rests on earlier lines, which may be out of order or of another broker
                    continue
                broken = self._rules[definition.rule_id]
                found.setdefault(line, []).append(Alert(
                    About.VIOLATION, self._log, f"{broken.id} {broken.sentence}", event.time, event.channel,
                    completed.destination, rule=broken.id, file=new.path, line=line,
                ))  # fmt: skip
        for name, more in tally.counts().items():
            self._state.counted[name] = self._state.counted.get(name, NO_EVENTS).plus(more)
        return found

    def _forget(self, lost: Lost) -> Iterator[Alert]:
        """Forget the state of stops and rules: after lost lines it no longer holds."""
        self._state.stops = Stops()
        self._folding = Folding(self._names)
        yield Alert(About.GAP, self._log, f"lines may be lost: {lost.why}")

    def _overdue(self, events: list[Event], now: int) -> Iterator[Alert]:
        yield from take(self._state.stops, self._log, events, now, self._patience, may_release=self._may_release)


MOST_SHOWN = 20
"""The most lines put aside and gaps that the report shows; alerts name all of them."""


def known_in(folder: Path) -> dict[str, str]:
    """The forms of the logs that an earlier watch in this folder knew. BadInput if its state cannot be continued."""
    return {name: state.form for name, state in Keeping(folder).latest().logs.items()}


class Watch:
    """Watches logs, and keeps its state below `folder`; `tell` is called with each alert once it is saved.

    `left_out` has one sentence for each file that was to be watched and is not.
    """

    def __init__(
        self,
        logs: Sequence[Input],
        folder: Path,
        rules: Mapping[str, Rule],
        patience: Patience,
        tell: Callable[[Alert], object],
        left_out: Sequence[str] = (),
    ):
        self._logs = {log.name: log for log in logs}
        self._folder, self._rules, self._patience, self._tell = folder, rules, patience, tell
        self._left_out = tuple(left_out)
        self._keeping = Keeping(folder)
        self._begins: dict[str, int] = {}
        """How many bytes of the begin of each log were looked at for a doubt."""

    def look(self, wall: int) -> None:
        """Judge the new lines of the logs, at `wall` ms by the clock of this machine.

        Raises BadInput where the saved state cannot be continued.
        """
        saved = self._keeping.latest()
        alerts: list[Alert] = []
        for name, log in self._logs.items():
            state = saved.logs.get(name) or LogState(log.form)
            state.doubt = state.doubt or self._doubt(log)
            reader = LogReader(name, state, self._rules, self._patience)
            alerts += reader.look(Path(log.path), wall)
            saved.logs[name] = reader.saved()
        saved.put_aside = _first(saved.put_aside, alerts, About.PUT_ASIDE)
        saved.gaps = _first(saved.gaps, alerts, About.GAP)
        self._keeping.keep(saved, alerts)
        write_report(self._report(saved), self._folder)
        for alert in alerts:
            self._tell(alert)

    def _doubt(self, log: Input) -> str:
        """The doubt that the begin of a log raises, if more of the begin is written than at the look before."""
        path = Path(log.path)
        # a missing log is being rotated
        begin = min(path.stat().st_size, MOST_BYTES) if path.exists() else 0
        if begin == self._begins.get(log.name, 0):
            return ""
        self._begins[log.name] = begin
        return peek(log.path, "UTC").doubt

    def report(self) -> TraceReport:
        """The verdicts on all lines read so far, equal to a check of the same lines."""
        return self._report(self._keeping.latest())

    def _report(self, saved: Saved) -> TraceReport:
        inputs = tuple(self._about(log, saved.logs.get(name) or LogState(log.form)) for name, log in self._logs.items())
        doubts = (f"{name}: {NOTES[Doubt(log.doubt)]}" for name, log in saved.logs.items() if log.doubt)
        return TraceReport(
            VERSION, inputs, tuple(saved.put_aside), engine=Engine.PLAIN, engine_because="a watch is one process",
            left_out=self._left_out, notes=(*saved.gaps, *doubts),
        ).ended()  # fmt: skip

    def _about(self, log: Input, state: LogState) -> InputReport:
        counts = {log.name: state.counted}
        verdicts = tuple(
            verdict(claim, log, PutAside(state.put_aside, 0, state.put_aside_first, state.doubt), counts)
            for claim in shown_claims(claims(log.form, frozenset(), self._rules), log, counts)
        )
        lines = state.events + state.ignored + state.put_aside
        account = Account(lines, state.events, state.ignored, state.put_aside)
        return InputReport(log.name, log.form, "", "", account, verdicts)


def _first(before: Sequence[str], alerts: Sequence[Alert], kind: About) -> list[str]:
    return [*before, *(str(each) for each in alerts if each.alert is kind)][:MOST_SHOWN]
