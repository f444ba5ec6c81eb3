"""Reads a log below `logs/` as the pipeline does, line by line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headgate.model.judge import Judge
from headgate.pipeline.ingest.careful import CarefulReader
from headgate.pipeline.ingest.form import Form
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.pipeline.ingest.inputs import recognise
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.rules import rules_of
from headgate.record.events import Event

LOGS = Path(__file__).parent / "logs"


@dataclass(frozen=True)
class Log:
    """What a log was recognised as, its events and lines put aside by number, and how many lines it ignores."""

    form: Form
    events: Mapping[int, Event]
    put_aside: Mapping[int, Unparsed]
    ignored: int

    def figures(self, line: int) -> dict[str, Any]:
        """What the event of a line carries, but for where and when."""
        event = self.events[line]
        told = {name: getattr(event, name) for name in Event.__dataclass_fields__}
        return {
            name: value for name, value in told.items() if value is not None and name not in ("source", "seq", "time")
        }

    def outcomes(self) -> dict[tuple[str, bool], int]:
        """How many events each rule of the form judges, by whether it holds of them."""
        judge, counted = Judge(rules_of(self.form)), dict[tuple[str, bool], int]()
        for event in self.events.values():
            for each in judge.judge(event):
                key = each.rule.rule_id, each.holds
                counted[key] = counted.get(key, 0) + 1
        return counted


def read(name: str) -> Log:
    """The log of this name; every line is one of three things."""
    path = LOGS / name
    return read_lines(path.read_text(encoding="utf-8").splitlines(), recognise(path))


def read_lines(lines: list[str], form: Form) -> Log:
    """The same for lines."""
    reader = CarefulReader(LOG_FORMS[form])
    said = {number: reader.read(line, "log", number) for number, line in enumerate(lines, start=1)}
    events = {number: each for number, each in said.items() if isinstance(each, Event)}
    put_aside = {number: each for number, each in said.items() if isinstance(each, Unparsed)}
    return Log(form, events, put_aside, sum(each is None for each in said.values()))
