"""Work done by the workers of Spark, in a session that is the same for one machine and for a cluster."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from tidegate.pipeline.work.engines import SUBMITTED, Item, Result
from tidegate.record.errors import Unavailable

LOCAL = "local[*]"
SETTINGS: Mapping[str, str] = {
    "spark.app.name": "tidegate",
    "spark.ui.showConsoleProgress": "false",
    # Spark runs a worker for each processor, so code in a worker should use one processor only
    "spark.executorEnv.POLARS_MAX_THREADS": "1",
}
LOCAL_SETTINGS: Mapping[str, str] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    # Java does little here, since workers read and write their files themselves: quick compilation beats good
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}
"""The settings for one machine: nothing listens beyond loopback."""


def spark_session(chatter: Path, master: str | None = None) -> SparkSession:
    """The session of this process: the active one, else a new one on `master`, by default this machine.

    Spark's output goes to the file `chatter`. The session ends with the process, even a killed one.
    Raises Unavailable where no suitable Java is found.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    require_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAll(settings(master, submitted=SUBMITTED in os.environ))
    with chatter.open("w", encoding="utf-8") as said:
        try:
            # launch_gateway has no types
            gateway = launch_gateway(conf, {"stdout": said, "stderr": said})  # type: ignore[no-untyped-call]
        except PySparkRuntimeError as error:
            reason = f"Spark did not start (it needs Java 17 or 21); what it said is in {chatter}"
            raise Unavailable(reason) from error
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def settings(master: str | None, *, submitted: bool) -> list[tuple[str, str]]:
    """Spark's settings. Under spark-submit the master is left to it, unless one is given."""
    chosen = dict(SETTINGS)
    where = master if master or submitted else LOCAL
    if where:
        chosen["spark.master"] = where
    if where and where.startswith("local"):
        chosen |= LOCAL_SETTINGS
    return list(chosen.items())


def require_java() -> None:
    """Raise Unavailable, in one sentence, where no `java` is found in JAVA_HOME or on the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if found is None:
        looked = "in JAVA_HOME" if home else "on the PATH"
        raise Unavailable(
            f"Spark needs a Java runtime, and there is no java {looked}; install JDK 17 or 21, or take --engine plain"
        )


class OnSpark(NamedTuple):
    """Runs work on the workers of Spark, a task for each item, which reads and writes the item's files itself."""

    spark: SparkSession

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        if not items:
            return iter(())
        # as many parts as items, so that each is a task of its own, which Spark repeats if its worker ends
        return iter(self.spark.sparkContext.parallelize(items, len(items)).map(work).collect())
