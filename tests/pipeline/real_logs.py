"""Reads logs as the pipeline does, with care and fast, which must be the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from polars.testing import assert_frame_equal

from tests.pipeline.cut import all_completed
from tests.pipeline.reading import SplitRead, read_log, read_log_with_care
from tidegate.model.language.judge import Judge
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.read.split import Input, Split
from tidegate.pipeline.read.tables import FIELDS, LINE
from tidegate.record.events import Event, Kind

LOGS = Path(__file__).parent / "logs"


def whole(file: Input) -> Split:
    """All of a file as one split."""
    return Split(file, 0, Path(file.path).stat().st_size)


@dataclass(frozen=True)
class Log:
    """What a log was recognised as, its events and lines put aside by number, and how many lines it ignores."""

    form: str
    events: Mapping[int, Event]
    put_aside: Mapping[int, Unparsed]
    ignored: int

    def figures(self, line: int) -> dict[str, Any]:
        """What the event of a line carries, but for where and when."""
        told = {name: getattr(self.events[line], name) for name in FIELDS if name not in ("source", "seq", "time")}
        return {name: value for name, value in told.items() if value is not None}

    def outcomes(self) -> dict[tuple[str, bool], int]:
        """How many events each rule of the form judges, by whether it holds of them."""
        judge, counted = Judge(rules_of(self.form)), dict[tuple[str, bool], int]()
        for event in all_completed(self.events.values()):
            for each in judge.judge(event):
                key = each.rule.rule_id, each.holds
                counted[key] = counted.get(key, 0) + 1
        return counted


def read(name: str) -> Log:
    """The log of this name below `logs/`."""
    (file,) = inputs([LOGS / name])
    return read_file(file)


def read_lines(lines: list[str], form: str) -> Log:
    """A log of these lines."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "some.log"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return read_file(Input(path.name, str(path), form, stream="host"))


def read_both_ways(file: Input) -> SplitRead:
    """What both readers make of a log."""
    careful, fast = read_log_with_care(whole(file)), read_log(whole(file))
    assert_frame_equal(fast.events, careful.events)
    assert_frame_equal(fast.quarantined, careful.quarantined)
    assert (fast.lines, fast.ignored, fast.clock_steps) == (careful.lines, careful.ignored, careful.clock_steps)
    return careful


def read_file(file: Input) -> Log:
    """What both readers make of a log; each of its lines is one of three things."""
    careful = read_both_ways(file)
    events = {row[LINE]: _event(row) for row in careful.events.to_dicts()}
    rows = careful.quarantined.to_dicts()
    put_aside = {row[LINE]: Unparsed(row["expected"], row["field"]) for row in rows}
    assert careful.lines == len(events) + careful.ignored + len(put_aside)
    return Log(file.form, events, put_aside, careful.ignored)


def _event(row: Mapping[str, Any]) -> Event:
    return Event(**{**{name: row[name] for name in FIELDS}, "kind": Kind(row["kind"])})
