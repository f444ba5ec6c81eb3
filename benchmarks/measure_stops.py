"""Measures how long it takes to find the stops in a stream of events, and to read these events once.

    python benchmarks/measure_stops.py [--events 10000000] [--bound 8]

`generated.py` makes the events, in splits of a million. One process measures them, as the plain engine does. The
figures are wall time, processor time and the most memory of the process. With --bound the program fails if measuring
takes more processor seconds.
"""

import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from generated import generate

from tidegate.pipeline import keep_memory
from tidegate.pipeline.files.parquet import Rows, scanned
from tidegate.pipeline.stops.frames import SCHEMA
from tidegate.pipeline.stops.measuring import MeasuredStream, measure
from tidegate.pipeline.work.engines import HERE

PER_SPLIT = 1_000_000


@click.command()
@click.option("--events", "count", type=click.IntRange(min=1), default=10_000_000, show_default=True)
@click.option("--bound", type=float, help="The most seconds of the processor that measuring may take.")
def main(count: int, bound: float | None) -> None:
    """Print the cost of measuring `count` events."""
    keep_memory()
    with TemporaryDirectory() as folder:
        files = generate(Path(folder), count, PER_SPLIT).files
        begun = time.perf_counter()
        for file in files:
            scanned(file.path).select(SCHEMA.names()).collect()
        read = time.perf_counter() - begun
        (Path(folder) / "measured").mkdir()
        rows = {each.path.stem: Rows(each.path, each.events) for each in files}
        begun, worked = time.perf_counter(), time.process_time()
        found = measure([[MeasuredStream("stream", rows)]], Path(folder) / "measured", HERE)
        took, worked = time.perf_counter() - begun, time.process_time() - worked
    print(f"{count:,} events, {found.episodes:,} stops")
    print(f"read   {read:6.2f} s")
    print(f"measure {took:5.2f} s, {worked:.2f} s of the processor, {count / took / 1e6:.2f} M events/s")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:6.2f} GiB")
    if bound is not None and worked > bound:
        sys.exit(f"expected at most {bound} s")


if __name__ == "__main__":
    main()
