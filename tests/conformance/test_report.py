"""report.json, its renderings and the command that makes them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import jsonschema
import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from rich.console import Console

from tests.conformance.sample_report import HOSTILE, sample_report
from tidegate.catalogue.ledger import ledgers
from tidegate.cli.report import report as command
from tidegate.conformance.report import html, markdown, terminal
from tidegate.conformance.report.files import render_all
from tidegate.conformance.report.store import read_report, report_schema, write_report
from tidegate.conformance.report.terminal import Detail
from tidegate.conformance.report.terminal import show as show_on
from tidegate.conformance.report.verdicts import footer, wording
from tidegate.conformance.report.view import (
    ORDER,
    anchor,
    count,
    full_label,
    label,
    not_kept,
    outcome,
    rows,
    unlike_kept,
)
from tidegate.pages.signs import SIGNS
from tidegate.record.errors import BadInput
from tidegate.record.report import Report
from tidegate.record.verdict import Verdict

DOCUMENTS = {file.ledger.address for file in ledgers()}
"""The targets of links to the documents; a link loads nothing."""
LOADING = {"src", "srcset", "href", "data", "poster", "action", "formaction", "background"}


@pytest.fixture(scope="module")
def page() -> str:
    return html.render(sample_report())


@pytest.fixture(scope="module")
def tree(page: str) -> Element:
    """The page, parsed by a strict parser, which raises at the first error."""
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    return tree


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    write_report(sample_report(), path)
    return path


def test_a_report_is_read_as_it_was_written(written: Path) -> None:
    assert read_report(written) == sample_report()


def test_a_report_fits_its_published_schema(written: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())
    jsonschema.validate(json.loads(written.read_text()), report_schema())


def test_a_truncated_report_is_refused_with_its_line(written: Path) -> None:
    lines = written.read_text().splitlines()
    written.write_text("\n".join(lines[:40]))
    with pytest.raises(BadInput) as refused:
        read_report(written)
    assert refused.value.line == 40


def _other_schema(content: dict[str, Any]) -> None:
    content["schema"] = 1


def _unheard_of_verdict(content: dict[str, Any]) -> None:
    content["implementations"][1]["verdicts"][17]["verdict"] = "green"


def _unheard_of_field(content: dict[str, Any]) -> None:
    content["implementations"][0]["implementation"]["colour"] = "red"


def _text_for_a_number(content: dict[str, Any]) -> None:
    content["implementations"][0]["seconds"] = "0.4"


def _one_verdict_less(content: dict[str, Any]) -> None:
    content["implementations"][1]["verdicts"].pop()


def _one_check_less(content: dict[str, Any]) -> None:
    content["implementations"][0]["verdicts"][16]["checks"].pop()


def _not_an_object(content: dict[str, Any]) -> None:
    content["implementations"][0] = 5


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (_other_schema, "schema"),
        (_unheard_of_verdict, "implementations.1.verdicts.17 (ARTEMIS-BLOCK-2).verdict"),
        (_unheard_of_field, "implementations.0.implementation.colour"),
        (_text_for_a_number, "implementations.0.seconds"),
        (_one_verdict_less, "footer.verdicts"),
        (_one_check_less, "footer.checks"),
        (_not_an_object, "implementations.0"),
    ],
)
def test_a_malformed_report_is_refused_with_its_field(written: Path, spoil: Any, field: str) -> None:
    content = json.loads(written.read_text())
    spoil(content)
    written.write_text(json.dumps(content))
    with pytest.raises(BadInput) as refused:
        read_report(written)
    assert (refused.value.file, refused.value.field) == (str(written), field)


def test_a_report_without_a_footer_is_incomplete(written: Path) -> None:
    content = json.loads(written.read_text())
    del content["footer"]
    written.write_text(json.dumps(content))
    with pytest.raises(BadInput, match="footer; the report is incomplete"):
        read_report(written)


@pytest.mark.parametrize("content", ["", "[]", "\x00", "nonsense"])
def test_what_is_no_report_at_all_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(BadInput):
        read_report(path)


def test_the_page_loads_nothing(tree: Element, page: str) -> None:
    for element in tree.iter():
        for name, value in element.attrib.items():
            if name in LOADING and not (element.tag == "a" and value in DOCUMENTS):
                inside = value.startswith(("#", "data:,")) or element.tag == "a"
                assert inside and ":" not in value.removeprefix("data:"), f"<{element.tag} {name}={value!r}>"
    for address in DOCUMENTS:
        page = page.replace(f'href="{address}"', "")
    assert "http://" not in page and "https://" not in page
    assert "@import" not in page and "url(" not in page
    policy = tree.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None and policy.attrib["content"].startswith("default-src 'none';")


def test_the_page_has_every_rule_of_every_implementation_folded(tree: Element) -> None:
    bodies = {each.attrib["id"]: each for each in tree.iter() if "id" in each.attrib}
    folded = {body: details for details in tree.iter("details") for body in details.iterfind("div[@class='body']")}
    for each in sample_report().implementations:
        for verdict in each.verdicts:
            shown = bodies[anchor(each.implementation.profile, verdict.rule)]
            if verdict.verdict is Verdict.NOT_CLAIMED:
                assert shown.tag == "li" and verdict.reason in _text(shown)
                continue
            assert verdict.sentence.replace("`", "") in _text(shown)
            assert "open" not in folded[shown].attrib


def test_the_page_has_a_part_for_each_implementation_and_opens_those_that_are_not_green(tree: Element) -> None:
    parts = [each for each in tree.iter("details") if each.attrib["class"] == "implementation"]
    assert [_text(part.find("summary/h2")) for part in parts] == list(map(label, sample_report().implementations))
    assert ["open" in part.attrib for part in parts] == [False, True]
    silent = [part.find("details[@class='group silent is-not-claimed']") for part in parts]
    assert all(each is not None and "open" not in each.attrib for each in silent)


def test_what_is_not_kept_comes_first_and_once(tree: Element) -> None:
    broker = sample_report().implementations[1]
    part = tree.find(".//details[@class='implementation'][@open]")
    assert part is not None
    shown = [each.text for each in part.iter("span") if each.attrib.get("class") == "id"]
    wanted = [verdict.rule for verdict in not_kept(broker)]
    assert shown[: len(wanted)] == wanted
    claimed = {verdict.rule for verdict in broker.verdicts if verdict.verdict is not Verdict.NOT_CLAIMED}
    assert len(shown) == len(set(shown)) and set(shown) == claimed


def test_the_page_shows_expected_against_seen_and_how_to_replay(tree: Element) -> None:
    rule = tree.find(".//div[@id='artemis-ARTEMIS-AMQP-2']")
    assert rule is not None
    words = _text(rule)
    assert "expected 100 credits issued at attach seen 1000 credits issued at attach" in words
    assert "tidegate run --adapter artemis --check 'artemis_amqp_2[at]'" in words
    script = rule.find(".//p[@class='replay']/a")
    assert script is not None and script.attrib["href"] == "reproduce/ARTEMIS-AMQP-2.py"


def test_the_page_tells_verdicts_by_sign_and_word_not_by_colour_alone(tree: Element) -> None:
    badges = [_text(each) for each in tree.iter("span") if "badge" in each.attrib.get("class", "").split()]
    assert {"✓ kept", "✗ violated", "○ not used", "? unknown", "✗ violated (1 of 2)"} <= set(badges)


def test_the_page_offers_no_filter_where_there_is_no_javascript(tree: Element) -> None:
    bar = tree.find(".//div[@class='filter']")
    assert bar is not None and "hidden" in bar.attrib


def test_a_text_of_a_broker_never_becomes_markup(tree: Element) -> None:
    assert HOSTILE in _text(tree)
    assert [script.attrib for script in tree.iter("script")] == [{}]
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown.render(sample_report()))
    inline = [token.children or [] for token in tokens if token.type == "inline"]
    assert f"seen: {HOSTILE}" in ["".join(child.content for child in children) for children in inline]
    kinds = {token.type for token in tokens} | {child.type for children in inline for child in children}
    assert not kinds & {"html_block", "html_inline", "em_open", "link_open"}


def test_the_summary_for_a_ci_job_has_counts_and_a_row_a_rule() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown.render(sample_report()))
    text = [token.content for token in tokens if token.type == "inline"]
    artemis = text.index("artemis 2.44.0 (AMQP 1.0)")
    assert text[artemis : artemis + 7] == ["artemis 2.44.0 (AMQP 1.0)", "9", "0", "1", "4", "2", "16"]
    claimed = [row for row in rows(sample_report()) if row.claimed]
    for row in claimed:
        assert row.rule in text
    assert sum(token.type == "tr_open" for token in tokens) == 3 + 1 + len(claimed)


def test_the_terminal_shows_the_evidence_of_each_verdict_that_is_not_green() -> None:
    console = Console(width=110, record=True, file=StringIO())
    terminal.show(sample_report(), console)
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    at = lines.index("ARTEMIS-AMQP-2  violated   artemis 2.44.0 (AMQP 1.0)")
    assert lines[at + 1 : at + 9] == [
        "  Where no credit is configured, the broker MUST issue 100 credits to each producer that attaches to an",
        "  address that is not full.",
        "  done      Given an address with max-size 4000 bytes",
        "            When a producer sends messages of 1000 bytes",
        "  expected  100 credits issued at attach",
        "  seen      1000 credits issued at attach",
        "  replay    tidegate run --adapter artemis --check 'artemis_amqp_2[at]'",
        "  script    reproduce/ARTEMIS-AMQP-2.py   (needs no tidegate)",
    ]
    assert f"  seen      {HOSTILE}" in lines
    varying = lines.index("ARTEMIS-AMQP-6  violated (1 of 2)   artemis 2.44.0 (AMQP 1.0)")
    assert lines[varying + 6] == "  seen      producer stopped after 2000 ms, 1 of 2 runs"
    assert lines[-1].endswith("exit code 1")


def printed(report: Report, detail: Detail = Detail.NOT_KEPT, width: int = 80, *, terminal: bool = False) -> str:
    """The output on a terminal of this width, or in a pipe."""
    console = Console(width=width, file=StringIO(), force_terminal=terminal, no_color=True, legacy_windows=False)
    with console.capture() as shown:
        show_on(report, console, Path("out/report.html"), detail)
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.get())


def rows_of(text: str) -> dict[str, str]:
    """The rows that begin with the id of a rule and its verdict's sign."""
    found = (re.match(rf"(\S+-\d+)  +([{''.join(SIGNS.values())}] .*)", line) for line in text.splitlines())
    return {row[1]: row[2] for row in found if row}


def test_a_script_is_named_by_the_path_from_the_folder_of_the_command() -> None:
    assert "  script    out/reproduce/ARTEMIS-AMQP-2.py   (needs no tidegate)" in printed(sample_report()).splitlines()


@pytest.mark.parametrize("terminal", [True, False])
def test_only_rules_that_are_not_kept_have_a_row(terminal: bool) -> None:
    shown = printed(sample_report(), terminal=terminal)
    verdicts = {verdict.rule: wording(verdict) for _, verdict in unlike_kept(sample_report())}
    found = rows_of(shown)
    assert set(found) == set(verdicts)
    assert all(verdicts[rule] in found[rule] for rule in verdicts)


@pytest.mark.parametrize("terminal", [True, False])
def test_every_rule_has_a_row_where_asked(terminal: bool) -> None:
    shown = printed(sample_report(), Detail.EVERY_RULE, terminal=terminal)
    for each in sample_report().implementations:
        section = shown[shown.rindex(f"\n{full_label(each)}\n") :]
        found = rows_of(section.partition("\n\n")[0])
        assert list(found) == [verdict.rule for verdict in each.verdicts]
        assert all(wording(verdict) in found[verdict.rule] for verdict in each.verdicts)


@pytest.mark.parametrize("terminal", [True, False])
def test_every_implementation_has_a_line_with_its_counts_and_its_end(terminal: bool) -> None:
    lines = printed(sample_report(), terminal=terminal).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("implementation"))
    kinds = [kind for kind in ORDER if sample_report().footer.verdicts[kind]]
    ends = ("0 kept", "1 violated")
    for each, end, line in zip(sample_report().implementations, ends, lines[at + 1 :], strict=False):
        assert line.startswith(label(each)) and line.endswith(end)
        assert line.removeprefix(label(each)).split()[:-2] == [str(count(each, kind)) for kind in kinds]


def test_the_end_of_an_implementation_says_what_decided_it() -> None:
    broker = sample_report().implementations[1]
    window = next(verdict for verdict in broker.verdicts if verdict.rule == "ARTEMIS-AMQP-2")
    unknown = next(verdict for verdict in broker.verdicts if verdict.verdict is Verdict.UNKNOWN)
    declared = replace(window, known_deviation="as everybody knows")
    gone = ("ARTEMIS-BLOCK-1: no longer deviates: kept",)
    for verdict, deviations_gone, end in (
        (window, (), "1 violated"),
        (unknown, (), "3 unknown"),
        (declared, (), "0 as declared"),
        (declared, gone, "1 not as declared"),
    ):
        each = replace(broker, verdicts=(verdict,), deviations_gone=deviations_gone)
        shown = printed(replace(sample_report(), implementations=(each,), footer=footer((each,))))
        assert next(line for line in shown.splitlines() if line.startswith("artemis 2.44.0  ")).endswith(end)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("detail", list(Detail))
def test_nothing_is_cut_off(terminal: bool, detail: Detail) -> None:
    shown = printed(sample_report(), detail, width=60, terminal=terminal)
    assert "…" not in shown
    assert terminal or "\x1b" not in shown


def test_the_path_of_the_page_stands_last() -> None:
    for detail in (Detail.NOT_KEPT, Detail.EVERY_RULE):
        assert printed(sample_report(), detail).splitlines()[-1] == "report: out/report.html"


def test_quiet_prints_one_line() -> None:
    assert printed(sample_report(), Detail.ONE_LINE) == f"{outcome(sample_report())}\n"


def test_the_line_of_counts_wraps_between_words_on_a_terminal() -> None:
    lines = printed(sample_report(), Detail.ONE_LINE, width=40, terminal=True).splitlines()
    assert len(lines) > 1 and max(map(len, lines)) <= 40
    assert " ".join(line.strip() for line in lines) == outcome(sample_report())


def test_the_command_prints_as_much_as_asked(written: Path) -> None:
    lines = {}
    for options in ((), ("-v",), ("--verbose",), ("-q",), ("--quiet",)):
        ended = CliRunner().invoke(command, ["show", str(written), *options])
        assert ended.exit_code == 0, ended.output
        lines[options] = ended.output.splitlines()
    assert lines[("-q",)] == lines[("--quiet",)] == [outcome(sample_report())]
    assert lines[("-v",)] == lines[("--verbose",)]
    assert len(rows_of("\n".join(lines[("-v",)]))) == len(rows(sample_report()))
    assert CliRunner().invoke(command, ["show", str(written), "-v", "-q"]).exit_code == 2


def test_render_makes_again_what_the_run_made(tmp_path: Path) -> None:
    made = render_all(sample_report(), tmp_path / "run")
    ended = CliRunner().invoke(command, ["render", str(made[0]), "--to", str(tmp_path / "again")])
    assert ended.exit_code == 0, ended.output
    for path in made[1:]:
        assert (tmp_path / "again" / path.name).read_text() == path.read_text()


def test_check_counts_a_complete_report(written: Path) -> None:
    ended = CliRunner().invoke(command, ["check", str(written)])
    assert ended.exit_code == 0 and "4 violated" in ended.output and "exit code 1" in ended.output


def _text(element: Element | None) -> str:
    """All text of an element, with a space between blocks and any run of spaces as one."""
    assert element is not None
    return " ".join("".join(_pieces(element)).split())


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        if child.tag in ("dt", "dd", "div", "p", "li"):
            yield " "
        yield child.tail or ""
