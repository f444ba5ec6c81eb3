"""Work done by the workers of Spark, in a session that is the same for one machine and for a cluster."""

import atexit
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from tidegate.pipeline.work.engines import SUBMITTED, Item, Result
from tidegate.record.errors import Unavailable

LOCAL = "local[*]"
SETTINGS: Mapping[str, str] = {
    "spark.app.name": "tidegate",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.ui.showConsoleProgress": "false",
    # Spark runs a worker for each processor, so what runs in a worker is to use one only
    "spark.executorEnv.POLARS_MAX_THREADS": "1",
}
LOCAL_SETTINGS: Mapping[str, str] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
}
"""For one machine: nothing listens beyond loopback, and a shuffle has few parts."""
LIGHT_SETTINGS: Mapping[str, str] = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1"}
"""For little data on one machine: the compiler that is done soon, not the one whose code runs fastest."""
LONGEST_FOLDER = 60
"""Bytes that the path of a folder for sockets may have: with the names of these it has 43 more, and some systems allow
no more than 103."""


def spark_session(chatter: Path, master: str | None = None, *, light: bool = False) -> SparkSession:
    """The session of this process: one that is active, else a new one on `master`, by default this machine.

    What Spark prints goes to the file `chatter`. The session ends with the process, however that ends.
    `light` says that there is little to do, so that it pays to start fast. Raises Unavailable where there is no
    Java that Spark can run on.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    require_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    sockets = mkdtemp(prefix="tidegate-")
    # what workers that are still ending remove from it themselves is no error
    atexit.register(shutil.rmtree, sockets, ignore_errors=True)
    conf = SparkConf().setAll(settings(master, sockets, submitted=SUBMITTED in os.environ, light=light))
    with chatter.open("w", encoding="utf-8") as said:
        try:
            # what starts the JVM carries no types
            gateway = launch_gateway(conf, {"stdout": said, "stderr": said})  # type: ignore[no-untyped-call]
        except PySparkRuntimeError as error:
            reason = f"Spark did not start (it needs Java 17 or 21); what it said is in {chatter}"
            raise Unavailable(reason) from error
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def settings(master: str | None, sockets: str, *, submitted: bool, light: bool) -> list[tuple[str, str]]:
    """Spark's settings; `sockets` is a folder. Under spark-submit the master is left to it, unless one is asked for."""
    chosen = dict(SETTINGS)
    where = master if master or submitted else LOCAL
    if where:
        chosen["spark.master"] = where
    if where and where.startswith("local"):
        chosen |= {**LOCAL_SETTINGS, **socket_settings(sockets)}
        chosen |= LIGHT_SETTINGS if light else {}
    return list(chosen.items())


def socket_settings(folder: str) -> Mapping[str, str]:
    """What has Spark and its workers on one machine talk by sockets that are files in a folder, if its path allows it.

    By TCP, each of the two waits for the other's delayed acknowledgement, so that the least task takes 50 ms.
    """
    if len(os.fsencode(folder)) > LONGEST_FOLDER:
        return {}
    return {"spark.python.unix.domain.socket.enabled": "true", "spark.python.unix.domain.socket.dir": folder}


def require_java() -> None:
    """Raises Unavailable, in one sentence, where no `java` is found in JAVA_HOME or on the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if found is None:
        looked = "in JAVA_HOME" if home else "on the PATH"
        raise Unavailable(
            f"Spark needs a Java runtime, and there is no java {looked}; install JDK 17 or 21, or take --engine plain"
        )


class OnSpark(NamedTuple):
    """Work on the workers of Spark, a task for each item; workers read and write the files of their item themselves."""

    spark: SparkSession

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if not items:
            return []
        answer = sf.udf(lambda number: pickle.dumps(work(items[number])), "binary", useArrow=False).asNondeterministic()
        # as many parts as items, so that each is a task of its own, which is done again where its worker ends
        numbers = self.spark.range(0, len(items), 1, len(items))
        answers = {row["id"]: row["answer"] for row in numbers.select("id", answer("id").alias("answer")).collect()}
        return [pickle.loads(answers[number]) for number in range(len(items))]  # noqa: S301 - workers wrote them
