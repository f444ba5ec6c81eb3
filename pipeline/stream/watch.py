"""A watch over logs, look by look: judges new lines, saves the state, and reports alerts."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tidegate.catalogue import Rule
from tidegate.pipeline.findings.reports import Account, InputReport, TraceReport
from tidegate.pipeline.judge.verdicts import PutAside, claims, told, verdict
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.report.written import write_report
from tidegate.pipeline.stream.alerts import About, Alert
from tidegate.pipeline.stream.keeping import Keeping, LogState, Saved
from tidegate.pipeline.stream.log_reader import LogReader
from tidegate.pipeline.stream.overdue import Patience
from tidegate.pipeline.work.engines import Engine
from tidegate.record.version import VERSION

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

    def look(self, wall: int) -> None:
        """Judge the new lines of the logs, at `wall` ms by the clock of this machine.

        Raises BadInput where the saved state cannot be continued.
        """
        saved = self._keeping.latest()
        alerts: list[Alert] = []
        for name, log in self._logs.items():
            reader = LogReader(name, saved.logs.get(name) or LogState(log.form), self._rules, self._patience)
            alerts += reader.look(Path(log.path), wall)
            saved.logs[name] = reader.saved()
        saved.put_aside = _first(saved.put_aside, alerts, About.PUT_ASIDE)
        saved.gaps = _first(saved.gaps, alerts, About.GAP)
        self._keeping.keep(saved, alerts)
        write_report(self._report(saved), self._folder)
        for alert in alerts:
            self._tell(alert)

    def report(self) -> TraceReport:
        """The verdicts on all lines read so far, equal to a check of the same lines."""
        return self._report(self._keeping.latest())

    def _report(self, saved: Saved) -> TraceReport:
        inputs = tuple(self._about(log, saved.logs.get(name) or LogState(log.form)) for name, log in self._logs.items())
        return TraceReport(
            VERSION, inputs, tuple(saved.put_aside), engine=Engine.PLAIN, engine_because="a watch is one process",
            left_out=self._left_out, notes=tuple(saved.gaps),
        ).ended()  # fmt: skip

    def _about(self, log: Input, state: LogState) -> InputReport:
        counts = {(log.name, rule): counted for rule, counted in state.counted.items()}
        verdicts = tuple(
            verdict(claim, log, PutAside(state.put_aside, 0, state.put_aside_first), counts)
            for claim in told(claims(log.form, frozenset(), self._rules), log, counts)
        )
        lines = state.events + state.ignored + state.put_aside
        account = Account(lines, state.events, state.ignored, state.put_aside)
        return InputReport(log.name, log.form, "", "", account, verdicts)


def _first(before: Sequence[str], alerts: Sequence[Alert], kind: About) -> list[str]:
    return [*before, *(str(each) for each in alerts if each.alert is kind)][:MOST_SHOWN]
