"""The causes of stops, in one vocabulary for logs and traces."""

import polars as pl

from tidegate.pipeline.forms import CAUSES, LOG_FORMS
from tidegate.pipeline.forms.artemis import ORDER
from tidegate.pipeline.stops.frames import of_kind
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
SAID = [(said, cause) for form in LOG_FORMS.values() for said, cause in form.causes.items()]
NAMING = frozenset(said for said, cause in SAID if cause.names_senders)
"""Causes of lines in a log that names each sender that the cause stops."""
REPEATED = frozenset(said for said, cause in SAID if cause.repeated)
"""Causes of lines that the log repeats while the stop lasts."""
LIMITS_OF_CAUSES = {said: cause.limit for said, cause in CAUSES.items() if cause.limit}
"""The name of the limit whose figure a line gives, by the cause of the line, where it differs from the cause."""


def is_within(destination: str, of: str) -> bool:
    """Whether `destination` is `of` or below it, as a queue is below its host; the empty text is above all."""
    return not of or destination == of or destination.startswith(f"{of}/")


def cause_of_stop(kind: Kind, said: str, ordered: bool | None, possible: str) -> str:
    """The cause of a stop: an order in force, else the event's cause, else the limits that are set, else `unknown`."""
    if kind is Kind.STOP and ordered:
        return ORDER
    return NAMES.get(said, said) or possible or UNKNOWN


def cause_of_release(kind: Kind, said: str, destination: str) -> str:
    """The only cause that a release ends; empty if it may end several causes."""
    name = NAMES.get(said, said)
    of_broker = kind is Kind.UNDERFULL and not destination
    return name if of_broker or (kind in (Kind.RELEASE, Kind.UNDERFULL) and name in OWN_RELEASE) else ""


def stops_nobody() -> pl.Expr:
    """Whether an event about a destination's limit does not concern its senders."""
    return of_kind(Kind.OVERFULL, Kind.UNDERFULL) & pl.col("cause").is_in(NOT_STOPPING)


def limit_in_line() -> pl.Expr:
    """The name of the limit in an event about a destination's level."""
    return pl.col("cause").replace(NAMES | LIMITS_OF_CAUSES)
