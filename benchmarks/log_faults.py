"""Seeds faults into logs of real brokers, and prints for each kind of fault how many the rules over logs find, by line.

    python -m benchmarks.log_faults [LOG…] [--each 12] [--seed 1]

Without LOG the logs of the committed reports of Qpid, Artemis and Classic are taken. A fault is found if some rule is
violated more often than in the unchanged log. A missing line can be noticed only where the log goes on about the same
queue or channel.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import click

from tests.pipeline.cut import all_completed
from tidegate.model.language.judge import Judge
from tidegate.model.traces.qpid_log_trace import STOPPED_CHANNEL
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.lines.careful import CarefulReader
from tidegate.pipeline.read.inputs import inputs
from tidegate.record.events import Event, Kind

REPORTS = Path(__file__).parents[1] / "reports"
BROKERS = ("artemis", "classic", "qpid")
Events = Sequence[Event]
Fault = Callable[[Events, int], Events | None]
"""Makes a fault at one of the events; None if it cannot be made there."""
KIBIBYTE = 1024
NO_LIMIT = -1
LATER_MS = 5000
"""Lines so far apart are about two events."""


def violations(form: str, events: Events) -> Counter[str]:
    """The number of violations of each rule."""
    judge = Judge(rules_of(form))
    numbered = [replace(event, seq=number) for number, event in enumerate(events, start=1)]
    judged = (each for event in all_completed(numbered) for each in judge.judge(event))
    return Counter(each.rule.rule_id for each in judged if not each.holds)


def gone(events: Events, at: int) -> Events:
    """The line is missing."""
    return [*events[:at], *events[at + 1 :]]


def by_another_queue(events: Events, at: int) -> Events:
    """The line names a queue that never was overfull."""
    return [*events[:at], replace(events[at], destination="test/other"), *events[at + 1 :]]


def too_early(events: Events, at: int) -> Events | None:
    """The line moves in front of the last line about an underfull queue."""
    before = [place for place in range(at) if events[place].kind is Kind.UNDERFULL]
    if not before:
        return None
    return [*events[: before[-1]], events[at], *events[before[-1] : at], *events[at + 1 :]]


def twice(events: Events, at: int) -> Events:
    """The line is there twice."""
    return [*events[: at + 1], *events[at:]]


def of_a_closed_channel(events: Events, at: int) -> Events | None:
    """The line comes again behind the end of the log, and so does the line about its full queue before it."""
    stop, end = events[at], events[-1]
    full = [each for each in events[:at] if each.kind is Kind.OVERFULL and each.destination == stop.destination]
    if not full or not any(each.kind is Kind.CLOSE and each.channel == stop.channel for each in events[at:]):
        return None
    again = (replace(full[-1], time=end.time + LATER_MS), replace(stop, time=end.time + LATER_MS))
    return [*events, *again]


def of_another_sender(events: Events, at: int) -> Events | None:
    """The line about a full queue names another channel than the one that is stopped then."""
    others = [each.channel for each in events[:at] if each.channel and each.channel != events[at].channel]
    if not events[at].channel or not others:
        return None
    return [*events[:at], replace(events[at], channel=others[-1]), *events[at + 1 :]]


def without_a_limit(events: Events, at: int) -> Events | None:
    """The line says that the queue or the address has no limit."""
    if not events[at].limit or events[at].limit == NO_LIMIT:
        return None
    return [*events[:at], replace(events[at], limit=NO_LIMIT), *events[at + 1 :]]


def after_a_start(events: Events, at: int) -> Events:
    """The broker starts anew just before the line."""
    start = Event(source=events[at].source, seq=1, time=events[at].time, kind=Kind.START)
    return [*events[:at], start, *events[at:]]


def of_another_channel(events: Events, at: int) -> Events:
    """The line names a channel that no other line names."""
    return [*events[:at], replace(events[at], channel=f"{events[at].channel}9"), *events[at + 1 :]]


def of_another_place(events: Events, at: int) -> Events:
    """The line names a queue, an address or a store that no other line names."""
    return [*events[:at], replace(events[at], destination=f"{events[at].destination}9"), *events[at + 1 :]]


def swapped(events: Events, at: int) -> Events | None:
    """The line changes places with the line before it about the same queue, address, store or channel."""
    one = events[at]
    for before in range(at - 1, -1, -1):
        other = events[before]
        if other.kind is Kind.OPEN:
            # no line about a full queue follows from the opening of a channel
            continue
        if (one.destination and one.destination == other.destination) or (one.channel and one.channel == other.channel):
            return [*events[:before], one, *events[before + 1 : at], other, *events[at + 1 :]]
    return None


def changed(name: str, by: Callable[[int], int]) -> Fault:
    """The fault that changes the figure of this name."""

    def fault(events: Events, at: int) -> Events | None:
        figure = getattr(events[at], name)
        if not figure or figure < 0 or by(figure) == figure:
            return None
        return [*events[:at], replace(events[at], **{name: by(figure)}), *events[at + 1 :]]

    return fault


CHANGES: Mapping[str, Callable[[int], int]] = {
    "doubled": lambda figure: 2 * figure,
    "halved": lambda figure: figure // 2,
    "told in KiB": lambda figure: figure // KIBIBYTE,
}
FIGURES = {"size": "bytes", "limit": "limit", "resume level": "resume"}
"""The figures of a line, and the fields of its event that hold them."""


class Seeding(NamedTuple):
    """A kind of fault in a kind of line: the function that makes it, and the places of these lines."""

    fault: str
    line: str
    make: Fault
    places: Sequence[int]


def faults(events: Events) -> Iterator[Seeding]:
    """Each kind of fault that can be made in the log."""
    by_line: dict[tuple[Kind, str], list[int]] = {}
    for place, event in enumerate(events):
        by_line.setdefault((event.kind, event.cause or ""), []).append(place)
    for (kind, cause), places in by_line.items():
        line = f"{kind} {cause}"
        if kind in (Kind.STOP, Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL):
            yield Seeding("a line is missing", line, gone, places)
            yield Seeding("a line is there twice", line, twice, places)
            yield Seeding("a line comes before the one that it follows", line, swapped, places)
        if kind in (Kind.RELEASE, Kind.UNDERFULL):
            yield Seeding("the broker starts just before a line", line, after_a_start, places)
        if kind in (Kind.STOP, Kind.RELEASE) and events[places[0]].channel:
            yield Seeding("a line names another channel", line, of_another_channel, places)
        if kind in (Kind.OVERFULL, Kind.UNDERFULL):
            yield Seeding("a line names another queue, address or store", line, of_another_place, places)
        if kind is Kind.OVERFULL:
            yield Seeding("a full queue or address has no limit", line, without_a_limit, places)
            yield Seeding("a full queue names another channel than it stops", line, of_another_sender, places)
        for figure, name in FIGURES.items():
            for how, by in CHANGES.items():
                yield Seeding(f"a {figure} is {how} in one line", line, changed(name, by), places)
        if cause == STOPPED_CHANNEL:
            yield Seeding("a stop comes after the channel was closed", line, of_a_closed_channel, places)
            yield Seeding("a stop names a queue that was never overfull", line, by_another_queue, places)
        if kind is Kind.RELEASE:
            yield Seeding("a release comes before the queue is underfull", line, too_early, places)


@dataclass
class Found:
    """How many seeded faults of a kind the rules found, by line, and which rules found them."""

    found: Counter[str] = field(default_factory=Counter)
    seeded: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, line: str, more: Iterable[str]) -> None:
        """Count one fault in a line, found by these rules."""
        by = {*more}
        self.seeded[line] += 1
        self.found[line] += bool(by)
        self.rules.update(by)

    def row(self, fault: str) -> str:
        """The row of the table."""
        lines = ", ".join(f"{line} {self.found[line]}/{of}" for line, of in sorted(self.seeded.items()))
        rules = ", ".join(f"{rule} {times}" for rule, times in self.rules.most_common())
        return f"| {fault} | {self.found.total()} | {self.seeded.total()} | {lines} | {rules} |"


def seed_into(log: Path, each: int, seed: int, told: Mapping[str, Found]) -> None:
    """Seed faults into a log, `each` of a kind and line, and count them by their kinds."""
    (file,) = inputs([log])
    reader, lines = CarefulReader(LOG_FORMS[file.form]), log.read_text(encoding="utf-8").splitlines(keepends=True)
    read = (reader.read(line, log.name, number) for number, line in enumerate(lines, start=1))
    events = [event for event in read if isinstance(event, Event)]
    before, drawn = violations(file.form, events), random.Random(seed)
    for fault, line, make, places in faults(events):
        for place in drawn.sample(places, min(each, len(places))):
            if (wrong := make(events, place)) is not None:
                told[fault].add(line, violations(file.form, wrong) - before)


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--each", default=12, show_default=True, help="Faults of a kind in one log.")
@click.option("--seed", default=1, show_default=True)
def main(logs: tuple[Path, ...], each: int, seed: int) -> None:
    """Seed faults into LOGS, and print a table of the faults that the rules find."""
    told: dict[str, Found] = defaultdict(Found)
    for log in logs or [log for broker in BROKERS for log in sorted(REPORTS.glob(f"{broker}-*/broker-*.log"))]:
        seed_into(log, each, seed, told)
    click.echo("| fault | found | of | in the line | by the rule |\n|---|---|---|---|---|")
    for fault, found in sorted(told.items()):
        click.echo(found.row(fault))


if __name__ == "__main__":
    main()
