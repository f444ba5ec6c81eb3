"""Parses XML with line numbers, without entities and without the network; names lose their prefixes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

import defusedxml.sax
from defusedxml import DefusedXmlException

from tidegate.explain.placeholders import filled
from tidegate.explain.vocabulary import Origin
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

DEEPEST = 100
"""The deepest nesting of elements."""
_INTERNAL = re.compile(r"<!ENTITY\s+(?P<name>[\w.-]+)\s+(?P<quote>[\"'])(?P<text>.*?)(?P=quote)\s*>", re.DOTALL)
_SUBSET = re.compile(r"<!DOCTYPE\s+[\w:.-]+\s*\[(?P<inner>.*?)\]\s*>", re.DOTALL)
LONGEST = 1 << 20
"""The most characters of a text after its entities are replaced."""
UNBOUND = "?"
"""The namespace of a prefix that is not declared."""


@dataclass
class Element:
    """An element: its name, attributes, text and children, and the lines of the element and of its attributes."""

    file: str
    name: str
    attributes: dict[str, str]
    line: int
    lines: dict[str, int]
    """By attribute, the line that sets it."""
    text: str = ""
    children: list["Element"] = field(default_factory=list)
    label: str = ""
    """The file's own name for it, if that differs."""
    namespace: str = ""
    """The namespace of its name; UNBOUND for a prefix that the text does not declare."""
    prefix: str = ""
    is_property: bool = False
    """Whether it stands for a broker property of Artemis, which the broker passes over if it cannot read it."""

    def child(self, *names: str) -> "Element | None":
        """The first child of one of these names."""
        return next((each for each in self.children if each.name in names), None)

    def last_child(self, name: str) -> "Element | None":
        """The last child of this name."""
        return next((each for each in reversed(self.children) if each.name == name), None)

    def all(self, *names: str) -> Iterator["Element"]:
        """Every element below this one, at any depth, that has one of these names."""
        for each in self.children:
            if each.name in names:
                yield each
            yield from each.all(*names)

    def origin(self, part: str = "", attribute: str = "") -> Origin:
        """The place of the element, or of one of its attributes."""
        return Origin(self.file, self.lines.get(attribute, self.line), part)


class _Builder(ContentHandler):
    def __init__(self, file: str, source: list[str], first_line: int):
        super().__init__()
        self._file, self._source, self._before = file, source, first_line - 1
        self._open: list[Element] = []
        self._spaces: list[dict[str, str]] = [{"": ""}]
        """For each open element, the namespace of each prefix in it; the default one has no prefix."""
        self._locator: Locator | None = None
        self.root: Element | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 (the parser's own name)
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        assert self._locator is not None
        line = self._locator.getLineNumber() or 1
        if len(self._open) >= DEEPEST:
            raise BadInput(f"expected XML that is nested at most {DEEPEST} deep", file=self._file, line=self._at(line))
        values = {local(key): value for key, value in attrs.items()}
        found = Element(self._file, local(name), values, self._at(line), self._lines(line, values))
        declared = {key.removeprefix("xmlns").lstrip(":"): value for key, value in attrs.items() if _declares(key)}
        self._spaces.append({**self._spaces[-1], **declared} if declared else self._spaces[-1])
        found.prefix = name.rpartition(":")[0]
        found.namespace = self._spaces[-1].get(found.prefix, UNBOUND)
        if self._open:
            self._open[-1].children.append(found)
        else:
            self.root = found
        self._open.append(found)

    def endElement(self, name: str) -> None:  # noqa: N802
        self._open.pop()
        self._spaces.pop()

    def characters(self, content: str) -> None:
        if self._open:
            self._open[-1].text += content

    def still_open(self) -> str:
        """The open element at the end of the text or at a tag that does not fit; empty if none is open."""
        return f"; <{self._open[-1].name}> of line {self._open[-1].line} is open there" if self._open else ""

    def _at(self, line: int) -> int:
        return line + self._before

    def _lines(self, line: int, values: dict[str, str]) -> dict[str, int]:
        """The line of each attribute, which may differ in a tag over several lines."""
        lines: dict[str, int] = {}
        for number in range(line, min(line + 40, len(self._source) + 1)):
            text = self._source[number - 1]
            for key in values:
                if key not in lines and re.search(rf"(^|[\s:]){re.escape(key)}\s*=", text):
                    lines[key] = self._at(number)
            if len(lines) == len(values):
                break
        return lines


def _declares(attribute: str) -> bool:
    """Whether an attribute declares a namespace."""
    return attribute == "xmlns" or attribute.startswith("xmlns:")


def local(name: str) -> str:
    """A name without its prefix."""
    return name.rpartition(":")[2]


def parse_xml(text: str, file: str, first_line: int = 1) -> Element:
    """The root of a text that begins at a line of a file. Its encoding declaration and its DTD are ignored.

    BadInput names the line of a text that is no XML or that declares entities.
    """
    text = re.sub(r"<\?xml\s.*?\?>|<!DOCTYPE[^\[>]*>", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    text = _without_entities(text)
    builder = _Builder(file, text.splitlines(), first_line)
    try:
        defusedxml.sax.parseString(text.encode("utf-8", "replace"), builder)
    except DefusedXmlException as error:
        line = first_line + text[: max(text.find("<!ENTITY"), 0)].count("\n")
        says = "expected XML without entities of its own: replace the entities by their texts"
        raise BadInput(says, file=file, line=line) from error
    except SAXParseException as error:
        line = (error.getLineNumber() or 1) + first_line - 1
        raise BadInput(f"expected XML ({error.getMessage()}{builder.still_open()})", file=file, line=line) from error
    except (SAXException, ValueError, LookupError) as error:
        raise BadInput(f"expected XML ({error})", file=file) from error
    if builder.root is None:
        raise BadInput("expected XML (no element found)", file=file, line=first_line)
    return builder.root


def _without_entities(text: str) -> str:
    """The text with each entity that it declares itself replaced by its text; lines keep their numbers.

    Unchanged if an entity names a file or other entities, or if the replaced text is too long.
    """
    subset = _SUBSET.search(text)
    if subset is None:
        return text
    texts = {each["name"]: each["text"] for each in _INTERNAL.finditer(subset["inner"])}
    if len(texts) != subset["inner"].count("<!ENTITY") or any("&" in each or "%" in each for each in texts.values()):
        return text
    before, after = text[: subset.start()], text[subset.end() :]
    added = sum(len(each) * after.count(f"&{name};") for name, each in texts.items())
    if added > LONGEST:
        return text
    for name, each in texts.items():
        after = after.replace(f"&{name};", " ".join(each.splitlines()))
    return before + "\n" * subset[0].count("\n") + after


def is_well_formed(text: str) -> bool:
    """Whether a text is XML."""
    try:
        parse_xml(text, "")
    except BadInput:
        return False
    return True


def read_bytes(path: Path, file: str) -> bytes:
    """The bytes of a file. BadInput if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"expected a file that can be read, but {in_words(error)}", file=file) from error


def text_of(element: Element, attribute: str = "") -> tuple[str | None, tuple[str, ...]]:
    """The text of an element or of an attribute with defaults of placeholders, and the names of the placeholders."""
    found = filled((element.attributes[attribute] if attribute else element.text).strip())
    return found.text, found.names
