"""Runs a watch as a query of Structured Streaming."""

import logging
from collections.abc import Sequence
from pathlib import Path

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from tidegate.pipeline.read.inputs import Input
from tidegate.pipeline.stream.source import batch_of, growing_logs, wall_ms
from tidegate.pipeline.stream.watch import Watch

CHECKPOINT = "checkpoint"
POLL_SECONDS = 1
"""How soon the end of a query is noticed."""
MOST_FAILURES = 5
"""Failures of Spark without a look in between after which there is no use in going on."""
BRIDGE = logging.getLogger("py4j.clientserver")
"""Who would print the traceback of what the watch raises, which this module raises again."""


class EnoughLooksError(Exception):
    """As many looks were taken as were asked for."""


def run_once(spark: SparkSession, logs: Sequence[Input], watch: Watch, folder: Path) -> None:
    """Judge what the logs hold now that was not judged before."""
    began = wall_ms()
    query = _Query(spark, logs, watch, folder)
    query.run(None)
    while query.last_look is not None and query.last_look < began:
        # a batch that an earlier watch left undone comes first, and alone
        query.run(None)


def keep_running(
    spark: SparkSession, logs: Sequence[Input], watch: Watch, folder: Path, *, every_ms: int, looks: int | None
) -> None:
    """Look at the logs every so many ms, so many times or until interrupted."""
    _Query(spark, logs, watch, folder).run(every_ms, looks)


class _Query:
    """A query that hands each batch to the watch; `last_look` is when the logs were looked at for the last, in ms."""

    def __init__(self, spark: SparkSession, logs: Sequence[Input], watch: Watch, folder: Path):
        self._spark, self._logs, self._watch = spark, logs, watch
        self._checkpoint = str(folder / CHECKPOINT)
        self._failure: Exception | None = None
        self._looks = 0
        self._most: int | None = None
        self.last_look: int | None = None

    def run(self, every_ms: int | None, looks: int | None = None) -> None:
        """Look every so many ms, so many times, or once and at no interval; what the watch raises is raised here.

        What fails in Spark itself is begun again, for a restart goes on exactly where it stopped: on a busy machine
        its workers may need longer to start than it waits for them.
        """
        self._most = looks
        failures = 0
        while True:
            done = self._looks
            try:
                self._run(every_ms)
            except (PySparkException, Py4JError) as error:
                if self._has_enough():
                    return
                failures = 1 if self._looks > done else failures + 1
                if self._failure is not None or failures == MOST_FAILURES:
                    raise (self._failure or error) from None
            else:
                return

    def _run(self, every_ms: int | None) -> None:
        writer = growing_logs(self._spark, self._logs).writeStream.foreachBatch(self._take)
        writer = writer.option("checkpointLocation", self._checkpoint)
        if every_ms is None:
            query = writer.trigger(availableNow=True).start()
        else:
            query = writer.trigger(processingTime=f"{every_ms} milliseconds").start()
        try:
            while not query.awaitTermination(POLL_SECONDS):
                if self._has_enough():
                    break
        finally:
            query.stop()

    def _take(self, rows: DataFrame, number: int) -> None:
        BRIDGE.setLevel(logging.CRITICAL)
        if self._has_enough():
            # the query is about to be stopped; a batch that is refused comes again
            raise EnoughLooksError
        batch = batch_of(number, rows.collect())
        try:
            self._watch.take(batch)
        except Exception as error:
            # Spark hands on no more than its text
            self._failure = error
            raise
        self.last_look = batch.wall
        self._looks += 1

    def _has_enough(self) -> bool:
        return self._most is not None and self._looks >= self._most
