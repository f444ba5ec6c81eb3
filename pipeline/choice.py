"""Which engine does the work: this process alone, or Spark."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

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


def chosen(asked: Engine, master: str | None, environment: Mapping[str, str]) -> Choice:
    """The engine: on one machine it is this process and others that it starts, for Spark is for several machines."""
    if asked is not Engine.AUTO:
        return Choice(asked, "asked for")
    if master is not None:
        return Choice(Engine.SPARK, f"a master was named, {master}")
    if SUBMITTED in environment:
        return Choice(Engine.SPARK, "started by spark-submit")
    return Choice(Engine.PLAIN, "no cluster was named")
