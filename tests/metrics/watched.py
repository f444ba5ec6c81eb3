"""A watch with metrics in a process of its own, over logs that a test lets grow."""

import os
import signal
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import polars as pl
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.waiting import eventually
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.stops import tables
from tidegate.pipeline.work.engines import Engine

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "tests" / "runs"
LOGS = ROOT / "tests" / "pipeline" / "logs"
EVERY = "0.2"
Key = tuple[str, str, str]
"""Destination, cause, and what is stopped."""


class Watched:
    """A watch that serves at `port`; `said` is what it had said on standard error once it has ended."""

    def __init__(self, process: subprocess.Popen[str], port: int):
        self.process, self.port, self.said = process, port, ""

    def families(self) -> Mapping[str, Metric]:
        """All metrics by their names, as a monitor of today reads them; none while nobody answers."""
        try:
            with build_opener(ProxyHandler({})).open(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
                return {each.name: each for each in text_string_to_metric_families(answer.read().decode())}
        except URLError:
            return {}

    def value(self, name: str, **labels: str) -> float:
        """The sum of all samples of a metric that have these labels."""
        family = self.families().get(name.removesuffix("_total"))
        samples = [] if family is None else family.samples
        return sum(
            each.value for each in samples if each.name == name and labels.items() <= each.labels.items()
        )  # fmt: skip

    def by_stop(self, name: str) -> Mapping[Key, float]:
        """The samples of a metric by what is stopped and by what."""
        family = self.families()[name.removesuffix("_total")]
        return {
            (each.labels["destination"], each.labels["cause"], each.labels["of"]): each.value
            for each in family.samples
            if each.name == name
        }

    def comes_to(self, name: str, value: float, **labels: str) -> bool:
        """Whether a metric has a value before long."""
        return eventually(lambda: self.value(name, **labels) == value)

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it by a signal; gives the exit code."""
        self.process.send_signal(number)
        self.said += self.process.communicate(timeout=60)[1]
        return self.process.returncode


def free_port() -> int:
    """A port of this machine that nobody has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def started(*arguments: object) -> subprocess.Popen[str]:
    """`tidegate trace watch` with these arguments."""
    return subprocess.Popen(
        [sys.executable, "-m", "tidegate.cli", "trace", "watch", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )


@contextmanager
def watching(*arguments: object, every: str = EVERY) -> Iterator[Watched]:
    """A watch that has looked at its logs once; it is ended at the end of the block if it has not ended by then."""
    port = free_port()
    process = started(*arguments, "--prometheus", port, "--every", every)
    watched = Watched(process, port)
    try:
        assert eventually(
            lambda: watched.value("tidegate_last_look_timestamp_seconds") > 0 or process.poll() is not None
        )
        yield watched
    finally:
        if process.poll() is None:
            watched.end(signal.SIGKILL)


def in_pieces(log: Path, count: int) -> Sequence[bytes]:
    """The bytes of a log in about so many pieces, most of which end within a line."""
    text = log.read_bytes()
    size = len(text) // count + 1
    return [text[start : start + size] for start in range(0, len(text), size)]


def append(log: Path, text: bytes) -> None:
    """Append to a log as a broker does."""
    with log.open("ab") as file:
        file.write(text)


def checked(log: Path, folder: Path) -> Mapping[Key, tuple[int, float]]:
    """What a check of the whole log says: stops whose begin it tells, and seconds blocked in all."""
    check_files([log], folder, catalogue(), engine=Engine.PLAIN)
    found: Counter[Key] = Counter()
    seconds: defaultdict[Key, float] = defaultdict(float)
    stops = tables.stops(folder).filter(pl.col("begin") == "told").collect()
    for row in stops.iter_rows(named=True):
        key = (row["destination"] or "", row["cause"], row["of"])
        found[key] += 1
        seconds[key] += (row["at_least_ms"] or 0) / 1000
    return {key: (found[key], seconds[key]) for key in found}
