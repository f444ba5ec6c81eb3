"""Ingest: reads files into two tables, the events and the lines put aside, and accounts for every line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as sf

from headgate.pipeline.ingest.inputs import Form, Input
from headgate.pipeline.ingest.rows import QUARANTINE_COLUMNS
from headgate.pipeline.ingest.source import read_files
from headgate.pipeline.schema import EVENT_COLUMNS, INPUT, LINE
from headgate.record.errors import BadInput, HeadgateError

EVENTS = "events"
QUARANTINE = "quarantine"
IS_EVENT = "seq IS NOT NULL"
IS_QUARANTINED = "expected IS NOT NULL"


@dataclass(frozen=True)
class Account:
    """Where the lines of one input went: `lines` = `events` + `ignored` + `quarantined`."""

    lines: int
    events: int
    ignored: int
    quarantined: int


@dataclass(frozen=True)
class Quarantined:
    """A line that looks relevant and could not be read; `line` counts from 1."""

    input: str
    line: int
    field: str | None
    expected: str
    text: str

    def __str__(self) -> str:
        return str(BadInput(self.expected, file=self.input, line=self.line, field=self.field))


@dataclass(frozen=True)
class Tables:
    """What was read: the events, an account for each input by its name, and the first lines put aside."""

    events: DataFrame
    accounts: dict[str, Account]
    quarantined: tuple[Quarantined, ...]


def ingest(spark: SparkSession, files: Sequence[Input], folder: Path, *, show: int) -> Tables:
    """Write `folder/events` and `folder/quarantine` as Parquet; give back the first `show` lines put aside.

    Raises BadInput for the first thing wrong in a trace, HeadgateError if a line of a log is unaccounted for.
    """
    rows = read_files(spark, files).persist()
    try:
        counted = _count(rows)
        _refuse_bad_traces(counted, files)
        accounts = {row[INPUT]: account(row) for row in counted}
        rows.where(IS_EVENT).select(*EVENT_COLUMNS).write.mode("overwrite").parquet(str(folder / EVENTS))
        put_aside = rows.where(IS_QUARANTINED).select(*QUARANTINE_COLUMNS)
        put_aside.write.mode("overwrite").parquet(str(folder / QUARANTINE))
        any_put_aside = any(each.quarantined for each in accounts.values())
        first = put_aside.orderBy(INPUT, LINE).limit(show).collect() if any_put_aside else []
    finally:
        rows.unpersist()
    events = spark.read.parquet(str(folder / EVENTS))
    return Tables(events, accounts, tuple(Quarantined(**row.asDict()) for row in first))


def _count(rows: DataFrame) -> list[Row]:
    """One row for each input: its lines, events, ignored and quarantined lines, and the first of these."""
    return (
        rows.groupBy(INPUT)
        .agg(
            sf.sum("lines").alias("lines"),
            sf.count_if(sf.expr(IS_EVENT)).alias("events"),
            sf.sum("ignored").alias("ignored"),
            sf.count_if(sf.expr(IS_QUARANTINED)).alias("quarantined"),
            sf.min(sf.when(sf.expr(IS_QUARANTINED), sf.struct(LINE, "expected", "field"))).alias("first"),
        )
        .collect()
    )


def _refuse_bad_traces(counted: Sequence[Row], files: Sequence[Input]) -> None:
    wrong = {row[INPUT]: row["first"] for row in counted if row["first"] is not None}
    for file in files:
        if file.form is Form.TRACE and file.name in wrong:
            first = wrong[file.name]
            raise BadInput(first["expected"], file=file.name, line=first[LINE], field=first["field"])


def account(row: Row) -> Account:
    """The account of one input from its counts; raises HeadgateError where they do not add up."""
    counts = Account(row["lines"], row["events"], row["ignored"], row["quarantined"])
    if counts.lines != counts.events + counts.ignored + counts.quarantined:
        raise HeadgateError(f"{row[INPUT]}: not every line is accounted for: {counts}")
    return counts
