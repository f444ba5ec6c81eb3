"""The log lines about blocked producers, by code: the meaning of each, from the forms that `tidegate why` reads.

The meaning is computed from a real line of the committed logs; a form without such a line is left out. Each broker has
a page with its lines and the texts of all its releases.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from generate import log_texts
from generate.figures.drawing import listed
from generate.markup import code, literal, paragraphs, table
from tidegate.catalogue import catalogue
from tidegate.catalogue.settings import anchor, settings
from tidegate.why.lines import FORMS
from tidegate.why.lines.form import LineForm
from tidegate.why.marks import marked
from tidegate.why.notices import Blocked, Released, Said

ROOT = Path(__file__).parents[2]
LOGS = ("tests/pipeline/logs/**/*.log", "tests/runs/*.log", "reports/*/*.log", "examples/symptoms/*.log")
CODE = re.compile(r"^[A-Z]{3}-?\d{4,6}$")
IN_BRACKETS = re.compile(r" \(\d+\)")
TEXT_ENDS = re.compile(r" (?:on|for) (?:queue|topic)|[\d'\":(\[{=]|\.\s|\.$|,")
VALUE = re.compile(r"""[{'"(]|\S+=""")
"""What a value in a text begins with."""
LEAST = 3
"""The fewest words that are shown of a line without a code."""
RELEASED = "Producers are released."
BROKERS: Mapping[str, str] = {
    "qpid": "Qpid Java broker",
    "qpidd": "Qpid C++ broker",
    "artemis": "ActiveMQ Artemis",
    "artemis_figures": "Figures of ActiveMQ Artemis",
    "artemis_client": "Clients of Artemis",
    "amqp_client": "AMQP clients",
    "classic": "ActiveMQ Classic",
    "classic_figures": "Figures of ActiveMQ Classic",
    "rabbitmq": "RabbitMQ",
    "rabbitmq_figures": "Figures of RabbitMQ",
    "rabbitmq_client": "Clients of RabbitMQ",
    "andes": "WSO2 Message Broker",
    "qpid_client": "Clients of Qpid and of WSO2 Message Broker",
    "pulsar": "Apache Pulsar",
    "kafka_client": "Clients of Apache Kafka",
    "managed": "Amazon MQ",
    "other_brokers": "Other brokers",
    "other_texts": "Other limits",
}
"""The title of each module's section, in the order of the pages."""
FOLDER = "log-codes"


class LinesPage(NamedTuple):
    """The page of a broker: its name, the modules of its lines, and the writers of its texts."""

    name: str
    modules: Sequence[str]
    writers: Sequence[str]

    @property
    def path(self) -> str:
        """The path below the docs folder."""
        return f"{FOLDER}/{re.sub(r'[^a-z0-9]+', '-', self.name.lower()).strip('-')}.md"


PAGES = (
    LinesPage(
        "ActiveMQ Artemis",
        ("artemis", "artemis_figures", "artemis_client", "amqp_client"),
        ("ActiveMQ Artemis and HornetQ",),
    ),
    LinesPage("ActiveMQ Classic", ("classic", "classic_figures"), ("ActiveMQ Classic",)),
    LinesPage("Qpid Java broker", ("qpid",), ("Qpid Java broker (Broker-J)",)),
    LinesPage("Qpid C++ broker", ("qpidd",), ("Qpid C++ broker (qpidd) and routers",)),
    LinesPage("RabbitMQ", ("rabbitmq", "rabbitmq_figures", "rabbitmq_client"), ("RabbitMQ", "Clients of RabbitMQ")),
    LinesPage("WSO2 Message Broker", ("andes", "qpid_client"), ("WSO2 Message Broker and clients of Qpid",)),
    LinesPage("Other brokers", ("pulsar", "kafka_client", "managed", "other_brokers", "other_texts"), ()),
)
"""A page for each broker, in the order of the navigation."""


class Known(NamedTuple):
    """A known line: the module of its form, its code or its first words, and its meaning."""

    module: str
    name: str
    said: Said
    also: tuple[Said, ...] = ()
    """The meanings of other lines with this code, if the code stands for several causes."""


def pages() -> Iterator[tuple[str, str]]:
    """Path below the docs folder and Markdown of each broker's page."""
    for page in PAGES:
        yield page.path, paragraphs(f"# Log lines of {_in_running_text(page.name)}", *_sections(page))


def paths() -> list[str]:
    """The pages, in the order of the navigation."""
    return [page.path for page in PAGES]


def of_module(module: str) -> str:
    """The path of the page that has the lines of a module. StopIteration for a module without a page."""
    return next(page.path for page in PAGES if module in page.modules)


def index() -> str:
    """A row for each page, with a link to each of its lines."""
    rows = []
    for page in PAGES:
        names = [line.name for line in known() if line.module in page.modules]
        links = ", ".join(f"[{code(name)}](/{page.path}#{place(name)})" for name in names)
        texts = log_texts.count(page.writers)
        told = f"[{texts} texts of all releases](/{page.path}#{log_texts.ANCHOR})" if texts else ""
        rows.append((f"[{page.name}](/{page.path})", "; ".join(filter(None, (links, told)))))
    return table(["broker", "lines"], rows)


def whole_text(line: Known) -> str:
    """The text of a line with a code: of the texts about its limit the newest that names the most values; empty for a
    line without a code.
    """
    if not CODE.match(line.name):
        return ""
    rows = [row for page in PAGES if line.module in page.modules for row in log_texts.rows(page.writers)]
    found = [row for row in reversed(rows) if line.name in row.text]
    own = [row for row in found if isinstance(line.said, Blocked) and row.limit == line.said.cause.setting]
    return max((row.text for row in own or found), key=lambda text: text.count("{"), default="")


def beginning(line: Known) -> str:
    """The code of a line with the words behind it, up to the first value; empty if there is hardly a word."""
    text = whole_text(line)
    words = VALUE.split(text[text.index(line.name) :])[0].replace(":", " ").split() if text else []
    return " ".join(words) if len(words) >= LEAST else ""


def _sections(page: LinesPage) -> Iterator[str]:
    """The lines of each module by code, and the texts of all releases."""
    lines = [line for line in known() if line.module in page.modules]
    for module, own in groupby(lines, key=lambda line: line.module):
        yield f"## {BROKERS[module]}"
        for line in own:
            yield f"### {code(line.name)} {{ #{place(line.name)} }}"
            if text := whole_text(line):
                yield f"*text*: {code(text)}"
            yield _says(line.said)
            yield from (f"Or: {_says(said)}" for said in line.also)
    if page.writers:
        yield log_texts.of_writers(page.writers)


def _in_running_text(name: str) -> str:
    """The name of a page behind a preposition: only a name of its own keeps its capital letter."""
    return name[0].lower() + name[1:] if name.startswith("Other") else name


def place(name: str) -> str:
    """The anchor of a line on its page."""
    return "line-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@cache
def known() -> tuple[Known, ...]:
    """Every known line that a committed log has, once, by broker. KeyError for an unknown module."""
    found: dict[str, Known] = {}
    for form in FORMS:
        module = form.says.__module__.rpartition(".")[2]
        if form.mark.endswith("="):  # figures that stand alone have no name
            continue
        for line in _real(form):
            name = form.mark if CODE.match(form.mark) else _words(line[0], form.mark)
            said = form.says(line.groupdict())
            if said is None or not (isinstance(said, Blocked | Released) or said.cause is not None):
                continue
            first = found.setdefault(place(name), Known(module, name, said))
            if CODE.match(name) and _reason(said) not in {_reason(each) for each in (first.said, *first.also)}:
                found[place(name)] = first._replace(also=(*first.also, said))
            elif not CODE.match(name):
                break
    order = list(BROKERS)
    return tuple(sorted(found.values(), key=lambda line: order.index(line.module)))


def _words(line: str, mark: str) -> str:
    """The mark in whole words; a short mark with the words behind it, up to the first figure, name or destination.

    A figure in brackets is left out, since only some lines of a text have it.
    """
    line = IN_BRACKETS.sub("", line)
    start = line.index(mark)
    while start and line[start - 1].isalpha():
        start -= 1
    end = line.index(mark) + len(mark)
    if len(line[start:end].split()) < LEAST:
        ends = TEXT_ENDS.search(line, end)
        end = ends.start() if ends else len(line)
    return line[start:end].strip(" .:")


def _real(form: LineForm) -> Iterator[re.Match[str]]:
    """The committed lines of this form."""
    for text in _lines():
        if form.mark in text and (line := form.pattern.search(text)) is not None:
            yield line


@cache
def _lines() -> tuple[str, ...]:
    """The lines of all committed logs with the mark of some form, each once."""
    files = (file for pattern in LOGS for file in sorted(ROOT.glob(pattern)))
    lines = (line for file in files for line in file.read_text(encoding="utf-8", errors="replace").splitlines())
    return tuple(dict.fromkeys(line for line in lines if marked(line)))


def _says(said: Said) -> str:
    if isinstance(said, Released):
        ended = [line.name for line in known() if _cause(line.said) in said.families]
        return f"The broker releases producers that were blocked by {listed(map(code, ended))}." if ended else RELEASED
    cause = said.cause
    if cause is None:
        return ""
    blocks = "Producers are blocked" if cause.holds else "No producer is blocked"
    setting = f"- *setting*: {_setting(cause.setting)}" if cause.setting else ""
    rule = f"- *rule*: {cause.rule}, {catalogue()[cause.rule].title}" if cause.rule in catalogue() else ""
    told = (("release", cause.frees), ("change", cause.change), ("ask", cause.ask))
    facts = (setting, rule, *(f"- *{name}*: {_with_code(text)}" for name, text in told if text))
    return paragraphs(f"{blocks}: {literal(cause.reason)}.", "\n".join(filter(None, facts)))


def _with_code(text: str) -> str:
    """A text as Markdown; text in backticks stays code."""
    parts = text.split("`")
    return "".join(code(part) if place % 2 else literal(part) for place, part in enumerate(parts))


def _cause(said: Said) -> str:
    """The family of the cause of a block; empty for a line about a release."""
    return "" if isinstance(said, Released) or said.cause is None else said.cause.family


def _reason(said: Said) -> str:
    """The reason for a block in a line; empty for a line about a release."""
    return "" if isinstance(said, Released) or said.cause is None else said.cause.reason


def _setting(key: str) -> str:
    places: Iterator[str] = (
        f"[{code(key)}](/settings.md#{anchor(broker.broker, setting)})"
        for broker in settings()
        for setting in broker.settings
        if setting.key == key
    )
    return next(places, code(key))
