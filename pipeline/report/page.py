"""The page of `tidegate trace check`: verdicts with evidence, measures and timelines, without external resources.

A timeline is drawn in a box of WIDTH × HEIGHT, stretched to the page's width; its texts are beside the drawing, so that
they keep their size on a narrow screen.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import NamedTuple

from tidegate.pages.environment import environment
from tidegate.pages.signs import SIGNS
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import BOUND_NAMES, Band, Distribution, Measures, Point, Timeline
from tidegate.pipeline.findings.reports import NO_LINES, Account, InputReport, TraceReport
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.report import words
from tidegate.pipeline.report.terminal import FEW, line_of
from tidegate.pipeline.report.written import MOST, QUARANTINE, SENTENCES, VERDICTS, listed, short, shortened
from tidegate.record.verdict import Verdict

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
    top: int
    """The figure at the upper edge of the box."""


def chart(timeline: Timeline, first: int, last: int) -> Chart:
    """The chart of a timeline. A level or threshold holds until the next one is seen, so all three lines are steps.

    The box goes from `first` to `last`, in ms, so that several charts share one axis.
    """
    points = timeline.points
    figures = [each for point in points for each in (point.level, point.high, point.low) if each is not None]
    scale = _Scale(first, last, max(figures, default=1) * ABOVE or 1)
    return Chart(
        level=scale.steps(((point.at_ms, point.level) for point in points), timeline.to_ms),
        high=scale.steps(_changes((point.at_ms, point.high) for point in points), timeline.to_ms),
        low=scale.steps(_changes((point.at_ms, point.low) for point in points), timeline.to_ms),
        bands=tuple(scale.box(band) for band in timeline.bands),
        top=round(scale.most),
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


def thinned(points: tuple[Point, ...], most: int) -> tuple[Point, ...]:
    """At most so many points, evenly chosen, for a table."""
    if len(points) <= most:
        return points
    return tuple(points[place * (len(points) - 1) // (most - 1)] for place in range(most))


REPORT_HTML = "trace-report.html"
COUNTED = (Verdict.KEPT, Verdict.VIOLATED, Verdict.UNKNOWN)


def write_html(report: TraceReport, measures: Measures, folder: Place, timezone: str = "UTC") -> Place:
    """Write trace-report.html and return its place."""
    page = folder / REPORT_HTML
    page.write_bytes(render(report, measures, timezone).encode())
    return page


def render(report: TraceReport, measures: Measures, timezone: str = "UTC") -> str:
    """The text of the page, with times in a time zone."""
    zone, measures = zone_of(timezone), _drawn(measures)
    said = SimpleNamespace(**vars(words))
    said.moment, said.answer = partial(words.moment, zone=zone), partial(words.answer, zone=zone)
    not_kept = [(each, one) for each in report.inputs for one in each.verdicts if one.verdict is not Verdict.KEPT]
    not_kept.sort(key=lambda pair: pair[1].verdict is not Verdict.VIOLATED)
    first = min((line.from_ms for line in measures.timelines), default=0)
    last = max((line.to_ms for line in measures.timelines), default=0)
    templates = environment("tidegate.pipeline.report")
    templates.filters["short"] = short
    templates.globals.update(
        words=said, signs=SIGNS, counted=COUNTED, bars=_bars,
        chart=partial(chart, first=first, last=last), first=first, last=last, line_of=line_of, thinned=thinned,
        width=WIDTH, height=HEIGHT, share=_share, most=MOST,
        tables=SimpleNamespace(verdicts=VERDICTS, sentences=SENTENCES, quarantine=QUARANTINE),
    )  # fmt: skip
    return templates.get_template("page.html.j2").render(
        whole=_whole(report.inputs), report=report, measures=measures, not_kept=not_kept,
        listed=listed(report.inputs), timezone=timezone, few=FEW,
    )  # fmt: skip


def _drawn(measures: Measures) -> Measures:
    """The measures with short texts; the points of timelines have no texts."""
    named = [
        replace(each, source=short(each.source), destination=short(each.destination)) for each in measures.timelines
    ]
    return replace(shortened(replace(measures, timelines=())), timelines=tuple(named))


def _whole(inputs: Sequence[InputReport]) -> tuple[Account, Counter[Verdict]]:
    """The account of all inputs together, and the number of each verdict."""
    account = sum((each.account for each in inputs), NO_LINES)
    return account, Counter(one.verdict for each in inputs for one in each.verdicts)


def _bars(distribution: Distribution) -> list[tuple[str, int, float]]:
    """The buckets from the first filled one to the last: name, count, and per cent of the largest count."""
    names = [f"below {BOUND_NAMES[0]}"]
    names += [f"{low} – {high}" for low, high in pairwise(BOUND_NAMES)]
    names += [f"{BOUND_NAMES[-1]} and more"]
    filled = [place for place, count in enumerate(distribution.counts) if count]
    if not filled:
        return []
    shown = range(filled[0], filled[-1] + 1)
    return [(names[n], distribution.counts[n], _share(distribution.counts[n], distribution.counts)) for n in shown]


def _share(part: int, of: Sequence[int]) -> float:
    """The part in per cent of the largest count."""
    largest = max(of, default=0)
    return round(100 * part / largest, 2) if largest else 0.0
