"""The page of `tidegate trace check`: verdicts with evidence, measures and timelines, without external resources."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

from tidegate.pages.environment import environment
from tidegate.pages.signs import SIGNS
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import BOUND_NAMES, Distribution, Measures
from tidegate.pipeline.findings.reports import NO_LINES, Account, InputReport, TraceReport
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.report import words
from tidegate.pipeline.report.charts import HEIGHT, WIDTH, chart, thinned
from tidegate.pipeline.report.terminal import FEW, line_of
from tidegate.pipeline.report.written import MOST, QUARANTINE, SENTENCES, VERDICTS, listed, short, shortened
from tidegate.record.verdict import Verdict

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
        words=said, signs=SIGNS, counted=COUNTED, count=_count, bars=_bars,
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


def _count(found: InputReport, verdict: Verdict) -> int:
    return sum(each.verdict is verdict for each in found.verdicts)


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
