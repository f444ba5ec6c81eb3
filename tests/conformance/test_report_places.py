"""The page of a report leads from each rule to its chapter, its documents and its settings."""

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest
from click.testing import CliRunner

from tests.conformance.sample_report import sample_report
from tidegate.catalogue import catalogue
from tidegate.catalogue.ledger import ledgers
from tidegate.cli.main import cli
from tidegate.conformance.report import html
from tidegate.conformance.report.files import render_all
from tidegate.conformance.report.html.places import Places

SITE = "https://site.invalid/tidegate"


def explained(site: str, rule: str) -> list[Element]:
    """The paragraphs about a rule of the sample: its page, its documents, its settings."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html.render(sample_report(), site))
    body = tree.find(f".//div[@id='artemis-{rule}']")
    assert body is not None
    found: list[Element] = body.findall("p[@class='explained']")
    return found


def links(parts: list[Element]) -> dict[str, str]:
    return {"".join(link.itertext()): link.attrib["href"] for part in parts for link in part.findall("a")}


def test_with_a_site_a_rule_links_to_its_page_its_document_and_its_settings() -> None:
    address = next(file.ledger.address for file in ledgers() if file.ledger.document == "003")
    assert links(explained(SITE, "ARTEMIS-AMQP-2")) == {
        "spec/artemis/amqp_credit.md": f"{SITE}/spec/artemis/amqp_credit.html#ARTEMIS-AMQP-2",
        "document 003": address,
        "amqpCredits": f"{SITE}/settings.html#activemq-artemis-amqpcredits",
    }


def test_without_a_site_it_says_the_command_that_shows_the_rule() -> None:
    parts = explained("", "ARTEMIS-AMQP-2")
    assert [code.text for part in parts for code in part.findall("code")] == [
        "tidegate spec show ARTEMIS-AMQP-2",
        "amqpCredits",
    ]
    assert list(links(parts)) == ["document 003"]


def test_a_rule_that_the_specification_no_longer_has_leads_nowhere() -> None:
    report = sample_report()
    broker = report.implementations[1]
    gone = replace(broker, verdicts=(replace(broker.verdicts[0], rule="GONE-1"), *broker.verdicts[1:]))
    assert "GONE-1" in html.render(replace(report, implementations=(gone,)), SITE)
    assert (Places(SITE).page("GONE-1"), Places(SITE).documents("GONE-1"), Places(SITE).settings("GONE-1")) == (
        *(None, ()),
        (),
    )


@pytest.mark.parametrize("rule", catalogue())
def test_every_rule_has_a_page_and_the_documents_that_it_cites(rule: str) -> None:
    places = Places(f"{SITE}/")
    page = places.page(rule)
    assert page is not None and page.address.startswith(f"{SITE}/spec/") and page.address.endswith(f".html#{rule}")
    assert [place.adds for place in places.documents(rule)] == [one.section for one in catalogue()[rule].sources]


@pytest.mark.parametrize("by", ["option", "environment"])
def test_the_site_is_given_to_the_command(by: str, tmp_path: Path) -> None:
    made = render_all(sample_report(), tmp_path / "run")
    words = ["report", "render", str(made[0]), "--to", str(tmp_path / "again")]
    ended = CliRunner().invoke(
        cli,
        [*words, "--site", SITE] if by == "option" else words,
        env={"TIDEGATE_SITE": SITE if by != "option" else ""},
    )
    assert ended.exit_code == 0, ended.output
    assert f'href="{SITE}/spec/' in (tmp_path / "again" / "report.html").read_text()
    assert SITE not in made[2].read_text()
