"""Work over many pieces, done by the workers of Spark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from headgate.pipeline.runner import Item, Result


@dataclass(frozen=True)
class OnSpark:
    """By the workers of Spark, a task for each item; workers read and write the files of their item themselves."""

    spark: SparkSession

    @property
    def workers(self) -> int:
        return self.spark.sparkContext.defaultParallelism

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if not items:
            return []
        return self.spark.sparkContext.parallelize(items, len(items)).map(work).collect()
