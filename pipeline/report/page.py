"""The page of `tidegate trace check`: verdicts with evidence, measures and timelines; it loads nothing else."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from tidegate.pages.environment import environment
from tidegate.pages.signs import SIGNS
from tidegate.pipeline.findings import InputReport, TraceReport
from tidegate.pipeline.report import words
from tidegate.pipeline.report.charts import HEIGHT, WIDTH, chart, thinned
from tidegate.pipeline.stops.findings import BOUND_NAMES, Distribution, Measures
from tidegate.record.verdict import Verdict

REPORT_HTML = "trace-report.html"
COUNTED = (Verdict.KEPT, Verdict.VIOLATED, Verdict.UNKNOWN)


def write_html(report: TraceReport, measures: Measures, folder: Path) -> Path:
    """Write trace-report.html; where it is."""
    path = folder / REPORT_HTML
    path.write_text(render(report, measures), encoding="utf-8")
    return path


def render(report: TraceReport, measures: Measures) -> str:
    """The page."""
    templates = environment("tidegate.pipeline.report")
    templates.globals.update(
        words=words, signs=SIGNS, counted=COUNTED, count=_count, bars=_bars,
        chart=chart, thinned=thinned, width=WIDTH, height=HEIGHT, share=_share,
    )  # fmt: skip
    return templates.get_template("page.html.j2").render(report=report, measures=measures)


def _count(found: InputReport, verdict: Verdict) -> int:
    return sum(each.verdict is verdict for each in found.verdicts)


def _bars(distribution: Distribution) -> list[tuple[str, int, float]]:
    """From the first bucket in which something is to the last: its name, its count, its share of the largest."""
    names = [f"below {BOUND_NAMES[0]}"]
    names += [f"{low} – {high}" for low, high in pairwise(BOUND_NAMES)]
    names += [f"{BOUND_NAMES[-1]} and more"]
    filled = [place for place, count in enumerate(distribution.counts) if count]
    if not filled:
        return []
    shown = range(filled[0], filled[-1] + 1)
    return [(names[n], distribution.counts[n], _share(distribution.counts[n], distribution.counts)) for n in shown]


def _share(part: int, of: Sequence[int]) -> float:
    """The part in per cent of the largest."""
    largest = max(of, default=0)
    return round(100 * part / largest, 2) if largest else 0.0
