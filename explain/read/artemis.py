"""Artemis' broker.xml: address settings by match, acceptors, and the limits that all addresses share."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from tidegate.explain.placeholders import filled
from tidegate.explain.read.xml_tree import Element, read_xml, text_of
from tidegate.explain.sizes import read_number, read_size
from tidegate.explain.vocabulary import Figure, Origin, Word
from tidegate.record.errors import BadInput

BYTES = ("max-size-bytes", "max-size-bytes-reject-threshold", "page-limit-bytes", "page-size-bytes")
MESSAGES = ("max-size-messages", "page-limit-messages")
POLICIES = ("BLOCK", "PAGE", "FAIL", "DROP")
CREDITS = ("amqpCredits", "amqpLowCredits")


@dataclass(frozen=True)
class AddressSetting:
    """What one match sets: figures in bytes or messages by key, and policies by key."""

    match: str
    origin: Origin
    figures: dict[str, Figure]
    policies: dict[str, Word]


@dataclass(frozen=True)
class Acceptor:
    """An acceptor: its protocols (empty: all), and its credits in messages by key."""

    name: str
    origin: Origin
    protocols: tuple[str, ...]
    credits: dict[str, Figure]


@dataclass(frozen=True)
class ArtemisFile:
    """What a broker.xml sets."""

    file: str
    settings: tuple[AddressSetting, ...]
    acceptors: tuple[Acceptor, ...]
    addresses: tuple[tuple[str, Origin], ...]
    global_bytes: Figure | None
    global_messages: Figure | None
    disk_percent: Figure | None
    windows: tuple[Figure, ...]
    """Core windows in bytes that connectors set."""
    notes: tuple[str, ...]


def read_artemis(path: Path, file: str) -> ArtemisFile:
    """Read a file. BadInput that names file, line and field where a figure has no meaning."""
    return from_tree(read_xml(path, file))


def from_tree(root: Element) -> ArtemisFile:
    """What the tree of a broker.xml sets."""
    reading = _Reading()
    core = root if root.child("address-settings", "acceptors") else root.child("core") or root
    settings = tuple(reading.setting(each) for each in core.all("address-setting"))
    acceptors = tuple(reading.acceptor(each) for each in core.all("acceptor"))
    connectors = core.child("connectors")
    windows = tuple(reading.windows(connectors)) if connectors else ()
    addresses = tuple(
        (each.attributes["name"], each.origin("the address itself"))
        for group in core.all("addresses")
        for each in group.children
        if each.name == "address" and "name" in each.attributes
    )
    included = [f"{each.file}:{each.line}: {_included(each)}" for each in root.all("include")]
    return ArtemisFile(
        root.file,
        settings,
        acceptors,
        addresses,
        reading.figure(core, "global-max-size", "the whole broker", in_bytes=True),
        reading.figure(core, "global-max-messages", "the whole broker", in_bytes=False),
        reading.figure(core, "max-disk-usage", "the whole broker", in_bytes=False),
        windows,
        (*included, *reading.notes),
    )


def _included(element: Element) -> str:
    target = element.attributes.get("href", "another file")
    return f"{target} is included here and was not read: what it sets is not known"


class _Reading:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def figure(self, parent: Element, key: str, part: str, *, in_bytes: bool) -> Figure | None:
        """The figure of a child; None where there is no such child."""
        found = parent.child(key)
        if found is None:
            return None
        text, names = text_of(found)
        origin = found.origin(part)
        self._note(origin, key, names, text)
        if text is None:
            return Figure(None, origin)
        value = read_size(text, origin, key) if in_bytes else read_number(text, origin, key, -1)
        return Figure(value, origin)

    def setting(self, element: Element) -> AddressSetting:
        if "match" not in element.attributes:
            raise BadInput("expected an attribute match", file=element.file, line=element.line, field="address-setting")
        match = element.attributes["match"]
        part = f"match {match}"
        figures = {
            key: found
            for keys, in_bytes in ((BYTES, True), (MESSAGES, False))
            for key in keys
            if (found := self.figure(element, key, part, in_bytes=in_bytes)) is not None
        }
        policies = {
            key: word
            for key in ("address-full-policy", "page-full-policy")
            if (word := self._policy(element, key, part)) is not None
        }
        return AddressSetting(match, element.origin(part), figures, policies)

    def _policy(self, element: Element, key: str, part: str) -> Word | None:
        found = element.child(key)
        if found is None:
            return None
        text, names = text_of(found)
        origin = found.origin(part)
        self._note(origin, key, names, text)
        if text is not None and text.upper() not in POLICIES:
            raise BadInput(
                f"expected one of {', '.join(POLICIES)}, not {text!r}", file=origin.file, line=origin.line, field=key
            )
        return Word(text and text.upper(), origin)

    def acceptor(self, element: Element) -> Acceptor:
        url, _ = text_of(element)
        name = element.attributes.get("name", "without a name")
        origin = element.origin(f"acceptor {name}")
        if url is None:  # only a figure that the placeholder hides is unknown, not the rest of the URL
            url = element.text.strip()
        values = _parameters(url)
        protocols = tuple(filter(None, re.split(r"[,\s]+", values.get("protocols", "").upper())))
        issued: dict[str, Figure] = {}
        for key in CREDITS:
            if key in values:
                known = filled(values[key]).text
                self._note(origin, key, filled(values[key]).names, known)
                issued[key] = Figure(None if known is None else read_number(known, origin, key), origin)
        return Acceptor(name, origin, protocols, issued)

    def windows(self, connectors: Element) -> Iterator[Figure]:
        for element in connectors.all("connector"):
            values = _parameters(element.text.strip())
            known = filled(values.get("producerWindowSize", "")).text
            if known:
                origin = element.origin(f"connector {element.attributes.get('name', '')}".strip())
                yield Figure(read_number(known, origin, "producerWindowSize"), origin)

    def _note(self, origin: Origin, key: str, names: tuple[str, ...], text: str | None) -> None:
        for name in names:
            taken = f"its default is taken: {text}" if text is not None else "its value is not known here"
            self.notes.append(f"{origin.file}:{origin.line}: {key} is a placeholder ({name.split(':')[0]}); {taken}")


def _parameters(url: str) -> dict[str, str]:
    """The parameters of a URL, after its question mark, parted by ; or &."""
    pairs = (pair.partition("=") for pair in re.split(r"[;&]", url.partition("?")[2]))
    return {key.strip(): unquote(value.strip()) for key, found, value in pairs if found}
