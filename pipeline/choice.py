"""Which engine does the work: this process alone, or Spark."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

PLAIN_BYTES = 64 << 20
"""Files of fewer bytes altogether are little to do: Spark takes longer to start than this process to be done."""
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""Set by spark-submit, which then decides where Spark runs."""


class Engine(StrEnum):
    """Who does the work; the verdicts are the same."""

    AUTO = "auto"
    SPARK = "spark"
    PLAIN = "plain"


class Choice(NamedTuple):
    """The engine, plain or spark, and why it is this one."""

    engine: Engine
    why: str


def chosen(asked: Engine, size: int, master: str | None, environment: Mapping[str, str]) -> Choice:
    """The engine for files of so many bytes altogether, as they are on the disk."""
    if asked is not Engine.AUTO:
        return Choice(asked, "asked for")
    if master is not None:
        return Choice(Engine.SPARK, f"a master was named, {master}")
    if SUBMITTED in environment:
        return Choice(Engine.SPARK, "started by spark-submit")
    bound = f"{PLAIN_BYTES >> 20} MiB"
    if size < PLAIN_BYTES:
        return Choice(Engine.PLAIN, f"the files hold less than {bound}")
    return Choice(Engine.SPARK, f"the files hold {bound} or more")
