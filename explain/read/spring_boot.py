"""Reads the brokers that a Spring Boot application starts by itself, from its properties or YAML.

A `vm:` URL of ActiveMQ Classic starts a broker with the options behind `broker.`; `spring.artemis.mode: embedded`
starts an Artemis broker without persistence. Both have the defaults of their release for everything else.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import yaml

from tidegate.explain.placeholders import filled
from tidegate.explain.read import artemis, classic
from tidegate.explain.read.artemis_file import Acceptor, ArtemisFile
from tidegate.explain.read.artemis_properties import properties_of
from tidegate.explain.read.classic_misnamed import OF_CLIENTS
from tidegate.explain.read.xml_tree import Element
from tidegate.explain.vocabulary import Origin
from tidegate.record.errors import BadInput

_URL, _MODE = ("spring", "activemq", "broker", "url"), ("spring", "artemis", "mode")
_EMBEDDED = ("spring", "artemis", "embedded")
_PROFILES = (("spring", "config", "activate", "on", "profile"), ("spring", "profiles"))
_OF_PERSISTENCE = re.compile(r"^(?:broker\.)?(?P<name>persistent|useVirtualTopics)$")
"""Options of a `vm:` URL that change what its producers meet."""
_OPTION = re.compile(r"[?&;]([\w.]+)=([^&;?()\s]*)")
"""An option of a URL, or of a URL within it."""
DEEPEST = 20
"""The most levels of keys that are read."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class _Said:
    text: str
    line: int


def brokers(text: str, file: str, *, is_yaml: bool) -> tuple[classic.ClassicFile | ArtemisFile, ...]:
    """Every broker that the application starts; none if it only reaches one, or if it is no such application."""
    found = [*(_of_yaml(text) if is_yaml else [_of_properties(text, file)])]
    return tuple(each for said in found for each in _of(said, file))


def _of_properties(text: str, file: str) -> Mapping[tuple[str, ...], _Said]:
    try:
        return {_plain(words): _Said(value, line) for words, value, line in properties_of(text, file)}
    except BadInput:
        return {}


def _of_yaml(text: str) -> Iterator[Mapping[tuple[str, ...], _Said]]:
    try:
        roots = list(yaml.compose_all(text, _LOADER))
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    for root in roots:
        if isinstance(root, yaml.MappingNode):
            yield dict(_leaves(root, ()))


def _leaves(node: yaml.Node, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _Said]]:
    if isinstance(node, yaml.MappingNode) and len(words) < DEEPEST:
        for key, value in node.value:
            yield from _leaves(value, (*words, *str(key.value).split(".")))
    elif isinstance(node, yaml.SequenceNode):
        parts = ",".join(str(each.value) for each in node.value if isinstance(each, yaml.ScalarNode))
        yield _plain(words), _Said(parts, node.start_mark.line + 1)
    elif isinstance(node, yaml.ScalarNode):
        yield _plain(words), _Said(str(node.value), node.start_mark.line + 1)


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a key as Spring Boot compares them: brokerUrl, broker-url and broker_url are the same."""
    parts = (re.sub(r"(?<=[a-z0-9])([A-Z])", r"-\1", word) for word in words)
    return tuple(part for word in parts for part in re.split(r"[-_.]", word.lower()) if part)


def _of(said: Mapping[tuple[str, ...], _Said], file: str) -> Iterator[classic.ClassicFile | ArtemisFile]:
    profile = next((said[key].text for key in _PROFILES if key in said), "")
    name = f"profile {profile}" if profile else ""
    url = said.get(_URL)
    text = filled(url.text).text if url is not None else None
    if url is not None and text is not None and text.strip().startswith("vm:"):
        yield from _of_url(text.strip(), url.line, file, name)
    mode = said.get(_MODE)
    if mode is not None and mode.text.strip().lower() == "embedded":
        yield _of_artemis(said, mode.line, file, name)


def _of_url(url: str, line: int, file: str, name: str) -> Iterator[classic.ClassicFile]:
    options = dict(_OPTION.findall(url))
    if options.get("create") == "false":
        return
    if (config := options.get("brokerConfig")) is not None:
        named = config.partition(":")[2] or config
        raise BadInput(f"expected a broker's configuration: give {named}, which this URL names", file=file, line=line)
    broker = Element(file, "broker", {}, line, {}, label="broker")
    for key, value in options.items():
        if (found := _OF_PERSISTENCE.match(key)) is not None:
            broker.attributes[found["name"]] = value
    note = f"{file}:{line}: the application starts this broker itself (vm:), with the defaults for all limits"
    of_clients = [f"{found['name']}={value}" for key, value in options.items() if (found := OF_CLIENTS.fullmatch(key))]
    own = (f"{file}:{line}: its own producers have {', '.join(of_clients)}",) if of_clients else ()
    yield from (replace(each, notes=(note, *own, *each.notes)) for each in classic.from_tree(broker, name))


def _of_artemis(said: Mapping[tuple[str, ...], _Said], line: int, file: str, name: str) -> ArtemisFile:
    core = Element(file, "core", {}, line, {})
    is_kept = said.get((*_EMBEDDED, "persistent"), _Said("false", line))
    core.children.append(Element(file, "persistence-enabled", {}, is_kept.line, {}, text=is_kept.text.strip()))
    group = Element(file, "addresses", {}, line, {})
    for kind in ("queues", "topics"):
        for each in said.get((*_EMBEDDED, kind), _Said("", line)).text.split(","):
            if each.strip():
                at = said[(*_EMBEDDED, kind)].line
                group.children.append(Element(file, "address", {"name": each.strip()}, at, {}))
    core.children.append(group)
    note = f"{file}:{line}: the application starts this broker itself (embedded), with the defaults for all limits"
    inside = Acceptor("of the application", Origin(file, line, "the application"), ("CORE",), {})
    read = artemis.from_tree(core, name)
    return replace(read, acceptors=(inside,), notes=(note, *read.notes))
