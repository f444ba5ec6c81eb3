"""Engines for work over many pieces: this process, several, or the workers of Spark. The work is the same."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""The variable that spark-submit sets; it then decides where Spark runs."""
PER_PROCESS = 100
"""The pieces of work for each process; with more items, a piece is several items."""


class Runner(Protocol):
    """Does work on each item separately; results are in the order of the items, and small, for memory holds them."""

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """The result of the work for each item, at the latest once all are there. An exception of the work is raised
        here.
        """


class Processes:
    """Runs work in processes of this machine, at most `most` at once; the first work for several items starts them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._pool: ProcessPoolExecutor | None = None

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        count = min(self.most, len(items))
        if count < 2:
            return map(work, items)
        # one by one while they are few, since they may be large
        results = self._started().map(work, items, chunksize=-(-len(items) // (PER_PROCESS * count)))
        # a handler of polars lets a wait go on after Ctrl-C; without this, it is noticed with the next result
        signal.siginterrupt(signal.SIGINT, True)
        return results

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown()

    def _started(self) -> "ProcessPoolExecutor":
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # a process forked from one with threads may hang
            self._pool = ProcessPoolExecutor(self.most, mp_context=get_context("spawn"), initializer=_begin)
        return self._pool


def _begin() -> None:
    """Have this process use one thread, unless the user says otherwise: together processes use all processors.

    Ctrl-C reaches every process of the terminal; the parent ends its workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("POLARS_MAX_THREADS", "1")


HERE = Processes(1)
"""The runner in this process, one item after the other."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Engine(StrEnum):
    """The engine of a check; the verdicts are the same."""

    AUTO = "auto"
    SPARK = "spark"
    PLAIN = "plain"


class Choice(NamedTuple):
    """The engine, plain or spark, and why it is this one."""

    engine: Engine
    why: str


def chosen(asked: Engine, master: str | None, environment: Mapping[str, str]) -> Choice:
    """The engine: on one machine it is this process and others that it starts, since Spark is for several machines."""
    if asked is not Engine.AUTO:
        return Choice(asked, "asked for")
    if master is not None:
        return Choice(Engine.SPARK, f"a master was named, {master}")
    if SUBMITTED in environment:
        return Choice(Engine.SPARK, "started by spark-submit")
    return Choice(Engine.PLAIN, "no cluster was named")


@contextmanager
def runner_of(engine: Engine, chatter: Path, master: str | None, *, light: bool) -> Iterator[Runner]:
    """The workers of an engine; `light` says that there is little work, and Spark's output goes to the file `chatter`.

    Processes end with the block. Raises Unavailable where Spark is asked for and cannot start.
    """
    if engine is Engine.PLAIN:
        # for little work, starting processes takes longer than the work
        with closing(Processes(1 if light else processors())) as workers:
            yield workers
    else:
        # a process that works alone never loads Spark
        from tidegate.pipeline.work.spark import OnSpark, spark_session

        yield OnSpark(spark_session(chatter, master))


Show = Callable[[int], object]
"""Called with the number of lines of each split that was read."""


class Progress:
    """Takes reports of progress; this class ignores them."""

    def stage(self, doing: str) -> None:
        """Report the stage of work that begins now."""

    def reading(self, splits: int) -> AbstractContextManager[Show]:
        """Report that so many splits are read while the block runs; yield the call for each split."""
        return nullcontext(lambda lines: None)


NO_PROGRESS = Progress()
