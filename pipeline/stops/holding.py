"""The fold over the events of a file: from columns of texts to codes, and from ended holds to episodes."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.log_form import Cause
from tidegate.pipeline.stops import fold
from tidegate.pipeline.stops.causes import (
    OWN_RELEASE,
    SECOND_MS,
    cause_of_release,
    cause_of_stop,
    is_within,
    shows_space,
    stops_nobody,
)
from tidegate.pipeline.stops.fold import NONE, Numbers
from tidegate.pipeline.stops.frames import of_kind
from tidegate.pipeline.stops.limits import FREE, ORDERED_NOW, POSSIBLE
from tidegate.record.events import Kind

PARTY = ("source", "of", "who")
"""The stopped party: one sender, named or not, the senders of a destination, or the senders of the whole broker."""
HOLD = (*PARTY, "destination", "cause")
PLACE = ("source", "destination")
NAMED = ("producer", "channel", "connection")
"""The fields that name a sender, the most specific first."""
UNNAMED = "sender"
SENDERS = (*NAMED, UNNAMED)
"""The values of `of` for a party that is stopped itself and not through its destination."""
LIMIT = "limit"
"""The party of a full destination whose log names each stopped sender: it stops nobody by itself."""
GATES = ("destination", "broker", LIMIT)
INEXACT = ("inferred", "restarted")
"""Ends whose exact time is unknown."""


def _said(which: Callable[[Cause], bool]) -> tuple[str, ...]:
    """The causes of lines for which `which` holds."""
    said = {said for form in LOG_FORMS.values() for said, cause in form.causes.items() if which(cause)}
    return tuple(sorted(said))


NAMING, REPEATED = _said(lambda cause: cause.names_senders), _said(lambda cause: cause.repeated)
REMEMBERED = ("from_seq", "from_ms", "again_ms", "shared", "first")
TEXTS = dict.fromkeys(HOLD, pl.String)
ON = pl.Schema({**TEXTS, **dict.fromkeys(REMEMBERED, pl.Int64)})
ROOMS = pl.Schema({**dict.fromkeys(PLACE, pl.String), "room_seq": pl.Int64, "room_ms": pl.Int64})
STATED = pl.Schema({"source": pl.String, "gates": pl.Boolean, "senders": pl.Boolean})
ENDED = pl.Schema({
    **TEXTS, "end": pl.String, "from_seq": pl.Int64, "from_ms": pl.Int64, "again_ms": pl.Int64, "to_seq": pl.Int64,
    "to_ms": pl.Int64, "free_seq": pl.Int64, "free_ms": pl.Int64, "first": pl.Boolean, "last": pl.Boolean,
    "frees": pl.Boolean, "shared": pl.Boolean,
})  # fmt: skip
"""Holds that ended. `first` and `last` say whether the destination stopped nobody before the hold began, and after
it ended; `frees` whether its party was free then, and `shared` whether another cause stopped the party at the same
time."""


@dataclass
class Standing:
    """The memory of a stream: holds that are on, destinations with room, and sources that stated releases."""

    on: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=ON))
    rooms: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=ROOMS))
    stated: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=STATED))


def step(standing: Standing, events: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Take the events of a file; the result is the ended holds (ENDED), and the releases that end no hold, as events
    with a party.

    Events have the columns of `frames.read` and `limits.with_limits`. The `before_ms` of a start is the last time when
    its source was seen before it.
    """
    told, texts = _told(events)
    if not told.height:
        return pl.DataFrame(schema=ENDED), told.with_columns(source=pl.lit(None, pl.String))
    holds = _numbered([standing.on, texts.filter(pl.col("op") == fold.OPENS)], HOLD, "hold")
    parties = _numbered([holds, texts], PARTY, "party")
    places = _numbered([holds, texts, standing.rooms], PLACE, "place")
    sources = _numbered([holds, texts, standing.rooms], ("source",), "source_code")
    causes = {cause: code for code, cause in enumerate(holds.get_column("cause").unique(maintain_order=True))}
    is_start = pl.col("op") == fold.STARTS
    starts = texts.filter(is_start).get_column("destination").unique(maintain_order=True).to_list()
    for table, key, names in (
        (parties, "party", PARTY),
        (places, "place", PLACE),
        (sources, "source_code", ("source",)),
    ):
        holds = _coded(holds, table, key, names)
        texts = _coded(texts, table, key, names)
    started = pl.col("destination").replace_strict({each: code for code, each in enumerate(starts)}, default=NONE)
    only = pl.col("cause").replace_strict(causes, default=fold.NO_SUCH, return_dtype=pl.Int64)
    texts = _coded(texts, holds.select(*HOLD, "hold"), "hold", HOLD).with_columns(
        only=pl.when(is_start).then(started.cast(pl.Int64)).when(pl.col("cause") == "").then(NONE).otherwise(only)
    )
    known = _array(holds.with_columns(
        cause_code=pl.col("cause").replace_strict(causes, return_dtype=pl.Int64),
        is_gate=pl.col("of").is_in(GATES), is_alone=pl.col("cause").is_in(OWN_RELEASE),
    ), "party", "place", "source_code", "cause_code", "is_gate", "is_alone")  # fmt: skip
    memory = _Arrays.of(standing, holds, known, parties, places, sources)
    named = [starts, places.get_column("destination").to_list()]
    within = np.array([[is_within(to, of) for to in named[1]] for of in named[0]] or [[False]], np.bool_)
    ended = np.empty((told.height + holds.height, fold.END_COLUMNS), np.int64)
    count = fold.folded(
        told.height, _array(told, *OF_EVENTS), _array(texts, *OF_TEXTS), known, memory.kept, memory.parties,
        memory.sources, memory.places, within, np.empty(max(holds.height, 1), np.int64), ended,
    )  # fmt: skip
    _remember(standing, memory, holds, places, sources)
    is_unmatched = ended[:count, fold.ENDED] == NONE
    unmatched = told[ended[:count, fold.AT][is_unmatched]]
    whose = texts.select(*PARTY, "destination", "cause")[unmatched.get_column("text")]
    return _episodes(ended[:count][~is_unmatched], holds), pl.concat([unmatched, whose], how="horizontal")


OF_EVENTS = ("text", "seq", "time", "since", "dated", "room")
OF_TEXTS = ("op", "hold", "party", "place", "source_code", "only", "repeats", "orders", "tells", "how")
"""The columns of events and of texts, in the order of the fold's columns."""


@dataclass
class _Arrays:
    kept: Numbers
    parties: Numbers
    sources: Numbers
    places: Numbers

    @classmethod
    def of(
        cls, standing: Standing, holds: pl.DataFrame, known: Numbers, parties: pl.DataFrame, places: pl.DataFrame,
        sources: pl.DataFrame,
    ) -> "_Arrays":  # fmt: skip
        found = cls(
            np.full((holds.height, 9), NONE, np.int64),
            np.tile(np.array([NONE, 0], np.int64), (parties.height, 1)),
            np.tile(np.array([NONE, 0, 0, 0], np.int64), (sources.height, 1)),
            np.tile(np.array([0, 0, NONE, NONE], np.int64), (places.height, 1)),
        )
        before = _coded(standing.on, holds.select(*HOLD, "hold"), "hold", HOLD)
        for hold, *values in before.select("hold", *REMEMBERED).iter_rows():
            found._put(hold, values, known)
        rooms = _coded(standing.rooms, places, "place", PLACE)
        for place, seq, time in rooms.select("place", "room_seq", "room_ms").iter_rows():
            found.places[place, fold.ROOM_SEQ], found.places[place, fold.ROOM_TIME] = seq, time
        stated = _coded(standing.stated, sources, "source_code", ("source",)).drop_nulls("source_code")
        for source, gates, senders in stated.select("source_code", "gates", "senders").iter_rows():
            found.sources[source, fold.GATES_TOLD], found.sources[source, fold.SENDERS_TOLD] = gates, senders
        return found

    def _put(self, hold: int, remembered: list[int], known: Numbers) -> None:
        """Put a hold that is on already into the arrays."""
        self.kept[hold, : len(REMEMBERED)] = remembered
        party, place, source = known[hold, fold.OF_PARTY], known[hold, fold.OF_PLACE], known[hold, fold.OF_SOURCE]
        self.places[place, fold.GATES_ON if known[hold, fold.IS_GATE] else fold.SENDERS_ON] += 1
        self.parties[party, fold.ON] += 1
        for heads, row, after, before in (
            (self.parties, party, fold.NEXT, fold.BEFORE), (self.sources, source, fold.NEXT_HERE, fold.BEFORE_HERE),
        ):  # fmt: skip
            head = heads[row, fold.HEAD]
            self.kept[hold, after], self.kept[hold, before], heads[row, fold.HEAD] = head, NONE, hold
            if head != NONE:
                self.kept[head, before] = hold


KEYS = ("source", "kind", "destination", "connection", "channel", "producer", "cause", ORDERED_NOW, POSSIBLE)
"""The columns that decide what an event does, apart from its figures."""


def _told(events: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The events about stops, and the meaning of each of their texts; `text` is the number of the text."""
    opens, ends = of_kind(Kind.STOP, Kind.OVERFULL), of_kind(Kind.RELEASE, Kind.UNDERFULL, Kind.CLOSE)
    starts, named = of_kind(Kind.START), pl.col("destination") != ""
    has_space = pl.col(FREE).fill_null(value=False)
    relevant = events.filter((opens | ends | starts | (has_space & named)) & ~stops_nobody())
    keys = relevant.select(KEYS).unique(maintain_order=True).with_row_index("text")
    own = relevant.join(keys, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
    before = pl.col("time") - pl.when(opens).then(pl.col("credit").fill_null(0)).otherwise(0) * SECOND_MS
    told = own.select(
        "text", "seq", "time", since=pl.when(starts).then(pl.col("before_ms").fill_null(NONE)).otherwise(before),
        dated=opens & pl.col("credit").is_not_null(), room=(has_space | shows_space()) & named,
    )  # fmt: skip
    return told, _meant(keys.with_columns(pl.col(pl.Categorical).cast(pl.String)))


def _meant(texts: pl.DataFrame) -> pl.DataFrame:
    """The party, cause and destination of each text, and its operation, in the columns OF_TEXTS."""
    opens, ends = of_kind(Kind.STOP, Kind.OVERFULL), of_kind(Kind.RELEASE, Kind.UNDERFULL, Kind.CLOSE)
    named = [pl.when(_is_order() & (pl.col(name) != "")).then(pl.lit(name)) for name in NAMED]
    whose = [pl.when(_is_order() & (pl.col(name) != "")).then(pl.col(name)) for name in NAMED]
    of = pl.coalesce(*named).fill_null(
        pl.when(~_is_order() & pl.col("cause").is_in(NAMING)).then(pl.lit(LIMIT))
        .when(pl.col("destination") != "").then(pl.lit(GATES[0]))
        .when(_is_order()).then(pl.lit(UNNAMED)).otherwise(pl.lit(GATES[1]))
    )  # fmt: skip
    found = texts.with_columns(
        of.alias("of"), pl.coalesce(*whose).fill_null(pl.col("destination")).alias("who"),
        cause=pl.when(opens).then(cause_of_stop()).otherwise(cause_of_release()),
        op=pl.when(opens).then(fold.OPENS).when(of_kind(Kind.START)).then(fold.STARTS).when(~ends).then(fold.PASSES)
        .when(of_kind(Kind.UNDERFULL) & (pl.col("destination") == "")).then(fold.CLOSES_GATES)
        .when(pl.col("destination") == "").then(fold.CLOSES_ALL).otherwise(fold.CLOSES_AT),
        orders=_is_order(), repeats=of_kind(Kind.STOP) & pl.col("cause").is_in(REPEATED),
        how=pl.when(of_kind(Kind.CLOSE)).then(fold.CLOSED).when(of_kind(Kind.START)).then(fold.RESTARTED)
        .otherwise(fold.TOLD),
    )  # fmt: skip
    is_gate = pl.col("of").is_in(GATES)
    tells = (
        pl.when(of_kind(Kind.OVERFULL, Kind.UNDERFULL) | (of_kind(Kind.RELEASE) & is_gate)).then(fold.GATES_TOLD)
        .when(of_kind(Kind.RELEASE)).then(fold.SENDERS_TOLD).otherwise(NONE)
    )  # fmt: skip
    return found.with_columns(tells=tells)


def _is_order() -> pl.Expr:
    """Whether the event is about a sender, and not about the level of its destination."""
    return ~of_kind(Kind.OVERFULL, Kind.UNDERFULL)


def _numbered(tables: list[pl.DataFrame], names: tuple[str, ...], key: str) -> pl.DataFrame:
    """Each combination of these columns once, with its code."""
    distinct = [table.select(names).unique(maintain_order=True) for table in tables]
    return pl.concat(distinct).unique(maintain_order=True).with_columns(pl.int_range(pl.len()).alias(key))


def _coded(table: pl.DataFrame, codes: pl.DataFrame, key: str, names: tuple[str, ...]) -> pl.DataFrame:
    return table.join(codes.select(*names, key), on=names, how="left", maintain_order="left")


def _array(table: pl.DataFrame, *names: str) -> Numbers:
    columns = table.select(pl.col(name).cast(pl.Int64).fill_null(NONE) for name in names)
    return np.ascontiguousarray(columns.to_numpy())


def _remember(
    standing: Standing, memory: _Arrays, holds: pl.DataFrame, places: pl.DataFrame, sources: pl.DataFrame
) -> None:
    kept = pl.DataFrame(memory.kept[:, : len(REMEMBERED)], schema=REMEMBERED)
    on = pl.concat([holds.select(HOLD), kept], how="horizontal").filter(pl.col("from_seq") != NONE)
    standing.on = on.sort("from_seq", maintain_order=True).select(ON.names())
    rooms = pl.DataFrame(memory.places[:, fold.ROOM_SEQ :], schema=["room_seq", "room_ms"])
    standing.rooms = pl.concat([places.select(PLACE), rooms], how="horizontal").filter(pl.col("room_seq") != NONE)
    stated = pl.DataFrame(memory.sources[:, fold.GATES_TOLD :].astype(bool), schema=["gates", "senders"])
    now = pl.concat([sources.select("source"), stated], how="horizontal")
    standing.stated = pl.concat([standing.stated, now]).unique("source", keep="last", maintain_order=True)


def _episodes(ended: Numbers, holds: pl.DataFrame) -> pl.DataFrame:
    def told(column: int) -> pl.Series:
        return pl.Series(ended[:, column])

    def known(column: int) -> pl.Series:
        return told(column).set(told(column) == NONE, None)

    whose = holds.select(HOLD)[ended[:, fold.ENDED]]
    facts = pl.DataFrame({
        "end": pl.Series(fold.HOWS)[ended[:, fold.BY]],
        "from_seq": told(fold.BEGAN_SEQ), "from_ms": told(fold.BEGAN), "again_ms": told(fold.SAID_AGAIN),
        "to_seq": told(fold.UNTIL_SEQ), "to_ms": told(fold.UNTIL),
        "free_seq": known(fold.FREE_SEQ), "free_ms": known(fold.FREE),
        "first": told(fold.WAS_FIRST) == 1, "last": told(fold.WAS_LAST) == 1,
        "frees": told(fold.FREES) == 1, "shared": told(fold.WAS_SHARED) == 1,
    })  # fmt: skip
    return pl.concat([whose, facts], how="horizontal").select(ENDED.names()).cast(ENDED)
