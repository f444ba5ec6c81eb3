"""The files of a report: all verdicts and sentences as tables, and trace-report.json, which is bounded.

The figures of trace-report.json are those of everything. Its lists show the first or the worst; `cut` says of which
lists there is more, how much, and which table has all of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.durable import PARTIAL, put
from tidegate.pipeline.files.parquet import in_parquet
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.accounts import NO_LINES, Account
from tidegate.pipeline.findings.measures import SHOWN, Measures
from tidegate.pipeline.findings.reports import SCHEMA_VERSION, InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.report.shown import INDENT, MOST, listed, shortened
from tidegate.record.values import written
from tidegate.record.verdict import Verdict

REPORT_NAME = "trace-report.json"
VERDICTS, SENTENCES = "verdicts.parquet", "sentences.parquet"
QUARANTINE = "quarantine"
SENTENCES_OF = ("disagreements", "left_out", "notes")
"""The lists of sentences that SENTENCES has, by their names in the report."""
TABLES_OF = {
    "longest": "episodes",
    "unreleased": "episodes",
    "worst": "episodes",
    "causes": "episodes",
    "together": "together",
    "overshoot": "overshoot",
    "oscillation": "oscillation",
    "changes": "changes",
}
"""The table that has all rows of a list of measures."""
ABOUT_INPUT = ("input", "form", "name", "version")
ABOUT_LINES = ("lines", "events", "ignored", "quarantined")
ABOUT_RULE = ("rule", "level", "verdict", "reason", "judged", "violated")
OF_VERDICTS = pl.Schema({
    **dict.fromkeys(ABOUT_INPUT, pl.String), **dict.fromkeys(ABOUT_LINES, pl.Int64),
    **dict.fromkeys(ABOUT_RULE[:4], pl.String), **dict.fromkeys(ABOUT_RULE[4:], pl.Int64), "line": pl.Int64,
})  # fmt: skip
"""A row for each rule of each input, and one without a rule for an input that none judges.

`line` is that of the first event of which the rule does not hold.
"""
OF_SENTENCES = pl.Schema({"list": pl.String, "sentence": pl.String})


class Cut(NamedTuple):
    """A list of the report that shows `shown` of so many (null where they are not counted); a table has all of them."""

    list: str
    shown: int
    of: int | None
    all_in: str


@dataclass
class RuleTotal:
    """A rule over all inputs: how many events it judged and of how many it does not hold; inputs by verdict."""

    rule: str
    level: str
    sentence: str
    judged: int = 0
    violated: int = 0
    inputs: dict[Verdict, int] = field(default_factory=dict)

    def add(self, found: TraceVerdict) -> None:
        """One more input."""
        self.judged += found.judged
        self.violated += found.violated
        self.inputs[found.verdict] = self.inputs.get(found.verdict, 0) + 1


def write_report(report: TraceReport, folder: Place) -> None:
    """Write the tables of verdicts and sentences and then trace-report.json into the folder of the store."""
    for name, table in ((VERDICTS, _verdicts(report.inputs)), (SENTENCES, _sentences(report))):
        put(folder / PARTIAL, folder / name, in_parquet(table))
    put(folder / PARTIAL, folder / REPORT_NAME, written(bounded(report), INDENT))


def bounded(report: TraceReport) -> dict[str, Any]:
    """What trace-report.json says."""
    inputs = listed(report.inputs)
    sentences = {name: getattr(report, name)[:MOST] for name in SENTENCES_OF}
    account, forms = NO_LINES, dict[str, int]()
    for each in report.inputs:
        account, forms[each.form] = account + each.account, forms.get(each.form, 0) + 1
    return {
        "schema": SCHEMA_VERSION,
        "tidegate": report.tidegate,
        "exit_code": report.exit_code,
        "engine": report.engine,
        "engine_because": report.engine_because,
        "compared": report.compared,
        "forms": forms,
        "account": account,
        "rules": totals(report.inputs),
        "inputs": inputs,
        "quarantined": shortened(report.quarantined),
        **shortened(sentences),
        "measures": report.measures and shortened(_measures(report.measures)),
        "cut": [each._asdict() for each in _cuts(report, inputs, account)],
    }


def totals(inputs: Sequence[InputReport]) -> list[RuleTotal]:
    """Each rule over all inputs, in the order in which they are first met."""
    found: dict[str, RuleTotal] = {}
    for each in inputs:
        for one in each.verdicts:
            if one.rule not in found:
                found[one.rule] = RuleTotal(one.rule, one.level, one.sentence)
            found[one.rule].add(one)
    return [*found.values()]


def _measures(measures: Measures) -> Mapping[str, Any]:
    """Without timelines, whose many points are drawn on the page."""
    return {name: each for name, each in vars(measures).items() if name != "timelines"}


def _cuts(report: TraceReport, shown: Sequence[InputReport], account: Account) -> Iterator[Cut]:
    if len(shown) < len(report.inputs):
        yield Cut("inputs", len(shown), len(report.inputs), VERDICTS)
    events, of = _events(shown), _events(report.inputs)
    if events < of:
        yield Cut("inputs.verdicts.evidence", events, of, VERDICTS)
    if len(report.quarantined) < account.quarantined:
        yield Cut("quarantined", len(report.quarantined), account.quarantined, QUARANTINE)
    for name in SENTENCES_OF:
        if (count := len(getattr(report, name))) > MOST:
            yield Cut(name, MOST, count, SENTENCES)
    for name, table in TABLES_OF.items() if report.measures else ():
        if len(getattr(report.measures, name)) >= SHOWN:
            yield Cut(f"measures.{name}", SHOWN, None, table)


def _events(inputs: Sequence[InputReport]) -> int:
    return sum(len(one.evidence) for each in inputs for one in each.verdicts)


def _verdicts(inputs: Sequence[InputReport]) -> pl.DataFrame:
    rows = [(each, one) for each in inputs for one in each.verdicts or (None,)]
    of_inputs, of_rules = [each for each, _ in rows], [one for _, one in rows]
    columns: dict[str, list[Any]] = {name: [getattr(each, name) for each in of_inputs] for name in ABOUT_INPUT}
    columns |= {name: [getattr(each.account, name) for each in of_inputs] for name in ABOUT_LINES}
    columns |= {name: [one and getattr(one, name) for one in of_rules] for name in ABOUT_RULE}
    columns["line"] = [one and (one.evidence[0].line if one.evidence else None) for one in of_rules]
    return pl.DataFrame(columns, OF_VERDICTS)


def _sentences(report: TraceReport) -> pl.DataFrame:
    rows = [(name, sentence) for name in SENTENCES_OF for sentence in getattr(report, name)]
    return pl.DataFrame(rows, OF_SENTENCES, orient="row")
