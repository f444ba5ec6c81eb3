"""Finds what the schema of a broker.xml does not allow, so that a broker does not start with the file."""

from collections.abc import Iterator

from tidegate.explain.names import ADDRESS, CORE
from tidegate.explain.placeholders import TEMPLATE
from tidegate.explain.read.artemis import POLICIES
from tidegate.explain.read.artemis_misnamed import SETTINGS
from tidegate.explain.read.xml_tree import UNBOUND, Element
from tidegate.explain.vocabulary import Origin, Stopping

_ONCE = CORE.limits | {SETTINGS, "acceptors", "addresses", "management-address", "min-disk-free"}
_HOMES = {"address-settings": "core", "address-setting": SETTINGS, "acceptor": "acceptors", "addresses": "core"}
"""By element, the only element of a broker.xml in which it may stand."""
_BOOLEANS = ("true", "false", "1", "0")
_INSERTED = {"include", TEMPLATE}
"""Elements that another text replaces, so the place of the elements in them is not known."""
_PLAIN = "max-size-bytes-reject-threshold"
"""A figure in bytes that takes no unit."""
_NAMESPACE = "urn:activemq:core"
_MARKS = {b"\xef\xbb\xbf": "begins with a byte-order mark", b"\xff\xfe": "is UTF-16", b"\xfe\xff": "is UTF-16"}
"""By first bytes of a file, the words about an encoding that a broker does not read."""


def refused(core: Element) -> Iterator[tuple[Origin, str]]:
    """Each place that keeps a broker from starting, with a sentence about it."""
    if core.name == "core":
        yield from _twice(core, _ONCE, "core")
        yield from _misplaced(core)
    persistent = core.last_child("persistence-enabled")
    if persistent is not None and "${" not in persistent.text and persistent.text.strip() not in _BOOLEANS:
        said = persistent.text.strip()
        says = f"persistence-enabled {said} keeps a broker from starting: give true or false."
        yield persistent.origin("core"), Stopping(says)
    for group in core.all(SETTINGS):
        for setting in group.all("address-setting"):
            yield from _twice(setting, ADDRESS.limits, "one address-setting")
            yield from _of_a_setting(setting)


def refused_encoding(data: bytes, file: str) -> Iterator[tuple[Origin, str]]:
    """The encoding of a broker.xml that keeps a broker from starting, with a sentence about it."""
    for mark, says in _MARKS.items():
        if data.startswith(mark):
            sentence = f"the file {says}: a broker refuses to start with it; save it as UTF-8."
            yield Origin(file, 1, "the file"), Stopping(sentence)


def of_another_namespace(core: Element) -> Iterator[tuple[Origin, str]]:
    """A prefix of core, which hides it from a broker, or else the first element whose namespace the schema lacks."""
    if core.prefix:
        says = f"{core.prefix}:core has a prefix, so a broker passes it over: all that is set in it has no effect."
        yield core.origin("configuration"), says
        return
    for each in (core, *_below(core)):
        if each.namespace != _NAMESPACE:
            which = {"": "no namespace", UNBOUND: f"the prefix {each.prefix}, which no xmlns:{each.prefix} declares,"}
            has = which.get(each.namespace, f"the namespace {each.namespace}")
            says = f"{each.name} has {has} where a broker expects {_NAMESPACE}: it refuses to start."
            yield each.origin(core.name), Stopping(says)
            return


def _below(parent: Element) -> Iterator[Element]:
    for each in parent.children:
        if each.name not in _INSERTED:
            yield each
            yield from _below(each)


def _misplaced(parent: Element) -> Iterator[tuple[Origin, str]]:
    for each in parent.children:
        home = _HOMES.get(each.name, parent.name)
        if home != parent.name and parent.name not in _INSERTED:
            sentence = f"{each.name} belongs in {home}: a broker refuses to start with it in {parent.name}."
            yield each.origin(parent.name), Stopping(sentence)
        yield from _misplaced(each)


def _of_a_setting(setting: Element) -> Iterator[tuple[Origin, str]]:
    if "match" not in setting.attributes:
        says = "a broker refuses to start with an address-setting without an attribute match."
        yield setting.origin(SETTINGS), Stopping(says)
    for each in setting.children:
        text = each.text
        if each.name in POLICIES and "${" not in text and text != text.strip():
            sentence = f"{each.name} has blanks around {text.strip()}: a broker refuses to start with them."
            yield each.origin(setting.name), Stopping(sentence)
        if each.name == _PLAIN and "${" not in text and not text.strip().lstrip("+-").isdigit():
            sentence = f"{each.name} is {text.strip()}: a broker refuses to start with a unit there; give plain bytes."
            yield each.origin(setting.name), Stopping(sentence)


def _twice(parent: Element, names: frozenset[str], where: str) -> Iterator[tuple[Origin, str]]:
    first: dict[str, Element] = {}
    for each in parent.children:
        known = first.setdefault(each.name, each)
        if each.name in names and known is not each:
            sentence = f"{each.name} stands twice in {where} (line {known.line} too), and a broker refuses to start."
            yield each.origin(parent.name), Stopping(sentence)
