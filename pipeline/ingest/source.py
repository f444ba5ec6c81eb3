"""A data source for Spark: its workers read the files themselves, one partition for each file."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from headgate.pipeline.ingest.inputs import Form, Input
from headgate.pipeline.ingest.log import read_log
from headgate.pipeline.ingest.rows import ROW_COLUMNS, batches
from headgate.pipeline.ingest.trace import read_trace_rows
from headgate.pipeline.schema import spark_schema

INPUTS = "inputs"


class Files(DataSource):
    """The rows of traces and logs; the option `inputs` is a JSON list of them."""

    @classmethod
    def name(cls) -> str:
        return "headgate"

    def schema(self) -> StructType:
        return spark_schema(*ROW_COLUMNS)

    def reader(self, schema: StructType) -> DataSourceReader:
        listed = json.loads(self.options[INPUTS])
        return FilesReader([Input(**{**each, "form": Form(each["form"])}) for each in listed])


class FilesReader(DataSourceReader):
    """Reads each file in one piece, so that its lines keep their order and their numbers."""

    def __init__(self, files: Sequence[Input]):
        self._files = files

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(file) for file in self._files]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        file: Input = partition.value
        return batches(read_trace_rows(file) if file.form is Form.TRACE else read_log(file))


def read_files(spark: SparkSession, files: Sequence[Input]) -> DataFrame:
    """The rows of these files, in the columns ROW_COLUMNS."""
    spark.dataSource.register(Files)
    return spark.read.format(Files.name()).option(INPUTS, json.dumps([asdict(file) for file in files])).load()
