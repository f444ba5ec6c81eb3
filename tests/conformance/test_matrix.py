"""The matrix, its renderings and its schema."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import jsonschema
import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from tests.conformance.sample_report import HOSTILE, RULES, sample_report
from tidegate.catalogue import catalogue
from tidegate.conformance.report import matrix_html, matrix_markdown, matrix_terminal
from tidegate.conformance.report.matrix import Matrix, matrix_schema
from tidegate.conformance.report.matrix_building import Source, matrix_of
from tidegate.conformance.report.matrix_files import render_all
from tidegate.conformance.report.matrix_sections import sections
from tidegate.conformance.report.verdicts import judge
from tidegate.record.report import ImplementationReport, Report
from tidegate.record.verdict import Verdict

WHY = "expected a JDK (java); please install it <b>&</b>"


def of_version(version: str) -> Report:
    """The sample's broker alone, in a version."""
    report = sample_report()
    broker = report.implementations[1]
    renamed = replace(broker, implementation=replace(broker.implementation, version=version))
    return replace(report, implementations=(renamed,))


def in_part() -> Report:
    """The sample's reference alone, after a subset that leaves a rule out."""
    report = sample_report()
    reference = report.implementations[0]
    verdicts = tuple(verdict for verdict in reference.verdicts if verdict.rule != "ARTEMIS-AMQP-2")
    each = replace(reference, verdicts=verdicts, left_out=("ARTEMIS-AMQP-2",))
    return replace(report, implementations=(each,), subset="boundary")


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    sources = [
        Source("artemis:2.44.0", of_version("2.44.0"), page="artemis-2.44.0/report.html"),
        Source("part", in_part()),
        Source("artemis:2.50.0", of_version("2.50.0")),
        Source("artemis:2.6.0", None, unavailable=WHY),
        Source("classic:5.3.1", None, unavailable=WHY),
    ]
    return matrix_of(sources, "0.1.0", 3)


@pytest.fixture(scope="module")
def tree(matrix: Matrix) -> Element:
    """The page, parsed by a strict parser, which raises at the first error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree: Element = parser.parse(matrix_html.render(matrix))
    return tree


def test_versions_of_one_implementation_stand_beside_each_other(matrix: Matrix) -> None:
    labels = [column.label for column in matrix.columns]
    assert labels == ["artemis 2.44.0", "artemis 2.50.0", "artemis 2.6.0", "reference 0.1", "classic 5.3.1"]


def test_every_rule_has_a_line_in_the_order_of_the_specification(matrix: Matrix) -> None:
    shown = [line.rule for line in matrix.lines]
    assert shown == [rule for rule in catalogue() if rule in RULES]
    assert {*shown} == RULES
    assert {line.category for line in matrix.lines} >= {"boundary", "default"}
    assert all(len(line.cells) == len(matrix.columns) for line in matrix.lines)


def test_a_cell_says_what_is_known_and_why_nothing_is(matrix: Matrix) -> None:
    line = next(line for line in matrix.lines if line.rule == "ARTEMIS-AMQP-2")
    assert [cell.words for cell in line.cells] == [
        "violated",
        "violated",
        "not available",
        "not in the part that ran",
        "not available",
    ]
    assert line.cells[0].gist == ("1000 credits issued at attach",)
    assert [cell.verdict for cell in line.cells] == [Verdict.VIOLATED, Verdict.VIOLATED, None, None, None]


def test_a_rule_that_the_specification_no_longer_has_comes_last() -> None:
    report = of_version("1")
    old = replace(report.implementations[0].verdicts[-1], rule="OLD-1")
    each = replace(report.implementations[0], verdicts=(old, *report.implementations[0].verdicts))
    shown = matrix_of([Source("old", replace(report, implementations=(each,)))], "0.1.0", 0)
    assert (shown.lines[-1].rule, shown.lines[-1].category) == ("OLD-1", "")


def test_a_mechanism_shows_only_columns_that_say_something_about_it(matrix: Matrix) -> None:
    shown = {section.mechanism: [column.label for column in section.columns] for section in sections(matrix)}
    assert "QPID-QUEUE" not in shown
    assert shown["ARTEMIS-AMQP"] == [column.label for column in matrix.columns]


def test_what_could_not_be_had_stands_beside_its_other_versions_or_everywhere() -> None:
    rule = catalogue()["QPID-QUEUE-1"]
    kept = sample_report().implementations[0].verdicts[0].checks
    queue = replace(sample_report().implementations[0], verdicts=(judge(rule, kept, rule.needs),))
    sources = [
        Source("reference", replace(sample_report(), implementations=(queue,))),
        Source("artemis:2.44.0", of_version("2.44.0")),
        Source("artemis:9", None, unavailable=WHY),
        Source("other:9", None, unavailable=WHY),
    ]
    shown = {
        section.mechanism: [column.label for column in section.columns]
        for section in sections(matrix_of(sources, "0.1.0", 2))
    }
    assert shown["QPID-QUEUE"] == ["reference 0.1", "other 9"]
    assert shown["ARTEMIS-AMQP"] == ["artemis 2.44.0", "artemis 9", "other 9"]


def test_the_matrix_fits_its_published_schema(matrix: Matrix, tmp_path: Path) -> None:
    written = render_all(matrix, tmp_path / "new" / "folder")
    content = json.loads(written[0].read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(matrix_schema())
    jsonschema.validate(content, matrix_schema())
    assert content["exit_code"] == 3
    del content["columns"][0]["source"]
    with pytest.raises(jsonschema.ValidationError, match="source"):
        jsonschema.validate(content, matrix_schema())


def test_the_page_loads_nothing_and_quotes_everything(tree: Element, matrix: Matrix) -> None:
    page = matrix_html.render(matrix)
    assert "http://" not in page and "https://" not in page
    assert "@import" not in page and "url(" not in page
    assert [script.attrib for script in tree.iter("script")] == [{}]
    words = text(tree)
    assert WHY in words
    assert HOSTILE[:20] in words


def test_the_page_links_to_the_evidence_and_offers_no_filter_without_javascript(tree: Element) -> None:
    links = {each.attrib["href"] for each in tree.iter("a")}
    assert "artemis-2.44.0/report.html#artemis-ARTEMIS-AMQP-2" in links
    bar = tree.find(".//div[@class='filter']")
    assert bar is not None and "hidden" in bar.attrib


def test_the_page_tells_verdicts_by_sign_and_word(tree: Element) -> None:
    badges = {text(each) for each in tree.iter() if "badge" in each.attrib.get("class", "").split()}
    assert {"✓ kept", "✗ violated", "? unknown", "○ not used", "not available", "not in the part that ran"} <= badges


def test_markdown_has_a_row_a_rule_and_no_markup_of_a_broker(matrix: Matrix) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(matrix_markdown.render(matrix))
    inline = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    assert {line.rule for section in sections(matrix) for line in section.lines} <= set(inline)
    assert WHY in inline
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "em_open"}


def test_the_terminal_says_why_an_implementation_is_not_there(matrix: Matrix) -> None:
    console = Console(width=220, record=True, file=StringIO())
    matrix_terminal.show(matrix, console)
    shown = console.export_text()
    assert f"classic 5.3.1 not available: {WHY}" in shown
    assert "the boundary subset only, 1 rules left out" in " ".join(shown.split())
    assert "1000 credits issued at attach" in shown
    assert "exit code 3" in shown


def test_what_is_not_as_declared_is_told_since_it_decides_the_exit_code(matrix: Matrix, tree: Element) -> None:
    gone = "artemis 2.44.0: ARTEMIS-BLOCK-1: no longer deviates: kept"
    assert gone in matrix.columns[0].not_as_declared
    (console := Console(width=220, record=True, file=StringIO())).print()
    matrix_terminal.show(matrix, console)
    assert f"not as declared  {gone}" in console.export_text()
    assert f"- {gone}" in matrix_markdown.render(matrix).replace("\\", "")
    assert any(gone in "".join(each.itertext()) for each in tree.iter("p"))


def test_the_sample_has_what_these_tests_are_about() -> None:
    each: ImplementationReport = of_version("1").implementations[0]
    assert {verdict.verdict for verdict in each.verdicts} == set(Verdict) - {Verdict.USED, Verdict.FOLLOWS}


def text(element: Element) -> str:
    """All text of an element, any run of spaces as one."""
    return " ".join("".join(element.itertext()).split())
