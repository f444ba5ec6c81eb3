"""Measures how fast a stream is judged: by the pipeline, and event by event.

    python benchmarks/judge_events.py [--events 10000000] [--few 300000] [--repeat 2] [--monitors]

`generated.py` makes the events, which are written to files in the reader's format. Each way must find exactly the
seeded faults; an event may break a second rule as well. One process does all work. Few events are judged in both ways,
many by the pipeline only.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import click
import polars as pl
from generated import STREAM, Generated, generate

from tidegate.model.language.judge import Judge
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.judge.rules import names_of
from tidegate.pipeline.judge.streams import EventsOf, ToJudge, judge_streams
from tidegate.pipeline.read.tables import FIELDS
from tidegate.record.events import Event, Kind

PER_FILE = 1_000_000
MONITORED_RULE = "QPID-LOG-2"
MOST = 1_000
"""More than the number of faults."""
Faults = frozenset[tuple[str, str, int]]


def by_pipeline(generated: Generated) -> Faults:
    """The faults that the pipeline finds: rule, source and seq of the event."""
    files = tuple(EventsOf(Rows(each.path, each.events), STREAM, 0) for each in generated.files)
    found = judge_streams(ToJudge(files, names_of(OF_QPID_LOGS), most=MOST))
    ids = {rule.qualified_name: rule.rule_id for rule in OF_QPID_LOGS}
    shown = ((ids[rule], one) for rule, each in found[STREAM].items() for one in each.evidence)
    return frozenset((rule, one.source, one.seq) for rule, one in shown)


def by_plain_judge(generated: Generated) -> Faults:
    """The faults that the model's plain judge finds, event by event."""
    judge, found = Judge(OF_QPID_LOGS), set()
    for each in generated.files:
        for row in pl.read_parquet(each.path, columns=list(FIELDS)).iter_rows(named=True):
            event = Event(**{**row, "kind": Kind(row["kind"])})
            found |= {(said.rule.rule_id, event.source, event.seq) for said in judge.judge(event) if not said.holds}
    return frozenset(found)


def show(what: str, generated: Generated, repeat: int, work: Callable[[], Faults]) -> None:
    """Measure and print the best of `repeat` runs; ends the benchmark if the faults are not the seeded ones."""
    times = []
    for _ in range(repeat):
        begun, used = perf_counter(), process_time()
        found = work()
        if not generated.faults <= found or {each[1:] for each in found} != {each[1:] for each in generated.faults}:
            raise SystemExit(f"{what}: expected the {len(generated.faults)} faults that were put in, and no other")
        times.append((perf_counter() - begun, process_time() - used))
    events, (wall, used) = sum(each.events for each in generated.files), min(times)
    click.echo(
        f"| {what} | {events:,} | {wall:.2f} | {used:.2f} | {events / used / 1e6:.2f} | all {len(generated.faults)} |"
    )


@click.command()
@click.option("--events", "count", default=10_000_000, show_default=True)
@click.option("--few", default=300_000, show_default=True)
@click.option("--repeat", default=2, show_default=True)
@click.option("--monitors", is_flag=True, help="reelay and rtamt too, which are fetched from PyPI")
def main(count: int, few: int, repeat: int, monitors: bool) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="tidegate-") as name:
        little, much = Path(name) / "few", Path(name) / "many"
        little.mkdir()
        much.mkdir()
        few_events, many_events = generate(little, few, few), generate(much, count, PER_FILE)
        click.echo("| by | events | seconds | CPU s | M events/CPU s | faults found |\n|---|---:|---:|---:|---:|---|")
        show("the model's plain judge", few_events, repeat, lambda: by_plain_judge(few_events))
        show("the pipeline", few_events, repeat, lambda: by_pipeline(few_events))
        show("the pipeline", many_events, repeat, lambda: by_pipeline(many_events))
        if monitors:
            show_monitors(few_events, Path(name))


def show_monitors(generated: Generated, folder: Path) -> None:
    """Print the results of public monitors for one rule on these events, each in its own process, next to all rules
    here.

    Ends the benchmark if a working monitor finds more or fewer violations than were seeded.
    """
    (events,) = generated.files
    expected = sum(rule == MONITORED_RULE for rule, *_ in generated.faults)
    click.echo(
        f"{events.events:,} events, {expected} of them against {MONITORED_RULE}: M events/s and violations found"
    )
    for library in ("reelay", "rtamt"):
        place = folder / library
        fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(place), library]
        if subprocess.run(fetch, capture_output=True, check=False).returncode:
            click.echo(f"{library:<32} does not install here")
            continue
        script = Path(__file__).with_name("monitors.py")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path[1:], str(place)])}
        command = [sys.executable, str(script), library, str(events.path)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if ended.returncode:
            click.echo(f"{library:<32} does not run here: {ended.stderr.strip().splitlines()[-1]}")
            continue
        said = json.loads(ended.stdout)
        click.echo(f"{library:<32}{said['events'] / said['seconds'] / 1e6:9.3f}  {said['violations']}")
        if said["violations"] != expected:
            raise SystemExit(f"{library}: expected {expected} violations, which were put in")


if __name__ == "__main__":
    main()
