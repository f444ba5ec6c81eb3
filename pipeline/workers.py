"""An engine at work: where the pieces are read and judged, and the form of judging where that is refused."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.choice import Engine
from tidegate.pipeline.runner import Here, Runner
from tidegate.pipeline.streams import Stream
from tidegate.pipeline.tallies import Tallies, Witnesses

JudgeStreams = Callable[[Sequence[Stream], int], tuple[Tallies, Witnesses]]
"""From streams, and how many events to show of each rule that one does not hold of, to what the rules say of them."""


class Workers(NamedTuple):
    """`runner` does the work on each piece; `judge` judges streams that cannot be judged piece by piece."""

    runner: Runner
    judge: JudgeStreams
    other_form: str
    """How `judge` does it, as a part of a sentence."""


def workers(engine: Engine, chatter: Path, master: str | None, *, light: bool) -> Workers:
    """The workers of an engine; what Spark prints goes to the file `chatter`.

    Raises Unavailable where Spark is asked for and cannot start.
    """
    if engine is Engine.PLAIN:
        return Workers(Here(), _fold, "one event after the other")
    # a process that works alone never loads Spark
    from tidegate.pipeline.on_spark import OnSpark
    from tidegate.pipeline.session import spark_session
    from tidegate.pipeline.windows import streams as windows

    spark = spark_session(chatter, master, light=light)
    return Workers(OnSpark(spark), lambda streams, most: windows.judge(spark, streams, most=most), "by sorted windows")


def _fold(streams: Sequence[Stream], most: int) -> tuple[Tallies, Witnesses]:
    # imported here, for few streams cannot be judged piece by piece
    from tidegate.pipeline import folding

    return folding.judge(streams, most=most)
