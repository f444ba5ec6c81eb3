"""Measures `tidegate trace check` for logs of every shape, beside commands that only read the same lines.

    python benchmarks/shapes.py [--lines N] [--shape NAME]... [--engine plain|spark]

Each shape is a log, or a folder of logs, with N lines of a Qpid broker, one in five an event. The whole command is
measured: reading, judging, finding stops, and the report. `wc -l` counts the lines of the same files, and of the output
of `zcat` for packed files. Spark sorts the events that the check found by their stream and place. Memory is the
resident memory of all processes of the command together, sampled twenty times a second.
"""

import gzip
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import psutil
from parse_lines import log_lines

EVERY = 5
"""One line in `EVERY` is an event."""
SMALL_FILE = 200
"""The lines of each of many small files."""
MANY_QUEUES = 100_000
LOOK_SECONDS = 0.05
TIDEGATE = Path(sys.executable).with_name("tidegate")
MIB = 1 << 20


@dataclass(frozen=True)
class Cost:
    """The cost of a command: seconds, processor seconds, and the most MiB of memory."""

    seconds: float
    cpu_seconds: float
    peak_mib: float


def cost_of(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in a folder and measure it. Raises SystemExit if its exit code reports no findings."""
    begun, peak = time.perf_counter(), 0.0
    cpu: dict[int, float] = {}
    process = psutil.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None:
        resident = 0
        for each in _family(process):
            try:
                with each.oneshot():
                    resident += each.memory_info().rss
                    times = each.cpu_times()
            except psutil.Error:  # it ended since
                continue
            cpu[each.pid] = times.user + times.system
        peak = max(peak, resident / MIB)
        time.sleep(LOOK_SECONDS)
    seconds = time.perf_counter() - begun
    if process.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command)}: {process.stderr.read().decode()}")
    return Cost(seconds, sum(cpu.values()), peak)


def _family(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def one_file(folder: Path, lines: int) -> None:
    """A text file."""
    write(folder / "broker.log", log_lines(lines, EVERY))


def one_packed_file(folder: Path, lines: int) -> None:
    """A packed file."""
    with gzip.open(folder / "broker.log.gz", "wt", encoding="utf-8", compresslevel=1) as log:
        log.writelines(log_lines(lines, EVERY))


def many_queues(folder: Path, lines: int) -> None:
    """A text file that names up to 100,000 queues."""
    write(folder / "broker.log", log_lines(lines, EVERY, queues=MANY_QUEUES))


def many_files(folder: Path, lines: int) -> None:
    """The same lines in files of 200 lines, each of another host."""
    drawn = log_lines(lines, EVERY)
    for number in range(lines // SMALL_FILE):
        host = folder / f"host-{number}"
        host.mkdir()
        write(host / "broker.log", (next(drawn) for _ in range(SMALL_FILE)))


def write(log: Path, lines: Iterator[str]) -> None:
    """Write a log with these lines."""
    with log.open("w", encoding="utf-8") as file:
        file.writelines(lines)


SHAPES: dict[str, Callable[[Path, int], None]] = {
    "one file": one_file,
    "one packed file": one_packed_file,
    "100,000 queues": many_queues,
    "files of 200 lines": many_files,
}
COUNT = "find . -name '*.log' -exec cat {} + | wc -l; find . -name '*.gz' -exec zcat {} + | wc -l"
SORT = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
events = spark.read.parquet(sys.argv[1])
events.repartition("stream").sortWithinPartitions("stream", "seq").write.format("noop").mode("overwrite").save()
"""


@click.command(help=__doc__)
@click.option("--lines", default=1_000_000, show_default=True, help="Lines of each shape.")
@click.option("--shape", "shapes", multiple=True, type=click.Choice(list(SHAPES)), help="Only this shape.")
@click.option("--engine", type=click.Choice(["plain", "spark"]), default="plain", show_default=True)
@click.option("--sort/--no-sort", default=True, help="Whether Spark sorts the events of the first shape.")
def main(lines: int, shapes: tuple[str, ...], engine: str, sort: bool) -> None:
    """Measure each shape and print a row for it."""
    click.echo("| shape | seconds | CPU s | times `wc -l` | most memory, MiB | again, s | page, MB | report, MB |")
    click.echo("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="tidegate-") as name:
        for number, shape in enumerate(shapes or SHAPES):
            folder, store = Path(name) / "logs", Path(name) / "report"
            folder.mkdir()
            SHAPES[shape](folder, lines)
            command = [str(TIDEGATE), "trace", "check", str(folder), "--report", str(store), "--engine", engine]
            counted = cost_of(["sh", "-c", COUNT], folder)
            first, again = cost_of(command, folder), cost_of(command, folder)
            page, report = ((store / f"trace-report.{kind}").stat().st_size / 1e6 for kind in ("html", "json"))
            click.echo(
                f"| {shape} | {first.seconds:.1f} | {first.cpu_seconds:.1f} | {first.seconds / counted.seconds:.0f} "
                f"| {first.peak_mib:.0f} | {again.seconds:.1f} | {page:.1f} | {report:.1f} |"
            )
            if sort and number == 0:
                sorted_by_spark = cost_of([sys.executable, "-c", SORT, str(store / "events")], folder)
                click.echo(
                    f"| Spark sorts its events | {sorted_by_spark.seconds:.1f} | {sorted_by_spark.cpu_seconds:.1f} "
                    f"| | {sorted_by_spark.peak_mib:.0f} | | | |"
                )
            shutil.rmtree(folder)
            shutil.rmtree(store)


if __name__ == "__main__":
    main()
