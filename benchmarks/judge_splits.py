"""How long judging split by split takes, as a ratio to Spark's own exchange and sort of the same events.

    python benchmarks/judge_splits.py [--events 1000000] [--repeat 2] [--windows] [--monitors] [--master local[*]]

The events are those of `generated.py`, written as split files as ingest would. In one session it measures Spark's sort,
judging split by split without and with the summaries that ingest writes, the windows, and the plain engine, which works
in this process alone. Each must find exactly the faults that were put in. A ratio says more than seconds do, because
both figures are of one machine under the same load; where other work shares the machine, look at the processor time.
That and the memory are those of this process and all that it started; shared pages are counted in each of them.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import click
import polars as pl
import psutil
from generated import STREAM, Generated, generate
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.on_spark import OnSpark
from tidegate.pipeline.runner import Here, Runner
from tidegate.pipeline.schema import STREAM_NAME
from tidegate.pipeline.session import spark_session
from tidegate.pipeline.splits.judging import judge
from tidegate.pipeline.splits.plan import SOURCE, fields_of, names_of, plan_of
from tidegate.pipeline.splits.summary import read_summary, summary_of
from tidegate.pipeline.tallies import Tallies, Witnesses
from tidegate.pipeline.windows.judging import judge as judge_by_windows
from tidegate.pipeline.windows.operators import STREAM as STREAM_COLUMNS

PER_SPLIT = 1_000_000
MONITORED = 300_000
"""Events that monitors are told; so many have a fault of each kind, if the rest of them is cut off."""
MONITORED_RULE = "QPID-LOG-2"
MOST = 1_000
"""More than there are faults."""
GIB = 1 << 30
INTERVAL = 0.1
"""Seconds between two looks at the memory."""


class Memory:
    """The most memory that this process and all that it started held at once, in bytes."""

    def __init__(self) -> None:
        self._most = 0
        self._stop = threading.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look again and again while something is done."""
        watcher = threading.Thread(target=self._watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            self._stop.set()
            watcher.join()

    def taken(self) -> int:
        """The most since this was last asked."""
        most, self._most = self._most, 0
        return most

    def _watch(self) -> None:
        this = psutil.Process()
        while not self._stop.wait(INTERVAL):
            held = 0
            for process in (this, *this.children(recursive=True)):
                try:
                    held += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self._most = max(self._most, held)


def write_summary(path: Path) -> Path:
    """What ingest does beside writing the events of a split."""
    rules = OF_QPID_LOGS
    fields = fields_of(plan_of(names_of(rules)).at(1)) | {SOURCE, "seq"}
    written = path.with_suffix(".summary")
    summary_of(pl.read_parquet(path, columns=sorted(fields)), rules).write(written)
    return written


@dataclass(frozen=True)
class Taken:
    """How long something took, and how much time of processors all processes took for it; in seconds."""

    wall: float
    processors: float


def timed(work: Callable[[], object], repeat: int) -> Taken:
    """The shortest times of so many runs."""
    walls, processors = [], []
    for _ in range(repeat):
        begun, used = perf_counter(), processor_time()
        work()
        walls.append(perf_counter() - begun)
        processors.append(processor_time() - used)
    return Taken(min(walls), min(processors))


def processor_time() -> float:
    """The processor time so far of this process and all that it started, ended or not, in seconds."""
    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        try:
            SEEN[process] = sum(process.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return sum(SEEN.values())


SEEN: dict[psutil.Process, float] = {}
"""The processor time of each process when it was last looked at."""


def found(tallies: Tallies, shown: Witnesses) -> tuple[int, frozenset[tuple[str, str, int]]]:
    """How many violations were counted, and which: rule, source and seq."""
    which = frozenset((rule.rule_id, one.source, one.seq) for (_, rule), every in shown.items() for one in every)
    return sum(each.violated for each in tallies.values()), which


def by_splits(
    generated: Generated, runner: Runner, *, summaries: bool, loop: bool | None = None
) -> tuple[int, frozenset[tuple[str, str, int]]]:
    """What judging split by split finds."""
    known = {each.path: read_summary(each.path.with_suffix(".summary")) for each in generated.files if summaries}
    said = judge(generated.files, {STREAM: OF_QPID_LOGS}, runner, most=MOST, summaries=known, loop=loop)
    return found(said.tallies, said.witnesses)


def by_windows(events: DataFrame) -> tuple[int, frozenset[tuple[str, str, int]]]:
    """What the windows find."""
    return found(*judge_by_windows(events, OF_QPID_LOGS, most=MOST))


class Table:
    """Prints a line for each form of judging."""

    def __init__(self, events: int, sort: Taken, memory: Memory, faults: frozenset[tuple[str, str, int]], repeat: int):
        self._events, self._sort, self._memory, self._faults, self._repeat = events, sort, memory, faults, repeat

    def head(self) -> None:
        """Print what the columns are, and the line of the sort."""
        names = ("seconds", "x sort", "CPU s", "x sort", "M ev/s", "RSS GiB")
        click.echo(f"{'':<32}{''.join(f'{name:>9}' for name in names)}  faults found")
        self.show("exchange and sort of Spark", self._sort, "")

    def show(self, what: str, taken: Taken, remark: str) -> None:
        """Print a line."""
        sort = self._sort
        figures = (taken.wall, taken.wall / sort.wall, taken.processors, taken.processors / sort.processors)
        more = (self._events / taken.wall / 1e6, self._memory.taken() / GIB)
        click.echo(f"{what:<32}{''.join(f'{figure:9.2f}' for figure in (*figures, *more))}  {remark}")

    def line(self, what: str, work: Callable[[], tuple[int, frozenset[tuple[str, str, int]]]]) -> None:
        """Measure and print; ends the benchmark where what was found is not what was put in."""
        said: list[tuple[int, frozenset[tuple[str, str, int]]]] = []
        self._memory.taken()
        taken = timed(lambda: said.append(work()), self._repeat)
        right = all(each == (len(self._faults), self._faults) for each in said)
        self.show(what, taken, f"all {len(self._faults)} and no other" if right else "WRONG")
        if not right:
            raise SystemExit(f"{what}: expected the faults that were put in, got {said}")


@click.command()
@click.option("--events", "count", default=1_000_000, show_default=True)
@click.option("--repeat", default=2, show_default=True)
@click.option("--windows", is_flag=True, help="the windows too")
@click.option("--monitors", is_flag=True, help="reelay and rtamt too, which are fetched from PyPI")
@click.option("--master")
def main(count: int, repeat: int, windows: bool, monitors: bool, master: str | None) -> None:
    """Measure and print."""
    memory = Memory()
    with tempfile.TemporaryDirectory(prefix="tidegate-") as name, memory.watched():
        folder = Path(name)
        generated = generate(folder, count, PER_SPLIT)
        size = sum(each.path.stat().st_size for each in generated.files)
        cores = len(os.sched_getaffinity(0))
        click.echo(f"{count:,} events, {len(generated.files)} splits, {size / GIB:.2f} GiB, {cores} cores")
        spark = spark_session(folder / "spark.txt", master)
        runner = OnSpark(spark)
        paths = [str(each.path) for each in generated.files]
        events = spark.read.parquet(*paths).withColumn(STREAM_NAME, sf.lit(STREAM))
        by_stream = events.repartition(*STREAM_COLUMNS).sortWithinPartitions(*STREAM_COLUMNS, "seq")
        memory.taken()
        sort = timed(lambda: by_stream.write.format("noop").mode("overwrite").save(), repeat)
        table = Table(count, sort, memory, generated.faults, repeat)
        table.head()
        table.line("split by split", lambda: by_splits(generated, runner, summaries=False))
        summing = timed(lambda: runner.each(write_summary, [each.path for each in generated.files]), repeat)
        table.show("summaries, a part of ingest", summing, "")
        table.line("split by split, with summaries", lambda: by_splits(generated, runner, summaries=True))
        table.line("plain engine, in this process", lambda: by_splits(generated, Here(), summaries=False))
        table.line("plain engine, by columns", lambda: by_splits(generated, Here(), summaries=False, loop=False))
        if windows:
            table.line("windows of Spark", lambda: by_windows(events))
        spark.stop()
        if monitors:
            show_monitors(folder / "monitored")


def show_monitors(folder: Path) -> None:
    """What public monitors make of one rule on fewer such events, each in a process of its own, next to all rules here.

    Ends the benchmark where a monitor that runs finds more or fewer violations than were put in.
    """
    folder.mkdir()
    generated = generate(folder, MONITORED, MONITORED)
    (events,) = generated.files
    expected = sum(rule == MONITORED_RULE for rule, *_ in generated.faults)
    click.echo(f"{MONITORED:,} events, {expected} of them against {MONITORED_RULE}: M events/s and violations found")
    taken = timed(lambda: by_splits(generated, Here(), summaries=False), 1)
    click.echo(f"{'tidegate, every rule':<32}{MONITORED / taken.wall / 1e6:9.3f}")
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
