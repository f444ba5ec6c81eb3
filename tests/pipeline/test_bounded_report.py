"""What a check writes for people is bounded, whatever was checked; figures are those of everything, tables have all."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from tidegate.pipeline.findings.measures import SHOWN, Distribution, Episode, Measures, Point, Timeline
from tidegate.pipeline.findings.reports import Account, Evidence, InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.report.page import render
from tidegate.pipeline.report.terminal import show
from tidegate.pipeline.report.written import LONGEST, MOST, bounded, write_report
from tidegate.record.verdict import Verdict

BOUND = 2_000_000
NAME = "<" * 20_000
"""A log may name a queue of nearly a MiB."""
NONE = Distribution((0,) * 10, 0, 0, None, None, None)


def verdict(rule: int, said: Verdict = Verdict.KEPT, name: str = "q", shown: int = 5) -> TraceVerdict:
    event: dict[str, str | int] = {"kind": "overfull", "destination": name, "channel": name, "time": 1}
    events = tuple(Evidence(line, name, line, event) for line in range(shown if said is Verdict.VIOLATED else 0))
    words = "The broker MUST let a channel go once each of the queues that stopped it has room again."
    return TraceVerdict(f"RULE-{rule}", "MUST", words, said, "holds of all 3 events that it judges", 3, len(events),
                        events)  # fmt: skip


def inputs(count: int, rules: int, worst: int = 0, **more: Any) -> tuple[InputReport, ...]:
    """So many inputs, of which one violates all of its rules."""
    kept = tuple(map(verdict, range(rules)))
    broken = tuple(verdict(rule, Verdict.VIOLATED, **more) for rule in range(rules))
    return tuple(
        InputReport(f"{number}.log", "qpid log", "", "", Account(10, 6, 3, 1), broken if number == worst else kept)
        for number in range(count)
    )


def report(found: tuple[InputReport, ...], **more: Any) -> TraceReport:
    return TraceReport("1", found, ("a sentence",), **more)


def measures(name: str) -> Measures:
    one = Episode(name, name, "channel", name, name, name, "told", "told", 0, 1, 1, 1, None)
    line = Timeline(name, name, "bytes", (Point(0, 1, 2, 1),) * 720, (), 720, 1, 0, 1)
    many = (one,) * SHOWN
    return Measures(
        9_000_000, {"told": 9_000_000}, {"told": 9_000_000}, many, many, many, (), (), (), 0, (), (), NONE, NONE,
        (line,) * 12,
    )  # fmt: skip


REPORTS = {
    "many inputs": report(inputs(10_000, 12, worst=9_999)),
    "inputs of many rules": report(inputs(60, 150)),
    "long names": report(inputs(40, 100, name=NAME), measures=measures(NAME)),
    "one input that violates all": report(inputs(1, 200, name="q" * LONGEST, shown=40)),
    "many sentences": report(
        inputs(1, 1), notes=("a note",) * 100_000, left_out=(NAME,) * 60, disagreements=("one",) * 100
    ),
}


@pytest.mark.parametrize("found", REPORTS.values(), ids=REPORTS)
def test_report_and_page_are_bounded_and_the_figures_are_whole(found: TraceReport, tmp_path: Path) -> None:
    (tmp_path / "partial").mkdir()
    write_report(found, tmp_path)
    file = tmp_path / "trace-report.json"
    assert file.stat().st_size <= BOUND
    page = len(render(found, found.measures or measures("q")).encode())
    assert page <= BOUND
    said = json.loads(file.read_text())
    count = len(found.inputs)
    assert said["forms"] == {"qpid log": count}
    assert said["account"] == {"lines": 10 * count, "events": 6 * count, "ignored": 3 * count, "quarantined": count}
    assert [each["inputs"] for each in said["rules"]] == [
        {"violated": 1} | ({"kept": count - 1} if count > 1 else {}) for _ in found.inputs[0].verdicts
    ]
    assert {each["judged"] for each in said["rules"]} == {3 * count}
    # an input that is not kept is never cut in favour of one that is
    assert {each["verdict"] for each in said["inputs"][0]["verdicts"]} == {"violated"}
    table = pl.read_parquet(tmp_path / "verdicts.parquet")
    assert table.height == sum(len(each.verdicts) for each in found.inputs)
    assert table["violated"].sum() == sum(one.violated for each in found.inputs for one in each.verdicts)
    sentences = pl.read_parquet(tmp_path / "sentences.parquet")
    assert sentences.height == len(found.notes) + len(found.left_out) + len(found.disagreements)


def cuts(found: TraceReport) -> dict[str, tuple[int, int | None, str]]:
    return {each["list"]: (each["shown"], each["of"], each["all_in"]) for each in bounded(found)["cut"]}


def test_the_report_says_what_it_leaves_out_and_where_that_is() -> None:
    assert cuts(report(inputs(MOST, 3, shown=0))) == {"quarantined": (1, MOST, "quarantine")}
    assert cuts(REPORTS["many inputs"]) == {
        "inputs": (MOST, 10_000, "verdicts.parquet"), "quarantined": (1, 10_000, "quarantine"),
    }  # fmt: skip
    found = cuts(REPORTS["many sentences"])
    assert found["notes"] == (MOST, 100_000, "sentences.parquet")
    assert found["left_out"] == (MOST, 60, "sentences.parquet")
    assert cuts(REPORTS["long names"])["measures.worst"] == (SHOWN, None, "episodes")
    assert cuts(REPORTS["one input that violates all"])["inputs.verdicts.evidence"][1:] == (8000, "verdicts.parquet")


def test_an_input_that_no_rule_judges_is_in_the_table_too(tmp_path: Path) -> None:
    (tmp_path / "partial").mkdir()
    write_report(report((replace(inputs(1, 1)[0], verdicts=()),)), tmp_path)
    (row,) = pl.read_parquet(tmp_path / "verdicts.parquet").to_dicts()
    assert (row["input"], row["lines"], row["rule"]) == ("0.log", 10, None)


def test_unknown_verdicts_of_many_inputs_are_one_row_whatever_figures_their_reasons_have() -> None:
    reasons = (f"does not hold of {count:,} of the 9 events that it judges" for count in range(1, 2_000))
    unknown = (replace(verdict(1, Verdict.UNKNOWN), reason=reason) for reason in reasons)
    found = tuple(replace(each, verdicts=(one,)) for each, one in zip(inputs(1_999, 1), unknown, strict=True))
    console = Console(file=StringIO(), width=300)
    show(report(found), console)
    assert isinstance(console.file, StringIO)
    rows = [line for line in console.file.getvalue().splitlines() if line.startswith("RULE-1")]
    assert len(rows) == 1
    assert "1,999" in rows[0]
    assert rows[0].endswith("does not hold of 1 of the 9 events that it judges; 1,998 more reasons have other figures")
