"""report.json, its renderings and the command that makes them."""

import json
from collections.abc import Iterator
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

from tidegate.cli.report import report as command
from tidegate.conformance.report import html, markdown, terminal
from tidegate.conformance.report.files import render_all
from tidegate.conformance.report.store import read_report, report_schema, write_report
from tidegate.conformance.report.view import rows
from tidegate.record.errors import BadInput
from tests.conformance.sample_report import HOSTILE, sample_report

LOADING = {"src", "srcset", "href", "data", "poster", "action", "formaction", "background"}


@pytest.fixture(scope="module")
def page() -> str:
    return html.render(sample_report())


@pytest.fixture(scope="module")
def tree(page: str) -> Element:
    """The page as a strict parser reads it: it raises at the first thing that is not well-formed."""
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
    content["schema"] = 2


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
            if name in LOADING:
                inside = value.startswith(("#", "data:,")) or element.tag == "a"
                assert inside and ":" not in value.removeprefix("data:"), f"<{element.tag} {name}={value!r}>"
    assert "http://" not in page and "https://" not in page
    assert "@import" not in page and "url(" not in page
    policy = tree.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None and policy.attrib["content"].startswith("default-src 'none';")


def test_the_page_has_every_rule_and_opens_those_that_are_not_kept(tree: Element) -> None:
    shown = {each.attrib["id"]: each for each in tree.iter("details") if "id" in each.attrib}
    for row in rows(sample_report()):
        if not row.claimed:
            assert tree.find(f".//li[@id='{row.rule}']") is not None
            continue
        words = _text(shown[row.rule])
        assert row.sentence.replace("`", "") in words
        assert ("open" in shown[row.rule].attrib) == row.alarming


def test_the_page_shows_expected_against_seen_and_how_to_replay(tree: Element) -> None:
    rule = tree.find(".//details[@id='ARTEMIS-AMQP-2']")
    assert rule is not None
    words = _text(rule)
    assert "expected 100 credits issued at attach seen 1000 credits issued at attach" in words
    assert "tidegate run --adapter artemis --check 'artemis_amqp_2[at]'" in words
    script = rule.find(".//p[@class='replay']/a")
    assert script is not None and script.attrib["href"] == "reproduce/ARTEMIS-AMQP-2.py"


def test_the_page_tells_verdicts_by_sign_and_word_not_by_colour_alone(tree: Element) -> None:
    badges = [_text(each) for each in tree.iter("span") if "badge" in each.attrib.get("class", "").split()]
    assert {"✓ kept", "✗ violated", "○ allowed", "? unknown", "✗ violated (1 of 2)"} <= set(badges)


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
    assert text[artemis : artemis + 6] == ["artemis 2.44.0 (AMQP 1.0)", "9", "1", "4", "2", "16"]
    claimed = [row for row in rows(sample_report()) if row.claimed]
    for row in claimed:
        assert row.rule in text
    assert sum(token.type == "tr_open" for token in tokens) == 3 + 1 + len(claimed)


def test_the_terminal_shows_the_evidence_of_each_verdict_that_is_not_green() -> None:
    console = Console(width=110, record=True, file=StringIO())
    terminal.show(sample_report(), console)
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    at = lines.index("ARTEMIS-AMQP-2  violated   artemis 2.44.0 (AMQP 1.0)")
    assert lines[at + 1 : at + 7] == [
        "  Where no credit is configured, the broker MUST issue 100 credits to a producer that attaches.",
        "  done      Given an address with max-size 4000 bytes; When a producer sends messages of 1000 bytes",
        "  expected  100 credits issued at attach",
        "  seen      1000 credits issued at attach",
        "  replay    tidegate run --adapter artemis --check 'artemis_amqp_2[at]'",
        "  script    reproduce/ARTEMIS-AMQP-2.py   (needs no tidegate)",
    ]
    assert f"  seen      {HOSTILE}" in lines
    varying = lines.index("ARTEMIS-AMQP-6  violated (1 of 2)   artemis 2.44.0 (AMQP 1.0)")
    assert lines[varying + 4] == "  seen      producer stopped after 2000 ms, 1 of 2 runs"
    assert lines[-1].endswith("exit code 3")


def test_render_makes_again_what_the_run_made(tmp_path: Path) -> None:
    made = render_all(sample_report(), tmp_path / "run")
    ended = CliRunner().invoke(command, ["render", str(made[0]), "--to", str(tmp_path / "again")])
    assert ended.exit_code == 0, ended.output
    for path in made[1:]:
        assert (tmp_path / "again" / path.name).read_text() == path.read_text()


def test_check_counts_a_complete_report(written: Path) -> None:
    ended = CliRunner().invoke(command, ["check", str(written)])
    assert ended.exit_code == 0 and "4 violated" in ended.output and "exit code 3" in ended.output


def _text(element: Element) -> str:
    """All text of an element, with a space between blocks and any run of spaces as one."""
    return " ".join("".join(_pieces(element)).split())


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        if child.tag in ("dt", "dd", "div", "p", "li"):
            yield " "
        yield child.tail or ""
