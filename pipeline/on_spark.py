"""Work over many pieces, done by the workers of Spark."""

import pickle
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from tidegate.pipeline.runner import Item, Result


class OnSpark(NamedTuple):
    """By the workers of Spark, a task for each item; workers read and write the files of their item themselves."""

    spark: SparkSession

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if not items:
            return []
        answer = sf.udf(lambda number: pickle.dumps(work(items[number])), "binary", useArrow=False).asNondeterministic()
        # as many parts as items, so that each is a task of its own, which is done again where its worker ends
        numbers = self.spark.range(0, len(items), 1, len(items))
        answers = {row["id"]: row["answer"] for row in numbers.select("id", answer("id").alias("answer")).collect()}
        return [pickle.loads(answers[number]) for number in range(len(items))]  # noqa: S301 - workers wrote them
