"""What rules say of the events of a split, however that is found."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.splits.plan import Group


class Evaluation(NamedTuple):
    """By input and number of the rule how many events are judged and how many violate it, and what comes of them.

    `fails` says of each event whether it violates a rule, `states` with what states the split ends, by key.
    """

    counts: Mapping[tuple[str, int], tuple[int, int]]
    fails: Callable[[int], pl.Series]
    states: Callable[[Group], pl.DataFrame]
