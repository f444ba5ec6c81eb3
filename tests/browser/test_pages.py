"""Every page that tidegate writes can be read in a browser: on a phone, on two screens, light and dark."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser.chromium import make_wide, open_page
from tests.browser.looks import EXTREMES, LOOKS, Look, faults
from tests.cli.command import tidegate
from tests.conformance.sample_report import sample_report
from tests.sample import nightly, sampled
from tidegate.conformance.report import html, matrix_html
from tidegate.conformance.report.matrix_building import Source, matrix_of
from tidegate.conformance.report.store import read_report
from tidegate.record.report import Report

pytestmark = pytest.mark.browser
REPORTS = Path(__file__).parents[2] / "reports"
COMMITTED = sorted(path.parent.name for path in REPORTS.glob("*/report.json"))
SHORT_LOG = Path(__file__).parents[1] / "pipeline/logs/artemis-2.50.0.log"
FILLED = """
<!doctype html><html lang="en"><head><title>t</title><meta name="viewport" content="width=device-width">
<style>body { overflow-wrap: anywhere; background: #fff; color: #000; }</style></head>
<body><main><h1>t</h1>%s</main></body></html>
"""


def committed(name: str) -> Report:
    return read_report(REPORTS / name / "report.json")


def written(page: str, folder: Path) -> str:
    """The address of a page in a file of its own."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


def by_command(*arguments: str, page: str, folder: Path) -> str:
    """The address of a page that a command writes into the folder out."""
    ended = tidegate(*arguments, "--quiet", folder=folder)
    assert ended.returncode in (0, 1), ended.stderr
    return (folder / "out" / page).as_uri()


def with_known_deviations() -> Report:
    """The sample with one violation that is declared."""
    report = sample_report()
    broker = report.implementations[1]
    declared = (replace(one, known_deviation="since 2.40") if one.times_violated else one for one in broker.verdicts)
    return replace(report, implementations=(report.implementations[0], replace(broker, verdicts=tuple(declared))))


def matrix() -> str:
    sources = [Source(name, committed(name), page=f"{name}/report.html") for name in COMMITTED]
    return matrix_html.render(matrix_of([*sources, Source("artemis:2.6.0", None, unavailable="no JDK")], "0.1.0", 2))


SHORT: dict[str, Callable[[Path], str]] = {
    "violations": lambda folder: written(html.render(with_known_deviations()), folder),
    "trace": lambda folder: by_command(
        *("trace", "check", str(SHORT_LOG), "--engine", "plain", "--report", "out"),
        page="trace-report.html", folder=folder,
    ),
    "sweep": lambda folder: by_command(
        *("sweep", "--engine", "plain", "--producers", "1,2,4", "--capacity", "1000:12000:1000", "--size", "100,500"),
        *("--resume-percent", "50", "--seconds", "1", "--x", "capacity", "--report", "out"),
        page="sweep.html", folder=folder,
    ),
}  # fmt: skip
LONG: dict[str, Callable[[Path], str]] = {
    "reference": lambda folder: by_command(
        "run", "--subset", "boundary", "--report", "out", page="report.html", folder=folder
    ),
    "conditions": lambda folder: by_command(
        "run", "--adapter", "reference:classic-4", "--report", "out", page="report.html", folder=folder
    ),
    "matrix": lambda folder: written(matrix(), folder),
    "trace of a run": lambda folder: by_command(
        *("trace", "check", str(REPORTS / "artemis-2.44.0"), "--engine", "plain", "--report", "out"),
        page="trace-report.html", folder=folder,
    ),
    **{name: partial(lambda name, folder: written(html.render(committed(name)), folder), name) for name in COMMITTED},
}  # fmt: skip


SEEN_IN = pytest.mark.parametrize("looks", [EXTREMES, nightly(LOOKS)], ids=len)


@SEEN_IN
@pytest.mark.parametrize("page", SHORT)
def test_a_short_page_can_be_read_and_used(page: str, looks: tuple[Look, ...], browser: Chrome, tmp_path: Path) -> None:
    assert faults(browser, SHORT[page](tmp_path), looks) == []


@SEEN_IN
@pytest.mark.parametrize("page", sampled(LONG, kind=lambda page: page in COMMITTED))
def test_a_long_page_can_be_read_and_used(page: str, looks: tuple[Look, ...], browser: Chrome, tmp_path: Path) -> None:
    assert faults(browser, LONG[page](tmp_path), looks, with_axe=EXTREMES) == []


def test_a_report_unfolds_without_its_scripts(browser: Chrome, tmp_path: Path) -> None:
    open_page(browser, written(html.render(sample_report()), tmp_path), "light", scripts=False)
    make_wide(browser, 1280)
    shown = "return document.querySelector('.deviating .body').checkVisibility()"
    assert not browser.execute_script(shown)
    browser.find_element("css selector", ".deviating .rule > summary").click()
    assert browser.execute_script(shown)
    assert not browser.find_element("css selector", ".filter").is_displayed()


def test_a_link_to_a_rule_unfolds_it(browser: Chrome, tmp_path: Path) -> None:
    address = written(html.render(sample_report()), tmp_path)
    open_page(browser, f"{address}#reference-artemis-GENERAL-1", "light")
    assert browser.find_element("id", "reference-artemis-GENERAL-1").is_displayed()


def test_the_buttons_of_a_report_filter_and_unfold(browser: Chrome, tmp_path: Path) -> None:
    open_page(browser, written(html.render(sample_report()), tmp_path), "light")
    make_wide(browser, 1280)
    browser.find_element("css selector", "button[data-show=violated]").click()
    badges = [each.text for each in browser.find_elements("css selector", ".rule > summary .badge") if each.text]
    assert len(badges) == 4 and all(badge.startswith("✗ violated") for badge in badges)
    browser.find_element("css selector", "button[data-show='']").click()
    browser.find_element("css selector", ".unfold").click()
    assert all(each.is_displayed() for each in browser.find_elements("css selector", ".rule > .body"))


def shown_rules(browser: Chrome) -> list[str]:
    return [each.text for each in browser.find_elements("css selector", ".rule > summary .id") if each.text]


def test_the_address_of_a_report_keeps_its_filter_and_its_search(browser: Chrome, tmp_path: Path) -> None:
    address = written(html.render(sample_report()), tmp_path)
    open_page(browser, address, "light")
    make_wide(browser, 1280)
    browser.find_element("css selector", "button[data-show=violated]").click()
    browser.find_element("css selector", "input[type=search]").send_keys("amqp credits")
    found = shown_rules(browser)
    assert found and all(rule.startswith("ARTEMIS-AMQP") for rule in found)
    assert browser.current_url == f"{address}?show=violated&search=amqp+credits"
    browser.refresh()
    assert shown_rules(browser) == found
    assert browser.find_element("css selector", "button[data-show=violated]").get_attribute("aria-pressed") == "true"
    browser.find_element("css selector", "button[data-show='']").click()
    browser.find_element("css selector", "input[type=search]").clear()
    browser.execute_script("document.querySelector('input[type=search]').dispatchEvent(new Event('input'))")
    assert browser.current_url == address
    assert len(shown_rules(browser)) > len(found)


def test_a_search_for_a_setting_finds_its_rules(browser: Chrome, tmp_path: Path) -> None:
    open_page(browser, f"{written(html.render(sample_report()), tmp_path)}?search=amqpLowCredits", "light")
    make_wide(browser, 1280)
    assert {"ARTEMIS-AMQP-3", "ARTEMIS-AMQP-4"} <= set(shown_rules(browser))


LABELS = """
return [...document.querySelectorAll('td[data-for]')]
    .filter(cell => cell.checkVisibility())
    .map(cell => ['::before', '::after'].filter(part => getComputedStyle(cell, part).content !== 'none').length);
"""


def test_on_a_phone_each_figure_of_a_matrix_has_its_label_once(browser: Chrome, tmp_path: Path) -> None:
    make_wide(browser, 400)
    open_page(browser, written(matrix(), tmp_path), "light")
    assert set(browser.execute_script(LABELS)) == {1}


def test_the_address_of_a_matrix_keeps_its_filter_and_its_search(browser: Chrome, tmp_path: Path) -> None:
    address = written(matrix(), tmp_path)
    open_page(browser, f"{address}?show=differs&search=resume+unless+configured", "light")
    make_wide(browser, 1280)
    shown = [each.text for each in browser.find_elements("css selector", "tbody th .id") if each.text]
    assert shown == ["QPID-QUEUE-5"]
    assert browser.find_element("css selector", "button[data-show=differs]").get_attribute("aria-pressed") == "true"


def test_a_heat_map_stays_a_map_on_a_narrow_screen(browser: Chrome, tmp_path: Path) -> None:
    open_page(browser, SHORT["sweep"](tmp_path), "light")
    make_wide(browser, 400)
    rows = browser.find_elements("css selector", "figure tr")
    cells = [[cell.rect["y"] for cell in row.find_elements("css selector", ".cell")] for row in rows[:4]]
    assert all(len(row) == 12 and len(set(row)) == 1 for row in cells[:3])
    assert len({row[0] for row in cells[:3]}) == 3


@SEEN_IN
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<div style="display: grid; grid-template-columns: 0 1fr"><p>a title unread</p><p>b</p></div>', "p is 0.0 "),
        ('<table style="width: 90px"><tr><td>two words here</td><td>and three more</td></tr></table>', "td is "),
        ('<table style="width: 3000px"><tr><td>wide</td></tr></table>', "the page is "),
        ('<p style="color: #ccc">pale</p>', "color-contrast: "),
        ('<input type="text">', "label: "),
        ("<details><summary>more</summary><p style='color: #ccc'>pale</p></details>", "color-contrast: "),
    ],
)  # fmt: skip
def test_what_cannot_be_read_or_used_is_found(
    content: str, expected: str, looks: tuple[Look, ...], browser: Chrome, tmp_path: Path
) -> None:
    found = faults(browser, written(FILLED % content, tmp_path), looks)
    for scheme, width in EXTREMES if "contrast" in expected else looks:
        beginning = f"{scheme}, {width} px, unfolded: {expected}"
        assert any(one.startswith(beginning) for one in found), (beginning, found)


def test_narrow_columns_that_hold_no_more_than_they_show_are_no_fault(browser: Chrome, tmp_path: Path) -> None:
    content = (
        '<div style="width: 6ch">short</div><p style="width: 30ch">a text that takes several lines of some width</p>'
    )
    assert faults(browser, written(FILLED % content, tmp_path)) == []
