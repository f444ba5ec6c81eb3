"""A streaming data source for Spark: ranges of bytes that came to logs, not the lines themselves.

Its offset says up to where each log was seen and at what time, so that Spark's own log of offsets makes a batch that
was cut short come again with the same ranges and the same time, wherever the files have gone by then.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from tidegate.pipeline.read.inputs import Input
from tidegate.pipeline.stream.growth import Part, Range, look, ranges
from tidegate.pipeline.stream.watch import Batch

LOGS = "logs"
SCHEMA = "wall bigint, log string, problem string, part string, start bigint, end bigint"
"""The first row of a batch has the time only, each other one a range of a log, or what is wrong with the log."""
Offset = dict[str, Any]
"""`wall`: when, in ms; `parts`: log to ordinal to part; `problems`: log to why it cannot be read."""


class GrowingLogs(DataSource):
    """The ranges of bytes that came to logs; the option `logs` is a JSON mapping of their names to their paths."""

    @classmethod
    def name(cls) -> str:
        return "tidegate-growing-logs"

    def schema(self) -> str:
        return SCHEMA

    def simpleStreamReader(self, schema: StructType) -> SimpleDataSourceStreamReader:  # noqa: N802
        return GrowingLogsReader(json.loads(self.options[LOGS]))


class GrowingLogsReader(SimpleDataSourceStreamReader):
    """Looks at each log whenever Spark asks. There is always something new: the time."""

    def __init__(self, logs: Mapping[str, str]):
        self._logs = logs

    def initialOffset(self) -> Offset:  # noqa: N802
        return {"wall": 0, "parts": {}, "problems": {}}

    def read(self, start: Offset) -> tuple[Iterator[tuple[Any, ...]], Offset]:
        end = {"wall": max(wall_ms(), start["wall"] + 1), "parts": {**start["parts"]}, "problems": {}}
        for name, path in self._logs.items():
            before = _parts(start, name)
            try:
                parts = look(Path(path), before[max(before)] if before else None)
            except OSError as error:
                end["problems"][name] = f"the log cannot be read now: {error.strerror}"
                continue
            end["parts"][name] = {str(part.ordinal): asdict(part) for part in parts}
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(self, start: Offset, end: Offset) -> Iterator[tuple[Any, ...]]:  # noqa: N802
        rows: list[tuple[Any, ...]] = [(end["wall"], None, None, None, None, None)]
        rows += [(None, name, problem, None, None, None) for name, problem in end["problems"].items()]
        for name in end["parts"]:
            for new in ranges(_parts(start, name), _parts(end, name)):
                rows.append((None, name, None, json.dumps(asdict(new.part)), new.start, new.end))
        return iter(rows)


def growing_logs(spark: SparkSession, logs: Sequence[Input]) -> DataFrame:
    """The ranges of bytes that come to these logs."""
    spark.dataSource.register(GrowingLogs)
    named = json.dumps({log.name: log.path for log in logs})
    return spark.readStream.format(GrowingLogs.name()).option(LOGS, named).load()


def wall_ms() -> int:
    """The clock of this machine, in ms since the epoch."""
    return time.time_ns() // 1_000_000


def batch_of(number: int, rows: Sequence[Row]) -> Batch:
    """What the rows of a batch say."""
    wall = next(row["wall"] for row in rows if row["wall"] is not None)
    unreadable = {row["log"]: row["problem"] for row in rows if row["problem"] is not None}
    new: dict[str, list[Range]] = {}
    for row in rows:
        if row["part"] is not None:
            new.setdefault(row["log"], []).append(Range(Part(**json.loads(row["part"])), row["start"], row["end"]))
    for each in new.values():
        each.sort(key=lambda found: found.part.ordinal)
    return Batch(number, wall, new, unreadable)


def _parts(offset: Offset, name: str) -> dict[int, Part]:
    return {int(ordinal): Part(**part) for ordinal, part in offset["parts"].get(name, {}).items()}
