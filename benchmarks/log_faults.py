"""Seeds faults into logs of real brokers, and prints for each kind of fault how many the rules over logs find.

    python -m benchmarks.log_faults [LOG…] [--each 12] [--seed 1]

Without LOG the logs of the committed reports of Qpid and Artemis are taken. A fault is found if some rule is violated
more often than in the unchanged log. A missing line can be noticed only where the log goes on about the same queue or
channel.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

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
Events = Sequence[Event]
Fault = Callable[[Events, int], Events | None]
"""Makes a fault at one of the events; None if it cannot be made there."""
MOVED = "a release comes before the queue is underfull"


def violations(form: str, events: Events) -> Counter[str]:
    """The number of violations of each rule."""
    judge = Judge(rules_of(form))
    judged = (each for event in all_completed(events) for each in judge.judge(event))
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


def doubled(name: str) -> Fault:
    """The fault that doubles the field of this name."""

    def fault(events: Events, at: int) -> Events | None:
        figure = getattr(events[at], name)
        changed = None if not figure else replace(events[at], **{name: 2 * figure})
        return None if changed is None else [*events[:at], changed, *events[at + 1 :]]

    return fault


def faults(events: Events) -> Iterator[tuple[str, Fault, list[int]]]:
    """Each kind of fault: its name, the function that makes it, and the places of the events where it can be made."""
    by_line: dict[tuple[Kind, str], list[int]] = {}
    for place, event in enumerate(events):
        by_line.setdefault((event.kind, event.cause or ""), []).append(place)
    for (kind, cause), places in by_line.items():
        if kind in (Kind.STOP, Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL):
            yield f"a line is missing: {kind} {cause}", gone, places
        if kind in (Kind.OVERFULL, Kind.UNDERFULL):
            yield f"a limit is doubled in one line: {kind} {cause}", doubled("limit"), places
            yield f"a size is doubled in one line: {kind} {cause}", doubled("bytes"), places
        if cause == STOPPED_CHANNEL:
            yield "a stop names another queue", by_another_queue, places
        if kind is Kind.RELEASE:
            yield MOVED, too_early, places


def seeded(log: Path, each: int, seed: int) -> Mapping[str, tuple[int, int, Counter[str]]]:
    """For each kind of fault: the number of found faults, the number of seeded ones, and the rules that found them."""
    (file,) = inputs([log])
    reader, lines = CarefulReader(LOG_FORMS[file.form]), log.read_text(encoding="utf-8").splitlines(keepends=True)
    read = (reader.read(line, log.name, number) for number, line in enumerate(lines, start=1))
    events = [event for event in read if isinstance(event, Event)]
    before, drawn = violations(file.form, events), random.Random(seed)
    told: dict[str, tuple[int, int, Counter[str]]] = {}
    for name, fault, places in faults(events):
        for place in drawn.sample(places, min(each, len(places))):
            if (wrong := fault(events, place)) is not None:
                more = violations(file.form, wrong) - before
                found, tried, rules = told.get(name, (0, 0, Counter()))
                told[name] = found + bool(more), tried + 1, rules + Counter(dict.fromkeys(more, 1))
    return told


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--each", default=12, show_default=True, help="Faults of a kind in one log.")
@click.option("--seed", default=1, show_default=True)
def main(logs: tuple[Path, ...], each: int, seed: int) -> None:
    """Seed faults into LOGS, and print a table of the faults that the rules find."""
    every: dict[str, tuple[int, int, Counter[str]]] = {}
    for log in logs or sorted([*REPORTS.glob("qpid-*/broker-*.log"), *REPORTS.glob("artemis-*/broker-*.log")]):
        for name, (found, tried, rules) in seeded(log, each, seed).items():
            known = every.get(name, (0, 0, Counter()))
            every[name] = known[0] + found, known[1] + tried, known[2] + rules
    click.echo("| fault | found | of | by |\n|---|---|---|---|")
    for name, (found, tried, rules) in sorted(every.items()):
        told = ", ".join(f"{rule} {times}" for rule, times in rules.most_common())
        click.echo(f"| {name} | {found} | {tried} | {told} |")


if __name__ == "__main__":
    main()
