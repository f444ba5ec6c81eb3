"""Who does the work over many pieces: this process, several, or the workers of Spark. The work is the same."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""Set by spark-submit, which then decides where Spark runs."""
ONE_THREAD = {"POLARS_MAX_THREADS": "1"}
"""Variables for several processes at once: together they use all processors, so each is to use one thread."""

PER_PROCESS = 100
"""Pieces of work for each process; where items are more, a piece is several of them."""


def nobody(result: object) -> None:
    """Is told of a result, and does nothing."""


class Runner(Protocol):
    """Does work on each item apart; results come in the order of the items and are small, for they come by memory."""

    def each(
        self, work: Callable[[Item], Result], items: Sequence[Item], done: Callable[[Result], object] = nobody
    ) -> list[Result]:
        """What the work makes of each item. What it raises for one of them is raised here.

        `done` is told of each result, at the latest once all are there.
        """


class Processes:
    """In processes of this machine, at most so many at once; the first work for several items starts them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._pool: ProcessPoolExecutor | None = None

    def each(
        self, work: Callable[[Item], Result], items: Sequence[Item], done: Callable[[Result], object] = nobody
    ) -> list[Result]:
        count = min(self.most, len(items))
        if count < 2:
            return _told(map(work, items), done)
        with _variables_of_children():
            # one by one as long as they are few, for they may be large
            results = self._started().map(work, items, chunksize=-(-len(items) // (PER_PROCESS * count)))
            return _told(results, done)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown()

    def _started(self) -> "ProcessPoolExecutor":
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # a process that is forked off one with threads may hang
            self._pool = ProcessPoolExecutor(self.most, mp_context=get_context("spawn"))
        return self._pool


@contextmanager
def _variables_of_children() -> Iterator[None]:
    """Set what processes are started with, beside variables that somebody has set."""
    added = {name: value for name, value in ONE_THREAD.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


def _told(results: Iterable[Result], done: Callable[[Result], object]) -> list[Result]:
    found = []
    for each in results:
        found.append(each)
        done(each)
    return found


HERE = Processes(1)
"""In this process, one item after the other."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Engine(StrEnum):
    """Who does the work; the verdicts are the same."""

    AUTO = "auto"
    SPARK = "spark"
    PLAIN = "plain"


class Choice(NamedTuple):
    """The engine, plain or spark, and why it is this one."""

    engine: Engine
    why: str


def chosen(asked: Engine, master: str | None, environment: Mapping[str, str]) -> Choice:
    """The engine: on one machine it is this process and others that it starts, for Spark is for several machines."""
    if asked is not Engine.AUTO:
        return Choice(asked, "asked for")
    if master is not None:
        return Choice(Engine.SPARK, f"a master was named, {master}")
    if SUBMITTED in environment:
        return Choice(Engine.SPARK, "started by spark-submit")
    return Choice(Engine.PLAIN, "no cluster was named")


@contextmanager
def runner_of(engine: Engine, chatter: Path, master: str | None, *, light: bool) -> Iterator[Runner]:
    """The workers of an engine, given whether there is little to do; what Spark prints goes to the file `chatter`.

    Processes end with the block. Raises Unavailable where Spark is asked for and cannot start.
    """
    if engine is Engine.PLAIN:
        # for little, more processes take longer to start than it takes one to be done
        with closing(Processes(1 if light else processors())) as workers:
            yield workers
    else:
        # a process that works alone never loads Spark
        from tidegate.pipeline.work.spark import OnSpark, spark_session

        yield OnSpark(spark_session(chatter, master))


Show = Callable[[int], object]
"""Told of each split that is read how many lines it has."""


class Progress:
    """Told what is being done; by itself it tells nobody."""

    def stage(self, doing: str) -> None:
        """Something else is being done now."""

    def reading(self, splits: int) -> AbstractContextManager[Show]:
        """So many splits are read while the block runs."""
        return nullcontext(lambda lines: None)


NO_PROGRESS = Progress()
