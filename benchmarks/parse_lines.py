"""How long parsing a log takes, as a multiple of only reading its lines, both measured in one run.

    python benchmarks/parse_lines.py [--lines N] [--runs N] [--plain]

Writes the log of a Qpid broker in which every fifth line is an event, and one in which every line is; and takes the
logs of real brokers that stand in this repository, each again and again until it has as many lines. Prints how many
lines a second are only read and how many are parsed: by Spark, one task a core, and in one process alone. Of each
pair the best of the runs counts, and the runs take turns. A bare read is Spark's scan of a text file to lines that
nobody takes, and a loop of Python over the lines of an open file.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path

from tidegate.pipeline.ingest.inputs import inputs
from tidegate.pipeline.ingest.reading import ranges, read_split, stream_of
from tidegate.pipeline.ingest.split import Split

HERE = Path(__file__).parent
REAL = (
    *sorted((HERE.parent / "reports").glob("*/broker-*.log")),
    *sorted((HERE.parent / "tests" / "pipeline" / "logs" / "rabbitmq").glob("*.log")),
)
SPLIT_BYTES = 64 << 20
QUEUES = 1000
CONNECTIONS = 500
GOAL = 1.5
BEGIN = datetime(2026, 1, 31)


def log_lines(count: int, every: int, seed: int = 1) -> Iterator[str]:
    """Lines of a Qpid log; one in `every` of them is about a queue or a channel that is stopped or let go."""
    draw = random.Random(seed)
    for time_ms in accumulate(draw.randrange(40) for _ in range(count)):
        stamp = (BEGIN + timedelta(milliseconds=time_ms)).isoformat(timespec="milliseconds").replace(".", ",")
        queue, number = f"orders.{draw.randrange(QUEUES)}", draw.randrange(CONNECTIONS)
        channel = f"con:{number}(guest@/10.0.0.{number % 250}:{40000 + number}/test)/ch:{draw.randrange(4)}"
        told = _event(draw, queue, channel) if draw.randrange(every) == 0 else _other(draw, queue, channel)
        yield f"{stamp}Z INFO  [IO-/10.0.0.1:60360] (q.m.queue) - {told}\n"


def _event(draw: random.Random, queue: str, channel: str) -> str:
    size, rest = draw.randrange(10**6, 10**7), "Messages : 3, Message Capacity : -1"
    about = f"[{channel}] [vh(/test)/qu({queue})]"
    return draw.choice((
        f"{about} QUE-1003 : Overfull : Size : {size:,} bytes, Capacity : 1,000,000, {rest}",
        f"{about} QUE-1004 : Underfull : Size : {size // 20:,} bytes, Resume Capacity : 800,000",
        f"[{channel}] [{channel}] CHN-1005 : Flow Control Enforced (Queue {queue})",
        f"[{channel}] [{channel}] CHN-1006 : Flow Control Removed",
    ))  # fmt: skip


def _other(draw: random.Random, queue: str, channel: str) -> str:
    return draw.choice((
        f"[{channel}] CON-1001 : Open : Client ID : producer : Protocol Version : 0-91 : Client Version : 1.4.4",
        f"[{channel}] [sub:0(vh(/test)/qu({queue})] SUB-1003 : State : SUSPENDED",
        f"[Broker] [vh(/test)/ex(direct/<<default>>)/qu({queue})/rk({queue})] BND-1001 : Create",
    ))  # fmt: skip


def logs(folder: Path, lines: int) -> Iterator[tuple[Path, int]]:
    """The logs and how many lines they have, each written when the one before is done with."""
    for every in (5, 1):
        log = folder / f"generated-qpid-{every}.log"
        with log.open("w", encoding="utf-8") as file:
            file.writelines(log_lines(lines, every))
        yield log, lines
    for real in REAL:
        text = real.read_bytes()
        times = lines // text.count(b"\n") + 1
        log = folder / real.name
        log.write_bytes(text * times)
        yield log, text.count(b"\n") * times


def splits_of(log: Path) -> list[Split]:
    """The splits of a log, as a check reads it."""
    (file,) = inputs([log])
    bounds = ranges(file, 0, log.stat().st_size, SPLIT_BYTES)
    return [Split(stream_of(file), n, file, *bound) for n, bound in enumerate(bounds, start=1)]


def parsed(split: Split) -> int:
    """How many lines of a split are events."""
    return read_split(split).events.height


def looped_over(log: Path) -> int:
    """How many lines a loop of Python meets."""
    with log.open(encoding="utf-8") as lines:
        return sum(1 for _ in lines)


def by_spark(chatter: Path) -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    """Reading and parsing by Spark on this machine."""
    from tidegate.pipeline.on_spark import OnSpark
    from tidegate.pipeline.session import spark_session

    spark = spark_session(chatter)
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(SPLIT_BYTES))
    runner = OnSpark(spark)
    return (
        lambda log: spark.read.text(str(log)).write.format("noop").mode("overwrite").save(),
        lambda log: sum(runner.each(parsed, splits_of(log))),
    )


def alone() -> tuple[Callable[[Path], object], Callable[[Path], object]]:
    """Reading and parsing in this process."""
    return looped_over, lambda log: sum(parsed(split) for split in splits_of(log))


def best(works: tuple[Callable[[Path], object], ...], log: Path, runs: int) -> list[float]:
    """The shortest wall time of each work in seconds; they take turns."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, times in zip(works, taken, strict=True):
            started = time.perf_counter()
            work(log)
            times.append(time.perf_counter() - started)
    return [min(times) for times in taken]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--plain", action="store_true", help="without Spark")
    asked = parser.parse_args()
    print(f"{asked.lines:,} lines, {os.cpu_count()} cores; goal: at most {GOAL} times a bare read by Spark")
    print(f"{'log':34} {'events':>7} {'by':>6} {'read, lines/s':>14} {'parsed, lines/s':>16} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        ways = {"alone": alone()} | ({} if asked.plain else {"spark": by_spark(Path(folder) / "spark.txt")})
        for log, lines in logs(Path(folder), asked.lines):
            share = sum(parsed(split) for split in splits_of(log)) / lines
            for name, works in ways.items():
                read, parse = best(works, log, asked.runs)
                rates = f"{lines / read:14,.0f} {lines / parse:16,.0f}"
                print(f"{log.name:34} {share:7.0%} {name:>6} {rates} {parse / read:6.2f}", flush=True)
            log.unlink()


if __name__ == "__main__":
    main()
