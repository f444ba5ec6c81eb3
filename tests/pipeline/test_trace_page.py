"""What `tidegate trace check` shows of measures: the page and the terminal."""

import json
import re
from dataclasses import replace
from datetime import timedelta, timezone
from io import StringIO
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest
from click.testing import CliRunner
from rich.console import Console

from tests.pipeline.measured import events, level, limits, measured, overfull, release, send, stop, underfull
from tidegate.catalogue import catalogue
from tidegate.cli.trace import trace
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.findings.measures import Band, Measures, Point, Timeline
from tidegate.pipeline.findings.reports import Account, Evidence, InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.report.page import HEIGHT, REPORT_HTML, WIDTH, chart, render, write_html
from tidegate.pipeline.report.terminal import ROWS, show_measures
from tidegate.pipeline.report.words import answer, duration, moment
from tidegate.pipeline.work.engines import Engine
from tidegate.record.verdict import Verdict

SVG = "{http://www.w3.org/2000/svg}"
LONGEST = "longest episodes"
HOSTILE = '</title><script>alert("q")</script>'


def verdicts() -> InputReport:
    shown = Evidence(7, "s", 5, {"kind": "overfull", "bytes": 1000, "destination": HOSTILE})
    return InputReport(
        input="broker.log",
        form="qpid log",
        name="",
        version="",
        account=Account(1234, 34, 1199, 1),
        verdicts=(
            TraceVerdict(
                "QPID-LOG-1", "MUST", "It MUST log `QUE-1003`.", Verdict.VIOLATED, "of 2 of 9", 9, 2, (shown,)
            ),
            TraceVerdict("QPID-LOG-2", "MUST", "It MUST stop.", Verdict.KEPT, "holds of all 3", 3, 0),
            TraceVerdict("QPID-LOG-4", "MUST", "It MUST go.", Verdict.UNKNOWN, "no line", 0, 0),
        ),
    )


def report(*, quarantined: tuple[str, ...] = ("broker.log:9: size: expected a number",)) -> TraceReport:
    return TraceReport(
        "0.1.0", (verdicts(),), quarantined, compared=None, disagreements=(), exit_code=3, engine="plain",
        engine_because="asked for", left_out=("gone.log: expected a file",), notes=("old.log: read again",),
    )  # fmt: skip


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> Measures:
    """A log and a trace: two queues, one of them with a name that is markup, a stop without a release."""
    log = [
        *(overfull(HOSTILE), stop("c", HOSTILE), overfull("b"), stop("c", "b"), stop("d", "b"), underfull("b")),
        *(underfull(HOSTILE), release("c", None), overfull("b"), underfull("b")),
    ]
    trace = [limits(), send(1500), level(1500), stop("p"), level(700, cause="acknowledge"), release("p")]
    both = [*events(*log, source="log"), *events(*trace, source="trace")]
    return measured(tmp_path_factory.mktemp("measures"), both)


@pytest.fixture(scope="module")
def page(measures: Measures) -> str:
    return render(report(), measures)


@pytest.fixture(scope="module")
def tree(page: str) -> Element:
    """The page as a strict parser reads it: it raises at the first thing that is not well-formed."""
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    return tree


def text(element: Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def table(tree: Element, heading: str) -> list[list[str]]:
    """The rows of the table that follows a heading."""
    elements = list(tree.iter())
    start = next(place for place, each in enumerate(elements) if each.tag == "h3" and text(each) == heading)
    found = next(each for each in elements[start:] if each.tag == "table")
    return [[text(cell) for cell in row.iter("td")] for row in found.iter("tr") if row.find("td") is not None]


def test_the_page_loads_nothing_and_runs_nothing(tree: Element, page: str) -> None:
    assert not [each.tag for each in tree.iter() if each.tag in ("script", "img", "link", "iframe", "object")
                and each.attrib.get("href") != "data:,"]  # fmt: skip
    assert "http://" not in page and "https://" not in page and "url(" not in page and "@import" not in page
    policy = tree.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None and policy.attrib["content"].startswith("default-src 'none'; style-src")


def test_a_name_of_a_queue_never_becomes_markup(tree: Element, page: str) -> None:
    assert "<script>" not in page
    assert HOSTILE in "".join(tree.itertext())


def test_the_page_accounts_for_each_line_and_shows_what_was_put_aside(tree: Element) -> None:
    words = text(tree)
    assert "1,234 lines = 34 events + 1,199 ignored + 1 put aside" in words
    assert "Put aside broker.log:9: size: expected a number" in words


def test_the_page_shows_each_verdict_by_sign_and_word_and_opens_the_evidence(tree: Element) -> None:
    rules = {text(each)[:10]: each for each in tree.iter("details") if "rule" in each.attrib.get("class", "")}
    assert [each for each, rule in rules.items() if "open" in rule.attrib] == ["QPID-LOG-1"]
    assert "✗ violated" in text(rules["QPID-LOG-1"]) and "broker.log:7" in text(rules["QPID-LOG-1"])
    assert "✓ kept" in text(rules["QPID-LOG-2"]) and "? unknown" in text(rules["QPID-LOG-4"])


def test_every_drawing_has_a_name_a_description_and_a_table(tree: Element, measures: Measures) -> None:
    figures = list(tree.iter("figure"))
    assert len(figures) == len(measures.timelines) == 3
    named: list[str] = []
    for figure in figures:
        (drawing,) = figure.iter(f"{SVG}svg")
        assert drawing.attrib["role"] == "img"
        named += drawing.attrib["aria-labelledby"].split()
        names = [each for each in drawing if each.tag in (f"{SVG}title", f"{SVG}desc")]
        assert [each.attrib["id"] for each in names] == named[-2:]
        assert all(map(text, names))
        assert figure.find(".//table") is not None
    assert len(named) == len(set(named))
    beside_figures = [each for each in tree.iter(f"{SVG}svg") if each.attrib.get("aria-hidden") == "true"]
    assert len(beside_figures) == len(list(tree.iter(f"{SVG}svg"))) - len(figures)


def test_the_page_lists_what_was_measured(tree: Element) -> None:
    assert table(tree, "Worst overshoot")[0][:7] == [
        *("q trace", "capacity 1,000", "1,500", "500 bytes", "50.0 %", "20 ms", "send of 1,500 bytes"),
    ]
    assert table(tree, "No release")[0][:6] == [
        *("channel d log", "unknown of b", "40 ms", "not seen end of log", "at least 50 ms", "50 ms"),
    ]
    at_once = [[f"unknown of {HOSTILE} + unknown of b", "channels", "1", "40 ms", ""]]
    assert table(tree, "Several causes at once") == at_once
    assert table(tree, "Oscillation") == [["b log", "2", "2", "60,000.0", "2 from 0 ms"]]
    assert table(tree, "From space seen free to release") == [["10 ms – 100 ms", "2", ""]]


def test_where_nothing_was_stopped_the_page_says_so_and_not_that_all_is_well(tmp_path: Path) -> None:
    path = write_html(report(quarantined=()), measured(tmp_path / "none", []), tmp_path)
    assert isinstance(path, Path) and path.name == REPORT_HTML
    words = text(html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(path.read_text()))
    assert "0 stop episodes." in words and "Unknown: no limit and level" in words and "Put aside" not in words


@pytest.mark.parametrize(
    ("stops", "released", "said"),
    [
        (1, (True,), "it stopped senders once."),
        (1, (False,), "it stopped senders once, without a release."),
        (2, (True, True), "it stopped senders 2 times."),
        (2, (False, True), "it stopped senders 2 times, not always with a release."),
    ],
)
def test_a_timeline_says_whether_its_stops_were_released(
    measures: Measures, stops: int, released: tuple[bool, ...], said: str
) -> None:
    bands = tuple(Band(place, place + 1, ended=ended) for place, ended in enumerate(released))
    line = replace(measures.timelines[0], stops=stops, bands=bands)
    assert said in render(report(), replace(measures, timelines=(line,)))


def test_a_timeline_says_that_it_shows_only_extremes(measures: Measures) -> None:
    line = measures.timelines[0]
    assert "Of 90,000 levels only the lowest" in render(
        report(), replace(measures, timelines=(replace(line, events=90_000),))
    )
    assert "only the lowest" not in render(report(), measures)


def test_levels_and_thresholds_are_drawn_as_steps_in_scale(measures: Measures) -> None:
    points = (Point(0, 0, 1000, 500), Point(50, 1000, 1000, 500), Point(100, 500, 800, None))
    bands = (Band(50, 100, ended=True), Band(100, 100, ended=False))
    line = Timeline("s", "q", "bytes", points, bands, 3, 2, 0, 100)
    drawn = chart(line, 0, 100)
    top, middle = round(HEIGHT * (1 - 1 / 1.06), 1), round(HEIGHT * (1 - 0.5 / 1.06), 1)
    assert drawn.level == f"M0 {HEIGHT}H{WIDTH // 2}V{top:g}H{WIDTH}V{middle:g}H{WIDTH}"
    assert drawn.high.startswith(f"M0 {top:g}H{WIDTH}V")
    assert drawn.low == f"M0 {middle:g}H{WIDTH}"
    assert [(box.x, box.width, box.ended) for box in drawn.bands] == [(500, 500, True), (998, 2, False)]
    said = "At most 1,000 bytes, limit 1,000, then 800, resume level 500; it stopped senders 2 times, not always with"
    assert said in render(report(), replace(measures, timelines=(line,)))


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        *((None, "unknown"), (0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (59_999, "59.9 s"), (60_000, "1 min")),
        *((61_000, "1 min 1 s"), (3_600_000, "1 h"), (3_660_000, "1 h 1 min"), (90_000_000, "1 d 1 h")),
    ],
)
def test_a_duration_is_told_in_its_two_largest_units(ms: int | None, words: str) -> None:
    assert duration(ms) == words


def test_a_time_is_told_in_utc_and_one_of_a_virtual_clock_as_it_is() -> None:
    assert moment(1_795_241_314_511) == "2026-11-21 06:08:34.511"
    assert (moment(12_345), moment(None)) == ("12,345 ms", "unknown")


def test_the_terminal_shows_short_tables(measures: Measures) -> None:
    console = Console(width=100, record=True, file=StringIO())
    show_measures(measures, console)
    lines = [" ".join(line.split()) for line in console.export_text().splitlines()]
    blocked = "Blocked for longest: channel d, by an unknown limit of b, since 40 ms, for at least 50 ms"
    assert lines[0].startswith(blocked)
    assert lines[lines.index("top causes") - 4] == "4 stop episodes: 1 without a release to the end, 3 released"
    assert "q capacity 1,000 500 bytes 50.0 % 20 ms trace" in lines
    assert "b 2 60,000.0 2" in lines
    titles = [
        "who was blocked",
        "top causes",
        "several causes at once",
        "no release",
        "worst overshoot",
    ]
    assert [line for line in lines if line in (*titles, LONGEST)] == titles


def test_the_longest_episodes_are_shown_if_the_first_table_lacks_one(measures: Measures) -> None:
    another = replace(measures.longest[0], who="another")
    console = Console(width=100, record=True, file=StringIO())
    show_measures(replace(measures, longest=(*measures.longest, another)[-ROWS:]), console)
    shown = console.export_text()
    assert LONGEST in shown and "another" in shown


def test_the_answer_has_the_zone_of_its_time(measures: Measures) -> None:
    one = replace(measures.worst[0], from_ms=1_795_241_314_511)
    there = timezone(timedelta(hours=1), "there")
    assert "since 2026-11-21 07:08:34.511 there, for" in answer(replace(measures, worst=(one,)), there)


def test_a_quiet_terminal_shows_nothing(measures: Measures) -> None:
    console = Console(width=100, quiet=True, file=(shown := StringIO()))
    show_measures(measures, console)
    assert shown.getvalue() == ""


def test_a_check_writes_the_page_and_the_measures(tmp_path: Path) -> None:
    log = Path(__file__).parents[1] / "runs" / "artemis-2.44.0.log"
    ended = CliRunner().invoke(trace, ["check", str(log), "--report", str(tmp_path / "out"), "--engine", "plain"])
    assert ended.exit_code == 0, ended.output
    stopped, released = (
        len(re.findall(codes, log.read_text())) for codes in ("AMQ222183|AMQ224114", "AMQ221046|AMQ224115")
    )
    told = f"{stopped} stop episodes: {stopped - released} without a release to the end, {released} released"
    assert stopped > released > 50 and told in ended.stdout
    assert f"the whole report: {tmp_path / 'out' / REPORT_HTML}" in ended.stdout
    report = json.loads((tmp_path / "out" / "trace-report.json").read_text())
    found, account = report["measures"], report["inputs"][0]["account"]
    assert (found["episodes"], len(found["longest"])) == (stopped, 20)
    assert "timelines" not in found
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(
        (tmp_path / "out" / REPORT_HTML).read_text()
    )
    lines, told_of = len(log.read_text().splitlines()), account["events"]
    assert f"{lines} lines = {told_of} events + {lines - told_of} ignored + 0 put aside" in text(tree)
    assert len(list(tree.iter("figure"))) == 12


def test_a_log_that_no_rule_judges_is_measured(tmp_path: Path) -> None:
    log = Path(__file__).parent / "logs" / "rabbitmq" / "rabbitmq-3.10.8.log"
    found = check_files([log], tmp_path, catalogue(), engine=Engine.PLAIN)
    assert found.measures is not None and found.inputs[0].verdicts == ()
    at_once = {(one.causes, one.times) for one in found.measures.together}
    assert at_once == {("disk of tidegatelogs@localhost + memory of tidegatelogs@localhost", 1)}
    assert "No rule judges this input." in render(found, found.measures)
