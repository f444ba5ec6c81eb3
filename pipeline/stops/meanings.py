"""What events say about stops: the party that an event is about, and the begin or the end of a hold that it tells.

A party is one sender, all senders of a destination, or all senders of a broker; the last two are *gates*. The parties
and the meanings of many events are few, so each is read once.
"""

from typing import NamedTuple

import polars as pl

from tidegate.pipeline.stops.frames import of_kind
from tidegate.pipeline.stops.limits import (
    FREE,
    NAMING,
    ORDERED_NOW,
    ORDERS,
    OWN_RELEASE,
    POSSIBLE,
    REPEATED,
    cause_of_release,
    cause_of_stop,
    stops_nobody,
)
from tidegate.record.events import Kind

PARTY = ("source", "of", "who")
"""The stopped party: one sender, named or not, the senders of a destination, or the senders of the whole broker."""
HOLD = (*PARTY, "destination", "cause")
NAMED = ("producer", "channel", "connection")
"""The fields that name a sender, the most specific first."""
UNNAMED = "sender"
SENDERS = (*NAMED, UNNAMED)
"""The values of `of` for a party that is stopped itself and not through its destination."""
LIMIT = "limit"
"""The party of a full destination whose log names each stopped sender: it stops nobody by itself."""
DESTINATION, BROKER = "destination", "broker"
GATES = (DESTINATION, BROKER, LIMIT)
TOLD, CLOSED, INFERRED, RESTARTED, SHUT_DOWN = "told", "closed", "inferred", "restarted", "shutdown"
"""The ways in which a hold ends: a release is stated, the sender is closed, a later line shows that there must have
been a release, or the party that stopped the sender started anew or shut down."""
OF_BROKER = (RESTARTED, SHUT_DOWN)
"""The ways in which a hold ends with the run of the broker."""
OPENING = (Kind.STOP, Kind.OVERFULL)
ENDING = {
    Kind.RELEASE: TOLD, Kind.UNDERFULL: TOLD, Kind.CLOSE: CLOSED, Kind.START: RESTARTED, Kind.SHUTDOWN: SHUT_DOWN,
}  # fmt: skip
"""How an event of a kind ends a hold."""
OF_LEVEL = (Kind.OVERFULL, Kind.UNDERFULL)

Party = tuple[str, str, str]
By = tuple[str, str]
"""The destination and the cause that stop a party."""
Place = tuple[str, str]
"""A source and a destination."""
Told = tuple[int, int, int, int, int | None, int | None, bool]
"""An event: the numbers of its party and its meaning, its own number, its time in ms, for how many seconds the stop has
lasted, when its source was seen before in ms, and whether it shows room."""


class Said(NamedTuple):
    """The meaning of an event for its party, apart from its figures.

    `by` has the cause of a stop, or the only cause that a release ends, empty if it may end several. `how` says how the
    event ends holds, None where it ends none; a `wide` event ends those of other parties, too. `of_sender` says whether
    it is about a sender, and not about the level of its destination. `repeats` says whether the log repeats the line
    while the stop lasts, `own_release` whether the cause has a release of its own, and `states` whether the event shows
    that its source states releases.
    """

    place: Place
    by: By
    opens: bool
    how: str | None
    wide: bool
    of_sender: bool
    repeats: bool
    own_release: bool
    states: bool


class Meanings(NamedTuple):
    """The parties and the meanings of events by their numbers, and the events, with the columns of `Told`."""

    parties: list[Party]
    said: list[Said]
    events: pl.DataFrame


KEYS = ("source", "kind", "destination", "cause", ORDERED_NOW, POSSIBLE)
"""The columns that decide what an event does to its party, apart from its figures."""


def meanings(events: pl.DataFrame) -> Meanings:
    """The meanings of the events that concern stops."""
    has_space, named = pl.col(FREE).fill_null(value=False), pl.col("destination") != ""
    relevant = events.filter((of_kind(*OPENING, *ENDING) | (has_space & named)) & ~stops_nobody())
    relevant = relevant.with_columns(
        of=_of(), who=_who(), room=(has_space | (of_kind(Kind.UNDERFULL) & ~pl.col("cause").is_in(ORDERS))) & named
    )
    parties = relevant.select(PARTY).unique(maintain_order=True).with_row_index("party")
    texts = relevant.select(KEYS).unique(maintain_order=True).with_row_index("text")
    told = relevant.join(parties, on=PARTY, how="left", maintain_order="left").join(
        texts, on=KEYS, how="left", nulls_equal=True, maintain_order="left"
    )
    return Meanings(
        parties.select(PARTY).rows(),
        [meaning(*key) for key in texts.select(KEYS).iter_rows()],
        told.select("party", "text", "seq", "time", "credit", "before_ms", "room"),
    )


def _of() -> pl.Expr:
    """The kind of the party that an event is about."""
    level, destination = of_kind(*OF_LEVEL), pl.col("destination") != ""
    named = (pl.when(~level & (pl.col(name) != "")).then(pl.lit(name)) for name in NAMED)
    return pl.coalesce(
        pl.when(level & pl.col("cause").is_in(NAMING)).then(pl.lit(LIMIT)), *named,
        pl.when(destination).then(pl.lit(DESTINATION)), pl.when(level).then(pl.lit(BROKER)), pl.lit(UNNAMED),
    )  # fmt: skip


def _who() -> pl.Expr:
    """The name of the party: the most specific name of a sender, or the destination."""
    names = (pl.when(~of_kind(*OF_LEVEL) & (pl.col(name) != "")).then(name) for name in NAMED)
    return pl.coalesce(*names, "destination")


def meaning(source: str, kind: str, destination: str, cause: str, ordered: bool | None, possible: str) -> Said:
    """The meaning of all events with these KEYS."""
    what, opens = Kind(kind), kind in OPENING
    how, levels = ENDING.get(what), kind in OF_LEVEL
    about = cause_of_stop(what, cause, ordered, possible) if opens else cause_of_release(what, cause, destination)
    return Said(
        (source, destination), (destination, about), opens, how,
        wide=how in OF_BROKER or (what is Kind.UNDERFULL and not destination),
        of_sender=not levels,
        repeats=what is Kind.STOP and cause in REPEATED,
        own_release=about in OWN_RELEASE,
        states=levels or what is Kind.RELEASE,
    )  # fmt: skip
