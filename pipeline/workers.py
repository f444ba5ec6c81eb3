"""Who does the work of an engine: this process, or the workers of Spark."""

from pathlib import Path

from tidegate.pipeline.choice import Engine
from tidegate.pipeline.runner import Here, Runner


def runner_of(engine: Engine, chatter: Path, master: str | None, *, light: bool) -> Runner:
    """The workers of an engine; what Spark prints goes to the file `chatter`.

    Raises Unavailable where Spark is asked for and cannot start.
    """
    if engine is Engine.PLAIN:
        return Here()
    # a process that works alone never loads Spark
    from tidegate.pipeline.on_spark import OnSpark
    from tidegate.pipeline.session import spark_session

    return OnSpark(spark_session(chatter, master, light=light))
