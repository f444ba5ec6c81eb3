"""Who does the work of an engine: processes of this machine, or the workers of Spark."""

from pathlib import Path

from tidegate.pipeline.choice import Engine
from tidegate.pipeline.runner import Here, Processes, Runner, processors


def runner_of(engine: Engine, chatter: Path, master: str | None, *, light: bool) -> Runner:
    """The workers of an engine, given whether there is little to do; what Spark prints goes to the file `chatter`.

    Raises Unavailable where Spark is asked for and cannot start.
    """
    if engine is Engine.PLAIN:
        # for little, more processes take longer to start than it takes one to be done
        return Here() if light else Processes(processors())
    # a process that works alone never loads Spark
    from tidegate.pipeline.on_spark import OnSpark
    from tidegate.pipeline.session import spark_session

    return OnSpark(spark_session(chatter, master, light=light))
