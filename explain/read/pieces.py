"""Finds the broker configurations in a file: the whole file, or texts inside YAML or a script."""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml

from tidegate.explain.branches import ALL_TOGETHER, Branches, branches_of, first_branches
from tidegate.explain.placeholders import in_xml, with_values, without_templates
from tidegate.explain.read.artemis_properties import OF_JAVA, is_setting, of_creation
from tidegate.explain.read.foreign import NotOfBroker
from tidegate.explain.read.xml_tree import is_well_formed, read_bytes

XML, JSON, PROPERTIES, OPERATOR, COMMAND = "xml", "json", "properties", "operator", "command"
OF_ARTEMIS = ("configuration", "core", "address-settings", "address-setting", "acceptors", "addresses")
OF_CLASSIC = (
    *("beans", "blueprint", "broker", "destinationPolicy", "policyMap", "policyEntries", "policyEntry"),
    *("systemUsage", "memoryUsage", "storeUsage", "tempUsage"),
)
OF_QPID = ("virtualhosts", "virtualhost")
ROOTS = (*OF_ARTEMIS, *OF_CLASSIC, *OF_QPID)
"""The elements with which a broker's configuration, or a part of it, may begin."""
WHOLE_ROOTS = ("configuration", "core", "beans", "blueprint", "broker", "virtualhosts")
"""The elements that hold a whole configuration; another root is a part of one."""
_NOTHING = re.compile(r"(?:\s|<!--.*?-->)*", re.DOTALL)
_BLOCK = re.compile(rf"<((?:\w+:)?(?:{'|'.join(map(re.escape, ROOTS))}))(?=[\s>])[^>]*>.*?</\1\s*>", re.DOTALL)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROPERTY = re.compile(
    r"^\s*[\w.-]*(?:addressSettings|addressesSettings|acceptorConfigurations|globalMax|maxDiskUsage)", re.MULTILINE
)
_ITEM = re.compile(r"(?:addressSettings|addressesSettings|acceptorConfigurations|globalMax|maxDiskUsage)[^=\s]*=\S.*")
_RESOURCE = re.compile(r"(?:[ \t]*(?:#[^\n]*|---[^\n]*)?\n)*(?:apiVersion|kind):[ \t]")
"""The beginning of a Kubernetes resource, in a file of any name."""
_JSON = re.compile(r"\s*(?:[{\[]\s*[\"{\[}\]/#]|/[*/])")
"""The beginning of JSON, also behind comments."""
_KINDS = ("ActiveMQArtemis", "ActiveMQArtemisAddress", "Broker")
_DEEPEST = 50
_DEFINITION = "CustomResourceDefinition"
"""The kind of a resource that defines a kind of resources: it describes settings and sets none."""
_IN_A_CONTAINER = ("env", "environment", "args", "command", "entrypoint")
PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
"""The first bytes of what gzip, zip, bzip2, xz and zstd pack."""
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]\s*){40,}={0,2}\s*")
_COMMENTED = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_WHOLE = re.compile(r"\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*)*<(\w+:)?(configuration|beans|blueprint)\b", re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """A text of one form, its first line, and its name in the file (empty: it is the file itself)."""

    form: str
    text: str
    first_line: int = 1
    name: str = ""
    node: yaml.MappingNode | None = None
    """The specification of a resource of the operator of Artemis."""
    is_template: bool = False
    """Whether the file is a template, which may set a thing once in each branch of a condition."""
    branches: Branches = ALL_TOGETHER
    """The branches of the template's conditions, by the lines of the file."""
    resource: int = 0
    """The first line of the map in a YAML whose value the text is; 0 for any other text."""
    in_one_line: bool = False
    """Whether the whole text is in one line of the file, as in a Secret."""
    is_a_part: bool = False
    """Whether it is a part of a configuration that stands in a longer text, such as a script."""


def pieces(path: Path, file: str, values: Mapping[str, str]) -> list[Piece]:
    """Every configuration in a file; a text of no known form is treated as XML.

    NotOfBroker for a text without a configuration.
    """
    data = read_bytes(path, file)
    if data.startswith(PACKED):
        raise NotOfBroker("expected the text of a configuration, not a packed file: unpack it first", file=file, line=1)
    raw = _decoded(data)
    if not raw.strip() and path.suffix.lower() != ".properties":
        raise NotOfBroker("expected a broker's configuration, but the file is empty", file=file, line=1)
    is_template = without_templates(raw) != raw
    branches = branches_of(raw) if is_template else ALL_TOGETHER
    found = _pieces(path, file, raw, values)
    return [replace(each, is_template=is_template, branches=branches) for each in found]


def _pieces(path: Path, file: str, raw: str, values: Mapping[str, str]) -> list[Piece]:
    values = in_xml(values) if raw.lstrip().startswith("<") else values
    text = with_values(without_templates(raw), values)
    first = text.lstrip()[:1]
    if first == "<" and (chosen := first_branches(raw)) != raw and not is_well_formed(text):
        text = with_values(without_templates(chosen), values)  # the two branches together are no XML
    suffix = path.suffix.lower()
    set_by_java = [*_of_containers(text, file)]
    if suffix in (".yaml", ".yml") or _RESOURCE.match(text):
        found = [*_wrapped(text), *set_by_java]
        if not found:
            raise _invalid(raw, file) or NotOfBroker(
                "expected a broker's configuration in this YAML", file=file, line=1
            )
        return found
    if suffix == ".json" or _JSON.match(text) or (first == "#" and suffix == ".hjson"):
        return [Piece(JSON, text)]
    is_plain = first not in ("<", "") and "<" not in text and not set_by_java
    if suffix == ".properties" or (is_plain and _PROPERTY.search(text)):
        return [Piece(PROPERTIES, text)]
    if first not in ("<", ""):
        found = [*_blocks(text, 1, ""), *set_by_java]
        if not found:
            raise NotOfBroker("expected XML, JSON, YAML or properties of a broker", file=file, line=1)
        return found
    return [_trimmed(text, 1, "")]


def _decoded(data: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = re.match(rb"\s*<\?xml[^>]*encoding=[\"']([\w.-]+)[\"']", data[:200])
    name = declared[1].decode("ascii") if declared else "utf-8"
    try:
        return data.decode(name, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _trimmed(text: str, first_line: int, name: str) -> Piece:
    """The XML of a text, without the blank space in front."""
    start = len(text) - len(text.lstrip())
    return Piece(XML, text[start:], first_line + text[:start].count("\n"), name)


def _blocks(text: str, first_line: int, name: str) -> Iterator[Piece]:
    """Every complete element of ROOTS outside any other; parts of a configuration side by side are one text."""
    spans: list[tuple[int, int, bool]] = []
    end = 0
    while found := _BLOCK.search(text, end):
        is_a_part = found[1].rpartition(":")[2] not in WHOLE_ROOTS
        if is_a_part and spans and spans[-1][2] and _NOTHING.fullmatch(text, end, found.start()) is not None:
            spans[-1] = (spans[-1][0], found.end(), True)
        else:
            spans.append((found.start(), found.end(), is_a_part))
        end = found.end()
    for start, end, is_a_part in spans:
        yield Piece(XML, text[start:end], first_line + text.count("\n", 0, start), name, is_a_part=is_a_part)


def _invalid(text: str, file: str) -> NotOfBroker | None:
    """The error with the line at which a text is no YAML; None for valid YAML and for a template, which need not be."""
    try:
        list(yaml.compose_all(text, _LOADER))
    except yaml.MarkedYAMLError as error:
        if without_templates(text) != text or error.problem_mark is None:
            return None
        return NotOfBroker(f"expected YAML ({error.problem})", file=file, line=error.problem_mark.line + 1)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return None


def _wrapped(text: str) -> list[Piece]:
    try:
        roots = [root for root in yaml.compose_all(text, _LOADER) if root is not None and not _is_a_definition(root)]
        found = [piece for root in roots for piece in _of_node(root, "", 0)]
        found = found or [piece for root in roots for piece in _of_the_operator(root)]
    except (yaml.YAMLError, RecursionError, ValueError):
        found = []
    return found or list(_blocks(_COMMENTED.sub("", text), 1, ""))


def _is_a_definition(node: yaml.Node) -> bool:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return any(key.value == "kind" and value.value == _DEFINITION for key, value in pairs)


def _of_containers(text: str, file: str) -> Iterator[Piece]:
    """The settings that a text gives to the commands which create or start brokers, each container's for itself."""
    try:
        containers = [each for root in yaml.compose_all(text, _LOADER) for each in _containers(root, "", 0)]
    except (yaml.YAMLError, RecursionError, ValueError):
        containers = []
    lines = text.split("\n")
    texts = {name: "\n" * first + "\n".join(lines[first:end]) for name, first, end in containers}
    of_each = [Piece(COMMAND, each, name=name) for name, each in texts.items() if _sets_by_command(each, file)]
    if len(of_each) > 1:
        yield from of_each
    elif _sets_by_command(text, file):
        yield Piece(COMMAND, text)


def _sets_by_command(text: str, file: str) -> bool:
    return OF_JAVA.search(text) is not None or any(of_creation(text, file))


def _containers(node: yaml.Node | None, name: str, depth: int) -> Iterator[tuple[str, int, int]]:
    """The containers below a node: name, first line and the line behind the last one, counted from 0."""
    if depth > _DEEPEST or not isinstance(node, yaml.SequenceNode | yaml.MappingNode):
        return
    if isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _containers(each, name, depth + 1)
        return
    values = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    if "image" in values and not values.keys().isdisjoint(_IN_A_CONTAINER):
        own = values.get("name")
        yield own.value if isinstance(own, yaml.ScalarNode) else name, node.start_mark.line, node.end_mark.line + 1
        return
    for key, value in values.items():
        yield from _containers(value, key, depth + 1)


def _of_node(node: yaml.Node, name: str, depth: int) -> Iterator[Piece]:
    if depth > _DEEPEST:
        return
    if isinstance(node, yaml.SequenceNode):
        if node.value and all(map(_is_property, node.value)):
            yield _of_list(node, name)
            return
        for each in node.value:
            yield from _of_node(each, name, depth + 1)
    elif isinstance(node, yaml.MappingNode):
        if any(is_setting(key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)):
            yield Piece(OPERATOR, "", node.start_mark.line + 1, name, node)
            return
        by_match = [(key, value) for key, value in node.value if _sets_an_address(value)]
        if by_match:
            yield _settings_of(by_match)
            return
        for key, value in node.value:
            inner = key.value if isinstance(key, yaml.ScalarNode) else name
            here = int(node.start_mark.line) + 1 if isinstance(value, yaml.ScalarNode) else 0
            yield from (replace(each, resource=here) if here else each for each in _of_node(value, inner, depth + 1))
    elif isinstance(node, yaml.ScalarNode):
        yield from _of_text(node, name)


def _is_property(node: yaml.Node) -> bool:
    """Whether an item of a list is one broker property, KEY=VALUE."""
    return (
        isinstance(node, yaml.ScalarNode)
        and _ITEM.fullmatch(node.value) is not None
        and node.start_mark.line == node.end_mark.line
    )


def _of_list(node: yaml.SequenceNode, name: str) -> Piece:
    """The properties of a list, as one text in which each keeps its line."""
    first = int(node.value[0].start_mark.line)
    lines: list[str] = []
    for each in node.value:
        lines += [""] * (int(each.start_mark.line) - first - len(lines))
        lines.append(each.value)
    return Piece(PROPERTIES, "\n".join(lines), first + 1, name)


def _of_the_operator(node: yaml.Node) -> Iterator[Piece]:
    """A resource of the operator of Artemis that sets no limit, so that its broker has the defaults."""
    if not isinstance(node, yaml.MappingNode):
        return
    values = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    kind, of, found = (values.get(key) for key in ("kind", "apiVersion", "spec"))
    is_known = isinstance(kind, yaml.ScalarNode) and kind.value in _KINDS
    is_of_it = isinstance(of, yaml.ScalarNode) and of.value.startswith("broker.")
    if is_known and is_of_it and (found is None or isinstance(found, yaml.MappingNode)):
        spec = found or yaml.MappingNode(node.tag, [], node.start_mark, node.end_mark)
        yield Piece(OPERATOR, "", spec.start_mark.line + 1, "spec", spec)


def _sets_an_address(value: yaml.Node) -> bool:
    """Whether a text is the content of an address-setting, so that its key is the match."""
    text = value.value.lstrip() if isinstance(value, yaml.ScalarNode) else ""
    is_whole = any(f"<{root}" in text or f":{root}" in text for root in ROOTS)
    found = re.search(r"<(max-size-(bytes|messages)|address-full-policy)>", text)
    return text.startswith("<") and not is_whole and found is not None


def _settings_of(by_match: list[tuple[yaml.Node, yaml.Node]]) -> Piece:
    """The address-settings of texts by match, as one file in which each text keeps its lines."""
    first = int(by_match[0][0].start_mark.line) + 1
    lines = ["<address-settings>"]
    for key, value in by_match:
        is_block = isinstance(value, yaml.ScalarNode) and value.style in ("|", ">")
        start = int(value.start_mark.line) + (2 if is_block else 1)
        lines += [""] * (start - first - len(lines) + 1)
        match = escape(str(key.value), {'"': "&quot;"})
        inner = f'<address-setting match="{match}">{value.value.rstrip()}</address-setting>'.splitlines()
        lines[start - first] += inner[0]
        lines += inner[1:]
    return Piece(XML, "\n".join(lines) + "</address-settings>", first)


def _unpacked(text: str) -> str | None:
    """The text that a Secret or a binary part of a ConfigMap holds as base64; None if there is none."""
    if _BASE64.fullmatch(text) is None:
        return None
    try:
        return base64.b64decode(text, validate=False).decode("utf-8")
    except ValueError:
        return None


def _of_text(node: yaml.ScalarNode, name: str) -> Iterator[Piece]:
    text = str(node.value)
    if (unpacked := _unpacked(text)) is not None:
        line = node.start_mark.line + 1
        inner = yaml.ScalarNode(node.tag, unpacked, node.start_mark, node.end_mark)
        for piece in _of_text(inner, name):
            flat = piece.text if piece.form == PROPERTIES else " ".join(piece.text.split("\n"))
            yield replace(piece, text=flat, first_line=line, in_one_line=True)
        return
    line = node.start_mark.line + (2 if node.style in ("|", ">") else 1)
    if "<" in text and any(f"<{root}" in text or f":{root}" in text for root in ROOTS):
        yield from [_trimmed(text, line, name)] if _WHOLE.match(text) else _blocks(text, line, name)
    elif text.lstrip().startswith("{") and re.search(r'"(?:queues|virtualhost|addressSettings|overflowPolicy)', text):
        yield Piece(JSON, text, line, name)
    elif _PROPERTY.search(text) and "=" in text and OF_JAVA.search(text) is None:
        yield Piece(PROPERTIES, text, line, name)
