"""What stops somebody, in one vocabulary for logs and traces."""

import polars as pl

from headgate.pipeline.measure.frames import of_kind
from headgate.pipeline.measure.limits import ORDERED_NOW, POSSIBLE
from headgate.record.events import Kind

UNKNOWN = "unknown"
ORDER = "order"
"""Management ordered it."""
NAMES = {
    "CHN-1005": "capacity",
    "CHN-1006": "capacity",
    "QUE-1003": "capacity",
    "QUE-1004": "capacity",
    "MST-1008": "disk-quota",
    "MST-1009": "disk-quota",
    "size": "max-size",
}
"""What an event from a log gives as its cause, to the name that traces have for it."""
RESOURCES = ("memory", "store", "temp", "disk", "disk-quota")
"""Causes that a release names where it is about just one of them."""
LIMITS_OF_CAUSES = {"messages": "max-size", "global-size": "max-size", "memory": "memory-limit"}
"""The limit whose figure stands in a line, where the cause is another word."""


def cause_of_stop() -> pl.Expr:
    """Why: an order in force, else what the event says, else the limits that are set, else `unknown`."""
    said = pl.col("cause").replace(NAMES)
    ordered = of_kind(Kind.STOP) & pl.col(ORDERED_NOW).fill_null(value=False)
    return (
        pl.when(ordered).then(pl.lit(ORDER))
        .when(said != "").then(said)
        .when(pl.col(POSSIBLE) != "").then(pl.col(POSSIBLE))
        .otherwise(pl.lit(UNKNOWN))
    )  # fmt: skip


def cause_of_release() -> pl.Expr:
    """The one cause that is gone; empty where the release is from all causes of its destination."""
    said = pl.col("cause").replace(NAMES)
    of_broker = of_kind(Kind.UNDERFULL) & (pl.col("destination") == "")
    of_resource = of_kind(Kind.RELEASE, Kind.UNDERFULL) & said.is_in(RESOURCES)
    return pl.when(of_broker | of_resource).then(said).otherwise(pl.lit(""))


def limit_in_line() -> pl.Expr:
    """The name of the limit whose figure an event about a destination's level carries."""
    return pl.col("cause").replace(NAMES | LIMITS_OF_CAUSES)
