"""The causes of stops, in one vocabulary for logs and traces."""

import polars as pl

from tidegate.pipeline.forms import CAUSES
from tidegate.pipeline.forms.artemis import ORDER
from tidegate.pipeline.stops.frames import of_kind
from tidegate.pipeline.stops.limits import ORDERED_NOW, POSSIBLE
from tidegate.record.events import Kind

UNKNOWN = "unknown"
NAMES = {said: cause.name for said, cause in CAUSES.items()}
"""The name of a cause in traces, by the cause of an event."""
OWN_RELEASE = tuple(sorted({cause.name for cause in CAUSES.values() if cause.alone}))
"""Causes with a release of their own: space at a destination does not end them."""
NOT_STOPPING = tuple(sorted({cause.name for cause in CAUSES.values() if not cause.stops}))
"""Causes of events of a destination that, beyond its limit, does something else than stop senders."""
ORDERS = tuple(sorted(said for said, name in NAMES.items() if name == ORDER))
"""Causes of lines about an order of management."""
SECOND_MS = 1000
"""The unit, in ms, of the duration of a stop in a line."""
LIMITS_OF_CAUSES = {said: cause.limit for said, cause in CAUSES.items() if cause.limit}
"""The name of the limit whose figure a line gives, by the cause of the line, where it differs from the cause."""


def is_within(destination: str, of: str) -> bool:
    """Whether `destination` is `of` or below it, as a queue is below its host; the empty text is above all."""
    return not of or destination == of or destination.startswith(f"{of}/")


def cause_of_stop() -> pl.Expr:
    """The cause of a stop: an order in force, else the event's cause, else the limits that are set, else `unknown`."""
    said = pl.col("cause").replace(NAMES)
    ordered = of_kind(Kind.STOP) & pl.col(ORDERED_NOW).fill_null(value=False)
    return (
        pl.when(ordered).then(pl.lit(ORDER))
        .when(said != "").then(said)
        .when(pl.col(POSSIBLE) != "").then(pl.col(POSSIBLE))
        .otherwise(pl.lit(UNKNOWN))
    )  # fmt: skip


def cause_of_release() -> pl.Expr:
    """The only cause that a release ends; empty if it may end several causes."""
    said = pl.col("cause").replace(NAMES)
    of_broker = of_kind(Kind.UNDERFULL) & (pl.col("destination") == "")
    own = of_kind(Kind.RELEASE, Kind.UNDERFULL) & said.is_in(OWN_RELEASE)
    return pl.when(of_broker | own).then(said).otherwise(pl.lit(""))


def stops_nobody() -> pl.Expr:
    """Whether an event about a destination's limit does not concern its senders."""
    return of_kind(Kind.OVERFULL, Kind.UNDERFULL) & pl.col("cause").is_in(NOT_STOPPING)


def shows_space() -> pl.Expr:
    """Whether the broker says that the destination has space again."""
    return of_kind(Kind.UNDERFULL) & ~pl.col("cause").is_in(ORDERS)


def limit_in_line() -> pl.Expr:
    """The name of the limit in an event about a destination's level."""
    return pl.col("cause").replace(NAMES | LIMITS_OF_CAUSES)
