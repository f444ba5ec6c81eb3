"""The causes of stops, in one vocabulary for logs and traces, and the limits in force at an event, if any are told."""

from functools import reduce
from operator import and_, or_
from typing import Any

import polars as pl

from tidegate.model.mechanisms.gate import Gate, below_low
from tidegate.model.traces.general_causes import LIFTED, ORDERED
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


IN_MESSAGES = frozenset({"messages", "policy-messages"})
"""The names of limits in messages; all other limits of a destination are in bytes."""
NOT_A_GATE = frozenset({"credit", "reject-threshold"})
"""Names in a `limits` event that stop nobody by a level of the destination."""
PER_DESTINATION = ("source", "destination")
ORDERED_NOW, FREE, POSSIBLE = "ordered", "free", "possible"


def limit_of(name: str) -> str:
    """The column with the limit of this name in force, in the limit's unit; null if no limit is in force."""
    return f"limit of {name}"


def resume_of(name: str) -> str:
    """The column with the level below which the gate of this limit opens; the limit itself if no level is set."""
    return f"resume of {name}"


def own_limits(events: pl.DataFrame) -> list[str]:
    """The names of the limits that are set for single destinations, sorted."""
    own = events.filter(of_kind(Kind.LIMITS) & (pl.col("destination") != ""))
    return sorted(own.get_column("cause").unique())


def with_limits(events: pl.DataFrame) -> pl.DataFrame:
    """The events with the limits in force, the causes that could stop somebody, and whether there is space.

    `free` is true where an event shows a level below the resume level of each limit of the destination, no order stops
    it and all limits are its own. Where a shared limit is set, nothing shows whether there is space.
    """
    if not events.select(of_kind(Kind.LIMITS, Kind.LEVEL).any()).item():
        nothing = {ORDERED_NOW: pl.lit(None, pl.Boolean), FREE: pl.lit(value=False), POSSIBLE: pl.lit("")}
        return events.with_columns(**nothing)
    own = own_limits(events)
    shared = sorted(_shared(events).get_column("cause").unique())
    events = events.with_columns(
        *(_in_force(pl.col("limit"), name).alias(limit_of(name)) for name in own),
        *(_in_force(pl.coalesce("resume", "limit"), name).alias(resume_of(name)) for name in own),
        *(_is_shared(name).alias(f"shared {name}") for name in shared),
        _ordered().alias(ORDERED_NOW),
    )
    gates = [name for name in own if name not in NOT_A_GATE]
    return events.with_columns(_free(gates, shared).alias(FREE), _possible(gates, shared).alias(POSSIBLE))


def _in_force(level: pl.Expr, name: str) -> pl.Expr:
    sets = of_kind(Kind.LIMITS) & (pl.col("cause") == name)
    last = pl.when(sets).then(level.fill_null(0)).forward_fill().over(PER_DESTINATION)
    return pl.when(last > 0).then(last)


def _shared(events: pl.DataFrame) -> pl.DataFrame:
    return events.filter(of_kind(Kind.LIMITS) & (pl.col("destination") == ""))


def _is_shared(name: str) -> pl.Expr:
    """Whether a shared limit may be in force: one without a figure may be, -1 says that it is not."""
    sets = of_kind(Kind.LIMITS) & (pl.col("destination") == "") & (pl.col("cause") == name)
    last = pl.when(sets).then(pl.col("limit").fill_null(1)).forward_fill().over("source")
    return (last > 0).fill_null(value=False)


def _ordered() -> pl.Expr:
    order = of_kind(Kind.LEVEL) & pl.col("cause").is_in([ORDERED, LIFTED])
    return pl.when(order).then(pl.col("cause") == ORDERED).forward_fill().over(PER_DESTINATION)


def _free(gates: list[str], shared: list[str]) -> pl.Expr:
    known = [pl.col(ORDERED_NOW).is_not_null(), *(pl.col(limit_of(name)).is_not_null() for name in gates)]
    space = [
        of_kind(Kind.LEVEL),
        reduce(or_, known),
        ~pl.col(ORDERED_NOW).fill_null(value=False),
        *(~pl.col(f"shared {name}") for name in shared),
        *(pl.col(limit_of(name)).is_null() | _below(name) for name in gates),
    ]
    return reduce(and_, space).fill_null(value=False)


def _below(name: str) -> pl.Expr:
    """Whether the level is below the low watermark, by the model's own rule, which compares columns as figures."""
    low: Any = pl.col(resume_of(name))
    level: Any = level_for(name)
    below: Any = below_low(Gate(high=low, low=low), level)
    return pl.Expr.fill_null(below, value=False)


def level_for(name: str) -> pl.Expr:
    """The level that an event shows, in the unit of this limit."""
    return pl.col("messages" if name in IN_MESSAGES else "bytes")


def _possible(gates: list[str], shared: list[str]) -> pl.Expr:
    """Every limit in force that could stop a producer of the destination, joined by `or`."""
    names = [
        *(pl.when(pl.col(limit_of(name)).is_not_null()).then(pl.lit(name)) for name in gates),
        *(pl.when(pl.col(f"shared {name}")).then(pl.lit(name)) for name in shared),
    ]
    return pl.concat_str(names, separator=" or ", ignore_nulls=True) if names else pl.lit("")
