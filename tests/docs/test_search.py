"""The search finds by its first result what an id, a setting, a log code, a word or a symptom stands for."""

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate import log_codes, releases, synonyms
from generate.search_index import INDEX, Wanted, names, wanted, weighed
from generate.search_score import Sections

from tests.browser.chromium import make_wide, open_page
from tests.sample import drawn, nightly
from tidegate.catalogue import catalogue
from tidegate.catalogue.log_texts import log_texts
from tidegate.catalogue.settings import settings
from tidegate.explain.versions import releases as modelled

FIRST = {
    "QPID-QUEUE-1": "spec/qpid/queue.html#QPID-QUEUE-1",
    "QPID-QUEUE-11": "spec/qpid/queue.html#QPID-QUEUE-11",
    "GENERAL-3": "spec/general/flow.html#GENERAL-3",
    "GENERAL-38": "spec/general/closed_by_management.html#GENERAL-38",
    "ARTEMIS-AMQP-1": "spec/artemis/amqp_credit.html#ARTEMIS-AMQP-1",
    "QQ-T1": "proofs/qpid_queue.html#QQ-T1",
    "CORE-T8": "proofs/artemis_producer.html#CORE-T8",
    "max-size-bytes": "settings.html#activemq-artemis-max-size-bytes",
    "flowResumeCapacity": "settings.html#qpid-java-broker-flowresumecapacity",
    "amqpLowCredits": "settings.html#activemq-artemis-amqplowcredits",
    "sendFailIfNoSpaceAfterTimeout": "settings.html#activemq-classic-sendfailifnospaceaftertimeout",
    "AMQ222183": "log-codes/activemq-artemis.html#line-amq222183",
    "MST-1008": "log-codes/qpid-java-broker.html#line-mst-1008",
    "Persistent store is Full": "log-codes/activemq-classic.html#line-persistent-store-is-full",
    "hysteresis": "spec/glossary.html#hysteresis",
    "overshoot": "spec/glossary.html#overshoot",
    "prefetched": "spec/glossary.html#prefetched",
    "flow control": "spec/glossary.html#flow-control",
    "Blocked": "spec/glossary.html#blocked",
    "in flight": "spec/glossary.html#in-flight",
    "throttled": "spec/glossary.html#blocked",
    "back-pressure": "spec/glossary.html#flow-control",
    "backpressure": "spec/glossary.html#flow-control",
    "not tried": "spec/glossary.html#not-tried",
    "compare brokers": "mechanisms/brokers.html",
    "Artemis vs Classic": "mechanisms/brokers.html",
    "exit code 3": "reference/exit-codes.html",
    "xon/xoff": "spec/glossary.html#order",
    "buffered": "spec/glossary.html#prefetched",
    "send hangs": "symptoms/send-hangs.html",
    "out of memory": "symptoms/out-of-memory.html",
    "Blocked only some of the time": "symptoms/some-of-the-time.html",
    "Which limit fired": "symptoms/which-limit.html",
    "QUE-1003": "log-codes/qpid-java-broker.html#line-que-1003",
    "baseline": "guides/run.html",
    "install": "tutorial.html",
    "other language": "protocol.html",
    "Spark": "guides/logs.html",
    "paging": "spec/artemis/block.html",
    "JmsSendTimedOutException": "symptoms/client-throws.html",
    "timed out waiting for credit": "symptoms/client-throws.html",
    "thread dump": "symptoms/send-hangs.html",
    "RabbitMQ flow state": "symptoms/some-of-the-time.html",
    "Artemis 2.31": "brokers/as-built/artemis-2.31.2.html",
    "classic 5.15": "brokers/as-built/classic-5.15.16.html",
    "qpid 0.18": "brokers/as-built/qpid-0.18.html",
    "Artemis 2.40": "brokers/releases.html#artemis-2-40-0-gets",
    "artemis 2.40.0": "brokers/releases.html#artemis-2-40-0-gets",
    "artemis 2.44.0": "brokers/as-built/artemis-2.44.0.html",
    "activemq 5.16.4": "brokers/releases.html#classic-5-16-4-gets",
    "qpid 9.1.0": "brokers/releases.html#qpid-9-1-0-gets",
    "5.17.3": "brokers/releases.html#classic-5-17-3-gets",
    "AMQ222183 Blocking message production on address": "log-codes/activemq-artemis.html#line-amq222183",
    "producer stuck": "symptoms/send-hangs.html",
    "cite a rule": "spec/index.html",
}
"""What is typed, and where the first result leads."""
LONGEST_SECONDS = 60
ALL = nightly(pytest.param(sys.maxsize, id="all"))
"""As many as there are. Tests are collected in every process, so a count of all names there would cost seconds each."""
ASK = """
const [typed, done] = [arguments[0], arguments[1]];
const {search} = JSON.parse(document.getElementById("__config").textContent);
const worker = new Worker(search);
const ask = message => new Promise(answer => {
  worker.onmessage = ({data}) => answer(data.data);
  worker.postMessage(message);
});
(async () => {
  const {config, docs} = await (await fetch("search/search_index.json")).json();
  await ask({type: 0, data: {config, docs, options: {suggest: false}}});
  const found = {};
  for (const words of typed) {
    const {items} = await ask({type: 2, data: words});
    found[words] = items.length ? items[0][0].location : "";
  }
  done(found);
})();
"""
"""Asks what the search of the page asks, many words at once: by words, the place that is first."""
RESULT = ".md-search-result__item"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Leave it."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a free port of the loopback interface."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def first_result(browser: Chrome, address: str, words: str) -> str:
    """Where the first result for these words leads: the section that is shown of the first page, or that page."""
    open_page(browser, f"{address}/index.html?q={words.replace(' ', '+')}", "light")
    make_wide(browser, 1280)
    wait = WebDriverWait(browser, LONGEST_SECONDS)
    page = wait.until(lambda shown: next(iter(shown.find_elements("css selector", RESULT)), None))
    assert page is not None
    shown = [str(link.get_attribute("href")) for link in page.find_elements("css selector", "a") if link.is_displayed()]
    target = next((link for link in shown if "#" in link), shown[0])
    return re.sub(r"\?[^#]*", "", target.removeprefix(f"{address}/"))


@pytest.mark.browser
@pytest.mark.parametrize("many", [4, ALL])
def test_a_name_is_found_first(many: int, site: Path, browser: Chrome) -> None:
    typed = drawn(FIRST, many)
    with served(site) as address:
        found = {words: first_result(browser, address, words) for words in typed}
    assert found == {words: FIRST[words] for words in typed}


@pytest.mark.browser
@pytest.mark.parametrize("many", [100, ALL])
def test_every_word_id_setting_code_and_symptom_is_found_first(many: int, site: Path, browser: Chrome) -> None:
    typed = drawn(wanted(), many)
    with served(site) as address:
        open_page(browser, f"{address}/index.html", "light")
        found = browser.execute_async_script(ASK, typed)
    assert set(found) == set(typed)
    assert {name: place for name, place in found.items() if wanted()[name].has_rival(place)} == {}


def test_words_of_the_glossary_find_their_own_section_and_no_other() -> None:
    for word, others in synonyms.by_concept().items():
        assert wanted()[word.casefold()] == Wanted(frozenset({f"spec/glossary.html#{synonyms.anchor(word)}"}))
        assert {other.replace("`", "").casefold() for other in others} <= set(wanted())
    assert wanted()["capacity"].places == {"settings.html#qpid-java-broker-capacity"}
    assert wanted()["send() hangs"].places == {"symptoms/send-hangs.html"}


def test_every_name_leads_to_a_section_of_the_index_and_has_more_weight_there(site: Path) -> None:
    docs = {entry["location"]: entry for entry in json.loads((site / INDEX).read_text(encoding="utf-8"))["docs"]}
    assert set(names()) <= set(docs)
    assert all([unescape(tag) for tag in docs[place]["tags"]] == list(found) for place, found in names().items())
    assert all(docs[place]["boost"] > 1 for place in names())


def test_every_rule_setting_and_word_is_a_name() -> None:
    found = {name for section in names().values() for name in section}
    assert set(catalogue()) <= found
    assert {setting.key for broker in settings() for setting in broker.settings} <= found
    leading = {name.casefold() for name in found}
    for others in synonyms.by_concept().values():
        assert {word.replace("`", "").casefold() for word in others} - leading <= {"send() hangs"}


def _sections(tags: dict[str, str]) -> Sections:
    return Sections([{"location": place, "title": "", "text": "", "tags": [tag]} for place, tag in tags.items()])


def test_a_name_that_others_begin_with_is_raised_above_them() -> None:
    tags = {"a#1": "QPID-QUEUE-1", "a#10": "QPID-QUEUE-10", "b": "producer", "c": "producerWindowSize"}
    weights = weighed(
        _sections(tags), {tag: Wanted(frozenset({place})) for place, tag in tags.items()}, dict.fromkeys(tags, 2.0)
    )
    assert weights["a#1"] > weights["a#10"] == weights["c"] == 2.0
    for place, tag in tags.items():
        scores = {other: score * weights[other] for other, score in _sections(tags).answers(tag).items()}
        assert max(scores, key=scores.__getitem__) == place


def test_names_none_of_which_can_come_first_are_refused_by_name() -> None:
    sections = _sections({"a": "one", "b": "one"})
    answers = {"one": Wanted(frozenset({"a"})), "one ": Wanted(frozenset({"b"}))}
    with pytest.raises(ValueError, match="'one '"):
        weighed(sections, answers, {"a": 2.0, "b": 2.0})
    beside = _sections({"a#1": "one", "a#2": "one"})
    answers = {"one": Wanted(frozenset({"a#1"}), True), "one ": Wanted(frozenset({"a#2"}), True)}
    assert weighed(beside, answers, {"a#1": 2.0, "a#2": 2.0}) == {"a#1": 2.0, "a#2": 2.0}
    with pytest.raises(ValueError, match="expected tags that answer 'two'"):
        weighed(sections, {"two": Wanted(frozenset({"a"}))}, {"a": 2.0, "b": 2.0})


def test_log_codes_say_what_they_mean() -> None:
    text = "\n\n".join(page for _, page in log_codes.pages())
    codes = {line.name for line in log_codes.known()}
    assert {"AMQ222183", "AMQ221046", "QUE-1003", "CHN-1006", "MST-1008", "Persistent store is Full"} <= codes
    section = text.partition("### `AMQ222183`")[2].partition("###")[0]
    assert "max-size-bytes" in section and "ARTEMIS-BLOCK-1" in section and "Producers are blocked" in section
    assert "*text*: `AMQ222183: Blocking message production on address '{place}'; size=" in section
    assert (
        "The broker releases producers that were blocked by `AMQ222183`"
        in text.partition("### `AMQ221046`")[2].partition("###")[0]
    )
    channel = text.partition("### `CHN-1005`")[2].partition("###")[0]
    assert "store takes more disk" in channel and "Or: Producers are blocked: the queue" in channel
    assert "*release*: \n" not in text
    assert "No producer is blocked" in text.partition("### `AMQ222039`")[2].partition("###")[0]
    assert {line.module for line in log_codes.known()} <= set(log_codes.BROKERS)


def test_every_log_line_and_text_is_on_the_page_of_its_broker_and_in_the_index() -> None:
    pages = dict(log_codes.pages())
    assert list(pages) == log_codes.paths()
    assert sorted(module for page in log_codes.PAGES for module in page.modules) == sorted(log_codes.BROKERS)
    assert {name for page in log_codes.PAGES for name in page.writers} == {writer.broker for writer in log_texts()}
    index = log_codes.index()
    for line in log_codes.known():
        place = log_codes.place(line.name)
        assert f"{{ #{place} }}" in pages[log_codes.of_module(line.module)]
        assert f"(/{log_codes.of_module(line.module)}#{place})" in index
    assert sum(page.count("\n    | ") for page in pages.values()) >= sum(len(writer.texts) for writer in log_texts())


def test_every_release_gets_the_model_that_why_and_explain_take() -> None:
    assert releases.stands_for("artemis", "2.44.0") == "2.38.0 to 2.44.0"
    assert releases.stands_for("classic", "6.1.8") == "6.0.0 to 6.1.8 and 6.2.5 to 6.2.7"
    for broker in releases.SERIES:
        assert set(modelled(broker)) <= set(releases.of_broker(broker)), broker
        for model in modelled(broker):
            assert f"/{releases.AS_BUILT}/{broker}-{model}.md" in releases.by_broker()


def test_other_words_lead_to_words_of_the_glossary() -> None:
    assert synonyms.by_concept()["Blocked"][:2] == ("stopped", "paused")
    assert "| throttled | [Blocked](/spec/glossary.md#blocked) |" in synonyms.by_word()
