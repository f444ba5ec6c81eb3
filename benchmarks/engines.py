"""Measures `tidegate trace check` on one machine, by engine, for logs of growing size.

    python benchmarks/engines.py [--sizes 8,64,256] [--processors N]

Writes logs of one Qpid broker in which every fifth line is an event, checks each by both engines into empty stores, and
prints wall times. The engines must find the same. Spark runs on this machine alone and may use as many processors as
the plain engine.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import click
from parse_lines import log_lines

MIB = 1 << 20
LINES = 100_000


def write_log(path: Path, size: int) -> None:
    """Write the same lines to a log repeatedly, up to `size` bytes."""
    text = "".join(log_lines(LINES, 5)).encode()
    with path.open("wb") as log:
        while log.tell() < size:
            log.write(text)


def check(log: Path, engine: str, store: Path, processors: int) -> tuple[float, object]:
    """The wall time of a check in seconds, and its verdicts."""
    # Spark on this machine may use no more processors than its master says
    master = ["--master", f"local[{processors}]"] if engine == "spark" else []
    command = [
        str(Path(sys.executable).with_name("tidegate")),
        "trace",
        "check",
        str(log),
        "--report",
        str(store),
        "--quiet",
    ]
    begun = perf_counter()
    subprocess.run([*command, "--engine", engine, *master], check=False)
    wall = perf_counter() - begun
    report = json.loads((store / "trace-report.json").read_text())
    shutil.rmtree(store)
    return wall, report["inputs"]


@click.command()
@click.option("--sizes", default="8,64,256", show_default=True, help="MiB of each log")
@click.option("--processors", default=len(os.sched_getaffinity(0)), show_default=True)
def main(sizes: str, processors: int) -> None:
    """Measure and print."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:processors])
    click.echo(f"{processors} processors\n\n| MiB | engine | seconds |\n|---:|---|---:|")
    with tempfile.TemporaryDirectory(prefix="tidegate-") as name:
        log, store = Path(name) / "broker.log", Path(name) / "store"
        for size in map(int, sizes.split(",")):
            write_log(log, size * MIB)
            said = []
            for engine in ("plain", "spark"):
                wall, found = check(log, engine, store, processors)
                click.echo(f"| {size} | {engine} | {wall:.1f} |")
                said.append(found)
            if said[0] != said[1]:
                raise SystemExit(f"{size} MiB: expected both engines to find the same")


if __name__ == "__main__":
    main()
