"""What the measures of a stream carry from one of its files to the next."""

from dataclasses import dataclass, field

import polars as pl

from tidegate.pipeline.stops.frames import nothing
from tidegate.pipeline.stops.holding import Standing


@dataclass
class Remembered:
    """What is still true at the end of a file, and figures that are complete only at the end of the stream."""

    settings: pl.DataFrame = field(default_factory=nothing)
    """The last event that set each limit, ordered each destination, and brought it a message."""
    standing: Standing = field(default_factory=Standing)
    spans: pl.DataFrame = field(default_factory=pl.DataFrame)
    overshoot: pl.DataFrame = field(default_factory=pl.DataFrame)
    closings: pl.DataFrame = field(default_factory=pl.DataFrame)
    stretches: pl.DataFrame = field(default_factory=pl.DataFrame)

    def frames(self) -> dict[str, pl.DataFrame]:
        """All of it as tables."""
        own = {name: getattr(self, name) for name in ("settings", "spans", "overshoot", "closings", "stretches")}
        return {**own, **vars(self.standing)}

    @classmethod
    def of(cls, frames: dict[str, pl.DataFrame]) -> "Remembered":
        """What `frames` gave."""
        standing = Standing(**{name: frames.pop(name) for name in ("on", "rooms", "stated")})
        return cls(standing=standing, **frames)
