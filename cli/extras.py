"""The libraries that commands over logs need beside tidegate itself, by extra."""

import os
from collections.abc import Sequence
from importlib.util import find_spec

from tidegate.record.errors import Unavailable

READERS = ("polars", "pyarrow")
SPARK = ("pyspark", *READERS)
MONITORS = ("prometheus_client", "opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


def require_logs(engine: str, master: str | None = None, *, purpose: str = "reading logs") -> None:
    """Raise Unavailable, in a sentence about the purpose, where a library of the engine is missing.

    Only the engine Spark needs Spark.
    """
    from tidegate.pipeline.work.engines import Engine, chosen

    if chosen(Engine(engine), master, os.environ).engine is Engine.SPARK:
        require_spark()
    elif missing := _missing(READERS):
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"{purpose} needs the extra 'logs' ({missing} not found): {how_to_install('logs')}")


def require_spark() -> None:
    """Raise Unavailable where Spark is chosen and missing."""
    if missing := _missing(SPARK):
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"Spark needs the extra 'pipeline' ({missing} not found): {how_to_install('pipeline')}")


def require_metrics() -> None:
    """Raise Unavailable where a library for serving or sending metrics is missing."""
    if missing := _missing((*READERS, *MONITORS)):
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"metrics need the extra 'metrics' ({missing} not found): {how_to_install('metrics')}")


def _missing(modules: Sequence[str]) -> str:
    """The names of the modules that are not installed, joined by `and`; empty where all are installed."""
    return " and ".join(name for name in modules if not _is_there(name))


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        # the package of the module is missing
        return False
