"""The files of a report: all verdicts and sentences as tables, and trace-report.json, whose size is bounded.

The figures of trace-report.json count everything. Its lists show the first or the worst entries; `cut` names each cut
list, its full length, and the table with all of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import polars as pl

from tidegate.pipeline.files.durable import PARTIAL, put
from tidegate.pipeline.files.parquet import in_parquet
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import SHOWN, Measures
from tidegate.pipeline.findings.reports import NO_LINES, SCHEMA_VERSION, Account, InputReport, TraceReport, TraceVerdict
from tidegate.record.values import written
from tidegate.record.verdict import Verdict

MOST = 50
"""The most inputs, and the most sentences of a kind, that a report lists."""
LONGEST = 500
"""The most characters of a text that are shown."""
MOST_BYTES = 1_000_000
"""The most bytes of all listed inputs as JSON."""
MOST_EVIDENCE = (None, 1)
"""The most events shown for a verdict: all of its evidence, or fewer where an input would take too many bytes."""
INDENT = 2
Value = TypeVar("Value")
DEPTH = 2 * INDENT
"""The indentation of an input in the file of a report."""


def listed(inputs: Sequence[InputReport]) -> list[InputReport]:
    """All inputs, or the inputs with the most rules not kept, in at most MOST_BYTES, with texts cut.

    The bytes that the inputs leave without their evidence go to their evidence, in their order.
    """
    chosen = inputs if len(inputs) <= MOST else sorted(inputs, key=_kept)[:MOST]
    bare = [_with_evidence(each, 0) for each in chosen]
    ends = accumulate(map(_size, bare))
    fitting = [MOST_BYTES - end for end in ends if end <= MOST_BYTES]
    left, found = min(fitting, default=MOST_BYTES), []
    for each, alone in zip(chosen[: len(fitting)], bare, strict=False):
        cuts = ((cut, _size(cut) - _size(alone)) for cut in (_with_evidence(each, most) for most in MOST_EVIDENCE))
        cut, more = next(((cut, more) for cut, more in cuts if more <= left), (alone, 0))
        left -= more
        found.append(cut)
    return found


def shortened(value: Value) -> Value:
    """A value of the same kind, with texts of at most about LONGEST characters."""
    said: Any = value
    if isinstance(said, str):
        said = short(said)
    elif is_dataclass(said) and not isinstance(said, type):
        said = replace(said, **{field.name: shortened(getattr(said, field.name)) for field in fields(said)})
    elif isinstance(said, Mapping):
        said = {name: shortened(each) for name, each in said.items()}
    elif isinstance(said, tuple):
        said = tuple(map(shortened, said))
    cut: Value = said
    return cut


def short(text: str) -> str:
    """A text, or the begin of a long text and its length."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text):,} characters)"


def _kept(each: InputReport) -> int:
    """A number that is smaller, the more rules are not kept."""
    return sum(one.verdict is Verdict.KEPT for one in each.verdicts) - len(each.verdicts)


def _with_evidence(each: InputReport, most: int | None) -> InputReport:
    verdicts = (replace(one, evidence=one.evidence[:most]) for one in each.verdicts)
    return shortened(replace(each, verdicts=tuple(verdicts)))


def _size(each: InputReport) -> int:
    """The bytes of an input in the file of a report."""
    text = written(each, INDENT)
    return len(text) + DEPTH * (text.count(b"\n") + 1)


REPORT_NAME = "trace-report.json"
VERDICTS, SENTENCES = "verdicts.parquet", "sentences.parquet"
QUARANTINE = "quarantine"
SENTENCES_OF = ("disagreements", "left_out", "notes")
"""The lists of sentences in SENTENCES, by their names in the report."""
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
"""The table that has all rows of each list of measures."""
ABOUT_INPUT = ("input", "form", "name", "version")
ABOUT_LINES = ("lines", "events", "ignored", "quarantined")
ABOUT_RULE = ("rule", "level", "verdict", "reason", "judged", "violated")
OF_VERDICTS = pl.Schema({
    **dict.fromkeys(ABOUT_INPUT, pl.String), **dict.fromkeys(ABOUT_LINES, pl.Int64),
    **dict.fromkeys(ABOUT_RULE[:4], pl.String), **dict.fromkeys(ABOUT_RULE[4:], pl.Int64), "line": pl.Int64,
})  # fmt: skip
"""A row for each rule of each input, and a row without a rule for an input that no rule judges.

`line` is the line of the first event that violates the rule.
"""
OF_SENTENCES = pl.Schema({"list": pl.String, "sentence": pl.String})


class Cut(NamedTuple):
    """A cut list of the report: it shows `shown` of `of` entries (null where they are not counted); a table has all."""

    list: str
    shown: int
    of: int | None
    all_in: str


@dataclass
class RuleTotal:
    """The totals of a rule over all inputs: judged events, violating events, and the number of inputs by verdict."""

    rule: str
    level: str
    sentence: str
    judged: int = 0
    violated: int = 0
    inputs: dict[Verdict, int] = field(default_factory=dict)

    def add(self, found: TraceVerdict) -> None:
        """Add the verdict on one more input."""
        self.judged += found.judged
        self.violated += found.violated
        self.inputs[found.verdict] = self.inputs.get(found.verdict, 0) + 1


def write_report(report: TraceReport, folder: Place) -> None:
    """Write the tables of verdicts and sentences and then trace-report.json into the folder of the store."""
    for name, table in ((VERDICTS, _verdicts(report.inputs)), (SENTENCES, _sentences(report))):
        put(folder / PARTIAL, folder / name, in_parquet(table))
    put(folder / PARTIAL, folder / REPORT_NAME, written(bounded(report), INDENT))


def bounded(report: TraceReport) -> dict[str, Any]:
    """The content of trace-report.json."""
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
    """The totals of each rule over all inputs, in the order in which the rules first occur."""
    found: dict[str, RuleTotal] = {}
    for each in inputs:
        for one in each.verdicts:
            if one.rule not in found:
                found[one.rule] = RuleTotal(one.rule, one.level, one.sentence)
            found[one.rule].add(one)
    return [*found.values()]


def _measures(measures: Measures) -> Mapping[str, Any]:
    """The measures without timelines, whose many points are drawn on the page."""
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
