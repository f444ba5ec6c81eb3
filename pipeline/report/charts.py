"""The geometry of a timeline: the coordinates of its lines and bands in a box of WIDTH × HEIGHT, stretched to the
page's width.

Texts are beside the drawing, so that they keep their size on a narrow screen.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tidegate.pipeline.findings.measures import Band, Point, Timeline

WIDTH, HEIGHT = 1000, 160
ABOVE = 1.06
"""The height of the box, as a multiple of the highest figure."""
NARROWEST = 2
"""The least width of a band, so that a short stop is seen."""


class Box(NamedTuple):
    """A stop on the chart."""

    x: float
    width: float
    ended: bool
    share: float


class Chart(NamedTuple):
    """Lines as the data of SVG paths, empty where there is nothing to draw."""

    level: str
    high: str
    low: str
    bands: tuple[Box, ...]
    most: int
    top: int
    """The figure at the upper edge of the box."""
    highs: tuple[int, ...]
    lows: tuple[int, ...]

    @property
    def unreleased(self) -> bool:
        """Whether a stop without a release is drawn."""
        return not all(box.ended for box in self.bands)


def chart(timeline: Timeline, first: int | None = None, last: int | None = None) -> Chart:
    """The chart of a timeline. A level or threshold holds until the next one is seen, so all three lines are steps.

    The box goes from `first` to `last`, in ms, so that several charts share one axis; by default it is as wide as the
    timeline.
    """
    points = timeline.points
    figures = [each for point in points for each in (point.level, point.high, point.low) if each is not None]
    begin, end = (timeline.from_ms if first is None else first), (timeline.to_ms if last is None else last)
    scale = _Scale(begin, end, max(figures, default=1) * ABOVE or 1)
    return Chart(
        level=scale.steps(((point.at_ms, point.level) for point in points), timeline.to_ms),
        high=scale.steps(_changes((point.at_ms, point.high) for point in points), timeline.to_ms),
        low=scale.steps(_changes((point.at_ms, point.low) for point in points), timeline.to_ms),
        bands=tuple(scale.box(band) for band in timeline.bands),
        most=max((point.level for point in points), default=0),
        top=round(scale.most),
        highs=_distinct(point.high for point in points),
        lows=_distinct(point.low for point in points),
    )


class _Scale(NamedTuple):
    first: int
    last: int
    most: float

    def x(self, ms: int) -> float:
        span = self.last - self.first
        return round(WIDTH * (ms - self.first) / span, 1) if span else 0

    def y(self, figure: int) -> float:
        return round(HEIGHT * (1 - figure / self.most), 1)

    def steps(self, points: Iterable[tuple[int, int | None]], end: int) -> str:
        """`M x y H x V y …` up to `end`; an unknown figure leaves a gap."""
        drawn: list[str] = []
        pen_down = False
        for ms, figure in points:
            if figure is None:
                drawn += [f"H{self.x(ms):g}"] if pen_down else []
                pen_down = False
            elif pen_down:
                drawn += [f"H{self.x(ms):g}", f"V{self.y(figure):g}"]
            else:
                drawn += [f"M{self.x(ms):g} {self.y(figure):g}"]
                pen_down = True
        return "".join([*drawn, f"H{self.x(end):g}"] if pen_down else drawn)

    def box(self, band: Band) -> Box:
        begin, end = self.x(band.from_ms), self.x(band.to_ms)
        width = max(end - begin, NARROWEST)
        return Box(round(min(begin, WIDTH - width), 1), round(width, 1), band.ended, round(band.share, 3))


def _changes(points: Iterable[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """The points at which the figure changes; a threshold that becomes known is drawn from the begin."""
    rows = list(points)
    first = next((figure for _, figure in rows if figure is not None), None)
    changed: list[tuple[int, int | None]] = []
    for place, (ms, figure) in enumerate(rows):
        known = first if place == 0 else figure
        if not changed or changed[-1][1] != known:
            changed.append((ms, known))
    return changed


def _distinct(figures: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(figure for figure in figures if figure is not None))


def thinned(points: tuple[Point, ...], most: int) -> tuple[Point, ...]:
    """At most so many points, evenly chosen, for a table."""
    if len(points) <= most:
        return points
    return tuple(points[place * (len(points) - 1) // (most - 1)] for place in range(most))
