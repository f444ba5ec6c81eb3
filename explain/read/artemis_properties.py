"""Converts Artemis' broker properties and its operator's resources to the elements of a broker.xml.

The words of a key are separated by dots; quotation marks enclose a word that contains dots.
"""

import re
from collections.abc import Iterator

import yaml

from tidegate.explain.names import ADDRESS, CORE, OF_ARTEMIS, wrong
from tidegate.explain.read.unread import Unread, Unreadable
from tidegate.explain.read.xml_tree import Element
from tidegate.record.errors import BadInput

ROOT_KEYS = (
    *("globalMaxSize", "globalMaxMessages", "maxDiskUsage", "minDiskFree", "diskScanPeriod", "persistenceEnabled"),
)
SETTINGS = ("addressSettings", "addressesSettings")
_NAMED = ("acceptorConfigurations", "addressConfigurations", "divertConfigurations")
OTHER_NAMES = {f"{kind}-full-message-policy": f"{kind}-full-policy" for kind in ("address", "page", "disk")}
PASSED_OVER = "the broker goes on without it"
"""What a broker does with a property that it cannot apply, as runs of Artemis 2.44.0 showed."""
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^."]+)|(\.)')
OF_JAVA = re.compile(r"-Dbrokerconfig\.(?P<key>(?:\\?\"[^\"\n]{1,200}\"|[\w.#*-])+)=(?P<value>[^\s\"'\\,\]]+)")
"""A broker property on the JVM's command line, as scripts and containers set it."""
_CREATES = re.compile(
    r"\b(?:(?:AMQ_)?EXTRA_ARGS|CREATE_ARGUMENTS|artemis[\"']?,?\s+[\"']?create)\b(?:[^\n]|\\\n|\n\s*(?:value:|-\s*[\"']?--|--)){0,2000}"
)
"""A text with options for `artemis create`, which writes the broker.xml when a container starts."""
_OPTION = re.compile(
    r"--(?P<name>global-max-size|global-max-messages|blocking|paging)(?![\w-])"
    r"(?:[\"',=\s]+(?P<value>\d+\s?[kKmMgG]?[iI]?[bB]?)(?!\w))?"
)
_OF_IMAGE = re.compile(
    r"\bAMQ_GLOBAL_MAX_SIZE[\"']?\s*(?:[:=]|,?\s*[\"']?value[\"']?:)\s*[\"']?(?P<value>\d+ ?[kKmMgG]?[bB]?)(?!\w)"
)
"""A variable that images turn into an option of `artemis create`."""
_SPEC = "spec"
"""The first word of a setting that the operator writes into a broker.xml, unlike its brokerProperties."""
_SHORTEST = 3
"""The least number of words of a key that sets something of an address or of an acceptor."""

Property = tuple[tuple[str, ...], str, int]
"""The words of a key, the value, and the line."""


def properties_of(text: str, file: str, first_line: int = 1, unread: Unreadable | None = None) -> Iterator[Property]:
    """Every property of a text in Java's format. BadInput for a line without a value, unless `unread` collects it."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line, at = lines[number].lstrip(), number + first_line
        number += 1
        if not line or line[0] in "#!":
            continue
        while re.search(r"(?<!\\)(\\\\)*\\$", line) and number < len(lines):
            line = line[:-1] + lines[number].lstrip()
            number += 1
        found = re.match(r"((?:[^\\=:\s]|\\.)+)\s*[=:\s]\s*(.*)", line)
        if found is None:
            error = BadInput(f"expected KEY=VALUE, not {line[:60]!r}", file=file, line=at)
            if unread is None:
                raise error
            unread.found.append(Unread(error, PASSED_OVER))
            continue
        yield words_of(re.sub(r"\\(.)", r"\1", found[1])), re.sub(r"\\(.)", r"\1", found[2]).strip(), at


def of_command_line(text: str, file: str) -> Iterator[Property]:
    """Every broker property that a text passes to the JVM, without lines that are comments."""
    for number, line in enumerate(text.splitlines(), 1):
        for found in OF_JAVA.finditer(line) if not line.lstrip().startswith("#") else ():
            yield words_of(found["key"].replace("\\", "")), found["value"], number


def of_creation(text: str, file: str) -> Iterator[Property]:
    """The properties that `artemis create` writes for its options in a text: a policy for all addresses, and their
    limit.

    Without a policy option the policy is PAGE, and addresses have no limit of their own. Comments are ignored.
    """
    plain = re.sub(r"^[ \t]*#.*", lambda found: " " * len(found[0]), text, flags=re.MULTILINE)
    given = [(found.start(), found[0]) for found in _CREATES.finditer(plain)]
    options = [(start + each.start(), each) for start, there in given for each in _OPTION.finditer(there)]
    policy = ""
    for start, found in options:
        line = text.count("\n", 0, start) + 1
        if found["name"].startswith("global-max-") and found["value"]:
            key = "globalMaxSize" if found["name"] == "global-max-size" else "globalMaxMessages"
            yield (key,), found["value"].replace(" ", ""), line
        elif found["name"] in ("blocking", "paging") and not policy:
            policy = "BLOCK" if found["name"] == "blocking" else "PAGE"
            yield ("addressSettings", "#", "addressFullMessagePolicy"), policy, line
            yield ("addressSettings", "#", "maxSizeBytes"), "-1", line
    for found in _OF_IMAGE.finditer(plain):
        yield ("globalMaxSize",), found["value"].replace(" ", ""), text.count("\n", 0, found.start("value")) + 1


def words_of(key: str) -> tuple[str, ...]:
    """The words of a key."""
    words, word = [], ""
    for found in _WORD.finditer(key):
        if found[3]:
            words.append(word)
            word = ""
        else:
            word += found[1] if found[1] is not None else found[2]
    return (*words, word)


def tree_of(properties: Iterator[Property], file: str, unread: Unreadable) -> Element:
    """The core element that has the same settings; `unread` collects properties that the broker passes over."""
    core = _element(file, "core", 1)
    settings: dict[str, Element] = {}
    acceptors: dict[str, Element] = {}
    for words, value, line in properties:
        start = next((at for at, word in enumerate(words) if word in (*SETTINGS, *ROOT_KEYS, *_NAMED)), None)
        if start is None:
            if len(words) == 1 and wrong(kebab(words[0]), CORE, OF_ARTEMIS):
                _set(core, kebab(words[0]), value, line, words[0])
            continue
        head, rest = words[start], words[start + 1 :]
        if head in ROOT_KEYS and not rest:
            _set(core, kebab(head), value, line, head).is_property = True
        elif head in SETTINGS and len(rest) >= _SHORTEST - 1:
            match = ".".join(rest[:-1])
            if len(rest) >= _SHORTEST:
                quoted = f'{head}."{match}".{rest[-1]}'
                expected = f"expected quotation marks around a match that has dots: {quoted}"
                unread.found.append(Unread(BadInput(expected, file=file, line=line), PASSED_OVER))
                continue
            if match not in settings:
                settings[match] = _element(file, "address-setting", line, {"match": match})
            found = _set(settings[match], kebab(rest[-1]), value, line, rest[-1])
            found.is_property = words[0] != _SPEC
        elif head == "acceptorConfigurations" and len(rest) >= _SHORTEST - 1:
            name = rest[0]
            acceptor = acceptors.setdefault(name, _element(file, "acceptor", line, {"name": name}))
            acceptor.text = (acceptor.text or "tcp://?") + (f"{rest[-1]}={value};" if len(rest) >= _SHORTEST else "")
        elif head == "addressConfigurations" and rest:
            address = _named(_named(core, "addresses", "", line), "address", rest[0], line)
            if len(rest) > _SHORTEST and rest[1] in ("queueConfigs", "queueConfigurations"):
                _set(_named(address, "queue", rest[2], line), kebab(rest[3]), value, line, rest[3])
        elif head == "divertConfigurations" and len(rest) > 1:
            divert = _named(_named(core, "diverts", "", line), "divert", rest[0], line)
            key = "filter" if rest[1] == "filterString" else kebab(rest[1])
            _set(divert, key, value, line, rest[1])
    for name, elements in (("address-settings", settings), ("acceptors", acceptors)):
        if elements:
            group = _element(file, name, 1)
            group.children += elements.values()
            core.children.append(group)
    return core


def of_resource(node: yaml.MappingNode, file: str, unread: Unreadable) -> Element:
    """The settings of an operator's resource: its addressSettings, its acceptors, and its brokerProperties."""
    values = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    found: list[Property] = []
    for each in _settings(values.get("addressSettings")):
        match = _value(each, "match")
        name = str(match.value) if isinstance(match, yaml.ScalarNode) else "#"
        inner = _value(each, "settings")
        for key, value in (*each.value, *(inner.value if isinstance(inner, yaml.MappingNode) else ())):
            if isinstance(value, yaml.ScalarNode) and key.value != "match":
                found.append(((_SPEC, "addressSettings", name, key.value), value.value, value.start_mark.line + 1))
    for each in _items(values.get("acceptors")):
        name_of = _value(each, "name")
        for key, value in each.value:
            if isinstance(value, yaml.ScalarNode) and isinstance(name_of, yaml.ScalarNode):
                words = ("acceptorConfigurations", name_of.value, "params", key.value)
                found.append((words, value.value, value.start_mark.line + 1))
    found += _misplaced(node)
    address = values.get("addressName")
    if isinstance(address, yaml.ScalarNode):
        found.append((("addressConfigurations", address.value), "", address.start_mark.line + 1))
    lines = values.get("brokerProperties")
    for text in lines.value if isinstance(lines, yaml.SequenceNode) else [lines] if lines else []:
        if isinstance(text, yaml.ScalarNode):
            first = text.start_mark.line + (2 if text.style in ("|", ">") else 1)
            found += properties_of(text.value, file, first, unread)
    return tree_of(iter(found), file, unread)


def _misplaced(node: yaml.Node) -> Iterator[Property]:
    """Settings of an address at any other place."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(value, yaml.ScalarNode) and kebab(str(key.value)) in ADDRESS.limits:
            yield (str(key.value),), value.value, key.start_mark.line + 1
        elif key.value not in ("addressSettings", "brokerProperties"):
            yield from _misplaced(value)


def of_json(node: yaml.MappingNode, file: str, unread: Unreadable) -> Element:
    """The settings of broker properties in JSON."""
    return tree_of(_leaves(node, ()), file, unread)


def _leaves(node: yaml.Node, words: tuple[str, ...]) -> Iterator[Property]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _leaves(value, (*words, str(key.value)))
    elif isinstance(node, yaml.ScalarNode):
        yield words, str(node.value), node.start_mark.line + 1


def is_setting(key: str, node: yaml.Node) -> bool:
    """Whether the operator or a chart sets something of addresses under this YAML key."""
    return key == "brokerProperties" or (key == "addressSettings" and bool(_settings(node)))


def _settings(node: yaml.Node | None) -> list[yaml.MappingNode]:
    """The settings by match; a resource of the operator nests them one level deeper than a chart."""
    found = _items(_value(node, "addressSetting") if isinstance(node, yaml.MappingNode) else node)
    return [each for each in found if _value(each, "match") is not None]


def _items(node: yaml.Node | None) -> list[yaml.MappingNode]:
    found = node.value if isinstance(node, yaml.SequenceNode) else ()
    return [each for each in found if isinstance(each, yaml.MappingNode)]


def _value(node: yaml.MappingNode, name: str) -> yaml.Node | None:
    return next((value for key, value in node.value if key.value == name), None)


def kebab(name: str) -> str:
    """The name in broker.xml: max-size-bytes for maxSizeBytes."""
    found = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda letter: "-" + letter[1].lower(), name)
    return OTHER_NAMES.get(found, found)


def _named(parent: Element, kind: str, name: str, line: int) -> Element:
    """The child of a kind and a name (empty: any), which is added if it is not there."""
    for each in parent.children:
        if each.name == kind and name in ("", each.attributes.get("name")):
            return each
    found = _element(parent.file, kind, line, {"name": name} if name else {})
    parent.children.append(found)
    return found


def _set(parent: Element, name: str, value: str, line: int, label: str) -> Element:
    """Set a value; it replaces an earlier value of the same name."""
    parent.children[:] = [each for each in parent.children if each.name != name]
    found = _element(parent.file, name, line)
    found.text, found.label = value, label
    parent.children.append(found)
    return found


def _element(file: str, name: str, line: int, attributes: dict[str, str] | None = None) -> Element:
    return Element(file, name, attributes or {}, line, {})
