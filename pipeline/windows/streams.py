"""Judges streams by sorted windows over all of their events together."""

import re
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import LongType, StringType, StructField, StructType

from tidegate.pipeline.schema import LINE, SPLIT, TABLE_COLUMNS
from tidegate.pipeline.spark_schema import spark_schema
from tidegate.pipeline.streams import Stream, rules_of_all
from tidegate.pipeline.tallies import Tallies, Witnesses
from tidegate.pipeline.windows.judging import judge as by_windows

LINES_BEFORE = "lines_before"
PATTERN_SIGNS = re.compile(r"[][{}*?\\]")


def judge(spark: SparkSession, streams: Sequence[Stream], *, most: int) -> tuple[Tallies, Witnesses]:
    """What the rules say of each input of the streams, and the first `most` events of which one does not hold."""
    rules = rules_of_all(streams)
    asked = {(piece.input, rule) for stream in streams for piece in stream.pieces for rule in stream.rules}
    return by_windows(_events(spark, streams), rules, most=most, asked=asked)


def _literal(path: Path) -> str:
    """The name of a file as Spark takes it, for which it is a pattern."""
    return PATTERN_SIGNS.sub(r"\\\g<0>", str(path))


def _events(spark: SparkSession, streams: Sequence[Stream]) -> DataFrame:
    """All events, each with its line in the file."""
    pieces = [piece for stream in streams for piece in stream.pieces]
    events = spark.read.schema(spark_schema(*TABLE_COLUMNS)).parquet(*(_literal(piece.file.path) for piece in pieces))
    later = [(piece.split, piece.lines_before) for piece in pieces if piece.lines_before]
    if not later:
        return events
    columns = StructType([StructField(SPLIT, StringType()), StructField(LINES_BEFORE, LongType())])
    before = sf.broadcast(spark.createDataFrame(later, columns))
    line = (sf.col(LINE) + sf.coalesce(sf.col(LINES_BEFORE), sf.lit(0))).alias(LINE)
    return events.join(before, SPLIT, "left").select(*(line if name == LINE else name for name in TABLE_COLUMNS))
