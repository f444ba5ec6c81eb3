"""Measures the cost of a watch with metrics while logs grow.

    python benchmarks/watch_metrics.py [--seconds 300] [--megabytes 1] [--every 10] [--renamed]

The benchmark writes the logs of two real runs, of Artemis and of Broker-J, repeatedly with present times. Both logs
together grow by `--megabytes` a second and are rotated every 64 MB. The metrics are scraped every 15 s, as by
Prometheus. Prints JSON: the share of one core that the watch takes for all lines of that time, also if a busy machine
delays the last lines; its peak resident memory; and the growth of that memory in MB per minute, by least squares over
the second half.
"""

import argparse
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import psutil

RUNS = Path(__file__).parents[1] / "tests" / "runs"
LOGS = ("artemis-2.44.0.log", "qpid-10.1.0.log")
MB = 1_000_000
ROTATED_BYTES = 64 * MB
SCRAPED_SECONDS = 15
STEP_SECONDS = 0.1
SETTLED_SECONDS = 0.5
STAMP = re.compile(rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}", re.MULTILINE)
NAMES = re.compile(rb"\b(con:|s)(\d+)(?=\(|\.)")
"""The number of a connection, and of the scenario in a destination's name."""


class Growing:
    """A log that grows by the lines of a run, round after round."""

    def __init__(self, run: Path, folder: Path, *, renamed: bool):
        self._lines = endless(run.read_bytes(), renamed=renamed)
        self._path = folder / run.name
        self._file = self._path.open("ab", buffering=0)
        self._owed = 0.0
        self.lines = 0
        self._rotations = 0

    def grow(self, size: float) -> int:
        """Append about `size` bytes in whole lines; the number of bytes appended."""
        self._owed += size
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S,%f}"[:-3].encode()
        text = bytearray()
        while len(text) < self._owed:
            text += STAMP.sub(now, next(self._lines))
        self._owed -= len(text)
        self.lines += text.count(b"\n")
        self._file.write(text)
        if self._file.tell() > ROTATED_BYTES:
            self._rotate()
        return len(text)

    def _rotate(self) -> None:
        self._rotations += 1
        self._file.close()
        rotated = self._path.with_name(f"{self._path.name}.{self._rotations}")
        self._path.rename(rotated)
        self._path.with_name(f"{self._path.name}.{self._rotations - 1}").unlink(missing_ok=True)
        self._file = self._path.open("ab", buffering=0)


def endless(text: bytes, *, renamed: bool) -> Iterator[bytes]:
    """The lines of a text repeated forever, with new names in each round if asked for."""
    for turn in count():
        yield from (renumbered(text, 1000 * turn) if renamed else text).splitlines(keepends=True)


def renumbered(text: bytes, more: int) -> bytes:
    """The text with other numbers in the names of connections and destinations."""
    return NAMES.sub(lambda found: b"%s%d" % (found[1], int(found[2]) + more), text)


def main() -> None:
    """Grow, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--megabytes", type=float, default=1)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--renamed", action="store_true", help="new connections and destinations each time round")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        logs = [Growing(RUNS / each, folder, renamed=options.renamed) for each in LOGS]
        for each in logs:
            each.grow(100_000)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = ["tidegate", "trace", "watch", *map(str, sorted(folder.glob("*.log"))), "--quiet"]
        metrics = ("--prometheus", str(port), "--every", str(options.every))
        watch = subprocess.Popen([Path(sys.executable).parent / command[0], *command[1:], *metrics])
        try:
            print(json.dumps(measured(watch, logs, port, options.seconds, options.megabytes)))
        finally:
            watch.terminate()
            watch.wait()


def measured(watch: subprocess.Popen[bytes], logs: list[Growing], port: int, seconds: float, rate: float) -> object:
    """Let the logs grow for `seconds`, and measure the watch from its first answer on."""
    url = f"http://127.0.0.1:{port}/metrics"
    while "tidegate_lines_total{" not in scraped(url):
        time.sleep(0.1)
    process = psutil.Process(watch.pid)
    before, begun, written, memory = process.cpu_times(), time.monotonic(), 0, []
    next_scrape = next_sample = begun
    while (now := time.monotonic()) < begun + seconds:
        for each in logs:
            owed = rate * MB * (now - begun) - written
            written += each.grow(owed / len(logs))
        if now >= next_sample:
            memory.append((now - begun, process.memory_info().rss / MB))
            next_sample = now + 1
        if now >= next_scrape:
            scraped(url)
            next_scrape = now + SCRAPED_SECONDS
        time.sleep(STEP_SECONDS)
    took = time.monotonic() - begun
    lines = sum(each.lines for each in logs)
    while (read := lines_in(text := scraped(url))) < lines:
        time.sleep(SETTLED_SECONDS)
    after = process.cpu_times()
    late = memory[len(memory) // 2 :]
    slope = linear_regression(*zip(*late, strict=True)).slope
    used = after.user + after.system - before.user - before.system
    return {
        "seconds": round(took, 1),
        "seconds until all was read": round(time.monotonic() - begun, 1),
        "MB written": round(written / MB, 1),
        "percent of a core": round(100 * used / took, 2),
        "peak MB": round(max(each for _, each in memory), 1),
        "MB a minute": round(60 * slope, 3),
        "series": text.count("\ntidegate_"),
        "lines": read,
    }


def lines_in(text: str) -> int:
    """The number of lines that the watch has read, by its metrics."""
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith("tidegate_lines_")))


def scraped(url: str) -> str:
    """All metrics as text; empty while nobody answers."""
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=10) as answer:
            return str(answer.read(), "utf-8")
    except URLError:
        return ""


if __name__ == "__main__":
    main()
