"""Events of a log completed: a line that releases or closes a channel is of the queue that stopped the channel."""

import polars as pl

from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.judge.states import KeyStates
from tidegate.record.events import Kind

CHANNEL = (SOURCE, "channel")
NEEDED = frozenset((*CHANNEL, "kind", "destination"))
"""The fields of an event that completing reads."""
_ENDS = (Kind.RELEASE, Kind.CLOSE)
_ROW = "event"


class Stopped:
    """Which channels are stopped and by whom, over tables of events; it can be kept and gone on from.

    A start ends all stops of the log, for the broker calls its connections by the same names again.
    """

    def __init__(self, states: KeyStates | None):
        schema = dict.fromkeys((*CHANNEL, "destination"), pl.String)
        self._on = pl.DataFrame(list(states.keys) if states else [], schema, orient="row")

    def completed(self, events: pl.DataFrame) -> pl.DataFrame:
        """The next events of the stream; what ends a stop and names no destination gets that of the stop."""
        if not NEEDED.issubset(events.columns):
            return events
        kind = pl.col("kind")
        all_told = events.select(*NEEDED).with_row_index(_ROW).with_columns(
            pl.col(pl.Categorical).cast(pl.String), life=(kind == Kind.START).cum_sum().over(SOURCE)
        )  # fmt: skip
        lives = all_told.group_by(SOURCE).agg(last_life=pl.col("life").max())
        told = all_told.filter(kind.is_in([Kind.STOP, *_ENDS]) & (pl.col("channel") != ""))
        standing = self._on.with_columns(kind=pl.lit(str(Kind.STOP)), life=pl.lit(0, told.schema["life"]))
        both = pl.concat([standing, told], how="diagonal")
        by = pl.when(kind == Kind.STOP).then("destination").otherwise(pl.lit(""))
        both = both.with_columns(by=by).with_columns(was=pl.col("by").shift(1).over(*CHANNEL, "life").fill_null(""))
        last = both.group_by(*CHANNEL, "life", maintain_order=True).agg(destination=pl.col("by").last())
        is_last = pl.col("life") == pl.col("last_life").fill_null(0)
        stands = last.join(lives, on=SOURCE, how="left", maintain_order="left")
        self._on = stands.filter(is_last & (pl.col("destination") != "")).select(self._on.columns)
        is_ended = kind.is_in(_ENDS) & (pl.col("destination") == "") & (pl.col("was") != "")
        ended = both.filter(is_ended).select(_ROW, pl.col("was").cast(pl.Categorical))
        if not ended.height:
            return events
        numbered = events.with_row_index(_ROW).join(ended, on=_ROW, how="left", maintain_order="left")
        return numbered.with_columns(destination=pl.coalesce("was", "destination")).drop(_ROW, "was")

    def states(self) -> KeyStates:
        """What is remembered now."""
        return KeyStates(tuple(self._on.iter_rows()), ((),) * self._on.height)
