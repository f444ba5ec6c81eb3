"""Work over many pieces, done by the workers of Spark."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from tidegate.pipeline.runner import Item, Result


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

        def in_a_task(item: Item) -> Result:
            result = work(item)
            _leave_loaded_alone()
            return result

        return self.spark.sparkContext.parallelize(items, len(items)).map(in_a_task).collect()


def _leave_loaded_alone() -> None:
    """Take what outlived the work out of the search for garbage that Spark has its worker make after each task.

    Going through all loaded modules would take a tenth of a second each time.
    """
    gc.collect()
    gc.freeze()
