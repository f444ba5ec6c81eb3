"""Measures how fast a log is read into events, by the fast and by the careful reader, in one process.

    python benchmarks/parse_lines.py [--lines N] [--runs N]

Writes the log of a Qpid broker in which every fifth line is an event, and one in which every line is; and takes the
logs of real brokers in this repository, each repeated up to the same number of lines. The readers take turns, and the
run with the least processor time counts. A bare read is a loop of Python over the lines.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, marked_lines
from tidegate.pipeline.read.blocks import blocks
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.read.log import marked, read_logs
from tidegate.pipeline.read.reading import ranges
from tidegate.pipeline.read.split import Split
from tidegate.record.events import Event

HERE = Path(__file__).parent
REAL = (
    *sorted((HERE.parent / "reports").glob("*/broker-*.log")),
    *sorted((HERE.parent / "tests" / "pipeline" / "logs" / "rabbitmq").glob("*.log")),
)
SPLIT_BYTES = 64 << 20
QUEUES = 1000
CONNECTIONS = 500
BEGIN = datetime(2026, 1, 31)


def log_lines(count: int, every: int, seed: int = 1, queues: int = QUEUES) -> Iterator[str]:
    """Lines of a Qpid log; one in `every` of them is about a queue or a channel that is stopped or released."""
    draw = random.Random(seed)
    for time_ms in accumulate(draw.randrange(40) for _ in range(count)):
        stamp = (BEGIN + timedelta(milliseconds=time_ms)).isoformat(timespec="milliseconds").replace(".", ",")
        queue, number = f"orders.{draw.randrange(queues)}", draw.randrange(CONNECTIONS)
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
    """The logs with their numbers of lines; each is written when the previous one is done with."""
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
    """The splits of a log, as in a check."""
    (file,) = inputs([log])
    bounds = ranges(file, 0, log.stat().st_size, SPLIT_BYTES)
    return [Split(file, *bound) for bound in bounds]


def read(log: Path) -> int:
    """The number of events in a log."""
    return sum(read_logs([split]).events.height for split in splits_of(log))


def read_with_care(log: Path) -> int:
    """The number of events in a log, by the careful reader alone."""
    (file,) = inputs([log])
    reader, count = CarefulReader(LOG_FORMS[file.form]), 0
    with log.open("rb") as text:
        for block in blocks(text, 0, log.stat().st_size, reader.form.begins):
            found = marked(block, marked_lines(reader.form, block.text), reader, file.stream, file.ordinal)
            count += sum(isinstance(each.what, Event) for each in found)
    return count


def looped_over(log: Path) -> int:
    """The number of lines in a loop of Python."""
    with log.open(encoding="utf-8") as lines:
        return sum(1 for _ in lines)


def best(works: tuple[Callable[[Path], object], ...], log: Path, runs: int) -> list[float]:
    """The least processor time of each work, in seconds; they take turns."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, times in zip(works, taken, strict=True):
            started = time.process_time()
            work(log)
            times.append(time.process_time() - started)
    return [min(times) for times in taken]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=2)
    asked = parser.parse_args()
    print("| log | events | bare read, lines/CPU s | fast | careful | MB/CPU s, fast |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for log, lines in logs(Path(folder), asked.lines):
            share = read(log) / lines
            bare, fast, careful = best((looped_over, read, read_with_care), log, asked.runs)
            rates = " | ".join(f"{lines / each:,.0f}" for each in (bare, fast, careful))
            print(f"| {log.name} | {share:.0%} | {rates} | {log.stat().st_size / fast / 1e6:,.0f} |", flush=True)
            log.unlink()


if __name__ == "__main__":
    main()
