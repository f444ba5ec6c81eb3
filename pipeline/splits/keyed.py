"""The rows of a split by key: which rows belong together, in an order that keeps that of the events."""

from functools import cached_property

import polars as pl

from tidegate.pipeline.splits.figures import narrow
from tidegate.pipeline.splits.operators import START
from tidegate.pipeline.splits.plan import SOURCE, Group, Plan

CODE = "code"
LARGEST_CODE = 2**64 - 1
LARGEST_SHORT_CODE = 2**32 - 1


class Keyed:
    """Rows by their source and further key columns, which are codes of texts, numbers or truth values."""

    def __init__(self, keys: pl.DataFrame):
        self.keys = keys
        """Source and key columns of each row, in the order of the events."""

    @cached_property
    def code(self) -> pl.Series:
        """A number for each row; rows have equal numbers where they have equal keys."""
        made, largest = None, 0
        for column in self.keys:
            code = _code(column)
            most = int(code.max() or 0)  # type: ignore[arg-type]
            if made is None:
                made, largest = code, most
                continue
            if (largest + 1) * (most + 1) > LARGEST_CODE:
                made = made.rank("dense").cast(pl.UInt64)
                largest = made.len()
            made, largest = made * (most + 1) + code, largest * (most + 1) + most
        assert made is not None
        # narrow numbers sort faster
        return made.cast(pl.UInt32 if largest <= LARGEST_SHORT_CODE else pl.UInt64).alias(CODE)

    @cached_property
    def order(self) -> pl.Series:
        """The rows sorted by key; rows of a key stay in the order of the events."""
        return self.code.to_frame().select(pl.arg_sort_by(CODE, maintain_order=True)).to_series()

    @cached_property
    def start(self) -> pl.Series:
        """For each row in that order whether it is the first of its key."""
        code = pl.col(CODE)
        return self.code.gather(self.order).to_frame().select(code.ne_missing(code.shift(1)).alias(START)).to_series()

    @cached_property
    def first(self) -> pl.Series:
        """The places in that order at which a key starts."""
        return self.start.arg_true()

    @cached_property
    def last(self) -> pl.Series:
        """The places in that order at which a key ends."""
        rows = self.order.len()
        return self.first.shift(-1, fill_value=rows) - 1

    @cached_property
    def back(self) -> pl.Series:
        """For each row of the events its place in that order."""
        places = pl.int_range(self.order.len(), dtype=pl.UInt32, eager=True)
        return pl.zeros(self.order.len(), dtype=pl.UInt32, eager=True).scatter(self.order, places)

    @cached_property
    def names(self) -> pl.DataFrame:
        """Each key once, in that order, texts as texts."""
        return narrow(named(self.keys.select(pl.all().gather(self.order.gather(self.first)))))


def key_columns_of(plan: Plan, group: Group, frame: pl.DataFrame) -> pl.DataFrame:
    """The source of each row of a frame, and its keys in a group."""
    keys = map(plan.expressions.of, group.keys)
    return frame.select(**dict(zip(group.key_columns, (pl.col(SOURCE), *keys), strict=True)))


def named(keys: pl.DataFrame) -> pl.DataFrame:
    """Keys as other splits know them: texts instead of the codes of this process."""
    return keys.with_columns(pl.col(pl.Categorical).cast(pl.String))


def _code(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Categorical:
        return column.to_physical().cast(pl.UInt64)
    if column.dtype == pl.String:
        return _code(column.cast(pl.Categorical))
    return column.rank("dense").cast(pl.UInt64)
