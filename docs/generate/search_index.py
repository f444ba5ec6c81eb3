"""Makes exact names the first results of a search: ids of rules and claims, settings, log codes, glossary words.

Each section that an exact name stands for gets the name as a tag, and a weight. Names are beginnings or parts of other
names (`QPID-QUEUE-1` and `-11`, a limit and a symptom of limits), so the weights are found by trial: every name is
searched as the theme does, and the section that must come first is raised until it does.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from generate import as_built, log_codes, outputs, overview, releases, synonyms
from generate.search_score import Sections
from tidegate.catalogue.settings import anchor, settings
from tidegate.explain.versions import releases as modelled
from tidegate.model.built.profiles import PROFILES

DOCS = Path(__file__).parents[1]
INDEX = Path("search", "search_index.json")
LEAST = 2.0
"""The least weight of a section with a name; a section without one has 1."""
MARGIN = 1.05
"""The factor by which the first result leads the next, since titles and texts count a little too."""
ROUNDS = 100
BROKERS = ("artemis", "qpid", "classic")
"""The brokers whose versions are searched for."""
NAMES = {"artemis": "ActiveMQ Artemis", "classic": "ActiveMQ Classic", "qpid": "Qpid"}
"""The names of these brokers in front of a release."""
Entry = dict[str, Any]


class Name(NamedTuple):
    """A name to search for, and the section of the site that the name stands for."""

    name: str
    place: str


class Wanted(NamedTuple):
    """The sections that a name stands for: a search for the name must find one of them first.

    With `or_beside`, another section of the same page may come first. A page is one result with all its sections, and
    two sections of a page may each contain the name of the other.
    """

    places: frozenset[str]
    or_beside: bool = False

    def has_rival(self, place: str) -> bool:
        """Whether it would be wrong for the search to find this section first."""
        return place not in self.places and not (self.or_beside and _page(place) in map(_page, self.places))


def improve(site: Path) -> None:
    """Rewrite the search index of a site. FileNotFoundError if it has none."""
    file = site / INDEX
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"] = improved(index["docs"])
    file.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


def improved(entries: Sequence[Entry]) -> list[Entry]:
    """The sections with their names as tags, and with weights under which each name finds its section first."""
    tags = names()
    tagged = [
        {**entry, "tags": [escape(name, quote=False) for name in tags[entry["location"]]]}
        if entry["location"] in tags
        else entry
        for entry in entries
    ]
    weights = weighed(Sections(tagged), wanted(), dict.fromkeys(tags, LEAST))
    return [
        {**entry, "boost": round(weights[entry["location"]], 3)} if entry["location"] in weights else entry
        for entry in tagged
    ]


def weighed(sections: Sections, answers: Mapping[str, Wanted], weights: Mapping[str, float]) -> Mapping[str, float]:
    """Weights of sections so that a search for each name finds a section of that name first.

    Starts from the given weights and only raises them. ValueError if no weights do that, for example if each of two
    sections would have to come before the other.
    """
    found = dict(weights)
    asked = {name: sections.answers(name) for name in answers}
    for _ in range(ROUNDS):
        late = ""
        for name, answer in answers.items():
            scores = asked[name]
            own = {place: score for place, score in scores.items() if place in answer.places}
            if not own:
                raise ValueError(f"expected tags that answer {name!r} at {', '.join(sorted(answer.places))}")
            others = [score * found[place] for place, score in scores.items() if answer.has_rival(place)]
            best = max(own, key=lambda place: own[place] * found[place])
            least = MARGIN * max(others, default=0.0)
            if own[best] * found[best] < least:
                found[best] = least / own[best] * (1 + 1e-9)
                late = name
        if not late:
            return found
    raise ValueError(f"expected names that can all be found first; {late!r} and what is found before it cannot")


@cache
def names() -> Mapping[str, tuple[str, ...]]:
    """The names of each section, by its place in the site, without names that stand for another section."""
    found: dict[str, dict[str, None]] = {}
    for source in SOURCES:
        for name, place in source():
            if place in wanted()[name.casefold()].places:
                found.setdefault(place, {})[name] = None
    return {place: tuple(there) for place, there in found.items()}


@cache
def wanted() -> Mapping[str, Wanted]:
    """The sections to find first, by the typed name.

    A name with several meanings has the meaning of the first source with it. A synonym of a glossary word that a
    symptom begins with is a description, and finds the symptom.
    """
    found: dict[str, Wanted] = {}
    for source in SOURCES:
        told: dict[str, set[str]] = {}
        for name, place in source():
            told.setdefault(name.casefold(), set()).add(place)
        for name, places in told.items():
            is_other = source is _other_words
            begun = {each.place for each in _symptoms() if each.name.casefold().startswith(f"{name} ")}
            found.setdefault(name, Wanted(frozenset(begun if is_other and begun else places), is_other))
    return found


def _ids() -> Iterator[Name]:
    for name, place in overview.places().items():
        yield Name(name, _built(place))


def _settings() -> Iterator[Name]:
    for broker in settings():
        for setting in broker.settings:
            yield Name(setting.key, f"settings.html#{anchor(broker.broker, setting)}")


def _codes() -> Iterator[Name]:
    for line in log_codes.known():
        place = _built(f"{log_codes.of_module(line.module)}#{log_codes.place(line.name)}")
        # the search takes the signs of an element for a part of the word behind them
        yield Name(line.name.translate({ord(sign): None for sign in "<>"}), place)
        if text := log_codes.beginning(line):
            yield Name(text, place)


def _words() -> Iterator[Name]:
    for word in synonyms.by_concept():
        yield Name(word, f"spec/glossary.html#{synonyms.anchor(word)}")


def _symptoms() -> Iterator[Name]:
    for page in sorted((DOCS / outputs.FOLDER).glob("*.md")):
        title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        yield Name(title, f"{outputs.FOLDER}{page.stem}.html")


def _other_words() -> Iterator[Name]:
    for word, others in synonyms.by_concept().items():
        for other in others:
            yield Name(other.replace("`", ""), f"spec/glossary.html#{synonyms.anchor(word)}")


def _questions() -> Iterator[Name]:
    for page, questions in QUESTIONS.items():
        for question in questions:
            yield Name(question, page)


def _versions() -> Iterator[Name]:
    """Each modelled version, and its first two numbers, behind its broker."""
    for profile in PROFILES.values():
        broker, _, version = profile.name.rpartition("-")
        if broker in BROKERS:
            for typed in dict.fromkeys((".".join(version.split(".")[:2]), version)):
                yield Name(f"{broker} {typed}", f"{as_built.FOLDER}/{profile.name}.html")


def _releases() -> Iterator[Name]:
    """Each release without a model by its whole name, and each series without one by its first two numbers."""
    for broker, name in NAMES.items():
        for series in releases.SERIES[broker]:
            for release in releases.of_series(broker, series):
                place = _built(releases.place(broker, release))
                if release not in modelled(broker):
                    yield Name(f"{name} {release}", place)
                if not releases.is_modelled(broker, series):
                    yield Name(f"{broker} {series}", place)


def _page(place: str) -> str:
    return place.partition("#")[0]


def _built(place: str) -> str:
    """The place in the built site for a path from the docs folder with its anchor."""
    return place.lstrip("/").replace(".md", ".html", 1)


QUESTIONS: Mapping[str, Sequence[str]] = {
    "mechanisms/brokers.html": (
        "compare brokers",
        "comparison",
        "which broker",
        "how do brokers differ",
        "difference between Artemis and Classic",
        "Artemis vs Classic",
        "Artemis vs RabbitMQ",
        "ActiveMQ vs RabbitMQ",
    ),
    "reference/exit-codes.html": ("exit code", "exit code 1", "exit code 2", "exit code 3", "exit code 4"),
    "spec/index.html": ("cite a rule", "BibTeX"),
    "gate.html": ("GitHub Actions", "CI"),
    "tutorial.html": ("getting started", "write an adapter for my broker", "install", "installation"),
    "protocol.html": ("other language", "another language", "stdin", "JSON lines"),
    "guides/run.html": ("baseline", "known failures", "allow list"),
    "guides/report.html": ("reproduce", "reproducer"),
    "guides/logs.html": ("Spark", "cluster"),
    "guides/why-lines.html#pulsar": ("Pulsar backlog quota",),
    "guides/why-lines.html#kafka-producers": ("Kafka buffer full", "librdkafka"),
    "guides/why-lines.html#mqtt-clients": ("MQTT too many publishes in progress",),
    "log-codes/rabbitmq.html": ("RabbitMQ resource alarm",),
    "brokers/found.html": ("known bugs", "which version is safe"),
    "spec/artemis/block.html": ("paging",),
    "symptoms/send-hangs.html": (
        "thread dump",
        "jstack",
        "producer stuck",
        "stuck",
        "producer hangs",
        "send blocks forever",
    ),
    "symptoms/some-of-the-time.html": ("RabbitMQ flow state",),
    "symptoms/client-throws.html": (
        "JmsSendTimedOutException",
        "RequestTimedOutIOException",
        "ResourceAllocationException",
        "ConnectionBlockedTimeout",
        "timed out waiting for credit",
    ),
}
"""Questions that people type, by the page that answers; no word of a question stands in the page's title."""

SOURCES: tuple[Callable[[], Iterator[Name]], ...] = (
    _ids,
    _settings,
    _words,
    _codes,
    _symptoms,
    _other_words,
    _questions,
    _versions,
    _releases,
)
"""The sources of names; a name belongs to the first source that has it."""
