"""What the measures of a stream carry from one of its files to the next."""

from dataclasses import dataclass, field

import polars as pl

from tidegate.pipeline.measure.frames import nothing
from tidegate.pipeline.measure.steps import STEPS, TOLD_OF


@dataclass
class Carried:
    """What is still true at the end of a file, and figures that are complete only at the end of the stream."""

    settings: pl.DataFrame = field(default_factory=nothing)
    """The last event that set each limit, ordered each destination, and brought it a message."""
    steps: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=STEPS))
    spans: pl.DataFrame = field(default_factory=pl.DataFrame)
    overshoot: pl.DataFrame = field(default_factory=pl.DataFrame)
    closings: pl.DataFrame = field(default_factory=pl.DataFrame)
    told_of: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=TOLD_OF))
    """The kinds of parties whose releases are stated, in each source."""
